import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realCosts } from '../../../test/support/cost-profiles.ts';
import { type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { distinct, page, paths, type Row, readRows, writeRest } from '../../../test/support/rest-reads.ts';
import type { UpstreamReport } from '../../graphiql/upstream-report.ts';
import { monthOf, naiveGroups, naiveSum, partsIn } from './naive-totals.ts';

let plain: Gateway;
let transactions: Row[];
let payments: Row[];
beforeAll(async () => {
  plain = await startGateway();
  transactions = await readRows(plain, paths.productTransactions);
  payments = await readRows(plain, paths.paymentTransactions);
});
afterAll(() => plain.close());

const currencyOf = ({ currency }: Row) => currency;
const pagesOf = (rows: Row[]) => Math.ceil(rows.length / 100);

describe('totals of product transactions', () => {
  test('are exact, by what was asked for and by currency, for the pages of the list', async () => {
    const { data, errors, calls } = await plain.query(`{
      productTransactionTotals(groupBy: [PRODUCT, MONTH]) {
        groups { product_id month currency_id source_id count quantity amount premiums { premium_id currency_id count amount } }
        rows complete reason
      }
    }`);

    expect(errors).toEqual([]);
    const { groups, ...others } = data.productTransactionTotals;
    expect(others).toEqual({ rows: transactions.length, complete: true, reason: null });
    const expected = naiveGroups(transactions, {
      product_id: ({ product }) => product,
      month: monthOf,
      currency_id: currencyOf,
    });
    expect(expected.length).toBeGreaterThan(5);
    expect(groups).toHaveLength(expected.length);
    for (const [index, { keys, rows }] of expected.entries()) {
      const { count, quantity, amount, premiums, ...own } = groups[index];
      expect(own).toEqual({ ...keys, source_id: null });
      expect(count).toBe(rows.length);
      expect(partsIn(quantity)).toBe(naiveSum(rows.map((row) => row.quantity)));
      expect(partsIn(amount)).toBe(naiveSum(rows.map((row) => row.amount)));
      const paid = rows.flatMap((row) => row.transaction_payments).filter(({ premium }: Row) => premium);
      const byPremium = naiveGroups(paid, { premium_id: ({ premium }) => premium, currency_id: currencyOf });
      expect(premiums.map(({ amount: sum, ...premium }: Row) => ({ ...premium, sum: partsIn(sum) }))).toEqual(
        byPremium.map(({ keys, rows }) => ({
          ...keys,
          count: rows.length,
          sum: naiveSum(rows.map(({ amount }) => amount)),
        })),
      );
    }
    expect(calls).toHaveLength(pagesOf(transactions));
  });

  test('show the objects of their groups, and load each once', async () => {
    const { data, errors, calls } = await plain.query(`{
      productTransactionTotals(groupBy: [SOURCE, PRODUCT]) {
        groups { source { __typename name } source_id product { name } product_id currency { code } destination { name } premiums { premium { name } currency { code } } }
      }
    }`);

    expect(errors).toEqual([]);
    const { groups } = data.productTransactionTotals;
    expect(groups.map(({ source_id }: Row) => source_id)).toEqual(
      groups.map(({ source_id }: Row) => source_id).toSorted(),
    );
    expect(distinct(groups.map(({ source_id }: Row) => source_id))).toHaveLength(
      distinct(transactions.map(({ source }) => source)).length,
    );
    for (const { source, product, currency, destination, premiums } of groups) {
      expect([source.name, product.name, currency.code]).toEqual(Array(3).fill(expect.any(String)));
      expect(destination).toBeNull();
      for (const { premium } of premiums) expect(premium.name).toEqual(expect.any(String));
    }
    // Rows embed their currencies and premiums.
    expect(calls.filter((call) => call.includes(paths.currencies))).toEqual([]);
    expect(calls).toContain(page(paths.products, 100));
    expect(distinct(calls)).toHaveLength(calls.length);
  });

  test('show premiums and currencies of a real service, which embeds both, without a further call', async () => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' } });
    const { data, errors, calls } = await gateway.query(
      `{ productTransactionTotals(groupBy: [MONTH]) {
        groups { month currency { code } premiums { premium { name } premium_id currency { code } currency_id amount } } complete
      } }`,
      {},
      { key: 'Bearer demo-coop' },
    );

    expect(errors).toEqual([]);
    const premiums = data.productTransactionTotals.groups.flatMap((group: Row) =>
      group.premiums.map((premium: Row) => ({ ...premium, ofGroup: group.currency.code })),
    );
    expect(premiums.length).toBeGreaterThan(5);
    for (const { premium, currency, ofGroup } of premiums) {
      expect(premium.name).toEqual(expect.any(String));
      expect(currency.code).toBe(ofGroup);
    }
    const paid = transactions.flatMap((row) => row.transaction_payments).filter(({ premium }: Row) => premium);
    const sum = premiums.reduce((all: bigint, { amount }: Row) => all + partsIn(amount)!, 0n);
    expect(sum).toBe(naiveSum(paid.map(({ amount }: Row) => amount)));
    expect(calls.filter((call) => !call.includes(paths.productTransactions))).toEqual([]);
  });

  test('are of one group for each currency without `groupBy`, and take the filters of the list', async () => {
    const since = transactions[20]!.created_on;
    const { data, errors } = await plain.query(
      `query ($since: DateTime) {
        all: productTransactionTotals { groups { product_id month currency_id count } rows }
        none: productTransactionTotals(groupBy: []) { groups { count } }
        new: productTransactionTotals(created_after: $since) { rows groups { amount } }
        never: productTransactionTotals(created_after: "2100-01-01T00:00:00Z") { rows complete groups { count } }
      }`,
      { since },
    );

    expect(errors).toEqual([]);
    const currencies = naiveGroups(transactions, { currency_id: currencyOf });
    expect(data.all).toEqual({
      groups: currencies.map(({ keys, rows }) => ({ ...keys, product_id: null, month: null, count: rows.length })),
      rows: transactions.length,
    });
    expect(data.none.groups).toEqual(currencies.map(({ rows }) => ({ count: rows.length })));
    const fresh = transactions.filter(({ created_on }) => Date.parse(created_on) >= Date.parse(since));
    expect(data.new.rows).toBe(fresh.length);
    expect(data.never).toEqual({ rows: 0, complete: true, groups: [] });
  });

  test('share their look with lists, ways back and other totals of the operation', async () => {
    const { errors, calls } = await plain.query(`{
      productTransactions(limit: 100) { results { id } }
      a: productTransactionTotals { rows }
      b: productTransactionTotals(groupBy: [SOURCE]) { groups { count } }
      farmers(limit: 30) { results { totals { rows } productTransactions(limit: 2) { results { id } } } }
      activeCompany: company(id: "J7VY4SD9HV") { balance { rows } }
    }`);

    expect(errors).toEqual([]);
    const pages = calls.filter((call) => call.includes(paths.productTransactions));
    expect(distinct(pages)).toHaveLength(pages.length);
    expect(pages).toHaveLength(pagesOf(transactions));
  });

  test.each([
    ['twice the same', '[SOURCE, MONTH, SOURCE]', 2, '`groupBy.2` repeats SOURCE of `groupBy.0`.'],
    ['the same beside itself', '[PRODUCT, PRODUCT]', 1, '`groupBy.1` repeats PRODUCT of `groupBy.0`.'],
  ])('refuse %s, by its position and without a call', async (_what, groupBy, at, message) => {
    const { data, errors, calls } = await plain.query(`{ productTransactionTotals(groupBy: ${groupBy}) { rows } }`);

    expect(data).toEqual({ productTransactionTotals: null });
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['groupBy', at], message }] } },
    ]);
    expect(calls).toEqual([]);
  });

  test('refuse filters that the service lacks, and callers without a key', async () => {
    const document = '{ productTransactionTotals(entity: "D2YW477Q65") { rows } }';
    const { errors } = await plain.query(document);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['entity'] }] } }]);

    const stranger = await plain.query('{ productTransactionTotals { rows } }', {}, { key: null });
    expect(stranger.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(stranger.calls).toEqual([]);
  });

  test('say why they lack rows', async () => {
    await using gateway = await startGateway({ settings: { 'limits.operations.upstreamCalls': '2' } });
    const { data, errors } = await gateway.query(
      '{ productTransactionTotals { rows complete reason groups { count } } }',
    );

    expect(errors).toEqual([]);
    expect(data.productTransactionTotals).toMatchObject({
      rows: 100,
      complete: false,
      reason: expect.stringContaining(`the newest 100 of ${transactions.length} rows of \`productTransactions\``),
    });
  });

  test('are refused as an answer of more groups than one may have', async () => {
    await using gateway = await startGateway({ settings: { 'limits.operations.objects': '30' } });
    const { data, errors } = await gateway.query(
      '{ productTransactionTotals(groupBy: [SOURCE]) { groups { count } } }',
    );

    expect(data?.productTransactionTotals ?? null).toBeNull();
    expect(errors).toMatchObject([
      { message: expect.stringContaining('more than 30 objects'), extensions: { code: 'QUERY_TOO_COMPLEX' } },
    ]);
  });

  test('are counted by the estimate, and the trace names their field', async () => {
    const headers = { 'x-trace-upstream': 'true' };
    const document = '{ sums: productTransactionTotals { rows } }';
    await plain.query(document);
    const { extensions, calls } = await plain.query(document, {}, { headers });
    const upstream = extensions!.upstream as UpstreamReport;

    expect(upstream.estimate!.least).toBe(1);
    expect(upstream.estimate!.expected!.calls).toBe(calls.length);
    expect(upstream.calls.map(({ fields, reason }) => ({ fields, reason }))).toEqual(
      calls.map(() => ({ fields: ['sums'], reason: 'list scan' })),
    );
  });
});

describe('a value of the service', () => {
  /** A gateway whose service sends rows that a test has edited. */
  async function startEdited(edit: (rows: Row[]) => void) {
    const gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) =>
      path.startsWith(`${paths.productTransactions}?`)
        ? { edit: ({ results }: { results: Row[] }) => edit(results) }
        : undefined;
    return gateway;
  }
  const document =
    '{ productTransactionTotals(groupBy: [MONTH]) { rows complete groups { month currency_id count quantity amount } } }';

  test.each([
    ['is', 'many'],
    ['has 200,000 digits, and is', `${'9'.repeat(200_000)} bags`],
  ])('that %s no number leaves its sum null, with an error, and no other', async (_, quantity) => {
    const { id } = transactions[3]!;
    await using gateway = await startEdited((rows) => {
      for (const row of rows) if (row.id === id) row.quantity = quantity;
    });
    const { data, errors } = await gateway.query(document);

    const { groups, rows } = data.productTransactionTotals;
    const at = groups.findIndex(({ quantity }: Row) => quantity === null);
    expect(rows).toBe(transactions.length);
    expect(groups[at].month).toBe(monthOf(transactions[3]!));
    expect(groups.filter(({ quantity }: Row) => quantity === null)).toHaveLength(1);
    expect(groups[at].amount).toEqual(expect.any(String));
    expect(errors).toMatchObject([
      {
        path: ['productTransactionTotals', 'groups', at, 'quantity'],
        message: `The service gives 1 of these ${groups[at].count} rows with a \`quantity\` that is no number, so there is no sum.`,
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      },
    ]);
  });

  test('that is missing adds nothing, and has a group of its own where it divides', async () => {
    await using gateway = await startEdited((rows) => {
      for (const row of rows) {
        Object.assign(row, { quantity: null, date: row.number.endsWith('1') ? null : row.date });
        if (row.number.endsWith('2')) Object.assign(row, { currency: null, currency_details: null });
      }
    });
    const { data, errors } = await gateway.query(document);

    expect(errors).toEqual([]);
    const { groups, rows } = data.productTransactionTotals;
    expect(groups.every(({ quantity }: Row) => quantity === null)).toBe(true);
    expect(groups.at(-1).month).toBeNull();
    expect(groups.some(({ currency_id }: Row) => currency_id === null)).toBe(true);
    expect(groups.reduce((sum: number, { count }: Row) => sum + count, 0)).toBe(rows);
  });

  test('counts by the month of UTC, in either form of times, and keeps each digit', async () => {
    const times = ['2024-12-31T23:30:00-02:00', '1735689599', '2024-12-31T23:59:59.999999Z', 'soon', '-99999999999'];
    await using gateway = await startEdited((rows) => {
      for (const [index, row] of rows.entries()) {
        Object.assign(row, {
          date: times[index % 5],
          currency: 'ONE',
          currency_details: null,
          quantity: 0.1,
          amount: '10000000000000000.001',
        });
      }
    });
    const { data } = await gateway.query(document);

    const months = data.productTransactionTotals.groups.map(({ month }: Row) => month);
    expect(months).toEqual(['2024-12', '2025-01', null]);
    const { count, quantity, amount } = data.productTransactionTotals.groups[1];
    expect(partsIn(quantity)).toBe(naiveSum(Array(count).fill('0.1')));
    expect(partsIn(amount)).toBe(naiveSum(Array(count).fill('10000000000000000.001')));
  });
});

test('groups of all totals are refused once they are more than an answer has room for, shown or not', async () => {
  const { length } = naiveGroups(transactions, { source: ({ source }) => source, currency: currencyOf });
  const file = { limits: { operations: { objects: Math.floor(2.5 * length) } } };
  await using gateway = await startGateway({ file });
  const totals = (name: string) => `${name}: productTransactionTotals(groupBy: [SOURCE]) { rows complete }`;

  const { data, errors } = await gateway.query(`{ ${['a', 'b', 'c', 'd'].map(totals).join(' ')} }`);

  expect(data.a).toEqual({ rows: transactions.length, complete: true });
  expect(data.d).toBeNull();
  expect(errors[0]).toMatchObject({
    message: expect.stringContaining('limits.operations.objects'),
    extensions: { code: 'QUERY_TOO_COMPLEX' },
  });
});

describe('totals of payment transactions', () => {
  test('divide by parties, premium, reason and month', async () => {
    const { data, errors } = await plain.query(`{
      paymentTransactionTotals(groupBy: [PAYMENT_TYPE, PREMIUM, DESTINATION]) {
        groups { payment_type payment_type_raw premium { name } premium_id destination_id destination { name } currency_id count amount }
        rows complete
      }
    }`);

    expect(errors).toEqual([]);
    const expected = naiveGroups(payments, {
      payment_type: ({ payment_type }) => payment_type,
      premium_id: ({ premium }) => premium,
      destination_id: ({ destination }) => destination,
      currency_id: currencyOf,
    });
    const { groups, rows, complete } = data.paymentTransactionTotals;
    expect([rows, complete]).toEqual([payments.length, true]);
    expect(
      groups.map(({ premium, destination, payment_type_raw, amount, ...group }: Row) => ({
        ...group,
        sum: partsIn(amount),
      })),
    ).toEqual(
      expected.map(({ keys, rows }) => ({
        ...keys,
        count: rows.length,
        sum: naiveSum(rows.map(({ amount }) => amount)),
      })),
    );
    for (const { premium, premium_id, payment_type, payment_type_raw } of groups) {
      expect(payment_type_raw).toBe(payment_type);
      expect(premium?.name ?? null).toEqual(premium_id && expect.any(String));
    }
  });
});

describe('totals of a farmer', () => {
  const sums = 'rows complete groups { month count quantity amount }';
  const ofFarmer = (id: string) =>
    transactions.filter(({ source, destination }) => source === id || destination === id);
  const expectSums = (totals: Row, own: Row[]) => {
    expect(totals.rows).toBe(own.length);
    expect(totals.complete).toBe(true);
    const expected = naiveGroups(own, { month: monthOf, currency_id: currencyOf });
    expect(totals.groups.map(({ month, count, quantity }: Row) => [month, count, partsIn(quantity)])).toEqual(
      expected.map(({ keys, rows }) => [keys.month, rows.length, naiveSum(rows.map((row) => row.quantity))]),
    );
  };

  test('are those of its transactions, for one look for all farmers', async () => {
    const { data, errors, calls } = await plain.query(
      `{ farmers(limit: 100) { results { id totals(groupBy: [MONTH]) { ${sums} } } } }`,
    );

    expect(errors).toEqual([]);
    for (const { id, totals } of data.farmers.results) expectSums(totals, ofFarmer(id));
    expect(data.farmers.results.some(({ totals }: Row) => totals.rows > 1)).toBe(true);
    expect(calls).toHaveLength(1 + pagesOf(transactions));
  });

  test('take variables, and refuse a repeated value before any call', async () => {
    const farmer = transactions.at(-1)!.source;
    const document = `query ($id: ID!, $by: [ProductTransactionGroup!]) { farmer(id: $id) { totals(groupBy: $by) { ${sums} } } }`;
    const { data } = await plain.query(document, { id: farmer, by: ['MONTH'] });
    expectSums(data.farmer.totals, ofFarmer(farmer));

    const message = '`groupBy.1` of Farmer.totals repeats MONTH of `groupBy.0`.';
    const { errors, calls } = await plain.query(document, { id: farmer, by: ['MONTH', 'MONTH'] });
    expect(errors).toMatchObject([
      { message, extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['totals', 'groupBy', 1], message }] } },
    ]);
    expect(calls).toEqual([]);
  });

  test('cost a filtered page for one farmer, where the service filters by entity', async () => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, costs: realCosts });
    const key = 'Bearer demo-coop';
    const ask = (document: string) => gateway.query(document, {}, { key });
    const id = transactions.at(-1)!.source;
    await ask('{ productTransactions(limit: 1) { count } farmers(limit: 1) { count } }');
    const document = `{ farmer(id: "${id}") { totals(groupBy: [MONTH]) { ${sums} } } }`;
    await ask(document);
    const { data, errors, calls } = await ask(document);

    expect(errors).toEqual([]);
    expectSums(data.farmer.totals, ofFarmer(id));
    expect(calls).toEqual([
      expect.stringContaining(paths.farmers),
      expect.stringMatching(new RegExp(`${paths.productTransactions}\\?.*entity=${id}.*limit=100&offset=0`)),
    ]);
    const many = await ask(`{ farmers(limit: 100) { results { id totals(groupBy: [MONTH]) { ${sums} } } } }`);
    for (const { id, totals } of many.data.farmers.results) expectSums(totals, ofFarmer(id));
    expect(many.calls.filter((call) => call.includes('entity='))).toEqual([]);
  });

  test('are an error where the service fails', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.fail(paths.productTransactions, { status: 503 });
    const { data, errors } = await gateway.queryFailing(
      '{ farmers(limit: 1) { results { totals { rows } } } productTransactionTotals { rows } }',
    );

    expect(data).toEqual({ farmers: { results: [{ totals: null }] }, productTransactionTotals: null });
    expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['productTransactionTotals'], 'UPSTREAM_UNAVAILABLE'],
      [['farmers', 'results', 0, 'totals'], 'UPSTREAM_UNAVAILABLE'],
    ]);
  });
});

describe('the balance of a company', () => {
  test('is what came in and went out by product, and what is left of it', async () => {
    const company = transactions.find(({ parents }) => parents.length > 0)!.source;
    const { data, errors } = await plain.query(
      `query ($id: ID!) { company(id: $id) { balance { products { product { name } product_id in out stock left } rows complete reason } } }`,
      { id: company },
    );

    expect(errors).toEqual([]);
    const own = transactions.filter(({ source, destination }) => source === company || destination === company);
    const { products, ...others } = data.company.balance;
    expect(others).toEqual({ rows: own.length, complete: true, reason: null });
    const expected = naiveGroups(own, { product_id: ({ product }) => product });
    expect(products).toHaveLength(expected.length);
    for (const [index, { keys, rows }] of expected.entries()) {
      const item = products[index];
      const came = rows.filter(({ destination }) => destination === company);
      const went = rows.filter(({ source }) => source === company);
      const sum = (of: Row[], property: string) => naiveSum(of.map((row) => row[property])) ?? 0n;
      expect(item.product_id).toBe(keys.product_id);
      expect(item.product.name).toEqual(expect.any(String));
      expect(partsIn(item.in)).toBe(sum(came, 'quantity'));
      expect(partsIn(item.out)).toBe(sum(went, 'quantity'));
      expect(partsIn(item.stock)).toBe(sum(came, 'quantity') - sum(went, 'quantity'));
      expect(partsIn(item.left)).toBe(sum(came, 'current_quantity'));
    }
    expect(products.some(({ out }: Row) => out !== '0')).toBe(true);
  });

  test('comes in the answer of a push, with the transaction that it has made', async () => {
    await using gateway = await startGateway();
    const company = 'J7VY4SD9HV';
    const balance = 'balance { products { product_id in } rows }';
    const before = (await gateway.query(`{ company(id: "${company}") { ${balance} } }`)).data.company;
    const write = {
      createProductTransaction: {
        source: 'D2YW477Q65',
        destination: company,
        product: 'KUBSEUU5J8',
        quantity: '0.125',
        amount: '1',
        currency: '5BND77JEZS',
      },
    };
    const { data, errors } = await gateway.query(
      `mutation ($writes: [WriteInput!]!) { push(writes: $writes) { status object { ... on ProductTransaction { destination { ... on Company { ${balance} } } } ... on Company { ${balance} } } } }`,
      {
        writes: [
          { key: 'a', write },
          { key: 'b', write: { updateCompany: { id: company, input: { description: 'New' } } } },
        ],
      },
    );

    expect(errors).toEqual([]);
    const [made, changed] = data.push;
    const inOf = ({ products }: Row) =>
      partsIn(products.find(({ product_id }: Row) => product_id === 'KUBSEUU5J8').in)!;
    expect(inOf(made.object.destination.balance) - inOf(before.balance)).toBe(naiveSum(['0.125']));
    expect(made.object.destination.balance.rows).toBe(before.balance.rows + 1);
    expect(changed.object.balance).toEqual(made.object.destination.balance);
  });

  test('comes over the subgraph, as totals do', async () => {
    await using gateway = await startGateway({ settings: { FEDERATION: 'true' } });
    const representations = [
      { __typename: 'Company', id: 'J7VY4SD9HV' },
      { __typename: 'Farmer', id: transactions.at(-1)!.source },
    ];
    const { data, errors, calls } = await gateway.query(
      `query ($representations: [_Any!]!) {
        _entities(representations: $representations) {
          ... on Company { balance { rows products { stock } } }
          ... on Farmer { totals { rows } }
        }
      }`,
      { representations },
    );

    expect(errors).toEqual([]);
    expect(data._entities[0].balance.rows).toBeGreaterThan(0);
    expect(data._entities[1].totals.rows).toBeGreaterThan(0);
    expect(calls.filter((call) => call.includes(paths.productTransactions))).toHaveLength(pagesOf(transactions));
  });
});

test('a list that grows and a row that fails leave totals exact, or not complete', async () => {
  await using gateway = await startFakedGateway();
  let grown = 0;
  gateway.upstream.respond = async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    if (pathname !== paths.productTransactions) return undefined;
    if (offset > 0 && grown === 0) {
      grown += 1;
      const body = {
        source: 'D2YW477Q65',
        destination: 'J7VY4SD9HV',
        product: 'KUBSEUU5J8',
        quantity: '1',
        amount: '1',
        currency: '5BND77JEZS',
      };
      await writeRest(gateway, paths.productTransactions, body);
    }
    const place = 130 + grown;
    return offset <= place && place < offset + limit ? { status: 500, body: '<h1>Server Error (500)</h1>' } : undefined;
  };
  const { data, errors } = await gateway.query('{ productTransactionTotals { rows complete reason } }');

  expect(errors).toEqual([]);
  const { rows, complete, reason } = data.productTransactionTotals;
  expect(complete).toBe(false);
  expect(rows).toBeGreaterThanOrEqual(transactions.length - 1);
  expect(reason).toMatch(/fails on a row|contradict/);
});
