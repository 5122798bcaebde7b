import { UpstreamError } from '@gateway/base';
import { NoAnswerError } from './errors.ts';
import type { UploadedFile } from './file-form.ts';

/** The error of a read whose connection has failed. `isBegun`: undici had a connection for the request. */
export function readFailure(error: unknown, isBegun: boolean): UpstreamError {
  if (!isBegun) return unreachable(error);
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service broke the connection off.', error);
}

/** The error of a write without an answer; the file's own error where the source of an upload has failed. */
export function writeFailure(error: unknown, isBegun: boolean, file: UploadedFile | undefined): Error {
  if (error instanceof UpstreamError) return error;
  // The client has left, or its form is refused: the service never saw a complete request.
  if (file?.stream.errored) return file.stream.errored;
  if (!isBegun) return unreachable(error);
  return new NoAnswerError(
    'OUTCOME_UNKNOWN',
    'The write was sent, but no answer came: it may have been stored.',
    error,
  );
}

/** No byte of the request has left. The code of an error proves less: an open connection can end with EHOSTUNREACH too. */
function unreachable(cause: unknown): UpstreamError {
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached.', cause);
}
