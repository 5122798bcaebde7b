import { createHash, hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Upload } from 'graphql-upload-minimal';
import type { Logger } from 'pino';
import { codedError } from '../errors.ts';
import type { Caller } from '../reads/caller.ts';
import type { WriteInput } from '../rest/client.ts';
import { isObject, type Json } from '../rest/json.ts';
import { lostWrite, type Outcome, outcomeOf, told } from './outcome.ts';
import type { RecordStore } from './record-store.ts';

/** Milliseconds after which a write of which nothing is heard has gone down with its process. */
const lease = 10_000;
const shortestPause = 10;
const longestPause = 250;

/** What is written down of a write. While it is under way, until when it may be taken for that. */
type WriteRecord = { underWayUntil: number } | Outcome;

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
  readonly #store: RecordStore;
  readonly #logger: Logger;

  constructor(store: RecordStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /**
   * The writes of one request. Keys of different callers have nothing in common.
   * @throws BAD_REQUEST (400) for a key that is empty, longer than 255 characters, or not printable ASCII.
   */
  request(caller: Caller, key: string, body: unknown): OnceWriter {
    if (!/^[ -~]{1,255}$/.test(key)) {
      const message = 'Idempotency-Key must be 1 to 255 printable characters.';
      throw codedError('BAD_REQUEST', message, { http: { status: 400 } });
    }
    const { query, operationName, variables }: GraphQLBody = isObject(body) ? body : {};
    // The service may do something else for the same caller with other headers, such as those that name a tenant.
    const payload = [caller.digest, query, operationName ?? null, variables ?? {}];
    return new OnceWriter(this.#store, this.#logger, {
      scope: digestOf([caller.keyDigest, key]),
      fingerprint: digestOf(payload),
    });
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** The writes of one request that has an Idempotency-Key. */
export class OnceWriter {
  /** Fields of Mutation whose write was made by an earlier request, by their name in the answer. */
  readonly replayed: string[] = [];
  readonly #store: RecordStore;
  readonly #logger: Logger;
  readonly #scope: string;
  readonly #fingerprint: string;

  constructor(store: RecordStore, logger: Logger, { scope, fingerprint }: { scope: string; fingerprint: string }) {
    this.#store = store;
    this.#logger = logger;
    this.#scope = scope;
    this.#fingerprint = fingerprint;
  }

  /** @throws IDEMPOTENCY_CONFLICT (422) where the key has come with another operation or other variables. */
  async admit(): Promise<void> {
    const before = await this.#claim(this.#scope, this.#fingerprint);
    if (before === undefined || before === this.#fingerprint) return;
    const message = 'The Idempotency-Key was used with another operation or other variables: make a new one.';
    throw codedError('IDEMPOTENCY_CONFLICT', message, { http: { status: 422 } });
  }

  /**
   * The answer to a write, from the service or from what an earlier request was answered. One that is under way is waited
   * for. What the service has not seen, or asks to be sent later, may be sent again.
   * @throws what `send` throws, or has thrown for an earlier request; OUTCOME_UNKNOWN where that one has got no answer;
   * what `requireTime` throws while another one is waited for.
   */
  async write(
    field: string,
    input: WriteInput,
    { send, requireTime }: { send: (input: WriteInput) => Promise<Json>; requireTime: () => void },
  ): Promise<Json> {
    const id = digestOf([this.#scope, this.#fingerprint, field]);
    for (let pauseMs = shortestPause; ; pauseMs = Math.min(2 * pauseMs, longestPause)) {
      const before = await this.#claim(id, underWay());
      if (before === undefined) return this.#send(id, input, send);
      const record = JSON.parse(before) as WriteRecord;
      if (!('underWayUntil' in record)) {
        this.replayed.push(field);
        return replay(record, input);
      }
      if (record.underWayUntil < Date.now()) throw lostWrite();
      requireTime();
      await pause(pauseMs);
    }
  }

  async #send(id: string, input: WriteInput, send: (input: WriteInput) => Promise<Json>): Promise<Json> {
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

  async #claim(id: string, text: string): Promise<string | undefined> {
    try {
      return await this.#store.claim(id, text);
    } catch (error) {
      this.#logger.error({ err: error }, 'The store of idempotency keys cannot be used');
      const message = 'The store of idempotency keys cannot be used now; nothing was sent.';
      throw codedError('UPSTREAM_UNAVAILABLE', message);
    }
  }

  async #note(done: Promise<void>): Promise<void> {
    await done.catch((error) => this.#logger.error({ err: error }, 'The outcome of a write could not be kept'));
  }
}

/** @throws IDEMPOTENCY_CONFLICT where the file is another one than before. */
async function replay(outcome: Outcome, { file }: WriteInput): Promise<Json> {
  if (!('answer' in outcome)) throw told(outcome);
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
  return JSON.stringify({ underWayUntil: Date.now() + lease } satisfies WriteRecord);
}

/** The order of an object's keys says nothing, and files are compared by their content, later. */
function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Upload) return 'a file';
    if (!isObject(part) || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
  return hash('sha256', text, 'base64url');
}
