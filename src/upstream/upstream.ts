import { LRUCache } from 'lru-cache';
import type { Json } from '../lib/json.ts';
import { Calls, type Rung } from './call-counts.ts';
import type { Caller } from './caller.ts';
import type { RestClient, Subject, WriteInput } from './client.ts';
import { Drift } from './contract-drift.ts';
import { Flights } from './dedupe.ts';
import type { Operation } from './endpoints.ts';
import { RestError, Withheld } from './errors.ts';
import type { CallObserver, Client, Departure, Flight, Seat } from './in-flight-request.ts';
import { type CatalogOptions, Catalogs } from './list-cache.ts';
import { type ListPage, listPageOf, type Range } from './list-page.ts';
import { Lengths } from './list-size-cache.ts';
import type { RetryOptions } from './retry.ts';

/** Milliseconds. Every query in the second life of a page would be another call to a service that is down. */
const pauseAfterFailure = 5_000;

/** Waits for a read that no client waits for: not for a second attempt. */
const renewal: Client = { due: Number.POSITIVE_INFINITY, takesRetry: () => false };

export interface ReadsOptions extends CatalogOptions {
  retries: RetryOptions;
  /** Has other processes, which serve the same callers, `forget` the same. Resolves when they have. */
  tellOthers?: ((keyDigest: string, operation?: Operation) => Promise<void>) | undefined;
}

/** A read by its name: two of the same name have the same answer. */
export interface Route {
  caller: Caller;
  operation: Operation;
  subject: Subject;
  path: string;
  name: string;
}

/** The way to the service for all requests of all callers, and what the requests of one caller share on it. */
export class Reads {
  readonly calls = new Calls();
  readonly drift = new Drift();
  readonly catalogs: Catalogs;
  readonly #rest: RestClient;
  readonly #flights: Flights;
  readonly #lengths = new Lengths();
  readonly #tellOthers: ReadsOptions['tellOthers'];
  /** Reads that no client waits for. */
  readonly #renewals = new Set<Seat>();
  /** Names of reads that nobody waited for and that failed a short while ago. */
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: pauseAfterFailure });

  constructor(rest: RestClient, { retries, tellOthers, ...options }: ReadsOptions) {
    this.#rest = rest;
    this.#flights = new Flights(retries);
    this.catalogs = new Catalogs(options);
    this.#tellOthers = tellOthers;
  }

  /** A range of a catalog as the caller has read it a short while ago; what is getting old of it is read anew meanwhile. */
  kept(caller: Caller, operation: Operation, range: Range): ListPage | undefined {
    const kept = this.catalogs.page(caller, operation, range);
    for (const { offset, limit } of kept?.stale ?? []) this.#renew(caller, operation, { query: { limit, offset } });
    return kept?.page;
  }

  /** How long the list was when the caller last read it. */
  lengthOf(caller: Caller, operation: Operation): number | undefined {
    return this.#lengths.get(caller, operation);
  }

  /** How long the list may be, where the caller has not read it yet. */
  guessLength(operation: Operation): number | undefined {
    return this.#lengths.guess(operation);
  }

  /** The way of a read to its answer: it may be under way for another request of the caller. */
  routeOf(caller: Caller, operation: Operation, subject: Subject): Route {
    const path = this.#rest.pathOf(operation, subject);
    return { caller, operation, subject, path, name: `${caller.digest} ${path}` };
  }

  /** An equal read that the caller has under way. */
  underWay({ name }: Route): Flight | undefined {
    return this.#flights.get(name);
  }

  /** One call of the service, and those that follow where it fails for a while only. */
  start({ caller, operation, subject, path, name }: Route, client: Client, rung: Rung, observer?: CallObserver): Seat {
    let attempt = rung;
    let begin = 0;
    const departure: Departure = {
      isById: subject.id !== undefined,
      key: caller.headers.authorization,
      observer,
      send: (receiver) => {
        begin = this.calls.begin();
        return this.#rest.read(operation, path, caller, receiver);
      },
      withheld: ({ code }) => this.calls.withdraw(operation, code),
      ended: (status) => {
        this.calls.end(operation, attempt, status, begin);
        attempt = 'retry';
      },
      heard: (body, content) => {
        if (!content.isExamined) this.drift.sample(operation, body);
        content.isExamined = true;
      },
      landed: (body, content) => {
        const range = wholeListRange(subject);
        const page = range && listPageOf(body);
        if (!page) return;
        this.catalogs.keep(caller, operation, range, page, content);
        this.#lengths.learn(caller, operation, range, page);
      },
      crashed: (error) => this.#heed(caller, error),
    };
    return this.#flights.start(name, departure, client);
  }

  /** One call of the service. What the caller has read until its answer comes is shared with nobody after it. */
  async write(caller: Caller, operation: Operation, input: WriteInput): Promise<Json> {
    // Nobody waits for the other processes here: until the write is answered, the old state may be shown as well as the
    // new one, and what they read of the old one meanwhile they forget with the answer.
    this.#forgetEverywhere(caller, operation);
    let withheld: Withheld | undefined;
    const begin = this.calls.begin();
    let status: number | undefined;
    const onStatus = (answered: number) => {
      status = answered;
      input.onStatus?.(answered);
    };
    try {
      const answer = await this.#rest.write(operation, caller, { ...input, onStatus });
      this.drift.examine(operation, answer);
      return answer;
    } catch (error) {
      if (error instanceof Withheld) withheld = error;
      this.#heed(caller, error);
      throw error;
    } finally {
      if (withheld) this.calls.withdraw(operation, withheld.code);
      else this.calls.end(operation, 'write', status, begin);
      // Whoever has the answer may ask another process next.
      await this.#forgetEverywhere(caller, operation);
    }
  }

  /** A write that was made some time ago, perhaps by a gateway elsewhere, has its answer now. */
  async replayed(caller: Caller, operation: Operation): Promise<void> {
    await this.#forgetEverywhere(caller, operation);
  }

  /** A key has made a write, here or in another process; without an operation, the service no longer answers the key. */
  forget(keyDigest: string, operation?: Operation): void {
    if (!operation) {
      this.catalogs.drop(keyDigest);
      return;
    }
    this.#flights.closeTo(keyDigest);
    this.catalogs.dropChanged(keyDigest, operation);
  }

  /** Gives up the reads that no client waits for. */
  close(): void {
    for (const seat of this.#renewals) seat.leave(new Error('The gateway is closing.'));
  }

  #renew(caller: Caller, operation: Operation, subject: Subject): void {
    const route = this.routeOf(caller, operation, subject);
    if (this.#flights.get(route.name) || this.#failed.has(route.name)) return;
    const seat = this.start(route, renewal, 'renewal');
    this.#renewals.add(seat);
    seat.answer
      // Nobody waits for this one, so nobody needs to know.
      .catch(() => this.#failed.set(route.name, true))
      .finally(() => this.#renewals.delete(seat));
  }

  #heed(caller: Caller, error: unknown): void {
    if (error instanceof RestError && error.code === 'UNAUTHENTICATED') this.#forgetEverywhere(caller);
  }

  #forgetEverywhere({ keyDigest }: Caller, operation?: Operation): Promise<void> | undefined {
    this.forget(keyDigest, operation);
    return this.#tellOthers?.(keyDigest, operation);
  }
}

/** Undefined where the read is not one of a whole list: what a filter chooses is not remembered. */
function wholeListRange({ query = {} }: Subject): Range | undefined {
  const { offset, limit } = query;
  if (Object.keys(query).length !== 2 || typeof offset !== 'number' || typeof limit !== 'number') return undefined;
  return { offset, limit };
}
