import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../support/client.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { page, paths, type Row, readRest } from '../support/rest-reads.ts';

const key = 'Bearer demo-coop';
const older = { dialect: 'connect', olderFilters: true } as const;
const checkOf = (parameter: string) => page(paths.farmers, 1, 0, `${parameter}=a+text+of+no+row`);

async function farmersOf(gateway: Gateway): Promise<Row[]> {
  const { data } = await readRest(gateway, `${paths.farmers}?limit=1000`, key);
  return data.results;
}

const ids = (rows: Row[]) => rows.map(({ id }) => id);

function expectRefused(answer: Awaited<ReturnType<Gateway['query']>>, ...path: string[]) {
  expect(answer.data).toEqual(Object.fromEntries(Object.keys(answer.data).map((field) => [field, null])));
  expect(codeOf(answer)).toBe('BAD_USER_INPUT');
  expect(answer.errors[0]?.message).toContain('does not apply this filter');
  expect(answer.errors[0]?.extensions.fields).toMatchObject([{ path }]);
}

describe('an older service, which calls filters of farmers differently', () => {
  let gateway: Gateway;
  let farmers: Row[];
  beforeAll(async () => {
    gateway = await startGateway({ sandbox: older });
    farmers = await farmersOf(gateway);
  });
  afterAll(() => gateway.close());

  test.each(['first_name', 'last_name', 'number'])(
    '%s is tried by its other name, which is remembered',
    async (name) => {
      await using fresh = await startGateway({ sandbox: older });
      const value = String(farmers[0]?.[name]).slice(1, 3).toLowerCase();
      const expected = farmers.filter((row) => String(row[name]).toLowerCase().includes(value));
      expect(expected.length).toBeLessThan(farmers.length);
      const document = `query ($value: String) { farmers(limit: 1000, ${name}: $value) { count results { id } } }`;

      const first = await fresh.query(document, { value }, { key });
      const second = await fresh.query(document, { value }, { key });

      for (const { data, errors } of [first, second]) {
        expect(errors).toEqual([]);
        expect(data.farmers.count).toBe(expected.length);
        expect(ids(data.farmers.results)).toEqual(ids(expected));
      }
      const other = `${name}__icontains`;
      const read = (parameter: string) => page(paths.farmers, 100, 0, `${parameter}=${value}`);
      expect(first.calls).toEqual([read(name), checkOf(name), checkOf(other), read(other)]);
      expect(second.calls).toEqual([read(other)]);
    },
  );

  test('a count is right, although the first row of all matches too', async () => {
    await using fresh = await startGateway({ sandbox: older });
    const value = String(farmers[0]?.first_name);
    const expected = farmers.filter(({ first_name }) => first_name.includes(value));

    const { data, errors } = await fresh.query(
      'query ($value: String) { farmers(first_name: $value) { count } }',
      { value },
      { key },
    );

    expect(errors).toEqual([]);
    expect(data.farmers.count).toBe(expected.length);
  });

  test('cursors go through the rows that match', async () => {
    const expected = farmers.filter(({ first_name }) => first_name.toLowerCase().includes('a'));
    const document = `query ($after: String) { farmers(first: 7, after: $after, first_name: "a") { results { id } next } }`;
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, errors } = await gateway.query(document, { after }, { key });
      expect(errors).toEqual([]);
      found.push(...ids(data.farmers.results));
      after = data.farmers.next;
    }
    expect(found).toEqual(ids(expected));
  });
});

describe('a service that ignores a filter under each name', () => {
  const lists: [dialect: 'spec' | 'connect', list: string, argument: string, value: string][] = (
    [
      ['farmers', 'first_name', '"zz"'],
      ['farmers', 'last_name', '"zz"'],
      ['farmers', 'number', '"zz"'],
      ['farmers', 'updated_after', '4000000000'],
      ['farmers', 'created_after', '4000000000'],
      ['products', 'name', '"zz"'],
      ['products', 'description', '"zz"'],
      ['products', 'updated_after', '4000000000'],
      ['currencies', 'search', '"euro zz"'],
      ['productTransactions', 'updated_after', '4000000000'],
      ['productTransactions', 'created_after', '4000000000'],
      ['productTransactions', 'updated_before', '5'],
      ['productTransactions', 'quantity_available', 'true'],
    ] as const
  ).flatMap((each) => [
    ['spec', ...each],
    ['connect', ...each],
  ]);
  const endpoints = {
    farmers: 'Farmers',
    products: 'Products',
    currencies: 'Currencies',
    productTransactions: 'ProductTransactions',
  };
  const filters = Object.fromEntries(
    Object.entries(endpoints).map(([list, name]) => {
      const names = lists.filter(([, of]) => of === list).map(([, , argument]) => argument);
      return [`list${name}`, Object.fromEntries(names.map((argument) => [argument, `unknown_${argument}`]))];
    }),
  );
  const gateways = new Map<string, Gateway>();
  beforeAll(async () => {
    for (const dialect of ['spec', 'connect'] as const) {
      gateways.set(dialect, await startGateway({ sandbox: { dialect }, file: { upstream: { filters } } }));
    }
  });
  afterAll(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));

  test.each(lists)('%s: %s(%s: %s) is refused with its path', async (dialect, list, argument, value) => {
    const gateway = gateways.get(dialect) as Gateway;
    for (const selection of ['results { id }', ...(value === 'true' ? [] : ['count'])]) {
      const answer = await gateway.query(
        `{ ${list}(limit: 100, ${argument}: ${value}) { ${selection} } }`,
        {},
        { key },
      );

      expectRefused(answer, argument);
    }
  });

  test('rows that refer to an object are no way around it', async () => {
    const gateway = gateways.get('spec') as Gateway;
    const [row] = (await readRest(gateway, `${paths.productTransactions}?limit=1`)).results;
    const document = `query ($id: ID!) {
      productTransaction(id: $id) { product { productTransactions(updated_before: 5) { results { id } } } }
    }`;

    const answer = await gateway.query(document, row);

    expect(answer.data.productTransaction.product.productTransactions).toBeNull();
    expect(codeOf(answer)).toBe('BAD_USER_INPUT');
    expect(answer.errors[0]?.extensions.fields).toMatchObject([{ path: ['updated_before'] }]);
  });
});

test('an older service that compares another time is refused where a row shows it', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: older });
  const changed = 1_780_000_000;
  gateway.upstream.fail(paths.productTransactions, {
    edit: ({ data }) => {
      for (const row of data.results.slice(0, 1)) row.updated_on = changed;
    },
  });
  const ask = (before: number) =>
    gateway.query(`{ productTransactions(updated_before: ${before}) { results { id } } }`, {}, { key });

  expect((await ask(changed + 1)).errors).toEqual([]);
  expectRefused(await ask(changed - 1), 'updated_before');
});

test('a service that is updated is asked by the name that it then has', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: older });
  await using newer = await startGateway({ sandbox: { dialect: 'connect' } });
  const document = '{ farmers(limit: 5, first_name: "am") { results { id first_name } } }';
  const before = await gateway.query(document, {}, { key });
  gateway.upstream.respond = async ({ path }) => {
    const answer = await fetch(newer.sandbox.url + path, { headers: { authorization: key } });
    return { body: await answer.text() };
  };

  const after = await gateway.query(document, {}, { key });
  const again = await gateway.query(document, {}, { key });

  for (const { data, errors } of [before, after, again]) {
    expect(errors).toEqual([]);
    for (const { first_name } of data.farmers.results) expect(first_name.toLowerCase()).toContain('am');
  }
  expect(gateway.upstream.calls.at(-1)).toBe(page(paths.farmers, 5, 0, 'first_name=am'));
});

test('versions of a service that answer in turn give no row that does not match', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: older });
  await using newer = await startGateway({ sandbox: { dialect: 'connect' } });
  let turn = 0;
  gateway.upstream.respond = async ({ path }) => {
    turn += 1;
    if (turn % 2 === 0) return undefined;
    const answer = await fetch(newer.sandbox.url + path, { headers: { authorization: key } });
    return { body: await answer.text() };
  };
  for (let round = 0; round < 6; round += 1) {
    const answer = await gateway.query(
      '{ farmers(limit: 20, first_name: "kofi") { results { first_name } } }',
      {},
      { key },
    );

    if (answer.data.farmers === null) expectRefused(answer, 'first_name');
    else for (const { first_name } of answer.data.farmers.results) expect(first_name.toLowerCase()).toContain('kofi');
  }
});

describe('a newer service is asked about a filter of the specification', () => {
  test.each([
    ['never where the page is the whole list', 'limit: 100', 1, 1],
    ['once where further rows may not match', 'limit: 1', 2, 1],
  ])('%s', async (_when, range, first, later) => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' } });
    const document = `{ farmers(${range}, first_name: "am") { count results { id } } }`;

    expect((await gateway.query(document, {}, { key })).calls).toHaveLength(first);
    expect((await gateway.query(document, {}, { key })).calls).toHaveLength(later);
  });
});

test.each([
  'farmers(reference_number: "")',
  'entityCards(card_id: "")',
  'currencies(code: "")',
  'farmers(first_name: "")',
])('%s filters nothing', async (list) => {
  await using gateway = await startGateway();
  const [name] = list.split('(');

  const { data, errors } = await gateway.query(`{ all: ${name} { count } ${list} { count } }`);

  expect(errors).toEqual([]);
  expect(data[name as string]).toEqual(data.all);
});
