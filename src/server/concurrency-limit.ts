import type { ServerResponse } from 'node:http';
import { overloaded } from '../graphql/errors/overloaded.ts';

export interface ConcurrencyLimitOptions {
  running: number;
  queued: number;
  queueTimeoutMs: number;
}

/** Node takes one new connection in each turn of the event loop. A turn that starts all requests would be too long. */
const startsPerTurn = 8;

/**
 * Limits the requests that run at a time. A few more wait, first come, first served. The others are refused at once. After
 * a long wait the client may have given up, and the answer would cost other clients their time.
 */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimitOptions;
  /** Each function admits one waiting request. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #startsInTurn = 0;

  constructor(limits: ConcurrencyLimitOptions) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** The next request is refused. */
  get isFull(): boolean {
    return this.#running + this.#waiting.size >= this.#limits.running + this.#limits.queued;
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
    for (const admit of this.#waiting) {
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
    this.#waiting.add(admit);
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
