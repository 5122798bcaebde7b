import { codedError, type ErrorCode, type ErrorDetails } from '@gateway/base';
import type { RequestContext, Row } from '@gateway/rest-graph';
import { GraphQLError } from 'graphql';
import type { PlannedWrite, WriteArgs } from './plan.ts';
import type { WriteStatus } from './types.ts';

/** The outcome of one write. */
export interface Outcome {
  status: WriteStatus;
  /** Why there is no answer. */
  error?: GraphQLError;
  /** The object as the service answered it, with the arguments that were sent. */
  made?: { answer: Row; args: WriteArgs };
  /** The arguments of a write that the service may have made. */
  mayBeMade?: WriteArgs;
  /** The object as it is now, of a refused write that another client has overtaken. */
  now?: Row;
}

/** Codes of input that the gateway refuses. */
const refused: ReadonlySet<unknown> = new Set<ErrorCode>([
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_CONFLICT',
]);

/** Codes of writes that the service did not let in, and that have no record. */
const notTried: ReadonlySet<unknown> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'OVERLOADED',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
]);

/** Codes of writes that the service may have made. */
const unknown: ReadonlySet<unknown> = new Set<ErrorCode>(['UPSTREAM_INVALID_RESPONSE', 'INTERNAL_SERVER_ERROR']);

type Attempt = Pick<RequestContext, 'writes' | 'once'>;

/** The outcome of a write that failed. */
export function failed(error: GraphQLError, attempt: Attempt): Outcome {
  return { status: statusOf(error.extensions, attempt), error };
}

function statusOf(
  { code, upstream_status: status }: GraphQLError['extensions'],
  { writes, once }: Attempt,
): WriteStatus {
  // An equal request is making the write, or nobody can say whether one has.
  if (once?.isInProgress || (once?.refusal && code === 'UPSTREAM_UNAVAILABLE')) return 'UNKNOWN';
  if (code === 'OUTCOME_UNKNOWN') return 'UNKNOWN';
  if (!writes.hasSent && once?.replayed.length === 0) {
    // A status is that of a read, which the write has waited for.
    return refused.has(code) && status === undefined ? 'REFUSED' : 'NOT_TRIED';
  }
  // Another server than the service answered, and the gateway keeps no record.
  if (code === 'UPSTREAM_INVALID_RESPONSE' && Number(status ?? 0) >= 300) return 'NOT_TRIED';
  if (notTried.has(code)) return 'NOT_TRIED';
  return unknown.has(code) ? 'UNKNOWN' : 'REFUSED';
}

/** The outcome of a write that needs another one. */
export function notTriedAfter(needed: PlannedWrite, { status, error }: Outcome): Outcome {
  const name = needed.ref === undefined ? `writes.${needed.index}` : `"$${needed.ref}"`;
  const { code = 'UPSTREAM_INVALID_RESPONSE', retryable = false } = error?.extensions ?? {};
  const message = error
    ? `Needs ${name}, which is ${status}: ${error.message}`
    : `Needs ${name}, whose answer lacks the object.`;
  const details = { code, retryable };
  return { status: 'NOT_TRIED', error: new GraphQLError(message, { extensions: details }) };
}

interface ErrorExtensions extends ErrorDetails {
  code: ErrorCode;
  retryable: boolean;
}

/** Characters, as in the errors beside the data. */
const maxMessage = 1_000;

export function toWriteError({ message, extensions }: GraphQLError) {
  const { code, retryable, fields, upstream_status, retry_after } = extensions as unknown as ErrorExtensions;
  return {
    code,
    retryable,
    message: message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message,
    fields: fields?.map((field) => ({ path: field.path.map(String), message: field.message })) ?? null,
    upstream_status: upstream_status ?? null,
    retry_after: retry_after ?? null,
  };
}

export function internalError(): GraphQLError {
  return codedError('INTERNAL_SERVER_ERROR', 'Something went wrong in the gateway.');
}
