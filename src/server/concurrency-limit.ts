import type { ServerResponse } from 'node:http';
import { overloaded } from './overloaded.ts';

export interface ConcurrencyLimitOptions {
  /** How many may run at a time, and how many more may wait for that. */
  running: number;
  waiting: number;
  /** Milliseconds that one may wait. */
  timeout: number;
}

/**
 * Lets so many run at a time and keeps some more waiting, in the order in which they came. The others are refused at once,
 * for what waits long is answered when nobody wants it any more, and work for it is taken from those who do.
 */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimitOptions;
  /** Each admits one that waits. */
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: ConcurrencyLimitOptions) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Who comes now is refused. */
  get isFull(): boolean {
    return this.#running >= this.#limits.running && this.#waiting.size >= this.#limits.waiting;
  }

  /**
   * Takes a place, or waits for one; `leave` gives the place back. Resolves with false for a client that has left.
   * @throws OVERLOADED (503) where too many wait already, or where the wait takes too long.
   */
  enter(response: ServerResponse): true | Promise<boolean> {
    if (this.#running >= this.#limits.running) return this.#wait(response);
    this.#running += 1;
    return true;
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
    }, this.#limits.timeout);
    response.once('close', giveUp);
    this.#waiting.add(admit);
    try {
      return await promise;
    } finally {
      response.off('close', giveUp);
      clearTimeout(timer);
    }
  }

  /** Gives a place back, to the one that has waited longest, if any. */
  leave(): void {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit);
      admit();
      return;
    }
    this.#running -= 1;
  }
}
