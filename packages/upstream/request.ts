import type { Caller, Json, UpstreamError } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import type { UploadedFile } from './file-form.ts';
import type { ResponseBody } from './parsed-body-cache.ts';

/** The answer to a request, with any status. */
export interface UpstreamResponse {
  status: number;
  retryAfter: string | undefined;
  /** The header with the count of a list. */
  total?: string | undefined;
  body: ResponseBody;
  /** The reason why the gateway did not read the body. */
  cut: UpstreamError | undefined;
  /** The documented body without its envelope, once `readBody` has found a success. */
  data: Json | undefined;
}

/** Gets the response or the error, once. */
export type Done = (error: unknown, response: UpstreamResponse | undefined) => void;

export interface Abortable {
  abort(reason: unknown): void;
}

/** The time and the memory that an operation has. */
export interface Signal {
  /** Milliseconds of performance.now(). */
  readonly due: number;
  /** Calls of the operation that the gateway has sent. */
  sent: number;
  /** Lets the operation abort a call that it waits for. */
  add(wait: Abortable): void;
  /** The call has ended: nothing holds its answer any more. */
  delete?(wait: Abortable): void;
  /** Holds the memory of an answer until the operation ends; false where there is none. */
  hold(bytes: number): boolean;
}

export interface RetryBudget {
  /** Counts one more call; false where the budget is spent. */
  takeRetry(): boolean;
}

/** The variable parts of a path. */
export interface Subject {
  id?: string;
  /** By filter argument, plus `limit` and `offset`. */
  query?: Readonly<Record<string, string | number>>;
}

export interface WriteInput extends Pick<Subject, 'id'> {
  body?: unknown;
  file?: UploadedFile;
}

/**
 * Why a call is made. `root`: a field of Query. `write`: a field of Mutation. `by id`: a GET for one reference. `list scan`:
 * a page of a list that may contain references. `bisect`: a part of a page, to find the row that the service fails on.
 * `reread`: rows of a list whose pages did not fit together. `dialect`: a read that shows the dialect of the service.
 * `filter check`: a row that shows whether the service applies a filter. `token`: a read that shows whether it accepts a token.
 * `renewal`: a page in place of a stale one of the list cache.
 */
export type CallReason =
  | 'root'
  | 'write'
  | 'by id'
  | 'list scan'
  | 'bisect'
  | 'reread'
  | 'dialect'
  | 'filter check'
  | 'token'
  | 'renewal';

/** The origin of a call, for the trace. */
export interface CallOrigin {
  reason: CallReason;
  /** The fields that need the answer, as far as the gateway knows them by now. */
  fields: () => string[];
}

export interface RequestOptions {
  caller: Caller;
  endpoint: EndpointName;
  /** Path and query. */
  path: string;
  subject: Subject;
  origin: CallOrigin;
  signal: Signal;
  budget: RetryBudget;
  /** Absent for reads. */
  write?: WriteInput;
  /** The read must not join an earlier read. */
  isFresh?: boolean;
  /** Sees the calls of this request alone. */
  observer?: CallObserver | undefined;
}

/** A read or a write. The interceptors that send it keep what becomes of it. */
export interface UpstreamRequest extends Readonly<RequestOptions> {
  /** Equal for reads that have the same answer. Begins with the digest of the caller's key. */
  readonly name: string;
}

export function newRequest(options: RequestOptions): UpstreamRequest {
  return { ...options, name: `${options.caller.digest} ${options.path}` };
}

/** A call on a connection. Times are milliseconds of one clock. */
export interface CallOnWire {
  readonly beganAt: number;
  /** The time in which the event loop had been idle until then. */
  readonly idleAtMs: number;
  /** Calls in flight when this call began. */
  readonly ahead: number;
  /** Calls that had begun. */
  readonly begun: number;
  /** The time when the service took the call up. */
  servedAt: number;
  ms: number;
  /** The part of `ms` in which the gateway had nothing to do. Else it may have read other answers first. */
  waitedMs: number;
  /** The part of `ms` after `servedAt`. */
  workMs: number;
  /** No other call was in flight meanwhile. */
  isAlone: boolean;
}

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
