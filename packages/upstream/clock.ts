/** The clock may be set: an observation counts for one to two periods. */
const periodMs = 60_000;

/**
 * The service's clock, as its `Date` headers show it. A header has the time of a moment before its arrival, cut to the
 * second. The clock is thus ahead of this process's monotonic clock by at least the difference.
 */
export class UpstreamClock {
  #latest: string | undefined;
  /** Milliseconds: the largest difference in this period, and in the one before. */
  #ahead = Number.NEGATIVE_INFINITY;
  #aheadBefore = Number.NEGATIVE_INFINITY;
  #periodEnd = 0;
  readonly #read: (() => number) | undefined;

  /** `read`: the service's clock in milliseconds since 1970, where it is in this process and may be set or stand. */
  constructor(read?: () => number) {
    this.#read = read;
  }

  /** Whether a `Date` has come lately. */
  get isKnown(): boolean {
    return this.#read !== undefined || Number.isFinite(this.#mostAhead);
  }

  /** Takes the `Date` of an answer that has just come. */
  hear(date: string | string[] | undefined): void {
    // Answers of one second have the same date; the first of them shows the largest difference.
    if (typeof date !== 'string' || date === this.#latest) return;
    this.#latest = date;
    const then = Date.parse(date);
    if (Number.isNaN(then)) return;
    const now = performance.now();
    if (now >= this.#periodEnd) {
      this.#aheadBefore = now < this.#periodEnd + periodMs ? this.#ahead : Number.NEGATIVE_INFINITY;
      this.#ahead = Number.NEGATIVE_INFINITY;
      this.#periodEnd = now + periodMs;
    }
    this.#ahead = Math.max(this.#ahead, then - now);
  }

  /**
   * Milliseconds since 1970 that the service's clock showed, or more, at a time of performance.now(). Uses this machine's
   * clock where no `Date` has come.
   */
  at(time: number): number {
    if (this.#read) return this.#read() - (performance.now() - time);
    return time + (this.isKnown ? this.#mostAhead : Date.now() - performance.now());
  }

  get #mostAhead(): number {
    return Math.max(this.#ahead, this.#aheadBefore);
  }
}
