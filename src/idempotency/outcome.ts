import type { Json } from '../lib/json.ts';
import { UpstreamError, type UpstreamErrorCode } from '../upstream/errors.ts';
import type { ValidationError } from '../upstream/validation-errors.ts';

/** How a write ended, once and for all. */
export type Outcome = { answer: Json; file?: string } | Refusal;

interface Refusal {
  code: UpstreamErrorCode;
  message: string;
  status?: number | undefined;
  fields?: ValidationError[] | undefined;
}

/** The service has not carried the write out, and may do so another time. */
const transient: ReadonlySet<UpstreamErrorCode> = new Set(['UNAUTHENTICATED', 'RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);

/** Undefined where the write may be sent again: it never reached the service whole, or was not let in. */
export function outcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof UpstreamError)) return undefined;
  const { code, message, status, fields } = error;
  // A path that is not the service's, or a redirection: it was the address that was wrong.
  const isElsewhere = code === 'UPSTREAM_INVALID_RESPONSE' && (status ?? 0) >= 300;
  const isAnswered = status !== undefined && !transient.has(code) && !isElsewhere;
  return isAnswered || code === 'OUTCOME_UNKNOWN' ? { code, message, status, fields } : undefined;
}

/** The error as it was told the first time. */
export function toError({ code, message, status, fields }: Refusal): UpstreamError {
  return new UpstreamError(code, message, { ...(status !== undefined && { status }), ...(fields && { fields }) });
}

/** An equal request has not come to its end, and there is no more time to wait for it. */
export function stillUnderWay(): UpstreamError {
  return new UpstreamError(
    'UPSTREAM_TIMEOUT',
    'An equal request is still under way: send this one again under the same key.',
  );
}

/** Of a write that began and of which nothing was heard again. */
export function lostWrite(): UpstreamError {
  const message =
    'A request with this Idempotency-Key began the write, and its outcome is lost: it may have been stored.';
  return new UpstreamError('OUTCOME_UNKNOWN', message);
}
