import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { Deadlines } from '../lib/deadlines.ts';
import type { Json } from '../lib/json.ts';
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.ts';
import { UpstreamClock } from './clock.ts';
import { neverSent, writeFailure } from './connection-errors.ts';
import { DateTime, type DateTimeForm } from './date-time.ts';
import { type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
import { secondsIn, UpstreamError, type UpstreamErrorCode } from './errors.ts';
import { type CallerQueue, FairQueue } from './fair-queue.ts';
import { type InvoiceFile, invoiceForm } from './form-data.ts';
import { ParsedBodyCache, ResponseBody } from './parsed-body-cache.ts';
import { isPathSegment } from './path-segment.ts';
import { RateLimitGate } from './rate-limit.ts';
import { bodyOf } from './response.ts';
import {
  isServing,
  type RawResponse,
  type Receiver,
  type Sender,
  type Transport,
  UpstreamRequest,
} from './transport.ts';

export interface RestClientOptions {
  /** Base URL of the service; ends with the version segment. */
  url: string;
  /** How date-times are written into request bodies. */
  dateTimes: DateTimeForm;
  /** Renamed query parameters: operation → filter argument → parameter. */
  filters?: Partial<Record<EndpointName, Record<string, string>>>;
  /** Query parameters that go with every call of an operation. */
  fixed?: Partial<Record<EndpointName, Record<string, string>>>;
  /** At most. */
  connections: number;
  /** Of those, for one key; all of them where it is absent. */
  connectionsPerCaller?: number;
  /** Absent: calls go on however many fail. */
  breaker?: CircuitBreakerOptions;
  /** Hears that only probes are sent to an endpoint from now on; `cause`: an error, or the status of an answer. */
  onCircuitOpened?: (endpoint: EndpointName, cause: Error | number) => void;
  /** Hears that the service answers again. */
  onCircuitClosed?: () => void;
  /** Milliseconds. `upload` is counted anew with every piece of the file that the service takes. */
  timeouts: { connect: number; read: number; write: number; upload: number };
}

/** Headers that go upstream as the client sent them; above all `authorization`. */
export type CallerHeaders = Sender['sent'];

/** What a call is about, beside its operation. */
export interface Subject {
  id?: string;
  /** By filter argument, plus `limit` and `offset`. */
  query?: Readonly<Record<string, string | number>>;
}

export interface WriteInput extends Pick<Subject, 'id'> {
  body?: unknown;
  file?: InvoiceFile;
  /** Hears the status of the answer. */
  onStatus?: ((status: number) => void) | undefined;
  /** Aborts when its client has gone: what waits for a connection then is not sent. */
  left?: AbortSignal;
}

const isOutage: ReadonlySet<UpstreamErrorCode> = new Set(['UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN']);

/** What all calls accept. */
export const accepting = { accept: 'application/json' };

export class RestClient {
  readonly clock = new UpstreamClock();
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #options: RestClientOptions;
  readonly #breakers: Record<EndpointName, CircuitBreaker>;
  readonly #turns: FairQueue;
  readonly #pauses = new RateLimitGate();
  readonly #line: Transport;

  constructor(options: RestClientOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#breakers = this.#newBreakers();
    const { connections: most, connectionsPerCaller: mostOfOne = most } = options;
    this.#turns = new FairQueue({ most, mostOfOne });
    this.#line = {
      deadlines: new Deadlines(options.timeouts.read),
      contents: new ParsedBodyCache(),
      turns: this.#turns,
      pauses: this.#pauses,
      clock: this.clock,
      probes: new Set(),
      send: (path, headers, handler) => this.#pool.dispatch({ path, method: 'GET', headers }, handler),
    };
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.timeouts.connect },
      // The service closes idle sockets after 2 s: a request sent on a socket that is being closed is lost.
      keepAliveTimeout: 1500,
      keepAliveMaxTimeout: 1500,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Path and query of a call. Two reads of one caller that have it in common have the same answer.
   * @throws RestError NOT_FOUND for what cannot be an id.
   */
  pathOf(endpoint: EndpointName, { id, query }: Subject): string {
    return this.#basePath + resourcePath(endpoints[endpoint], id) + this.#queryOf(endpoint, query);
  }

  /** Sends a GET for a caller; `receiver` hears what becomes of it, which may be before this returns. */
  read(endpoint: EndpointName, path: string, sender: Sender, receiver: Receiver): UpstreamRequest {
    const exchange = new UpstreamRequest(this.#line, { path, sender, breaker: this.#breakers[endpoint] }, receiver);
    exchange.start();
    return exchange;
  }

  /**
   * A write; its body is JSON, or a form where there is a file. It is never cut short: its outcome would be unknown.
   * @throws RestError for every outcome but success; the file's own error when an upload's source fails.
   */
  async write(endpoint: EndpointName, sender: Sender, input: WriteInput = {}): Promise<Json> {
    const path = this.pathOf(endpoint, input.id === undefined ? {} : { id: input.id });
    const breaker = this.#breakers[endpoint];
    const refusal = this.#pauses.refusal(sender.keyDigest) ?? breaker.refusalOfWrite();
    if (refusal) throw refusal;
    // What is sent now is a probe.
    const isProbe = breaker.isOpen;
    const lane = await this.#turnOf(sender, input);
    try {
      const answer = await this.#send(endpoints[endpoint].method, path, sender.sent, input);
      if (answer.status === 429) this.#pauses.begin(sender.keyDigest, secondsIn(answer.retryAfter));
      if (isServing(answer.status)) breaker.succeeded(isProbe);
      else breaker.failed(isProbe, answer.status);
      return bodyOf(answer, { isWrite: true, isById: input.id !== undefined, key: sender.sent.authorization });
    } catch (error) {
      // Without a status it is the connection that failed, and with another code the source of the file.
      if (error instanceof UpstreamError && error.status === undefined && isOutage.has(error.code))
        breaker.failed(isProbe, error.cause instanceof Error ? error.cause : error);
      throw error;
    } finally {
      this.#turns.end(lane);
    }
  }

  /** Resolves when a connection may be used. */
  #turnOf({ keyDigest }: Sender, { left }: WriteInput): Promise<CallerQueue> {
    return new Promise((begin, reject) => {
      let isOver = false;
      const giveUp = () => {
        isOver = true;
        clearTimeout(timer);
        left?.removeEventListener('abort', giveUp);
        reject(neverSent());
      };
      const timer = setTimeout(giveUp, this.#options.timeouts.write);
      if (left?.aborted) return giveUp();
      left?.addEventListener('abort', giveUp);
      this.#turns.take(keyDigest, {
        get isOver() {
          return isOver;
        },
        begin(lane) {
          clearTimeout(timer);
          left?.removeEventListener('abort', giveUp);
          begin(lane);
        },
      });
    });
  }

  async #send(
    method: Endpoint['method'],
    path: string,
    headers: CallerHeaders,
    input: WriteInput,
  ): Promise<RawResponse> {
    const { write, upload } = this.#options.timeouts;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), input.file ? upload : write);
    const form = input.file ? invoiceForm(input.file) : this.#jsonForm(input.body ?? {});
    try {
      const response = await this.#pool.request({
        path,
        method,
        headers: { ...headers, ...form.headers },
        body: Buffer.isBuffer(form.body) ? form.body : Readable.from(eachOf(form.body, () => timer.refresh())),
        signal: deadline.signal,
      });
      input.onStatus?.(response.statusCode);
      const content = new ResponseBody(Buffer.from(await response.body.arrayBuffer()));
      return {
        status: response.statusCode,
        content,
        retryAfter: response.headers['retry-after'] as string | undefined,
      };
    } catch (error) {
      throw writeFailure(error, input.file);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connections that are in use, and calls that wait for one. */
  get connections(): { inUse: number; waiting: number } {
    return { inUse: this.#turns.running, waiting: this.#turns.waiting };
  }

  /** Whether nothing but probes is sent to an endpoint, for each of them. */
  *openCircuits(): Iterable<[EndpointName, boolean]> {
    for (const [operation, { isOpen: isBroken }] of Object.entries(this.#breakers))
      yield [operation as EndpointName, isBroken];
  }

  /** Ends when the writes under way have; probes are given up. */
  async close(): Promise<void> {
    for (const probe of this.#line.probes) probe.giveUp(new Error('The gateway is closing.'));
    await this.#pool.close();
  }

  /** One for each endpoint; where one serves again after an outage, the others are given another chance too. */
  #newBreakers(): Record<EndpointName, CircuitBreaker> {
    const closeAll = () => {
      this.#options.onCircuitClosed?.();
      for (const breaker of Object.values(this.#breakers)) breaker.close();
    };
    const breakers: Partial<Record<EndpointName, CircuitBreaker>> = {};
    for (const endpoint of Object.keys(endpoints) as EndpointName[]) {
      const heard = {
        closed: closeAll,
        opened: (cause: Error | number) => this.#options.onCircuitOpened?.(endpoint, cause),
      };
      breakers[endpoint] = new CircuitBreaker(heard, this.#options.breaker);
    }
    return breakers as Record<EndpointName, CircuitBreaker>;
  }

  #jsonForm(body: unknown) {
    const form = this.#options.dateTimes;
    const write = (_key: string, value: unknown) => (value instanceof DateTime ? value.in(form) : value);
    const bytes = Buffer.from(JSON.stringify(body, write));
    return { headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) }, body: bytes };
  }

  /** The filter argument that a query parameter of the service stands for. */
  argumentOf(endpoint: EndpointName, parameter: string): string {
    const known = Object.entries(this.#filtersOf(endpoint)).find(([, name]) => name === parameter);
    return known ? known[0] : parameter;
  }

  #filtersOf(endpoint: EndpointName): Readonly<Record<string, string>> {
    const { filters }: Endpoint = endpoints[endpoint];
    return { ...filters, ...this.#options.filters?.[endpoint] };
  }

  #queryOf(endpoint: EndpointName, query: Subject['query']): string {
    const fixed = this.#options.fixed?.[endpoint];
    if (!query && !fixed) return '';
    const filters = this.#filtersOf(endpoint);
    const parameters = new URLSearchParams(fixed);
    for (const [name, value] of Object.entries(query ?? {})) {
      parameters.set(filters[name] ?? name, String(value));
    }
    return parameters.size > 0 ? `?${parameters}` : '';
  }
}

async function* eachOf<T>(source: AsyncIterable<T>, note: () => void): AsyncGenerator<T> {
  for await (const item of source) {
    note();
    yield item;
  }
}

function resourcePath({ path }: Endpoint, id: string | undefined): string {
  if (!path.includes('{hashid}')) return path;
  if (id === undefined || !isPathSegment(id)) {
    throw new UpstreamError('NOT_FOUND', 'The service knows no such resource, or does not show it to this key.');
  }
  return path.replace('{hashid}', () => encodeURIComponent(id));
}
