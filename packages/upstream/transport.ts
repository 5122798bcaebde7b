import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { type CallerHeaders, inTurn, inTurnIfLate, type UpstreamError } from '@gateway/base';
import { type Contract, withNumbers } from '@gateway/contract';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { UpstreamClock } from './clock.ts';
import { connector } from './connect.ts';
import type { CostStatistics } from './cost-statistics.ts';
import { DateTime, type DateTimeForm } from './date-time.ts';
import type { Dialect } from './dialect.ts';
import { NoAnswerError, readFailure, whenSent, writeFailure, writeNotSent } from './errors.ts';
import type { UpstreamEvents } from './events.ts';
import { fileForm } from './file-form.ts';
import { type BodyLimits, IncomingBody } from './incoming-body.ts';
import { type ParsedBodyCache, ResponseBody } from './parsed-body-cache.ts';
import type { Abortable, Call, Dispatch, Done, WriteInput } from './request.ts';
import { whyUnreachable } from './unreachable.ts';

export interface TransportOptions {
  /** `uploadIdleMs` starts anew with every piece of the file that the service takes. */
  timeouts: { connectMs: number; writeMs: number; uploadIdleMs: number };
  connections: number;
  /** Bounds the answers. */
  bodyLimits: BodyLimits;
  /** Says how date-times in request bodies are written. */
  dialect: Dialect;
}

/** The parts that all calls of a process share. */
interface TransportParts {
  contract: Contract;
  clock: UpstreamClock;
  bodies: ParsedBodyCache;
  statistics: CostStatistics;
  events: UpstreamEvents;
}

interface ResponseParts extends TransportParts {
  limits: BodyLimits;
  /** The service has answered a call. */
  hasAnswered: boolean;
}

/** Sends requests to the service over HTTP. A write on a connection is never cut short: its outcome would be unknown. */
export class Transport {
  readonly #pool: Pool;
  readonly #options: TransportOptions;
  readonly #parts: ResponseParts;

  constructor(origin: string, options: TransportOptions, parts: TransportParts) {
    this.#options = options;
    this.#parts = { ...parts, limits: options.bodyLimits, hasAnswered: false };
    this.#pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      connect: connector(options.timeouts.connectMs),
      // The service closes idle sockets after 2 s: a request sent on a socket that is being closed is lost.
      keepAliveTimeout: 1500,
      // A service that names another time in `Keep-Alive` spares new connections after each pause.
      keepAliveMaxTimeout: 60_000,
      keepAliveTimeoutThreshold: 500,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  readonly dispatch: Dispatch = (call, done) => {
    const handler = new ResponseHandler(call, done, this.#parts);
    const { path, write } = call.request;
    if (write) this.#dispatchWrite(call, write, handler);
    else this.#pool.dispatch({ path, method: 'GET', headers: headersOf(call) }, handler);
    return handler;
  };

  /** Ends when the writes in flight have. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #dispatchWrite(call: Call, { body = {}, file }: WriteInput, handler: ResponseHandler): void {
    const { writeMs, uploadIdleMs } = this.#options.timeouts;
    const timer = setTimeout(() => handler.expire(), file ? uploadIdleMs : writeMs);
    handler.timer = timer;
    const { method, file: part = 'file', numberIds } = this.#parts.contract.endpoint(call.request.endpoint);
    const form = file
      ? fileForm(part, file)
      : method === 'DELETE'
        ? noForm
        : jsonForm(withNumbers(body, numberIds), this.#options.dialect.traits.times);
    const options = {
      path: call.request.path,
      method,
      headers: { ...headersOf(call), ...form.headers },
      body: Buffer.isBuffer(form.body) ? form.body : Readable.from(eachOf(form.body, () => timer.refresh())),
    };
    this.#pool.dispatch(options, handler);
  }
}

function headersOf({ request, traceparent }: Call): CallerHeaders {
  const { sent } = request.caller;
  return traceparent === undefined ? sent : { ...sent, traceparent };
}

interface Headers {
  'content-length'?: string;
  date?: string | string[];
  'retry-after'?: string | string[];
  [name: string]: string | string[] | undefined;
}

/** Longer bodies are parsed in turn: ten of a megabyte that arrive together would stop everything for 100 ms. */
const longBytes = 256 * 1024;

/** Longer bodies are parsed while the turn of the event loop is short: sixteen pages would take 30 ms. */
const mediumBytes = 16 * 1024;

const resume = (controller: Dispatcher.DispatchController) => controller.resume();

/** One for all: a client that leaves aborts hundreds of reads, and an error is dear to make. No client sees it. */
const givenUp = new Error('The request was given up.');

/**
 * Gets the answer to one request from undici's `dispatch`. An operation makes a hundred reads. The promises, signals and
 * timers of undici's `request` would cost each of them more CPU than its transfer.
 */
class ResponseHandler implements Dispatcher.DispatchHandler, Abortable {
  timer: NodeJS.Timeout | undefined;
  readonly #call: Call;
  readonly #done: Done;
  readonly #parts: ResponseParts;
  readonly #body: IncomingBody;
  #controller: Dispatcher.DispatchController | undefined;
  #retryAfter: string | undefined;
  #total: string | undefined;
  #isOver = false;

  constructor(call: Call, done: Done, parts: ResponseParts) {
    this.#call = call;
    this.#done = done;
    this.#parts = parts;
    this.#body = new IncomingBody(parts.limits);
  }

  /** Does nothing for a write on a connection: its outcome would be unknown. */
  abort(reason: unknown): void {
    const { write } = this.#call.request;
    if (this.#isOver || (write && this.#isBegun)) return;
    this.#fail(write ? writeNotSent(reason) : whenSent(reason));
    this.#controller?.abort(givenUp);
  }

  /** A write has no more time. */
  expire(): void {
    if (this.#isOver) return;
    this.#fail(writeFailure(givenUp, this.#isBegun, this.#call.request.write?.file));
    this.#controller?.abort(givenUp);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted before undici had a connection. An abort now would close the connection, for which others wait too.
    if (this.#isOver) throw givenUp;
    this.#controller = controller;
    this.#call.onWire = this.#parts.statistics.begin(performance.now(), performance.nodeTiming.idleTime);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // 1xx: the answer is yet to come.
    if (status < 200) return;
    this.#call.status = status;
    this.#parts.hasAnswered = true;
    this.#parts.clock.hear(headers.date);
    this.#retryAfter = headers['retry-after'] as string | undefined;
    const { countHeader } = this.#parts.contract.data.wire.page;
    if (countHeader !== undefined) this.#total = headers[countHeader] as string | undefined;
    this.#cutAfter(this.#body.declare(headers['content-length']));
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#isOver) return;
    this.#cutAfter(this.#body.add(piece));
    if (this.#isOver || !this.#body.isLong) return;
    // A fast service would fill the turn of the event loop with its pieces.
    controller.pause();
    setImmediate(resume, controller);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#end();
    const { endpoint, path, write } = this.#call.request;
    const bytes = this.#body.take();
    const body = write ? new ResponseBody(bytes) : this.#parts.bodies.of(endpoint, path, bytes);
    if (bytes.length < mediumBytes) this.#answer(body);
    else (bytes.length < longBytes ? inTurnIfLate : inTurn)(() => this.#answer(body));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    const { write } = this.#call.request;
    const failure = write ? writeFailure(error, this.#isBegun, write.file) : readFailure(error, this.#isBegun);
    if (failure instanceof NoAnswerError) {
      const why = whyUnreachable(error, this.#parts.hasAnswered);
      if (why) this.#parts.events.emit('unreachable', why, error);
    }
    this.#fail(failure);
  }

  /** undici writes the first byte of a request after `onRequestStart` alone. */
  get #isBegun(): boolean {
    return this.#controller !== undefined;
  }

  #cutAfter(error: UpstreamError | undefined): void {
    if (!error || this.#isOver) return;
    this.#end();
    this.#answer(new ResponseBody(Buffer.alloc(0)), error);
    this.#controller?.abort(givenUp);
  }

  #answer(body: ResponseBody, cut?: UpstreamError): void {
    this.#body.release();
    const { status } = this.#call;
    this.#done(undefined, { status, retryAfter: this.#retryAfter, total: this.#total, body, cut, data: undefined });
  }

  #fail(error: unknown): void {
    this.#end();
    this.#body.release();
    this.#done(error, undefined);
  }

  #end(): void {
    this.#isOver = true;
    if (this.timer) clearTimeout(this.timer);
    const { onWire } = this.#call;
    if (onWire) this.#parts.statistics.end(onWire, performance.now(), performance.nodeTiming.idleTime);
  }
}

/** Some servers refuse a DELETE with a body. */
const noForm = { headers: {}, body: Buffer.alloc(0) };

function jsonForm(body: unknown, dateTimes: DateTimeForm) {
  const write = (_key: string, value: unknown) => (value instanceof DateTime ? value.in(dateTimes) : value);
  const bytes = Buffer.from(JSON.stringify(body, write));
  return { headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) }, body: bytes };
}

async function* eachOf<T>(source: AsyncIterable<T>, note: () => void): AsyncGenerator<T> {
  for await (const item of source) {
    note();
    yield item;
  }
}
