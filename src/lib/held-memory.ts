import type { MemoryShare } from './memory-budget.ts';

/** The first bytes need no place in the share, so that large operations never refuse small ones. */
const uncountedBytes = 512 * 1024;

/** Says why an operation does not get its memory. */
export const noMemory =
  'The operations that run hold as much as the gateway has memory for (limits.operations.memoryBytes).';

/** The bytes of a share that one activity holds, and gives back together. */
export class HeldMemory {
  readonly #share: MemoryShare;
  #bytes = 0;
  #taken = 0;
  #isReleased = false;

  constructor(share: MemoryShare) {
    this.#share = share;
  }

  /** Holds more bytes; false where the share has no room for them. */
  hold(bytes: number): boolean {
    const more = this.#bytes + bytes - uncountedBytes - this.#taken;
    if (more > 0 && !this.#isReleased) {
      if (!this.#share.take(more)) return false;
      this.#taken += more;
    }
    this.#bytes += bytes;
    return true;
  }

  /** The garbage collector frees what comes later. */
  release(): void {
    this.#isReleased = true;
    this.#share.release(this.#taken);
    this.#taken = 0;
  }
}
