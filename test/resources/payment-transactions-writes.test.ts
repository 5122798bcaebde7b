import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, leavesOf, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const path = '/transactions/payment-transactions/';
const createPaymentTransaction = (selection: string) => `
  mutation ($input: CreatePaymentTransactionInput!) {
    createPaymentTransaction(input: $input) { ${selection} }
  }`;
const everything = `${leavesOf('PaymentTransaction')} currency_details { id name code } premium_details { id name }`;

/** A payment as `everything` shows it, made from the answer of REST. */
async function stored(id: string) {
  const {
    source,
    destination,
    currency,
    premium,
    premium_details,
    selected_option,
    transaction,
    card,
    creator,
    updater,
    ...plain
  } = await get(gateway.sandbox, `${path}${id}/`);
  return {
    ...plain,
    source_id: source,
    destination_id: destination,
    currency_id: currency,
    premium_id: premium,
    premium_details: premium_details && { id: premium_details.id, name: premium_details.name },
    selected_option_id: selected_option,
    transaction_id: transaction,
    card_id: card,
    creator_id: creator,
    updater_id: updater,
  };
}

test('createPaymentTransaction stores every field as sent, and returns it as stored', async () => {
  const input = fullBody('PaymentTransactionWrite', ids);
  // Newer services take it in place of `submissions`.
  expect(fieldsLeftOut('CreatePaymentTransactionInput', input)).toEqual(['input.submission_details']);

  const { data, errors, calls } = await gateway.query(createPaymentTransaction(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual([`POST ${path}`]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  const payment = data.createPaymentTransaction;
  expect(payment).toEqual(await stored(payment.id));
  expect(payment).toMatchObject({
    payment_type: 'TRANSACTION_PREMIUM',
    source_id: ids.company,
    destination_id: ids.farmer,
    amount: 12.5,
    currency_id: ids.currency,
    premium_id: ids.premium,
    selected_option_id: ids.option,
    transaction_id: ids.transaction,
    number: 'P-1',
    date: '2024-02-28T08:30:00.000000Z',
    created_on: '2024-02-29T08:30:00.000000Z',
    invoice_number: 'INV-2',
    card_id: ids.card,
    method: 'CARD',
    submissions: [ids.submission],
    creator_id: ids.user,
  });
});

const least = () => ({ source: ids.company, destination: ids.farmer, premium: ids.premium });

test('createPaymentTransaction takes source, destination and premium alone', async () => {
  const { data, errors, calls } = await gateway.query(createPaymentTransaction(everything), { input: least() });
  expect(errors).toEqual([]);
  expect(calls).toEqual([`POST ${path}`]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(least());
  const payment = data.createPaymentTransaction;
  expect(payment).toEqual(await stored(payment.id));
  expect(payment).toMatchObject({ payment_type: 'PREMIUM', amount: 0, method: 'NONE', transaction_id: null });
});

test('createPaymentTransaction sends null as null', async () => {
  const input = { ...least(), selected_option: null, transaction: null, card: null, number: null };
  const { errors } = await gateway.query(createPaymentTransaction('id'), { input });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
});

test('createPaymentTransaction reads references after the write, without premium, option and currency', async () => {
  const input = { ...least(), selected_option: ids.option, amount: 4 };
  const embedded = 'premium { name options { name } } selected_option { name amount } currency { code }';
  const first = await gateway.query(createPaymentTransaction(embedded), { input });
  expect(first.errors).toEqual([]);
  expect(first.calls).toEqual([`POST ${path}`]);
  expect(first.data.createPaymentTransaction).toMatchObject({
    premium: { name: 'Quality bonus' },
    selected_option: { name: 'Grade A', amount: 0.5 },
    currency: { code: 'USD' },
  });

  const referred = 'source { __typename name } destination { __typename id phone } creator { first_name }';
  const second = await gateway.query(createPaymentTransaction(referred), { input });
  expect(second.errors).toEqual([]);
  expect(second.data.createPaymentTransaction).toMatchObject({
    source: { __typename: 'Company', name: 'Sankofa Growers Cooperative Union' },
    destination: { __typename: 'Farmer', id: ids.farmer },
    creator: { first_name: 'Abena' },
  });
  expect(second.calls[0]).toBe(`POST ${path}`);
  expect(second.calls.slice(1).toSorted()).toEqual([
    `GET /accounts/users/${ids.user}/`,
    `GET /supply-chains/companies/${ids.company}/`,
    `GET /supply-chains/farmers/${ids.farmer}/`,
  ]);
});

test('createPaymentTransaction returns the transaction that is paid for', async () => {
  const input = { source: ids.company, destination: ids.farmer, transaction: ids.transaction, amount: 9 };
  const { data, errors, calls } = await gateway.query(
    createPaymentTransaction('payment_type transaction { id transaction_payments { amount } } transaction_id'),
    { input },
  );
  expect(errors).toEqual([]);
  const { transaction, ...payment } = data.createPaymentTransaction;
  expect(payment).toEqual({ payment_type: 'TRANSACTION', transaction_id: ids.transaction });
  expect(transaction.transaction_payments).toContainEqual({ amount: 9 });
  expect(calls).toEqual([`POST ${path}`, `GET /transactions/product-transactions/${ids.transaction}/`]);
});
