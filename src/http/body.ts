import type { IncomingMessage } from 'node:http';
import { codedError } from '../errors.ts';

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

/** Throws UNSUPPORTED_MEDIA_TYPE (415). */
export function requireJson(request: IncomingMessage): void {
  if (mediaTypeOf(request) === 'application/json') return;
  // Without a body, it is the body that is missing, not its type.
  if (request.headers['content-type'] === undefined && !declaresBody(request)) return;
  const message = 'Content-Type must be application/json or multipart/form-data.';
  throw codedError('UNSUPPORTED_MEDIA_TYPE', message, { http: { status: 415 } });
}

/** Rejects with PAYLOAD_TOO_LARGE (413) as soon as that is known, or with BAD_REQUEST (400) where the client leaves. */
export function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return reject(tooLarge());
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else reject(tooLarge());
    });
    request.on('end', () => {
      const [first] = chunks;
      // A character may lie across chunks: only the whole is text.
      resolve((first && chunks.length === 1 ? first : Buffer.concat(chunks)).toString());
    });
    request.on('close', () => {
      if (request.readableEnded) return;
      reject(codedError('BAD_REQUEST', 'The client has left in the middle of its request.', { http: { status: 400 } }));
    });
  });
}

function tooLarge(): Error {
  return codedError('PAYLOAD_TOO_LARGE', 'The body is larger than MAX_BODY_BYTES.', { http: { status: 413 } });
}
