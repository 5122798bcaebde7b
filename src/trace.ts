import type { Reason } from './loaders/askers.ts';
import { endpoints, type Operation } from './rest/endpoints.ts';
import { RestError } from './rest/errors.ts';
import type { Json } from './rest/json.ts';

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
}

/** What cost the service nothing. */
export interface SavedCall extends Pick<TracedCall, 'method' | 'path' | 'rows' | 'rung' | 'fields'> {
  /**
   * `cache`: a catalog that the caller has read a short while ago; `flight`: an equal read that was under way; `replay`: a
   * write that an earlier request with the same Idempotency-Key has made.
   */
  by: 'cache' | 'flight' | 'replay';
}

/** What was known before the first call: the fewest and the most that the operation can take, the budget included. */
export interface CallEstimate {
  least: number;
  most: number;
}

/** The upstream calls of one operation, in the order in which they began. */
export class Trace {
  /** Absent where the operation is not valid. */
  estimate: CallEstimate | undefined;
  readonly #begin = performance.now();
  readonly #calls: { call: Omit<TracedCall, 'fields'>; reason: Reason }[] = [];
  readonly #saved: { call: Omit<SavedCall, 'fields'>; reason: Reason }[] = [];

  /** Runs a call and notes how it went. `send` tells the status of the answer to its argument. */
  async around(operation: Operation, reason: Reason, send: (onStatus: (status: number) => void) => Promise<Json>) {
    const { method, path } = endpoints[operation];
    const begun = performance.now();
    const start = begun - this.#begin;
    const call: Omit<TracedCall, 'fields'> = { method, path, status: null, start, ms: 0, rows: 0, rung: reason.rung };
    this.#calls.push({ call, reason });
    try {
      const answer = await send((status) => {
        call.status = status;
      });
      call.rows = rowsOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof RestError && error.status !== undefined) call.status = error.status;
      throw error;
    } finally {
      call.ms = performance.now() - begun;
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

  report(): { estimate?: CallEstimate; total: number; calls: TracedCall[]; saved: SavedCall[] } {
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
