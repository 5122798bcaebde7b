import type { MemoryShare } from '../lib/memory-budget.ts';
import { UpstreamError } from './errors.ts';

export interface BodyLimits {
  /** Bytes of one body. */
  maxBytes: number;
  /** Takes the bytes of all bodies that are not whole yet. */
  share: MemoryShare;
}

/** Shorter bodies do not count, so that long ones never refuse them. The number of connections bounds their sum. */
const uncountedBytes = 64 * 1024;

/** The body of an answer while it arrives. */
export class IncomingBody {
  readonly #limits: BodyLimits;
  /** The first piece, or a buffer of our own with room for more. */
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #declared = 0;
  #taken = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Returns an error if the announced length is too large. */
  declare(contentLength: string | undefined): UpstreamError | undefined {
    this.#declared = Number(contentLength ?? 0);
    return this.#declared > this.#limits.maxBytes ? this.#tooLong() : undefined;
  }

  /** Returns an error if the piece does not fit. */
  add(piece: Buffer): UpstreamError | undefined {
    const length = this.#length + piece.length;
    if (length > this.#limits.maxBytes) return this.#tooLong();
    // Most answers come in one piece.
    if (this.#length === 0) this.#buffer = piece;
    else {
      if (length > this.#buffer.length && !this.#grow(length)) return noRoom();
      piece.copy(this.#buffer, this.#length);
    }
    this.#length = length;
    return undefined;
  }

  get isLong(): boolean {
    return this.#length > uncountedBytes;
  }

  /** The whole body. */
  get bytes(): Buffer {
    const bytes = this.#buffer;
    return bytes.length === this.#length ? bytes : Buffer.from(bytes.subarray(0, this.#length));
  }

  /** Call once the body is read or given up. */
  release(): void {
    this.#limits.share.release(this.#taken);
    this.#taken = 0;
  }

  /** Pieces are copied: a list of a million pieces of one byte would take a hundred times their size. */
  #grow(length: number): boolean {
    const { maxBytes, share } = this.#limits;
    const size = Math.max(length, this.#declared, Math.min(2 * this.#buffer.length, maxBytes));
    if (size > uncountedBytes) {
      if (!share.take(size - this.#taken)) return false;
      this.#taken = size;
    }
    const grown = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }

  #tooLong(): UpstreamError {
    return new UpstreamError(
      'UPSTREAM_INVALID_RESPONSE',
      `The service answered more than ${this.#limits.maxBytes} bytes (MAX_UPSTREAM_ANSWER_BYTES).`,
    );
  }
}

function noRoom(): UpstreamError {
  const message = 'The gateway reads as many long answers of the service as it has memory for (upstream.answersBytes).';
  return new UpstreamError('OVERLOADED', message, { retryAfter: 1 });
}
