import { STATUS_CODES } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { csrfHeaders, type GraphQLHttpRequest } from './apollo.ts';
import { codedError } from './errors.ts';
import type { CallerHeaders } from './rest/client.ts';

/** How a GraphQL request is read out of HTTP, and refused before anything runs. */

const answerTypes = ['application/graphql-response+json', 'application/json'];

/** Browsers that open the address get a page. */
export function prefersPage(request: FastifyRequest): boolean {
  return new Negotiator(request.raw).mediaType([...answerTypes, 'text/html']) === 'text/html';
}

export function graphqlRequest(request: FastifyRequest, body: unknown): GraphQLHttpRequest {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  // A multipart body has been read into the JSON that it stands for, after its own check for forged requests.
  if (isMultipart(request)) headers.set('content-type', 'application/json');
  const queryStart = request.url.indexOf('?');
  return { method: request.method, headers, search: queryStart < 0 ? '' : request.url.slice(queryStart), body };
}

export function callerHeaders(request: FastifyRequest, forwarded: readonly string[]): CallerHeaders {
  const headers: Record<string, string> = {};
  for (const name of ['authorization', ...forwarded]) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

export function jsonBody(request: FastifyRequest): unknown {
  try {
    return JSON.parse(String(request.body));
  } catch {
    throw codedError('BAD_REQUEST', 'The body is not JSON.', { http: { status: 400 } });
  }
}

export function isMultipart(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

/** Clients send few different headers, and each of them with every request. */
const acceptable = new LRUCache<string, boolean>({ max: 100 });

export function requireAcceptable(request: FastifyRequest): void {
  const { accept = '*/*' } = request.headers;
  let isAcceptable = acceptable.get(accept);
  if (isAcceptable === undefined) {
    isAcceptable = new Negotiator(request.raw).mediaType(answerTypes) !== undefined;
    if (accept.length < 1_000) acceptable.set(accept, isAcceptable);
  }
  if (isAcceptable) return;
  throw codedError('BAD_REQUEST', `Accept must allow ${answerTypes.join(' or ')}.`, { http: { status: 406 } });
}

export function requirePreflight(request: FastifyRequest): void {
  if (csrfHeaders.some((name) => request.headers[name])) return;
  throw codedError('BAD_REQUEST', `A multipart request needs the header ${csrfHeaders[0]}: true.`, {
    http: { status: 400 },
  });
}

/** Fastify's own refusals of a request, in our codes. */
export function fromFastify(error: unknown): Error | undefined {
  const { code, statusCode: status = 500 } = error as { code?: unknown; statusCode?: number };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return codedError('PAYLOAD_TOO_LARGE', 'The body is larger than MAX_BODY_BYTES.', { http: { status } });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return codedError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json or multipart/form-data.', {
        http: { status },
      });
  }
  if (status < 400 || status > 499) return undefined;
  return codedError('BAD_REQUEST', STATUS_CODES[status] ?? 'Bad Request', { http: { status } });
}

/** The HTTP status of an error that was found before the operation ran. */
export function statusOf(error: unknown): number {
  return (error instanceof GraphQLError && (error.extensions.http as { status?: number } | undefined)?.status) || 500;
}
