import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const jsonType = 'application/json; charset=utf-8';
export const graphqlType = 'application/graphql-response+json; charset=utf-8';

/** The media types of answers, in Apollo Server's order. A client that accepts both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

/** The media types of a list as a file. The first of each format is its own name, the others are common aliases. */
const fileTypes = ['application/jsonl', 'application/x-ndjson', 'application/ndjson', 'text/csv'];
/** A client may name the charset. */
const fileTypesInUtf8 = fileTypes.map((type) => `${type}; charset=utf-8`);

/** Clients send few different values of Accept, each with every request. */
const negotiated = new LRUCache<string, { type: string | undefined; fileType: string | undefined }>({ max: 100 });

/** The media type of an answer. Undefined if `Accept` allows none. */
export function answerType(accept: string | undefined): string | undefined {
  // An empty header accepts any type.
  return accept ? negotiate(accept).type : jsonType;
}

/** The media type of a file. Undefined for a client that prefers another answer. */
export function fileType(accept: string | undefined): string | undefined {
  return accept ? negotiate(accept).fileType : undefined;
}

function negotiate(accept: string) {
  let answer = negotiated.get(accept);
  if (!answer) {
    const negotiator = new Negotiator({ headers: { accept } });
    const preferred = negotiator.mediaType([...answerTypes, ...fileTypesInUtf8]);
    const file = fileTypes[fileTypesInUtf8.indexOf(preferred ?? '')];
    answer = { type: negotiator.mediaType(answerTypes), fileType: file };
    if (accept.length < 1_000) negotiated.set(accept, answer);
  }
  return answer;
}

/** The media type of a refusal. A refusal because of `Accept` is JSON. */
export function refusalType(accept: string | undefined): string {
  return answerType(accept) ?? jsonType;
}
