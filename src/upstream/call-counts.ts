import { Distribution, durations } from '../lib/distribution.ts';
import { Tally } from '../lib/tally.ts';
import type { Operation } from './endpoints.ts';
import type { RestErrorCode } from './errors.ts';

/** Why a call is made; `renewal`: to keep a catalog that is getting old; `retry`: because an attempt before it failed. */
export type Rung = 'root' | 'write' | 'by id' | 'sweep' | 'renewal' | 'retry';

/** Calls of one operation of the service. */
export interface CallsOf {
  operation: Operation;
  /** By rung and status; undefined for calls without an answer. */
  ended: Tally<Rung, number | undefined>;
  /** Seconds from when a call is made, its wait for a connection included, until it is answered or given up. */
  took: Distribution;
}

/** Calls of the service, counted. */
export class Calls {
  inFlight = 0;
  /** What was not sent, because the service could not or would not take it. */
  readonly withheld = new Tally<Operation, RestErrorCode>();
  readonly #byOperation = new Map<Operation, CallsOf>();

  /** A call is made. What it returns is for `end`. */
  begin(): number {
    this.inFlight += 1;
    return performance.now();
  }

  /** Once for what was begun. */
  end(operation: Operation, rung: Rung, status: number | undefined, begin: number): void {
    this.inFlight -= 1;
    let calls = this.#byOperation.get(operation);
    if (!calls) {
      calls = { operation, ended: new Tally(), took: new Distribution(durations) };
      this.#byOperation.set(operation, calls);
    }
    calls.ended.add(rung, status);
    calls.took.observe((performance.now() - begin) / 1000);
  }

  /** What was begun was not sent after all; `code` is that of the error which says so. */
  withdraw(operation: Operation, code: RestErrorCode): void {
    this.inFlight -= 1;
    this.withheld.add(operation, code);
  }

  byOperation(): Iterable<CallsOf> {
    return this.#byOperation.values();
  }
}
