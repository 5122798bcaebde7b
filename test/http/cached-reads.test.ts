import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { rawPost, sendRaw } from '../support/raw-http.ts';

const page = readFileSync(
  new URL('../../packages/graphiql/examples/transactions.graphql', import.meta.url),
  'utf8',
).replace('first: 5', 'first: 100');
const farmers = '{ farmers(limit: 2) { results { name } } }';
const farmersCall = 'GET /supply-chains/farmers/?limit=2&offset=0';
const create = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
const countCall = 'GET /supply-chains/farmers/?limit=1&offset=0';
const json = { 'content-type': 'application/json' };

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { CORS_ORIGINS: 'https://app.example' } });
});
afterAll(() => gateway.close());

type Headers = Record<string, string>;

/** By GET, or by QUERY. */
const reads = {
  GET: (query: string, headers: Headers = {}) =>
    gateway.send({
      method: 'GET',
      path: `?${new URLSearchParams({ query })}`,
      headers: { 'apollo-require-preflight': 'true', ...headers },
    }),
  QUERY: (query: string, headers: Headers = {}) =>
    gateway.send({ method: 'QUERY', headers: { ...json, ...headers }, body: JSON.stringify({ query }) }),
};

const upstreamCalls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);

describe.each(['GET', 'QUERY'] as const)('a read by %s', (method) => {
  const read = reads[method];

  test('answers as a POST does', async () => {
    gateway.sandbox.clearCalls();
    const answer = await read(farmers);
    expect(upstreamCalls()).toEqual([farmersCall]);
    expect(await answer.text()).toBe((await gateway.ask(farmers)).text);
  });

  test('has an ETag, for its caller alone', async () => {
    const { headers } = await read(farmers);
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')?.split(', ')).toEqual(
      expect.arrayContaining(['Accept', 'Accept-Encoding', 'Origin', 'authorization', 'accept-language']),
    );
  });

  test('is a 304 while the answer is the same, and an answer as soon as it differs', async () => {
    const query = '{ farmers(limit: 1) { count } }';
    const first = await read(query);
    const { count } = (await first.json()).data.farmers;
    const known = { 'if-none-match': `"other", W/${first.headers.get('etag')}` };

    gateway.sandbox.clearCalls();
    const same = await read(query, known);
    expect([same.status, await same.text(), upstreamCalls()]).toEqual([304, '', [countCall]]);

    expect((await gateway.ask(create)).body.errors).toBeUndefined();
    const other = await read(query, known);
    expect([other.status, await other.json()]).toEqual([200, { data: { farmers: { count: count + 1 } } }]);
  });

  test('is no 304 for another caller, whose answer differs', async () => {
    const { headers } = await read(farmers);
    const other = await read(farmers, { authorization: 'demo-buyer', 'if-none-match': headers.get('etag')! });
    expect(other.status).toBe(200);
  });

  test('that fails in part is stored by nobody', async () => {
    const { headers } = await read('{ farmer(id: "NOSUCHIDXX") { id } }');
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  });

  test('has a 304 of under 300 bytes for a page of 57 kB', async () => {
    const answer = await read(page, { 'accept-encoding': 'br' });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50_000);
    const etag = answer.headers.get('etag')!;
    const head = `Host: a\r\nAuthorization: demo-coop\r\nAccept-Encoding: br\r\nIf-None-Match: ${etag}\r\n`;
    const search = new URLSearchParams({ query: page });
    const request =
      method === 'GET'
        ? `GET /graphql?${search} HTTP/1.1\r\n${head}Apollo-Require-Preflight: true\r\n\r\n`
        : rawPost(JSON.stringify({ query: page }), { 'Accept-Encoding': 'br', 'If-None-Match': etag }, 'QUERY');
    const bytes = await answerTo(request);
    expect(bytes).toMatch(/^HTTP\/1.1 304 Not Modified\r\n/);
    expect(bytes).toContain(etag);
    expect(Buffer.byteLength(bytes)).toBeLessThan(300);
  });
});

/** All bytes of an answer without a body. */
async function answerTo(request: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(request);
  let bytes = '';
  while (!bytes.endsWith('\r\n\r\n')) bytes += (await once(socket, 'data'))[0];
  socket.destroy();
  return bytes;
}

describe('a request by QUERY', () => {
  test.each([1, 2, 3])('never writes, whether or not its document is known (time %i)', async () => {
    gateway.sandbox.clearCalls();
    const answer = await gateway.send({
      method: 'QUERY',
      headers: { ...json, accept: 'application/graphql-response+json', 'idempotency-key': 'once' },
      body: JSON.stringify({ query: create }),
    });
    expect([answer.status, answer.headers.get('allow'), upstreamCalls()]).toEqual([405, 'POST', []]);
    expect((await answer.json()).errors).toMatchObject([
      {
        message: 'QUERY requests only support query operations, not mutation operations',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
  });

  test('needs no header against forged requests, because a browser asks first', async () => {
    expect((await reads.QUERY(farmers)).status).toBe(200);
    expect((await reads.GET(farmers, { 'apollo-require-preflight': '' })).status).toBe(400);
  });

  test('is a file too', async () => {
    const answer = await reads.QUERY('{ farmers(limit: 2) { results { name } } }', { accept: 'application/jsonl' });
    expect(answer.headers.get('content-type')).toContain('application/jsonl');
    expect(await answer.text()).toContain('"complete":true');
  });

  test.each([
    ['text/plain', 'Content-Type must be application/json.'],
    ['application/graphql', 'Content-Type must be application/json.'],
    ['multipart/form-data; boundary=a', 'Content-Type must be application/json.'],
  ])('with a body of %s gets 415, with the types that are taken', async (type, message) => {
    const answer = await sendRaw(gateway.url, rawPost('{}', { 'Content-Type': type }, 'QUERY'));
    expect(answer).toMatchObject({
      status: 415,
      headers: { 'accept-post': 'application/json, multipart/form-data', 'accept-query': 'application/json' },
    });
    expect(JSON.parse(answer!.body).errors[0].message).toBe(message);
  });

  test('may come from a page of a listed origin, which can read the ETag', async () => {
    const preflight = await gateway.send({
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'QUERY',
        'access-control-request-headers': 'authorization, content-type, if-none-match',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, QUERY');
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('if-none-match');

    const { headers } = await reads.QUERY(farmers, { origin: 'https://app.example' });
    expect(headers.get('access-control-expose-headers')?.split(', ')).toContain('etag');
    const same = await reads.QUERY(farmers, {
      origin: 'https://app.example',
      'if-none-match': headers.get('etag')!,
    });
    expect([same.status, same.headers.get('access-control-allow-origin')]).toEqual([304, 'https://app.example']);
  });
});

test('OPTIONS lists the methods, and the types of their bodies', async () => {
  const { status, headers } = await gateway.send({ method: 'OPTIONS' });
  expect(status).toBe(204);
  expect(Object.fromEntries(headers)).toMatchObject({
    allow: 'GET, POST, QUERY',
    'accept-post': 'application/json, multipart/form-data',
    'accept-query': 'application/json',
  });
});
