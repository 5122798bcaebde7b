import { madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { longestParsedHeader } from '../request/header-names.ts';

const jsonType = 'application/json; charset=utf-8';
export const graphqlType = 'application/graphql-response+json; charset=utf-8';
const pageType = 'text/html';

/** The media types of answers, in Apollo Server's order. A client that accepts both alike gets the first. */
export const answerTypes = [jsonType, graphqlType];

interface Accepted {
  /** Undefined if `Accept` allows no answer. */
  type: string | undefined;
  prefersPage: boolean;
}

const anything: Accepted = { type: jsonType, prefersPage: false };

/** More values than requests are in flight, so that each request is parsed once. Clients send few different ones. */
const negotiated = new LRUCache<string, Accepted>({ max: 1_000 });

/** The media type of an answer. Undefined if `Accept` allows none. */
export function answerType(accept: string | undefined): string | undefined {
  return negotiate(accept).type;
}

/** A browser that opens the address gets a page. */
export function prefersPage(accept: string | undefined): boolean {
  return negotiate(accept).prefersPage;
}

function negotiate(accept: string | undefined): Accepted {
  // An empty header accepts any type. A longer one is refused.
  if (!accept || accept.length > longestParsedHeader) return anything;
  return madeOnce(negotiated, accept, acceptedBy);
}

function acceptedBy(accept: string): Accepted {
  const inOrder = new Negotiator({ headers: { accept } }).mediaTypes([...answerTypes, pageType]);
  const type = inOrder.find((each) => answerTypes.includes(each));
  return { type, prefersPage: inOrder.find((each) => each === type || each === pageType) === pageType };
}

/** The shortest `Accept` that means the same for an answer. Parsers behind the gateway's own get it. */
export function plainAccept(accept: string | undefined): string | undefined {
  const type = accept && answerType(accept);
  return type === jsonType && !namesJson(accept as string) ? '*/*' : type;
}

/** A client that names `application/json` is no client that takes anything. */
export function namesJson(accept: string): boolean {
  return /application\/json/i.test(accept);
}

/** The media type of a refusal. A refusal because of `Accept` is JSON. */
export function refusalType(accept: string | undefined): string {
  return answerType(accept) ?? jsonType;
}
