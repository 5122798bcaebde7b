import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const jsonType = 'application/json; charset=utf-8';
const graphqlType = 'application/graphql-response+json; charset=utf-8';

/** The media types of answers, in Apollo Server's order. A client that accepts both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

/** Clients send few different values of Accept, each with every request. */
const negotiated = new LRUCache<string, { type: string | undefined }>({ max: 100 });

/** The media type of an answer. Undefined if `Accept` allows none. */
export function answerType(accept: string | undefined): string | undefined {
  // An empty header accepts any type.
  if (!accept) return jsonType;
  let answer = negotiated.get(accept);
  if (!answer) {
    answer = { type: new Negotiator({ headers: { accept } }).mediaType(answerTypes) };
    if (accept.length < 1_000) negotiated.set(accept, answer);
  }
  return answer.type;
}

/** The media type of a refusal. A refusal because of `Accept` is JSON. */
export function refusalType(accept: string | undefined): string {
  return answerType(accept) ?? jsonType;
}

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
  return status === 400 && isWellFormed && /application\/json/i.test(accept) ? 200 : status;
}
