import { LRUCache } from 'lru-cache';
import type { Json } from '../lib/json.ts';
import { CallCounts, type CallReason } from './call-counts.ts';
import type { Caller } from './caller.ts';
import type { RestClient, Subject, WriteInput } from './client.ts';
import { ContractDrift } from './contract-drift.ts';
import { RequestDeduplicator } from './dedupe.ts';
import type { EndpointName } from './endpoints.ts';
import { NotSentError, UpstreamError } from './errors.ts';
import type { CallObserver, InFlightOptions, InFlightRequest, Waiter, Waiting } from './in-flight-request.ts';
import { ListCache, type ListCacheOptions } from './list-cache.ts';
import { type ListPage, listPageOf, type Range } from './list-page.ts';
import { ListSizeCache } from './list-size-cache.ts';
import type { RetryOptions } from './retry.ts';

/** Milliseconds. Every query in the second life of a page would be another call to a service that is down. */
const pauseAfterFailure = 5_000;

/** Waits for a read that no client waits for: not for a second attempt. */
const renewal: Waiting = { due: Number.POSITIVE_INFINITY, takesRetry: () => false };

export interface UpstreamOptions extends ListCacheOptions {
  retries: RetryOptions;
  /** Has other processes, which serve the same callers, `forget` the same. Resolves when they have. */
  broadcast?: ((keyDigest: string, endpoint?: EndpointName) => Promise<void>) | undefined;
}

/** A read by its name: two of the same name have the same answer. */
export interface Route {
  caller: Caller;
  endpoint: EndpointName;
  subject: Subject;
  path: string;
  name: string;
}

/** The way to the service for all requests of all callers, and what the requests of one caller share on it. */
export class Upstream {
  readonly calls = new CallCounts();
  readonly drift = new ContractDrift();
  readonly listCache: ListCache;
  readonly #rest: RestClient;
  readonly #flights: RequestDeduplicator;
  readonly #lengths = new ListSizeCache();
  readonly #tellOthers: UpstreamOptions['broadcast'];
  /** Reads that no client waits for. */
  readonly #renewals = new Set<Waiter>();
  /** Names of reads that nobody waited for and that failed a short while ago. */
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: pauseAfterFailure });

  constructor(rest: RestClient, { retries, broadcast: tellOthers, ...options }: UpstreamOptions) {
    this.#rest = rest;
    this.#flights = new RequestDeduplicator(retries);
    this.listCache = new ListCache(options);
    this.#tellOthers = tellOthers;
  }

  /** A range of a catalog as the caller has read it a short while ago; what is getting old of it is read anew meanwhile. */
  cachedRange(caller: Caller, endpoint: EndpointName, range: Range): ListPage | undefined {
    const kept = this.listCache.page(caller, endpoint, range);
    for (const { offset, limit } of kept?.stale ?? []) this.#renew(caller, endpoint, { query: { limit, offset } });
    return kept?.page;
  }

  /** How long the list was when the caller last read it. */
  lengthOf(caller: Caller, endpoint: EndpointName): number | undefined {
    return this.#lengths.get(caller, endpoint);
  }

  /** How long the list may be, where the caller has not read it yet. */
  guessLength(endpoint: EndpointName): number | undefined {
    return this.#lengths.guess(endpoint);
  }

  /** The way of a read to its answer: it may be under way for another request of the caller. */
  routeOf(caller: Caller, endpoint: EndpointName, subject: Subject): Route {
    const path = this.#rest.pathOf(endpoint, subject);
    return { caller, endpoint, subject, path, name: `${caller.digest} ${path}` };
  }

  /** An equal read that the caller has under way. */
  inFlight({ name }: Route): InFlightRequest | undefined {
    return this.#flights.get(name);
  }

  /** One call of the service, and those that follow where it fails for a while only. */
  start(
    { caller, endpoint, subject, path, name }: Route,
    client: Waiting,
    reason: CallReason,
    observer?: CallObserver,
  ): Waiter {
    let attempt = reason;
    let begin = 0;
    const departure: InFlightOptions = {
      isById: subject.id !== undefined,
      key: caller.headers.authorization,
      observer,
      send: (receiver) => {
        begin = this.calls.begin();
        return this.#rest.read(endpoint, path, caller, receiver);
      },
      withheld: ({ code }) => this.calls.withdraw(endpoint, code),
      ended: (status) => {
        this.calls.end(endpoint, attempt, status, begin);
        attempt = 'retry';
      },
      heard: (body, content) => {
        if (!content.isExamined) this.drift.sample(endpoint, body);
        content.isExamined = true;
      },
      landed: (body, content) => {
        const range = wholeListRange(subject);
        const page = range && listPageOf(body);
        if (!page) return;
        this.listCache.keep(caller, endpoint, range, page, content);
        this.#lengths.learn(caller, endpoint, range, page);
      },
      crashed: (error) => this.#heed(caller, error),
    };
    return this.#flights.start(name, departure, client);
  }

  /** One call of the service. What the caller has read until its answer comes is shared with nobody after it. */
  async write(caller: Caller, endpoint: EndpointName, input: WriteInput): Promise<Json> {
    // Nobody waits for the other processes here: until the write is answered, the old state may be shown as well as the
    // new one, and what they read of the old one meanwhile they forget with the answer.
    this.#forgetEverywhere(caller, endpoint);
    let withheld: NotSentError | undefined;
    const begin = this.calls.begin();
    let status: number | undefined;
    const onStatus = (answered: number) => {
      status = answered;
      input.onStatus?.(answered);
    };
    try {
      const answer = await this.#rest.write(endpoint, caller, { ...input, onStatus });
      this.drift.examine(endpoint, answer);
      return answer;
    } catch (error) {
      if (error instanceof NotSentError) withheld = error;
      this.#heed(caller, error);
      throw error;
    } finally {
      if (withheld) this.calls.withdraw(endpoint, withheld.code);
      else this.calls.end(endpoint, 'write', status, begin);
      // Whoever has the answer may ask another process next.
      await this.#forgetEverywhere(caller, endpoint);
    }
  }

  /** A write that was made some time ago, perhaps by a gateway elsewhere, has its answer now. */
  async replayed(caller: Caller, endpoint: EndpointName): Promise<void> {
    await this.#forgetEverywhere(caller, endpoint);
  }

  /** A key has made a write, here or in another process; without an operation, the service no longer answers the key. */
  invalidate(keyDigest: string, endpoint?: EndpointName): void {
    if (!endpoint) {
      this.listCache.drop(keyDigest);
      return;
    }
    this.#flights.closeTo(keyDigest);
    this.listCache.invalidate(keyDigest, endpoint);
  }

  /** Gives up the reads that no client waits for. */
  close(): void {
    for (const seat of this.#renewals) seat.leave(new Error('The gateway is closing.'));
  }

  #renew(caller: Caller, endpoint: EndpointName, subject: Subject): void {
    const route = this.routeOf(caller, endpoint, subject);
    if (this.#flights.get(route.name) || this.#failed.has(route.name)) return;
    const seat = this.start(route, renewal, 'renewal');
    this.#renewals.add(seat);
    seat.answer
      // Nobody waits for this one, so nobody needs to know.
      .catch(() => this.#failed.set(route.name, true))
      .finally(() => this.#renewals.delete(seat));
  }

  #heed(caller: Caller, error: unknown): void {
    if (error instanceof UpstreamError && error.code === 'UNAUTHENTICATED') this.#forgetEverywhere(caller);
  }

  #forgetEverywhere({ keyDigest }: Caller, endpoint?: EndpointName): Promise<void> | undefined {
    this.invalidate(keyDigest, endpoint);
    return this.#tellOthers?.(keyDigest, endpoint);
  }
}

/** Undefined where the read is not one of a whole list: what a filter chooses is not remembered. */
function wholeListRange({ query = {} }: Subject): Range | undefined {
  const { offset, limit } = query;
  if (Object.keys(query).length !== 2 || typeof offset !== 'number' || typeof limit !== 'number') return undefined;
  return { offset, limit };
}
