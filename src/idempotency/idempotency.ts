import { createHash, hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Upload } from 'graphql-upload-minimal';
import type { Logger } from 'pino';
import { codedError } from '../graphql/errors/codes.ts';
import { isObject, type Json } from '../lib/json.ts';
import { counter } from '../lib/metrics.ts';
import type { Caller } from '../upstream/caller.ts';
import type { WriteInput } from '../upstream/client.ts';
import { lostWrite, type Outcome, outcomeOf, stillUnderWay, toError } from './outcome.ts';
import type { RecordStore } from './record-store.ts';

/** Milliseconds after which a write of which nothing is heard has gone down with its process. */
const lease = 10_000;
const shortestPause = 10;
const longestPause = 250;

/** Milliseconds before each attempt to take a claim back. */
const withdrawals = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** What is written down of a write. While it is under way, until when it may be taken for that. */
type WriteRecord = { underWayUntil: number; token: string } | Outcome;

/** What a client sends in the body of a request. */
interface GraphQLBody {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/**
 * Writes that are made at most once (draft-ietf-httpapi-idempotency-key-header): a client that has lost an answer sends
 * its request again with the same Idempotency-Key, and gets the answer of the first one.
 */
export class Idempotency {
  /** `conflict`: requests that were refused because of their key; `unavailable`: because the store failed. */
  readonly writes = counter('idempotent_writes_total', 'Writes with an Idempotency-Key by their result.', ['result']);
  readonly #store: RecordStore;
  readonly #logger: Logger;
  readonly #serviceName: string;
  /** Writes whose outcome is not kept yet. */
  readonly #underWay = new Set<Promise<unknown>>();

  /** `serviceName`: what was written to one service says nothing of another one with the same store. */
  constructor(store: RecordStore, logger: Logger, serviceName: string) {
    this.#store = store;
    this.#logger = logger;
    this.#serviceName = serviceName;
    // A scrape shows a result from the start, so that its first occurrence is a change.
    for (const result of ['sent', 'replayed', 'conflict', 'unavailable']) this.writes.inc({ result }, 0);
  }

  /**
   * The writes of one request. Keys of different callers have nothing in common.
   * @throws BAD_REQUEST (400) for a key that is empty, longer than 255 characters, or not printable ASCII.
   */
  request(caller: Caller, key: string, body: unknown): IdempotentWrites {
    if (!/^[ -~]{1,255}$/.test(key)) {
      const message = 'Idempotency-Key must be 1 to 255 printable characters.';
      throw codedError('BAD_REQUEST', message, { http: { status: 400 } });
    }
    return new IdempotentWrites(this, digestOf([this.#serviceName, caller.keyDigest, key]), () => {
      const { query, operationName, variables }: GraphQLBody = isObject(body) ? body : {};
      // The service may do something else for the same caller with other headers, such as those that name a tenant.
      return digestOf([caller.digest, query, operationName ?? null, variables ?? {}]);
    });
  }

  /** @throws UPSTREAM_UNAVAILABLE where the store fails. */
  async claim(id: string, text: string, http?: { status: number }): Promise<string | undefined> {
    try {
      return await this.#store.claim(id, text);
    } catch (error) {
      this.#logger.error({ err: error }, 'The store of idempotency keys cannot be used');
      // What nobody waited for any longer may be carried out all the same.
      void this.#withdraw(id, text);
      this.writes.inc({ result: 'unavailable' });
      const message = 'The store of idempotency keys cannot be used now; nothing was sent.';
      throw codedError('UPSTREAM_UNAVAILABLE', message, http && { http });
    }
  }

  /** Makes a write that has been claimed, and keeps its outcome. Rejects as `send` does. */
  execute(id: string, input: WriteInput, send: (input: WriteInput) => Promise<Json>): Promise<Json> {
    this.writes.inc({ result: 'sent' });
    const write = this.#carryOut(id, input, send);
    const over = write.then(
      () => {},
      () => {},
    );
    this.#underWay.add(over);
    over.then(() => this.#underWay.delete(over));
    return write;
  }

  async #carryOut(id: string, input: WriteInput, send: (input: WriteInput) => Promise<Json>): Promise<Json> {
    const content = input.file && createHash('sha256');
    const renewal = setInterval(() => this.#note(this.#store.set(id, underWay())), lease / 3);
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
      // Where this fails the write is taken for lost after a while: it is not made again, whatever has become of it.
      await this.#note(outcome ? this.#store.set(id, JSON.stringify(outcome)) : this.#store.remove(id));
    }
  }

  /** When the outcomes of all writes are kept. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#store.close();
  }

  async #note(done: Promise<void>): Promise<void> {
    await done.catch((error) => this.#logger.error({ err: error }, 'The outcome of a write could not be kept'));
  }

  async #withdraw(id: string, text: string): Promise<void> {
    for (const pauseMs of withdrawals) {
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
  /** Fields of Mutation whose write was made by an earlier request, by their name in the answer. */
  readonly replayed: string[] = [];
  readonly #idempotency: Idempotency;
  readonly #scope: string;
  readonly #fingerprintOf: () => string;
  #fingerprint = '';

  /** `scope`: who asks, and under which key. `fingerprintOf`: of what is asked, once it is known to be fit for a digest. */
  constructor(idempotency: Idempotency, scope: string, fingerprintOf: () => string) {
    this.#idempotency = idempotency;
    this.#scope = scope;
    this.#fingerprintOf = fingerprintOf;
  }

  /**
   * To be called before any write.
   * @throws BAD_REQUEST (400) for variables that are nested too deep to be compared;
   * IDEMPOTENCY_CONFLICT (422) where the key has come with another operation or other variables;
   * UPSTREAM_UNAVAILABLE (503) where the store fails.
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
   * The answer to a write, from the service or from what an earlier request was answered. One that is under way is waited
   * for. What the service has not seen, or asks to be sent later, may be sent again.
   * @throws what `send` throws, or has thrown for an earlier request; OUTCOME_UNKNOWN where that one has got no answer;
   * UPSTREAM_TIMEOUT where it takes longer than this one may wait.
   */
  async write(
    field: string,
    input: WriteInput,
    { send, isOver }: { send: (input: WriteInput) => Promise<Json>; isOver: () => boolean },
  ): Promise<Json> {
    const id = digestOf([this.#scope, this.#fingerprint, field]);
    for (let pauseMs = shortestPause; ; pauseMs = Math.min(2 * pauseMs, longestPause)) {
      const before = await this.#idempotency.claim(id, underWay());
      if (before === undefined) return this.#idempotency.execute(id, input, send);
      const record = JSON.parse(before) as WriteRecord;
      if (!('underWayUntil' in record)) {
        this.replayed.push(field);
        this.#idempotency.writes.inc({ result: 'replayed' });
        return replay(record, input);
      }
      if (record.underWayUntil < Date.now()) throw lostWrite();
      if (isOver()) throw stillUnderWay();
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

function underWay(): string {
  return JSON.stringify({ underWayUntil: Date.now() + lease, token: randomUUID() } satisfies WriteRecord);
}

/** The order of an object's keys says nothing, and files are compared by their content, later. */
function digestOf(value: unknown): string {
  return hash('sha256', textOf(value), 'base64url');
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, part: unknown) => {
      if (part instanceof Upload) return 'a file';
      if (!isObject(part) || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
    });
  } catch (error) {
    // Deeper than the stack: nothing that a variable may be, but variables that no operation declares can be anything.
    if (error instanceof RangeError) {
      throw codedError('BAD_REQUEST', 'The variables are nested too deep.', { http: { status: 400 } });
    }
    throw error;
  }
}
