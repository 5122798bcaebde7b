import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { codedError } from '../graphql/errors/codes.ts';
import { isObject, type Json } from '../lib/json.ts';
import { counter } from '../lib/metrics.ts';
import type { Caller } from '../upstream/caller.ts';
import type { WriteInput } from '../upstream/request.ts';
import { digestOf } from './digest.ts';
import { inProgress, lostWrite, type Outcome, outcomeOf, toError } from './outcome.ts';
import type { RecordStore } from './record-store.ts';

/** A process renews the lease of a write while it waits for the service. A lease that has expired is of a process that has ended. */
const leaseMs = 10_000;
const shortestPauseMs = 10;
const longestPauseMs = 250;

/** Before each attempt to withdraw a claim. */
const withdrawalPausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** The stored record of a write: a lease, in milliseconds since 1970, or the outcome. */
type WriteRecord = { underWayUntil: number; token: string } | Outcome;

/** The parts of a request's body that make two requests equal. */
interface GraphQLBody {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/**
 * Makes writes at most once (draft-ietf-httpapi-idempotency-key-header). A client that has lost an answer sends its request
 * again with the same Idempotency-Key, and gets the first answer.
 */
export class Idempotency {
  /** `conflict`: requests that were refused because of their key; `unavailable`: because the store failed. */
  readonly writes = counter('idempotent_writes_total', 'Writes with an Idempotency-Key by their result.', ['result']);
  readonly #store: RecordStore;
  readonly #logger: Logger;
  readonly #serviceName: string;
  /** Writes whose outcome is not stored yet. */
  readonly #unfinished = new Set<Promise<unknown>>();

  /** `serviceName` separates the records of several services in one store. */
  constructor(store: RecordStore, logger: Logger, serviceName: string) {
    this.#store = store;
    this.#logger = logger;
    this.#serviceName = serviceName;
    // A scrape shows a result from the start, so that its first occurrence is a change.
    for (const result of ['sent', 'replayed', 'conflict', 'unavailable']) this.writes.inc({ result }, 0);
  }

  /**
   * The writes of one request. Equal keys of different callers are different keys.
   * @throws BAD_REQUEST (400) for a key that is empty, longer than 255 characters, or not printable ASCII.
   */
  request(caller: Caller, key: string, body: unknown): IdempotentWrites {
    if (!/^[ -~]{1,255}$/.test(key)) {
      const message = 'Idempotency-Key must be 1 to 255 printable characters.';
      throw codedError('BAD_REQUEST', message, { http: { status: 400 } });
    }
    return new IdempotentWrites(this, digestOf([this.#serviceName, caller.keyDigest, key]), () => {
      const { query, operationName, variables }: GraphQLBody = isObject(body) ? body : {};
      // With other headers, such as a tenant's name, the service may write something else.
      return digestOf([caller.digest, query, operationName ?? null, variables ?? {}]);
    });
  }

  /** @throws UPSTREAM_UNAVAILABLE where the store fails. */
  async claim(id: string, text: string, http?: { status: number }): Promise<string | undefined> {
    try {
      return await this.#store.claim(id, text);
    } catch (error) {
      this.#logger.error({ err: error }, 'The store of idempotency keys cannot be used');
      // The store may execute the claim after it has failed for us.
      void this.#withdraw(id, text);
      this.writes.inc({ result: 'unavailable' });
      const message = 'The store of idempotency keys cannot be used now; nothing was sent.';
      throw codedError('UPSTREAM_UNAVAILABLE', message, http && { http });
    }
  }

  /** Sends a write that has been claimed, and stores its outcome. Rejects as `send` does. */
  execute(id: string, input: WriteInput, send: (input: WriteInput) => Promise<Json>): Promise<Json> {
    this.writes.inc({ result: 'sent' });
    const write = this.#sendAndStore(id, input, send);
    const settled = write.then(
      () => {},
      () => {},
    );
    this.#unfinished.add(settled);
    settled.then(() => this.#unfinished.delete(settled));
    return write;
  }

  async #sendAndStore(id: string, input: WriteInput, send: (input: WriteInput) => Promise<Json>): Promise<Json> {
    const content = input.file && createHash('sha256');
    const renewal = setInterval(() => this.#logFailure(this.#store.set(id, newLease())), leaseMs / 3);
    let outcome: Outcome | undefined;
    try {
      const answer = await send(content && input.file ? { ...input, file: { ...input.file, content } } : input);
      outcome = { answer, ...(content && { file: content.digest('base64url') }) };
      return answer;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      clearInterval(renewal);
      // Where this fails, the lease expires and the write counts as lost: no request makes it again.
      await this.#logFailure(outcome ? this.#store.set(id, JSON.stringify(outcome)) : this.#store.remove(id));
    }
  }

  /** Resolves when the outcomes of all writes are stored. */
  async close(): Promise<void> {
    await Promise.all(this.#unfinished);
    await this.#store.close();
  }

  async #logFailure(stored: Promise<void>): Promise<void> {
    await stored.catch((error) => this.#logger.error({ err: error }, 'The outcome of a write could not be kept'));
  }

  async #withdraw(id: string, text: string): Promise<void> {
    for (const pauseMs of withdrawalPausesMs) {
      await pause(pauseMs, undefined, { ref: false });
      const isDone = await this.#store.remove(id, text).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }
}

/** The writes of one request that has an Idempotency-Key. */
export class IdempotentWrites {
  /** Fields of Mutation whose write an earlier request has made, by their name in the answer. */
  readonly replayed: string[] = [];
  readonly #idempotency: Idempotency;
  readonly #scope: string;
  readonly #fingerprintOf: () => string;
  #fingerprint = '';

  /** `scope`: a digest of the caller and the key. `fingerprintOf`: makes a digest of the operation. */
  constructor(idempotency: Idempotency, scope: string, fingerprintOf: () => string) {
    this.#idempotency = idempotency;
    this.#scope = scope;
    this.#fingerprintOf = fingerprintOf;
  }

  /**
   * Call this before any write.
   * @throws BAD_REQUEST (400) for variables that are nested too deep.
   * @throws IDEMPOTENCY_CONFLICT (422) where the key has come with another operation or other variables.
   * @throws UPSTREAM_UNAVAILABLE (503) where the store fails.
   */
  async admit(): Promise<void> {
    this.#fingerprint = this.#fingerprintOf();
    const before = await this.#idempotency.claim(this.#scope, this.#fingerprint, { status: 503 });
    if (before === undefined || before === this.#fingerprint) return;
    this.#idempotency.writes.inc({ result: 'conflict' });
    const message = 'The Idempotency-Key was used with another operation or other variables: make a new one.';
    throw codedError('IDEMPOTENCY_CONFLICT', message, { http: { status: 422 } });
  }

  /**
   * The answer to a write, from the service or from the record of an earlier request. Waits for an equal write in progress.
   * Sends a write again that the service has not seen, or wants to be sent later.
   * @throws UpstreamError that `send` throws, or has thrown for an earlier request.
   * @throws OUTCOME_UNKNOWN where an earlier request has got no answer.
   * @throws UPSTREAM_TIMEOUT where an equal write takes longer than this request may wait.
   */
  async write(
    field: string,
    input: WriteInput,
    { send, isOver }: { send: (input: WriteInput) => Promise<Json>; isOver: () => boolean },
  ): Promise<Json> {
    const id = digestOf([this.#scope, this.#fingerprint, field]);
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const before = await this.#idempotency.claim(id, newLease());
      if (before === undefined) return this.#idempotency.execute(id, input, send);
      const record = JSON.parse(before) as WriteRecord;
      if (!('underWayUntil' in record)) {
        this.replayed.push(field);
        this.#idempotency.writes.inc({ result: 'replayed' });
        return replay(record, input);
      }
      if (record.underWayUntil < Date.now()) throw lostWrite();
      if (isOver()) throw inProgress();
      await pause(pauseMs);
    }
  }
}

/** @throws IDEMPOTENCY_CONFLICT where the file is another one than before. */
async function replay(outcome: Outcome, { file }: WriteInput): Promise<Json> {
  if (!('answer' in outcome)) throw toError(outcome);
  if (file) {
    const content = createHash('sha256');
    for await (const chunk of file.stream) content.update(chunk);
    if (content.digest('base64url') !== outcome.file) {
      throw codedError('IDEMPOTENCY_CONFLICT', 'The Idempotency-Key was used with another file: make a new one.');
    }
  }
  return outcome.answer;
}

function newLease(): string {
  return JSON.stringify({ underWayUntil: Date.now() + leaseMs, token: randomUUID() } satisfies WriteRecord);
}
