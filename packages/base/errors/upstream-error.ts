import type { Json } from '../json.ts';

/** A message of the service about a part of the input. */
export interface ValidationError {
  /** Steps from the body on; numbers for positions in lists; empty for the whole body. */
  path: (string | number)[];
  message: string;
}

/** Failures between the gateway and the service, by the codes that clients get. */
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
  | 'OUTCOME_UNKNOWN'
  | 'OVERLOADED';

/** Messages are the gateway's own, or the service's about a field. They never quote URLs, headers or bodies. */
export class UpstreamError extends Error {
  readonly code: UpstreamErrorCode;
  /** The status of the service's answer, where there was one. */
  readonly status: number | undefined;
  readonly fields: ValidationError[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** The object that the service answered in place of a new one. */
  readonly existing: Json | undefined;

  constructor(
    code: UpstreamErrorCode,
    message: string,
    details: {
      status?: number;
      fields?: ValidationError[];
      retryAfter?: number | undefined;
      existing?: Json;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'UpstreamError';
    this.code = code;
    this.status = details.status;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.existing = details.existing;
  }
}
