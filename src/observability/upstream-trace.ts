import type { Json } from '../lib/json.ts';
import type { CallOrigin } from '../loaders/call-origins.ts';
import { type EndpointName, endpoints } from '../upstream/endpoints.ts';
import { NotSentError, UpstreamError } from '../upstream/errors.ts';
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
  reason: CallOrigin['reason'];
  /** Fields of the operation: paths of root fields, and `Type.field` for references. */
  fields: string[];
  /** Which time a read is made again, from 1; absent the first time. */
  retry?: number;
}

/** What cost the service nothing. */
export interface SavedCall extends Pick<TracedCall, 'method' | 'path' | 'rows' | 'reason' | 'fields'> {
  /**
   * `cache`: a catalog that the caller has read a short while ago; `in flight`: an equal read that was under way; `replay`: a
   * write that an earlier request with the same Idempotency-Key has made.
   */
  by: 'cache' | 'in flight' | 'replay';
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
export class UpstreamTrace {
  /** Absent where the operation is not valid. */
  estimate: Estimate | undefined;
  readonly #begin = performance.now();
  readonly #calls: { call: Omit<TracedCall, 'fields'>; origin: CallOrigin }[] = [];
  readonly #saved: { call: Omit<SavedCall, 'fields'>; origin: CallOrigin }[] = [];

  /** Runs a call and notes how it went, and each attempt as a call of its own. `send` tells its argument of them. */
  async around(
    endpoint: EndpointName,
    origin: CallOrigin,
    send: (observer: CallObserver) => Promise<Json>,
  ): Promise<Json> {
    let call = this.#note(endpoint, origin);
    let retries = 0;
    const end = (error?: unknown) => {
      if (error instanceof UpstreamError && error.status !== undefined) call.status = error.status;
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
          call = this.#note(endpoint, origin);
          call.retry = ++retries;
        },
      });
      call.rows = rowsOf(answer);
      end();
      return answer;
    } catch (error) {
      // It is the last one that was noted for this reading, and no call.
      if (error instanceof NotSentError)
        this.#calls.splice(
          this.#calls.findIndex((noted) => noted.call === call),
          1,
        );
      else end(error);
      throw error;
    }
  }

  /** Notes what costs no call, whatever becomes of it. */
  save(endpoint: EndpointName, origin: CallOrigin, by: SavedCall['by'], answer: Json | Promise<Json>): void {
    const { method, path } = endpoints[endpoint];
    const call: Omit<SavedCall, 'fields'> = { method, path, by, rows: 0, reason: origin.reason };
    this.#saved.push({ call, origin: origin });
    const learn = (body: Json) => {
      call.rows = rowsOf(body);
    };
    Promise.resolve(answer).then(learn, () => undefined);
  }

  #note(endpoint: EndpointName, origin: CallOrigin): Omit<TracedCall, 'fields'> {
    const { method, path } = endpoints[endpoint];
    const start = performance.now() - this.#begin;
    const call: Omit<TracedCall, 'fields'> = {
      method,
      path,
      status: null,
      start,
      ms: 0,
      rows: 0,
      reason: origin.reason,
    };
    this.#calls.push({ call, origin: origin });
    return call;
  }

  report(): { estimate?: Estimate; total: number; calls: TracedCall[]; saved: SavedCall[] } {
    const calls = this.#calls.map(({ call, origin }) => ({
      ...call,
      start: rounded(call.start),
      ms: rounded(call.ms),
      fields: origin.fields(),
    }));
    const saved = this.#saved.map(({ call, origin }) => ({ ...call, fields: origin.fields() }));
    return { ...(this.estimate && { estimate: this.estimate }), total: calls.length, calls, saved };
  }
}

function rowsOf(answer: Json): number {
  return Array.isArray(answer.results) ? answer.results.length : 1;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
