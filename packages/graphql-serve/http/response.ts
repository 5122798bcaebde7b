import { hash } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { partialSuccess } from '../request/accept.ts';
import { currentRequest } from '../request/current-request.ts';

// Node writes the phrase of its table, and "unknown" for other statuses.
STATUS_CODES[partialSuccess] = 'Partial Success';

export const json = { 'content-type': 'application/json; charset=utf-8' };
export const plainText = { 'content-type': 'text/plain' };

/** Headers of every answer. A browser must not guess its type, run it, frame it, or embed it in another site. */
export const guarding = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends a whole answer, unless the client has left. */
export function send(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
  bytes = Buffer.byteLength(body),
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...guarding,
    ...headers,
    'x-request-id': currentRequest.getStore()?.id,
    'content-length': bytes,
  });
  // Node sends the headers and a text, but not a buffer, in one system call. ASCII is the same in both encodings, and
  // Node writes latin1 without a conversion.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
}

/** Sends the head of an answer whose length is not known. */
export function sendHead(response: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  const { 'content-length': _, ...others } = headers;
  response.writeHead(status, { ...guarding, ...others, 'x-request-id': currentRequest.getStore()?.id });
}

/**
 * Answers 304 to a client that has the answer with the `etag` of these headers. The answer that the client has keeps its
 * other headers. A connection stays open without a word in HTTP/1.1.
 */
export function sendUnchanged(response: ServerResponse, { etag, vary, ...headers }: OutgoingHttpHeaders): void {
  if (response.shouldKeepAlive && !response.hasHeader('connection')) response.removeHeader('connection');
  const id = currentRequest.getStore()?.id;
  response.writeHead(304, { etag, vary, 'cache-control': headers['cache-control'], 'x-request-id': id }).end();
}

/** The entity tag of an answer: 132 bits of its digest. Each coding has its own, because the bytes differ. */
export function etagOf(body: string | Buffer, coding: string | undefined): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}${coding ? `-${coding}` : ''}"`;
}

/** Whether the client has the answer with this entity tag (RFC 9110, section 13.1.2). */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.includes(etag) === true;
}

/** Answers 405. `allow` lists the methods of the path. */
export function sendMethodNotAllowed(response: ServerResponse, allow: string, headers?: OutgoingHttpHeaders): void {
  send(response, 405, { ...plainText, ...headers, allow }, `This address takes ${allow}.\n`);
}
