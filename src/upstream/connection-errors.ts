import { NoAnswerError, UpstreamError } from './errors.ts';
import { FileSizeError, type InvoiceFile } from './form-data.ts';

/** What it means for a read that the connection failed. */
export function readFailure(error: unknown): UpstreamError {
  if (isBeforeSending(error)) return unreachable(error);
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service broke the connection off.', error);
}

/** What it means for a write that its answer did not come; the file's own error when an upload's source failed. */
export function writeFailure(error: unknown, file: InvoiceFile | undefined): Error {
  if (error instanceof UpstreamError) return error;
  // The source of an upload failed (client gone, file too large): the service never saw a complete request.
  if (file?.stream.errored) return file.stream.errored;
  if (error instanceof FileSizeError) {
    return new UpstreamError('BAD_USER_INPUT', 'The file is not of the size that was announced.', { cause: error });
  }
  if (isBeforeSending(error)) return unreachable(error);
  return new NoAnswerError(
    'OUTCOME_UNKNOWN',
    'The write was sent, but no answer came: it may have been stored.',
    error,
  );
}

/** A write for which no connection became free in time. */
export function neverSent(): UpstreamError {
  return new UpstreamError(
    'UPSTREAM_UNAVAILABLE',
    'No connection to the service became free in time; nothing was sent.',
  );
}

function unreachable(cause: unknown): UpstreamError {
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached.', cause);
}

/** Errors that come before the first byte of a request leaves: refused or impossible connections. */
function isBeforeSending(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code) ||
    /^(ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code) ||
    (error instanceof AggregateError && error.errors.every(isBeforeSending))
  );
}
