import type { Json } from '../lib/json.ts';
import { RestError, type RestErrorCode } from '../upstream/errors.ts';
import type { FieldRemark } from '../upstream/validation-errors.ts';

/** How a write ended, once and for all. */
export type Outcome = { answer: Json; file?: string } | Refusal;

interface Refusal {
  code: RestErrorCode;
  message: string;
  status?: number | undefined;
  fields?: FieldRemark[] | undefined;
}

/** The service has not carried the write out, and may do so another time. */
const transient: ReadonlySet<RestErrorCode> = new Set(['UNAUTHENTICATED', 'RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);

/** Undefined where the write may be sent again: it never reached the service whole, or was not let in. */
export function outcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof RestError)) return undefined;
  const { code, message, status, fields } = error;
  // A path that is not the service's, or a redirection: it was the address that was wrong.
  const isElsewhere = code === 'UPSTREAM_INVALID_RESPONSE' && (status ?? 0) >= 300;
  const isAnswered = status !== undefined && !transient.has(code) && !isElsewhere;
  return isAnswered || code === 'OUTCOME_UNKNOWN' ? { code, message, status, fields } : undefined;
}

/** The error as it was told the first time. */
export function told({ code, message, status, fields }: Refusal): RestError {
  return new RestError(code, message, { ...(status !== undefined && { status }), ...(fields && { fields }) });
}

/** An equal request has not come to its end, and there is no more time to wait for it. */
export function stillUnderWay(): RestError {
  return new RestError(
    'UPSTREAM_TIMEOUT',
    'An equal request is still under way: send this one again under the same key.',
  );
}

/** Of a write that began and of which nothing was heard again. */
export function lostWrite(): RestError {
  const message =
    'A request with this Idempotency-Key began the write, and its outcome is lost: it may have been stored.';
  return new RestError('OUTCOME_UNKNOWN', message);
}
