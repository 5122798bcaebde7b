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
  writeRest,
} from '../support/rest-reads.ts';

let gateway: Gateway;
let farmers: Row[];
let transactions: Row[];
let coop: Row;

beforeAll(async () => {
  gateway = await startGateway();
  farmers = await readRows(gateway, paths.farmers);
  transactions = await firstRows(gateway, paths.productTransactions);
  coop = await readRest(gateway, `${paths.companies}${farmers[0]!.buyer}/`);
  // The gateway remembers from here on which ids are companies.
  await gateway.query('query ($id: ID!) { company(id: $id) { buyer { id } } }', coop);
});
afterAll(() => gateway.close());

test('x, x_id and x_details give the same object', async () => {
  const answer = await gateway.query(`{
    productTransactions(limit: 50) { results {
      currency { id name code } currency_id currency_details { id name code }
      card { id card_id created_on } card_id card_details { id card_id created_on }
      transaction_payments { premium { id name } premium_id premium_details { id name } }
      submissions {
        form { id form_type } form_id form_details { id form_type }
        values { field { id key } field_id field_details { id key } }
      }
    } }
  }`);

  const seen: Record<string, number> = {};
  function check(row: Row): void {
    for (const [key, value] of Object.entries(row)) {
      if (Array.isArray(value)) value.forEach(check);
      if (!key.endsWith('_details')) continue;
      const name = key.replace('_details', '');
      expect(row[name], name).toEqual(value);
      expect(row[`${name}_id`], name).toBe(value?.id ?? null);
      if (value) seen[name] = (seen[name] ?? 0) + 1;
    }
  }
  answer.data.productTransactions.results.forEach(check);
  expect(answer.errors).toEqual([]);
  expect(Object.keys(seen).toSorted()).toEqual(['card', 'currency', 'field', 'form', 'premium']);
  expectCalls(answer, page(paths.productTransactions, 50));
});

describe('no call beyond those for the rows is needed for', () => {
  test('ids, as `x_id` and as `x { id }`', async () => {
    const answer = await gateway.query(`{
      farmers { results { buyer_id buyer { id } creator_id creator { id } updater { id } } }
      productTransactions { results {
        source_id source { id } destination { id } product_id product { id } parent_ids parents { id }
        transaction_payments { card { id } transaction { id } selected_option { id } }
      } }
    }`);

    expect(answer.errors).toEqual([]);
    expect(answer.data.farmers.results).toEqual(
      farmers.slice(0, 20).map(({ buyer, creator, updater }) => ({
        buyer_id: buyer,
        buyer: { id: buyer },
        creator_id: creator,
        creator: { id: creator },
        updater: { id: updater },
      })),
    );
    const object = (id: string | null) => id && { id };
    expect(answer.data.productTransactions.results).toEqual(
      transactions.slice(0, 20).map(({ source, destination, product, parents, transaction_payments }) => ({
        source_id: source,
        source: { id: source },
        destination: { id: destination },
        product_id: product,
        product: { id: product },
        parent_ids: parents,
        parents: parents.map(object),
        transaction_payments: transaction_payments.map((payment: Row) => ({
          card: object(payment.card),
          transaction: { id: payment.transaction },
          selected_option: object(payment.selected_option),
        })),
      })),
    );
    expectCalls(answer, page(paths.farmers), page(paths.productTransactions));
  });

  test('__typename of a concrete type', async () => {
    const answer = await gateway.query(
      '{ farmers(limit: 1) { results { buyer { __typename } creator { __typename } } } }',
    );

    expect(answer).toMatchObject({
      data: { farmers: { results: [{ buyer: { __typename: 'Company' }, creator: { __typename: 'User' } }] } },
      errors: [],
    });
    expectCalls(answer, page(paths.farmers, 1));
  });

  test('the transaction of a payment nested in it', async () => {
    const answer = await gateway.query(
      '{ productTransactions { results { number transaction_payments { transaction { number product_id } } } } }',
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.productTransactions.results).toEqual(
      transactions.slice(0, 20).map(({ number, product, transaction_payments }) => ({
        number,
        transaction_payments: transaction_payments.map(() => ({ transaction: { number, product_id: product } })),
      })),
    );
    expectCalls(answer, page(paths.productTransactions));
  });

  test('fields that are skipped, not included, or of another type', async () => {
    const row = transactions.find(({ type }) => type === 'OUTGOING')!;

    const answer = await gateway.query(
      `query ($id: ID!, $yes: Boolean!, $no: Boolean!) {
        productTransaction(id: $id) {
          number
          product @skip(if: $yes) { name }
          creator @include(if: $no) { email }
          ...People @include(if: $no)
          ... @skip(if: $yes) { updater { email } }
          parents { id ...Parent @skip(if: $yes) }
          source { id ... on Farmer { first_name creator { email } } }
        }
      }
      fragment People on ProductTransaction { updater { email } }
      fragment Parent on ProductTransaction { number }`,
      { id: row.id, yes: true, no: false },
    );

    expect(answer).toMatchObject({ errors: [] });
    expect(answer.data.productTransaction).toEqual({
      number: row.number,
      parents: row.parents.map((id: string) => ({ id })),
      source: { id: coop.id },
    });
    expectCalls(answer, one(paths.productTransactions, row.id));
  });
});

describe('one call is enough for', () => {
  test('the same buyer of fifty rows', async () => {
    const answer = await gateway.query('{ farmers(limit: 50) { results { buyer { email phone } } } }');

    const { email, phone } = coop;
    expect(answer.data.farmers.results).toEqual(Array(50).fill({ buyer: { email, phone } }));
    expectCalls(answer, page(paths.farmers, 50), one(paths.companies, coop.id));
  });

  test('one reference under several aliases and at several levels', async () => {
    const answer = await gateway.query(`
      { farmers(limit: 3) { results {
        a: buyer { email }
        b: buyer { name creator { email } }
        ...Buyer
        creator { email default_entity { ... on Company { phone } managing: id } }
        entity_card { entity { buyer { city } } creator { last_name } }
      } } }
      fragment Buyer on Farmer { c: buyer { country updater { first_name } } }`);

    const people = farmers
      .slice(0, 3)
      .flatMap(({ creator, entity_card }) => [creator, entity_card?.creator ?? creator]);
    expect(answer.errors).toEqual([]);
    expect(answer.data.farmers.results[0]).toMatchObject({
      a: { email: coop.email },
      b: { name: coop.name, creator: { email: expect.any(String) } },
      c: { country: coop.country },
      creator: { default_entity: { phone: coop.phone, managing: coop.id } },
      entity_card: { entity: { buyer: { city: coop.city } } },
    });
    expectCalls(
      answer,
      page(paths.farmers, 3),
      one(paths.companies, coop.id),
      ...distinct([...people, coop.creator, coop.updater]).map((id) => one(paths.users, id)),
    );
  });

  test('a reference that two root fields share', async () => {
    const answer = await gateway.query(`{
      farmers(limit: 5) { results { buyer { email } creator { email } } }
      productTransactions(limit: 5) { results { destination { email } creator { email } product { name } } }
      products(limit: 100) { results { id } }
    }`);

    const rows = transactions.slice(0, 5);
    const companies = distinct([coop.id, ...rows.map(({ destination }) => destination)]);
    const people = distinct([...farmers.slice(0, 5), ...rows].map(({ creator }) => creator));
    expect(answer.errors).toEqual([]);
    expectCalls(
      answer,
      page(paths.farmers, 5),
      page(paths.productTransactions, 5),
      page(paths.products, 100),
      ...companies.map((id) => one(paths.companies, id)),
      ...people.map((id) => one(paths.users, id)),
    );
  });

  test('one list or one resource under two aliases', async () => {
    const [{ id }] = farmers as [Row];

    const answer = await gateway.query(
      `query ($id: ID!) {
        a: farmers(limit: 20, number: "1") { results { first_name } }
        b: farmers(number: "1", first: 20) { count edges { node { last_name } } }
        c: farmer(id: $id) { first_name }
        d: farmer(id: $id) { last_name }
      }`,
      { id },
    );

    expect(answer.errors).toEqual([]);
    expectCalls(answer, page(paths.farmers, 20, 0, 'number=1'), one(paths.farmers, id));
  });
});

test('root fields that share a fragment each have the references of their references', async () => {
  const answer = await gateway.query(`
    { a: farmers(limit: 1) { ...Page } b: farmers(limit: 1, offset: 5) { ...Page } }
    fragment Page on FarmerConnection { results { buyer { buyer { name } } } }
  `);

  const buyer = (await readRest(gateway, `${paths.companies}${coop.id}/`)).buyer;
  const results = [{ buyer: { buyer: { name: buyer.name } } }];
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({ a: { results }, b: { results } });
});

test('a chain of parents loads one generation at a time, and each ancestor once', async () => {
  // This test needs a gateway of its own, because other tests of this file have read the list.
  await using written = await startGateway();
  const buyer = coop.buyer.id;
  const [p1, p2, p3] = transactions.filter(({ type }) => type === 'INCOMING') as [Row, Row, Row];
  const { product, currency } = p1;
  const record = (body: object, key?: string) =>
    writeRest(
      written,
      paths.productTransactions,
      { product, currency, amount: '1.000', quantity: '1.000', ...body },
      key,
    );
  const a = await record({ source: coop.id, destination: buyer, parents: [p1.id, p2.id] });
  const b = await record({ source: coop.id, destination: buyer, parents: [p2.id, p3.id] });
  const top = await record({ source: buyer, destination: coop.id, parents: [a.id, b.id] }, 'demo-buyer');

  const answer = await written.query(
    `query ($id: ID!) {
      productTransaction(id: $id) { parents { number parents { number creator { email } parents { number } } } }
    }`,
    { id: top.id },
  );

  const people = distinct([p1, p2, p3].map(({ creator }) => creator));
  const numbers = (...rows: Row[]) => rows.map(({ number }) => expect.objectContaining({ number }));
  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransaction.parents).toEqual([
    { number: a.number, parents: numbers(p1, p2) },
    { number: b.number, parents: numbers(p2, p3) },
  ]);
  const call = ({ id }: Row) => one(paths.productTransactions, id);
  expect(answer.calls.slice(0, 1)).toEqual([call(top)]);
  expectCalls({ calls: answer.calls.slice(1, 3) }, call(a), call(b));
  expectCalls({ calls: answer.calls.slice(3, 6) }, call(p1), call(p2), call(p3));
  expectCalls({ calls: answer.calls.slice(6) }, ...people.map((id) => one(paths.users, id)));
});
