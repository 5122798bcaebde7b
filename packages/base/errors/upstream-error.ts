import type { Json } from '../json.ts';
import type { ErrorCode, FieldError } from './codes.ts';

/**
 * A failure between the gateway and the service. Messages are the gateway's own, or the service's about a field. They never
 * quote URLs, headers or bodies.
 */
export class UpstreamError extends Error {
  readonly code: ErrorCode;
  /** The status of the service's answer, where there was one. */
  readonly status: number | undefined;
  /** Paths begin at the body: numbers are positions in lists, and an empty path stands for the whole body. */
  readonly fields: FieldError[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** The object that the service answered in place of a new one. */
  readonly existing: Json | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: Partial<Pick<UpstreamError, 'status' | 'fields' | 'retryAfter' | 'existing' | 'cause'>> = {},
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
