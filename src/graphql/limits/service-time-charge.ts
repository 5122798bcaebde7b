import type { Call, CallObserver } from '../../upstream/call.ts';
import { type Caller, newcomers, strangers } from '../../upstream/caller.ts';
import type { ServiceTime } from './service-time.ts';

/**
 * The time that one operation takes from the bucket of its caller. A key that the service has not accepted yet has no bucket,
 * because a made-up key costs the service little. An accepted one takes the time at the end of its first operation.
 */
export class ServiceTimeCharge implements CallObserver {
  readonly #buckets: ServiceTime;
  readonly #caller: () => Caller;
  readonly #trace: CallObserver | undefined;
  /** Undefined until the service has accepted the key. */
  #share: string | undefined;
  readonly #calls: Call[] = [];
  #takenMs = 0;
  /** Seconds, where the operation was refused. */
  retryAfter: number | undefined;

  /** `caller`: as the gateway knows it now. `trace` gets the calls too. */
  constructor(buckets: ServiceTime, caller: () => Caller, trace?: CallObserver) {
    this.#trace = trace;
    this.#buckets = buckets;
    this.#caller = caller;
  }

  /**
   * Takes the estimate before the first call. A larger operation than the bucket needs a full one.
   * @throws RATE_LIMITED (429)
   */
  admit(estimateMs: number): void {
    const share = this.#findShare();
    // The gateway answers strangers without a call.
    if (share === undefined || (share === strangers && estimateMs === 0)) return;
    const neededMs = Math.min(estimateMs, this.#buckets.burstMs);
    if (this.#buckets.left(share) < neededMs) {
      // Apollo Server admits the operation once more, to word the refusal.
      if (this.retryAfter === undefined) this.#buckets.countRefusal();
      const refusal = this.#buckets.refusal(share, neededMs);
      this.retryAfter = refusal.extensions.retry_after as number;
      throw refusal;
    }
    this.#take(estimateMs);
  }

  nextTraceparent(): string | undefined {
    return this.#trace?.nextTraceparent();
  }

  begin(call: Call): ReturnType<CallObserver['begin']> {
    this.#calls.push(call);
    return this.#trace?.begin(call) ?? { finish() {} };
  }

  /** Takes what the calls took in place of the estimate. */
  settle(): void {
    let ms = 0;
    for (const { onWire } of this.#calls) ms += onWire?.workMs ?? 0;
    this.#take(ms);
  }

  /** The headers of the answer. */
  settled(): Record<string, string> {
    this.settle();
    return {
      'ratelimit-policy': this.#buckets.policy,
      ratelimit: this.#buckets.state(this.#share ?? newcomers),
      ...(this.retryAfter !== undefined && { 'retry-after': String(this.retryAfter) }),
    };
  }

  #findShare(): string | undefined {
    const { share, isUnknown } = this.#caller();
    if (!isUnknown && share !== newcomers) this.#share ??= share;
    return this.#share;
  }

  #take(ms: number): void {
    const share = this.#findShare();
    if (share === undefined) return;
    this.#buckets.take(share, ms - this.#takenMs);
    this.#takenMs = ms;
  }
}
