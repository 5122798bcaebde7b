import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { codedError } from '../errors.ts';

export interface AdmissionLimits {
  /** How many may run at a time, and how many more may wait for that. */
  running: number;
  waiting: number;
  /** Milliseconds that one may wait. */
  timeout: number;
}

/**
 * How many begin in one turn of the event loop. More, and those that are over within it, because they need nothing of the
 * service, would never be counted together; and Node accepts one connection in a turn, so that long turns keep new clients
 * waiting.
 */
const beginsPerTurn = 8;

/**
 * Lets so many run at a time and keeps some more waiting, in the order in which they came. The others are refused at once,
 * for what waits long is answered when nobody wants it any more, and work for it is taken from those who do.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  /** Each admits one that waits. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #begun = 0;
  #turn: NodeJS.Immediate | undefined;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a place, to be given back with `leave`, if one is free and nobody waits for it. */
  enter(): boolean {
    return this.#waiting.size === 0 && this.#begin();
  }

  /**
   * Waits for a place, to be given back with `leave`. Resolves with false when the client has left meanwhile.
   * @throws OVERLOADED (503) when too many wait already, or when it takes too long.
   */
  async wait(response: ServerResponse): Promise<boolean> {
    if (this.#waiting.size >= this.#limits.waiting) throw overloaded();
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

  /** Gives a place back. */
  leave(): void {
    this.#running -= 1;
    if (this.#waiting.size > 0) this.#turn ??= setImmediate(this.#beginTurn);
  }

  #begin(): boolean {
    if (this.#running >= this.#limits.running || this.#begun >= beginsPerTurn) return false;
    this.#running += 1;
    this.#begun += 1;
    this.#turn ??= setImmediate(this.#beginTurn);
    return true;
  }

  #beginTurn = () => {
    this.#turn = undefined;
    this.#begun = 0;
    for (const admit of this.#waiting) {
      if (!this.#begin()) return;
      this.#waiting.delete(admit);
      admit();
    }
  };
}

/** The longest that a client is asked to stay away, in seconds. Each gets another time, so that not all come back at once. */
const longestRetryAfter = 5;

/** OVERLOADED (503). */
function overloaded(): GraphQLError {
  return codedError('OVERLOADED', 'The gateway has as much to do as it can serve well.', {
    retry_after: 1 + Math.floor(Math.random() * longestRetryAfter),
    http: { status: 503 },
  });
}
