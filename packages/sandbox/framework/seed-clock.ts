import type { Random } from './random.ts';
import { fromMicroseconds } from './time.ts';

const day = 86_400e6;
/** The end of the seeded world, in microseconds. */
const end = Date.UTC(2026, 5, 30, 18) * 1000;

export const worldEnd = fromMicroseconds(end);

/** Times of the seeded world: `daysBefore` its end, at a random microsecond of that day. */
export class SeedClock {
  readonly #random: Random;
  #now = end;

  constructor(random: Random) {
    this.#random = random;
  }

  goTo(daysBefore: number): string {
    this.#now = end - Math.round(daysBefore * day) - this.#random.integer(0, 36_000_000_000);
    return this.now();
  }

  now(): string {
    return fromMicroseconds(this.#now);
  }
}
