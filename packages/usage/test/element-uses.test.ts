import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, type OperationDefinitionNode, parse } from 'graphql';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startGateway } from '../../../test/support/harness.ts';
import { samplesOf, scrape, valuesOf } from '../../../test/support/scrape.ts';
import { type Operation, ValidDocument } from '../../base/executor/operation.ts';
import { CurrentRequest } from '../../graphql-serve/request/current-request.ts';
import { type MetricsReport, sumOfReports } from '../../graphql-serve/watch/metrics.ts';
import { ElementUses } from '../element-uses.ts';

const folder = mkdtempSync(join(tmpdir(), 'uses-'));
afterAll(() => rmSync(folder, { recursive: true }));

const usesAt = async ({ url }: { url: string }) => valuesOf(await scrape(url), 'element_uses_total');
const as = (name: string) => ({ headers: { 'apollographql-client-name': name } });

describe('a gateway counts the uses of deprecated elements', () => {
  const premiums = '{ products(limit: 1) { results { id premiums } } }';

  test('by client, with the time of the last', async () => {
    await using gateway = await startGateway();
    const before = Date.now() / 1000;
    await gateway.query(premiums, {}, as('web'));
    await gateway.query(premiums, {}, as('web'));
    await gateway.query(premiums);
    await gateway.query('{ products(limit: 1) { results { id premium_ids } } }', {}, as('modern'));
    const samples = await scrape(gateway.url);
    expect(valuesOf(samples, 'element_uses_total')).toEqual({
      'Product.premiums web none': 2,
      'Product.premiums unnamed none': 1,
    });
    const lastUsed = valuesOf(samples, 'element_last_used_timestamp_seconds')['Product.premiums web none'];
    expect(lastUsed).toBeGreaterThanOrEqual(before);
    expect(lastUsed).toBeLessThanOrEqual(Date.now() / 1000);
    const since = valuesOf(samples, 'element_counted_since_timestamp_seconds');
    expect(Object.keys(since)).toEqual(['Product.premiums', 'Product.is_active', 'User.policy_accepted']);
    expect(since['Product.premiums']).toBeLessThanOrEqual(before);
    const removal = valuesOf(samples, 'element_removal_timestamp_seconds');
    expect(removal['Product.premiums']).toBe(Date.parse('2027-07-01T00:00:00Z') / 1000);
  });

  test('by trusted document, whether asked for by id or by text', async () => {
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, JSON.stringify({ 'sha256:catalog-1': premiums }));
    await using gateway = await startGateway({ settings: { TRUSTED_DOCUMENTS: manifest } });
    await gateway.ask({ documentId: 'catalog-1' });
    await gateway.ask({ query: premiums.replaceAll(' ', '\n') });
    await gateway.ask({ query: premiums.replace('id ', '') });
    expect(await usesAt(gateway)).toEqual({
      'Product.premiums unnamed catalog-1': 2,
      'Product.premiums unnamed none': 1,
    });
  });

  test('also of lists as files', async () => {
    await using gateway = await startGateway();
    const accept = { accept: 'application/jsonl', 'apollographql-client-name': 'export' };
    await (await gateway.post('{ products { results { id is_active } } }', { headers: accept })).text();
    await expect.poll(() => usesAt(gateway)).toEqual({ 'Product.is_active export none': 1 });
  });

  test('but not where the service gives no data', async () => {
    await using gateway = await startGateway();
    const { errors } = await gateway.query(premiums, {}, { key: 'stranger', ...as('stranger') });
    expect(errors).not.toEqual([]);
    expect(await usesAt(gateway)).toEqual({});
  });
});

test('with `countedElements: all`, fields, arguments, input fields and values count', async () => {
  await using gateway = await startGateway({ file: { graphql: { countedElements: 'all' } } });
  const document = `mutation ($input: CreatePremiumInput!, $fields: String) {
    createPremium(input: $input) { id @include(if: false) name }
    createFarmer(input: { first_name: "Ama", last_name: $fields }) { ... on Entity { phone } }
  }`;
  const input = { name: 'Organic', category: 'PAYOUT' };
  const { data, errors } = await gateway.query(document, { input });
  expect(errors).toEqual([]);
  expect(data.createPremium).toEqual({ name: 'Organic' });
  const used = Object.keys(await usesAt(gateway)).map((key) => key.split(' ')[0]);
  expect(used.toSorted()).toEqual([
    'Company.phone',
    'CreateFarmerInput.first_name',
    'CreateFarmerInput.last_name',
    'CreatePremiumInput.category',
    'CreatePremiumInput.name',
    'Entity.phone',
    'Farmer.phone',
    'Mutation.createFarmer',
    'Mutation.createFarmer(input:)',
    'Mutation.createPremium',
    'Mutation.createPremium(input:)',
    'Premium.id',
    'Premium.name',
    'PremiumCategory.PAYOUT',
    'UnknownEntity.phone',
  ]);
});

describe('the counts', () => {
  const schema = buildSchema(`
    type Query { old(by: Order @deprecated(reason: "Use it."), id: ID): String, kept(filter: Filter): Int }
    enum Order { NAME AGE @deprecated(reason: "Use NAME.") }
    input Filter { order: Order = AGE, all: [Filter!], name: String @deprecated(reason: "Use all.") }`);

  function operationOf(document: string): Operation {
    const node = parse(document);
    return new ValidDocument(schema, node).operation(node.definitions[0] as OperationDefinitionNode);
  }

  interface Run {
    variables?: Record<string, unknown>;
    client?: string;
  }

  function usesIn(document: string, runs: readonly Run[], idOf = () => undefined as string | undefined) {
    const uses = new ElementUses({ schema, counted: 'deprecated', idOf });
    run(uses, document, runs);
    return uses;
  }

  function run(uses: ElementUses, document: string, runs: readonly Run[]): void {
    const operation = operationOf(document);
    for (const { variables = {}, client = 'app' } of runs) {
      const request = new CurrentRequest('r', { 'graphql-client-name': client });
      request.asked = { operation, variables };
      request.hasData = true;
      uses.end(request);
    }
  }

  const shown = async (uses: ElementUses) =>
    Object.fromEntries(
      (await uses.metrics[0]?.get())?.values.map(({ labels, value }) => [Object.values(labels).join(' '), value]) ?? [],
    );

  test.each<[string, string, Record<string, unknown>, string[]]>([
    ['an argument', '{ old(by: NAME) }', {}, ['Query.old(by:)']],
    ['an argument whose variable is absent', 'query ($by: Order) { old(by: $by) }', {}, ['Query.old(by:)']],
    ['a value', '{ kept(filter: { order: AGE }) }', {}, ['Order.AGE']],
    ['the default of a variable', 'query ($o: Order = AGE) { kept(filter: { order: $o }) }', {}, ['Order.AGE']],
    ['an input field', '{ kept(filter: { all: [{ name: "x" }] }) }', {}, ['Filter.name']],
    [
      'a value in a variable',
      'query ($f: Filter) { kept(filter: $f) }',
      { f: { all: { order: 'AGE' } } },
      ['Order.AGE'],
    ],
    ['an input field in a variable', 'query ($f: Filter) { kept(filter: $f) }', { f: { name: null } }, ['Filter.name']],
    ['no default of an input field', 'query ($f: Filter) { kept(filter: $f) }', { f: {} }, []],
    ['no other argument', '{ old(id: 1) }', {}, []],
  ])('have %s', async (_what, document, variables, expected) => {
    const counts = await shown(usesIn(document, [{ variables }]));
    expect(Object.keys(counts)).toEqual(expected.map((element) => `${element} app none`));
  });

  test('belong to the document whose variables have the element', async () => {
    const uses = new ElementUses({
      schema,
      counted: 'deprecated',
      idOf: ({ node }) => node.loc?.source.body.slice(6, 11),
    });
    for (const id of ['first', 'other']) {
      run(uses, `query ${id}($f: Filter) { kept(filter: $f) }`, [{ variables: { f: { order: 'AGE' } } }]);
    }
    expect(await shown(uses)).toEqual({ 'Order.AGE app first': 1, 'Order.AGE app other': 1 });
  });

  test('add up over workers, with the latest of their times', async () => {
    const clock = vi.spyOn(Date, 'now');
    const reports: MetricsReport[] = [];
    for (const now of [9_000, 7_000]) {
      clock.mockReturnValue(now);
      const { metrics } = usesIn('{ old(by: NAME) }', [{}, {}]);
      reports.push((await Promise.all(metrics.map((metric) => metric.get()))) as unknown as MetricsReport);
    }
    clock.mockRestore();
    const samples = samplesOf(await sumOfReports(reports));
    expect(valuesOf(samples, 'element_uses_total')).toEqual({ 'Query.old(by:) app none': 4 });
    expect(valuesOf(samples, 'element_last_used_timestamp_seconds')).toEqual({ 'Query.old(by:) app none': 9 });
  });

  test('bound the combinations with documents, beyond which client and document are `other`', async () => {
    const ids = Array.from({ length: 41 }, (_, at) => `doc-${at}`);
    let id = 0;
    const uses = usesIn('{ old(by: NAME) }', [], () => ids[id]);
    for (id = 0; id < ids.length; id++) {
      run(
        uses,
        '{ old(by: NAME) }',
        Array.from({ length: 50 }, (_, at) => ({ client: `app-${at}` })),
      );
      await shown(uses);
    }
    const counts = await shown(uses);
    expect(Object.keys(counts)).toHaveLength(2_001);
    expect(counts['Query.old(by:) other other']).toBe(50);
  });

  test('name 50 clients, and the others together', async () => {
    const runs = Array.from({ length: 60 }, (_, at) => ({ client: `app-${at}` }));
    const counts = await shown(usesIn('{ old(by: NAME) }', [...runs, ...runs]));
    expect(Object.keys(counts)).toHaveLength(51);
    expect(counts).toMatchObject({ 'Query.old(by:) app-49 none': 2, 'Query.old(by:) other none': 20 });
  });
});
