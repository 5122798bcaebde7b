import { atMost, type Json } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import type { InFlightReads } from './dedupe.ts';
import { noTimeLeft } from './errors.ts';
import { type Abortable, newRequest, type RequestOptions, type Signal, type UpstreamRequest } from './request.ts';

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

const origin: RequestOptions['origin'] = { reason: 'renewal', fields: () => [] };

/** Pages of a list that one operation renews, and their budget. A read that no client waits for has no second attempt. */
const newRenewal = (by: object) => ({ by, reads: 0, takeRetry: () => false });

/**
 * Reads a stale page anew. Meanwhile clients get the stale page. Pages that two operations have read do not fit together, so one
 * renews a list at a time. `by`: the budget of the operation.
 */
export function renewals(
  reads: InFlightReads,
  background: BackgroundReads,
  send: (request: UpstreamRequest) => Promise<Json>,
): (page: Pick<RequestOptions, 'caller' | 'endpoint' | 'path' | 'subject'>, by: object) => void {
  /** Names of reads that failed a short while ago. */
  const failed = new LRUCache<string, true>({ ...atMost(10_000), ttl: pauseAfterFailureMs });
  /** The renewals in flight, by caller and list. */
  const inFlight = new Map<string, ReturnType<typeof newRenewal>>();

  return function renew(page, by) {
    const list = `${page.caller.digest} ${page.endpoint}`;
    const budget = inFlight.get(list) ?? newRenewal(by);
    if (budget.by !== by) return;
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
    const request = newRequest({ ...page, origin, signal, budget });
    if (reads.joinable(request) || failed.has(request.name)) return;
    background.add(renewal);
    inFlight.set(list, budget);
    budget.reads += 1;
    send(request)
      .catch(() => failed.set(request.name, true))
      .finally(() => {
        background.delete(renewal);
        budget.reads -= 1;
        if (budget.reads === 0) inFlight.delete(list);
      });
  };
}
