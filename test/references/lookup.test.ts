import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  firstRows,
  one,
  page,
  paths,
  type Row,
  readRest,
  readRows,
} from '../support/rest-reads.ts';

test('the kind of an entity is looked up once and remembered across requests', async () => {
  await using fresh = await startGateway();
  const { count } = await readRest(fresh, `${paths.productTransactions}?limit=1`);
  const { results: rows } = await readRest(fresh, `${paths.productTransactions}?limit=3&offset=${count - 3}`);
  const document = `{ productTransactions(limit: 3, offset: ${count - 3}) { results { source { __typename } } } }`;

  const first = await fresh.query(document);
  const second = await fresh.query(document);
  const asBuyer = await fresh.query('query ($id: ID!) { entity(id: $id) { name } }', rows[0], { key: 'demo-buyer' });

  const list = first.calls[0]!;
  expect(rows.every(({ type }: Row) => type === 'INCOMING')).toBe(true);
  expect(first).toMatchObject({ errors: [] });
  expect(first.data.productTransactions.results).toEqual(Array(3).fill({ source: { __typename: 'Farmer' } }));
  expectCalls(
    first,
    list,
    ...distinct<string>(rows.map(({ source }: Row) => source)).map((id) => one(paths.farmers, id)),
  );
  expect(second.data).toEqual(first.data);
  expectCalls(second, list);
  expect(asBuyer.data.entity).toBeNull();
});

test('a list scan does not repeat pages that the operation reads anyway', async () => {
  await using gateway = await startGateway();
  const products = await readRows(gateway, paths.products);
  const transactions = await firstRows(gateway, paths.productTransactions);
  const behind = transactions.find(({ product }) => products.slice(5).some(({ id }) => id === product))!;

  const answer = await gateway.query(
    `query ($id: ID!) {
      products(limit: 5) { results { id } }
      productTransaction(id: $id) { product { id name } }
    }`,
    behind,
  );

  expect(answer).toMatchObject({ data: { productTransaction: { product: { id: behind.product } } }, errors: [] });
  expectCalls(answer, one(paths.productTransactions, behind.id), page(paths.products, 100));
});

describe('a service that caps pages at ten rows', () => {
  let capped: Gateway;
  let cards: string[];
  let payments: Row[];
  let transactions: Row[];
  beforeAll(async () => {
    capped = await startGateway({ sandbox: { maxPageSize: 10 } });
    cards = (await readRows(capped, paths.cards)).map(({ id }) => id);
    payments = await firstRows(capped, paths.paymentTransactions);
    transactions = await firstRows(capped, paths.productTransactions);
    // The first page shows how many rows the service gives.
    await capped.query('{ cards(limit: 100) { results { id } } }');
  });
  afterAll(() => capped.close());

  test.each<[name: string, from: number, to: number, offsets: number[]]>([
    ['on one of the first four pages', 0, 40, [0, 10, 20, 30]],
    ['in the tail', 150, 230, [...Array(25).keys()].map((index) => 10 * index)],
  ])('gives a card %s, and gets no further calls', async (_name, from, to, offsets) => {
    const payment = payments.find(({ card }) => cards.indexOf(card) >= from && cards.indexOf(card) < to)!;

    const answer = await capped.query(
      'query ($id: ID!) { paymentTransaction(id: $id) { card { id card_id } } }',
      payment,
    );

    expect(answer).toMatchObject({ data: { paymentTransaction: { card: { id: payment.card } } }, errors: [] });
    expectCalls(
      answer,
      one(paths.paymentTransactions, payment.id),
      ...offsets.map((offset) => page(paths.cards, 10, offset)),
    );
  });

  test('gives the products of several places in one list scan', async () => {
    const products = (await readRows(capped, paths.products)).map(({ id }) => id);
    const inFront = transactions.find(({ product }) => products.indexOf(product) < 10)!;
    const behind = transactions.find(({ product }) => products.indexOf(product) >= 10)!;

    const answer = await capped.query(
      `query ($a: ID!, $b: ID!) {
        a: productTransaction(id: $a) { product { id name } }
        b: productTransaction(id: $b) { product { id name } }
      }`,
      { a: inFront.id, b: behind.id },
    );

    expect(answer).toMatchObject({
      data: { a: { product: { id: inFront.product } }, b: { product: { id: behind.product } } },
      errors: [],
    });
    expectCalls(
      answer,
      one(paths.productTransactions, inFront.id),
      one(paths.productTransactions, behind.id),
      page(paths.products, 100),
      page(paths.products, 10, 10),
    );
  });
});

test('nested payments take missing fields from their transaction, without a GET by id', async () => {
  await using connect = await startGateway({ sandbox: { dialect: 'connect' } });

  const answer = await connect.query(`{
    productTransactions(limit: 10) { results {
      source_id destination_id currency { code }
      transaction_payments {
        source_id source { id } destination_id currency { code } currency_id transaction { id number } date number
      }
      id number date
    } }
  }`);

  const { results } = answer.data.productTransactions;
  expect(answer.errors).toEqual([]);
  expect(results).toHaveLength(10);
  for (const { id, number, date, source_id, destination_id, currency, transaction_payments } of results) {
    expect(transaction_payments.length).toBeGreaterThan(0);
    for (const payment of transaction_payments) {
      expect(payment).toEqual({
        source_id: destination_id,
        source: { id: destination_id },
        destination_id: source_id,
        currency,
        currency_id: expect.any(String),
        transaction: { id, number },
        date,
        number: null,
      });
    }
  }
  expect(answer.calls).toEqual([`GET ${paths.productTransactions}?filter_by=all&limit=10&offset=0`]);
});
