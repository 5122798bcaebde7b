/** A link in the chain of what is under way. */
export abstract class Timed {
  /** Milliseconds of performance.now(). */
  due = 0;
  previous: Timed | undefined;
  next: Timed | undefined;

  /** Ends it, and with it its deadline. */
  abstract expire(): void;
}

/**
 * Ends what is not over within a fixed time. All have the same time, so they are due in the order in which they began,
 * and one timer for the oldest serves them all. It keeps no process alive: what it watches does.
 */
export class Deadlines {
  /** Milliseconds. */
  readonly #duration: number;
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(duration: number) {
    this.#duration = duration;
  }

  start(call: Timed): void {
    call.due = performance.now() + this.#duration;
    call.previous = this.#last;
    if (this.#last) this.#last.next = call;
    else this.#first = call;
    this.#last = call;
    this.#wakeIn(this.#duration);
  }

  /** Once for what was started. */
  stop(call: Timed): void {
    if (call.previous) call.previous.next = call.next;
    else this.#first = call.next;
    if (call.next) call.next.previous = call.previous;
    else this.#last = call.previous;
    // A link that is garbage, but old, would keep every younger one that it leads to from being collected early. For
    // the same reason this is no Map: its outgrown tables lead to the newer ones.
    call.previous = undefined;
    call.next = undefined;
  }

  #wakeIn(delay: number): void {
    this.#timer ??= setTimeout(() => this.#wake(), delay).unref();
  }

  #wake(): void {
    this.#timer = undefined;
    const now = performance.now();
    while (this.#first && this.#first.due <= now) this.#first.expire();
    if (this.#first) this.#wakeIn(Math.ceil(this.#first.due - now));
  }
}
