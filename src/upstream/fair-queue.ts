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
      const { keyDigest } = request.caller;
      const caller = queue.enter(keyDigest);
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
      queue.wait(keyDigest, task);
    };
  };
}

const tooLate = new Error('No connection to the service became free in time.');

/** A call that waits for a connection. */
interface Task {
  /** The call wants no connection any more. */
  isOver: boolean;
  /** A connection is free; `release(caller)` when the call is over. */
  begin(caller: CallerQueue): void;
}

/** The calls of one caller. */
interface CallerQueue {
  keyDigest: string;
  running: number;
  waiting: Task[];
  /** The queue has the caller, which waits for the next connection. */
  isQueued: boolean;
}

/**
 * Decides which call is made next. Calls run on up to `max` connections, and those of one caller on up to `maxPerCaller`.
 * While all connections are taken, each waiting caller gets one in turn, however many calls the caller has.
 */
export class FairQueue {
  readonly #max: number;
  readonly #maxPerCaller: number;
  #running = 0;
  #waiting = 0;
  #isBeginning = false;
  readonly #callers = new Map<string, CallerQueue>();
  /** Callers with waiting calls who may have another connection. */
  readonly #queue: CallerQueue[] = [];

  constructor({ max, maxPerCaller = max }: { max: number; maxPerCaller?: number | undefined }) {
    this.#max = max;
    this.#maxPerCaller = maxPerCaller;
  }

  get running(): number {
    return this.#running;
  }

  /** Includes calls that are over, until a connection is free for them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a connection, if the caller may have one now. */
  enter(keyDigest: string): CallerQueue | undefined {
    const caller = this.#callerOf(keyDigest);
    if (this.#running >= this.#max || caller.running >= this.#maxPerCaller || caller.waiting.length > 0)
      return undefined;
    this.#take(caller);
    return caller;
  }

  /** Takes a connection for the task later, where `enter` has none. */
  wait(keyDigest: string, task: Task): void {
    const caller = this.#callerOf(keyDigest);
    caller.waiting.push(task);
    this.#waiting += 1;
    this.#queueUp(caller);
  }

  /** Removes a task that waits. Without this, the task stays until its caller has a connection. */
  leave(keyDigest: string, task: Task): void {
    const caller = this.#callers.get(keyDigest);
    const index = caller?.waiting.indexOf(task) ?? -1;
    if (!caller || index < 0) return;
    caller.waiting.splice(index, 1);
    this.#waiting -= 1;
    if (caller.waiting.length > 0 || !caller.isQueued) return;
    caller.isQueued = false;
    this.#queue.splice(this.#queue.indexOf(caller), 1);
    this.#deleteIdle(caller);
  }

  /** A call is over. */
  release(caller: CallerQueue): void {
    this.#running -= 1;
    caller.running -= 1;
    this.#queueUp(caller);
    this.#beginNext();
    this.#deleteIdle(caller);
  }

  #callerOf(keyDigest: string): CallerQueue {
    let caller = this.#callers.get(keyDigest);
    if (!caller) {
      caller = { keyDigest, running: 0, waiting: [], isQueued: false };
      this.#callers.set(keyDigest, caller);
    }
    return caller;
  }

  #take(caller: CallerQueue): void {
    this.#running += 1;
    caller.running += 1;
  }

  #queueUp(caller: CallerQueue): void {
    if (caller.isQueued || caller.waiting.length === 0 || caller.running >= this.#maxPerCaller) return;
    caller.isQueued = true;
    this.#queue.push(caller);
  }

  #beginNext(): void {
    // A task that ends while it begins comes here again: the outer loop goes on.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#running < this.#max) {
      const caller = this.#queue.shift();
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

  #firstOf({ waiting }: CallerQueue): Task | undefined {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      this.#waiting -= 1;
      if (!task.isOver) return task;
    }
    return undefined;
  }

  #deleteIdle(caller: CallerQueue): void {
    if (caller.running === 0 && caller.waiting.length === 0) this.#callers.delete(caller.keyDigest);
  }
}
