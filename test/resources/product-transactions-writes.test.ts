import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const path = '/transactions/product-transactions/';
const createProductTransaction = (selection: string) => `
  mutation ($input: CreateProductTransactionInput!) {
    createProductTransaction(input: $input) { ${selection} }
  }`;
const authors = 'creator_id updater_id created_on updated_on';
const everything = `
  id source_id destination_id product_id quantity source_quantity current_quantity quality_correction amount
  currency_id currency_details { id name code } type number date invoice_number invoice method
  verification_latitude verification_longitude card_id card_details { id card_id display_id ${authors} }
  parent_ids ${authors}
  transaction_payments {
    id payment_type source_id destination_id amount currency_id currency_details { code } premium_id
    premium_details { id name options { id name } } selected_option_id transaction_id type number date invoice_number
    invoice method verification_latitude verification_longitude card_id submissions ${authors}
  }
  submissions {
    id form_id product_id form_details { id form_type } ${authors}
    values { id field_id field_details { id key } value ${authors} }
  }`;

const authored = ({ creator, updater, ...plain }: Json) => ({ ...plain, creator_id: creator, updater_id: updater });
const movement = ({ source, destination, currency, card, ...plain }: Json) => ({
  ...authored(plain),
  source_id: source,
  destination_id: destination,
  currency_id: currency,
  card_id: card,
});

/** A transaction as `everything` shows it, made from the answer of REST. */
async function stored(id: string) {
  const { product, parents, card_details, transaction_payments, submissions, ...plain } = await get(
    gateway.sandbox,
    `${path}${id}/`,
  );
  return {
    ...movement(plain),
    product_id: product,
    parent_ids: parents,
    card_details: card_details && authored(card_details),
    transaction_payments: transaction_payments.map(storedPayment),
    submissions: submissions.map(({ form, product: about, form_details, values, ...submission }: Json) => ({
      ...authored(submission),
      form_id: form,
      product_id: about,
      form_details: { id: form_details.id, form_type: form_details.form_type },
      values: values.map(({ field, field_details, ...value }: Json) => ({
        ...authored(value),
        field_id: field,
        field_details: { id: field_details.id, key: field_details.key },
      })),
    })),
  };
}

function storedPayment({ premium, premium_details, selected_option, transaction, currency_details, ...plain }: Json) {
  return {
    ...movement(plain),
    premium_id: premium,
    premium_details: premium_details && {
      id: premium_details.id,
      name: premium_details.name,
      options: premium_details.options.map(({ id, name }: Json) => ({ id, name })),
    },
    selected_option_id: selected_option,
    transaction_id: transaction,
    currency_details: { code: currency_details.code },
  };
}

test('createProductTransaction stores every field as sent, and returns it as stored', async () => {
  const input = fullBody('ProductTransactionWrite', ids);
  expect(fieldsLeftOut('CreateProductTransactionInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(createProductTransaction(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual([`POST ${path}`]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  const transaction = data.createProductTransaction;
  expect(transaction).toEqual(await stored(transaction.id));
  expect(transaction).toMatchObject({
    source_id: ids.farmer,
    destination_id: ids.company,
    product_id: ids.product,
    quantity: '10.250',
    amount: '120.500',
    quality_correction: 95.5,
    currency_id: ids.currency,
    number: 'T-1',
    date: '2024-02-28T06:30:00.123456Z',
    created_on: '2024-02-29T08:30:00.000000Z',
    invoice_number: 'INV-1',
    verification_latitude: 6.69,
    verification_longitude: -1.62,
    card_id: ids.card,
    method: 'CARD',
    parent_ids: [ids.transaction],
    creator_id: ids.user,
    submissions: [{ form_id: ids.form, product_id: ids.product, values: [{ field_id: ids.field, value: '7.5' }] }],
  });
  expect(transaction.transaction_payments).toMatchObject([
    { payment_type: 'TRANSACTION', amount: 120.5 },
    {
      payment_type: 'TRANSACTION_PREMIUM',
      amount: 12.5,
      number: 'P-1',
      premium_id: ids.premium,
      selected_option_id: ids.option,
      invoice_number: 'INV-2',
    },
  ]);
});

const least = () => ({
  amount: '1',
  source: ids.farmer,
  destination: ids.company,
  product: ids.product,
  currency: ids.currency,
});

test('createProductTransaction takes the five required fields alone', async () => {
  const { data, errors, calls } = await gateway.query(createProductTransaction(everything), { input: least() });
  expect(errors).toEqual([]);
  expect(calls).toEqual([`POST ${path}`]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(least());
  const transaction = data.createProductTransaction;
  expect(transaction).toEqual(await stored(transaction.id));
  expect(transaction).toMatchObject({ amount: '1.000', quantity: null, parent_ids: [], submissions: [] });
});

test('createProductTransaction sends null and empty lists as they are', async () => {
  const input = { ...least(), quantity: null, card: null, number: null, parents: [], transaction_payments: [] };
  const { errors } = await gateway.query(createProductTransaction('id'), { input });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
});

test('createProductTransaction stores payments and submissions in the order sent', async () => {
  const input = {
    ...least(),
    transaction_payments: [
      { premium: ids.premium, selected_option: ids.option, amount: 2.5 },
      { premium: ids.premium, amount: 3.75 },
    ],
    submissions: [
      { form: ids.form, values: [{ field: ids.field, value: '7.5' }] },
      { form: ids.form, values: [{ field: 'moisture', value: '8' }] },
    ],
  };
  const { data, errors, calls } = await gateway.query(
    createProductTransaction(`
      transaction_payments { amount premium { name } selected_option { name amount } }
      submissions { values { field { key } value } }`),
    { input },
  );
  expect(errors).toEqual([]);
  expect(calls).toEqual([`POST ${path}`]);
  const premium = { name: 'Quality bonus' };
  expect(data.createProductTransaction).toEqual({
    transaction_payments: [
      { amount: 1, premium: null, selected_option: null },
      { amount: 2.5, premium, selected_option: { name: 'Grade A', amount: 0.5 } },
      { amount: 3.75, premium, selected_option: null },
    ],
    submissions: [
      { values: [{ field: { key: 'moisture' }, value: '7.5' }] },
      { values: [{ field: { key: 'moisture' }, value: '8' }] },
    ],
  });
});

test('createProductTransaction reads references once each, after the write', async () => {
  const { data, errors, calls } = await gateway.query(
    createProductTransaction(`
      source { name } destination { name } product { name } currency { code } creator { first_name }
      transaction_payments { source { name } destination { name } currency { code } creator { first_name } }`),
    { input: least() },
  );
  expect(errors).toEqual([]);
  const coop = { name: 'Sankofa Growers Cooperative Union' };
  const { first_name, last_name } = await get(gateway.sandbox, `/supply-chains/farmers/${ids.farmer}/`);
  const farmer = { name: `${first_name} ${last_name}` };
  const shared = { currency: { code: 'USD' }, creator: { first_name: 'Abena' } };
  const { product, ...transaction } = data.createProductTransaction;
  expect(product.name).toEqual(expect.any(String));
  expect(transaction).toEqual({
    source: farmer,
    destination: coop,
    ...shared,
    transaction_payments: [{ source: coop, destination: farmer, ...shared }],
  });
  expect(calls[0]).toBe(`POST ${path}`);
  expect(calls.slice(1).toSorted()).toEqual(
    [
      `GET /supply-chains/farmers/${ids.farmer}/`,
      `GET /supply-chains/companies/${ids.company}/`,
      '/catalogs/products/?limit=100&offset=0',
      `GET /accounts/users/${ids.user}/`,
    ]
      .map((call) => (call.startsWith('GET') ? call : `GET ${call}`))
      .toSorted(),
  );
});

test('createProductTransaction changes its parent for the next field of the operation', async () => {
  const document = `mutation ($bought: CreateProductTransactionInput!, $product: ID!, $currency: ID!, $company: ID!, $buyer: ID!, $parent: ID!) {
    bought: createProductTransaction(input: $bought) { current_quantity }
    sold: createProductTransaction(
      input: { amount: 5.5, source: $company, destination: $buyer, product: $product, currency: $currency, parents: [$parent] }
    ) { source_quantity amount parents { id current_quantity } }
  }`;
  const { data: parent } = await gateway.query(createProductTransaction('id'), {
    input: { ...least(), quantity: '12.5' },
  });
  const { id } = parent.createProductTransaction;
  const { data, errors, calls } = await gateway.query(document, {
    bought: { ...least(), quantity: 3 },
    product: ids.product,
    currency: ids.currency,
    company: ids.company,
    buyer: ids.buyer,
    parent: id,
  });
  expect(errors).toEqual([]);
  expect(data).toEqual({
    bought: { current_quantity: '3.000' },
    sold: { source_quantity: '12.500', amount: '5.500', parents: [{ id, current_quantity: '0.000' }] },
  });
  expect(calls).toEqual([`POST ${path}`, `POST ${path}`, `GET ${path}${id}/`]);
});
