import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  codedError,
  type Json,
  type RecordedInput,
  UpstreamError,
  type WriteRecordStore,
  type WriteRecords,
  type WriteSteps,
} from '@gateway/base';
import { digestOf } from './digest.ts';
import type { Idempotency } from './idempotency.ts';
import type { Lease, Outcome } from './outcome.ts';
import type { Write } from './record-store.ts';

const shortestPauseMs = 10;
const longestPauseMs = 250;

const stillUnderWay = 'An equal request is still under way: send this one again under the same key.';
const lostOutcome =
  'A request with this Idempotency-Key began the write, and its outcome is lost: it may have been stored.';

/** `serviceName` separates the records of several services in one store. Equal keys of different callers are different keys. */
export function writeRecords(
  idempotency: Idempotency,
  serviceName: string,
  trialHeaders: readonly string[],
): WriteRecordStore {
  return {
    under: (callerOf, key, contentOf) =>
      new IdempotentWrites(idempotency, () => {
        // The caller at the first claim.
        const { keyDigest, key: token, headers } = callerOf();
        const isOfRequest = ([name, value]: [string, string]) => value !== token && !trialHeaders.includes(name);
        return {
          key: digestOf([serviceName, keyDigest, key]),
          // With other headers, such as a tenant's name, the service may write something else.
          request: digestOf([keyDigest, Object.entries(headers).filter(isOfRequest).sort(), ...contentOf()]),
          caller: keyDigest,
        };
      }),
  };
}

/** The writes of one request that has an Idempotency-Key. */
class IdempotentWrites implements WriteRecords {
  readonly replayed: string[] = [];
  /** The error of the first claim. */
  refusal: unknown;
  isInProgress = false;
  readonly #idempotency: Idempotency;
  readonly #nameOf: () => Omit<Write, 'field'>;
  #name: Omit<Write, 'field'> | undefined;
  #hasClaimed = false;

  /** `nameOf`: makes the digests, which a request without a write does not need. */
  constructor(idempotency: Idempotency, nameOf: () => Omit<Write, 'field'>) {
    this.#idempotency = idempotency;
    this.#nameOf = nameOf;
  }

  /**
   * The answer to a write, from the service or from the record of an earlier request. Waits for an equal write in progress.
   * Sends a write again that the service has not seen, or wants to be sent later.
   * @throws UpstreamError that `send` throws, or has thrown for an earlier request.
   * @throws OUTCOME_UNKNOWN where an earlier request has got no answer.
   * @throws UPSTREAM_TIMEOUT where an equal write takes longer than this request may wait.
   * @throws BAD_REQUEST (400) for variables that are nested too deep.
   * @throws IDEMPOTENCY_CONFLICT (422) where the key has come with another operation or other variables.
   * @throws UPSTREAM_UNAVAILABLE (503) where the store fails.
   * @throws OVERLOADED (503) where the store is full.
   */
  async write<Input extends RecordedInput>(
    field: string,
    input: Input,
    { send, isOver, invalidate }: WriteSteps<Input>,
  ): Promise<Json> {
    const token = randomUUID();
    const { write, record } = await this.#settledClaim(field, token, isOver);
    if (!record) return this.#idempotency.execute(write, token, input, send);
    // The client reads next what was written. A gateway that ended has announced nothing.
    await invalidate();
    if ('until' in record) throw new UpstreamError('OUTCOME_UNKNOWN', lostOutcome);
    return this.#replay(field, record, input);
  }

  /** An earlier request has made the write, or may have. Waits for an equal write in progress. */
  async isRecorded(field: string, isOver: () => boolean): Promise<boolean> {
    const token = randomUUID();
    const { write, record } = await this.#settledClaim(field, token, isOver);
    if (!record) await this.#idempotency.release(write, token);
    return record !== undefined;
  }

  /** Without a record, the write is claimed. A lease in the record has expired. */
  async #settledClaim(
    field: string,
    token: string,
    isOver: () => boolean,
  ): Promise<{ write: Write; record: Lease | Outcome | undefined }> {
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const claim = await this.#claim(field, token);
      const { record } = claim;
      if (!record || !('until' in record) || record.until < Date.now()) return claim;
      if (isOver()) {
        this.isInProgress = true;
        throw new UpstreamError('UPSTREAM_TIMEOUT', stillUnderWay);
      }
      await pause(pauseMs);
    }
  }

  async #claim(field: string, token: string): Promise<{ write: Write; record: Lease | Outcome | undefined }> {
    if (this.refusal) throw this.refusal;
    try {
      this.#name ??= this.#nameOf();
      const write = { ...this.#name, field };
      const record = await this.#idempotency.claim(write, token);
      this.#hasClaimed = true;
      return { write, record };
    } catch (error) {
      if (!this.#hasClaimed) this.refusal = error;
      throw error;
    }
  }

  /** @throws IDEMPOTENCY_CONFLICT where the file is another one than before. */
  async #replay(field: string, outcome: Outcome, { file }: RecordedInput): Promise<Json> {
    if (file && outcome.file !== undefined) {
      const content = createHash('sha256');
      for await (const chunk of file.stream) content.update(chunk);
      if (content.digest('base64url') !== outcome.file) {
        this.#idempotency.writes.inc({ result: 'conflict' });
        throw codedError('IDEMPOTENCY_CONFLICT', 'The Idempotency-Key was used with another file: make a new one.');
      }
    }
    this.replayed.push(field);
    this.#idempotency.writes.inc({ result: 'replayed' });
    if ('answer' in outcome) return outcome.answer;
    const { code, message, ...details } = outcome;
    throw new UpstreamError(code, message, details);
  }
}
