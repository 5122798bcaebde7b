import { type Deadlines, Timed, UpstreamError } from '@gateway/base';
import type { InFlightRead, SendRead, SentRead } from './dedupe.ts';
import { NotSentError, noTimeLeft } from './errors.ts';
import { type Abortable, Call, type Dispatch, nothingToAbort, type UpstreamResponse } from './request.ts';

/** Makes a read again that has failed for a while only. All attempts share one deadline. */
export function retry(policy: RetryPolicy, deadlines: Deadlines, next: Dispatch): SendRead {
  return (read) => new Attempts(read, policy, deadlines, next);
}

/** The attempts of one read. */
class Attempts extends Timed implements SentRead {
  readonly #read: InFlightRead;
  readonly #policy: RetryPolicy;
  readonly #deadlines: Deadlines;
  readonly #next: Dispatch;
  #call!: Call;
  #sent: Abortable = nothingToAbort;
  /** The pause before the next attempt. */
  #timer: NodeJS.Timeout | undefined = undefined;
  #isRetried = false;

  constructor(read: InFlightRead, policy: RetryPolicy, deadlines: Deadlines, next: Dispatch) {
    super();
    this.#read = read;
    this.#policy = policy;
    this.#deadlines = deadlines;
    this.#next = next;
    policy.begin();
    deadlines.start(this);
    this.#send(1);
  }

  get traceparent(): string | undefined {
    return this.#call.traceparent;
  }

  /** The gateway sends no attempt after its time. */
  expire(): void {
    this.abort(noTimeLeft);
  }

  abort(reason: unknown): void {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#end(reason, undefined);
    } else this.#sent.abort(reason);
  }

  #send(attempt: number): void {
    const { request } = this.#read;
    this.#timer = undefined;
    this.#call = new Call(request, attempt, request.observer?.nextTraceparent());
    this.#sent = this.#next(this.#call, (error, response) => {
      const pauseMs = error === undefined ? undefined : this.#pauseAfter(error);
      if (pauseMs === undefined) this.#end(error, response);
      else this.#timer = setTimeout(() => this.#send(attempt + 1), pauseMs);
    });
  }

  /** Milliseconds; undefined where the read has no further attempt. */
  #pauseAfter(error: unknown): number | undefined {
    const pauseMs = this.#policy.pauseAfter(error, this.#call.attempt);
    if (pauseMs === undefined) return undefined;
    const at = performance.now() + pauseMs;
    if (at >= this.due || !(this.#isRetried || this.#policy.admit())) return undefined;
    this.#isRetried = true;
    return this.#read.allowRetry(at, error) ? pauseMs : undefined;
  }

  #end(error: unknown, response: UpstreamResponse | undefined): void {
    this.#policy.end(this.#isRetried);
    this.#deadlines.stop(this);
    this.#read.end(error, response);
  }
}

export interface RetryOptions {
  /** Retries of one read. */
  max: number;
  /** The longest pause before the first retry. It doubles before each further retry. */
  baseMs: number;
  /** The longest pause before any retry, unless the service asks for more. */
  capMs: number;
  /** The part of the reads in flight that may be retried at a time: 0 to 1. */
  share: number;
}

/** Retries that are allowed at any time: a share of a few reads is none. */
const minRetries = 3;

/**
 * Decides which failed reads are made again, and when. Reads that fail together would come back together, as a
 * multiple of the load. Only a share of them is retried, each after a random pause.
 */
export class RetryPolicy {
  readonly #options: RetryOptions;
  #inFlight = 0;
  #retried = 0;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** Call when a read begins. */
  begin(): void {
    this.#inFlight += 1;
  }

  /** Call once for each `begin`. */
  end(wasRetried: boolean): void {
    this.#inFlight -= 1;
    if (wasRetried) this.#retried -= 1;
  }

  /** Lets one more read be retried; false where too many are. */
  admit(): boolean {
    if (this.#retried >= Math.max(minRetries, this.#options.share * this.#inFlight)) return false;
    this.#retried += 1;
    return true;
  }

  /** Milliseconds until the next attempt; undefined where there is none. `attempts`: made so far. */
  pauseAfter(error: unknown, attempts: number): number | undefined {
    const { max, baseMs, capMs } = this.#options;
    if (attempts > max || !isRetryable(error)) return undefined;
    const jitter = Math.random() * Math.min(capMs, baseMs * 2 ** (attempts - 1));
    return 1000 * (error.retryAfter ?? 0) + jitter;
  }
}

/** A connection that failed, and a service or proxy that is busy or starting, may answer the next attempt. */
function isRetryable(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError) || error instanceof NotSentError) return false;
  // A timeout without a status is the gateway's own: no time is left.
  return error.code === 'UPSTREAM_UNAVAILABLE' || error.code === 'RATE_LIMITED' || error.status === 504;
}
