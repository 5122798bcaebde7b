import { Distribution, durations } from '../lib/distribution.ts';
import { Tally } from '../lib/tally.ts';
import type { EndpointName } from './endpoints.ts';
import type { UpstreamErrorCode } from './errors.ts';

/** Why a call is made; `renewal`: to keep a catalog that is getting old; `retry`: because an attempt before it failed. */
export type CallReason = 'root' | 'write' | 'by id' | 'list scan' | 'renewal' | 'retry';

/** Calls of one operation of the service. */
export interface EndpointCalls {
  endpoint: EndpointName;
  /** By reason and status; undefined for calls without an answer. */
  ended: Tally<CallReason, number | undefined>;
  /** Seconds from when a call is made, its wait for a connection included, until it is answered or given up. */
  took: Distribution;
}

/** Calls of the service, counted. */
export class CallCounts {
  inFlight = 0;
  /** What was not sent, because the service could not or would not take it. */
  readonly notSent = new Tally<EndpointName, UpstreamErrorCode>();
  readonly #byOperation = new Map<EndpointName, EndpointCalls>();

  /** A call is made. What it returns is for `end`. */
  begin(): number {
    this.inFlight += 1;
    return performance.now();
  }

  /** Once for what was begun. */
  end(endpoint: EndpointName, reason: CallReason, status: number | undefined, begin: number): void {
    this.inFlight -= 1;
    let calls = this.#byOperation.get(endpoint);
    if (!calls) {
      calls = { endpoint, ended: new Tally(), took: new Distribution(durations) };
      this.#byOperation.set(endpoint, calls);
    }
    calls.ended.add(reason, status);
    calls.took.observe((performance.now() - begin) / 1000);
  }

  /** What was begun was not sent after all; `code` is that of the error which says so. */
  withdraw(endpoint: EndpointName, code: UpstreamErrorCode): void {
    this.inFlight -= 1;
    this.notSent.add(endpoint, code);
  }

  byOperation(): Iterable<EndpointCalls> {
    return this.#byOperation.values();
  }
}
