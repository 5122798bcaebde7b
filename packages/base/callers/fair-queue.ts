import { madeOnce } from '../maps.ts';
import { newcomers, strangers } from './caller.ts';

/** A call that waits for a connection, or an operation that waits for a place. */
export interface Task {
  /** Milliseconds of performance.now(), since when the task waits. */
  since?: number;
  /** The queue's own, while the task waits. */
  timer?: NodeJS.Timeout | undefined;
  /** Work has been done for the task, which would be in vain without it. */
  readonly isBegun?: boolean;
  /** A place is free; `release(caller)` when the task is done. */
  begin(caller: CallerQueue<this>): void;
  /** The task has waited for as long as it may. It may leave. */
  late?(): void;
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
  /** The caller has had a turn, and has tasks left. */
  isReturning: boolean;
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

/** A client that leaves sooner does not leave because of the wait. */
const patienceMs = 100;

/** Newer tasks go first for so long after a task was given up. */
const newestFirstMs = 1_000;

/**
 * Decides which task begins next: of calls that want a connection, or of operations that want to run. Up to `max` tasks
 * run, and up to `maxPerCaller` of one caller. While all places are taken, each waiting caller gets one in turn, however many
 * tasks the caller has. Strangers get half as many.
 *
 * The oldest task is first. Where tasks are given up while they wait, the oldest are those that nobody will wait for much
 * longer. Then the newest is first (adaptive LIFO), except that work that has begun is ended.
 */
export class FairQueue<T extends Task = Task> {
  /** Tasks that run at a time. Those that wait begin at the next `beginWaiting` or `release`. */
  limit: number;
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
  #newestFirstUntil = 0;
  /** The part of a turn that callers who return have saved up. */
  #turnOfReturning = 0;

  constructor({ max, maxPerCaller = max, mayBegin = () => true }: FairQueueOptions) {
    this.limit = max;
    this.#maxPerCaller = maxPerCaller;
    this.#maxOfNewcomers = Math.max(maxPerCaller, Math.ceil(max / 2));
    this.#mayBegin = mayBegin;
  }

  get running(): number {
    return this.#running;
  }

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
    if (this.#running >= this.limit || !this.#mayBegin()) return undefined;
    const caller = madeOnce(this.#callers, share, newCaller<T>);
    if (this.#hasAll(caller) || caller.waiting.length > 0) return undefined;
    this.#take(caller);
    return caller;
  }

  /** Takes a place for the task later, where `enter` has none. `maxMs`: how long the task may wait, by default for ever. */
  wait(share: string, task: T, maxMs?: number): void {
    const caller = madeOnce(this.#callers, share, newCaller<T>);
    task.since = performance.now();
    if (maxMs !== undefined) task.timer = setTimeout(() => task.late?.(), maxMs);
    caller.waiting.push(task);
    this.#waiting += 1;
    this.#queueUp(caller, false);
  }

  /** Gives a task up that waits. False where the task has begun. */
  leave(share: string, task: T): boolean {
    const caller = this.#callers.get(share);
    const index = caller?.waiting.indexOf(task) ?? -1;
    if (!caller || index < 0) return false;
    clearTimeout(task.timer);
    const now = performance.now();
    if (now - (task.since ?? now) > patienceMs) this.#newestFirstUntil = now + newestFirstMs;
    caller.waiting.splice(index, 1);
    this.#waiting -= 1;
    if (caller.waiting.length > 0) return true;
    if (caller === this.#strangers) this.#strangers = undefined;
    else if (caller.isQueued) this.#queue.splice(this.#queue.indexOf(caller), 1);
    caller.isQueued = false;
    this.#deleteIdle(caller);
    return true;
  }

  /** A task is done. */
  release(caller: CallerQueue<T>): void {
    this.#running -= 1;
    caller.running -= 1;
    this.#queueUp(caller, true);
    this.beginWaiting();
    this.#deleteIdle(caller);
  }

  /** Begins tasks while places are free. */
  beginWaiting(): void {
    // A task that ends while it begins comes here again: the outer loop goes on.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#running < this.limit && this.#mayBegin()) {
      const caller = this.#takeNext();
      if (!caller) break;
      caller.isQueued = false;
      const task = this.#nextOf(caller);
      clearTimeout(task.timer);
      this.#take(caller);
      task.begin(caller);
      this.#queueUp(caller, true);
    }
    this.#isBeginning = false;
  }

  #hasAll({ share, running }: CallerQueue<T>): boolean {
    return running >= this.#maxPerCaller && (share !== newcomers || running >= this.#maxOfNewcomers);
  }

  #take(caller: CallerQueue<T>): void {
    this.#running += 1;
    caller.running += 1;
  }

  #queueUp(caller: CallerQueue<T>, isReturning: boolean): void {
    if (caller.isQueued || caller.waiting.length === 0 || this.#hasAll(caller)) return;
    caller.isQueued = true;
    caller.queuedAt = performance.now();
    caller.isReturning = isReturning;
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
    return this.#isNewestFirst ? this.#takeNewest() : this.#queue.shift();
  }

  get #isNewestFirst(): boolean {
    return this.#newestFirstUntil > 0 && performance.now() < this.#newestFirstUntil;
  }

  /** The newest of the callers without a turn. Those who have had one get as many turns as in the order of age. */
  #takeNewest(): CallerQueue<T> | undefined {
    const returning = this.#queue.filter(({ isReturning }) => isReturning).length;
    this.#turnOfReturning = Math.min(1, this.#turnOfReturning + returning / this.#queue.length);
    const newest = this.#queue.findLastIndex(({ isReturning }) => !isReturning);
    if (newest >= 0 && (this.#turnOfReturning < 1 || returning === 0)) return this.#queue.splice(newest, 1)[0];
    this.#turnOfReturning = 0;
    const first = this.#queue.findIndex(({ isReturning }) => isReturning);
    return this.#queue.splice(first, 1)[0];
  }

  /** A caller in the queue has tasks that wait. */
  #nextOf({ waiting }: CallerQueue<T>): T {
    this.#waiting -= 1;
    if (!this.#isNewestFirst) return waiting.shift() as T;
    const begun = waiting.findIndex(({ isBegun }) => isBegun);
    return waiting.splice(begun, 1)[0] as T;
  }

  #deleteIdle(caller: CallerQueue<T>): void {
    if (caller.running === 0 && caller.waiting.length === 0) this.#callers.delete(caller.share);
  }
}

function newCaller<T>(share: string): CallerQueue<T> {
  return { share, running: 0, waiting: [], isQueued: false, queuedAt: 0, isReturning: false };
}
