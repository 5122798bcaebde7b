import { type Deadlines, Timed } from '../lib/deadlines.ts';
import type { Json } from '../lib/json.ts';
import { UpstreamError } from './errors.ts';
import type { Waiter } from './in-flight-request.ts';

/** All that one operation waits for: it ends together, when the client leaves or the time is over. */
export class CancelScope extends Timed {
  readonly #deadlines: Deadlines;
  readonly #seats: Waiter[] = [];
  #isTimed = false;
  #reason: Error | undefined;

  constructor(deadlines: Deadlines) {
    super();
    this.#deadlines = deadlines;
    this.startClock();
  }

  startClock(): void {
    this.#deadlines.start(this);
    this.#isTimed = true;
  }

  stopClock(): void {
    if (this.#isTimed) this.#deadlines.stop(this);
    this.#isTimed = false;
  }

  /** Why nothing is waited for any more. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Settles with the first thing that was waited for. */
  get first(): Promise<unknown> | undefined {
    return this.#seats[0]?.answer.catch(() => undefined);
  }

  /** The answer, or why it is no longer waited for. */
  wait(seat: Waiter): Promise<Json> {
    this.#seats.push(seat);
    return seat.answer;
  }

  cancel(reason: Error): void {
    this.#reason ??= reason;
    for (const seat of this.#seats) seat.leave(reason);
  }

  expire(): void {
    this.stopClock();
    this.cancel(new UpstreamError('UPSTREAM_TIMEOUT', 'The operation took longer than OPERATION_TIMEOUT_MS.'));
  }
}
