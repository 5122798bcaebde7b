import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  firstRows,
  one,
  page,
  paths,
  pick,
  type Row,
  readRest,
  readRows,
  unknownId,
  writeRest,
} from '../support/rest-reads.ts';

let gateway: Gateway;
let payments: Row[];

beforeAll(async () => {
  gateway = await startGateway();
  payments = await firstRows(gateway, paths.paymentTransactions);
});
afterAll(() => gateway.close());

const ask = (selection: string, { id }: Row) =>
  gateway.query(`query ($id: ID!) { paymentTransaction(id: $id) { ${selection} } }`, { id });

test('paymentTransactions returns the payments, newest first', async () => {
  const keys = ['id', 'number', 'amount', 'payment_type', 'type', 'method', 'date', 'invoice_number', 'submissions'];

  const { count } = await readRest(gateway, `${paths.paymentTransactions}?limit=1`);

  const answer = await gateway.query(`{ paymentTransactions { count results { ${keys.join(' ')} } } }`);

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect(answer.data.paymentTransactions).toEqual({
    count,
    results: pick(payments.slice(0, 20), ...keys),
  });
  expectCalls(answer, page(paths.paymentTransactions));
});

test('paymentTransaction(id) returns a payment for one call', async () => {
  const payment = payments[5]!;

  const answer = await ask('id amount updated_on verification_latitude', payment);

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect([answer.data.paymentTransaction]).toEqual(
    pick([payment], 'id', 'amount', 'updated_on', 'verification_latitude'),
  );
  expectCalls(answer, one(paths.paymentTransactions, payment.id));
});

test('paymentTransaction(id) returns null with NOT_FOUND for an unknown id', async () => {
  const answer = await ask('amount', { id: unknownId });

  const reference = { type: 'PaymentTransaction', id: unknownId };
  expect(answer).toMatchObject({
    status: 200,
    data: { paymentTransaction: null },
    errors: [{ path: ['paymentTransaction'], extensions: { code: 'NOT_FOUND', reference } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.paymentTransactions, unknownId));
});

test('paymentTransactions returns premium, selected option and currency without another call', async () => {
  const rows = payments.slice(0, 100);
  expect(rows.some(({ selected_option }) => selected_option)).toBe(true);

  const answer = await gateway.query(`{
    paymentTransactions(limit: 100) { results {
      premium_id premium { id name calculation_type options { id } }
      selected_option_id selected_option { id name amount }
      currency_id currency { code }
    } }
  }`);

  expect(answer.errors).toEqual([]);
  expect(answer.data.paymentTransactions.results).toEqual(
    rows.map(({ premium, premium_details, selected_option, currency_details }) => {
      const option = premium_details?.options.find(({ id }: Row) => id === selected_option);
      return {
        premium_id: premium,
        premium: premium_details && {
          ...pick([premium_details], 'id', 'name', 'calculation_type')[0],
          options: pick(premium_details.options, 'id'),
        },
        selected_option_id: selected_option,
        selected_option: option ? pick([option], 'id', 'name', 'amount')[0] : null,
        currency_id: currency_details.id,
        currency: { code: currency_details.code },
      };
    }),
  );
  expectCalls(answer, page(paths.paymentTransactions, 100));
});

test('paymentTransactions reads many transactions as a page of their list', async () => {
  const rows = payments.slice(0, 20);
  const ids = distinct(rows.map(({ transaction }) => transaction).filter((id) => id !== null));
  expect(ids.length).toBeLessThan(rows.length);
  const paid = await Promise.all(ids.map((id) => readRest(gateway, `${paths.productTransactions}${id}/`)));
  const numbers = new Map(
    paid.map(({ id, number, currency_details: { code } }) => [id, { number, currency: { code } }]),
  );

  const answer = await gateway.query(
    '{ paymentTransactions { results { transaction_id transaction { number currency { code } } } } }',
  );

  expect(answer.errors).toEqual([]);
  expect(answer.data.paymentTransactions.results).toEqual(
    rows.map(({ transaction }) => ({ transaction_id: transaction, transaction: numbers.get(transaction) ?? null })),
  );
  expectCalls(answer, page(paths.paymentTransactions), page(paths.productTransactions, 100));

  const few = await gateway.query('{ paymentTransactions(limit: 2) { results { transaction { number } } } }');
  const fewIds = distinct(rows.slice(0, 2).flatMap(({ transaction }) => transaction ?? []));
  expectCalls(few, page(paths.paymentTransactions, 2), ...fewIds.map((id) => one(paths.productTransactions, id)));
});

test('paymentTransactions makes one call for each source and destination', async () => {
  const payout = payments.find(({ payment_type, type }) => payment_type === 'PREMIUM' && type === 'OUTGOING')!;
  const farmer = await readRest(gateway, `${paths.farmers}${payout.destination}/`);
  const company = await readRest(gateway, `${paths.companies}${payout.source}/`);

  const answer = await ask(
    'source_id source { __typename name } destination_id destination { __typename ... on Farmer { first_name } }',
    payout,
  );

  expect(answer.errors).toEqual([]);
  expect(answer.data.paymentTransaction).toEqual({
    source_id: company.id,
    source: { __typename: 'Company', name: company.name },
    destination_id: farmer.id,
    destination: { __typename: 'Farmer', first_name: farmer.first_name },
  });
  expectCalls(
    answer,
    one(paths.paymentTransactions, payout.id),
    one(paths.companies, company.id),
    one(paths.farmers, farmer.id),
  );
});

test('paymentTransactions finds cards in the list of cards', async () => {
  const cards = await readRows(gateway, paths.cards);
  const frontPage = new Map(cards.slice(0, 100).map((card) => [card.id, card]));
  const payment = payments.find(({ card }) => frontPage.has(card))!;

  const answer = await ask('card_id card { id card_id display_id creator_id }', payment);

  const { id, card_id, display_id, creator } = frontPage.get(payment.card)!;
  expect(answer.errors).toEqual([]);
  expect(answer.data.paymentTransaction).toEqual({
    card_id: id,
    card: { id, card_id, display_id, creator_id: creator },
  });
  expectCalls(answer, one(paths.paymentTransactions, payment.id), page(paths.cards, 100));
});

test('PaymentTransaction.submissions are ids', async () => {
  const { source, destination, premium } = payments.find(({ payment_type }) => payment_type === 'PREMIUM')!;
  // A sandbox of its own, because the other tests of this file have read the list before.
  await using written = await startGateway();
  const farmers = await readRows(written, paths.farmers);
  const submissions = farmers.flatMap(({ submission }) => submission?.id ?? []).slice(0, 2);
  const payment = await writeRest(written, paths.paymentTransactions, { source, destination, premium, submissions });

  const answer = await written.query('query ($id: ID!) { paymentTransaction(id: $id) { submissions } }', payment);

  expect(submissions).toHaveLength(2);
  expect(answer).toMatchObject({ data: { paymentTransaction: { submissions } }, errors: [] });
});
