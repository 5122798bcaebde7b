import type { UpstreamTrace } from './upstream-trace.ts';

/** Gives each call of an operation a `traceparent`, and gets the operation's trace. */
export interface CallSpan {
  readonly isSampled: boolean;
  trace: object | undefined;
  /** The `traceparent` of the next call. */
  next(): string;
}

/** The trace that an operation has left in its span. */
export function traceOf({ trace }: Pick<CallSpan, 'trace'>): UpstreamTrace | undefined {
  return trace as UpstreamTrace | undefined;
}
