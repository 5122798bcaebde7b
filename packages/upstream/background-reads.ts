import { atMost, type Json } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import type { InFlightReads } from './dedupe.ts';
import { noTimeLeft } from './errors.ts';
import {
  type Abortable,
  type CallOrigin,
  newRequest,
  type RequestOptions,
  type Signal,
  type UpstreamRequest,
} from './request.ts';

/** Reads that no client waits for. They end with their answers, after a time, or with the process. */
export class BackgroundReads {
  readonly #timers = new Map<Abortable, NodeJS.Timeout | undefined>();

  /** `ms`: by default the read ends by itself. */
  add(read: Abortable, ms?: number): void {
    this.#timers.set(read, ms === undefined ? undefined : setTimeout(() => read.abort(noTimeLeft), ms).unref());
  }

  /** The read has ended. */
  delete(read: Abortable): void {
    clearTimeout(this.#timers.get(read));
    this.#timers.delete(read);
  }

  abort(reason: Error): void {
    for (const read of this.#timers.keys()) read.abort(reason);
  }
}

/** Without the pause, every query of a stale page would call a service that is down. */
const pauseAfterFailureMs = 5_000;

const origin: CallOrigin = { reason: 'renewal', fields: () => [] };

/** The budget of pages that are renewed together. A read that no client waits for has no second attempt. */
export const renewalBudget = () => ({ takeRetry: () => false });

/** Reads a stale page anew. Meanwhile clients get the stale page. */
export function renewals(
  reads: InFlightReads,
  background: BackgroundReads,
  send: (request: UpstreamRequest) => Promise<Json>,
): (page: Pick<RequestOptions, 'caller' | 'endpoint' | 'path' | 'subject' | 'budget'>) => void {
  /** Names of reads that failed a short while ago. */
  const failed = new LRUCache<string, true>({ ...atMost(10_000), ttl: pauseAfterFailureMs });

  return function renew(page) {
    let wait: Abortable | undefined;
    const renewal: Abortable = { abort: (reason) => wait?.abort(reason) };
    const signal: Signal = {
      due: Number.POSITIVE_INFINITY,
      sent: 0,
      add(read) {
        wait = read;
      },
      hold: () => true,
    };
    const request = newRequest({ ...page, origin, signal });
    if (reads.joinable(request) || failed.has(request.name)) return;
    background.add(renewal);
    send(request)
      .catch(() => failed.set(request.name, true))
      .finally(() => background.delete(renewal));
  };
}
