import { UpstreamError } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import type { Send } from './dedupe.ts';
import { Call, type Dispatch } from './request.ts';

/** The other processes that serve the same callers. */
export interface OtherProcesses {
  /** Makes the lists old there that a write of the key may change. */
  announce(keyDigest: string, endpoint: EndpointName): void;
  /** The service no longer accepts the token. */
  refuse(tokenDigest: string): void;
  /** Resolves when the lists are old there, or after a bounded wait. Never rejects. `isUnknown`: the write may come later. */
  broadcast(keyDigest: string, endpoint: EndpointName, isUnknown?: boolean): Promise<void> | undefined;
  /** Stops the calls of a caller there too. */
  pause(keyDigest: string, seconds: number): void;
}

/** Makes old what callers have read. */
interface Readings {
  invalidate(keyDigest: string, endpoint: EndpointName): void;
  /** Does so in all processes. Resolves when they have ended that, or after a bounded wait. */
  invalidateEverywhere(keyDigest: string, endpoint: EndpointName, isUnknown: boolean): Promise<void> | undefined;
}

/** Sends writes. Invalidates what their caller has read, before and after each of them. */
export function sendWrites(readings: Readings, next: Dispatch, others?: OtherProcesses): Send {
  return (request, done) => {
    const { keyDigest } = request.caller;
    // No wait for the other processes: until the answer, the old state is as true as the new one.
    readings.invalidate(keyDigest, request.endpoint);
    others?.announce(keyDigest, request.endpoint);
    const call = new Call(request, 1, request.observer?.nextTraceparent());
    const sent = next(call, (error, response) => {
      // A client with the answer may ask another process next.
      const isUnknown = error instanceof UpstreamError && error.code === 'OUTCOME_UNKNOWN';
      const wait = readings.invalidateEverywhere(keyDigest, request.endpoint, isUnknown);
      if (wait) wait.then(() => done(error, response));
      else done(error, response);
    });
    request.signal.add(sent);
  };
}
