import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { bodyOf } from './answer.ts';
import { Content, Contents } from './content.ts';
import { DateTime, type DateTimeForm } from './date-time.ts';
import { Deadlines } from './deadlines.ts';
import { type Endpoint, endpoints, type Operation } from './endpoints.ts';
import { RestError } from './errors.ts';
import { neverSent, writeFailure } from './failures.ts';
import { type InvoiceFile, invoiceForm } from './form-data.ts';
import type { Json } from './json.ts';
import { isPathSegment } from './path-segment.ts';
import { Exchange, type RawAnswer, type Receiver } from './read.ts';

export interface RestClientOptions {
  /** Base URL of the service; ends with the version segment. */
  url: string;
  /** How date-times are written into request bodies. */
  dateTimes: DateTimeForm;
  /** Renamed query parameters: operation → filter argument → parameter. */
  filters?: Partial<Record<Operation, Record<string, string>>>;
  /** Query parameters that go with every call of an operation. */
  fixed?: Partial<Record<Operation, Record<string, string>>>;
  connections: number;
  /** Milliseconds. `upload` is counted anew with every piece of the file that the service takes. */
  timeouts: { connect: number; read: number; write: number; upload: number };
}

/** Headers that go upstream as the client sent them; above all `authorization`. */
export type CallerHeaders = Readonly<Record<string, string>>;

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
}

const accepting = { accept: 'application/json' };

export class RestClient {
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #options: RestClientOptions;
  readonly #deadlines: Deadlines;
  readonly #contents = new Contents();

  constructor(options: RestClientOptions) {
    const url = new URL(options.url);
    this.#options = options;
    this.#deadlines = new Deadlines(options.timeouts.read);
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
  pathOf(operation: Operation, { id, query }: Subject): string {
    return this.#basePath + resourcePath(endpoints[operation], id) + this.#queryOf(operation, query);
  }

  /** Sends a GET for a caller; `receiver` hears what becomes of it, which may be before this returns. */
  read(path: string, caller: CallerHeaders, receiver: Receiver): Exchange {
    const exchange = new Exchange(path, receiver, { deadlines: this.#deadlines, contents: this.#contents });
    this.#pool.dispatch({ path, method: 'GET', headers: { ...caller, ...accepting } }, exchange);
    return exchange;
  }

  /**
   * A write; its body is JSON, or a form where there is a file. It is never cut short: its outcome would be unknown.
   * @throws RestError for every outcome but success; the file's own error when an upload's source fails.
   */
  async write(operation: Operation, caller: CallerHeaders, input: WriteInput = {}): Promise<Json> {
    const path = this.pathOf(operation, input.id === undefined ? {} : { id: input.id });
    const answer = await this.#send(endpoints[operation].method, path, { ...caller, ...accepting }, input);
    return bodyOf(answer, { isWrite: true, isById: input.id !== undefined });
  }

  async #send(
    method: Endpoint['method'],
    path: string,
    headers: Record<string, string>,
    input: WriteInput,
  ): Promise<RawAnswer> {
    const { write, upload } = this.#options.timeouts;
    const deadline = new AbortController();
    const unsent = Promise.withResolvers<never>();
    const form = input.file ? invoiceForm(input.file) : this.#jsonForm(input.body ?? {});
    let isSent = false;
    const expire = () => {
      deadline.abort();
      // A request that waits for a connection hears of its signal when it has one, and is dropped then.
      if (!isSent) unsent.reject(neverSent());
    };
    const timer = setTimeout(expire, input.file ? upload : write);
    const pieces = eachOf(form.body, () => {
      isSent = true;
      timer.refresh();
    });
    try {
      const answer = this.#pool.request({
        path,
        method,
        headers: { ...headers, ...form.headers },
        // A text would be sent without a word: only what is asked for tells that it is on its way.
        body: Readable.from(pieces),
        signal: deadline.signal,
      });
      const response = await Promise.race([answer, unsent.promise]);
      input.onStatus?.(response.statusCode);
      const content = new Content(Buffer.from(await response.body.arrayBuffer()));
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

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #jsonForm(body: unknown) {
    const form = this.#options.dateTimes;
    const write = (_key: string, value: unknown) => (value instanceof DateTime ? value.in(form) : value);
    const bytes = Buffer.from(JSON.stringify(body, write));
    return { headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) }, body: [bytes] };
  }

  /** The filter argument that a query parameter of the service stands for. */
  argumentOf(operation: Operation, parameter: string): string {
    const known = Object.entries(this.#filtersOf(operation)).find(([, name]) => name === parameter);
    return known ? known[0] : parameter;
  }

  #filtersOf(operation: Operation): Readonly<Record<string, string>> {
    const endpoint: Endpoint = endpoints[operation];
    return { ...endpoint.filters, ...this.#options.filters?.[operation] };
  }

  #queryOf(operation: Operation, query: Subject['query']): string {
    const fixed = this.#options.fixed?.[operation];
    if (!query && !fixed) return '';
    const filters = this.#filtersOf(operation);
    const parameters = new URLSearchParams(fixed);
    for (const [name, value] of Object.entries(query ?? {})) {
      parameters.set(filters[name] ?? name, String(value));
    }
    return parameters.size > 0 ? `?${parameters}` : '';
  }
}

async function* eachOf<T>(source: AsyncIterable<T> | Iterable<T>, note: () => void): AsyncGenerator<T> {
  for await (const item of source) {
    note();
    yield item;
  }
}

function resourcePath({ path }: Endpoint, id: string | undefined): string {
  if (!path.includes('{hashid}')) return path;
  if (id === undefined || !isPathSegment(id)) {
    throw new RestError('NOT_FOUND', 'The service knows no such resource, or does not show it to this key.');
  }
  return path.replace('{hashid}', () => encodeURIComponent(id));
}
