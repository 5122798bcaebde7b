import { NoAnswerError, UpstreamError } from './errors.ts';
import { FileSizeError, type InvoiceFile } from './form-data.ts';

/** The error of a read whose connection has failed. */
export function readFailure(error: unknown): UpstreamError {
  if (isBeforeSending(error)) return unreachable(error);
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service broke the connection off.', error);
}

/** The error of a write without an answer; the file's own error where the source of an upload has failed. */
export function writeFailure(error: unknown, file: InvoiceFile | undefined): Error {
  if (error instanceof UpstreamError) return error;
  // The client has left or the file is too large: the service never saw a complete request.
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

function unreachable(cause: unknown): UpstreamError {
  return new NoAnswerError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached.', cause);
}

/** Refused and impossible connections: no byte of the request has left. */
function isBeforeSending(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code) ||
    /^(ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code) ||
    (error instanceof AggregateError && error.errors.every(isBeforeSending))
  );
}
