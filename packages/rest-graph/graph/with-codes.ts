import { noKey, UpstreamError } from '@gateway/base';
import { fromUpstreamError } from '@gateway/upstream';
import type { RequestContext } from '../request/context.ts';

/** Throws errors of the service as the client sees them. */
export async function withCodes<T>(
  run: () => Promise<T>,
  details: Parameters<typeof fromUpstreamError>[1] = {},
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // `answerOf` decides whether an object that was there is an error.
    throw error instanceof UpstreamError && !error.existing ? fromUpstreamError(error, details) : error;
  }
}

/** @throws UNAUTHENTICATED without a key, and the error of a token that the service has not accepted. */
export function requireKey({ caller, service, reader: { refusal } }: RequestContext): void {
  if (caller.key === '') throw noKey(service.upstream.contract.data.key.header);
  if (refusal !== undefined) throw refusal instanceof UpstreamError ? fromUpstreamError(refusal) : refusal;
}
