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

  /** Takes a place, to be given back with `leave`, if one is free. */
  enter(): boolean {
    if (this.#running >= this.#limits.running) return false;
    this.#running += 1;
    return true;
  }

  /**
   * Waits for a place, to be given back with `leave`. Resolves with false when the client has left meanwhile.
   * @throws OVERLOADED (503) when too many wait already, or when it takes too long.
   */
  async wait(response: ServerResponse): Promise<boolean> {
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
