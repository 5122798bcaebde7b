import { Timed } from '../lib/deadlines.ts';
import type { Json } from '../lib/json.ts';
import type { CallReason } from './call-counts.ts';
import type { Caller } from './caller.ts';
import type { CallOnWire } from './cost-statistics.ts';
import type { InFlightRead } from './dedupe.ts';
import type { EndpointName } from './endpoints.ts';
import { NoAnswerError, UpstreamError } from './errors.ts';
import type { InvoiceFile } from './form-data.ts';
import type { ResponseBody } from './parsed-body-cache.ts';

/** The answer to a request, with any status. */
export interface UpstreamResponse {
  status: number;
  retryAfter: string | undefined;
  body: ResponseBody;
  /** The reason why the gateway did not read the body. */
  cut: UpstreamError | undefined;
  /** The documented body without its envelope, once `readBody` has found a success. */
  data: Json | undefined;
}

/** Gets the response or the error, once. */
export type Done = (error: unknown, response: UpstreamResponse | undefined) => void;

/** Sends a request and calls `done`, possibly before it returns. */
export type Dispatch = (request: UpstreamRequest, done: Done) => void;

/** Wraps the rest of the way to the service, as an interceptor of undici does. */
export type Interceptor = (next: Dispatch) => Dispatch;

/** Gets each attempt when it begins. */
export interface Observer {
  begin(request: UpstreamRequest): Attempt;
}

/** Gets the end of an attempt. */
export interface Attempt {
  finish: Done;
}

export interface Abortable {
  abort(reason: unknown): void;
}

/** The time and the memory that an operation has. */
export interface Signal {
  /** Milliseconds of performance.now(). */
  readonly due: number;
  /** The service has got a call of the operation. */
  isBegun?: boolean;
  /** Lets the operation abort a call that it waits for. */
  add(wait: Abortable): void;
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
  file?: InvoiceFile;
}

export interface RequestOptions {
  caller: Caller;
  endpoint: EndpointName;
  /** Path and query. */
  path: string;
  subject: Subject;
  reason: CallReason;
  signal: Signal;
  budget: RetryBudget;
  /** Absent for reads. */
  write?: WriteInput;
  /** The read must not join an earlier read. */
  isFresh?: boolean;
  observer?: Observer | undefined;
  /** For the observer: the fields of the operation that need the answer. */
  fields?: () => string[];
}

/** A read or a write on its way through the interceptors. */
export class UpstreamRequest extends Timed implements Abortable {
  readonly caller: Caller;
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly subject: Subject;
  readonly reason: CallReason;
  readonly signal: Signal;
  readonly budget: RetryBudget;
  readonly write: WriteInput | undefined;
  readonly isFresh: boolean;
  readonly observer: Observer | undefined;
  readonly fields: (() => string[]) | undefined;
  /** Equal for reads that have the same answer. Begins with the digest of the caller's key. */
  readonly name: string;
  attempts = 0;
  isRetried = false;
  /** The current attempt is on a connection. */
  isSent = false;
  /** The last attempt that the transport wrote. */
  onWire: CallOnWire | undefined;
  /** The trace context of the current attempt, in place of the caller's. */
  traceparent: string | undefined = undefined;
  /** The status of the answer to the current attempt, once it has begun; 0 before. */
  status = 0;
  /** No write and no later equal read has begun since. */
  isLatest = true;
  /** The clients that wait for a read; absent for writes and probes. */
  waiters: InFlightRead | undefined;
  /** The interceptor or transport that can end the request now. */
  controller: Abortable | undefined;

  constructor(options: RequestOptions) {
    super();
    this.caller = options.caller;
    this.endpoint = options.endpoint;
    this.path = options.path;
    this.subject = options.subject;
    this.reason = options.reason;
    this.signal = options.signal;
    this.budget = options.budget;
    this.write = options.write;
    this.isFresh = options.isFresh ?? false;
    this.observer = options.observer;
    this.fields = options.fields;
    this.name = `${options.caller.digest} ${options.path}`;
  }

  /** Lists and creations are always there: 404 says that the path is wrong. */
  get isById(): boolean {
    return this.subject.id !== undefined;
  }

  /** Does nothing for a write on a connection: aborted, its outcome would be unknown. */
  abort(reason: unknown): void {
    this.controller?.abort(reason);
  }

  /** Only an attempt that was sent says something about the service. */
  expire(): void {
    const message = 'The service did not answer in time.';
    this.abort(
      this.isSent ? new NoAnswerError('UPSTREAM_TIMEOUT', message) : new UpstreamError('UPSTREAM_TIMEOUT', message),
    );
  }
}
