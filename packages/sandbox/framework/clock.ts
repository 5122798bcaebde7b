import type { SandboxClock } from './options.ts';
import { fromMicroseconds, parseIsoTime, toMicroseconds } from './time.ts';

/** Gives no microsecond twice, so that no two new rows are equally new. Without a start it runs. */
export class Clock implements SandboxClock {
  readonly #start: string | Date | undefined;
  /** In microseconds, where the clock stands. */
  #standsAt: number | undefined;
  #ahead = 0;
  #last = 0;

  constructor(start: string | Date | undefined) {
    this.#start = start;
    this.reset();
  }

  reset(): void {
    this.#ahead = 0;
    this.#standsAt = undefined;
    this.#last = 0;
    if (this.#start !== undefined) this.#stand(this.#start, 'now');
  }

  /** The time of a write. */
  tick(): string {
    this.#last = this.#next();
    return fromMicroseconds(this.#last);
  }

  now(): string {
    return fromMicroseconds(this.#next());
  }

  set(time: string | Date): void {
    this.#stand(time, 'clock.set');
  }

  advance(ms: number): void {
    if (!(Number.isFinite(ms) && ms >= 0))
      throw new Error(`clock.advance: ${ms} is no number of milliseconds from 0 on; clock.set goes back.`);
    if (this.#standsAt === undefined) this.#ahead += Math.round(ms * 1000);
    else this.#standsAt += Math.round(ms * 1000);
  }

  #next(): number {
    const running = () => Math.floor((performance.timeOrigin + performance.now()) * 1000) + this.#ahead;
    return Math.max(this.#last + 1, this.#standsAt ?? running());
  }

  #stand(time: string | Date, place: string): void {
    const text = time instanceof Date ? (Number.isNaN(time.getTime()) ? 'Invalid Date' : time.toISOString()) : time;
    const parsed = parseIsoTime(text);
    if (parsed === undefined) throw new Error(`${place}: "${text}" is no date-time such as 2026-03-01T12:00:00Z.`);
    this.#standsAt = toMicroseconds(parsed);
    this.#last = this.#standsAt - 1;
  }
}
