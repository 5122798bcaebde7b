import { LRUCache } from 'lru-cache';
import type { CallInput, RestClient } from '../rest/client.ts';
import type { Operation } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import { type ListPage, listPageOf, type Range } from '../rest/list-page.ts';
import type { Caller } from './caller.ts';
import { type CatalogOptions, Catalogs } from './catalogs.ts';
import { Flights } from './flights.ts';
import { Lengths } from './lengths.ts';

/** Beside its operation and its caller, what names a read: two that have all of it in common have the same answer. */
export type ReadInput = Pick<CallInput, 'id' | 'query'>;

/** Milliseconds. Every query in the second life of a page would be another call to a service that is down. */
const pauseAfterFailure = 5_000;

/** The way to the service for all requests of all callers, and what the requests of one caller share on it. */
export class Reads {
  readonly #rest: RestClient;
  readonly #flights = new Flights();
  readonly #catalogs: Catalogs;
  readonly #lengths = new Lengths();
  readonly #closing = new AbortController();
  /** Names of reads that nobody waited for and that failed a short while ago. */
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: pauseAfterFailure });

  constructor(rest: RestClient, options: CatalogOptions) {
    this.#rest = rest;
    this.#catalogs = new Catalogs(options);
  }

  /** A range of a catalog as the caller has read it a short while ago; what is getting old of it is read anew meanwhile. */
  kept(caller: Caller, operation: Operation, range: Range): ListPage | undefined {
    const kept = this.#catalogs.page(caller, operation, range);
    for (const { offset, limit } of kept?.stale ?? []) this.#renew(caller, operation, { query: { limit, offset } });
    return kept?.page;
  }

  /** How long the list was when the caller last read it. */
  lengthOf(caller: Caller, operation: Operation): number | undefined {
    return this.#lengths.get(caller, operation);
  }

  /** The answer of an equal read that the caller has under way. */
  joined(caller: Caller, operation: Operation, input: ReadInput, signal?: AbortSignal): Promise<Json> | undefined {
    return this.#flights.join(nameOf(caller, operation, input), signal);
  }

  /** One call of the service. */
  async fetch(
    caller: Caller,
    operation: Operation,
    input: ReadInput,
    { signal, onStatus }: Pick<CallInput, 'signal' | 'onStatus'> = {},
  ): Promise<Json> {
    const landed = (answer: Json) => {
      const range = wholeListRange(input);
      const page = range && listPageOf(answer);
      if (!page) return;
      this.#catalogs.keep(caller, operation, range, page);
      this.#lengths.learn(caller, operation, range, page);
    };
    const call = async (shared: AbortSignal) => {
      const options = { ...input, signal: shared, ...(onStatus && { onStatus }) };
      return (await this.#rest.call(operation, caller.headers, options)) as Json;
    };
    return this.#heeded(caller, this.#flights.start(nameOf(caller, operation, input), call, { signal, landed }));
  }

  /** One call of the service. What the caller has read until its answer comes is shared with nobody after it. */
  async write(caller: Caller, operation: Operation, input: CallInput): Promise<Json> {
    this.#forgetReads(caller, operation);
    try {
      return await this.#heeded(caller, this.#rest.call(operation, caller.headers, input) as Promise<Json>);
    } finally {
      this.#forgetReads(caller, operation);
    }
  }

  /** Gives up the reads that no client waits for. */
  close(): void {
    this.#closing.abort();
  }

  #renew(caller: Caller, operation: Operation, input: ReadInput): void {
    const name = nameOf(caller, operation, input);
    if (this.#flights.has(name) || this.#failed.has(name)) return;
    // Nobody waits for this one, so nobody needs to know.
    this.fetch(caller, operation, input, { signal: this.#closing.signal }).catch(() => this.#failed.set(name, true));
  }

  async #heeded(caller: Caller, answer: Promise<Json>): Promise<Json> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof RestError && error.code === 'UNAUTHENTICATED') this.#catalogs.drop(caller.keyDigest);
      throw error;
    }
  }

  #forgetReads({ keyDigest }: Caller, operation: Operation): void {
    this.#flights.closeTo(keyDigest);
    this.#catalogs.dropChanged(keyDigest, operation);
  }
}

/** Undefined where the read is not one of a whole list: what a filter chooses is not remembered. */
function wholeListRange({ query = {} }: ReadInput): Range | undefined {
  const { offset, limit } = query;
  if (Object.keys(query).length !== 2 || typeof offset !== 'number' || typeof limit !== 'number') return undefined;
  return { offset, limit };
}

function nameOf({ digest }: Caller, operation: Operation, { id, query }: ReadInput): string {
  return `${digest} ${JSON.stringify([operation, id, query])}`;
}
