import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { currentRequest } from '../observability/current-request.ts';

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

/** Sends an answer with an ETag, or 304 to a client that has the same answer (RFC 9110, section 13.1.2). */
export function sendUnlessUnchanged(
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag)) {
    // In a 304, Content-Length is that of the answer that the client has.
    const { 'content-length': _, ...others } = headers;
    response.writeHead(304, { ...guarding, ...others, etag, 'x-request-id': currentRequest.getStore()?.id }).end();
  } else {
    send(response, 200, { ...headers, etag }, body);
  }
}

/** Answers 405. `allow` lists the methods of the path. */
export function sendMethodNotAllowed(response: ServerResponse, allow: string): void {
  send(response, 405, { ...plainText, allow }, `This address takes ${allow}.\n`);
}
