import type { CallOnWire } from './cost-statistics.ts';
import type { Abortable, Done, UpstreamRequest } from './request.ts';

/** One HTTP request to the service: a write, an attempt of a read, or a probe. */
export class Call {
  readonly request: UpstreamRequest;
  /** From 1. */
  readonly attempt: number;
  /** The trace context of the call, in place of the caller's. */
  readonly traceparent: string | undefined;
  /** Milliseconds of performance.now(). */
  readonly beganAt = performance.now();
  /** Set by the transport when it writes the call. */
  onWire: CallOnWire | undefined = undefined;
  /** The status of the answer, set by the transport when the answer begins; 0 before. */
  status = 0;

  constructor(request: UpstreamRequest, attempt = 1, traceparent?: string) {
    this.request = request;
    this.attempt = attempt;
    this.traceparent = traceparent;
  }
}

/** Makes a call, and calls `done`, possibly before it returns. The client ends the call with the `Abortable`. */
export type Dispatch = (call: Call, done: Done) => Abortable;

/** Wraps the rest of the way to the service, as an interceptor of undici does. */
export type Interceptor = (next: Dispatch) => Dispatch;

/** For a call that has ended, or is never made. */
export const nothingToAbort: Abortable = { abort() {} };

/** Sees the calls of one operation. */
export interface CallObserver {
  /** The trace context of the next call. */
  nextTraceparent(): string | undefined;
  /** Returns the observer of the end of the call. */
  begin(call: Call): { finish: Done };
}
