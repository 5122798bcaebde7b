import type { CallInput, RestClient } from '../rest/client.ts';
import type { Operation } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import type { Caller } from './caller.ts';
import { type CatalogOptions, Catalogs, pageOf } from './catalogs.ts';
import { Flights } from './flights.ts';
import { Lengths } from './lengths.ts';

/** What names a read: two with the same parts have the same answer. */
export type ReadInput = Pick<CallInput, 'id' | 'query'>;

/** The way to the service for all requests of all callers, and what the requests of one caller share on it. */
export class Reads {
  readonly #rest: RestClient;
  readonly #flights = new Flights();
  readonly #catalogs: Catalogs;
  readonly #lengths = new Lengths();

  constructor(rest: RestClient, options: CatalogOptions) {
    this.#rest = rest;
    this.#catalogs = new Catalogs(options);
  }

  /** A page of a catalog as the caller has read it a short while ago; one that is getting old is read anew meanwhile. */
  kept(caller: Caller, operation: Operation, { query }: ReadInput): Json | undefined {
    const page = pageOf(query);
    const kept = page && this.#catalogs.page(caller.digest, operation, page);
    for (const { offset, limit } of kept?.stale ?? []) {
      const again = { query: { limit, offset } };
      // Nobody waits for this one: what fails is tried again by whoever asks next.
      if (!this.#flights.has(nameOf(caller, operation, again)))
        this.fetch(caller, operation, again).catch(() => undefined);
    }
    return kept?.body;
  }

  /** How long the list was when the caller last read a full page of it. */
  lengthOf({ digest }: Caller, operation: Operation): number | undefined {
    return this.#lengths.get(digest, operation);
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
    const page = pageOf(input.query);
    const landed = (answer: Json) => {
      if (!page) return;
      this.#catalogs.keep(caller.digest, operation, page, answer);
      this.#lengths.learn(caller.digest, operation, page, answer);
    };
    const call = async (shared: AbortSignal) => {
      const options = { ...input, signal: shared, ...(onStatus && { onStatus }) };
      return (await this.#rest.call(operation, caller.headers, options)) as Json;
    };
    try {
      return await this.#flights.start(nameOf(caller, operation, input), call, { signal, landed });
    } catch (error) {
      if (error instanceof RestError && error.code === 'UNAUTHENTICATED') this.#catalogs.drop(caller.keyDigest);
      throw error;
    }
  }

  /** One call of the service. What the caller has read until its answer comes is shared with nobody after it. */
  async write(caller: Caller, operation: Operation, input: CallInput): Promise<Json> {
    this.#forgetReads(caller, operation);
    try {
      return (await this.#rest.call(operation, caller.headers, input)) as Json;
    } finally {
      this.#forgetReads(caller, operation);
    }
  }

  #forgetReads({ keyDigest }: Caller, operation: Operation): void {
    this.#flights.closeTo(keyDigest);
    this.#catalogs.dropChanged(keyDigest, operation);
  }
}

function nameOf({ digest }: Caller, operation: Operation, { id, query }: ReadInput): string {
  return `${digest} ${JSON.stringify([operation, id, query])}`;
}
