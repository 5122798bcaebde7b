import type { ErrorCode } from '@gateway/base';

/** The HTTP status of an answer that shows nothing but a failure. A fault of the gateway has no code yet. */
export function failureStatus(code: unknown): number {
  return code === undefined ? 500 : (failureStatuses[code as ErrorCode] ?? 502);
}

const failureStatuses: Partial<Record<ErrorCode, number>> = {
  BAD_USER_INPUT: 400,
  QUERY_TOO_COMPLEX: 400,
  UPSTREAM_BUDGET_EXCEEDED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  UPSTREAM_UNAVAILABLE: 503,
  OVERLOADED: 503,
  UPSTREAM_TIMEOUT: 504,
};
