import type { Json } from '../lib/json.ts';
import type { Reason } from '../loaders/call-origins.ts';
import { endpoints, type Operation } from '../upstream/endpoints.ts';
import { RestError, Withheld } from '../upstream/errors.ts';
import type { CallObserver } from '../upstream/in-flight-request.ts';

/** One call of the REST service, as `extensions.upstream` shows it: no id, no query and no header of anybody is in it. */
export interface TracedCall {
  method: string;
  /** The path of the specification. */
  path: string;
  /** Of the answer; null where none came. */
  status: number | null;
  /** Milliseconds, from the start of the operation and of the call itself. */
  start: number;
  ms: number;
  /** Of a list, or 1 for one resource. */
  rows: number;
  rung: Reason['rung'];
  /** Fields of the operation: paths of root fields, and `Type.field` for references. */
  fields: string[];
  /** Which time a read is made again, from 1; absent the first time. */
  retry?: number;
}

/** What cost the service nothing. */
export interface SavedCall extends Pick<TracedCall, 'method' | 'path' | 'rows' | 'rung' | 'fields'> {
  /**
   * `cache`: a catalog that the caller has read a short while ago; `flight`: an equal read that was under way; `replay`: a
   * write that an earlier request with the same Idempotency-Key has made.
   */
  by: 'cache' | 'flight' | 'replay';
}

/** What was known before the first call. */
export interface Estimate {
  /** The fewest and the most calls that the operation can take, the budget included. Retries are not. */
  least: number;
  most: number;
  /** About how many objects it asks for. */
  cost: number;
}

/** The upstream calls of one operation, in the order in which they began. */
export class Trace {
  /** Absent where the operation is not valid. */
  estimate: Estimate | undefined;
  readonly #begin = performance.now();
  readonly #calls: { call: Omit<TracedCall, 'fields'>; reason: Reason }[] = [];
  readonly #saved: { call: Omit<SavedCall, 'fields'>; reason: Reason }[] = [];

  /** Runs a call and notes how it went, and each attempt as a call of its own. `send` tells its argument of them. */
  async around(operation: Operation, reason: Reason, send: (observer: CallObserver) => Promise<Json>): Promise<Json> {
    let call = this.#note(operation, reason);
    let retries = 0;
    const end = (error?: unknown) => {
      if (error instanceof RestError && error.status !== undefined) call.status = error.status;
      // Between two attempts there is no call that could end.
      call.ms ||= performance.now() - this.#begin - call.start;
    };
    try {
      const answer = await send({
        onStatus: (status) => {
          call.status = status;
        },
        onFailure: end,
        onRetry: () => {
          call = this.#note(operation, reason);
          call.retry = ++retries;
        },
      });
      call.rows = rowsOf(answer);
      end();
      return answer;
    } catch (error) {
      // It is the last one that was noted for this reading, and no call.
      if (error instanceof Withheld)
        this.#calls.splice(
          this.#calls.findIndex((noted) => noted.call === call),
          1,
        );
      else end(error);
      throw error;
    }
  }

  /** Notes what costs no call, whatever becomes of it. */
  save(operation: Operation, reason: Reason, by: SavedCall['by'], answer: Json | Promise<Json>): void {
    const { method, path } = endpoints[operation];
    const call: Omit<SavedCall, 'fields'> = { method, path, by, rows: 0, rung: reason.rung };
    this.#saved.push({ call, reason });
    const learn = (body: Json) => {
      call.rows = rowsOf(body);
    };
    Promise.resolve(answer).then(learn, () => undefined);
  }

  #note(operation: Operation, reason: Reason): Omit<TracedCall, 'fields'> {
    const { method, path } = endpoints[operation];
    const start = performance.now() - this.#begin;
    const call: Omit<TracedCall, 'fields'> = { method, path, status: null, start, ms: 0, rows: 0, rung: reason.rung };
    this.#calls.push({ call, reason });
    return call;
  }

  report(): { estimate?: Estimate; total: number; calls: TracedCall[]; saved: SavedCall[] } {
    const calls = this.#calls.map(({ call, reason }) => ({
      ...call,
      start: rounded(call.start),
      ms: rounded(call.ms),
      fields: reason.fields(),
    }));
    const saved = this.#saved.map(({ call, reason }) => ({ ...call, fields: reason.fields() }));
    return { ...(this.estimate && { estimate: this.estimate }), total: calls.length, calls, saved };
  }
}

function rowsOf(answer: Json): number {
  return Array.isArray(answer.results) ? answer.results.length : 1;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
