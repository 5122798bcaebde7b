import type { ErrorCode } from '@gateway/base';
import { answerType, graphqlType, namesJson } from '../media-types.ts';

/** Data with errors beside it. */
export const partialSuccess = 294;

/**
 * The HTTP status of an answer with data and errors, by GraphQL over HTTP (September 2026). Proxies count the answer by its
 * status, and clients of `application/graphql-response+json` ignore the status. Other clients know 200 alone.
 */
export function partialStatus(accept: string | undefined): number {
  return answerType(accept) === graphqlType ? partialSuccess : 200;
}

/**
 * The HTTP status of an answer without data, by GraphQL over HTTP (September 2026). As `application/graphql-response+json`,
 * 400 is for a text that cannot be parsed. All else that is wrong with the document or the variables is 422.
 * A client that names `application/json` gets 200 for a well-formed document that is not run. Else the client might
 * take the answer for one of a proxy.
 */
export function refusalStatus(
  status: number,
  accept: string | undefined,
  { isWellFormed = false, code }: { isWellFormed?: boolean; code?: unknown } = {},
): number {
  if (accept === undefined) return status;
  if (answerType(accept) === graphqlType) {
    if (status > 400) return status;
    return code === 'GRAPHQL_PARSE_FAILED' ? 400 : 422;
  }
  return status === 400 && isWellFormed && namesJson(accept) ? 200 : status;
}

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
