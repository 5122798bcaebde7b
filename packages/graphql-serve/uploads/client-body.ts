import { badRequest, type Deadlines, type MemoryShare, overloaded, Timed } from '@gateway/base';
import type { GraphQLError } from 'graphql';

/** The bounds of all bodies that clients are sending. */
export interface BodyBounds {
  /** For a body to be whole. */
  deadlines: Deadlines<ClientBody>;
  /** For the bytes of bodies whose operations do not run yet. */
  share: MemoryShare;
}

const nothing: Buffer = Buffer.alloc(0);

/** The bytes that have arrived of a JSON body, or of a form before its file. */
export class ClientBody extends Timed {
  readonly #bounds: BodyBounds;
  readonly #fail: (error: GraphQLError) => void;
  #isOver = false;
  #buffer = nothing;
  #length = 0;
  #taken = 0;

  /** `fail` gets the reason where the body is given up. */
  constructor(bounds: BodyBounds, fail: (error: GraphQLError) => void) {
    super();
    this.#bounds = bounds;
    this.#fail = fail;
    bounds.deadlines.start(this);
  }

  /** Bytes since the start or the last `take`. */
  get length(): number {
    return this.#length;
  }

  /** Fails the body where the gateway has no memory for the chunk. */
  add(chunk: Buffer): void {
    if (this.#isOver) return;
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      // Most bodies come in one chunk.
      if (!this.#reserve(chunk.length)) return;
      this.#buffer = chunk;
    } else {
      if (length > this.#buffer.length && !this.#grow(length)) return;
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** The bytes since the last call. They count until `release`. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = nothing;
    this.#length = 0;
    return bytes;
  }

  /** The body is whole in time. */
  complete(): void {
    this.#bounds.deadlines.stop(this);
  }

  /** Gives the memory back, and takes no more. */
  release(): void {
    this.#isOver = true;
    this.complete();
    this.#bounds.share.release(this.#taken);
    this.#taken = 0;
    this.#buffer = nothing;
  }

  fail(error: GraphQLError): void {
    if (this.#isOver) return;
    this.release();
    this.#fail(error);
  }

  expire(): void {
    this.fail(badRequest('The body did not come in time.', 408));
  }

  /** One buffer that grows. A list of chunks of one byte would take 300 times their size. */
  #grow(length: number): boolean {
    const size = Math.max(length, 2 * this.#buffer.length);
    if (!this.#reserve(size - this.#buffer.length)) return false;
    const grown = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }

  /** The body that began first gives way. Most clients send a body at once, and one that stalls must not keep them out. */
  #reserve(bytes: number): boolean {
    const { deadlines, share } = this.#bounds;
    while (!share.take(bytes)) {
      const first = deadlines.first ?? this;
      first.fail(overloaded());
      if (first === this) return false;
    }
    this.#taken += bytes;
    return true;
  }
}
