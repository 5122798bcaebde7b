import { codedError } from '../errors/codes.ts';
import type { RequestContext } from '../request/context.ts';
import { fromUpstreamError, UpstreamError } from '../upstream/errors.ts';

/** @throws UNAUTHENTICATED without a key, and the error of a token that the service has not accepted. */
export function requireKey({ caller, reader: { refusal } }: RequestContext): void {
  if (!caller.headers.authorization) {
    throw codedError('UNAUTHENTICATED', 'Send the API key in the Authorization header.');
  }
  if (refusal !== undefined) throw refusal instanceof UpstreamError ? fromUpstreamError(refusal) : refusal;
}
