import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { arriving, merged, partsOf } from '../../../test/support/parts.ts';
import { pauseGunzip } from '../../../test/support/paused-gunzip.ts';
import { scrape, valuesOf } from '../../../test/support/scrape.ts';

const apollo = 'multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9';
const urql = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
const json = 'application/json';

const buyers = `query Buyers {
  farmers(limit: 2) { count results { id ... @defer(label: "buyer") { buyer { name } } } }
}`;
const farmersCall = 'GET /supply-chains/farmers/?limit=2&offset=0';
const companyCall = 'GET /supply-chains/companies/J7VY4SD9HV/';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.sandbox.reset());

const post = (query: string, accept: string, variables = {}) =>
  gateway.post({ query, variables }, { headers: { accept } });
const calls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);

/** The parts for Apollo Client. */
async function ask(query: string, variables = {}) {
  const response = await post(query, apollo, variables);
  const text = await response.text();
  return { response, text, parts: partsOf(text), calls: calls() };
}

/** The answer without parts. */
async function whole(query: string, variables = {}) {
  return (await post(query, json, variables)).json();
}

describe('a fragment with @defer', () => {
  test('comes later, in the format of the present draft', async () => {
    const { response, parts, calls } = await ask(buyers);

    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"; incrementalSpec=v0.2');
    const [a, b] = parts[0]!.data.farmers.results.map(({ id }: { id: string }) => id);
    expect(parts).toEqual([
      {
        data: { farmers: { count: 240, results: [{ id: a }, { id: b }] } },
        pending: [
          { id: '0', path: ['farmers', 'results', 0], label: 'buyer' },
          { id: '1', path: ['farmers', 'results', 1], label: 'buyer' },
        ],
        hasNext: true,
      },
      {
        incremental: [
          { id: '0', data: { buyer: { name: 'Sankofa Growers Cooperative Union' } } },
          { id: '1', data: { buyer: { name: 'Sankofa Growers Cooperative Union' } } },
        ],
        completed: [{ id: '0' }, { id: '1' }],
        hasNext: false,
      },
    ]);
    expect(calls).toEqual([farmersCall, companyCall]);
  });

  test('comes after a first part so long that the gateway makes it in turns', async () => {
    const aliases = Array.from({ length: 25 }, (_, at) => `${`name_${at}_`.padEnd(50, 'x')}: first_name`).join(' ');
    const query = `{ farmers(limit: 240) { results { id ${aliases} ... @defer { buyer { name } } } } }`;
    const { parts, text } = await ask(query);

    expect(text.length).toBeGreaterThan(300_000);
    for (const row of parts[0]!.data.farmers.results) expect(row).not.toHaveProperty('buyer');
    expect(merged(parts)).toEqual({ ...(await whole(query)), errors: [] });
  });

  test('comes while the service holds back its call', async () => {
    const release = gateway.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    const parts = arriving(await post(buyers, apollo));

    const first = await parts.next();
    release();
    const second = await parts.next();

    expect(first.value).toMatchObject({ data: { farmers: { count: 240 } }, hasNext: true });
    expect(second.value).toMatchObject({ completed: [{ id: '0' }, { id: '1' }], hasNext: false });
  });

  test('comes beside others as soon as it is there', async () => {
    const release = gateway.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    const query = `{ __typename
      ... @defer(label: "slow") { company(id: "J7VY4SD9HV") { name } }
      ... @defer(label: "quick") { farmers(limit: 1) { count } } }`;
    const parts = arriving(await post(query, apollo));

    expect((await parts.next()).value).toMatchObject({
      data: { __typename: 'Query' },
      pending: [
        { path: [], label: 'slow' },
        { path: [], label: 'quick' },
      ],
    });
    expect((await parts.next()).value).toMatchObject({
      incremental: [{ data: { farmers: { count: 240 } } }],
      hasNext: true,
    });
    release();
    expect((await parts.next()).value).toMatchObject({ completed: [{ id: '0' }], hasNext: false });
    expect((await parts.next()).done).toBe(true);
  });

  test('adds to objects that the client has, each field once', async () => {
    const query = `{
      farmer(id: "3Z4CSTM722") { id buyer { id name } ...Late @defer ...Later @defer }
    }
    fragment Late on Farmer { id buyer { name country } }
    fragment Later on Farmer { buyer { country } productTransactions(limit: 1) { results { id } } }`;
    const { parts } = await ask(query);

    expect(merged(parts)).toEqual({ data: (await whole(query)).data, errors: [] });
    const texts = parts.slice(1).map((part) => JSON.stringify(part));
    expect(texts.filter((text) => text.includes('"country"'))).toHaveLength(1);
    expect(texts.join()).toContain('"subPath":["buyer"]');
    expect(texts.join()).not.toContain('"name"');
  });
});

describe('executes at once', () => {
  test.each([
    ['a fragment that takes no further load', '{ farmers(limit: 1) { results { id ... @defer { first_name } } } }', {}],
    [
      'a fragment whose `if` is false',
      'query ($late: Boolean!) { ... @defer(if: $late) { farmers(limit: 1) { count } } }',
      { late: false },
    ],
    ['a fragment that is skipped', '{ __typename ... @defer @skip(if: true) { farmers(limit: 1) { count } } }', {}],
    [
      'a fragment of an object of one of several types',
      '{ productTransactions(limit: 1) { results { source { ... on Farmer { ... @defer { buyer { name } } } } } } }',
      {},
    ],
  ])('%s', async (_what, query, variables) => {
    const { text, response } = await ask(query, variables);

    expect(response.headers.get('content-type')).toMatch(/json/);
    expect(JSON.parse(text)).toEqual(await whole(query, variables));
  });

  test('a mutation', async () => {
    const query = `mutation { createFarmer(input: { first_name: "Ama" }) { first_name ... @defer { buyer { name } } } }`;

    expect(JSON.parse((await ask(query)).text).data.createFarmer.first_name).toBe('Ama');
  });
});

describe('the form of the answer', () => {
  test('is multipart/mixed for a client that names it without a version', async () => {
    const response = await post(buyers, 'multipart/mixed, application/json;q=0.5');

    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
    expect(partsOf(await response.text())).toHaveLength(2);
  });

  test('is a stream of events for urql', async () => {
    const response = await post(buyers, urql);
    const text = await response.text();

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(text.endsWith('event: complete\ndata:\n\n')).toBe(true);
    expect(merged(partsOf(text)).data).toEqual((await whole(buyers)).data);
  });

  test.each(['multipart/mixed; deferSpec=20220824, application/json', 'application/json', '*/*', undefined])(
    'is one text for Accept: %s',
    async (accept) => {
      const response = await gateway.post(buyers, { headers: { accept } });
      const plain = await gateway.post(buyers.replace('@defer(label: "buyer")', ''), { headers: { accept } });

      expect(await response.text()).toBe(await plain.text());
      expect(response.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    },
  );

  test('is one text for a document without @defer', async () => {
    const response = await post('{ farmers(limit: 1) { count } }', urql);

    expect(response.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
  });

  test.each(['gzip', 'br', 'zstd'])('is compressed and flushed part by part in %s', async (coding) => {
    const release = gateway.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    const response = await gateway.post(buyers, { headers: { accept: apollo, 'accept-encoding': coding } });
    const parts = arriving(response);

    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
    });
    expect(response.headers.has('etag')).toBe(false);
    expect((await parts.next()).value).toMatchObject({ hasNext: true });
    release();
    expect((await parts.next()).value).toMatchObject({ hasNext: false });
  });

  test('shows the trace in the last part, and when each fragment came', async () => {
    const response = await gateway.post(buyers, { headers: { accept: apollo, 'x-trace-upstream': 'true' } });
    const [first, last] = partsOf(await response.text());

    expect(first).not.toHaveProperty('extensions');
    expect(last!.extensions.upstream.total).toBe(2);
    expect(last!.extensions.upstream.deferred).toEqual([
      { path: ['farmers', 'results'], label: 'buyer', objects: 2, ms: expect.any(Number) },
    ]);
  });
});

test('an estimate says what comes later, and what the first part takes', async () => {
  const response = await gateway.post(buyers, { headers: { accept: apollo, 'x-trace-upstream': 'estimate' } });
  const { data, extensions } = await response.json();

  expect(data).toBeNull();
  expect(extensions.upstream.estimate).toMatchObject({
    cost: 4,
    expected: { calls: 2, ms: 100 },
    first: { calls: 1, ms: 50 },
  });
  expect(extensions.upstream.deferred).toEqual([{ path: ['farmers', 'results'], label: 'buyer' }]);
  expect(calls()).toEqual([]);
});

describe('an error', () => {
  test('later stands in its part, with its path', async () => {
    const query = `{ farmers(limit: 1) { count } ... @defer { company(id: "AAAAAAAAAA") { name } } }`;
    const { parts } = await ask(query);

    expect(parts[0]).not.toHaveProperty('errors');
    expect(parts[1]).toMatchObject({
      incremental: [{ data: { company: null }, errors: [{ path: ['company'], extensions: { code: 'NOT_FOUND' } }] }],
      completed: [{ id: '0' }],
    });
  });

  test('at first stands in the first part alone', async () => {
    const query = `{ company(id: "AAAAAAAAAA") { id ... @defer { members: id } } ... @defer { farmers(limit: 1) { count } } }`;
    const { parts } = await ask(query);

    expect(parts[0]).toMatchObject({ data: { company: null }, errors: [{ path: ['company'] }] });
    expect(merged(parts).errors).toHaveLength(1);
  });

  test('before the first part is refused as always', async () => {
    const answer = await post('{ ... @defer { farmers(limit: 1) { nothing } } }', apollo);

    expect(answer.status).toBe(422);
    expect((await answer.json()).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('by the limits of an operation is refused as a whole', async () => {
    await using small = await startGateway({ settings: { 'limits.operations.cost': '3' } });
    const answer = await small.post(buyers, { headers: { accept: apollo } });

    expect(answer.status).toBe(422);
    expect((await answer.json()).errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
    expect(small.sandbox.calls()).toEqual([]);
  });

  test('asks for a key as always', async () => {
    const answer = await gateway.post(buyers, { key: null, headers: { accept: apollo } });

    expect(JSON.stringify(await answer.text())).toContain('UNAUTHENTICATED');
    expect(calls()).toEqual([]);
  });
});

test('nothing is asked for a client that leaves while the gateway unpacks its query', async () => {
  await using faked = await startFakedGateway();
  faked.upstream.hold();
  const { begun, letGo } = pauseGunzip();
  const leaving = new AbortController();
  const { signal } = leaving;
  const headers = { accept: apollo, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const lost = faked.send({ headers, body: gzipSync(JSON.stringify({ query: buyers })), signal });
  await begun;
  const lostLater = faked.post('{ currencies { count } }', { signal });
  await faked.upstream.untilArrived(1);
  leaving.abort();
  await Promise.all([expect(lost).rejects.toThrow(), expect(lostLater).rejects.toThrow()]);
  // The gateway has noticed the later client, and so the first.
  await expect.poll(() => faked.upstream.abandoned).toHaveLength(1);
  await letGo();

  await expect.poll(async () => valuesOf(await scrape(faked.url), 'operations_in_flight')).toEqual({ '': 0 });
  expect(faked.upstream.calls).toHaveLength(1);
});

test('a client that leaves before the first part is no failed operation', async () => {
  await using faked = await startFakedGateway();
  faked.upstream.hold();
  const leaving = new AbortController();
  const lost = faked.post(buyers, { headers: { accept: apollo }, signal: leaving.signal });
  await faked.upstream.untilArrived(1);
  leaving.abort();
  await expect(lost).rejects.toThrow();

  await expect.poll(async () => valuesOf(await scrape(faked.url), 'operations_total')).toEqual({ 'query left': 1 });
  expect(valuesOf(await scrape(faked.url), 'errors_total')).toEqual({});
});

describe('between two parts', () => {
  test('the calls end with a client that leaves', async () => {
    await using faked = await startFakedGateway();
    faked.upstream.respond = ({ path }) => (path.includes('/companies/') ? { stalls: true } : undefined);
    const leaving = new AbortController();
    const parts = arriving(await faked.post(buyers, { headers: { accept: apollo }, signal: leaving.signal }));
    await parts.next();
    await expect.poll(() => faked.upstream.pending).toBe(1);

    leaving.abort();

    await expect(parts.next()).rejects.toThrow();
    await expect.poll(() => faked.upstream.abandoned).toEqual([companyCall]);
  });

  test('a gateway that shuts down waits for the rest', async () => {
    const closing = await startGateway();
    const release = closing.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    const parts = arriving(await closing.post(buyers, { headers: { accept: apollo } }));
    await parts.next();

    const closed = closing.close();
    release();

    expect((await parts.next()).value).toMatchObject({ completed: [{ id: '0' }, { id: '1' }], hasNext: false });
    await closed;
  });

  test('the deadline of the operation ends the parts that are left', async () => {
    await using late = await startGateway({ settings: { 'limits.operations.timeoutMs': '700' } });
    late.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    const response = await late.post(buyers, { headers: { accept: apollo } });
    const parts = partsOf(await response.text());

    expect(merged(parts).errors.map(({ extensions }) => extensions.code)).toContain('UPSTREAM_TIMEOUT');
    expect(parts.at(-1)).toMatchObject({ hasNext: false });
  });
});
