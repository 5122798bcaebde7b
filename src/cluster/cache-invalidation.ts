import { setTimeout as pause } from 'node:timers/promises';
import type { EndpointName } from '../upstream/endpoints.ts';
import type { ChannelToPrimary, ChannelToWorker } from './channel.ts';

/** The other workers, which cache reads of the same callers. Both functions take the arguments of `Upstream.invalidate`. */
export interface OtherWorkers {
  /** Call this before the worker serves: the others do not wait for a worker that does not listen. */
  listen(invalidate: (keyDigest: string, endpoint?: EndpointName) => void): void;
  /** Resolves when all other workers have invalidated their caches or ended, or after a second. Never rejects. */
  broadcast(keyDigest: string, endpoint?: EndpointName): Promise<void>;
}

/**
 * A worker that is stuck for longer delays no write. Later the worker invalidates its caches, but may have answered requests
 * from them by then.
 */
const maxWaitMs = 1_000;

/** In the primary process: passes the invalidations of a worker on to the others in `listening`. */
export function relayInvalidations(worker: ChannelToWorker, listening: Set<ChannelToWorker>): void {
  worker.handle('listen', () => void listening.add(worker));
  worker.closed.then(() => listening.delete(worker));
  worker.handle('invalidate', async (invalidation) => {
    const others = [...listening].filter((other) => other !== worker);
    await Promise.allSettled(others.map((other) => other.request('invalidate', invalidation)));
  });
}

/** In a worker: sends invalidations to the other workers, and takes theirs. */
export function otherWorkers(primary: ChannelToPrimary): OtherWorkers {
  const refusals = new Map<string, Promise<void>>();

  function send(keyDigest: string, endpoint?: EndpointName): Promise<void> {
    const done = primary.request('invalidate', { keyDigest, endpoint }).catch(() => {});
    return Promise.race([done, pause(maxWaitMs, undefined, { ref: false })]);
  }

  return {
    listen(invalidate) {
      primary.handle('invalidate', ({ keyDigest, endpoint }) => invalidate(keyDigest, endpoint));
      primary.request('listen').catch(() => {});
    },
    broadcast(keyDigest, endpoint) {
      if (endpoint) return send(keyDigest, endpoint);
      // The service may refuse the key to hundreds of calls of one operation: one message at a time is enough.
      const sent = refusals.get(keyDigest) ?? send(keyDigest).finally(() => refusals.delete(keyDigest));
      refusals.set(keyDigest, sent);
      return sent;
    },
  };
}
