import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { FormatError } from '../graphql/errors/format.ts';
import { currentRequest } from '../observability/current-request.ts';
import { declaresBody, isMultipart } from './body.ts';

export const json = { 'content-type': 'application/json; charset=utf-8' };
export const plainText = { 'content-type': 'text/plain' };

/** Of every answer: a browser is not to guess what it is, to run anything in it, to frame it, or to embed it elsewhere. */
export const guarding = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends a whole answer. One that nobody waits for any more is dropped. */
export function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders, text: string): void {
  if (response.destroyed) return;
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, {
    ...guarding,
    ...headers,
    'x-request-id': currentRequest.getStore()?.id,
    'content-length': bytes,
  });
  // Node joins a text, other than a buffer, with the headers to one write, and so to one system call. ASCII is the same
  // in both encodings, and as latin1 it is written without being converted.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/** Sends an answer that the client may keep, unless it says that it has the same one (RFC 9110, section 13.1.2). */
export function sendUnlessUnchanged(
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  text: string,
): void {
  const etag = `"${hash('sha256', text, 'base64url')}"`;
  const kept = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (kept?.includes(etag)) {
    // A length would be that of the answer that the client has.
    const { 'content-length': _, ...others } = headers;
    response.writeHead(304, { ...guarding, ...others, etag, 'x-request-id': currentRequest.getStore()?.id }).end();
  } else {
    send(response, 200, { ...headers, etag }, text);
  }
}

/** Answers a request whose method the address does not know; `allow` lists those that it knows. */
export function sendMethodNotAllowed(response: ServerResponse, allow: string): void {
  send(response, 405, { ...plainText, allow }, `This address takes ${allow}.\n`);
}

/** Answers a request that failed before its operation ran. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  formatError: FormatError,
): void {
  // Also logs what nobody foresaw, whether or not it can still be answered.
  const text = errorText(error, formatError);
  if (response.headersSent) {
    // What has begun as something else cannot become an error; cut off, it is not taken for whole.
    if (!response.writableEnded) response.destroy();
    return;
  }
  // The rest of a refused body is not worth its transfer. The reader of multipart bodies sees to that itself: closing
  // would reset a client that still sends, before it has read the answer.
  const isUnread = declaresBody(request) && !request.readableEnded && !isMultipart(request);
  const retryAfter = error instanceof GraphQLError ? error.extensions.retry_after : undefined;
  const headers: OutgoingHttpHeaders = {
    ...json,
    ...(isUnread && { connection: 'close' }),
    ...(typeof retryAfter === 'number' && { 'retry-after': String(retryAfter) }),
  };
  send(response, statusOf(error), headers, text);
}

export function errorText(error: unknown, formatError: FormatError): string {
  const message = error instanceof Error ? error.message : '';
  return JSON.stringify({ errors: [formatError({ message }, error)] });
}

/** The HTTP status of an error that was found before the operation ran. */
export function statusOf(error: unknown): number {
  return (error instanceof GraphQLError && (error.extensions.http as { status?: number } | undefined)?.status) || 500;
}
