import type { Deadlines } from '../lib/deadlines.ts';
import { NotSentError, UpstreamError } from './errors.ts';
import type { Dispatch, Interceptor, UpstreamRequest } from './request.ts';

/** Makes a read again that has failed for a while only. All attempts share one deadline. */
export function retry(policy: RetryPolicy, deadlines: Deadlines): Interceptor {
  return (next) => {
    const end = (request: UpstreamRequest) => {
      policy.end(request.isRetried);
      deadlines.stop(request);
    };
    const send: Dispatch = (request, done) => {
      request.attempts += 1;
      request.isSent = false;
      request.status = 0;
      next(request, (error, response) => {
        const pauseMs = error === undefined ? undefined : pauseBeforeRetry(policy, request, error);
        if (pauseMs === undefined) {
          end(request);
          return done(error, response);
        }
        const timer = setTimeout(send, pauseMs, request, done);
        request.controller = {
          abort(reason) {
            clearTimeout(timer);
            end(request);
            done(reason, undefined);
          },
        };
      });
    };
    return (request, done) => {
      if (request.write) return next(request, done);
      policy.begin();
      deadlines.start(request);
      send(request, done);
    };
  };
}

/** Milliseconds; undefined where the read has no further attempt. */
function pauseBeforeRetry(policy: RetryPolicy, request: UpstreamRequest, error: unknown): number | undefined {
  const pauseMs = policy.pauseAfter(error, request.attempts);
  if (pauseMs === undefined) return undefined;
  const at = performance.now() + pauseMs;
  if (at >= request.due || !(request.isRetried || policy.admit())) return undefined;
  request.isRetried = true;
  return request.waiters?.allowRetry(at, error) ? pauseMs : undefined;
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
