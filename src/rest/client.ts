import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { DateTime, type DateTimeForm } from './date-time.ts';
import { Deadlines } from './deadlines.ts';
import { type Answer, type Endpoint, endpoints, type Operation } from './endpoints.ts';
import { errorFromAnswer, RestError } from './errors.ts';
import { writeFailure } from './failures.ts';
import { type InvoiceFile, invoiceForm } from './form-data.ts';
import { isObject } from './json.ts';
import { isPathSegment } from './path-segment.ts';
import { type RawAnswer, read } from './read.ts';

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

export interface CallInput {
  id?: string;
  /** By filter argument, plus `limit` and `offset`. */
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  file?: InvoiceFile;
  /** Hears the status of the answer. */
  onStatus?: (status: number) => void;
  /** Ends a read early. A write that was begun is never cut short: its outcome would be unknown. */
  signal?: AbortSignal;
}

/** Where a call goes, and what it says of its caller. */
interface RestRequest {
  path: string;
  headers: Record<string, string>;
}

export class RestClient {
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #options: RestClientOptions;
  readonly #deadlines: Deadlines;

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
   * The documented body of the answer, out of its envelope where the service uses one.
   * @throws RestError for every other outcome; the file's own error when an upload's source fails.
   */
  async call<O extends Operation>(operation: O, caller: CallerHeaders, input: CallInput = {}): Promise<Answer<O>> {
    const endpoint: Endpoint = endpoints[operation];
    const isWrite = endpoint.method !== 'GET';
    const request = {
      path: this.#basePath + pathOf(endpoint, input.id) + this.#queryOf(operation, input.query),
      headers: { ...caller, accept: 'application/json' },
    };
    const answer = isWrite
      ? await this.#send(endpoint.method, request, input)
      : await read((handler) => this.#pool.dispatch({ ...request, method: 'GET' }, handler), this.#deadlines, input);
    if (answer.status === 404 && input.id === undefined) throw noSuchPath();
    return answerOf(answer, isWrite) as Answer<O>;
  }

  /** A write; its body is JSON, or a form where there is a file. */
  async #send(method: Endpoint['method'], { path, headers }: RestRequest, input: CallInput): Promise<RawAnswer> {
    const { write, upload } = this.#options.timeouts;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), input.file ? upload : write);
    let body: string | Readable;
    if (input.file) {
      const form = invoiceForm(input.file);
      Object.assign(headers, form.headers);
      body = Readable.from(eachOf(form.body, () => timer.refresh()));
    } else {
      headers['content-type'] = 'application/json';
      body = this.#write(input.body ?? {});
    }
    try {
      const response = await this.#pool.request({ path, method, headers, body, signal: deadline.signal });
      input.onStatus?.(response.statusCode);
      const text = await response.body.text();
      return { status: response.statusCode, text, retryAfter: response.headers['retry-after'] as string | undefined };
    } catch (error) {
      throw writeFailure(error, input.file);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #write(body: unknown): string {
    const form = this.#options.dateTimes;
    return JSON.stringify(body, (_key, value: unknown) => (value instanceof DateTime ? value.in(form) : value));
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

  #queryOf(operation: Operation, query: CallInput['query']): string {
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

async function* eachOf<T>(source: AsyncIterable<T>, note: () => void): AsyncGenerator<T> {
  for await (const item of source) {
    note();
    yield item;
  }
}

/** Lists and creations are always there: it is the base URL that leads elsewhere. */
function noSuchPath(): RestError {
  return new RestError('UPSTREAM_INVALID_RESPONSE', 'The service knows no such path; check UPSTREAM_URL.', {
    status: 404,
  });
}

function pathOf(endpoint: Endpoint, id: string | undefined): string {
  if (!endpoint.path.includes('{hashid}')) return endpoint.path;
  if (id === undefined || !isPathSegment(id)) {
    throw new RestError('NOT_FOUND', 'The service knows no such resource, or does not show it to this key.');
  }
  return endpoint.path.replace('{hashid}', () => encodeURIComponent(id));
}

function answerOf({ status, text, retryAfter }: RawAnswer, isWrite: boolean): unknown {
  const body = parseJson(text);
  if (status >= 300) throw errorFromAnswer(status, body, retryAfter, isWrite);
  if (body === undefined) {
    const what = text.trim() === '' ? 'nothing' : 'something that is not JSON';
    throw new RestError('UPSTREAM_INVALID_RESPONSE', `The service answered ${status} with ${what}.`, { status });
  }
  const isEnveloped = isObject(body) && 'success' in body && 'data' in body;
  if (isEnveloped && body.success === false) {
    const inner = typeof body.code === 'number' && body.code >= 400 ? body.code : 500;
    throw errorFromAnswer(inner, body, retryAfter, isWrite);
  }
  const content = isEnveloped ? body.data : body;
  if (!isObject(content)) {
    throw new RestError('UPSTREAM_INVALID_RESPONSE', 'The service answered something that is no object.', { status });
  }
  return content;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
