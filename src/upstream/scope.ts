import { type Deadlines, Timed } from '../lib/deadlines.ts';
import type { MemoryShare } from '../lib/memory-budget.ts';
import { CallBudget } from './call-budget.ts';
import { UpstreamError } from './errors.ts';
import type { Abortable, Signal } from './request.ts';

/** The time that reads of an operation have. */
export interface ReadScope extends Signal {
  /** The error of everything that would be read now; undefined while there is time. */
  readonly reason: Error | undefined;
  readonly msLeft: number;
}

/** The first bytes need no place in the share, so that large operations never refuse small ones. */
const uncountedBytes = 512 * 1024;

/** Says why an operation does not get its memory. */
export const noMemory =
  'The operations that run hold as much as the gateway has memory for (limits.operations.memoryBytes).';

/**
 * The time, the memory and the calls of one operation. Its calls end when the client leaves or the time is over. A write on a
 * connection goes on.
 */
export class Scope extends Timed implements ReadScope {
  isBegun = false;
  readonly budget: CallBudget;
  readonly #deadlines: Deadlines;
  readonly #memory: MemoryShare;
  #bytes = 0;
  /** The bytes of `#memory`. */
  #taken = 0;
  #hasEnded = false;
  readonly #calls: Abortable[] = [];
  #left: Error | undefined;
  #reason: Error | undefined;

  constructor(deadlines: Deadlines, memory: MemoryShare, maxCalls: number) {
    super();
    this.#deadlines = deadlines;
    this.#memory = memory;
    this.budget = new CallBudget(maxCalls);
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

  /** Milliseconds until the deadline; infinite while the clock is stopped. */
  get msLeft(): number {
    if (this.#reason) return 0;
    return this.isTimed ? Math.max(0, this.due - performance.now()) : Number.POSITIVE_INFINITY;
  }

  /**
   * Runs reads that end before the operation does. `share`: of the time that is left, from 0 to 1. Calls that have no answer
   * by then are UPSTREAM_TIMEOUT.
   */
  async within<T>(share: number, reads: (part: ReadScope) => Promise<T>): Promise<T> {
    const { msLeft } = this;
    if (msLeft === 0 || msLeft === Number.POSITIVE_INFINITY) return reads(this);
    const part = new PartScope(this, share * msLeft);
    try {
      return await reads(part);
    } finally {
      part.end();
    }
  }

  add(call: Abortable): void {
    this.#calls.push(call);
  }

  hold(bytes: number): boolean {
    const more = this.#bytes + bytes - uncountedBytes - this.#taken;
    if (more > 0 && !this.#hasEnded) {
      if (!this.#memory.take(more)) return false;
      this.#taken += more;
    }
    this.#bytes += bytes;
    return true;
  }

  /** Call once the answer is sent. The garbage collector frees what comes later. */
  end(): void {
    this.stopClock();
    this.#hasEnded = true;
    this.#memory.release(this.#taken);
    this.#taken = 0;
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
    this.#cancel(tooLong());
  }

  #cancel(reason: Error): void {
    this.#reason ??= reason;
    for (const call of this.#calls) call.abort(reason);
  }
}

function tooLong(): UpstreamError {
  return new UpstreamError('UPSTREAM_TIMEOUT', 'The operation took longer than limits.operations.timeoutMs.');
}

/** A part of the time of an operation. */
class PartScope implements ReadScope, Abortable {
  readonly due: number;
  readonly #whole: Scope;
  readonly #timer: NodeJS.Timeout;
  readonly #calls: Abortable[] = [];
  #reason: Error | undefined;

  constructor(whole: Scope, ms: number) {
    this.#whole = whole;
    this.due = performance.now() + ms;
    this.#timer = setTimeout(() => this.abort(tooLong()), ms).unref();
    whole.add(this);
  }

  get isBegun(): boolean {
    return this.#whole.isBegun;
  }

  set isBegun(isBegun: boolean) {
    this.#whole.isBegun = isBegun;
  }

  get reason(): Error | undefined {
    return this.#whole.reason ?? this.#reason;
  }

  get msLeft(): number {
    return this.reason ? 0 : Math.max(0, this.due - performance.now());
  }

  add(call: Abortable): void {
    this.#calls.push(call);
  }

  hold(bytes: number): boolean {
    return this.#whole.hold(bytes);
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    for (const call of this.#calls) call.abort(reason);
  }

  /** Call when the reads have ended. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
