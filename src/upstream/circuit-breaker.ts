import { CircuitState, CountBreaker } from 'cockatiel';
import { NotSentError } from './errors.ts';

export interface CircuitBreakerOptions {
  /** Of the last calls of an endpoint, so many are looked at; 0: it is never broken. */
  calls: number;
  /** Broken when more than this share of them has failed: between 0 and 1. */
  share: number;
  /** Milliseconds from one probe to the next. */
  pause: number;
}

export interface CircuitBreakerObserver {
  /** Too many calls have failed; `cause` is what the last one failed with. */
  opened(cause: Error | number): void;
  /** A probe has succeeded. */
  closed(): void;
}

/** A read that may have to wait for the outcome of a probe. */
export interface GuardedRequest {
  /** It may be sent. */
  pass(): void;
  refuse(reason: NotSentError): void;
  /** Makes the same read for nobody, and tells the breaker how it ended. */
  probe(): void;
}

/** Calls that are looked at before the first judgement. */
const leastCalls = 5;

/** Milliseconds that a read waits for a probe: whoever asks a service that is down is told soon. */
const longestHold = 150;

/**
 * Keeps calls from one endpoint of the service while it fails. Once in a while a read is made as a probe, and those that
 * come meanwhile wait for its outcome for a moment: the first client after an outage is answered as if there were none.
 * cockatiel judges when to break; its own way back has clients wait for a probe as long as that takes.
 */
export class CircuitBreaker {
  readonly #pause: number;
  /** Undefined where it is never broken. */
  readonly #judge: CountBreaker | undefined;
  readonly #heard: CircuitBreakerObserver;
  #isBroken = false;
  /** Milliseconds of performance.now(). */
  #nextProbe = 0;
  /** Reads that wait for the outcome of a probe. */
  #held: GuardedRequest[] = [];
  #holding: NodeJS.Timeout | undefined;

  constructor(
    heard: CircuitBreakerObserver,
    { calls, share, pause }: CircuitBreakerOptions = { calls: 0, share: 0, pause: 0 },
  ) {
    this.#pause = pause;
    this.#heard = heard;
    if (calls > 0) {
      const minimumNumberOfCalls = Math.min(leastCalls, calls);
      this.#judge = new CountBreaker({ size: calls, threshold: share, minimumNumberOfCalls });
    }
  }

  get isOpen(): boolean {
    return this.#isBroken;
  }

  /** Lets a read pass, holds it for a moment, or refuses it. */
  admit(read: GuardedRequest): void {
    if (!this.#isBroken) read.pass();
    else if (this.#takeProbe()) this.#hold(read).probe();
    else if (this.#holding) this.#hold(read);
    else read.refuse(broken());
  }

  /** Why a write must not be sent; undefined where it may. Each is its own probe: none is made that nobody asked for. */
  refusalOfWrite(): NotSentError | undefined {
    return !this.#isBroken || this.#takeProbe() ? undefined : broken();
  }

  succeeded(isProbe: boolean): void {
    if (!this.#isBroken) this.#judge?.success(CircuitState.Closed);
    else if (isProbe) this.#heard.closed();
  }

  /** `cause`: the error of the connection, or the status that the call was answered with. */
  failed(isProbe: boolean, cause: Error | number): void {
    if (isProbe) {
      this.#refuseHeld();
    } else if (!this.#isBroken && this.#judge?.failure(CircuitState.Closed)) {
      this.#isBroken = true;
      this.#nextProbe = performance.now() + this.#pause;
      this.#heard.opened(cause);
    }
  }

  close(): void {
    if (!this.#isBroken) return;
    this.#isBroken = false;
    this.#judge?.success(CircuitState.HalfOpen);
    this.#release((held) => held.pass());
  }

  #hold(read: GuardedRequest): GuardedRequest {
    this.#holding ??= setTimeout(() => this.#refuseHeld(), longestHold);
    this.#held.push(read);
    return read;
  }

  #refuseHeld(): void {
    this.#release((held) => held.refuse(broken()));
  }

  #takeProbe(): boolean {
    const now = performance.now();
    if (now < this.#nextProbe) return false;
    this.#nextProbe = now + this.#pause;
    return true;
  }

  #release(tell: (held: GuardedRequest) => void): void {
    clearTimeout(this.#holding);
    this.#holding = undefined;
    const held = this.#held;
    this.#held = [];
    for (const read of held) tell(read);
  }
}

function broken(): NotSentError {
  return new NotSentError(
    'UPSTREAM_UNAVAILABLE',
    'The service has been failing; nothing is sent until it answers again.',
    1,
  );
}
