/** The part of a run that one caller can bring for all callers. */
const shareOfCaller = 1 / 3;

/**
 * Failures without an answer in between. A run is full for all callers when it has `max` failures, of at least three callers.
 * It is full for one caller when that caller alone has brought as many.
 */
export class FailureRun {
  readonly #max: number;
  readonly #maxAgeMs: number;
  /** By the digest of the caller's key: at most `#max` entries, whatever keys clients make up. */
  readonly #byCaller = new Map<string, number>();
  /** The failures of all callers, each up to its share. */
  #shared = 0;
  #isFull = false;
  /** Milliseconds of performance.now(). */
  #last = 0;

  constructor(max: number, maxAgeMs: number) {
    this.#max = max;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Whether a call has failed since the last answer. An old run says nothing. */
  get isBegun(): boolean {
    return this.#shared > 0 && performance.now() - this.#last <= this.#maxAgeMs;
  }

  /** For one caller at least. */
  get isFull(): boolean {
    return this.#isFull && this.isBegun;
  }

  isFullFor(keyDigest: string): boolean {
    return this.isFull && this.#hasFilled(keyDigest);
  }

  /** `count`: failures that this one stands for. */
  add(keyDigest: string, count: number): void {
    if (!this.isBegun) this.clear();
    this.#last = performance.now();
    // More failures change nothing, and would add entries.
    if (this.#hasFilled(keyDigest)) return;
    const most = Math.ceil(shareOfCaller * this.#max);
    const before = this.#byCaller.get(keyDigest) ?? 0;
    this.#byCaller.set(keyDigest, before + count);
    this.#shared += Math.min(before + count, most) - Math.min(before, most);
    this.#isFull ||= this.#hasFilled(keyDigest);
  }

  clear(): void {
    if (this.#shared === 0) return;
    this.#byCaller.clear();
    this.#shared = 0;
    this.#isFull = false;
  }

  #hasFilled(keyDigest: string): boolean {
    return this.#shared >= this.#max || (this.#byCaller.get(keyDigest) ?? 0) >= this.#max;
  }
}
