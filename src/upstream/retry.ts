import { NotSentError, UpstreamError } from './errors.ts';

export interface RetryOptions {
  /** Of one read, after its first attempt. */
  maxRetries: number;
  /** Milliseconds that the pause before the first retry may take; before each further one, twice as many. */
  base: number;
  /** Milliseconds that a pause may take at most, but for what the service asks for. */
  cap: number;
  /** Of all reads under way, how many may be retried at a time: 0 to 1. */
  share: number;
}

/** So many may always be retried at a time: a share of a few reads is none. */
const leastRetried = 3;

/**
 * Which reads that have failed are made again, and when. What fails at once for all would come back as so many times the
 * load, so only a share of the reads is retried, and each after a pause of its own.
 */
export class RetryPolicy {
  readonly #options: RetryOptions;
  #underWay = 0;
  #retried = 0;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** A read has begun. */
  begin(): void {
    this.#underWay += 1;
  }

  /** Once for what was begun. */
  end(wasRetried: boolean): void {
    this.#underWay -= 1;
    if (wasRetried) this.#retried -= 1;
  }

  /** One read more is being retried; false where as many are as may be. */
  admit(): boolean {
    if (this.#retried >= Math.max(leastRetried, this.#options.share * this.#underWay)) return false;
    this.#retried += 1;
    return true;
  }

  /** Milliseconds until the next attempt; undefined where there is none. `attempts`: made so far. */
  pauseAfter(error: unknown, attempts: number): number | undefined {
    const { maxRetries, base, cap } = this.#options;
    if (attempts > maxRetries || !isRetryable(error)) return undefined;
    // Any moment is as likely as another, so that those who have failed together do not come back together.
    const jitter = Math.random() * Math.min(cap, base * 2 ** (attempts - 1));
    return 1000 * (error.retryAfter ?? 0) + jitter;
  }
}

/** The next attempt may succeed: the connection failed, or the service or a proxy before it is busy or starting. */
function isRetryable(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError) || error instanceof NotSentError) return false;
  // A timeout without a status is the gateway's own: no time is left.
  return error.code === 'UPSTREAM_UNAVAILABLE' || error.code === 'RATE_LIMITED' || error.status === 504;
}
