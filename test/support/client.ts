// biome-ignore lint/suspicious/noExplicitAny: tests read whatever their document asks for
type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  data: Json;
  extensions?: Record<string, unknown>;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
  /** Calls that reached the REST service, like "GET /supply-chains/farmers/?limit=20&offset=0". */
  calls: string[];
}

export interface RequestOptions {
  /** API key, the cooperative's unless given; null sends none. */
  key?: string | null;
  /** Undefined takes a header away. */
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON; undefined for anything else. */
  body: Json;
}

export interface Client {
  /** Sends a request, a POST unless given. The address of GraphQL is the base of `path`. */
  send(request: RequestOptions & { method?: string; path?: string; body?: BodyInit }): Promise<Response>;
  /** Sends a request body as JSON, or a document as the `query` of one. */
  post(body: string | object, options?: RequestOptions): Promise<Response>;
  /** Does the same, and reads the answer. */
  ask(body: string | object, options?: RequestOptions): Promise<HttpAnswer>;
  /** Sends an operation with one file, in place of the variable that is null. */
  upload(operation: string | object, variables: object, file: File, options?: RequestOptions): Promise<Response>;
}

/** A client of the gateway at this address. */
export function clientOf(url: string): Client {
  const json = { 'content-type': 'application/json' };
  // Both ends are on this machine, where packing and unpacking answers takes a sixth of the work of a test.
  const unpacked = { 'accept-encoding': 'identity' };
  const send: Client['send'] = ({ method = 'POST', path = '', key = 'demo-coop', headers, body, signal }) => {
    const all = Object.entries({ ...unpacked, ...(key !== null && { authorization: key }), ...headers });
    const sent = all.filter((header): header is [string, string] => header[1] !== undefined);
    return fetch(new URL(path, url), {
      method,
      headers: sent,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  };
  const post: Client['post'] = (body, options) =>
    send({
      ...options,
      headers: { ...json, ...options?.headers },
      body: JSON.stringify(typeof body === 'string' ? { query: body } : body),
    });
  return {
    send,
    post,
    ask: async (body, options) => readAnswer(await post(body, options)),
    upload(operation, variables, file, options) {
      const form = new FormData();
      const body = typeof operation === 'string' ? { query: operation } : operation;
      const [place] = Object.entries(variables).find(([, value]) => value === null) ?? [];
      form.set('operations', JSON.stringify({ ...body, variables }));
      form.set('map', JSON.stringify({ 0: [`variables.${place}`] }));
      form.set('0', file);
      return send({ ...options, headers: { 'apollo-require-preflight': 'true', ...options?.headers }, body: form });
    },
  };
}

export async function readAnswer(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Codes of all errors of an answer. */
export const codesOf = ({ errors = [] }: { errors?: Pick<Answer['errors'][number], 'extensions'>[] }) =>
  errors.map(({ extensions }) => extensions.code);

/** Code of the first error; undefined without errors. */
export const codeOf = (answer: Parameters<typeof codesOf>[0] | undefined) => codesOf(answer ?? {})[0];

/** Rows that pages may lack, as the messages of their errors say. */
export function rowsInDoubt(messages: readonly string[]): number {
  const rowsIn = (message: string) => Number(/^This list may lack (\d+) of its rows/.exec(message)?.[1] ?? 0);
  return messages.reduce((sum, message) => sum + rowsIn(message), 0);
}

/** Parts of errors that a client reads. */
export function summariesOf({ errors }: Pick<Answer, 'errors'>) {
  return errors.map(({ path, extensions: { code, reference, upstream_status, retry_after, retryable } }) => ({
    path,
    code,
    retryable,
    ...(reference !== undefined && { reference }),
    ...(upstream_status !== undefined && { upstream_status }),
    ...(retry_after !== undefined && { retry_after }),
  }));
}
