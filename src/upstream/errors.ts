import { isObject } from '../lib/json.ts';
import {
  collectValidationErrors,
  messagesIn,
  shownValidationErrors,
  type ValidationError,
} from './validation-errors.ts';

/**
 * What can go wrong between the gateway and the service, in the words of the gateway's error codes.
 * Messages are written here or are the service's own remarks on a field: never a URL, a header or a whole body.
 */
export type UpstreamErrorCode =
  | 'BAD_USER_INPUT'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'UPSTREAM_ERROR'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_INVALID_RESPONSE'
  | 'OUTCOME_UNKNOWN';

export class UpstreamError extends Error {
  readonly code: UpstreamErrorCode;
  /** The status of the service's answer, where there was one. */
  readonly status: number | undefined;
  readonly fields: ValidationError[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    code: UpstreamErrorCode,
    message: string,
    details: { status?: number; fields?: ValidationError[]; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'UpstreamError';
    this.code = code;
    this.status = details.status;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
  }
}

/** What the gateway did not send, because the service cannot or will not take it now. */
export class NotSentError extends UpstreamError {
  constructor(code: 'UPSTREAM_UNAVAILABLE' | 'RATE_LIMITED', message: string, retryAfter: number) {
    super(code, message, { retryAfter });
  }
}

/** A request that went to the service without an answer, or found no way to it. `cause`: the connection's error, if any. */
export class NoAnswerError extends UpstreamError {
  constructor(code: 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'OUTCOME_UNKNOWN', message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/**
 * The error that an answer with a status of 300 or more stands for. `body` is its JSON, or undefined where it is none;
 * `asked.isWrite`: the request was to change something; `asked.key`: its Authorization, which is told to nobody.
 */
export function errorFromAnswer(
  status: number,
  body: unknown,
  retryAfterHeader: string | undefined,
  { isWrite = false, key }: { isWrite?: boolean; key?: string | undefined } = {},
): UpstreamError {
  // Who asks for another try says that this one was not made. Without that a proxy speaks, which has lost the service's
  // answer, not the write.
  const isLost = status === 502 || status === 504 || (status === 503 && retryAfterHeader === undefined);
  if (isWrite && isLost) {
    return new UpstreamError('OUTCOME_UNKNOWN', 'The write was sent, but no answer came: it may have been stored.', {
      status,
    });
  }
  const remarks = messagesIn(body);
  const all = collectValidationErrors(remarks);
  const answer = { status, retryAfter: secondsIn(retryAfterHeader) };
  switch (status) {
    case 400:
    case 422: {
      const fields = shownValidationErrors(all, key);
      const whole = fields.filter((field) => field.path.length === 0).map((field) => field.message);
      const named = fields.filter((field) => field.path.length > 0);
      const where = named.length > 0 ? ` (${[...new Set(named.map((field) => field.path.join('.')))].join(', ')})` : '';
      return new UpstreamError('BAD_USER_INPUT', [`The service refuses the input${where}.`, ...whole].join(' '), {
        ...answer,
        ...(fields.length > 0 && { fields }),
      });
    }
    case 401:
      return new UpstreamError('UNAUTHENTICATED', 'The service does not accept the Authorization header.', answer);
    case 403:
      // The real service says 403 for both; only its words tell a bad key from a missing right.
      return saysNotSignedIn(remarks, all.map(({ message }) => message).join(' '))
        ? new UpstreamError('UNAUTHENTICATED', 'The service does not accept the Authorization header.', answer)
        : new UpstreamError('FORBIDDEN', 'The key may not do this.', answer);
    case 404:
      return new UpstreamError(
        'NOT_FOUND',
        'The service knows no such resource, or does not show it to this key.',
        answer,
      );
    case 409:
      return new UpstreamError('CONFLICT', 'The write contradicts what the service holds.', answer);
    case 413:
      return new UpstreamError('PAYLOAD_TOO_LARGE', 'The service refuses a request of this size.', answer);
    case 415:
      return new UpstreamError('UNSUPPORTED_MEDIA_TYPE', 'The service refuses this media type.', answer);
    case 429:
      return new UpstreamError('RATE_LIMITED', 'The service asks to slow down.', answer);
    case 502:
    case 503:
      return new UpstreamError('UPSTREAM_UNAVAILABLE', 'The service is not available now.', answer);
    case 504:
      return new UpstreamError('UPSTREAM_TIMEOUT', 'The service did not answer in time.', answer);
  }
  if (status < 400) {
    // A followed redirect would turn a POST into a GET and could carry the key to another host.
    return new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service redirects; check UPSTREAM_URL.', answer);
  }
  return new UpstreamError('UPSTREAM_ERROR', `The service failed with status ${status}.`, answer);
}

function saysNotSignedIn(remarks: unknown, text: string): boolean {
  const code = isObject(remarks) ? remarks.code : undefined;
  return (
    ['token_not_valid', 'bad_authorization_header', 'user_not_found', 'user_inactive', 'not_authenticated'].includes(
      String(code),
    ) || /auth?enti|token not valid|deactivated/i.test(text)
  );
}

/** `Retry-After` in seconds, from either of its two forms. */
export function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
