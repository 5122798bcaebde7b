import { type Json, UpstreamError } from '@gateway/base';
import type { Contract, Endpoint, EndpointName, Wire } from '@gateway/contract';
import {
  type Call,
  type CallOrigin,
  type CallReason,
  NotSentError,
  type Subject,
  type UpstreamResponse,
} from '@gateway/upstream';
import type { ReadObserver, SavedRead } from '../load/reader.ts';
import type { AccessPath, Choice } from '../plan/planner.ts';
import type { Estimate, TracedCall, TracedPath, UpstreamReport } from './upstream-report.ts';

/** Gives each call of an operation a `traceparent`, and gets the operation's trace. */
export interface CallSpan {
  readonly isSampled: boolean;
  trace: object | undefined;
  /** The `traceparent` of the next call. */
  next(): string;
}

/** How an operation shows its calls. */
export interface TraceOptions {
  trace?: 'true' | 'estimate' | undefined;
  /** Gets the calls of the operation. */
  span?: CallSpan | undefined;
}

/** The trace that an operation has left in its span. */
export function traceOf({ trace }: Pick<CallSpan, 'trace'>): UpstreamTrace | undefined {
  return trace as UpstreamTrace | undefined;
}

/** One attempt of a read or write, as it went. Times are milliseconds of performance.now(). */
export class NotedCall {
  readonly endpoint: EndpointName;
  readonly described: Endpoint;
  /** The id of the one object; that of a creation is known at its end. The trace holds no bodies. */
  id: string | undefined;
  readonly #wire: Wire;
  readonly #path: string;
  readonly reason: CallReason;
  readonly fields: () => string[];
  /** From 1. */
  readonly attempt: number;
  /** Undefined without a span that is sampled. */
  readonly traceparent: string | undefined;
  readonly begin: number;
  /** Undefined in flight: another operation may go on waiting for a call. */
  end: number | undefined = undefined;
  /** Undefined where the call got no connection. */
  onWire: Call['onWire'];
  rows = 0;
  bytes = 0;
  /** The code of a call without an answer. */
  failure: string | undefined = undefined;
  /** False where the gateway refused the call before it reached the service. */
  isSent = true;
  #status: number | null = null;
  /** Absent after the end, so that the trace holds no bodies. */
  #call: Call | undefined;

  constructor(call: Call, contract: Contract) {
    const { endpoint, subject, path, origin } = call.request;
    this.endpoint = endpoint;
    this.described = contract.endpoint(endpoint);
    this.id = subject.id ?? contract.idInPath(endpoint, subject.query);
    this.#path = path;
    this.#wire = contract.wire;
    this.reason = origin.reason;
    this.fields = origin.fields;
    this.attempt = call.attempt;
    this.traceparent = call.traceparent;
    this.begin = call.beganAt;
    this.#call = call;
  }

  /** The parameters as the service got them: some are renamed, and some are the gateway's own. */
  get query(): Subject['query'] {
    const parameters = new URLSearchParams(this.#path.split('?')[1]);
    if (parameters.size === 0) return undefined;
    return Object.fromEntries(
      [...parameters].map(([name, text]) => [name, this.#wire.isOfPage(name) ? Number(text) : text]),
    );
  }

  /** Null where no answer came. */
  get status(): number | null {
    return this.#status ?? (this.#call?.status || null);
  }

  finish(error: unknown, response: UpstreamResponse | undefined): void {
    this.end = performance.now();
    const failure = error instanceof UpstreamError ? error : undefined;
    this.#status = failure?.status ?? this.status;
    const { onWire, request } = this.#call ?? {};
    this.onWire = onWire;
    this.#call = undefined;
    if (response?.data) {
      this.rows = rowsOf(response.data);
      this.bytes = response.body.bytes.length;
      if (request?.write && typeof response.data.id === 'string') this.id ??= response.data.id;
    }
    this.isSent = !(error instanceof NotSentError);
    this.failure = failure?.code;
  }
}

interface NotedSave extends SavedRead {
  begin: number;
  end: number;
  rows: number;
}

/** A trace stays small, however many batches an operation has. */
const maxChoices = 100;

/** The upstream calls of one operation, in the order in which they began. Makes texts of them only for a report. */
export class UpstreamTrace implements ReadObserver {
  /** Absent where the operation is not valid. */
  estimate: Estimate | undefined;
  /** The client asks for the report. */
  readonly isShown: boolean;
  /** The client asks for the estimate alone, and the operation does not run. */
  readonly isEstimate: boolean;
  readonly saved: NotedSave[] = [];
  readonly #contract: Contract;
  readonly #calls: NotedCall[] = [];
  readonly #begin = performance.now();
  readonly #span: CallSpan | undefined;
  readonly #choices: { endpoint: EndpointName; choice: Choice; origin: CallOrigin; at: number }[] = [];
  #moreChoices = 0;

  constructor(contract: Contract, { trace, span }: TraceOptions) {
    this.#contract = contract;
    this.isShown = trace !== undefined;
    this.isEstimate = trace === 'estimate';
    this.#span = span;
    if (span) span.trace = this;
  }

  nextTraceparent(): string | undefined {
    return this.#span?.isSampled ? this.#span.next() : undefined;
  }

  begin(call: Call): NotedCall {
    const noted = new NotedCall(call, this.#contract);
    this.#calls.push(noted);
    return noted;
  }

  /** A request that was not sent is no call. */
  get calls(): NotedCall[] {
    return this.#calls.filter(({ isSent }) => isSent);
  }

  /** Notes a read or write that costs no call, even if it fails later. */
  save(saved: SavedRead, answer: Json | Promise<Json>): void {
    const now = performance.now();
    const save: NotedSave = { ...saved, begin: now, end: now, rows: 0 };
    this.saved.push(save);
    if (!this.isShown) return;
    if (!(answer instanceof Promise)) {
      save.rows = rowsOf(answer);
      if (save.by === 'replay' && typeof answer.id === 'string') save.id ??= answer.id;
      return;
    }
    const learn = (body: Json | undefined) => {
      save.end = performance.now();
      if (body) save.rows = rowsOf(body);
    };
    answer.then(learn, () => learn(undefined));
  }

  /** Notes how the gateway gets a batch or a range, before its first call. Spans do not show it. */
  choose(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void {
    if (!this.isShown) return;
    if (this.#choices.length < maxChoices) this.#choices.push({ endpoint, choice, origin, at: performance.now() });
    else this.#moreChoices += 1;
  }

  report(): UpstreamReport {
    const now = performance.now();
    const since = (at: number) => rounded(at - this.#begin);
    const calls = this.calls.map((call) => {
      const { described, reason, fields, attempt, begin, end = now, onWire, status } = call;
      return {
        ...placeOf(described, call),
        status,
        start: since(begin),
        ms: rounded(end - begin),
        queuedMs: rounded((onWire?.beganAt ?? end) - begin),
        workMs: rounded(onWire?.workMs ?? 0),
        rows: call.rows,
        bytes: call.bytes,
        reason,
        ...(attempt > 1 && { retry: attempt - 1 }),
        fields: fields(),
      };
    });
    const saved = this.saved.map(({ endpoint, id, query, origin, by, begin, end, rows }) => ({
      ...placeOf(this.#contract.endpoint(endpoint), { id: id ?? this.#contract.idInPath(endpoint, query), query }),
      by,
      start: since(begin),
      ms: rounded(end - begin),
      rows,
      reason: origin.reason,
      fields: origin.fields(),
    }));
    const choices = this.#choices.map(({ endpoint, choice, origin, at }) => ({
      path: this.#contract.endpoint(endpoint).path,
      start: since(at),
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

type Place = Pick<TracedCall, 'method' | 'path' | 'id' | 'query'>;

function placeOf({ method, path }: Endpoint, { id, query }: Pick<Place, 'id' | 'query'>): Place {
  return { method, path, ...(id !== undefined && { id }), ...(query && { query }) };
}

function rowsOf(answer: Json): number {
  return Array.isArray(answer.results) ? answer.results.length : 1;
}

function roundedPath({ gets, pages, width, size, ms, workMs }: AccessPath): TracedPath {
  return { gets: rounded(gets), pages: rounded(pages), width, size, ms: rounded(ms), workMs: rounded(workMs) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
