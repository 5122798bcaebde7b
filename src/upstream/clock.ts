/** Milliseconds for which what was heard of the clock holds: it may be set meanwhile. */
const period = 60_000;

/**
 * The service's clock, as far as its `Date` headers tell. Each says what time it was there at some moment before it came
 * here, cut to the second: how far, at least, that clock is ahead of this process's, which nobody sets.
 */
export class UpstreamClock {
  #latest: string | undefined;
  /** The most that the service's clock was seen ahead in this period, and in the one before; milliseconds. */
  #ahead = Number.NEGATIVE_INFINITY;
  #aheadBefore = Number.NEGATIVE_INFINITY;
  #periodEnd = 0;

  /** Something is known of it. */
  get isKnown(): boolean {
    return Number.isFinite(this.#mostAhead);
  }

  /** Takes in the `Date` of an answer that has just come. */
  hear(date: string | string[] | undefined): void {
    // It is the same for a second, and of those answers the first says most.
    if (typeof date !== 'string' || date === this.#latest) return;
    this.#latest = date;
    const then = Date.parse(date);
    if (Number.isNaN(then)) return;
    const now = performance.now();
    if (now >= this.#periodEnd) {
      this.#aheadBefore = now < this.#periodEnd + period ? this.#ahead : Number.NEGATIVE_INFINITY;
      this.#ahead = Number.NEGATIVE_INFINITY;
      this.#periodEnd = now + period;
    }
    this.#ahead = Math.max(this.#ahead, then - now);
  }

  /**
   * What the service's clock had shown, or more, at a time of performance.now(); milliseconds of the epoch. This machine's
   * clock stands in for one that says nothing.
   */
  at(time: number): number {
    return time + (this.isKnown ? this.#mostAhead : Date.now() - performance.now());
  }

  get #mostAhead(): number {
    return Math.max(this.#ahead, this.#aheadBefore);
  }
}
