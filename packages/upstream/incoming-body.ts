import { type MemoryShare, UpstreamError } from '@gateway/base';

export interface BodyLimits {
  /** Bytes of one body. */
  maxBytes: number;
  /** Takes the bytes of all bodies that are not whole yet. */
  share: MemoryShare;
}

/** Shorter bodies do not count, so that long ones never refuse them. The number of connections bounds their sum. */
const uncountedBytes = 64 * 1024;

/** A block of a body whose length is not announced, at most. */
const maxBlockBytes = 1024 * 1024;

/** The body of an answer while it arrives. */
export class IncomingBody {
  readonly #limits: BodyLimits;
  #first: Buffer | undefined;
  /** All pieces, if there are several. A list of a million pieces of one byte would take a hundred times their size. */
  #blocks: Buffer[] | undefined;
  /** Free bytes at the end of the last block. */
  #room = 0;
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
    this.#length += piece.length;
    if (this.#length > this.#limits.maxBytes) return this.#tooLong();
    // Most answers come in one piece.
    if (this.#length === piece.length) {
      this.#first = piece;
      return undefined;
    }
    if (this.isLong && !this.#count(Math.max(this.#length, this.#declared))) return noRoom();
    if (this.#first) this.#append(this.#first);
    this.#first = undefined;
    this.#append(piece);
    return undefined;
  }

  get isLong(): boolean {
    return this.#length > uncountedBytes;
  }

  /** Returns the whole body, and keeps nothing of it. */
  take(): Buffer {
    const [block, ...others] = this.#blocks ?? [];
    if (!block) return this.#first ?? Buffer.alloc(0);
    if (others.length > 0 || this.#room > 0) return Buffer.concat([block, ...others], this.#length);
    this.#blocks = undefined;
    return block;
  }

  /** Call once the body is read or given up. */
  release(): void {
    this.#limits.share.release(this.#counted);
    this.#counted = 0;
    // The garbage collector would leave a hundred megabytes of them.
    for (const { buffer } of this.#blocks ?? []) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    this.#blocks = undefined;
  }

  #count(bytes: number): boolean {
    if (!this.#limits.share.take(bytes - this.#counted)) return false;
    this.#counted = bytes;
    return true;
  }

  #append(piece: Buffer): void {
    for (let copied = 0; copied < piece.length; ) {
      if (this.#room === 0) this.#addBlock();
      const block = this.#blocks?.at(-1) as Buffer;
      const more = piece.copy(block, block.length - this.#room, copied);
      this.#room -= more;
      copied += more;
    }
  }

  #addBlock(): void {
    this.#room = this.#declared || Math.min(2 * this.#length, maxBlockBytes);
    this.#blocks ??= [];
    this.#blocks.push(Buffer.allocUnsafeSlow(this.#room));
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
