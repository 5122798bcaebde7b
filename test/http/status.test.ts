import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { table } from '../docs/pages.ts';
import { readAnswer } from '../support/client.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { RawConnection, rawPost } from '../support/raw-http.ts';

let gateway: Gateway;
/** Has an operation that waits for the service, and no place for another one. */
let busy: FakedGateway;
/** Has an operation that waits for the service, and takes no other one of the caller. */
let greedy: FakedGateway;
let running: Promise<Response>[];
beforeAll(async () => {
  gateway = await startGateway({
    settings: { 'limits.clients.bodyBytes': '30000', 'limits.operations.upstreamCalls': '3' },
  });
  busy = await startFakedGateway({ 'limits.operations.running': '1', 'limits.operations.queued': '0' });
  greedy = await startFakedGateway({ MAX_OPERATIONS_PER_CALLER: '1' });
  // The service accepts the key.
  await greedy.post('{ farmers { count } }');
  greedy.upstream.clear();
  running = [busy, greedy].map(({ upstream, post }) => {
    upstream.hold('reads');
    return post('{ farmers { count } }');
  });
});
afterAll(async () => {
  for (const { upstream } of [busy, greedy]) upstream.release();
  await Promise.all(running);
  for (const each of [busy, greedy]) await each.close();
  await gateway.close();
});

const graphqlType = 'application/graphql-response+json';
const preflight = { 'apollo-require-preflight': 'true' };
const createFarmer = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
const deep = `{ farmers { results { ${'buyer { '.repeat(9)} id ${'} '.repeat(9)} } } }`;

type Headers = Record<string, string | undefined>;
type Send = (headers: Headers) => Promise<Response>;

const post =
  (body: object): Send =>
  (headers) =>
    gateway.post(body, { headers });
const postText =
  (body: string, type = 'application/json'): Send =>
  (headers) =>
    gateway.send({ headers: { ...headers, 'content-type': type }, body });
const get =
  (parameters: Record<string, string>, more: Headers = preflight): Send =>
  (headers) =>
    gateway.send({ method: 'GET', path: `?${new URLSearchParams(parameters)}`, headers: { ...headers, ...more } });
const form =
  (options: Headers, key?: null): Send =>
  (headers) =>
    gateway.upload('mutation ($file: Upload!) { uploadInvoice(id: "A", file: $file) { id } }', { file: null }, file, {
      headers: { ...headers, ...options },
      ...(key === null && { key }),
    });
const file = new File(['a'], 'a.txt');

/** Requests by their row in docs/errors.md. */
const requests: Record<string, Send[]> = {
  'gets data alone': [
    post({ query: '{ __typename }' }),
    get({ query: '{ __typename }' }),
    get({ query: '{ __typename }', operationName: '', variables: '', extensions: '' }),
  ],
  'gets errors beside data, or beside data that is null': [
    post({ query: '{ __typename farmer(id: "NOSUCHIDXX") { id } }' }),
    post({ query: '{ farmer(id: "NOSUCHIDXX") { id } }' }),
    post({ query: 'mutation { createFarmer(input: { first_name: "" }) { id } }' }),
    (headers) => gateway.post({ query: '{ farmers { count } }' }, { key: null, headers }),
    get({ query: '{ farmer(id: "NOSUCHIDXX") { id } }' }),
  ],
  'has a document that is not GraphQL': [post({ query: '{' }), get({ query: '{' })],
  'has a document that does not fit the schema': [
    post({ query: '{ shoe_size }' }),
    post({ query: 'query ($id: ID!) { __typename }' }),
  ],
  'has a document or an operation over a limit': [
    post({ query: deep }),
    post({ query: `{ ${'a '.repeat(9_000)} }` }),
    post({ query: '{ farmers { count } currencies { count } cards { count } products { count } }' }),
  ],
  'has variables that do not fit their types': [
    post({ query: 'query ($n: Int!) { farmers(limit: $n) { count } }' }),
    post({ query: 'query ($n: Int!) { farmers(limit: $n) { count } }', variables: { n: 'one' } }),
    get({ query: 'query ($n: Int!) { farmers(limit: $n) { count } }', variables: '{"n":"one"}' }),
  ],
  'names no operation of the document': [
    post({ query: '{ __typename }', operationName: 'A' }),
    post({ query: 'query A { __typename } query B { __typename }' }),
    get({ query: '{ __typename }', operationName: 'null' }),
  ],
  'has an `X-Trace-Upstream` other than `true`, `estimate` or `false`': [
    (headers) => gateway.post('{ __typename }', { headers: { ...headers, 'x-trace-upstream': 'yes' } }),
  ],
  'asks for a subscription': [post({ query: 'subscription { farmers }' })],
  'asks for a document by an unknown id': [post({ documentId: 'sha256:a' })],
  'has a body of JSON that is no request of GraphQL over HTTP': [
    post({}),
    post({ qeury: '{ __typename }' }),
    post({ query: 7 }),
    post({ query: '' }),
    post({ query: '{ __typename }', variables: [7] }),
    post({ query: '{ __typename }', operationName: 7 }),
    post({ query: '{ __typename }', extensions: 'a' }),
    post([{ query: '{ __typename }' }]),
    postText('null'),
    postText('"query"'),
    get({}),
  ],
  'has a parameter that is no JSON': [
    get({ query: '{ __typename }', variables: '{' }),
    get({ query: '{ __typename }', extensions: '{' }),
  ],
  'has a body that is not JSON, or broken gzip': [
    postText('NONSENSE'),
    postText('{"query":'),
    postText(''),
    (headers) => postText('{"query":"{ __typename }"}')({ ...headers, 'content-encoding': 'gzip' }),
  ],
  'asks for a mutation by GET': [get({ query: createFarmer })],
  'comes by GET or as a form, without `apollo-require-preflight`': [
    get({ query: '{ __typename }' }, {}),
    form({ 'apollo-require-preflight': undefined }),
  ],
  'comes as a form without `Authorization`': [form({}, null)],
  'has another method': [(headers) => gateway.send({ method: 'PUT', headers })],
  'has a body that is too large': [postText(' '.repeat(30_001))],
  'has headers or an address that are too long': [get({ query: `{ __typename } #${'a'.repeat(20_000)}` })],
  'has a body of another type or coding': [
    postText('{ __typename }', 'application/graphql'),
    postText('{"query":"{ __typename }"}', 'application/json; charset=latin1'),
    (headers) => postText('a')({ ...headers, 'content-encoding': 'br' }),
  ],
  'has an `Idempotency-Key` that came with another operation, variables or headers': [
    async (headers) => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      await gateway.post(createFarmer, { headers: key });
      return gateway.post(createFarmer.replace('"A"', '"B"'), { headers: { ...headers, ...key } });
    },
  ],
  'comes when the gateway is overloaded': [
    async (headers) => {
      await busy.upstream.untilArrived(1);
      return busy.post('{ __typename }', { headers });
    },
  ],
  'comes from a caller with too many operations': [
    async (headers) => {
      await greedy.upstream.untilArrived(1);
      return greedy.post('{ __typename }', { headers });
    },
  ],
};

describe('a request that', () => {
  const rows = ['request', 'refused request'].flatMap((heading) => table('docs/errors.md', heading));
  const cases = rows.flatMap(([what = '', ...statuses]) =>
    [graphqlType, 'application/json', '*/*'].map((accept, index) => ({
      what,
      accept,
      status: Number(statuses[index] ?? statuses[0]),
      ran: Number(statuses[0]) < 300,
    })),
  );

  test('stands in the tables of docs/errors.md', () => {
    expect(rows.map(([what]) => what).sort()).toEqual(Object.keys(requests).sort());
  });

  test.each(cases)('$what, and accepts $accept, gets $status', async ({ what, accept, status, ran }) => {
    for (const send of requests[what]!) {
      const answer = await readAnswer(await send({ accept }));
      expect(answer.status, answer.text).toBe(status);
      if (status === 405) expect(answer.headers.get('allow')).toMatch(/POST/);
      if (!answer.body) continue;
      // An answer that comes before the headers of a request are read is JSON.
      const type = status === 431 || accept === '*/*' ? 'application/json' : accept;
      expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect('data' in answer.body, answer.text).toBe(ran);
    }
  });

  test('has errors and an Accept that prefers application/json gets 200', async () => {
    const accept = `${graphqlType};q=0.5, application/json`;
    expect(await statusOf('{ farmer(id: "NOSUCHIDXX") { id } }', accept)).toBe(200);
    expect(await statusOf('{ shoe_size }', accept)).toBe(200);
  });

  test.each([
    `${graphqlType}, application/json;q=0.9`,
    `${graphqlType}; charset=utf-8, application/json; charset=utf-8`,
    // As urql sends it.
    `${graphqlType}, application/graphql+json, application/json, text/event-stream, multipart/mixed`,
  ])('has errors and the Accept %s gets 294', async (accept) => {
    expect(await statusOf('{ farmer(id: "NOSUCHIDXX") { id } }', accept)).toBe(294);
    expect(await statusOf('{ shoe_size }', accept)).toBe(422);
  });
});

const statusOf = async (query: string, accept: string) => (await gateway.post(query, { headers: { accept } })).status;

test('294 has its phrase, and no cache may keep its answer', async () => {
  const body = JSON.stringify({ query: '{ __typename farmer(id: "NOSUCHIDXX") { id } }' });
  const connection = new RawConnection(gateway.url);
  let bytes = '';
  connection.socket.on('data', (chunk) => {
    bytes += chunk;
  });
  await connection.send(rawPost(body, { Accept: graphqlType }));
  expect(await connection.answer()).toMatchObject({ status: 294, headers: { 'cache-control': 'no-store' } });
  connection.close();
  expect(bytes).toMatch(/^HTTP\/1\.1 294 Partial Success\r\n/);
});
