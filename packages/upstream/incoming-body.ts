import { type MemoryShare, UpstreamError } from '@gateway/base';

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
  /** The first piece, as long as it is all. Then bytes of the gateway's own, with room for more. */
  #bytes: Buffer = nothing;
  #isOwn = false;
  #length = 0;
  #declared = 0;
  #counted = 0;

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
    const before = this.#length;
    this.#length += piece.length;
    if (this.#length > this.#limits.maxBytes) return this.#tooLong();
    // Most answers come in one piece.
    if (before === 0) this.#bytes = piece;
    else if (this.isLong && !this.#count(Math.max(this.#length, this.#declared))) return noRoom();
    else {
      if (this.#length > this.#bytes.length) this.#move(Math.max(this.#declared, 2 * this.#length), before);
      piece.copy(this.#bytes, before);
    }
    return undefined;
  }

  get isLong(): boolean {
    return this.#length > uncountedBytes;
  }

  /** Returns the whole body, and keeps nothing of it. */
  take(): Buffer {
    if (this.#bytes.length > this.#length) this.#move(this.#length, this.#length);
    const bytes = this.#bytes;
    this.#bytes = nothing;
    this.#isOwn = false;
    return bytes;
  }

  /** Call once the body is read or given up. */
  release(): void {
    this.#limits.share.release(this.#counted);
    this.#counted = 0;
    this.#free();
  }

  #count(bytes: number): boolean {
    if (!this.#limits.share.take(bytes - this.#counted)) return false;
    this.#counted = bytes;
    return true;
  }

  #move(size: number, length: number): void {
    const bytes = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(bytes, 0, 0, length);
    this.#free();
    this.#bytes = bytes;
    this.#isOwn = true;
  }

  /** The garbage collector would leave a hundred megabytes of them. */
  #free(): void {
    const { buffer } = this.#bytes;
    if (this.#isOwn) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    this.#bytes = nothing;
    this.#isOwn = false;
  }

  #tooLong(): UpstreamError {
    return new UpstreamError(
      'UPSTREAM_INVALID_RESPONSE',
      `The service answered more than ${this.#limits.maxBytes} bytes (MAX_UPSTREAM_ANSWER_BYTES).`,
    );
  }
}

const nothing = Buffer.alloc(0);

function noRoom(): UpstreamError {
  const message = 'The gateway reads as many long answers of the service as it has memory for (upstream.answersBytes).';
  return new UpstreamError('OVERLOADED', message, { retryAfter: 1 });
}
