import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, METHODS } from 'node:http';
import { badRequest, tooLarge, unsupported } from '@gateway/base';
import type { GraphQLError } from 'graphql';
import { type BodyBounds, ClientBody } from '../uploads/client-body.ts';

/** Node 20 does not parse QUERY. */
const hasQuery = METHODS.includes('QUERY');

/** The methods of the path of GraphQL. */
export const methods = hasQuery ? 'GET, POST, QUERY' : 'GET, POST';

/** The media types of their bodies. `Accept-Query` is of RFC 10008. */
export const acceptedTypes = {
  'accept-post': 'application/json, multipart/form-data',
  ...(hasQuery && { 'accept-query': 'application/json' }),
};

/** A query or a mutation comes in the body. */
export function hasOperation(method: string | undefined): boolean {
  return method === 'POST' || method === 'QUERY';
}

/** The Content-Type in lower case and without its parameters; empty where there is none. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? '';
  const end = type.indexOf(';');
  return (end < 0 ? type : type.slice(0, end)).trim().toLowerCase();
}

export function isMultipart(request: IncomingMessage): boolean {
  return mediaTypeOf(request) === 'multipart/form-data';
}

export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Whether the body is compressed by gzip.
 * @throws UNSUPPORTED_MEDIA_TYPE (415) for another Content-Encoding.
 * @throws BAD_REQUEST (501) for a Transfer-Encoding other than chunked.
 */
export function isGzip(request: IncomingMessage): boolean {
  const { 'content-encoding': coding, 'transfer-encoding': transfer } = request.headers;
  if (transfer && transfer.toLowerCase() !== 'chunked') {
    throw badRequest('Transfer-Encoding may be chunked alone.', 501);
  }
  if (!coding || /^identity$/i.test(coding)) return false;
  if (/^(x-)?gzip$/i.test(coding)) return true;
  throw unsupportedCoding(request);
}

/** @throws UNSUPPORTED_MEDIA_TYPE (415) for a compressed form, most of which is a file that hardly gets smaller. */
export function requirePlain(request: IncomingMessage): void {
  if (isGzip(request)) throw unsupportedCoding(request);
}

/** A body that came with the headers, or is hardly worth a new connection. */
export function hasSmallBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= 16 * 1024;
}

/** @throws UNSUPPORTED_MEDIA_TYPE (415) */
export function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type === 'application/json') return;
  // A request without a body lacks the body, not its type.
  if (type === undefined && !declaresBody(request)) return;
  if (mediaTypeOf(request) !== 'application/json') {
    const others = request.method === 'POST' ? ' or multipart/form-data' : '';
    throw unsupportedBody(request, `Content-Type must be application/json${others}.`);
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) throw unsupportedBody(request, 'JSON is read as UTF-8 alone.');
}

/** @throws PAYLOAD_TOO_LARGE (413) for a Content-Length above the limit. */
export function requireSize({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

/**
 * Reads the body. Its bytes count until their `release`.
 * @throws PAYLOAD_TOO_LARGE (413) as soon as the body is longer than `maxBytes`.
 * @throws BAD_REQUEST (400) for a client that leaves.
 * @throws BAD_REQUEST (408) for a body that is not whole in time.
 * @throws OVERLOADED (503) where the gateway has no memory for it.
 */
export function readBody(request: IncomingMessage, maxBytes: number, bounds: BodyBounds): Promise<ClientBody> {
  return new Promise((resolve, reject) => {
    const body = new ClientBody(bounds, reject);
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length > maxBytes) body.fail(bodyTooLarge(maxBytes));
      else body.add(chunk);
    });
    request.on('end', () => {
      body.complete();
      resolve(body);
    });
    request.on('close', () => {
      if (!request.readableEnded) body.fail(badRequest('The client has left in the middle of its request.'));
    });
  });
}

function unsupportedCoding(request: IncomingMessage): Error {
  return unsupportedBody(request, 'A JSON body may have the Content-Encoding gzip, and a form none.');
}

function unsupportedBody(request: IncomingMessage, message: string): Error {
  return unsupported(message, { ...acceptedTypes, 'accept-encoding': isMultipart(request) ? 'identity' : 'gzip' });
}

/** @throws BAD_REQUEST (400) for bytes that are not UTF-8: `toString` would replace them. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('The body is not UTF-8.');
  return bytes.toString();
}

export function bodyTooLarge(maxBytes: number): GraphQLError {
  return tooLarge(`The body is larger than ${maxBytes} bytes (limits.clients.bodyBytes).`);
}
