import type { EndpointName } from './endpoints.ts';
import { UpstreamError } from './errors.ts';
import type { Interceptor } from './request.ts';

/**
 * Makes the lists of a key old that a write to the endpoint may change. Without an endpoint, all lists of the key are old.
 * Resolves when the other processes have done that too.
 */
export type Invalidate = (keyDigest: string, endpoint?: EndpointName) => Promise<void> | undefined;

/** Invalidates what a caller has read: before and after each write, and when the service no longer accepts the key. */
export function invalidation(invalidate: Invalidate): Interceptor {
  return (next) => (request, done) => {
    const { caller, endpoint, write } = request;
    // No wait for the other processes: until the answer, the old state is as true as the new one.
    if (write) invalidate(caller.keyDigest, endpoint);
    next(request, (error, response) => {
      if (error instanceof UpstreamError && error.code === 'UNAUTHENTICATED') invalidate(caller.tokenDigest);
      if (!write) return done(error, response);
      // A client with the answer may ask another process next.
      Promise.resolve(invalidate(caller.keyDigest, endpoint)).then(() => done(error, response));
    });
  };
}
