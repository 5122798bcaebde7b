import cluster from 'node:cluster';
import { once } from 'node:events';
import type { GatewayOptions } from '../server/gateway.ts';
import { type OtherWorkers, otherWorkers } from './cache-invalidation.ts';
import { Channel, type ChannelToPrimary } from './channel.ts';

/** All that a worker starts from; it reads no settings itself. */
export type WorkerOptions = Omit<GatewayOptions, 'logger' | 'accessLogger' | 'others' | 'metricsOfAll'>;

/** The primary process, as a worker sees it. */
export interface Primary {
  options(): Promise<WorkerOptions>;
  others: OtherWorkers;
  /** The metrics of all workers. Rejects where one of them does not answer. */
  metricsOfAll(): Promise<string>;
  /** Resolves when the primary process has read the URL. */
  reportReady(url: string): Promise<void>;
  /** Resolves when the primary process has read the reason, or has ended. */
  reportFailure(reason: string): Promise<void>;
  /**
   * Call this when the server is closed. Resolves when connections that were on their way to this worker have gone to
   * another one.
   */
  disconnect(): Promise<void>;
}

/** Undefined in the primary process, and where one process serves alone. */
export function connectToPrimary(): Primary | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  // Node's own messages may find the primary process gone, which has then given its reason itself.
  worker.on('error', () => process.exit(1));
  const channel: ChannelToPrimary = new Channel(process);
  let scrape: Promise<string> | undefined;
  return {
    options: () => channel.request('start'),
    others: otherWorkers(channel),
    metricsOfAll() {
      // Requests in the meantime share an answer, because each scrape asks all workers.
      scrape ??= channel.request('metrics').finally(() => {
        scrape = undefined;
      });
      return scrape;
    },
    reportReady: (url) => channel.request('ready', url),
    reportFailure: (reason) => channel.request('failed', reason).catch(() => {}),
    async disconnect() {
      if (!worker.isConnected()) return;
      const disconnected = once(worker, 'disconnect');
      worker.disconnect();
      await disconnected;
    },
  };
}
