import { newcomers, strangers } from './caller.ts';
import { writeNotSent } from './errors.ts';
import type { Done, Interceptor, UpstreamRequest } from './request.ts';

/** Waits for a connection, in the order that is fair to all callers. `writeTimeoutMs`: the longest wait of a write. */
export function fairQueue(queue: FairQueue, writeTimeoutMs: number): Interceptor {
  return (next) => {
    const send = (request: UpstreamRequest, done: Done, caller: CallerQueue) => {
      next(request, (error, response) => {
        queue.release(caller);
        done(error, response);
      });
    };
    return (request, done) => {
      const { share } = request.caller;
      const caller = queue.enter(share);
      if (caller) return send(request, done, caller);
      const task: Task = {
        isOver: false,
        begin(caller) {
          clearTimeout(timer);
          send(request, done, caller);
        },
      };
      const abort = (reason: unknown) => {
        // The client may leave after the timeout of its write.
        if (task.isOver) return;
        task.isOver = true;
        clearTimeout(timer);
        done(request.write ? writeNotSent(reason) : reason, undefined);
      };
      const timer = request.write && setTimeout(abort, writeTimeoutMs, tooLate);
      request.controller = { abort };
      queue.wait(share, task);
    };
  };
}

const tooLate = new Error('No connection to the service became free in time.');

/** A call that waits for a connection, or an operation that waits for a place. */
export interface Task {
  /** The task wants no place any more. */
  isOver: boolean;
  /** A place is free; `release(caller)` when the task is done. */
  begin(caller: CallerQueue<this>): void;
}

/** The tasks of one caller, or of all callers that have one share together. */
export interface CallerQueue<T = Task> {
  readonly share: string;
  running: number;
  waiting: T[];
  /** The queue has the caller, which waits for its next turn. */
  isQueued: boolean;
  /** Milliseconds of performance.now(): since when `isQueued` is true. */
  queuedAt: number;
}

export interface FairQueueOptions {
  max: number;
  /** By default all. Newcomers may be many callers, so that they get half of the places together, or more. */
  maxPerCaller?: number | undefined;
  /** Where false, no task begins until `beginWaiting` is called. */
  mayBegin?: () => boolean;
}

/** Turns of other callers, for each of them that waits, before the next turn of strangers. */
const turnsBeforeStrangers = 2;

/**
 * Decides which task begins next: of calls that want a connection, or of operations that want to run. Up to `max` tasks
 * run, and up to `maxPerCaller` of one caller. While all places are taken, each waiting caller gets one in turn, however many
 * tasks the caller has. Strangers get half as many.
 */
export class FairQueue<T extends Task = Task> {
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #maxOfNewcomers: number;
  readonly #mayBegin: () => boolean;
  #running = 0;
  #waiting = 0;
  #isBeginning = false;
  readonly #callers = new Map<string, CallerQueue<T>>();
  /** Callers with waiting tasks who may have another place. */
  readonly #queue: CallerQueue<T>[] = [];
  /** Strangers, where they would stand in the queue. */
  #strangers: CallerQueue<T> | undefined;
  #turnsSinceStrangers = 0;

  constructor({ max, maxPerCaller = max, mayBegin = () => true }: FairQueueOptions) {
    this.#max = max;
    this.#maxPerCaller = maxPerCaller;
    this.#maxOfNewcomers = Math.max(maxPerCaller, Math.ceil(max / 2));
    this.#mayBegin = mayBegin;
  }

  get running(): number {
    return this.#running;
  }

  /** Includes tasks that are over, until a place is free for them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The caller whose turn is next, strangers excepted. */
  get next(): CallerQueue<T> | undefined {
    return this.#queue[0];
  }

  /** Undefined for a caller without a task. */
  of(share: string): CallerQueue<T> | undefined {
    return this.#callers.get(share);
  }

  /** The callers with a task. */
  get callers(): Iterable<CallerQueue<T>> {
    return this.#callers.values();
  }

  /** Takes a place, if the caller may have one now. */
  enter(share: string): CallerQueue<T> | undefined {
    if (this.#running >= this.#max || !this.#mayBegin()) return undefined;
    const caller = this.#callerOf(share);
    if (this.#hasAll(caller) || caller.waiting.length > 0) return undefined;
    this.#take(caller);
    return caller;
  }

  /** Takes a place for the task later, where `enter` has none. */
  wait(share: string, task: T): void {
    const caller = this.#callerOf(share);
    caller.waiting.push(task);
    this.#waiting += 1;
    this.#queueUp(caller);
  }

  /** Removes a task that waits. Without this, the task stays until its caller has a place. */
  leave(share: string, task: T): void {
    const caller = this.#callers.get(share);
    const index = caller?.waiting.indexOf(task) ?? -1;
    if (!caller || index < 0) return;
    caller.waiting.splice(index, 1);
    this.#waiting -= 1;
    if (caller.waiting.length > 0) return;
    if (caller === this.#strangers) this.#strangers = undefined;
    else if (caller.isQueued) this.#queue.splice(this.#queue.indexOf(caller), 1);
    caller.isQueued = false;
    this.#deleteIdle(caller);
  }

  /** A task is done. */
  release(caller: CallerQueue<T>): void {
    this.#running -= 1;
    caller.running -= 1;
    this.#queueUp(caller);
    this.beginWaiting();
    this.#deleteIdle(caller);
  }

  /** Begins tasks while places are free. */
  beginWaiting(): void {
    // A task that ends while it begins comes here again: the outer loop goes on.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#running < this.#max && this.#mayBegin()) {
      const caller = this.#takeNext();
      if (!caller) break;
      caller.isQueued = false;
      const task = this.#firstOf(caller);
      if (task) {
        this.#take(caller);
        task.begin(caller);
      }
      this.#queueUp(caller);
      this.#deleteIdle(caller);
    }
    this.#isBeginning = false;
  }

  #callerOf(share: string): CallerQueue<T> {
    let caller = this.#callers.get(share);
    if (!caller) {
      caller = { share, running: 0, waiting: [], isQueued: false, queuedAt: 0 };
      this.#callers.set(share, caller);
    }
    return caller;
  }

  #hasAll({ share, running }: CallerQueue<T>): boolean {
    return running >= this.#maxPerCaller && (share !== newcomers || running >= this.#maxOfNewcomers);
  }

  #take(caller: CallerQueue<T>): void {
    this.#running += 1;
    caller.running += 1;
  }

  #queueUp(caller: CallerQueue<T>): void {
    if (caller.isQueued || caller.waiting.length === 0 || this.#hasAll(caller)) return;
    caller.isQueued = true;
    caller.queuedAt = performance.now();
    if (caller.share === strangers) this.#strangers = caller;
    else this.#queue.push(caller);
  }

  #takeNext(): CallerQueue<T> | undefined {
    const last = this.#strangers;
    if (last && this.#turnsSinceStrangers >= turnsBeforeStrangers * this.#queue.length) {
      this.#turnsSinceStrangers = 0;
      this.#strangers = undefined;
      return last;
    }
    this.#turnsSinceStrangers += 1;
    return this.#queue.shift();
  }

  #firstOf({ waiting }: CallerQueue<T>): T | undefined {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      this.#waiting -= 1;
      if (!task.isOver) return task;
    }
    return undefined;
  }

  #deleteIdle(caller: CallerQueue<T>): void {
    if (caller.running === 0 && caller.waiting.length === 0) this.#callers.delete(caller.share);
  }
}
