/** A part of a worker's memory, and the bytes of it that are taken now. */
export class MemoryShare {
  readonly maxBytes: number;
  #taken = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#taken;
  }

  /** Takes all of the bytes or none: false where they do not fit. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.maxBytes) return false;
    this.#taken += bytes;
    return true;
  }

  /** Gives back what `take` took. */
  release(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** The figures of a share. A cache bounds itself, and only reports them. */
export type MemoryUse = Readonly<Pick<MemoryShare, 'bytes' | 'maxBytes'>>;
