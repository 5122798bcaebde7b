import cluster from 'node:cluster';
import { once } from 'node:events';
import type { GatewayOptions } from '../server/gateway.ts';
import { type OtherWorkers, otherWorkers } from './cache-invalidation.ts';
import { Channel, type ChannelToPrimary } from './channel.ts';

/** The options of a worker, which reads no settings itself. */
export type WorkerOptions = Omit<GatewayOptions, 'logger' | 'accessLogger' | 'others' | 'metricsOfAll'>;

/** The primary process, as a worker sees it. */
export class Primary {
  readonly #channel: ChannelToPrimary = new Channel(process);
  readonly others: OtherWorkers = otherWorkers(this.#channel);
  #scrape: Promise<string> | undefined;

  options(): Promise<WorkerOptions> {
    return this.#channel.request('start');
  }

  /** Resolves when the primary process has read the URL. */
  reportReady(url: string): Promise<void> {
    return this.#channel.request('ready', url);
  }

  /** Resolves when the primary process has read the reason, or has ended. */
  reportFailure(reason: string): Promise<void> {
    return this.#channel.request('failed', reason).catch(() => {});
  }

  /** The metrics of all workers. Requests in the meantime share the answer. Rejects where a worker does not answer. */
  readonly metricsOfAll = (): Promise<string> => {
    this.#scrape ??= this.#channel.request('metrics').finally(() => {
      this.#scrape = undefined;
    });
    return this.#scrape;
  };

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
