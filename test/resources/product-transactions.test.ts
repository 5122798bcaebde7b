import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  one,
  page,
  paths,
  pick,
  type Row,
  readRest,
  readRows,
  unixSeconds,
  unknownId,
} from '../support/rest-reads.ts';

let gateway: Gateway;
let transactions: Row[];
/** The latest shipment of the cooperative, and its latest purchase from a farmer. */
let shipment: Row;
let purchase: Row;

beforeAll(async () => {
  gateway = await startGateway();
  transactions = await readRows(gateway, paths.productTransactions);
  shipment = transactions.find(({ type }) => type === 'OUTGOING')!;
  purchase = transactions.find(({ type }) => type === 'INCOMING')!;
  // The gateway knows the kinds of these companies from here on.
  const ids = { source: shipment.source, destination: shipment.destination };
  await gateway.query(
    'query ($source: ID!, $destination: ID!) { a: company(id: $source) { id } b: company(id: $destination) { id } }',
    ids,
  );
});
afterAll(() => gateway.close());

const ask = (selection: string, { id }: Row) =>
  gateway.query(`query ($id: ID!) { productTransaction(id: $id) { ${selection} } }`, { id });

test('productTransactions returns the transactions, newest first, with exact amounts and times', async () => {
  const answer = await gateway.query(`{
    productTransactions { count results { id number amount quantity current_quantity type method date created_on } }
  }`);

  const keys = ['id', 'number', 'amount', 'quantity', 'current_quantity', 'type', 'method', 'date', 'created_on'];
  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect(answer.data.productTransactions).toEqual({
    count: transactions.length,
    results: pick(transactions.slice(0, 20), ...keys),
  });
  expectCalls(answer, page(paths.productTransactions));
});

describe('productTransactions, filtered', () => {
  const middle = () => transactions[300]!;

  test.each([
    ['updated_after', 'updated_on', (time: string, than: string) => time >= than],
    ['created_after', 'created_on', (time: string, than: string) => time >= than],
    ['updated_before', 'updated_on', (time: string, than: string) => time < than],
  ] as const)('by %s, returns the rows that match', async (name, key, keeps) => {
    const time: string = middle()[key];
    const expected = transactions.filter((row) => keeps(row[key], time));
    expect(expected.length).toSatisfy((length) => length > 20 && length < transactions.length);

    const answer = await gateway.query(
      `query ($time: DateTime) { productTransactions(${name}: $time) { count results { id } } }`,
      { time },
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.productTransactions).toEqual({
      count: expected.length,
      results: pick(expected.slice(0, 20), 'id'),
    });
    expectCalls(answer, page(paths.productTransactions, 20, 0, `${name}=${unixSeconds(time)}`));
  });

  test('by quantity_available, returns goods of the active company that are left', async () => {
    const expected = transactions.filter(
      ({ destination, current_quantity }) => destination === shipment.source && Number(current_quantity) > 0,
    );
    expect(expected.length).toSatisfy((length) => length > 0 && length < transactions.length);

    const answer = await gateway.query('{ productTransactions(quantity_available: true) { count results { id } } }');

    expect(answer.data.productTransactions).toEqual({
      count: expected.length,
      results: pick(expected.slice(0, 20), 'id'),
    });
    expectCalls(answer, page(paths.productTransactions, 20, 0, 'only_quantity_available=true'));
  });

  test('by quantity_available: false, returns all rows', async () => {
    const answer = await gateway.query('{ productTransactions(quantity_available: false) { count } }');

    expect(answer.data.productTransactions.count).toBe(transactions.length);
    expectCalls(answer, page(paths.productTransactions, 1));
  });
});

test('productTransaction(id) returns null with NOT_FOUND for an unknown id', async () => {
  const answer = await ask('number', { id: unknownId });

  const reference = { type: 'ProductTransaction', id: unknownId };
  expect(answer).toMatchObject({
    status: 200,
    data: { productTransaction: null },
    errors: [{ path: ['productTransaction'], extensions: { code: 'NOT_FOUND', reference } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.productTransactions, unknownId));
});

test('ProductTransaction.source and destination are farmers or companies', async () => {
  const farmer = await readRest(gateway, `${paths.farmers}${purchase.source}/`);
  const coop = await readRest(gateway, `${paths.companies}${purchase.destination}/`);

  const answer = await ask(
    `number
    source { __typename id city ... on Farmer { first_name identification_no } }
    destination { __typename id name ... on Company { sell_enabled currency { code } } }`,
    purchase,
  );

  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransaction).toEqual({
    number: purchase.number,
    source: { __typename: 'Farmer', ...pick([farmer], 'id', 'city', 'first_name', 'identification_no')[0] },
    destination: {
      __typename: 'Company',
      ...pick([coop], 'id', 'name', 'sell_enabled')[0],
      currency: { code: coop.currency.code },
    },
  });
  expectCalls(
    answer,
    one(paths.productTransactions, purchase.id),
    one(paths.farmers, farmer.id),
    one(paths.companies, coop.id),
  );
});

test('productTransactions makes one call per company, and one per page of farmers', async () => {
  const answer = await gateway.query('{ productTransactions { results { source { name } destination { name } } } }');

  const rows = transactions.slice(0, 20);
  const companies = distinct(rows.map(({ destination }) => destination));
  expect(companies).toHaveLength(2);
  expect(answer.errors).toEqual([]);
  for (const row of answer.data.productTransactions.results) {
    expect(row).toEqual({ source: { name: expect.any(String) }, destination: { name: expect.any(String) } });
  }
  expectCalls(
    answer,
    page(paths.productTransactions),
    ...companies.map((id) => one(paths.companies, id)),
    ...[0, 100, 200].map((offset) => page(paths.farmers, 100, offset)),
  );
});

test('productTransaction(id) returns currency, card, payments and submissions without another call', async () => {
  const row = transactions.find(({ card, submissions }) => card && submissions.length > 0)!;

  const answer = await ask(
    `currency { name code }
    card { card_id display_id }
    transaction_payments { id amount payment_type premium { name } currency { code } }
    submissions { form { form_type field_config { key } } values { value field { key } } }`,
    row,
  );

  const { currency_details, card_details, transaction_payments, submissions } = row;
  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransaction).toEqual({
    currency: pick([currency_details], 'name', 'code')[0],
    card: pick([card_details], 'card_id', 'display_id')[0],
    transaction_payments: transaction_payments.map(({ premium_details, ...payment }: Row) => ({
      ...pick([payment], 'id', 'amount', 'payment_type')[0],
      premium: premium_details && { name: premium_details.name },
      currency: { code: payment.currency_details.code },
    })),
    submissions: submissions.map(({ form_details, values }: Row) => ({
      form: { form_type: form_details.form_type, field_config: pick(form_details.field_config, 'key') },
      values: values.map(({ value, field_details }: Row) => ({ value, field: { key: field_details.key } })),
    })),
  });
  expectCalls(answer, one(paths.productTransactions, row.id));
});

test('productTransactions finds all products in one list', async () => {
  const names = new Map((await readRows(gateway, paths.products)).map(({ id, name }) => [id, name]));
  const rows = transactions.slice(0, 50);
  expect(rows.some(({ submissions }) => submissions.some(({ product }: Row) => product))).toBe(true);

  const answer = await gateway.query(
    '{ productTransactions(limit: 50) { results { product_id product { id name } submissions { product { name } } } } }',
  );

  const named = (id: string | null) => id && { name: names.get(id) };
  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransactions.results).toEqual(
    rows.map(({ product, submissions }) => ({
      product_id: product,
      product: { id: product, name: names.get(product) },
      submissions: submissions.map((submission: Row) => ({ product: named(submission.product) })),
    })),
  );
  expectCalls(answer, page(paths.productTransactions, 50), page(paths.products, 100));
});

test('ProductTransaction.parents costs one call each, parent_ids none', async () => {
  const parents: Row[] = shipment.parents.map((id: string) => transactions.find((row) => row.id === id));
  expect(parents.length).toBeGreaterThan(1);

  const answer = await ask('parent_ids parents { id number source { name } }', shipment);

  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransaction).toEqual({
    parent_ids: shipment.parents,
    parents: parents.map(({ id, number }) => ({ id, number, source: { name: expect.any(String) } })),
  });
  expectCalls(
    answer,
    one(paths.productTransactions, shipment.id),
    ...parents.map(({ id }) => one(paths.productTransactions, id)),
    ...distinct(parents.map(({ source }) => source)).map((id) => one(paths.farmers, id)),
  );
  expectCalls(await ask('parent_ids parents { id }', shipment), one(paths.productTransactions, shipment.id));
});

test('ProductTransaction.parents costs no call for rows of the same list', async () => {
  const answer = await gateway.query('{ productTransactions(limit: 600) { results { parents { number } } } }');

  const numbers = new Map(transactions.map(({ id, number }) => [id, number]));
  expect(answer.data.productTransactions.results).toEqual(
    transactions.map(({ parents }) => ({ parents: parents.map((id: string) => ({ number: numbers.get(id) })) })),
  );
  expectCalls(answer, ...[0, 100, 200, 300, 400, 500].map((offset) => page(paths.productTransactions, 100, offset)));
});
