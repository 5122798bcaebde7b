import cluster from 'node:cluster';
import { once } from 'node:events';
import type { SharedMetrics } from '@gateway/graphql-serve';
import type { Carrier } from '../share/carrier.ts';
import { Channel, type ChannelToPrimary } from './channel.ts';
import { sharedMetrics } from './metrics.ts';
import { pipeCarrier } from './pipe-carrier.ts';

/** The primary process, as a worker sees it. */
export class Primary {
  readonly #channel: ChannelToPrimary = new Channel(process);
  readonly carrier: Carrier = pipeCarrier(this.#channel);
  readonly metrics: SharedMetrics = sharedMetrics(this.#channel);

  /** The options that `startWorkers` got. */
  options<Options extends object>(): Promise<Options> {
    return this.#channel.request('start') as Promise<Options>;
  }

  /** Resolves when the primary process has read the URL. */
  reportReady(url: string): Promise<void> {
    return this.#channel.request('ready', url);
  }

  /** Resolves when the primary process has read the reason, or has ended. */
  reportFailure(reason: string): Promise<void> {
    return this.#channel.request('failed', reason).catch(() => {});
  }

  /** Call this when the server is closed. Resolves when another worker has the connections that were on their way. */
  async disconnect(): Promise<void> {
    if (!cluster.worker?.isConnected()) return;
    const disconnected = once(cluster.worker, 'disconnect');
    cluster.worker.disconnect();
    await disconnected;
  }
}

/** Undefined in the primary process, and where one process serves alone. */
export function connectToPrimary(): Primary | undefined {
  // Node may send a message after the primary process has ended, which has printed its reason.
  cluster.worker?.on('error', () => process.exit(1));
  return cluster.worker && new Primary();
}
