import { LRUCache } from 'lru-cache';
import { NotSentError } from './errors.ts';

/** Seconds. Who is paused cannot be told that the service has changed its mind. */
const longestPause = 600;

/** Milliseconds. */
const timerPrecision = 2;

/** Callers whom the service has asked to slow down. Until the time that it named, nothing of theirs is sent. */
export class RateLimitGate {
  /** Milliseconds of performance.now(). An answer to every call of many callers would hold as many names. */
  readonly #ends = new LRUCache<string, number>({ max: 10_000 });

  /** The service has answered 429. `retryAfter`: seconds; 0 where it does not say for how long. */
  begin(key: string, retryAfter = 0): void {
    if (retryAfter === 0) return;
    const end = performance.now() + 1000 * Math.min(retryAfter, longestPause);
    this.#ends.set(key, Math.max(end, this.#ends.get(key) ?? 0));
  }

  /** Why nothing may be sent for this caller now; undefined where it may. */
  refusal(key: string): NotSentError | undefined {
    if (this.#ends.size === 0) return undefined;
    const end = this.#ends.get(key);
    if (end === undefined) return undefined;
    const left = end - performance.now();
    // Timers go off a little early at times, that of a retry too.
    if (left > timerPrecision) {
      const message = 'The service has asked this caller to slow down; until then nothing is sent.';
      return new NotSentError('RATE_LIMITED', message, Math.ceil(left / 1000));
    }
    this.#ends.delete(key);
    return undefined;
  }
}
