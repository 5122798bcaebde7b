import { codedError, type Deadlines, type MemoryShare, Timed, UpstreamError } from '@gateway/base';
import type { Abortable, RetryBudget, Signal } from './request.ts';

/** The time that reads of an operation have. */
export interface ReadScope extends Signal {
  /** The error of everything that would be read now; undefined while there is time. */
  readonly reason: Error | undefined;
  readonly msLeft: number;
}

/** The first bytes need no place in the share, so that large operations never refuse small ones. */
const uncountedBytes = 512 * 1024;

/** Calls that end together, at the latest when their time is over. */
abstract class Calls extends Timed implements Abortable {
  readonly #calls = new Set<Abortable>();
  #reason: Error | undefined;

  /** The error of everything that is still wanted; undefined while it may go on. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  add(call: Abortable): void {
    this.#calls.add(call);
  }

  delete(call: Abortable): void {
    this.#calls.delete(call);
  }

  expire(): void {
    this.abort(new UpstreamError('UPSTREAM_TIMEOUT', 'The operation took longer than limits.operations.timeoutMs.'));
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    for (const call of this.#calls) call.abort(reason);
  }
}

/**
 * The time, the memory and the calls of one operation. Its calls end when the client leaves or the time is over. A write on a
 * connection goes on.
 */
export class Scope extends Calls implements ReadScope {
  sent = 0;
  readonly budget: CallBudget;
  readonly #deadlines: Deadlines;
  readonly #memory: MemoryShare;
  #bytes = 0;
  /** The bytes of `#memory`. */
  #taken = 0;
  #hasEnded = false;
  #left: Error | undefined;

  constructor(deadlines: Deadlines, memory: MemoryShare, maxCalls: number) {
    super();
    this.#deadlines = deadlines;
    this.#memory = memory;
    this.budget = new CallBudget(maxCalls);
    this.startClock();
  }

  get isBegun(): boolean {
    return this.sent > 0;
  }

  startClock(): void {
    this.#deadlines.start(this);
  }

  stopClock(): void {
    this.#deadlines.stop(this);
  }

  /** Milliseconds until the deadline; infinite while the clock is stopped. */
  get msLeft(): number {
    if (this.reason) return 0;
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
    this.abort(reason);
  }
}

/** A part of the time of an operation. */
class PartScope extends Calls implements ReadScope {
  readonly #whole: Scope;
  readonly #timer: NodeJS.Timeout;

  constructor(whole: Scope, ms: number) {
    super();
    this.#whole = whole;
    this.due = performance.now() + ms;
    this.#timer = setTimeout(() => this.expire(), ms).unref();
    whole.add(this);
  }

  get sent(): number {
    return this.#whole.sent;
  }

  set sent(sent: number) {
    this.#whole.sent = sent;
  }

  override get reason(): Error | undefined {
    return this.#whole.reason ?? super.reason;
  }

  get msLeft(): number {
    return this.reason ? 0 : Math.max(0, this.due - performance.now());
  }

  hold(bytes: number): boolean {
    return this.#whole.hold(bytes);
  }

  /** Call when the reads have ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#whole.delete(this);
  }
}

/** Counts the REST calls of one operation, retries included. */
export class CallBudget implements RetryBudget {
  readonly #limit: number;
  #max: number;
  #used = 0;
  #reserved = 0;

  constructor(max: number) {
    this.#limit = max;
    this.#max = max;
  }

  /** Calls that reads may still make. */
  get left(): number {
    return Math.max(0, this.#max - this.#used - Math.max(0, this.#reserved));
  }

  /** Keeps calls for the writes of the operation: the reads after one write must not stop the writes that follow. */
  reserve(writes: number): void {
    this.#reserved = writes;
  }

  /** Lets the operation make a call that does not count towards the limit. */
  addCall(): void {
    this.#max += 1;
  }

  /** A reserved call is not needed. */
  releaseWrite(): void {
    this.#reserved -= 1;
  }

  /** A budget of its own for a chain of writes, whose reads have as many calls as an operation. */
  forWrites(writes: number): CallBudget {
    const budget = new CallBudget(this.#limit + writes);
    budget.reserve(writes);
    return budget;
  }

  /** Adds the calls of a part of the operation: those that it has made, and those that it has left. */
  join(part: CallBudget): void {
    this.#max += part.#max;
    this.#used += part.#used;
  }

  /** @throws UPSTREAM_BUDGET_EXCEEDED where no call is left. */
  takeWrite(): void {
    this.releaseWrite();
    this.take();
  }

  /** @throws UPSTREAM_BUDGET_EXCEEDED where no call is left. */
  take(): void {
    if (this.takeRetry()) return;
    const message = `The operation needs more than ${this.#max} REST calls; ask for fewer rows or references.`;
    throw codedError('UPSTREAM_BUDGET_EXCEEDED', message);
  }

  takeRetry(): boolean {
    const isLeft = this.left > 0;
    if (isLeft) this.#used += 1;
    return isLeft;
  }
}
