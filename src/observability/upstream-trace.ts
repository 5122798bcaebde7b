import type { Json } from '../lib/json.ts';
import type { CallOrigin } from '../loaders/call-origins.ts';
import type { AccessPath, Choice } from '../loaders/planner.ts';
import { type EndpointName, endpoints } from '../upstream/endpoints.ts';
import { NotSentError, UpstreamError } from '../upstream/errors.ts';
import type { Observer, UpstreamRequest } from '../upstream/request.ts';

/** One call of the REST service, as `extensions.upstream` shows it, without ids, query and headers. */
export interface TracedCall {
  method: string;
  /** The path of the specification. */
  path: string;
  /** HTTP status of the answer; null where none came. */
  status: number | null;
  /** Milliseconds, from the start of the operation and of the call itself. */
  start: number;
  ms: number;
  /** Rows of a list, or 1 for one resource. */
  rows: number;
  reason: CallOrigin['reason'];
  /** Fields of the operation: paths of root fields, and `Type.field` for references. */
  fields: string[];
  /** The number of the repetition, from 1; absent for the first attempt. */
  retry?: number;
}

/** A read or write that cost no call. */
export interface SavedCall extends Pick<TracedCall, 'method' | 'path' | 'rows' | 'reason' | 'fields'> {
  /**
   * `cache`: from the list cache. `in flight`: joined an equal read of the caller. `replay`: an earlier request with the
   * same Idempotency-Key made the write.
   */
  by: 'cache' | 'in flight' | 'replay';
}

/** How the gateway got the references of a batch, or the rows of a range, and what else there was. */
export interface TracedChoice extends Pick<TracedCall, 'path' | 'fields'>, Choice {}

/** The estimate before the first call. */
export interface Estimate {
  /** The fewest and the most calls that the operation can take, the budget included. Retries are not. */
  least: number;
  most: number;
  /** About how many objects the operation asks for. */
  cost: number;
}

/** The answer to one operation, as `extensions.upstream` shows it. */
export interface UpstreamReport {
  estimate?: Estimate;
  total: number;
  calls: TracedCall[];
  saved: SavedCall[];
  choices: TracedChoice[];
  /** Choices beyond those that the report lists; absent where it lists all. */
  moreChoices?: number;
}

type NotedCall = Omit<TracedCall, 'fields'>;

/** A trace stays small, however many batches an operation has. */
const maxChoices = 100;

/** The upstream calls of one operation, in the order in which they began. */
export class UpstreamTrace {
  /** Absent where the operation is not valid. */
  estimate: Estimate | undefined;
  readonly #begin = performance.now();
  readonly #calls: { call: NotedCall; origin: CallOrigin; request: UpstreamRequest }[] = [];
  readonly #saved: { call: Omit<SavedCall, 'fields'>; origin: CallOrigin }[] = [];

  readonly #choices: { endpoint: EndpointName; choice: Choice; origin: CallOrigin }[] = [];
  #moreChoices = 0;

  /** Notes each attempt of a request as a call; a request that was not sent is no call. */
  observe(endpoint: EndpointName, origin: CallOrigin): Observer {
    return (request) => {
      const { method, path } = endpoints[endpoint];
      const start = performance.now() - this.#begin;
      const call: NotedCall = { method, path, status: null, start, ms: 0, rows: 0, reason: origin.reason };
      if (request.attempts > 1) call.retry = request.attempts - 1;
      const noted = { call, origin, request };
      this.#calls.push(noted);
      return (error, response) => {
        if (error instanceof NotSentError) {
          this.#calls.splice(this.#calls.indexOf(noted), 1);
          return;
        }
        call.status = statusOf(error) ?? (request.status || null);
        call.ms = performance.now() - this.#begin - start;
        if (response?.data) call.rows = rowsOf(response.data);
      };
    };
  }

  /** Notes a read or write that costs no call, even if it fails later. */
  save(endpoint: EndpointName, origin: CallOrigin, by: SavedCall['by'], answer: Json | Promise<Json>): void {
    const { method, path } = endpoints[endpoint];
    const call: Omit<SavedCall, 'fields'> = { method, path, by, rows: 0, reason: origin.reason };
    this.#saved.push({ call, origin });
    const learn = (body: Json) => {
      call.rows = rowsOf(body);
    };
    Promise.resolve(answer).then(learn, () => undefined);
  }

  /** Notes how the gateway gets a batch or a range, before its first call. */
  choose(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void {
    if (this.#choices.length < maxChoices) this.#choices.push({ endpoint, choice, origin });
    else this.#moreChoices += 1;
  }

  report(): UpstreamReport {
    const now = performance.now() - this.#begin;
    const calls = this.#calls.map(({ call, origin, request }) => ({
      ...call,
      status: call.status ?? (request.status || null),
      start: rounded(call.start),
      // Another operation may go on waiting for a call.
      ms: rounded(call.ms || now - call.start),
      fields: origin.fields(),
    }));
    const saved = this.#saved.map(({ call, origin }) => ({ ...call, fields: origin.fields() }));
    const choices = this.#choices.map(({ endpoint, choice, origin }) => ({
      path: endpoints[endpoint].path,
      fields: origin.fields(),
      ...choice,
      chosen: roundedPath(choice.chosen),
      others: choice.others.map(roundedPath),
    }));
    return {
      ...(this.estimate && { estimate: this.estimate }),
      total: calls.length,
      calls,
      saved,
      choices,
      ...(this.#moreChoices > 0 && { moreChoices: this.#moreChoices }),
    };
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof UpstreamError ? error.status : undefined;
}

function rowsOf(answer: Json): number {
  return Array.isArray(answer.results) ? answer.results.length : 1;
}

function roundedPath({ gets, pages, width, size, ms, workMs }: AccessPath): AccessPath {
  return { gets: rounded(gets), pages: rounded(pages), width, size, ms: rounded(ms), workMs: rounded(workMs) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
