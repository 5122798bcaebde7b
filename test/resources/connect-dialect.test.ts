import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import type { Gateway } from '../support/harness.ts';
import { type Json, lastBody } from '../support/rest.ts';
import { bearerOf, people } from '../support/tokens.ts';

let gateway: Gateway;
let ids: ConnectGateway['ids'];
let query: ConnectGateway['query'];
let rest: ConnectGateway['rest'];

beforeAll(async () => {
  ({ gateway, ids, query, rest } = await startConnectGateway());
});
afterAll(() => gateway.close());

const iso = (unixSeconds: string) => new Date(Number(unixSeconds) * 1000).toISOString().replace('.000Z', 'Z');

describe('a real deployment', () => {
  test('gives farmers in an envelope, with times that become ISO 8601', async () => {
    const { data, errors, calls } = await query(`{
      farmers(limit: 3) {
        count next previous pageInfo { hasNextPage }
        results {
          id name last_name date_of_birth consent_status created_on updated_on creator { first_name } buyer { name }
          entity_card { created_on card { card_id } }
          submission { values { value field { label key options } } form { form_type } }
        }
      }
    }`);
    expect(errors).toEqual([]);
    const page = await rest('/supply-chains/farmers/?limit=3');
    expect(page.results[0].created_on).toMatch(/^\d+$/);
    expect(data.farmers).toMatchObject({ count: page.count, previous: null, pageInfo: { hasNextPage: true } });
    data.farmers.results.forEach((farmer: Json, index: number) => {
      const row = page.results[index];
      expect(farmer).toMatchObject({
        id: row.id,
        created_on: iso(row.created_on),
        updated_on: iso(row.updated_on),
        buyer: { name: 'Sankofa Growers Cooperative Union' },
        entity_card: { created_on: iso(row.entity_card.created_on), card: { card_id: row.entity_card.card.card_id } },
      });
    });
    expect(data.farmers.results[0].submission).toEqual({
      values: [
        { value: expect.any(String), field: { label: 'Household members', key: 'household', options: '{}' } },
        { value: expect.any(String), field: { label: 'Farm size (ha)', key: 'farm_size', options: '{}' } },
      ],
      form: { form_type: 'FARMER' },
    });
    expect(JSON.stringify(data)).not.toMatch(/https?:|\/connect\/v1/);
    expect(calls[0]).toBe('GET /supply-chains/farmers/?limit=3&offset=0');
  });

  test('gives the card of a buyer in a list', async () => {
    const { data, errors, calls } = await query(
      `query ($id: ID!) {
        company(id: $id) {
          name currency { code } currency_id field_visibilties { id } owned_premiums member_ids
          buyer { id name entity_card { id is_active card { card_id } } entity_card_id }
          forms { id owner { id name } owner_id fields { label type } field_config { key } products { name } }
        }
      }`,
      { id: ids.company },
    );
    expect(errors).toEqual([]);
    expect(calls).toEqual([`GET /supply-chains/companies/${ids.company}/`]);
    const { buyer } = await rest(`/supply-chains/companies/${ids.company}/`);
    const [card] = buyer.entity_card;
    expect(data.company).toMatchObject({
      currency: { code: 'USD' },
      currency_id: ids.dollar,
      field_visibilties: null,
      buyer: {
        id: ids.buyer,
        name: 'Noordzee Koffie & Cacao B.V.',
        entity_card: { id: card.id, is_active: true, card: { card_id: card.card.card_id } },
        entity_card_id: card.id,
      },
    });
    const owner = { owner: { id: ids.company, name: data.company.name }, owner_id: ids.company };
    expect(data.company.forms).not.toEqual([]);
    for (const form of data.company.forms) expect(form).toMatchObject(owner);
  });

  test('gives the companies of a user as objects', async () => {
    const { data, errors, calls } = await query(
      `query ($id: ID!) {
        user(id: $id) { policy_accepted current_policy_accepted managing_entity_ids managing_entitys { __typename id name ... on Company { currency { code } } } }
      }`,
      { id: ids.user },
    );
    expect(errors).toEqual([]);
    const name = 'Sankofa Growers Cooperative Union';
    expect(data.user).toEqual({
      policy_accepted: 'true',
      current_policy_accepted: true,
      managing_entity_ids: [ids.company],
      managing_entitys: [{ __typename: 'Company', id: ids.company, name, currency: { code: 'USD' } }],
    });
    expect(calls).toEqual([`GET /accounts/users/${ids.user}/`, `GET /supply-chains/companies/${ids.company}/`]);
  });

  test('gives booleans and lists in products, which become typed fields and texts of JSON', async () => {
    const { data, errors, calls } = await query(
      '{ products(limit: 2) { results { id name premiums premium_ids is_active active } } currencies(search: "euro") { results { code } } cards(limit: 1) { results { card_id } } }',
    );
    expect(errors).toEqual([]);
    const { results } = await rest('/catalogs/products/?limit=2');
    expect(data.products.results).toEqual(
      results.map(({ id, name, premiums, is_active }: Json) => ({
        id,
        name,
        premiums: JSON.stringify(premiums),
        premium_ids: premiums,
        is_active: JSON.stringify(is_active),
        active: is_active,
      })),
    );
    expect(JSON.parse(data.products.results[0].premiums)).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(data.currencies.results).toEqual([{ code: 'EUR' }]);
    expect(calls.toSorted()).toEqual([
      'GET /catalogs/connect-cards/?limit=1&offset=0',
      'GET /catalogs/currencies/?search=euro&limit=20&offset=0',
      'GET /catalogs/products/?limit=2&offset=0',
    ]);
  });

  test('leaves fields out of payments, which the gateway takes from their product transaction', async () => {
    const { data, errors, calls } = await query(`{
      productTransactions(limit: 5) {
        results {
          id date amount currency { code } source { id name } destination { id }
          transaction_payments {
            id amount payment_type premium { name } source_id destination { id } currency { code } transaction_id
            transaction { amount } date created_on card { card_id } card_id invoice_number
            verification_latitude verification_longitude number invoice method creator { first_name }
          }
          submissions { form_id values { field_id field { key } value } }
        }
      }
    }`);
    expect(errors).toEqual([]);
    const { results } = await rest('/transactions/product-transactions/?filter_by=all&limit=5');
    data.productTransactions.results.forEach((transaction: Json, index: number) => {
      const row = results[index];
      expect(transaction.date).toBe(iso(row.date));
      expect(transaction.currency).toEqual({ code: row.currency_details.code });
      expect(transaction.transaction_payments).toEqual(
        row.transaction_payments.map((payment: Json) => ({
          id: payment.id,
          amount: payment.amount,
          payment_type: payment.payment_type,
          premium: payment.premium_details && { name: payment.premium_details.name },
          source_id: row.destination,
          destination: { id: row.source },
          currency: { code: row.currency_details.code },
          transaction_id: row.id,
          transaction: { amount: row.amount },
          date: iso(row.date),
          created_on: iso(row.created_on),
          card: row.card_details && { card_id: row.card_details.card_id },
          card_id: row.card,
          invoice_number: row.invoice_number,
          verification_latitude: row.verification_latitude,
          verification_longitude: row.verification_longitude,
          number: null,
          invoice: null,
          method: null,
          creator: null,
        })),
      );
      expect(transaction.submissions.map(({ values }: Json) => values)).toEqual(
        row.submissions.map(({ values }: Json) =>
          values.map(({ field_details, value }: Json) => ({
            field_id: field_details.id,
            field: { key: field_details.key },
            value,
          })),
        ),
      );
    });
    expect(calls.filter((call) => /transactions/.test(call))).toEqual([
      'GET /transactions/product-transactions/?filter_by=all&limit=5&offset=0',
    ]);
  });

  test('does not know the payments of a transaction by id', async () => {
    const { results } = await rest('/transactions/product-transactions/?limit=1');
    const { data, errors } = await query('query ($id: ID!) { paymentTransaction(id: $id) { id } }', {
      id: results[0].transaction_payments[0].id,
    });
    expect(data).toEqual({ paymentTransaction: null });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });

  test('gives a premium whose kind of calculation the schema does not know', async () => {
    const { data, errors } = await query(`{
      paymentTransactions(limit: 100) { results { premium { name category category_raw calculation_type calculation_type_raw } } }
    }`);
    expect(errors).toEqual([]);
    const premiums = data.paymentTransactions.results.map(({ premium }: Json) => premium);
    const payout = { category: 'PAYOUT', category_raw: 'PAYOUT' };
    expect(premiums).toContainEqual({
      name: 'Long-term partnership premium',
      ...payout,
      calculation_type: 'UNKNOWN_VALUE',
      calculation_type_raw: 'RANGE',
    });
    expect(premiums).toContainEqual({
      name: 'Living income supplement',
      ...payout,
      calculation_type: 'MANUAL',
      calculation_type_raw: 'MANUAL',
    });
  });

  test('gives payments and entity cards', async () => {
    const { data, errors } = await query(`{
      paymentTransactions(limit: 2) { results { payment_type date premium { name options { name } } selected_option { id } submissions } }
      entityCards(limit: 2) { results { is_active created_on card { card_id } entity { __typename name } } }
    }`);
    expect(errors).toEqual([]);
    expect(data.paymentTransactions.results[0]).toMatchObject({ payment_type: 'PREMIUM', selected_option: null });
    expect(data.entityCards.results[0].entity).toMatchObject({ __typename: 'Company' });
  });
});

describe('the gateway sends times as unix seconds', () => {
  test('in bodies, with the fraction of the client', async () => {
    const document = `mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { created_on } }`;
    const input = { first_name: 'Esi', country: 'Ghana', province: 'Ashanti' };
    for (const [created_on, sent, shown] of [
      ['2026-03-01T10:15:30.123456+02:00', '1772352930.123456', '2026-03-01T08:15:30Z'],
      [1772352930, '1772352930', '2026-03-01T08:15:30Z'],
      ['1969-12-31T23:59:58Z', '-2', '1969-12-31T23:59:58Z'],
    ]) {
      const { data, errors } = await query(document, { input: { ...input, created_on } });
      expect(errors).toEqual([]);
      expect(lastBody(gateway.sandbox)).toStrictEqual({ ...input, created_on: sent });
      expect(data.createFarmer).toEqual({ created_on: shown });
    }
  });

  test('in nested bodies and in filters', async () => {
    const date = '2026-03-01T08:15:30Z';
    await query(
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }',
      {
        input: { date, currency: 'USD', transaction_payments: [{ premium: 'P', date }] },
      },
    );
    expect(lastBody(gateway.sandbox)).toStrictEqual({
      date: '1772352930',
      currency: 'USD',
      transaction_payments: [{ premium: 'P', date: '1772352930' }],
    });
    const { errors, calls } = await query(`{ productTransactions(updated_before: "${date}") { count } }`);
    expect(errors).toEqual([]);
    expect(calls[0]).toBe(
      'GET /transactions/product-transactions/?filter_by=all&updated_before=1772352930&limit=1&offset=0',
    );
  });
});

describe('the gateway answers', () => {
  test.each([
    ['no Bearer token', 'Basic abc'],
    ['a token that has expired', 'Bearer expired'],
  ])('UNAUTHENTICATED to %s, for which the service answers 403', async (_case, badKey) => {
    const { status, data, errors } = await gateway.query('{ farmers { count } }', {}, { key: badKey });
    expect({ status, data }).toEqual({ status: 200, data: { farmers: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', upstream_status: 403 } }]);
    expect(JSON.stringify(errors)).not.toContain(badKey);
  });

  test('UPSTREAM_ERROR for a page of HTML, without its text', async () => {
    const { data, errors } = await query(
      'mutation ($id: ID!) { updateUser(id: $id, input: { email: "dewi@sankofa.example" }) { id } }',
      { id: ids.user },
    );
    expect(data).toEqual({ updateUser: null });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', upstream_status: 500, retryable: false } }]);
    expect(JSON.stringify(errors)).not.toMatch(/<|Server Error|connect\/v1/);
  });

  test('validation errors at their place in the input', async () => {
    const input = { source: ids.company, destination: ids.buyer, product: ids.product, amount: '1', currency: 'EUR' };
    const sending = await query(
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }',
      { input },
    );
    expect(sending.errors).toMatchObject([
      { extensions: { fields: [{ path: ['input', 'parents'], message: 'This field is required for sending.' }] } },
    ]);
    const submissions = await query(
      'mutation ($input: CreatePaymentTransactionInput!) { createPaymentTransaction(input: $input) { id } }',
      { input: { source: ids.company, destination: ids.farmer, premium: 'J7VY4SD9HV', submissions: ['J7VY4SD9HV'] } },
    );
    expect(submissions.errors).toMatchObject([{ extensions: { fields: [{ path: ['input', 'submissions', 0] }] } }]);
  });
});

test('a token without a company, on which the service fails, is a bad token, and costs one call', async () => {
  const key = bearerOf(people.abena, { claims: { session_data: undefined } });

  const { errors, calls } = await gateway.query('{ farmers(limit: 50) { results { id } } }', {}, { key });

  expect(errors).toMatchObject([
    {
      message: 'The service fails on this token, which lacks user_id or session_data.entity_id.',
      extensions: { code: 'UNAUTHENTICATED', upstream_status: 500 },
    },
  ]);
  expect(calls).toEqual(['GET /supply-chains/farmers/?limit=50&offset=0']);
});
