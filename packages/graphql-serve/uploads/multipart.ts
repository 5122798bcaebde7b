import type { IncomingMessage } from 'node:http';
import { type FormOptions, FormReader } from './form-reader.ts';
import type { PaceLimits } from './pace.ts';
import { feedBody } from './request-body.ts';
import type { Transfer, TransferLimit } from './transfer-limit.ts';

export interface MultipartOptions extends FormOptions, PaceLimits {
  /** The header of the API key, which the request has. */
  keyHeader: string;
  running: TransferLimit;
}

export interface MultipartRequest {
  /** The parsed field `operations`, with an `Upload` in the place that `map` names. */
  operations: Record<string, unknown>;
  /** Bytes of the file that have arrived so far. */
  fileBytes(): number;
  /** Frees the file and the connection. Call it when the answer is ready, also after a failure. */
  finish(): Promise<void>;
}

/**
 * Reads a GraphQL multipart request with one operation and one file. Settles when the file begins, so that the operation
 * runs while the file streams. Without a Content-Length, reads the file to its end first, because the service must be sent
 * its size. Calls `begin` before it reads any of the body, unless the headers are a reason to refuse it. Calls `onRead` when
 * the operation begins to read the file.
 *
 * Throws, with an HTTP status: BAD_REQUEST (400, or 408 for a slow client), PAYLOAD_TOO_LARGE (413),
 * UNSUPPORTED_MEDIA_TYPE (415), OVERLOADED (503). After a throw, the rest of the body is drained without the caller's help.
 */
export async function readMultipart(
  request: IncomingMessage,
  options: MultipartOptions,
  { begin = () => {}, onRead = () => {} } = {},
): Promise<MultipartRequest> {
  const onFile = () => options.running.enter(file);
  const form = new FormReader(request, options, { begin, onFile, onRead });
  const body = feedBody(request, form, options);
  const file: Transfer = {
    caller: String(request.headers[options.keyHeader]),
    behindMs: body.behindMs,
    giveWay: () => form.giveWay(),
  };
  const finish = () => {
    form.close();
    options.running.leave(file);
    return body.linger();
  };
  try {
    return { operations: await form.operations, fileBytes: () => form.fileBytes, finish };
  } catch (error) {
    finish();
    throw error;
  }
}
