import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpstreamReport } from '../../packages/rest-graph/request/upstream-report.ts';
import { UpstreamTrace } from '../../packages/rest-graph/request/upstream-trace.ts';
import { serviceContract } from '../../src/service-contract.ts';
import { realCosts } from '../support/cost-profiles.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    settings: {
      'limits.operations.upstreamCalls': '12',
      'limits.documents.rootFields': '40',
      'limits.documents.aliases': '40',
    },
  });
});
afterAll(() => gateway.close());

interface Traced {
  estimate: { least: number; cost: number };
  total: number;
  calls: UpstreamReport['calls'];
}

/** Gives `extensions.upstream` and the calls of the sandbox. */
async function traced(document: string): Promise<{ trace: Traced; text: string; calls: string[] }> {
  gateway.sandbox.clearCalls();
  const { text, body } = await gateway.ask(document, { headers: { 'x-trace-upstream': 'true' } });
  const calls = gateway.sandbox.calls().map(({ method, template }) => `${method} ${template}`);
  return { trace: body.extensions.upstream, text, calls };
}

test('the trace lists each call and the fields that needed it', async () => {
  const { trace, text, calls } = await traced(`{
    latest: productTransactions(limit: 20) { results { source { name } destination { name } product { name } } }
    user(id: "J7VY4SD9HV") { email }
  }`);

  const summary = trace.calls.map(({ method, path, status, rows, reason, fields }) => [
    `${method} ${path}`,
    status,
    rows,
    reason,
    fields.join(' '),
  ]);
  expect(summary.toSorted()).toEqual(
    [
      ['GET /transactions/product-transactions/', 200, 20, 'root', 'latest'],
      [
        'GET /supply-chains/companies/{hashid}/',
        200,
        1,
        'by id',
        'ProductTransaction.source ProductTransaction.destination',
      ],
      ['GET /supply-chains/companies/{hashid}/', 200, 1, 'by id', 'ProductTransaction.destination'],
      ['GET /accounts/users/{hashid}/', 200, 1, 'by id', 'user'],
      ['GET /catalogs/products/', 200, 12, 'list scan', 'ProductTransaction.product'],
      ['GET /supply-chains/farmers/', 200, 100, 'list scan', 'ProductTransaction.source'],
      ['GET /supply-chains/farmers/', 200, 100, 'list scan', 'ProductTransaction.source'],
      ['GET /supply-chains/farmers/', 200, 40, 'list scan', 'ProductTransaction.source'],
    ].toSorted(),
  );
  expect(trace.total).toBe(8);
  expect(trace.calls.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(calls.toSorted());
  expect(trace.calls.every(({ ms }) => ms > 0)).toBe(true);
  expect(text).not.toContain('demo-coop');
  expect(text).not.toContain(gateway.sandbox.url);
});

test('the trace lists the object or the rows of each call, and the size of its answer', async () => {
  const { trace } = await traced(
    '{ currencies(search: "EUR", limit: 3) { results { code } } user(id: "J7VY4SD9HV") { email } }',
  );

  const [user, page] = trace.calls.toSorted((a, b) => a.path.localeCompare(b.path));
  expect(page).toMatchObject({ query: { search: 'EUR', limit: 3, offset: 0 } });
  expect(page).not.toHaveProperty('id');
  expect(user).toMatchObject({ id: 'J7VY4SD9HV' });
  expect(user).not.toHaveProperty('query');
  const headers = { authorization: 'demo-coop' };
  for (const [call, path] of [
    [page, '/catalogs/currencies/?search=EUR&limit=3&offset=0'],
    [user, '/accounts/users/J7VY4SD9HV/'],
  ] as const) {
    const body = await (await fetch(gateway.sandbox.url + path, { headers })).arrayBuffer();
    expect(call?.bytes).toBe(body.byteLength);
  }
});

test('the trace names the object that a write has made', async () => {
  await using own = await startGateway();
  const { body } = await own.ask(
    `mutation {
      a: createFarmer(input: { first_name: "Ama" }) { id }
      b: updateCompany(id: "J7VY4SD9HV", input: { city: "Ho" }) { id }
    }`,
    { headers: { 'x-trace-upstream': 'true' } },
  );

  const ids = body.extensions.upstream.calls.map(({ method, id }: { method: string; id: string }) => `${method} ${id}`);
  expect(ids).toEqual([`POST ${body.data.a.id}`, 'PATCH J7VY4SD9HV']);
});

test('the trace divides the time of a call into its wait, the work of the service and the rest', async () => {
  const { trace } = await traced('{ farmers(limit: 30) { results { creator { email } } } }');

  for (const { ms, queuedMs, workMs } of trace.calls) {
    expect(queuedMs).toBeGreaterThanOrEqual(0);
    // Each of the three is rounded.
    expect(queuedMs + workMs).toBeLessThanOrEqual(ms + 0.2);
  }
  expect(trace.calls[0]?.workMs).toBeGreaterThan(0);
});

test('the trace lists a failed call with its status', async () => {
  const { trace } = await traced('{ farmer(id: "AAAAAAAAAA") { first_name } }');

  expect(trace.calls).toMatchObject([
    { id: 'AAAAAAAAAA', status: 404, rows: 0, bytes: 0, reason: 'by id', fields: ['farmer'] },
  ]);
});

test('the trace does not list a call that was not sent', async () => {
  const { trace, calls } = await traced('{ farmer(id: "..") { first_name } user(id: "") { email } }');

  expect([trace.total, trace.calls, calls]).toEqual([0, [], []]);
});

test('the trace lists both fields that share a call', async () => {
  const { trace } = await traced(
    '{ a: farmers(limit: 5) { count results { id } } b: farmers(limit: 5) { results { id } } }',
  );

  expect(trace.calls).toMatchObject([{ rows: 5, fields: ['a', 'b'] }]);
});

test('the trace gives the fewest calls known beforehand', async () => {
  const { trace } = await traced('{ farmers(limit: 3) { results { creator { email } } } }');
  expect(trace).toMatchObject({ estimate: { least: 1, cost: 6 }, total: 4 });

  const refused = await traced(`{ ${reads(13).join(' ')} }`);
  expect(refused.trace).toEqual({
    estimate: { least: 13, cost: 13, expected: { calls: 13, ms: 52, workMs: 650 } },
    total: 0,
    calls: [],
    saved: [],
    choices: [],
  });
});

test('the trace lists 100 choices with rounded estimates, and counts the others', () => {
  const trace = new UpstreamTrace(serviceContract, { trace: 'true' });
  const gets = { gets: 4, pages: 0, width: 0, size: 0, ms: 31.04, workMs: 124.06 };
  const page = { gets: 0, pages: 1, width: 1, size: 100, ms: 1280, workMs: 1280 };
  const gatewayMs = 0.52;
  for (let keys = 1; keys <= 105; keys += 1) {
    const origin = { reason: 'by id', fields: () => ['ProductTransaction.parents'] } as const;
    trace.choose(
      'listProductTransactions',
      { keys, chosen: { ...gets, gatewayMs }, others: [{ ...page, gatewayMs }] },
      origin,
    );
  }

  const { choices, moreChoices } = trace.report();

  expect(choices[3]).toEqual({
    path: '/transactions/product-transactions/',
    start: expect.any(Number),
    fields: ['ProductTransaction.parents'],
    keys: 4,
    chosen: { ...gets, ms: 31, workMs: 124.1 },
    others: [page],
  });
  expect([choices.length, moreChoices]).toEqual([100, 5]);
});

test('the trace says once for each batch what the gateway chose', async () => {
  await using real = await startGateway({ costs: realCosts });
  const document = '{ entityCards(limit: 50) { results { entity { name } } } }';
  for (const _run of ['cold', 'warm']) {
    const { body } = await real.ask(document, { headers: { 'x-trace-upstream': 'true' } });
    expect(body.extensions.upstream.choices).toMatchObject([
      { path: '/supply-chains/farmers/', fields: ['EntityCard.entity'], keys: 48, chosen: { gets: 48, pages: 0 } },
    ]);
  }
});

test('the trace is part of no other answer', async () => {
  const { body } = await gateway.ask('{ farmers { count } }');

  expect(body).toEqual({ data: { farmers: { count: 240 } } });
});

const reads = (count: number) => Array.from({ length: count }, (_, index) => `u${index}: user(id: "${index}") { id }`);

test('an operation beyond the call budget is refused before its first call', async () => {
  const answer = await gateway.query(`query { ...all } fragment all on Query { ${reads(13).join(' ')} }`);

  expect(answer).toMatchObject({
    status: 400,
    errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }],
    calls: [],
  });
  expect(answer.errors[0]!.message).toBe(
    'The operation needs 13 REST calls at least; 12 are allowed (limits.operations.upstreamCalls).',
  );
});

test('the estimate counts equal reads once, and skippable fields not at all', async () => {
  const equal = Array.from({ length: 20 }, (_, index) => `f${index}: farmers(limit: 1) { results { id } }`);
  const skipped = reads(20).map((read) => `s${read.replace(' {', ' @skip(if: true) {')}`);

  const answer = await gateway.query(`{ ${equal.join(' ')} ${skipped.join(' ')} }`);

  expect(answer).toMatchObject({ status: 200, errors: [], calls: ['GET /supply-chains/farmers/?limit=1&offset=0'] });
});

test('reads after a write leave a call to each following write', async () => {
  await using tight = await startGateway({ settings: { 'limits.operations.upstreamCalls': '2' } });

  const { data, errors, calls } = await tight.query(`mutation {
    updateCompany(id: "J7VY4SD9HV", input: { city: "Ho" }) { city currency { code } }
    createFarmer(input: { first_name: "Ama" }) { first_name }
  }`);

  expect(data.updateCompany.city).toBe('Ho');
  expect(data.createFarmer).toEqual({ first_name: 'Ama' });
  expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['UPSTREAM_BUDGET_EXCEEDED']));
  expect(calls).toEqual(['PATCH /supply-chains/companies/J7VY4SD9HV/', 'POST /supply-chains/farmers/']);
});

test('an estimate shows the error of each field whose arguments are refused, and writes nothing', async () => {
  gateway.sandbox.clearCalls();
  const { body } = await gateway.ask(
    `mutation {
      a: createFarmer(input: { first_name: "" }) { id }
      b: createFarmer(input: { first_name: "B" }) { id }
      c: createFarmer(input: { first_name: "C", number: "12345678901" }) { id }
    }`,
    { headers: { 'x-trace-upstream': 'estimate' } },
  );
  expect(body.data).toBeNull();
  expect(body.errors).toMatchObject([
    { path: ['a'], extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'first_name'] }] } },
    { path: ['c'], extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'number'] }] } },
  ]);
  expect(body.extensions.upstream.estimate.least).toBe(0);
  expect(gateway.sandbox.calls()).toEqual([]);
});
