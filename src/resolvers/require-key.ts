import { noKey } from '../errors/refusals.ts';
import type { RequestContext } from '../request/context.ts';
import { fromUpstreamError, UpstreamError } from '../upstream/errors.ts';

/** @throws UNAUTHENTICATED without a key, and the error of a token that the service has not accepted. */
export function requireKey({ caller, service, reader: { refusal } }: RequestContext): void {
  if (caller.key === '') throw noKey(service.upstream.contract.data.key.header);
  if (refusal !== undefined) throw refusal instanceof UpstreamError ? fromUpstreamError(refusal) : refusal;
}
