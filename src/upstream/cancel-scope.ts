import { type Deadlines, Timed } from '../lib/deadlines.ts';
import type { HeldMemory } from '../lib/held-memory.ts';
import { UpstreamError } from './errors.ts';
import type { Abortable, Signal } from './request.ts';

/**
 * The time and the memory of one operation. Its calls end when the client leaves or the time is over. A write on a
 * connection goes on.
 */
export class CancelScope extends Timed implements Signal {
  readonly #deadlines: Deadlines;
  readonly #memory: HeldMemory;
  readonly #calls: Abortable[] = [];
  #left: Error | undefined;
  #reason: Error | undefined;

  constructor(deadlines: Deadlines, memory: HeldMemory) {
    super();
    this.#deadlines = deadlines;
    this.#memory = memory;
    this.startClock();
  }

  startClock(): void {
    this.#deadlines.start(this);
  }

  stopClock(): void {
    this.#deadlines.stop(this);
  }

  /** The error of everything that the operation still wants; undefined while it may go on. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  add(call: Abortable): void {
    this.#calls.push(call);
  }

  hold(bytes: number): boolean {
    return this.#memory.hold(bytes);
  }

  /** Throws if the client has left. Else the gateway would make errors for missing objects that no client reads. */
  requireClient(): void {
    if (this.#left) throw this.#left;
  }

  leave(reason: Error): void {
    this.#left = reason;
    this.#cancel(reason);
  }

  expire(): void {
    this.#cancel(new UpstreamError('UPSTREAM_TIMEOUT', 'The operation took longer than limits.operations.timeoutMs.'));
  }

  #cancel(reason: Error): void {
    this.#reason ??= reason;
    for (const call of this.#calls) call.abort(reason);
  }
}
