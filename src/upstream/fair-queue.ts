/** A call that wants a connection. */
export interface Task {
  /** It wants none any more. */
  readonly isOver: boolean;
  /** Its turn has come; `turns.end(lane)` when it is over. */
  begin(lane: CallerQueue): void;
}

/** The calls of one caller. */
export interface CallerQueue {
  key: string;
  running: number;
  waiting: Task[];
  /** It stands in the queue of lanes. */
  isQueued: boolean;
}

/**
 * Whose call is made next. As many run as there are connections, and of one caller only so many that others find some
 * free. While all are taken, the callers that wait are served in turn, however many calls each of them has.
 */
export class FairQueue {
  readonly #most: number;
  readonly #mostOfOne: number;
  #running = 0;
  #waiting = 0;
  #isBeginning = false;
  readonly #lanes = new Map<string, CallerQueue>();
  /** Lanes with a call that waits for nothing but a connection. */
  readonly #queue: CallerQueue[] = [];

  constructor({ most, mostOfOne }: { most: number; mostOfOne: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  get running(): number {
    return this.#running;
  }

  /** Also those that want no turn any more, until it comes to them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** `runner` begins at once, or later. `key` names its caller. */
  take(key: string, runner: Task): void {
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = { key, running: 0, waiting: [], isQueued: false };
      this.#lanes.set(key, lane);
    }
    if (this.#running < this.#most && lane.running < this.#mostOfOne && lane.waiting.length === 0) {
      this.#begin(lane, runner);
      return;
    }
    lane.waiting.push(runner);
    this.#waiting += 1;
    this.#queueUp(lane);
  }

  /** A call is over. */
  end(lane: CallerQueue): void {
    this.#running -= 1;
    lane.running -= 1;
    this.#queueUp(lane);
    this.#next();
    this.#forgetIdle(lane);
  }

  #forgetIdle(lane: CallerQueue): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.key);
  }

  #queueUp(lane: CallerQueue): void {
    if (lane.isQueued || lane.waiting.length === 0 || lane.running >= this.#mostOfOne) return;
    lane.isQueued = true;
    this.#queue.push(lane);
  }

  #next(): void {
    // What ends while it begins comes here again: the loop that it came from goes on.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#running < this.#most) {
      const lane = this.#queue.shift();
      if (!lane) break;
      lane.isQueued = false;
      const runner = this.#firstOf(lane);
      if (runner) this.#begin(lane, runner);
      this.#queueUp(lane);
      this.#forgetIdle(lane);
    }
    this.#isBeginning = false;
  }

  #firstOf({ waiting }: CallerQueue): Task | undefined {
    for (let runner = waiting.shift(); runner; runner = waiting.shift()) {
      this.#waiting -= 1;
      if (!runner.isOver) return runner;
    }
    return undefined;
  }

  #begin(lane: CallerQueue, runner: Task): void {
    this.#running += 1;
    lane.running += 1;
    runner.begin(lane);
  }
}
