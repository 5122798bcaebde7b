import { atMost, maxPauseSeconds, maxSharedPauses } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import { NotSentError, secondsIn } from './errors.ts';
import type { UpstreamEvents } from './events.ts';
import type { OtherProcesses } from './invalidation.ts';
import { type Interceptor, nothingToAbort } from './request.ts';

/** Refuses the calls of a caller whom the service has asked to slow down. */
export function rateLimit(gate: RateLimitGate): Interceptor {
  return (next) => (call, done) => {
    const refusal = gate.refusal(call.request.caller.keyDigest);
    if (!refusal) return next(call, done);
    done(refusal, undefined);
    return nothingToAbort;
  };
}

/** Closes the gate of a caller whom the service asks to slow down, also in the other processes. */
export function learnPauses(gate: RateLimitGate, events: UpstreamEvents, others?: OtherProcesses): void {
  events.on('callEnd', ({ request: { caller } }, _error, response) => {
    if (response?.status !== 429) return;
    const seconds = secondsIn(response.retryAfter) ?? 0;
    if (gate.close(caller.keyDigest, seconds)) others?.pause(caller.keyDigest, Math.min(seconds, maxPauseSeconds));
  });
}

/** Timers go off a little early at times, that of a retry too. */
const timerPrecisionMs = 2;

/** Calls that are refused together name the same end, to the second. */
const sameAnswerMs = 1_000;

/** Stops the calls of a caller until the time that the service's 429 names. */
export class RateLimitGate {
  /** Milliseconds of performance.now(), by the digest of the key. Bounded: a service can answer 429 to every caller. */
  readonly #ends = new LRUCache<string, number>(atMost(10_000));

  /** `retryAfter`: seconds; 0 where the service names no time. Returns whether the gate stays closed for longer now. */
  close(keyDigest: string, retryAfter: number): boolean {
    if (retryAfter === 0) return false;
    const end = performance.now() + 1000 * Math.min(retryAfter, maxPauseSeconds);
    const known = this.#ends.get(keyDigest) ?? 0;
    if (end > known) this.#ends.set(keyDigest, end);
    return end > known + sameAnswerMs;
  }

  /** Seconds that are left, by the digest of the key. */
  pauses(): [keyDigest: string, seconds: number][] {
    const now = performance.now();
    const left = [...this.#ends].map(([keyDigest, end]): [string, number] => [keyDigest, (end - now) / 1000]);
    return left.filter(([, seconds]) => seconds > 0).slice(0, maxSharedPauses);
  }

  /** The error for a call that must not be sent now; undefined where the gate is open. */
  refusal(keyDigest: string): NotSentError | undefined {
    if (this.#ends.size === 0) return undefined;
    const end = this.#ends.get(keyDigest);
    if (end === undefined) return undefined;
    const leftMs = end - performance.now();
    if (leftMs > timerPrecisionMs) {
      const message = 'The service has asked this caller to slow down; until then nothing is sent.';
      return new NotSentError('RATE_LIMITED', message, Math.ceil(leftMs / 1000));
    }
    this.#ends.delete(keyDigest);
    return undefined;
  }
}
