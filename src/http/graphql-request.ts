import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { answerTypes } from '../answer-types.ts';
import { csrfHeaders, type GraphQLHttpRequest } from '../apollo.ts';
import { codedError } from '../errors.ts';
import type { CallerHeaders } from '../rest/client.ts';
import { isMultipart } from './body.ts';

/** How a GraphQL request is read out of HTTP, and refused before anything runs. */

/** Browsers that open the address get a page. */
export function prefersPage(request: IncomingMessage): boolean {
  return new Negotiator(request).mediaType([...answerTypes, 'text/html']) === 'text/html';
}

export function graphqlRequest(request: IncomingMessage, body: unknown): GraphQLHttpRequest {
  const { method = 'GET', url = '' } = request;
  // A multipart body has been read into the JSON that it stands for, after its own check for forged requests.
  const headers = isMultipart(request) ? { ...request.headers, 'content-type': 'application/json' } : request.headers;
  const queryStart = url.indexOf('?');
  return { method, headers, search: queryStart < 0 ? '' : url.slice(queryStart), body };
}

export function callerHeaders(request: IncomingMessage, forwarded: readonly string[]): CallerHeaders {
  const headers: Record<string, string> = {};
  for (const name of ['authorization', ...forwarded]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw codedError('BAD_REQUEST', 'Invalid JSON in the body.', { http: { status: 400 } });
  }
}

/** Clients send few different headers, and each of them with every request. */
const acceptable = new LRUCache<string, boolean>({ max: 100 });

/** What Apollo Server could not answer must be refused before anything runs. */
export function requireAcceptable(request: IncomingMessage): void {
  const { accept = '*/*' } = request.headers;
  let isAcceptable = acceptable.get(accept);
  if (isAcceptable === undefined) {
    isAcceptable = new Negotiator(request).mediaType(answerTypes) !== undefined;
    if (accept.length < 1_000) acceptable.set(accept, isAcceptable);
  }
  if (isAcceptable) return;
  throw codedError('BAD_REQUEST', `Accept must allow ${answerTypes.join(' or ')}.`, { http: { status: 406 } });
}

export function requirePreflight(request: IncomingMessage): void {
  if (csrfHeaders.some((name) => request.headers[name])) return;
  throw codedError('BAD_REQUEST', `A multipart request needs the header ${csrfHeaders[0]}: true.`, {
    http: { status: 400 },
  });
}
