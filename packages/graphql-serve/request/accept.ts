import type { IncomingHttpHeaders } from 'node:http';
import * as zlib from 'node:zlib';
import { madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { longestParsedHeader } from './header-names.ts';

/*
 * The form of an answer follows from what its client accepts. GraphQL over HTTP (September 2026) decides about the media
 * type and the status. RFC 9110 (section 12.5.3) decides about the coding.
 */

const jsonType = 'application/json; charset=utf-8';
const graphqlType = 'application/graphql-response+json; charset=utf-8';
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
const acceptedTypes = new LRUCache<string, Accepted>({ max: 1_000 });
const acceptedCodings = new LRUCache<string, AcceptedCoding>({ max: 1_000 });

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
  return madeOnce(acceptedTypes, accept, acceptedBy);
}

function acceptedBy(accept: string): Accepted {
  const inOrder = new Negotiator({ headers: { accept } }).mediaTypes([...answerTypes, pageType]);
  const type = inOrder.find((each) => answerTypes.includes(each));
  return { type, prefersPage: inOrder.find((each) => each === type || each === pageType) === pageType };
}

/** The media type of an answer. A refusal because of `Accept` is JSON. */
export function contentTypeFor(accept: string | undefined): string {
  return answerType(accept) ?? jsonType;
}

/** Data with errors beside it. */
export const partialSuccess = 294;

/**
 * The HTTP status of an answer with data and errors. Proxies count the answer by its status, and clients of
 * `application/graphql-response+json` ignore the status. Other clients know 200 alone.
 */
export function partialStatus(accept: string | undefined): number {
  return answerType(accept) === graphqlType ? partialSuccess : 200;
}

/**
 * The HTTP status of an answer without data. As `application/graphql-response+json`, 400 is for a text that cannot be
 * parsed. All else that is wrong with the document or the variables is 422. A client that names `application/json` gets
 * 200 for a well-formed document that is not run. Else the client might take the answer for one of a proxy.
 */
export function refusalStatus(
  status: number,
  accept: string | undefined,
  { isWellFormed = false, code }: { isWellFormed?: boolean; code?: unknown } = {},
): number {
  if (accept === undefined || status !== 400) return status;
  if (answerType(accept) === graphqlType) return code === 'GRAPHQL_PARSE_FAILED' ? 400 : 422;
  // A client that names `application/json` is no client that takes anything.
  return isWellFormed && /application\/json/i.test(accept) ? 200 : 400;
}

export type Coding = 'zstd' | 'br' | 'gzip';
const newest: readonly Coding[] = zlib.createZstdCompress === undefined ? [] : ['zstd'];
/** The content codings of answers. A client that accepts several alike gets the first of them. Node 20 has no zstd. */
const codings: readonly Coding[] = [...newest, 'br', 'gzip'];

/** Shorter answers stay as they are. */
const minBytes = 1_000;

interface AcceptedCoding {
  coding: Coding | undefined;
  refusesIdentity: boolean;
}

/**
 * The coding of an answer of so many bytes. Undefined for the text as it is. A client that accepts neither gets the text too,
 * because a refusal would hide the answer of a write.
 */
export function codingFor(headers: IncomingHttpHeaders, bytes: number): Coding | undefined {
  const accept = headers['accept-encoding'];
  if (!accept) return undefined;
  const { coding, refusesIdentity } = madeOnce(acceptedCodings, accept, codingBy);
  if (bytes < minBytes && !refusesIdentity) return undefined;
  return /\bno-transform\b/i.test(headers['cache-control'] ?? '') ? undefined : coding;
}

/** The types of negotiator lack the preference among equals. */
type Preferring = { encodings(available: readonly string[], options: { preferred: readonly string[] }): string[] };

function codingBy(accept: string): AcceptedCoding {
  const available = [...codings, 'identity'];
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accept } }) as Preferring;
  const inOrder = negotiator.encodings(available, { preferred: available });
  return { coding: codings.find((each) => each === inOrder[0]), refusesIdentity: !inOrder.includes('identity') };
}
