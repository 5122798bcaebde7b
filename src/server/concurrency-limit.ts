import type { ServerResponse } from 'node:http';
import { overloaded } from '../graphql/errors/overloaded.ts';
import { EventLoop } from './event-loop.ts';

export interface ConcurrencyLimitOptions {
  running: number;
  queued: number;
  queueTimeoutMs: number;
}

/** Node takes one new connection in each turn of the event loop. A turn that starts all requests would be too long. */
const startsPerTurn = 8;

/**
 * The longest wait while the event loop is busy (controlled delay, RFC 8289). A longer queue makes all requests slower and
 * dearer, and no more of them are answered.
 */
const busyWaitMs = 25;

/**
 * Limits the requests that run at a time. A few more wait, first come, first served. The others are refused at once. After
 * a long wait the client may have given up, and the answer would cost other clients their time.
 */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimitOptions;
  readonly #loop: Pick<EventLoop, 'isBusy'>;
  /** Each function admits one request, which waits since that time. */
  readonly #waiting = new Map<() => void, number>();
  #running = 0;
  #startsInTurn = 0;

  constructor(limits: ConcurrencyLimitOptions, loop: Pick<EventLoop, 'isBusy'> = new EventLoop()) {
    this.#limits = limits;
    this.#loop = loop;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** The next request is refused. */
  get isFull(): boolean {
    return this.#running + this.#waiting.size >= this.#limits.running + this.#limits.queued || this.#isBehind;
  }

  /** Requests wait for the event loop, not for the service. Those that wait for the service may all start when it answers. */
  get #isBehind(): boolean {
    if (this.#waiting.size === 0) return false;
    const now = performance.now();
    const [since = now] = this.#waiting.values();
    return now - since > busyWaitMs && this.#loop.isBusy(now);
  }

  /**
   * Takes a place, or waits for one; `leave` gives the place back. Resolves with false for a client that has left.
   * @throws OVERLOADED (503) where too many wait already, or where the wait takes too long.
   */
  enter(response: ServerResponse): true | Promise<boolean> {
    if (this.#waiting.size > 0 || !this.#mayStart) return this.#wait(response);
    this.#start();
    return true;
  }

  get #mayStart(): boolean {
    return this.#running < this.#limits.running && this.#startsInTurn < startsPerTurn;
  }

  #start(): void {
    this.#running += 1;
    this.#startsInTurn += 1;
    if (this.#startsInTurn > 1) return;
    setImmediate(() => {
      this.#startsInTurn = 0;
      this.#admitWaiting();
    });
  }

  #admitWaiting(): void {
    for (const admit of this.#waiting.keys()) {
      if (!this.#mayStart) return;
      this.#waiting.delete(admit);
      this.#start();
      admit();
    }
  }

  async #wait(response: ServerResponse): Promise<boolean> {
    if (this.isFull) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const admit = () => resolve(true);
    const giveUp = () => {
      if (this.#waiting.delete(admit)) resolve(false);
    };
    const timer = setTimeout(() => {
      if (this.#waiting.delete(admit)) reject(overloaded());
    }, this.#limits.queueTimeoutMs);
    response.once('close', giveUp);
    this.#waiting.set(admit, performance.now());
    try {
      return await promise;
    } finally {
      response.off('close', giveUp);
      clearTimeout(timer);
    }
  }

  /** Gives a place back. The request that has waited longest takes the place. */
  leave(): void {
    this.#running -= 1;
    this.#admitWaiting();
  }
}
