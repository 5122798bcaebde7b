import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorCodes } from '../../packages/base/errors/codes.ts';
import { codeOf, readAnswer } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { sendRaw } from '../support/raw-http.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { 'limits.clients.bodyBytes': '30000' } });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.sandbox.clearCalls());

const createFarmer = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
const json = { 'content-type': 'application/json' };

type Sent = Parameters<Gateway['send']>[0];

async function send(request: Sent) {
  const answer = await readAnswer(await gateway.send(request));
  const { body, ...rest } = answer;
  return { ...rest, answer: body, type: answer.headers.get('content-type') ?? '', code: codeOf(body) };
}
const post = (body: unknown, headers: Record<string, string> = {}) =>
  send({ headers: { ...json, ...headers }, body: JSON.stringify(body) });
const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  send({ method: 'GET', path: `?${new URLSearchParams(parameters)}`, headers });
const upstreamCalls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);

describe('a GET', () => {
  const preflight = { 'apollo-require-preflight': 'true' };

  test('with a query is answered', async () => {
    const parameters = {
      query: 'query ($n: Int) { farmers(limit: $n) { results { __typename } } }',
      variables: '{"n":1}',
    };
    const { status, type, answer } = await get(parameters, preflight);
    expect(status).toBe(200);
    expect(type).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    expect(answer).toEqual({ data: { farmers: { results: [{ __typename: 'Farmer' }] } } });
    expect(upstreamCalls()).toEqual(['GET /supply-chains/farmers/?limit=1&offset=0']);
  });

  test('without a preflight header is refused', async () => {
    expect(await get({ query: '{ __typename }' })).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });

  test('with a mutation is refused', async () => {
    const { status, headers, code } = await get({ query: createFarmer }, preflight);
    expect({ status, code }).toEqual({ status: 405, code: 'BAD_REQUEST' });
    expect(headers.get('allow')).toBe('POST');
    expect(upstreamCalls()).toEqual([]);
  });

  test('without a query, or with variables that are not JSON, is refused', async () => {
    const refused = await get({ query: '{ __typename }', variables: '{' }, preflight);
    expect(refused).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(await get({}, preflight)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });

  test('from a browser gives GraphiQL', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await send({ method: 'GET', headers: { accept } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toMatch(/^<!doctype html>/i);
  });
});

describe('a body', () => {
  test.each<[string, unknown]>([
    ['lacks a query', {}],
    ['has an empty query', { query: '' }],
    ['has a query that is no text', { query: 7 }],
    ['has variables that are no object', { query: '{ __typename }', variables: 'a' }],
    ['is a batch', [{ query: '{ __typename }' }, { query: createFarmer }]],
    ['asks for a subscription', { query: 'subscription { farmers }' }],
    ['is no object', 'query'],
    ['is null', null],
    ['names an operation that it has not', { query: 'query A { __typename }', operationName: 'B' }],
    [
      'has two operations and names none',
      { query: `query A { __typename } ${createFarmer.replace('mutation', 'mutation B')}` },
    ],
  ])('that %s is refused', async (_case, body) => {
    const { status, code } = await post(body);
    expect({ status, code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(upstreamCalls()).toEqual([]);
  });

  test.each(['{', '', 'query { __typename }', '{"query":"{ __typename }"} x'])(
    'that is the JSON value %j is refused',
    async (body) => {
      const { status, code } = await send({ headers: json, body });
      expect({ status, code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    },
  );

  test.each([
    ['{"query":\n  "{ __typename }" "variables":{}}', 'Invalid JSON in the body (line 2 column 20).'],
    ['{"query":"{ __typename }",}', 'Invalid JSON in the body (line 1 column 27).'],
    ['{"query":"{ __typename }"', 'Invalid JSON in the body: it ends too early (line 1 column 26).'],
    ['{"query":\n"{ __type', 'Invalid JSON in the body: it ends too early (line 2 column 10).'],
    ['{"query":"{ __typename }","variables":{"a":\n', 'Invalid JSON in the body: it ends too early (line 2 column 1).'],
    ['{"query":"{ __typename }"} x', 'Invalid JSON in the body (line 1 column 28).'],
    ['secret', 'Invalid JSON in the body.'],
    [' ', 'Invalid JSON in the body: it is empty.'],
    [
      '{"query":"{ a }\\ud83d"}',
      'Invalid JSON in the body: it has half of a surrogate pair, such as an emoji that was cut.',
    ],
  ])('that is not JSON (%j) gets an error with the place', async (body, message) => {
    const { answer } = await send({ headers: json, body });
    expect(answer.errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('with only a hash gets the answer that makes clients send the document', async () => {
    const persistedQuery = { version: 1, sha256Hash: 'a'.repeat(64) };
    const { status, answer, code } = await post({ extensions: { persistedQuery } });
    expect({ status, code }).toEqual({ status: 200, code: 'BAD_REQUEST' });
    expect(answer.errors[0].message).toBe('PersistedQueryNotSupported');
  });

  test('may name one of several operations', async () => {
    const query = `query A { a: __typename } query B { b: __typename } ${createFarmer.replace('mutation', 'mutation C')}`;
    expect((await post({ query, operationName: 'B' })).answer).toEqual({ data: { b: 'Query' } });
    expect(upstreamCalls()).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/graphql', 'application/jsonp', 'a'])(
    'with the Content-Type %s is refused',
    async (type) => {
      const { status, code } = await send({
        headers: { 'content-type': type },
        body: JSON.stringify({ query: createFarmer }),
      });
      expect({ status, code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      expect(upstreamCalls()).toEqual([]);
    },
  );

  test('may carry a charset with its type', async () => {
    const { answer } = await post({ query: '{ __typename }' }, { 'content-type': 'application/json; charset=utf-8' });
    expect(answer).toEqual({ data: { __typename: 'Query' } });
  });

  test('with as many bytes as the limit is accepted, and one byte more is refused', async () => {
    const padded = (bytes: number) => {
      const body = JSON.stringify({ query: '{ __typename }' });
      return body + ' '.repeat(bytes - body.length);
    };
    expect((await send({ headers: json, body: padded(30_000) })).status).toBe(200);
    expect(await send({ headers: json, body: padded(30_001) })).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test('that is chunked is refused beyond the limit', async () => {
    const chunk = `${(31_000).toString(16)}\r\n${' '.repeat(31_000)}\r\n0\r\n\r\n`;
    const head =
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = await sendRaw(gateway.url, head + chunk);
    expect(answer?.status).toBe(413);
    expect(codeOf(JSON.parse(answer!.body))).toBe('PAYLOAD_TOO_LARGE');
    expect(answer!.body).toContain('larger than 30000 bytes (limits.clients.bodyBytes)');
  });

  test('that is multipart is refused without a preflight header', async () => {
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: createFarmer, variables: { file: null } }));
    form.set('map', '{"0":["variables.file"]}');
    form.set('0', new File(['a'], 'a.txt'));
    const { status, code } = await send({ body: form });
    expect({ status, code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    expect(upstreamCalls()).toEqual([]);
  });
});

describe('Accept', () => {
  test.each([
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['text/html, */*;q=0.1', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['Application/JSON;Charset=UTF-8', 'application/json; charset=utf-8'],
    ['application/graphql-response+json;q=0.1, */*;q=0.2', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
  ])('%s is answered with %s', async (accept, type) => {
    const answer = await post({ query: '{ __typename }' }, { accept });
    expect(answer).toMatchObject({ status: 200, type, answer: { data: { __typename: 'Query' } } });
  });

  test.each([
    'text/html',
    'application/xml',
    'image/*',
    'application/json;q=0',
    'application/json; charset=latin1',
    'application/json; profile=a',
    '*/*;q=0',
    'json',
    'application/json, application/json; charset=utf-8; q=0',
  ])('%s gets 406 before the operation runs', async (accept) => {
    const { status, code } = await post({ query: createFarmer }, { accept });
    expect({ status, code }).toEqual({ status: 406, code: 'BAD_REQUEST' });
    expect(upstreamCalls()).toEqual([]);
  });

  test('image/png gets 406 over GET and for uploads too', async () => {
    const read = await get(
      { query: '{ farmers { count } }' },
      { accept: 'image/png', 'apollo-require-preflight': 'true' },
    );
    expect(read).toMatchObject({ status: 406, code: 'BAD_REQUEST' });
    const upload = await send({
      headers: { accept: 'image/png', 'apollo-require-preflight': 'true' },
      body: new FormData(),
    });
    expect(upload).toMatchObject({ status: 406, code: 'BAD_REQUEST' });
    expect(upstreamCalls()).toEqual([]);
  });
});

describe('a request line', () => {
  test.each(['HEAD', 'PUT', 'PATCH', 'DELETE'])('with the method %s gets 405 and Allow', async (method) => {
    const { status, headers } = await send({ method, ...(/^P|^D/.test(method) && { headers: json, body: '{}' }) });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST, QUERY');
  });

  test.each([
    ['/health/live', 200, '{"status":"live"}'],
    ['/health/ready', 200, '{"status":"ready"}'],
  ])('with the path %s gets %i', async (path, status, body) => {
    const response = await fetch(new URL(path, gateway.url));
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(body);
  });

  test.each(['/', '/graphql/', '/graphqlx', '/health', '/graphiql/assets/none.js', '/%2e%2e/package.json'])(
    'with the path %s gets 404',
    async (path) => {
      const answer = await sendRaw(gateway.url, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(answer?.status).toBe(404);
    },
  );

  test.each(['/graphiql/assets/../../package.json', '/graphiql/assets/', '/graphiql/assets/%00', '/%zz'])(
    '%s gets 400 without details',
    async (path) => {
      const answer = await sendRaw(gateway.url, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(String(answer?.status)).toMatch(/^40[034]$/);
      expect(answer?.body).not.toContain('traceability-graphql-gateway');
    },
  );
});

describe('x-request-id', () => {
  test('is generated, returned, and part of the errors', async () => {
    const first = await post({ query: '{ farmer(id: "NOSUCHIDXX") { id } }' });
    const id = first.headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.answer.errors[0].extensions.request_id).toBe(id);
    expect((await post({ query: '{ __typename }' })).headers.get('x-request-id')).not.toBe(id);
  });

  test('sent by the client is returned, in refusals too', async () => {
    const headers = { 'x-request-id': 'order-7' };
    for (const answer of [
      await post({ query: '{ shoe_size }' }, headers),
      await post([], headers),
      await send({ headers: { ...headers, ...json }, body: '{' }),
      await send({ headers: { ...headers, 'content-type': 'text/plain' }, body: 'a' }),
    ]) {
      expect(answer.headers.get('x-request-id')).toBe('order-7');
      expect(answer.answer.errors[0].extensions.request_id).toBe('order-7');
    }
  });
});

test('errors have only the extensions of the contract', async () => {
  const known = ['code', 'retryable', 'reference', 'fields', 'upstream_status', 'retry_after', 'request_id'];
  const answers = await Promise.all([
    post({ query: '{' }),
    post({ query: '{ shoe_size }' }),
    post({ query: nested12() }),
    post({}),
    post([]),
    post({ query: '{ __typename }', operationName: 'B' }),
    post({ query: 'mutation ($i: CreateFarmerInput!) { createFarmer(input: $i) { id } }', variables: { i: {} } }),
    post({ query: 'mutation { createFarmer(input: { first_name: "" }) { id } }' }),
    post({ query: 'mutation { createFarmer(input: { first_name: "A", buyer: "NO" }) { id } }' }),
    post({ query: '{ farmer(id: "NOSUCHIDXX") { id } company(id: "..") { id } }' }),
    post({ query: '{ farmers(limit: -1) { count } }' }),
    post({ query: '{ farmers { count } }' }, { authorization: 'a-stranger' }),
    send({ headers: { 'content-type': 'text/plain' }, body: 'a' }),
    send({ headers: json, body: ' '.repeat(40_000) }),
    get({ query: '{ __typename }' }),
    post({ query: '{ __typename }' }, { accept: 'image/png' }),
  ]);
  for (const { answer, text } of answers) {
    expect(answer.errors.length, text).toBeGreaterThan(0);
    for (const error of answer.errors) {
      expect(
        Object.keys(error.extensions).filter((key) => !known.includes(key)),
        text,
      ).toEqual([]);
      expect(Object.keys(errorCodes), text).toContain(error.extensions.code);
      expect(error.extensions.retryable, text).toEqual(expect.any(Boolean));
      expect(error.extensions.request_id, text).toEqual(expect.any(String));
    }
    expect(text).not.toMatch(/stacktrace|node_modules|127\.0\.0\.1|a-stranger/);
  }
});
const nested12 = () => `{ farmers { results { ${'buyer { '.repeat(9)} id ${'} '.repeat(9)} } } }`;
