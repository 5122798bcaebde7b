import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { inTurn, inTurnIfLate } from '../lib/in-turn.ts';
import type { CallerHeaders } from './caller.ts';
import type { UpstreamClock } from './clock.ts';
import { connector } from './connect.ts';
import { readFailure, writeFailure } from './connection-errors.ts';
import type { CostStatistics } from './cost-statistics.ts';
import { DateTime, type DateTimeForm } from './date-time.ts';
import type { Dialect } from './dialect.ts';
import { endpoints } from './endpoints.ts';
import { type UpstreamError, writeNotSent } from './errors.ts';
import { invoiceForm } from './form-data.ts';
import { type BodyLimits, IncomingBody } from './incoming-body.ts';
import { type ParsedBodyCache, ResponseBody } from './parsed-body-cache.ts';
import type { Abortable, Dispatch, Done, UpstreamRequest, WriteInput } from './request.ts';

export interface TransportOptions {
  /** `uploadIdleMs` starts anew with every piece of the file that the service takes. */
  timeouts: { connectMs: number; writeMs: number; uploadIdleMs: number };
  connections: number;
  /** Bounds the answers. */
  bodyLimits: BodyLimits;
  /** In `connect`, date-times in request bodies are unix seconds. */
  dialect: Dialect;
}

/** Sends requests to the service over HTTP. A write on a connection is never cut short: its outcome would be unknown. */
export class Transport {
  readonly #pool: Pool;
  readonly #options: TransportOptions;
  readonly #clock: UpstreamClock;
  readonly #bodies: ParsedBodyCache;
  readonly #statistics: CostStatistics;

  constructor(
    origin: string,
    options: TransportOptions,
    clock: UpstreamClock,
    bodies: ParsedBodyCache,
    statistics: CostStatistics,
  ) {
    this.#statistics = statistics;
    this.#options = options;
    this.#clock = clock;
    this.#bodies = bodies;
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

  readonly dispatch: Dispatch = (request, done) => {
    const handler = new ResponseHandler(
      request,
      done,
      this.#options.bodyLimits,
      this.#clock,
      this.#bodies,
      this.#statistics,
    );
    request.isSent = true;
    request.controller = handler;
    if (request.write) return this.#dispatchWrite(request, request.write, handler);
    this.#pool.dispatch({ path: request.path, method: 'GET', headers: headersOf(request) }, handler);
  };

  /** Ends when the writes in flight have. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #dispatchWrite(request: UpstreamRequest, { body = {}, file }: WriteInput, handler: ResponseHandler): void {
    const { writeMs, uploadIdleMs } = this.#options.timeouts;
    const timer = setTimeout(() => handler.abort(givenUp), file ? uploadIdleMs : writeMs);
    handler.timer = timer;
    const form = file ? invoiceForm(file) : jsonForm(body, this.#options.dialect.known === 'connect' ? 'unix' : 'iso');
    const options = {
      path: request.path,
      method: endpoints[request.endpoint].method,
      headers: { ...headersOf(request), ...form.headers },
      body: Buffer.isBuffer(form.body) ? form.body : Readable.from(eachOf(form.body, () => timer.refresh())),
    };
    this.#pool.dispatch(options, handler);
  }
}

function headersOf({ caller: { sent }, traceparent }: UpstreamRequest): CallerHeaders {
  return traceparent === undefined ? sent : { ...sent, traceparent };
}

interface Headers {
  'content-length'?: string;
  date?: string | string[];
  'retry-after'?: string | string[];
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
  readonly #request: UpstreamRequest;
  readonly #done: Done;
  readonly #clock: UpstreamClock;
  readonly #bodies: ParsedBodyCache;
  readonly #statistics: CostStatistics;
  readonly #body: IncomingBody;
  #controller: Dispatcher.DispatchController | undefined;
  #retryAfter: string | undefined;
  #isOver = false;

  constructor(
    request: UpstreamRequest,
    done: Done,
    limits: BodyLimits,
    clock: UpstreamClock,
    bodies: ParsedBodyCache,
    statistics: CostStatistics,
  ) {
    this.#statistics = statistics;
    this.#request = request;
    this.#done = done;
    this.#body = new IncomingBody(limits);
    this.#clock = clock;
    this.#bodies = bodies;
  }

  abort(reason: unknown): void {
    if (this.#isOver) return;
    const { write } = this.#request;
    if (!write) this.#fail(reason);
    // The operation gives a write up only while undici has no connection for it.
    else this.#fail(reason === givenUp ? writeFailure(reason, this.#isBegun, write.file) : writeNotSent(reason));
    this.#controller?.abort(givenUp);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Aborted before undici had a connection. An abort now would close the connection, for which others wait too.
    if (this.#isOver) throw givenUp;
    this.#controller = controller;
    this.#request.onWire = this.#statistics.begin(performance.now());
    // From here on nothing cuts the write short: its outcome would be unknown.
    if (this.#request.write) this.#request.controller = undefined;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // 1xx: the answer is yet to come.
    if (status < 200) return;
    this.#request.status = status;
    this.#clock.hear(headers.date);
    this.#retryAfter = headers['retry-after'] as string | undefined;
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
    const { endpoint, path, write } = this.#request;
    const bytes = this.#body.take();
    const body = write ? new ResponseBody(bytes) : this.#bodies.of(endpoint, path, bytes);
    if (bytes.length < mediumBytes) this.#answer(body);
    else (bytes.length < longBytes ? inTurnIfLate : inTurn)(() => this.#answer(body));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    const { write } = this.#request;
    this.#fail(write ? writeFailure(error, this.#isBegun, write.file) : readFailure(error, this.#isBegun));
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
    const { status } = this.#request;
    this.#done(undefined, { status, retryAfter: this.#retryAfter, body, cut, data: undefined });
  }

  #fail(error: unknown): void {
    this.#end();
    this.#body.release();
    this.#done(error, undefined);
  }

  #end(): void {
    this.#isOver = true;
    if (this.timer) clearTimeout(this.timer);
    if (this.#isBegun && this.#request.onWire) this.#statistics.end(this.#request.onWire, performance.now());
  }
}

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
