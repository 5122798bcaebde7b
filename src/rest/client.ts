import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { DateTime, type DateTimeForm } from './date-time.ts';
import { type Answer, type Endpoint, endpoints, type Operation } from './endpoints.ts';
import { errorFromAnswer, RestError } from './errors.ts';
import { FileSizeError, type InvoiceFile, invoiceForm } from './form-data.ts';
import { isObject } from './json.ts';

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

export class RestClient {
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #options: RestClientOptions;

  constructor(options: RestClientOptions) {
    const url = new URL(options.url);
    this.#options = options;
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
    const path = this.#basePath + pathOf(endpoint, input.id) + this.#queryOf(operation, input.query);
    const headers: Record<string, string> = { ...caller, accept: 'application/json' };
    const { read, write, upload } = this.#options.timeouts;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), endpoint.method === 'GET' ? read : input.file ? upload : write);
    let body: string | Readable | null = null;
    if (input.file) {
      const form = invoiceForm(input.file);
      Object.assign(headers, form.headers);
      body = Readable.from(eachOf(form.body, () => timer.refresh()));
    } else if (endpoint.method !== 'GET') {
      headers['content-type'] = 'application/json';
      body = this.#write(input.body ?? {});
    }
    const signal =
      endpoint.method === 'GET' && input.signal ? AbortSignal.any([input.signal, deadline.signal]) : deadline.signal;
    try {
      const response = await this.#pool.request({ path, method: endpoint.method, headers, body, signal });
      input.onStatus?.(response.statusCode);
      const text = await response.body.text();
      const retryAfter = response.headers['retry-after'];
      const isWrite = endpoint.method !== 'GET';
      if (response.statusCode === 404 && input.id === undefined) throw noSuchPath();
      return answerOf(response.statusCode, text, retryAfter as string | undefined, isWrite) as Answer<O>;
    } catch (error) {
      throw this.#failure(error, endpoint, input, deadline.signal);
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

  #queryOf(operation: Operation, query: CallInput['query'] = {}): string {
    const filters = this.#filtersOf(operation);
    const parameters = new URLSearchParams(this.#options.fixed?.[operation]);
    for (const [name, value] of Object.entries(query)) {
      parameters.set(filters[name] ?? name, String(value));
    }
    return parameters.size > 0 ? `?${parameters}` : '';
  }

  #failure(error: unknown, endpoint: Endpoint, input: CallInput, deadline: AbortSignal): unknown {
    if (error instanceof RestError) return error;
    // The source of an upload failed (client gone, file too large): the service never saw a complete request.
    if (input.file?.stream.errored) return input.file.stream.errored;
    if (error instanceof FileSizeError) {
      return new RestError('BAD_USER_INPUT', 'The file is not of the size that was announced.', { cause: error });
    }
    if (neverSent(error)) {
      return new RestError('UPSTREAM_UNAVAILABLE', 'The service cannot be reached.', { cause: error });
    }
    if (endpoint.method !== 'GET') {
      return new RestError('OUTCOME_UNKNOWN', 'The write was sent, but no answer came: it may have been stored.', {
        cause: error,
      });
    }
    if (input.signal?.aborted) return input.signal.reason;
    if (deadline.aborted) {
      return new RestError('UPSTREAM_TIMEOUT', 'The service did not answer in time.', { cause: error });
    }
    return new RestError('UPSTREAM_UNAVAILABLE', 'The service broke the connection off.', { cause: error });
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
  // An id is one path segment: an empty one or dots would name another endpoint.
  if (id === undefined || /^\.*$/.test(id) || !id.isWellFormed()) {
    throw new RestError('NOT_FOUND', 'The service knows no such resource, or does not show it to this key.');
  }
  return endpoint.path.replace('{hashid}', () => encodeURIComponent(id));
}

function answerOf(status: number, text: string, retryAfter: string | undefined, isWrite: boolean): unknown {
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

/** Errors that come before the first byte of a request leaves: refused or impossible connections. */
function neverSent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(code) ||
    /^(ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code) ||
    (error instanceof AggregateError && error.errors.every(neverSent))
  );
}
