import type { IncomingMessage } from 'node:http';
import {
  badRequest,
  type Caller,
  type CallerHeaders,
  callerOf,
  codedError,
  isObject,
  type Json,
  noKey,
  parseJson,
} from '@gateway/base';
import type { Graph, OperationOptions } from '../graph.ts';
import type { GraphQLHttpRequest } from '../operations/operation-request.ts';
import { refusalStatus } from '../request/accept.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import { csrfHeaders, longestParsedHeader, parsedHeaders, traceHeader } from '../request/header-names.ts';
import { traceParentOf } from '../request/operation-span.ts';
import type { ServeSettings } from '../settings.ts';
import { isMultipart } from './body.ts';

/** The decoded path of a request. Some proxies send the whole address. @throws BAD_REQUEST (400) */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? [];
  return path.includes('%') ? decoded(path, decodeURI, 'The path is not a valid part of an address.') : path;
}

function decoded(text: string, decode: (text: string) => string, otherwise: string): string {
  try {
    return decode(text);
  } catch {
    throw badRequest(otherwise);
  }
}

const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]*)(:\d*)?$/i;

/**
 * Refuses headers that a proxy before the gateway may read in another way, and headers that take long to parse.
 * @throws BAD_REQUEST (400; 431 for a header that is too long)
 */
export function requireValidHeaders(request: IncomingMessage, keyHeader: string): void {
  requireHost(request);
  // Node would take the first key. A proxy may have checked the last one.
  if (countOf(keyHeader.toLowerCase(), request) > 1) {
    throw badRequest(`The ${keyHeader} header comes more than once.`);
  }
  // RFC 9112 (section 6.1): the framing of such a request is faulty.
  if (request.httpVersion === '1.0' && request.headers['transfer-encoding'] !== undefined) {
    throw badRequest('A request of HTTP/1.0 has no Transfer-Encoding.');
  }
  for (const name of parsedHeaders) {
    if ((request.headers[name]?.length ?? 0) <= longestParsedHeader) continue;
    throw badRequest(`The header ${name} is longer than ${longestParsedHeader} characters.`, 431);
  }
  if (!/^(true|false|estimate|, ?)*$/i.test(String(request.headers[traceHeader] ?? '')))
    throw badRequest('The header X-Trace-Upstream is `true`, `estimate` or `false`.');
}

/** RFC 9112 (section 3.2). The gateway does not use the header, but a proxy may read another host from it. */
function requireHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined) {
    if (request.httpVersion === '1.0') return;
    throw badRequest('The Host header is missing.');
  }
  if (countOf('host', request) !== 1 || !validHost.test(host)) throw badRequest('The Host header is not valid.');
}

function countOf(header: string, { rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count;
}

export function graphqlRequest(request: IncomingMessage, body: unknown): GraphQLHttpRequest {
  const method = request.method as GraphQLHttpRequest['method'];
  // The multipart reader has read the form into JSON, after the check for forged requests.
  const headers = isMultipart(request) ? { ...request.headers, 'content-type': 'application/json' } : request.headers;
  return { method, headers, body: method === 'GET' ? bodyOf(request) : body };
}

/** The parameters of a GET, in the form of the body of a POST. Empty ones are missing. @throws BAD_REQUEST (400 or 422) */
function bodyOf({ url = '', headers: { accept } }: IncomingMessage): Json {
  const [, text = ''] = /\?([^#]*)/.exec(url) ?? [];
  // URLSearchParams would replace other bytes without an error.
  decoded(text, decodeURIComponent, 'The parameters are not percent-encoded UTF-8.');
  const parameters = new URLSearchParams(text);
  const status = refusalStatus(400, accept);
  const body: Json = { query: '' };
  for (const name of ['query', 'operationName', 'documentId', 'variables', 'extensions']) {
    const [given, second] = parameters.getAll(name).filter((each) => each !== '');
    if (second !== undefined) throw badRequest(`The parameter ${name} comes more than once.`, status);
    if (given === undefined) continue;
    const isJson = name === 'variables' || name === 'extensions';
    const value = isJson ? parseText(given, `parameter ${name}`, status) : given;
    if (isJson && value !== null && !isObject(value)) throw badRequest(`The parameter ${name} is no object.`, status);
    body[name] = value;
  }
  return body;
}

/** Finds the caller of a request, as the gateway knows it now, with the headers that its calls take along. */
export type CallerOf = (request: IncomingMessage, current: CurrentRequest) => Caller;

export function callersOf(
  { keyHeader, callers }: Graph,
  { forwardHeaders, language }: ServeSettings['upstream'],
): CallerOf {
  const keyName = keyHeader.toLowerCase();
  const headersOf = (request: IncomingMessage): CallerHeaders => {
    const headers: Record<string, string> = {};
    for (const name of [keyName, ...forwardHeaders]) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    if (language !== undefined) headers['accept-language'] = language;
    return headers;
  };
  return (request, current) => {
    current.caller ??= callerOf(headersOf(request), keyName);
    return callers.known(current.caller, traceContextHeaders(request, current));
  };
}

/**
 * Headers that join the service's logs and traces to the client's: the request's id and its trace context. A malformed
 * trace context is dropped. The service's parent is the client, or the span of the operation.
 */
function traceContextHeaders({ headers }: IncomingMessage, request: CurrentRequest): CallerHeaders {
  const { traceparent, tracestate } = headers;
  const { id, span } = request;
  if (!span && traceparent === undefined) return { 'x-request-id': id };
  const parent = span ? span.parent : traceParentOf(traceparent);
  const sent = span?.traceparent ?? (parent && String(traceparent));
  request.traceId = span?.traceId ?? parent?.traceId;
  if (sent === undefined) return { 'x-request-id': id };
  const hasState = parent !== undefined && typeof tracestate === 'string' && /^[ -~]{1,512}$/.test(tracestate);
  return { 'x-request-id': id, traceparent: sent, ...(hasState && { tracestate }) };
}

/** @throws BAD_REQUEST with this status. */
export function parseText(text: string, place = 'body', status = 400): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`Invalid JSON in the ${place}${faultOf(text, (error as Error).message)}.`, status);
  }
}

/** The fault of a text that is not JSON. The rest of the message quotes the text. */
function faultOf(text: string, message: string): string {
  if (text.trim() === '') return ': it is empty';
  if (message.startsWith('Half')) return ': it has half of a surrogate pair, such as an emoji that was cut';
  const [, at, position = ''] = / position (\d+)( \(line \d+ column \d+\))$/.exec(message) ?? [];
  if (!message.startsWith('Unexpected end') && Number(at) !== text.length) return position;
  return `: it ends too early (line ${text.split('\n').length} column ${text.length - text.lastIndexOf('\n')})`;
}

/** @throws BAD_REQUEST (400) for a form that another site could send. */
export function requirePreflight(request: IncomingMessage): void {
  if (csrfHeaders.some((name) => request.headers[name])) return;
  throw badRequest(`A multipart request needs the header ${csrfHeaders[0]}: true.`);
}

/** @throws UNAUTHENTICATED (401) */
export function requireKey({ headers }: IncomingMessage, keyHeader: string): void {
  if (!headers[keyHeader.toLowerCase()]) throw noKey(keyHeader, { status: 401 });
}

/** How the operation of a request runs: as the client's headers ask, with its span and its bounds. */
export function contextOptions({ headers }: IncomingMessage, { span, mostCalls }: CurrentRequest): OperationOptions {
  return {
    span,
    mostCalls,
    trace: traceAsked(headers[traceHeader]),
    language: headers['accept-language'],
    isFresh: /\bno-(cache|store)\b/i.test(headers['cache-control'] ?? ''),
  };
}

/** A header that came twice reads `true, estimate`. A client that asks for an estimate in any spelling wants no run. */
function traceAsked(header: string | string[] = ''): OperationOptions['trace'] {
  return (['estimate', 'true'] as const).find((value) => String(header).toLowerCase().includes(value));
}

export function clientLeft(): Error {
  return codedError('BAD_REQUEST', 'The client has left.');
}
