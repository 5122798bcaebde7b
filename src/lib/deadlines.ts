/** An activity with a deadline. */
export abstract class Timed {
  /** Milliseconds of performance.now(). */
  due = 0;
  timer: NodeJS.Timeout | undefined = undefined;

  /** Called at the deadline. */
  abstract expire(): void;
}

/** Deadlines of one fixed duration. Their timers do not keep the process alive. */
export class Deadlines {
  readonly #durationMs: number;

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  start(activity: Timed): void {
    activity.due = performance.now() + this.#durationMs;
    activity.timer = setTimeout(expire, this.#durationMs, activity).unref();
  }

  stop(activity: Timed): void {
    clearTimeout(activity.timer);
    activity.timer = undefined;
  }
}

function expire(activity: Timed): void {
  activity.expire();
}
