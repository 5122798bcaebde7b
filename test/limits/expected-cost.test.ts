import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UpstreamReport } from '../../packages/rest-graph/request/upstream-report.ts';
import { priorCosts } from '../../packages/upstream/service-costs.ts';
import { serviceContract } from '../../src/service-contract.ts';
import { codesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

/** A document, and its expected calls, milliseconds and work at the costs of the contract, before any call. */
const examples: [what: string, document: string, expected: [calls: number, ms: number, workMs: number]][] = [
  ['introspection', '{ __schema { queryType { name } } }', [0, 0, 0]],
  ['a count', '{ farmers { count } }', [1, 30, 30]],
  ['a page', '{ farmers(limit: 10) { results { name } } }', [1, 90, 90]],
  ['two lists side by side', '{ farmers { count } currencies { count } }', [2, 30, 41]],
  ['an object', '{ company(id: "J7VY4SD9HV") { name } }', [1, 100, 100]],
  ['a reference', '{ farmers(limit: 9) { results { buyer { name } } } }', [4, 185, 384]],
  ['an id', '{ farmers(limit: 9) { results { buyer { id } } } }', [1, 84, 84]],
  [
    'references that wait for references',
    '{ farmers(limit: 1) { results { buyer { creator { email } } } } }',
    [3, 161, 161],
  ],
  [
    'what only a list of unknown length has',
    '{ productTransactions(limit: 2) { results { product { name } currency { code } } } }',
    [9, 515, 967],
  ],
  [
    'objects of one list at two places, once',
    '{ productTransactions(limit: 2) { results { product { name } } } paymentTransactions(limit: 2) { results { transaction { product { name } } } } }',
    [12, 516, 1078],
  ],
  ['the last rows, after the count', '{ farmers(last: 5) { results { name } } }', [2, 90, 90]],
  ['the last rows beside the count', '{ farmers(last: 5) { results { name } } all: farmers { count } }', [2, 90, 90]],
  [
    'farmers among companies, which a list of unknown length may have',
    '{ productTransactions(limit: 100) { results { source { name } } } }',
    [95, 1388, 4100],
  ],
];

// A gateway for each test, because it learns the lengths of the lists that it reads.
let gateway: Gateway;
beforeEach(async () => {
  gateway = await startGateway({
    costs: priorCosts(serviceContract),
    file: { limits: { operations: { cost: 2_500 } }, graphql: { countedElements: 'all' } },
  });
});
afterEach(() => gateway.close());

const estimateOf = async (document: string, options?: { key?: string | null }) => {
  const answer = await gateway.query(document, {}, { ...options, headers: { 'x-trace-upstream': 'estimate' } });
  return { ...answer, ...(answer.extensions?.upstream as Required<UpstreamReport> | undefined) };
};

describe('X-Trace-Upstream: estimate', () => {
  test.each(examples)('expects calls, time and work of %s, without a call', async (_what, document, figures) => {
    const { data, errors, calls, total, estimate } = await estimateOf(document);
    expect(errors).toEqual([]);
    expect({ data, calls, total }).toEqual({ data: null, calls: [], total: 0 });
    const { calls: count, ms, workMs } = estimate!.expected!;
    expect([count, ms, workMs]).toEqual(figures);
  });

  test('expects objects by id together, where pages of their list may have them', async () => {
    await using flat = await startGateway();
    const fields = Array.from({ length: 20 }, (_, n) => `f${n}: farmer(id: "FARMER${n}") { name }`);
    const headers = { 'x-trace-upstream': 'estimate' };
    const { extensions } = await flat.query(`{ ${fields.join(' ')} }`, {}, { headers });
    expect(extensions).toMatchObject({ upstream: { estimate: { expected: { calls: 5 } } } });
  });

  test('runs no mutation, and estimates one without a key', async () => {
    const document = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
    for (const key of ['demo-coop', null]) {
      const { calls, estimate } = await estimateOf(document, { key });
      expect(calls).toEqual([]);
      expect(estimate).toMatchObject({ least: 1, expected: { calls: 1 } });
    }
  });

  test.each(['Estimate', 'true, estimate'])('runs no mutation where the header is written as "%s"', async (trace) => {
    const document = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
    const { calls, data } = await gateway.query(document, {}, { headers: { 'x-trace-upstream': trace } });
    expect({ calls, data }).toEqual({ calls: [], data: null });
  });

  test('sends no file', async () => {
    const headers = { 'x-trace-upstream': 'estimate', accept: 'text/csv' };
    gateway.sandbox.clearCalls();
    const answer = await gateway.post('{ farmers(limit: 2) { results { id } } }', { headers });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Accept: application/json');
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test('refuses what a run would refuse', async () => {
    const { errors } = await estimateOf(
      '{ farmers(limit: 1000) { results { buyer { creator { id } } updater { id } creator { id } } } }',
    );
    expect(errors[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  test('counts no use of fields', async () => {
    await estimateOf('{ farmers { results { identification_no } } }');
    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
    expect(metrics).not.toContain('Farmer.identification_no');
  });

  test('knows the size of a list that the caller has read', async () => {
    const document = '{ products(limit: 1000) { results { name } } }';
    const before = await estimateOf(document);
    const { data } = await gateway.query('{ products { count } }');
    const after = await estimateOf(document);
    expect(before.estimate!.expected!.calls).toBeGreaterThan(1);
    expect(data.products.count).toBeLessThan(100);
    expect(after.estimate!.expected!.calls).toBe(1);
  });

  test.each([
    [
      'how many objects rows refer to',
      '{ paymentTransactions(limit: 30) { results { destination { name } creator { email } } } }',
    ],
    ['how long the lists inside objects are', '{ company(id: "J7VY4SD9HV") { members { email } } }'],
    [
      'that there is no object',
      '{ company(id: "T4GPXAH8SF") { buyer { paymentTransactions(limit: 3) { results { id } } } } }',
    ],
  ])('knows from a traced run of the caller %s', async (_what, document) => {
    const estimated = async (key = 'demo-coop') => (await estimateOf(document, { key })).estimate!.expected!.calls;
    const before = await estimated();
    await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });
    const { calls } = await gateway.query(document);
    expect(before).not.toBe(calls.length);
    expect(await estimated()).toBe(calls.length);
    expect(await estimated('demo-buyer')).toBe(before);
  });

  test('leaves what is known of a caller to that one, however many others ask for estimates', async () => {
    const document = '{ products(limit: 1000) { results { name } } }';
    const calls = async (key = 'demo-coop') => (await estimateOf(document, { key })).estimate!.expected!.calls;
    await gateway.query('{ products { count } }');
    // The gateway remembers 500 callers.
    for (let n = 0; n < 500; n += 1) await calls(`made-up ${n}`);
    expect(await calls()).toBe(1);
  });

  test('supposes as before that rows refer to the same objects, where a traced run had one row alone', async () => {
    const document = (rows: number) => `{ farmers(limit: ${rows}) { results { creator { email } } } }`;
    const calls = async () => (await estimateOf(document(9))).estimate!.expected!.calls;
    const before = await calls();
    await gateway.query(document(1), {}, { headers: { 'x-trace-upstream': 'true' } });
    expect(before).toBe(4);
    expect(await calls()).toBe(before);
  });

  const buyers = '{ farmers(limit: 9) { results { buyer { creator { email } } } } }';
  test.each([
    [
      'results, edges and aliases show',
      buyers,
      `{ farmers(limit: 9) {
        results { buyer { name creator { email } } again: buyer { creator { phone } } }
        edges { node { buyer { email creator { id dob } } } } } }`,
    ],
    [
      'lists of two names show',
      buyers,
      `{ one: farmers(limit: 9) { results { buyer { name } } }
        two: farmers(limit: 9) { results { buyer { creator { email } } } } }`,
    ],
    [
      'ranges of one list show, of which one has the rows of the other',
      buyers,
      `{ few: farmers(limit: 5) { results { buyer { name } } }
        all: farmers(limit: 9) { results { buyer { creator { email } } } } }`,
    ],
    [
      'ranges of one list show, which adjoin',
      '{ farmers(limit: 20) { results { name } } }',
      `{ first: farmers(limit: 10) { results { name } } last: farmers(limit: 10, offset: 10) { results { name } }
        counted: farmers { count } }`,
    ],
    [
      'fields of two names show',
      '{ company(id: "J7VY4SD9HV") { creator { email } } }',
      '{ one: company(id: "J7VY4SD9HV") { name creator { phone } } two: company(id: "J7VY4SD9HV") { creator { email } } }',
    ],
  ])('counts objects once that %s', async (_what, document, twice) => {
    const expected = async (each: string) => (await estimateOf(each)).estimate!.expected!;
    const { calls, workMs } = await expected(document);
    expect(await expected(twice)).toMatchObject({ calls, workMs });
    expect((await gateway.query(twice)).calls).toHaveLength((await gateway.query(document)).calls.length);
  });

  test('takes no list for read that an object of another type would need', async () => {
    const entity = `entity(id: "J7VY4SD9HV") {
      ... on Company { balance { products { in } } }
      ... on Farmer { paymentTransactions(limit: 100) { results { source { name } destination { name } } } } }`;
    const totals = 'productTransactionTotals { groups { count } }';
    const expected = async (fields: string) => (await estimateOf(`{ ${fields} }`)).estimate!.expected!.calls;
    expect(await expected(`${entity} ${totals}`)).toBe((await expected(entity)) + (await expected(totals)));
  });

  test('counts objects once that two fields of a row refer to, after a traced run', async () => {
    const document = '{ farmers(limit: 20) { results { creator { email } updater { phone } } } }';
    const { calls } = await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });
    expect(calls).toHaveLength(4);
    expect((await estimateOf(document)).estimate!.expected!.calls).toBe(4);
  });

  const withParties = `{ productTransactions(limit: 20) { results {
    source { ... on Farmer { name buyer { name } } ... on Company { name creator { email } } }
    destination { ... on Farmer { buyer { name } } ... on Company { name creator { email } } } } } }`;
  const home = `{
    farmers(limit: 5) { results { name } }
    productTransactions(limit: 10) { results { product { name } source { name } } }
    paymentTransactions(limit: 5) { results { destination { name } } } }`;
  const byDestination =
    '{ productTransactionTotals(groupBy: [DESTINATION]) { groups { destination { name } count } } }';
  test.each([
    ['references of each type of an interface', withParties],
    ['objects that several lists refer to', home],
    ['objects that another answer embeds', '{ company(id: "J7VY4SD9HV") { name buyer { name } } }'],
    [
      'rows of a way back',
      '{ farmers(limit: 5) { results { paymentTransactions(limit: 3) { results { amount } } } } }',
    ],
    [
      'objects of few rows of a way back',
      '{ productTransactions(limit: 5) { results { children(limit: 3) { results { destination { name } } } } } }',
    ],
    [
      'lots before a lot, and their sources',
      `{ productTransactions(limit: 5) { results { origin {
        lots { transaction { quantity creator { email } } } sources { entity { name } } } } } }`,
    ],
    ['lots before a lot alone', '{ productTransactions(limit: 5) { results { origin { lots { depth } } } } }'],
    [
      'lots after a lot',
      '{ productTransactions(limit: 5) { results { use { lots { transaction { creator { email } } } } } } }',
    ],
    ['groups of totals', byDestination],
    [
      'rows that fields of several types look through',
      `{ productTransactionTotals { groups { count } }
        products { results { productTransactions(limit: 3) { results { quantity } } } }
        company(id: "J7VY4SD9HV") { balance { products { in } } } }`,
    ],
    [
      'the newest rows of a list beside its last',
      '{ one: cards(last: 5) { count results { id } } two: cards { results { id } } }',
    ],
    [
      'kinds of objects',
      `{ productTransactions(limit: 20) { results {
      source { __typename } destination { id ... on Farmer { id } } } } }`,
    ],
    [
      'an object of a known kind, by two names',
      '{ company(id: "J7VY4SD9HV") { name } entity(id: "J7VY4SD9HV") { name } }',
    ],
    [
      'a list that begins before its objects are needed',
      '{ productTransactions(limit: 20) { results { product { name } } } products(limit: 5) { results { name } } }',
    ],
  ])('fits after a traced run what the same operation makes again: %s', async (_what, document) => {
    await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });
    const expected = (await estimateOf(document)).estimate!.expected!.calls;
    const { calls, errors } = await gateway.query(document, {}, { headers: { 'cache-control': 'no-cache' } });
    expect(errors).toEqual([]);
    expect(Math.max(expected / calls.length, calls.length / expected)).toBeLessThanOrEqual(1.3);
  });

  test('learns nothing of loads from a run that needed kinds alone', async () => {
    const document = (selection: string) => `{ productTransactions(limit: 20) { results { source ${selection} } } }`;
    const trace = { 'x-trace-upstream': 'true' };
    const before = (await estimateOf(document('{ name }'))).estimate!.expected!.calls;
    for (let run = 0; run < 3; run += 1) await gateway.query(document('{ __typename }'), {}, { headers: trace });
    const { calls } = await gateway.query(document('{ name }'));
    const { estimate } = await estimateOf(document('{ name }'));
    expect(estimate!.expected!.calls).toBeGreaterThan(calls.length / 1.3);
    expect(estimate!.expected!.calls).toBeLessThanOrEqual(before);
  });

  const bySource = byDestination.replace('DESTINATION', 'SOURCE').replace('destination', 'source');

  test.each(['"2021-01-01T00:00:00Z"', '1609459200'])('learns of groups for any time, such as %s', async (time) => {
    const since = (text: string) => bySource.replace('[SOURCE]', `[SOURCE], created_after: ${text}`);
    const expected = async (text: string) => (await estimateOf(since(text))).estimate!.expected!.calls;
    const traced = '"2020-01-01T00:00:00Z"';
    const before = await expected(time);
    await gateway.query(since(traced), {}, { headers: { 'x-trace-upstream': 'true' } });
    expect(await expected(traced)).toBeLessThan(before);
    expect(await expected(time)).toBe(await expected(traced));
  });

  test('learns of candidates for any text, such as one with quotes', async () => {
    const named = (name: string) =>
      `{ farmerCandidates(input: { first_name: ${JSON.stringify(name)} }) { candidates { farmer { buyer { name } } } } }`;
    const expected = async (name: string) => (await estimateOf(named(name))).estimate!.expected!.calls;
    const before = await expected('Ko "K" O');
    await gateway.query(named('Ama "A" B'), {}, { headers: { 'x-trace-upstream': 'true' } });
    expect(await expected('Ko "K" O')).toBeLessThan(before);
    expect(await expected('Ko "K" O')).toBe(await expected('Ama "A" B'));
  });

  test('learns nothing of groups from a run with other groups', async () => {
    for (const document of [byDestination, bySource])
      await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });
    const { calls } = await gateway.query(byDestination);
    const { estimate } = await estimateOf(byDestination);
    expect(estimate!.expected!.calls).toBeLessThan(1.3 * calls.length);
  });

  test('is near what a screen of references takes', async () => {
    const document = `{ productTransactions(limit: 20) {
      results { source { name } destination { name } product { name } creator { email } } } }`;
    const { estimate } = await estimateOf(document);
    const { calls } = await gateway.query(document);
    const { expected } = estimate!;
    expect(expected!.calls).toBeGreaterThan(calls.length / 2);
    expect(expected!.calls).toBeLessThan(calls.length * 2);
  });
});

test('a trace of a run has the same estimate, and `false` asks for no trace', async () => {
  const document = '{ farmers(limit: 10) { results { name } } }';
  const traced = await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });
  expect(traced.extensions?.upstream).toMatchObject({
    estimate: { expected: { calls: 1, ms: 90, workMs: 90 } },
    total: 1,
  });
  const other = await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'false' } });
  expect(other.extensions).toBeUndefined();
  expect(other.calls).toHaveLength(1);
});

test.each(['estimates', '1', 'true, yes'])('nothing runs where X-Trace-Upstream is %s', async (trace) => {
  const answer = await gateway.query('{ farmers { count } }', {}, { headers: { 'x-trace-upstream': trace } });
  expect([answer.status, codesOf(answer), answer.calls]).toEqual([400, ['BAD_REQUEST'], []]);
  for (const value of ['true', 'estimate', 'false']) expect(answer.errors[0]?.message).toContain(`\`${value}\``);
});
