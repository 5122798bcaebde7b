import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  codedError,
  counter,
  type ErrorCode,
  HangGuard,
  type Json,
  onceAMinute,
  type RecordedInput,
  withResolvers,
} from '@gateway/base';
import type { Logger } from 'pino';
import { type Lease, type Outcome, outcomeOf, recordOf } from './outcome.ts';
import type { Claim, RecordStore, Write } from './record-store.ts';

/** A process renews the lease of a write while it waits for the service. A lease that has expired is of a process that has ended. */
const leaseMs = 10_000;

/** Before each attempt to store an outcome that the store did not take. */
const storePauseMs = 500;

/** The outcome of a write that the store has not taken; undefined for a write that may be sent again. */
interface Unstored {
  text: string | undefined;
  store(): Promise<unknown>;
}

/**
 * Makes writes at most once (draft-ietf-httpapi-idempotency-key-header). A client that has lost an answer sends its request
 * again with the same Idempotency-Key, and gets the first answer.
 */
export class Idempotency {
  /** Refused because of their key: `conflict`. Because of the store: `unavailable`, or `full`. */
  readonly writes = counter('idempotent_writes_total', 'Writes with an Idempotency-Key by their result.', ['result']);
  readonly #store: RecordStore;
  readonly #guard: HangGuard;
  readonly #logger: Logger;
  /** Writes whose outcome is not stored yet. */
  readonly #unfinished = new Set<Promise<void>>();
  /** Outcomes that the store has not taken. No new write is claimed meanwhile. */
  readonly #unstored = new Map<Write, Unstored>();
  readonly #logUnusable: (error: unknown) => void;
  #isClosed = false;

  /** `timeoutMs`: the longest wait for the store. */
  constructor(store: RecordStore, { timeoutMs }: { timeoutMs: number }, logger: Logger) {
    this.#store = store;
    const onHangs = () =>
      logger.error('The store of idempotency keys does not answer: writes with a key are refused until it does');
    const onAnswers = () => logger.info('The store of idempotency keys answers again');
    this.#guard = new HangGuard({ ping: () => store.ping(), onHangs, onAnswers }, () => timeoutMs);
    this.#logger = logger;
    this.#logUnusable = onceAMinute((err) => logger.error({ err }, 'The store of idempotency keys cannot be used'));
    // A scrape shows a result from the start, so that its first occurrence is a change.
    for (const result of ['sent', 'replayed', 'conflict', 'unavailable', 'full']) this.writes.inc({ result }, 0);
  }

  /**
   * The record of an equal request; undefined where there is none, and the write is claimed.
   * @throws IDEMPOTENCY_CONFLICT (422) where the key has come with another operation or other variables.
   * @throws UPSTREAM_UNAVAILABLE (503) where the store fails or hangs.
   * @throws OVERLOADED (503) where the store is full.
   */
  async claim(write: Write, token: string): Promise<Lease | Outcome | undefined> {
    const claim = await this.#claim(write, token);
    switch (claim.is) {
      case 'granted':
        return undefined;
      case 'found':
        return recordOf(claim.text);
      case 'of another request':
        throw this.#refuse(
          'conflict',
          'IDEMPOTENCY_CONFLICT',
          'The idempotency key came before with another input, operation or forwarded header (FORWARD_HEADERS). A new action needs a new key.',
        );
      case 'unsafe':
        throw this.#unavailable(`: ${claim.reason}`);
      case 'refused':
        throw this.#refuse(
          'full',
          'OVERLOADED',
          `The gateway stores no more keys (idempotency.${claim.setting}); nothing was sent.`,
        );
    }
  }

  async #claim(write: Write, token: string): Promise<Claim> {
    for (const [{ key, field, request }, { text }] of this.#unstored) {
      if (key !== write.key) continue;
      if (request !== write.request) return { is: 'of another request' };
      if (field === write.field && text !== undefined) return { is: 'found', text };
    }
    if (this.#hangs || this.#unstored.size > 0) throw this.#unavailable();
    try {
      // A thread that takes long to start is no disk that hangs.
      await this.#store.start?.();
      return await this.#guard.inTime(this.#store.claim(write, newLease(token)));
    } catch (error) {
      this.#logUnusable(error);
      // The store may grant the claim after it has failed for us.
      void this.release(write, token);
      throw this.#unavailable();
    }
  }

  /** Gives a claim back, so that the next request with the key can make the write. */
  release(write: Write, token: string): Promise<void> {
    return this.#finish(write, token, undefined);
  }

  /** Sends a write that has been claimed, and stores its outcome. Rejects as `send` does. */
  async execute<Input extends RecordedInput>(
    write: Write,
    token: string,
    input: Input,
    send: (input: Input) => Promise<Json>,
  ): Promise<Json> {
    this.writes.inc({ result: 'sent' });
    const { promise: finished, resolve: finish } = withResolvers<void>();
    this.#unfinished.add(finished);
    const content = input.file && createHash('sha256');
    const logFailure = (err: unknown) => this.#logger.error({ err }, 'The lease of a write could not be renewed');
    const renew = () => this.#store.set(write, newLease(token), token).catch(logFailure);
    const renewal = setInterval(renew, leaseMs / 3);
    let outcome: Outcome | undefined;
    try {
      const answer = await send(content && input.file ? { ...input, file: { ...input.file, content } } : input);
      outcome = { answer };
      return answer;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      clearInterval(renewal);
      // The digest of a part would refuse the same file later.
      if (outcome && content && input.file?.stream.readableEnded) outcome.file = content.digest('base64url');
      await this.#finish(write, token, outcome);
      this.#unfinished.delete(finished);
      finish();
    }
  }

  /** An outcome that the store never takes counts as lost when the lease expires: no request makes the write again. */
  async #finish(write: Write, token: string, outcome: Outcome | undefined): Promise<void> {
    const text = outcome && JSON.stringify(outcome);
    const store = () => (text === undefined ? this.#store.remove(write, token) : this.#store.set(write, text));
    const stored = store().catch((error) => {
      this.#unstored.set(write, { text, store });
      if (this.#unstored.size === 1) void this.#storeAll(error);
    });
    // The client gets its answer though the store hangs.
    if (!this.#hangs) await this.#guard.inTime(stored).catch(() => {});
  }

  /** Resolves when the outcomes of all writes are stored. */
  async close(): Promise<void> {
    await Promise.all(this.#unfinished);
    this.#isClosed = true;
    await this.#guard.inTime(this.#storeOnce()).catch(() => {});
    this.#guard.close();
    await this.#store.close();
  }

  get #hangs(): boolean {
    return this.#guard.hangs || this.#store.isAvailable === false;
  }

  #unavailable(why = ''): Error {
    const message = `The store of idempotency keys cannot be used now${why}; nothing was sent.`;
    return this.#refuse('unavailable', 'UPSTREAM_UNAVAILABLE', message);
  }

  #refuse(result: 'conflict' | 'unavailable' | 'full', code: ErrorCode, message: string): Error {
    this.writes.inc({ result });
    return codedError(code, message, { http: { status: result === 'conflict' ? 422 : 503 } });
  }

  async #storeAll(err: unknown): Promise<void> {
    this.#logger.error(
      { err },
      'The store of idempotency keys takes no change: writes with a key are refused until it does',
    );
    while (this.#unstored.size > 0 && !this.#isClosed) {
      await pause(storePauseMs, undefined, { ref: false });
      await this.#storeOnce();
    }
    if (!this.#isClosed) this.#logger.info('The store of idempotency keys has taken all changes');
  }

  async #storeOnce(): Promise<void> {
    for (const [write, { store }] of this.#unstored) {
      await store().then(
        () => this.#unstored.delete(write),
        () => {},
      );
    }
  }
}

/** The text of a lease. */
function newLease(token: string): string {
  return `${token} ${Date.now() + leaseMs}`;
}
