import type { Call } from './calls.ts';
import type { Pace } from './options.ts';
import { costOf } from './pace.ts';

/** The workers of the service: each call waits for a free one in the order in which the calls came. */
export class Workers {
  readonly #pace: Pace;
  /** For each worker, when it is done with the calls that it has. */
  readonly #doneAt: number[];

  constructor(pace: Pace) {
    this.#pace = pace;
    this.#doneAt = Array<number>(pace.workers ?? 4).fill(0);
  }

  /**
   * Gives the call to the worker that is free first.
   * @returns the time at which that worker has the answer.
   */
  answerAt(call: Call, arrivedAt: number): number {
    const freeAt = Math.min(...this.#doneAt);
    const beginsAt = Math.max(arrivedAt, freeAt);
    const others = this.#doneAt.filter((at) => at > beginsAt).length;
    const alone = costOf(this.#pace, call.method, call.template, call.rows);
    call.workMs = alone * (1 + others * (this.#pace.slowdown ?? 0));
    const doneAt = beginsAt + call.workMs;
    this.#doneAt[this.#doneAt.indexOf(freeAt)] = doneAt;
    return doneAt;
  }
}
