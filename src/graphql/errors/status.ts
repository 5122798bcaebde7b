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

/**
 * The HTTP status of an answer without data, by GraphQL over HTTP. `application/graphql-response+json` never has a success
 * status. A client that names `application/json` gets 200 for a well-formed document that is not run. Else the client might
 * take the answer for one of a proxy.
 */
export function refusalStatus(status: number, accept: string | undefined, isWellFormed: boolean): number {
  if (accept === undefined) return status;
  if (answerType(accept) === graphqlType) return status < 400 ? 400 : status;
  return status === 400 && isWellFormed && /application\/json/i.test(accept) ? 200 : status;
}
