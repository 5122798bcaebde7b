import { LRUCache } from 'lru-cache';
import { atMost } from '../lib/at-most.ts';
import type { Json } from '../lib/json.ts';
import type { InFlightReads } from './dedupe.ts';
import { type Abortable, type CallOrigin, type RequestOptions, type Signal, UpstreamRequest } from './request.ts';

/** Without the pause, every query of a stale page would call a service that is down. */
const pauseAfterFailureMs = 5_000;

const origin: CallOrigin = { reason: 'renewal', fields: () => [] };

/** A read that no client waits for has no second attempt. */
const budget = { takeRetry: () => false };

/** Reads that replace stale pages. Meanwhile clients get the stale pages. */
export class Renewals {
  readonly #reads: InFlightReads;
  readonly #send: (request: UpstreamRequest) => Promise<Json>;
  readonly #inFlight = new Set<Renewal>();
  /** Names of reads that failed a short while ago. */
  readonly #failed = new LRUCache<string, true>({ ...atMost(10_000), ttl: pauseAfterFailureMs });

  constructor(reads: InFlightReads, send: (request: UpstreamRequest) => Promise<Json>) {
    this.#reads = reads;
    this.#send = send;
  }

  add(page: Pick<RequestOptions, 'caller' | 'endpoint' | 'path' | 'subject'>): void {
    const renewal = new Renewal();
    const request = new UpstreamRequest({ ...page, origin, signal: renewal, budget });
    if (this.#reads.joinable(request) || this.#failed.has(request.name)) return;
    this.#inFlight.add(renewal);
    this.#send(request)
      .catch(() => this.#failed.set(request.name, true))
      .finally(() => this.#inFlight.delete(renewal));
  }

  abort(reason: Error): void {
    for (const renewal of this.#inFlight) renewal.abort(reason);
  }
}

/** Has any time and memory, and ends with the process. */
class Renewal implements Signal, Abortable {
  readonly due = Number.POSITIVE_INFINITY;
  #wait: Abortable | undefined;

  add(wait: Abortable): void {
    this.#wait = wait;
  }

  hold(): boolean {
    return true;
  }

  abort(reason: unknown): void {
    this.#wait?.abort(reason);
  }
}
