import { expect, test } from 'vitest';
import { codeOf } from '../../../test/support/client.ts';
import { importTesting } from './testing-package.ts';

const { matchers, startGateway } = await importTesting();

const createFarmer = 'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id first_name } }';
const farmersNamed = 'query ($name: String) { farmers(first_name: $name) { count results { id } } }';

test('a gateway answers operations, and says the calls of each', async () => {
  await using gateway = await startGateway();

  const { status, data, errors, calls } = await gateway.graphql('{ farmers(limit: 2) { results { buyer { name } } } }');

  expect({ status, errors }).toEqual({ status: 200, errors: [] });
  expect(data.farmers.results).toHaveLength(2);
  expect(calls).toMatchObject([
    { endpoint: 'listFarmers', status: 200, rows: 2, ms: 42, reason: 'root', fields: ['farmers'] },
    { endpoint: 'getCompany', status: 200, rows: 1, ms: 100, reason: 'by id', fields: ['Farmer.buyer'] },
  ]);
  expect(await gateway.calls()).toEqual(calls);
  await gateway.clearCalls();
  expect(await gateway.calls()).toEqual([]);
});

test('graphql takes keys, headers, and documents of tags and code generators', async () => {
  await using gateway = await startGateway();
  const typed = new String('{ farmers { count } }') as { __apiType?: () => { farmers: { count: number } } };

  const refused = await gateway.graphql('{ farmers { count } }', {}, { key: null });
  const buyer = await gateway.graphql(typed, {}, { key: 'demo-buyer', headers: { 'x-request-id': 'mine' } });
  const { parse } = await import('graphql');
  const cooperative = await gateway.graphql(parse('{ farmers { count } }'));

  expect(codeOf(refused)).toBe('UNAUTHENTICATED');
  expect(buyer.headers['x-request-id']).toBe('mine');
  expect(buyer.calls).toHaveLength(1);
  expect(cooperative.data.farmers.count).toBeGreaterThan(buyer.data?.farmers.count ?? Number.POSITIVE_INFINITY);
});

test('thirty gateways side by side share no rows, failures, clocks, calls and keys', async () => {
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  const gateways = await Promise.all(numbers.map((day) => startGateway({ now: new Date(Date.UTC(2026, 0, 1 + day)) })));

  const outcomes = await Promise.all(
    gateways.map(async (gateway, number) => {
      if (number % 2 === 1) await gateway.fail('listFarmers', 503);
      const headers = { 'idempotency-key': 'the-same-key-in-each' };
      const { data } = await gateway.graphql(createFarmer, { name: `Only ${number}` }, { headers });
      const found = await gateway.graphql(farmersNamed, { name: 'Only' });
      const day = new Date(await gateway.clock.now()).getTime() / 86_400_000 - Date.UTC(2026, 0, 1) / 86_400_000;
      return {
        name: data.createFarmer.first_name,
        day: Math.floor(day),
        found: found.data?.farmers?.count ?? codeOf(found),
      };
    }),
  );

  expect(outcomes).toEqual(
    numbers.map((day) => ({ name: `Only ${day}`, day, found: day % 2 === 1 ? 'UPSTREAM_UNAVAILABLE' : 1 })),
  );
  expect(await Promise.all(gateways.map(async (gateway) => (await gateway.calls()).length))).toEqual(
    numbers.map(() => 2),
  );
  await Promise.all(gateways.map((gateway) => gateway.stop()));
});

test('reset gives the first rows again, drops failures, caches, calls and keys, and keeps the address', async () => {
  await using gateway = await startGateway({ now: '2026-03-01T12:00:00Z' });
  const { url } = gateway;
  const headers = { 'idempotency-key': 'a-key-of-a-test' };
  const write = () => gateway.graphql(createFarmer, { name: 'Adwoa-Test' }, { headers });
  const currencies = () => gateway.graphql('{ currencies { count } }');
  const first = await write();
  await currencies();
  await gateway.fail('listCurrencies', 503);
  await gateway.clock.advance(60_000);

  await gateway.reset();

  expect(await gateway.calls()).toEqual([]);
  expect(gateway.url).toBe(url);
  expect(await gateway.clock.now()).toBe('2026-03-01T12:00:00.000000Z');
  expect((await gateway.graphql(farmersNamed, { name: 'Adwoa-Test' })).data.farmers.count).toBe(0);
  const again = await write();
  expect(again.data).toEqual(first.data);
  expect(again.calls).toHaveLength(1);
  expect(await currencies()).toMatchObject({ errors: [], calls: [{ endpoint: 'listCurrencies' }] });
});

test('reset with a wrong seed names its place, and changes nothing', async () => {
  await using gateway = await startGateway({ now: '2026-03-01T12:00:00Z' });
  await gateway.graphql(createFarmer, { name: 'Adwoa-Test' });
  await gateway.clock.advance(60_000);
  const undo = await gateway.fail('listProducts', 503);

  const wrong = { farmers: [{ firstname: 'Ama' } as object] };
  await expect(gateway.reset(wrong)).rejects.toThrow('seed.farmers[0]: there is no field firstname.');

  expect((await gateway.graphql(farmersNamed, { name: 'Adwoa-Test' })).data.farmers.count).toBe(1);
  expect(await gateway.clock.now()).toBe('2026-03-01T12:01:00.000000Z');
  await gateway.reset();
  await gateway.fail('listProducts', 503);
  await undo();
  expect(codeOf(await gateway.graphql('{ products { count } }'))).toBe('UPSTREAM_UNAVAILABLE');
});

// Without an end of their own, held writes would keep the gateway for writeMs.
const patient = { upstream: { timeouts: { writeMs: 3_600_000 } } };
const cut = {
  data: null,
  errors: [{ message: 'The gateway was reset or stopped during this operation.' }],
};

test('reset ends reads and writes that still wait, and graphql resolves', async () => {
  await using gateway = await startGateway({ seed: {}, settings: patient });
  await gateway.delay('listFarmers', Number.POSITIVE_INFINITY);
  await gateway.delay('createFarmer', Number.POSITIVE_INFINITY);
  const two =
    'mutation { a: createFarmer(input: { first_name: "A" }) { id } b: createFarmer(input: { first_name: "B" }) { id } }';
  const waiting = [gateway.graphql('{ farmers { count } }'), gateway.graphql(two)];
  await expect.poll(() => gateway.unmet()).toEqual([]);

  await gateway.reset();

  expect(await Promise.all(waiting)).toMatchObject([cut, cut]);
  expect((await gateway.graphql('{ farmers { count } }')).data).toEqual({ farmers: { count: 0 } });
  expect((await gateway.graphql(createFarmer, { name: 'C' })).data).toMatchObject({
    createFarmer: { first_name: 'C' },
  });
});

test('stop does not wait for a held write, and graphql resolves', async () => {
  const gateway = await startGateway({ seed: {}, settings: patient });
  await gateway.delay('createFarmer', Number.POSITIVE_INFINITY);
  const waiting = gateway.graphql(createFarmer, { name: 'A' });
  await expect.poll(() => gateway.unmet()).toEqual([]);

  await gateway.stop();

  expect(await waiting).toMatchObject(cut);
});

test.each([
  ['stands', '2026-03-01T12:00:00Z'],
  ['runs', undefined],
])("a sync sees its rows by the service's clock, which %s first, is set and advances", async (_which, now) => {
  await using gateway = await startGateway({ seed: {}, ...(now !== undefined && { now }) });
  let since: string | null = null;
  async function synced(): Promise<string[]> {
    const query = 'query ($since: DateTime) { serverTime farmers(updated_after: $since) { results { first_name } } }';
    const { data } = await gateway.graphql(query, { since });
    since = data.serverTime;
    return data.farmers.results.map(({ first_name }: { first_name: string }) => first_name);
  }
  const create = (name: string) => gateway.graphql(createFarmer, { name });
  expect(await synced()).toEqual([]);

  await create('first');
  expect(await synced()).toEqual(['first']);
  await gateway.clock.advance(3_600_000);
  expect(await synced()).toEqual(['first']);
  await create('after an hour');
  expect(await synced()).toEqual(['after an hour']);
  await gateway.clock.set('2031-01-01T00:00:00Z');
  await create('in 2031');
  expect(await synced()).toContain('in 2031');
  await gateway.clock.set('2020-01-01T00:00:00Z');
  await synced();
  await create('in 2020');
  expect(await synced()).toContain('in 2020');
  await gateway.reset();
  since = null;
  await synced();
  await create('after a reset');
  expect(await synced()).toEqual(['after a reset']);
});

// The table of packages/testing/README.md.
test.each([
  [400, 'BAD_USER_INPUT', 'BAD_USER_INPUT'],
  [409, 'CONFLICT', 'CONFLICT'],
  [500, 'UPSTREAM_ERROR', 'OUTCOME_UNKNOWN'],
  [502, 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  [503, 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
  [504, 'UPSTREAM_TIMEOUT', 'OUTCOME_UNKNOWN'],
  ['disconnect', 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['lost-answer', 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['cut-answer', 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'],
  ['html', 'UPSTREAM_INVALID_RESPONSE', 'OUTCOME_UNKNOWN'],
  ['wrong-type', undefined, undefined],
] as const)('the failure %s is %s of a read, and %s of a write', async (failure, ofRead, ofWrite) => {
  await using gateway = await startGateway({ seed: { farmers: [{ id: 'ama' }] } });
  await gateway.fail('getFarmer', failure);
  await gateway.fail('createFarmer', failure);

  expect(codeOf(await gateway.graphql('{ farmer(id: "ama") { first_name } }'))).toBe(ofRead);
  expect(codeOf(await gateway.graphql(createFarmer, { name: 'A' }))).toBe(ofWrite);
});

test('resets and a stop at the same time take place one after the other', async () => {
  const gateway = await startGateway({ seed: {} });

  await Promise.all([gateway.reset({ farmers: 1 }), gateway.reset({ farmers: 2 })]);
  expect((await gateway.graphql('{ farmers { count } }')).data).toEqual({ farmers: { count: 2 } });

  await Promise.all([gateway.reset(), gateway.stop()]);
});

test('fetch rejects as that of the browser, where the app aborts a request or the gateway is reset', async () => {
  await using gateway = await startGateway({ seed: {} });
  const ask = (signal?: AbortSignal) =>
    gateway.fetch('/graphql', {
      method: 'POST',
      headers: { authorization: 'demo-coop', 'content-type': 'application/json' },
      body: '{ "query": "{ farmers { count } }" }',
      ...(signal && { signal }),
    });
  await expect(ask(AbortSignal.abort())).rejects.toThrow('This operation was aborted');
  expect(await gateway.calls()).toEqual([]);
  await gateway.delay('listFarmers', Number.POSITIVE_INFINITY);

  await expect(ask(AbortSignal.timeout(1))).rejects.toThrow('due to timeout');
  await gateway.reset();
  await gateway.delay('listFarmers', Number.POSITIVE_INFINITY);
  const reset = expect(ask()).rejects.toThrow(TypeError);
  await expect.poll(() => gateway.unmet()).toEqual([]);
  await gateway.reset();

  await reset;
  expect((await ask()).status).toBe(200);
});

test('fail fails the calls of an endpoint once each, until it is undone', async () => {
  await using gateway = await startGateway();
  const farmers = () => gateway.graphql('{ farmers(limit: 2) { results { id buyer { name } } } }');

  const undo = await gateway.fail('getCompany', 503);
  expect(await gateway.unmet()).toHaveLength(1);
  const partial = await farmers();
  expect(await gateway.unmet()).toEqual([]);
  await undo();

  expect(partial.data.farmers.results.map(({ buyer }: { buyer: unknown }) => buyer)).toEqual([null, null]);
  expect(codeOf(partial)).toBe('UPSTREAM_UNAVAILABLE');
  expect(partial.calls.map(({ status }) => status)).toEqual([200, 503]);
  expect((await farmers()).errors).toEqual([]);
});

test('delay with Infinity holds an answer until it is let go', async () => {
  await using gateway = await startGateway();
  const release = await gateway.delay('listFarmers', Number.POSITIVE_INFINITY);
  let isAnswered = false;
  const asking = gateway.graphql('{ farmers { count } }').finally(() => {
    isAnswered = true;
  });
  await expect.poll(() => gateway.unmet()).toEqual([]);

  expect(isAnswered).toBe(false);
  await release();

  expect((await asking).errors).toEqual([]);
});

test('elsewhere writes and deletes past the gateway, as another app does', async () => {
  await using gateway = await startGateway({
    seed: { products: [{ id: 'COCOA' }], productTransactions: [{ id: 'P1' }, 1] },
  });
  const { data } = await gateway.graphql('{ company(id: "J7VY4SD9HV") { updated_on } }');

  expect((await gateway.elsewhere('DELETE', '/transactions/product-transactions/P1/')).status).toBe(200);
  expect((await gateway.elsewhere('GET', '/transactions/product-transactions/')).body.count).toBe(1);
  expect((await gateway.elsewhere('PATCH', '/supply-chains/companies/J7VY4SD9HV/', { city: 'Wa' })).body.city).toBe(
    'Wa',
  );
  await gateway.clearCalls();
  const update =
    'mutation ($seen: DateTime) { updateCompany(id: "J7VY4SD9HV", input: { city: "Ho" }, if_updated_on: $seen) { city } }';
  const answer = await gateway.graphql(update, { seen: data.company.updated_on });

  expect([answer.data, codeOf(answer)]).toEqual([{ updateCompany: { city: 'Wa' } }, 'CONFLICT']);
  expect(await gateway.calls()).toMatchObject([{ endpoint: 'getCompany' }]);
});

test('operations are answered at the pace of the test', async () => {
  await using gateway = await startGateway();
  await gateway.pace({ default: { callMs: 1 } });

  expect((await gateway.graphql('{ farmers { count } }')).errors).toEqual([]);
});

test('mistakes in options and names of endpoints are errors that name the right ones', async () => {
  const settings = { limits: { operations: { upstreamCall: 1 } } };
  await expect(startGateway({ settings })).rejects.toThrow('settings: limits.operations.upstreamCall');
  await using gateway = await startGateway({ settings: { limits: { operations: { upstreamCalls: 1 } } } });

  const refusal: Error = await gateway.fail('listFarmer' as 'listFarmers', 503).catch((error) => error);
  expect(refusal.message).toContain('listFarmers');
  expect(refusal.stack).toMatch(/^Error: fail\('listFarmer'.*\n[\s\S]*gateway\.test\.ts/);
  expect(codeOf(await gateway.graphql('{ farmers(limit: 2) { results { buyer { name } } } }'))).toBe(
    'UPSTREAM_BUDGET_EXCEEDED',
  );
});

test('gateways with the settings of one deployment have addresses of their own', async () => {
  const settings = { server: { host: '::', port: 1, adminPort: 1, workers: 2 } };
  await using one = await startGateway({ seed: { farmers: 1 }, settings });
  await using other = await startGateway({ seed: { farmers: 2 }, settings });

  expect((await one.graphql('{ farmers { count } }')).data.farmers.count).toBe(1);
  expect((await other.graphql('{ farmers { count } }')).data.farmers.count).toBe(2);
});

test('misspelled options and numbers that are none are refused', async () => {
  await using gateway = await startGateway({ seed: {} });
  const misspelled = { time: 1 } as object;

  await expect(startGateway({ data: '/tmp' } as object)).rejects.toThrow('startGateway: there is no option data.');
  await expect(startGateway({ pace: 'fast' as 'real' })).rejects.toThrow('pace: "fast" is neither real nor none');
  await expect(gateway.fail('listFarmers', 503, misspelled)).rejects.toThrow('fail: there is no option time.');
  await expect(gateway.delay('listFarmers', 1, { when: misspelled })).rejects.toThrow('when: there is no option time.');
  await expect(gateway.delay('listFarmers', Number.NaN)).rejects.toThrow('is no number of milliseconds');
  await expect(gateway.clock.advance(Number.NaN)).rejects.toThrow('is no number of milliseconds');
  await expect(gateway.reset({ farmers: 1e9 })).rejects.toThrow('seed.farmers: 1000000000 rows are more than 100000.');
});

test('a stopped gateway says so', async () => {
  const gateway = await startGateway();
  await gateway.stop();
  await gateway.stop();

  await expect(gateway.calls()).rejects.toThrow('This gateway is stopped.');
});

test('toCostAtMost compares calls, milliseconds and rows, and shows the calls', async () => {
  await using gateway = await startGateway();
  const answer = await gateway.graphql('{ farmers(limit: 2) { results { buyer { name } } } }');

  const within = await matchers.toCostAtMost(gateway, { calls: 2, ms: 142, rows: 3 });
  const beyond = await matchers.toCostAtMost(answer, { calls: 1, ms: 200 });

  expect(within.pass).toBe(true);
  expect(beyond.pass).toBe(false);
  expect(beyond.message()).toBe(`This costs the service 2 calls, 142 ms: more than 1 call.

call         status  rows   ms  reason  asked for by
listFarmers     200     2   42  root    farmers
getCompany      200     1  100  by id   Farmer.buyer
`);
  await expect(matchers.toCostAtMost({} as [], { calls: 1 })).rejects.toThrow('toCostAtMost takes a gateway');
});
