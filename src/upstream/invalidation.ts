import type { EndpointName } from './endpoints.ts';
import { UpstreamError } from './errors.ts';
import type { Interceptor } from './request.ts';

/** The other processes that serve the same callers. */
export interface OtherProcesses {
  /** Makes the lists old there that a write of the key may change. */
  announce(keyDigest: string, endpoint: EndpointName): void;
  /** The service no longer accepts the token. */
  refuse(tokenDigest: string): void;
  /** Resolves when the lists are old there, or after a bounded wait. Never rejects. */
  broadcast(keyDigest: string, endpoint: EndpointName): Promise<void> | undefined;
  /** Stops the calls of a caller there too. */
  pause(keyDigest: string, seconds: number): void;
}

interface Invalidations {
  /** Here alone. */
  invalidate(keyDigest: string, endpoint: EndpointName): void;
  refuse(tokenDigest: string): void;
  invalidateEverywhere(keyDigest: string, endpoint: EndpointName): Promise<void> | undefined;
}

/** Invalidates what a caller has read: before and after each write, and when the service no longer accepts the key. */
export function invalidation(upstream: Invalidations, others?: OtherProcesses): Interceptor {
  return (next) => (request, done) => {
    const { caller, endpoint, write } = request;
    // No wait for the other processes: until the answer, the old state is as true as the new one.
    if (write) {
      upstream.invalidate(caller.keyDigest, endpoint);
      others?.announce(caller.keyDigest, endpoint);
    }
    next(request, (error, response) => {
      if (error instanceof UpstreamError && error.code === 'UNAUTHENTICATED') {
        upstream.refuse(caller.tokenDigest);
        others?.refuse(caller.tokenDigest);
      }
      if (!write) return done(error, response);
      // A client with the answer may ask another process next.
      const wait = upstream.invalidateEverywhere(caller.keyDigest, endpoint);
      if (wait) wait.then(() => done(error, response));
      else done(error, response);
    });
  };
}
