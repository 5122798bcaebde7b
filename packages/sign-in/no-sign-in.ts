import { UpstreamError } from '@gateway/base';

/** The service has no such endpoints, though its contract declares them for other versions. */
export function noSignIn(details: { status?: number } = {}): UpstreamError {
  return new UpstreamError('NOT_FOUND', 'This service has no endpoint to sign in.', details);
}
