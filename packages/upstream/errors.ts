import {
  type Caller,
  codedError,
  type ErrorCode,
  type ErrorDetails,
  type FieldError,
  UpstreamError,
} from '@gateway/base';
import type { Contract, DialectTraits } from '@gateway/contract';
import type { GraphQLError } from 'graphql';
import { claimAt, signInClaimsOf } from './claims.ts';
import type { UploadedFile } from './file-form.ts';
import { collectValidationErrors, shownValidationErrors } from './validation-errors.ts';

/** No answer came in time, or no time was left for a call. */
export function isTooLate(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.code === 'UPSTREAM_TIMEOUT';
}

/** A call that the gateway did not send, because the service cannot or will not take it now. */
export class NotSentError extends UpstreamError {
  constructor(code: 'UPSTREAM_UNAVAILABLE' | 'RATE_LIMITED' | 'OVERLOADED', message: string, retryAfter: number) {
    super(code, message, { retryAfter });
  }
}

const unavailable = { code: 'UPSTREAM_UNAVAILABLE', retryAfter: undefined } as const;

/** The error of a write that was given up, for a reason, before a byte of it was sent. */
export function writeNotSent(reason: unknown): UpstreamError {
  const { code, retryAfter } = reason instanceof UpstreamError ? reason : unavailable;
  return new UpstreamError(code, `${(reason as Error).message} This write was not sent.`, { retryAfter });
}

/** A request without an answer, or without a connection to the service. `cause`: the connection's error, if any. */
export class NoAnswerError extends UpstreamError {
  constructor(code: 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'OUTCOME_UNKNOWN', message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/** The error of a read whose connection has failed. `isBegun`: undici had a connection for the request. */
export function readFailure(error: unknown, isBegun: boolean): UpstreamError {
  if (!isBegun) return unreachable(error);
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service broke the connection off.', error);
}

/** The error of a write without an answer; the file's own error where the source of an upload has failed. */
export function writeFailure(error: unknown, isBegun: boolean, file: UploadedFile | undefined): Error {
  if (error instanceof UpstreamError) return error;
  // The client has left, or its form is refused: the service never saw a complete request.
  if (file?.stream.errored) return file.stream.errored;
  if (!isBegun) return unreachable(error);
  return new NoAnswerError(
    'OUTCOME_UNKNOWN',
    'The write was sent, but no answer came: it may have been stored.',
    error,
  );
}

/** No byte of the request has left. The code of an error proves less: an open connection can end with EHOSTUNREACH too. */
function unreachable(cause: unknown): UpstreamError {
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached.', cause);
}

/** The end of the time that a read has. One for all: an error is dear to make. */
export const noTimeLeft = new UpstreamError('UPSTREAM_TIMEOUT', 'The service did not answer in time.');

/** The error of a call that was on its way. Only that says something about the service. */
export function whenSent(reason: unknown): unknown {
  return reason === noTimeLeft ? new NoAnswerError('UPSTREAM_TIMEOUT', noTimeLeft.message) : reason;
}

const notFound = ['NOT_FOUND', 'The service knows no such resource, or does not show it to this key.'] as const;

export function noSuchResource(): UpstreamError {
  return new UpstreamError(...notFound);
}

/** Code and message by status. */
const failures: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['BAD_USER_INPUT', 'The service refuses the input.'],
  403: ['FORBIDDEN', 'The key may not do this.'],
  404: notFound,
  409: ['CONFLICT', 'The write contradicts what the service holds.'],
  413: ['PAYLOAD_TOO_LARGE', 'The service refuses a request of this size.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The service refuses this media type.'],
  422: ['BAD_USER_INPUT', 'The service refuses the input.'],
  429: ['RATE_LIMITED', 'The service asks to slow down.'],
  502: ['UPSTREAM_UNAVAILABLE', 'The service is not available now.'],
  503: ['UPSTREAM_UNAVAILABLE', 'The service is not available now.'],
  504: ['UPSTREAM_TIMEOUT', 'The service did not answer in time.'],
};

/** The service refuses the key of the caller. */
export function keyRefused({ data: { key } }: Contract, answer?: { status: number }): UpstreamError {
  return new UpstreamError('UNAUTHENTICATED', `The service does not accept the ${key.header} header.`, answer);
}

/** Statuses of servers that do not know the method, the protocol or the client. They have made no write. */
const notMade: ReadonlySet<number> = new Set([501, 505, 511]);

/** The parts of a call on which the error of its answer depends. */
interface ErrorContext {
  contract: Contract;
  isWrite?: boolean;
  /** No message may quote its key. */
  caller?: Pick<Caller, 'key' | 'headers'>;
  /** The gateway sends times so. */
  times?: DialectTraits['times'];
}

/** The error of an answer with a status of 300 or more. `body`: its JSON, or undefined. */
export function errorFromAnswer(
  status: number,
  body: unknown,
  retryAfterHeader: string | undefined,
  { contract, isWrite = false, caller = noCaller, times }: ErrorContext,
): UpstreamError {
  const { wire } = contract;
  const { claims } = contract.data.key;
  // A 503 with Retry-After comes from the service, which has not made the write.
  const isRefusal = notMade.has(status) || (status === 503 && retryAfterHeader !== undefined);
  if (isWrite && status >= 500 && !isRefusal) {
    const message = `The service answered the write with status ${status}, and may have stored it: read before you send it again.`;
    return new UpstreamError('OUTCOME_UNKNOWN', message, { status });
  }
  const messages = wire.messagesOf(body);
  const errors = collectValidationErrors(messages, wire);
  const answer = { status, retryAfter: secondsIn(retryAfterHeader) };
  const needed = contract.data.dialects.find(({ refusesTimes }) =>
    errors.some(({ message }) => message === refusesTimes),
  );
  // Where the gateway sends times in that form, another time must be wrong.
  if (status === 400 && needed && times !== needed.times) {
    const form = needed.times === 'unix' ? 'unix seconds' : 'ISO 8601';
    const message = `The service takes date-times as ${form} alone: the gateway needs UPSTREAM_DIALECT=${needed.name}.`;
    return new UpstreamError('UPSTREAM_INVALID_RESPONSE', message, answer);
  }
  if (status === 500 && lacksClaims(caller, contract.data.key)) {
    const message = `The service fails on this token, which lacks ${claims.join(' or ')}.`;
    return new UpstreamError('UNAUTHENTICATED', message, answer);
  }
  // Some services say 403 for a bad key and for a missing right; their words differ.
  if (status === 401 || (status === 403 && wire.refusesKey(messages, errors))) return keyRefused(contract, answer);
  const [code, message] = failures[status] ?? [];
  if (code && message) {
    // Those of other statuses speak to whoever runs the service.
    const shown = [400, 403, 409, 422].includes(status) ? shownValidationErrors(errors, caller.key) : [];
    const fields = shown.filter(({ path }) => path.length > 0 || code === 'BAD_USER_INPUT');
    return new UpstreamError(code, explain(message, shown), { ...answer, ...(fields.length > 0 && { fields }) });
  }
  if (status < 400) {
    // A followed redirect would turn a POST into a GET and could carry the key to another host.
    return new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service redirects; check UPSTREAM_URL.', answer);
  }
  return new UpstreamError('UPSTREAM_ERROR', `The service failed with status ${status}.`, answer);
}

const noCaller = { key: '', headers: {} };

function explain(message: string, fields: readonly FieldError[]): string {
  const whole = fields.filter(({ path }) => path.length === 0).map(({ message }) => message);
  const named = new Set(fields.filter(({ path }) => path.length > 0).map(({ path }) => path.join('.')));
  const where = named.size > 0 ? ` (${[...named].join(', ')})` : '';
  return [message.replace(/\.$/, `${where}.`), ...whole].join(' ');
}

function lacksClaims(caller: Pick<Caller, 'key' | 'headers'>, key: Contract['data']['key']): boolean {
  const claims = signInClaimsOf(caller, key);
  return claims !== undefined && key.claims.some((path) => claimAt(claims, path) === undefined);
}

/** `Retry-After` in seconds, from either of its two forms. */
export function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/**
 * An error of the service as the client sees it; any other as it is. `pathPrefix`: where the request body stands among the arguments;
 * `rename`: what the client knows a field of the service by.
 */
export function fromUpstreamError<Failure>(
  error: Failure,
  details: Pick<ErrorDetails, 'reference' | 'http'> & { pathPrefix?: string[]; rename?: (name: string) => string } = {},
): Failure | GraphQLError {
  if (!(error instanceof UpstreamError)) return error;
  const { pathPrefix = [], rename = (name) => name, reference, http } = details;
  const placed = (path: (string | number)[]) => [
    ...pathPrefix,
    ...path.map((step, index) => (index === 0 && typeof step === 'string' ? rename(step) : step)),
  ];
  return codedError(error.code, error.message, {
    ...(reference && { reference }),
    ...(http && { http }),
    ...(error.fields && { fields: error.fields.map(({ path, message }) => ({ path: placed(path), message })) }),
    ...(error.status !== undefined && { upstream_status: error.status }),
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
  });
}
