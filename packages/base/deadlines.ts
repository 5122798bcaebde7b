/** An activity with a deadline. */
export abstract class Timed {
  /** Milliseconds of performance.now(). */
  due = 0;
  previous: Timed | undefined = undefined;
  next: Timed | undefined = undefined;
  isTimed = false;

  /** Called at the deadline, which is stopped by then. */
  abstract expire(): void;
}

/**
 * Deadlines of one fixed duration. They are due in the order in which they began, so one timer serves all of them. A timer
 * for each of an operation's hundred reads costs more CPU. The timer does not keep the process alive.
 */
export class Deadlines<T extends Timed = Timed> {
  readonly #durationMs: number;
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  /** The activity that began first. */
  get first(): T | undefined {
    return this.#first as T | undefined;
  }

  start(activity: T): void {
    activity.isTimed = true;
    activity.due = performance.now() + this.#durationMs;
    activity.previous = this.#last;
    if (this.#last) this.#last.next = activity;
    else this.#first = activity;
    this.#last = activity;
    this.#wakeIn(this.#durationMs);
  }

  stop(activity: Timed): void {
    if (!activity.isTimed) return;
    activity.isTimed = false;
    if (activity.previous) activity.previous.next = activity.next;
    else this.#first = activity.next;
    if (activity.next) activity.next.previous = activity.previous;
    else this.#last = activity.previous;
    // An old activity that still leads to younger ones would keep them from an early garbage collection.
    activity.previous = undefined;
    activity.next = undefined;
  }

  #wakeIn(delayMs: number): void {
    this.#timer ??= setTimeout(() => this.#wake(), delayMs).unref();
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
