/** A link in the chain of what is under way. */
export abstract class Timed {
  /** Milliseconds of performance.now(). */
  due = 0;
  isTimed = false;
  previous: Timed | undefined;
  next: Timed | undefined;

  /** Its time is over. */
  abstract expire(): void;
}

/**
 * Calls `expire` on what is not over within a fixed time. All have the same time, so they are due in the order in which they
 * began, and one timer for the oldest serves them all. The timer keeps no process alive.
 */
export class Deadlines {
  readonly #durationMs: number;
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  start(timed: Timed): void {
    timed.due = performance.now() + this.#durationMs;
    timed.isTimed = true;
    timed.previous = this.#last;
    if (this.#last) this.#last.next = timed;
    else this.#first = timed;
    this.#last = timed;
    this.#wakeIn(this.#durationMs);
  }

  /** Does nothing where the deadline has passed or was stopped before. */
  stop(timed: Timed): void {
    if (!timed.isTimed) return;
    timed.isTimed = false;
    if (timed.previous) timed.previous.next = timed.next;
    else this.#first = timed.next;
    if (timed.next) timed.next.previous = timed.previous;
    else this.#last = timed.previous;
    // An old link that is garbage would keep every younger link that it leads to from being collected early. A Map
    // would do the same: its outgrown tables lead to the newer ones.
    timed.previous = undefined;
    timed.next = undefined;
  }

  #wakeIn(delay: number): void {
    this.#timer ??= setTimeout(() => this.#wake(), delay).unref();
  }

  #wake(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#first; first && first.due <= now; first = this.#first) {
      this.stop(first);
      first.expire();
    }
    if (this.#first) this.#wakeIn(Math.ceil(this.#first.due - now));
  }
}
