import { describe, expect, test } from 'vitest';
import { at, clientOf, disposableSandbox, first, idOf, type Json, results, second } from './client.ts';

const sandbox = await disposableSandbox();
const { get, post, patch } = clientOf(sandbox);
const farmers = '/supply-chains/farmers/';
const transactions = '/transactions/product-transactions/';
const payments = '/transactions/payment-transactions/';

const [dollar] = results(await get('/catalogs/currencies/?search=usd'));
const currency = idOf(dollar);
const [farmer] = results(await get(`${farmers}?limit=1&offset=3`));
const delivery = { source: farmer?.id, destination: first, product: first, currency, amount: '12.5', quantity: 3 };

test('stores a farmer as sent, with nulls, and its time in UTC with microseconds', async () => {
  const sent = {
    first_name: 'Wanjirũ 🌱',
    last_name: null,
    latitude: -1.25,
    date_of_birth: '1988-02-29',
    created_on: '2026-03-01T10:15:30.123456+02:00',
    creator: second,
  };
  const { status, body } = await post(farmers, { ...sent, id: 'IGNORED', unknown: 1 });
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...sent, created_on: '2026-03-01T08:15:30.123456Z', updater: first, buyer: first });
  expect(body.number).toMatch(/^\d{4}$/);
  expect((await get(`${farmers}${body.id}/`)).body).toEqual(body);
});

test('makes two farmers of two equal writes', async () => {
  const twins = await Promise.all([post(farmers, { first_name: 'Twin' }), post(farmers, { first_name: 'Twin' })]);
  expect(new Set(twins.map(({ body }) => body.id)).size).toBe(2);
});

test('creates a company, and changes the sent fields alone', async () => {
  const { status, body } = await post('/supply-chains/companies/', {
    name: 'Kivu Washing Station',
    currency,
    buyer: first,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ currency, buyer: first, city: '', buy_enabled: true, members: [], products: [] });
  const path = `/supply-chains/companies/${body.id}/`;
  expect((await patch(path, { city: 'Rubengera', sell_enabled: false })).body).toMatchObject({
    name: 'Kivu Washing Station',
    city: 'Rubengera',
    sell_enabled: false,
  });
  expect((await get(path)).body).toMatchObject({ currency: dollar, city: 'Rubengera', buyer: { id: first } });
});

test('makes a user of a new member', async () => {
  const { status, body } = await post('/supply-chains/company-members/', {
    user: { first_name: 'Mutesi', email: 'mutesi@mail.example', language: 'fr' },
    company: second,
    is_active: false,
  });
  expect(status).toBe(201);
  const user = body.user as Json;
  expect(body).toMatchObject({
    company: second,
    is_active: false,
    user: { first_name: 'Mutesi', managing_entitys: [second] },
  });
  expect((await get(`/supply-chains/companies/${second}/`)).body.members).toContain(user.id);
  expect((await patch(`/accounts/users/${user.id}/`, { language: 'nl' })).body).toEqual({ ...user, language: 'nl' });
  expect((await get(`/accounts/users/${user.id}/`)).body).toMatchObject({ language: 'nl' });
});

test('ends the earlier assignments of the card and of its new holder', async () => {
  const [old, next] = results(await get(`${farmers}?limit=2&offset=20`));
  const card = at(old, 'entity_card', 'card');
  const lost = at(next, 'entity_card', 'id');
  const { status, body } = await post('/supply-chains/entity-cards/', {
    card: { card_id: card?.card_id },
    entity: next?.id,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ card: { id: card?.id }, entity: next?.id, is_active: true });
  expect((await get(`${farmers}${old?.id}/`)).body.entity_card).toBeNull();
  expect((await get(`${farmers}${next?.id}/`)).body.entity_card).toEqual(body);
  const { body: list } = await get('/supply-chains/entity-cards/?limit=1');
  expect(list.results).toEqual([body]);
  const pages = await Promise.all(
    [0, 100, 200].map((offset) => get(`/supply-chains/entity-cards/?limit=100&offset=${offset}`)),
  );
  const before = pages.flatMap(results).filter(({ id }) => id === lost || id === at(old, 'entity_card', 'id'));
  expect(before.map(({ is_active }) => is_active)).toEqual([false, false]);
});

test('stores the options of a premium in the order sent', async () => {
  const options = [
    { name: 'Gold', amount: 3 },
    { name: 'Silver', amount: 2 },
  ];
  const { status, body } = await post('/catalogs/premiums/', { name: 'Medals', calculation_type: 'OPTIONS', options });
  expect(status).toBe(201);
  expect(body).toMatchObject({ category: 'TRANSACTION', type: 'PER_UNIT_CURRENCY', owner: first, options });
});

test('gives form fields the type TEXT by default, and shows the form in its company', async () => {
  const { status, body } = await post('/forms/forms/', {
    owner: second,
    fields: [{ label: 'Lot' }, { label: 'Vessel', key: 'ship' }],
    field_config: [{ label: 'Date', key: 'date', visibility: false }],
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    form_type: 'TRANSACTION',
    fields: [
      { label: 'Lot', type: 'TEXT', key: 'lot', label_fr: 'Lot' },
      { label: 'Vessel', key: 'ship' },
    ],
    field_config: [{ key: 'date', visibility: false }],
  });
  const { body: company } = await get(`/supply-chains/companies/${second}/`);
  expect((company.forms as Json[]).at(-1)).toEqual(body);
});

describe('a product transaction', () => {
  test('stores exact amounts and derives the other fields', async () => {
    const { status, body } = await post(transactions, {
      ...delivery,
      amount: '90071992547409931.0045',
      quantity: '0.1',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      amount: '90071992547409931.004',
      quantity: '0.100',
      source_quantity: '0.100',
      current_quantity: '0.100',
      type: 'INCOMING',
      method: 'NONE',
      transaction_payments: [
        { payment_type: 'TRANSACTION', transaction: body.id, source: first, destination: farmer?.id },
      ],
    });
  });

  test('takes payments with premiums and filled forms, in the order sent', async () => {
    const { body: company } = await get(`/supply-chains/companies/${first}/`);
    const [form] = company.forms as Json[];
    const { body: premium } = await post('/catalogs/premiums/', {
      name: 'Early',
      options: [{ name: 'May', amount: 1 }],
    });
    const [option] = premium.options as Json[];
    const values = [
      { field: 'grade', value: 'A' },
      { field: 'moisture', value: '7.1' },
    ];
    const { body } = await post(transactions, {
      ...delivery,
      card: at(farmer, 'entity_card', 'card', 'id'),
      transaction_payments: [{ premium: premium.id, selected_option: option?.id, amount: 0.1 }, { amount: 2 }],
      submissions: [{ form: form?.id, product: first, values }],
    });
    expect(body).toMatchObject({
      method: 'CARD',
      card_details: at(farmer, 'entity_card', 'card'),
      currency_details: dollar,
      transaction_payments: [
        { amount: 12.5, premium_details: null },
        { amount: 0.1, payment_type: 'TRANSACTION_PREMIUM', premium_details: premium, selected_option: option?.id },
        { amount: 2, payment_type: 'TRANSACTION' },
      ],
      submissions: [
        { form_details: form, values: [{ value: 'A', field_details: { key: 'grade' } }, { value: '7.1' }] },
      ],
    });
    const [payment] = body.transaction_payments as Json[];
    expect((await get(`${payments}${payment?.id}/`)).body).toEqual(payment);
  });

  test('takes the whole quantity of its parents', async () => {
    const lots = [await post(transactions, delivery), await post(transactions, delivery)].map(({ body }) => body);
    const parents = lots.map(idOf);
    const { body } = await post(transactions, {
      ...delivery,
      source: first,
      destination: second,
      parents,
      quantity: '5',
    });
    expect(body).toMatchObject({ type: 'OUTGOING', parents, source_quantity: '6.000', current_quantity: '5.000' });
    expect((await get(`${transactions}${parents[0]}/`)).body.current_quantity).toBe('0.000');
  });
});

describe('a payment transaction', () => {
  test('pays a premium', async () => {
    const { body: premium } = await post('/catalogs/premiums/', { name: 'Harvest gift' });
    const sent = { source: first, destination: farmer?.id, premium: premium.id, amount: 0.3, currency };
    const { status, body } = await post(payments, { ...sent, date: '2026-01-02T03:04:05Z' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...sent, payment_type: 'PREMIUM', type: 'OUTGOING', premium_details: premium });
    expect(body.date).toBe('2026-01-02T03:04:05.000000Z');
    expect((await get(`${payments}${body.id}/`)).body).toEqual(body);
    expect(results(await get(`${payments}?limit=1`))).toEqual([body]);
  });

  test('pays a transaction, with a submission by id', async () => {
    const { body: company } = await get(`/supply-chains/companies/${first}/`);
    const [form] = company.forms as Json[];
    const submissions = [{ form: form?.id, values: [{ field: 'bags', value: '2' }] }];
    const { body: bought } = await post(transactions, { ...delivery, submissions });
    const [submission] = bought.submissions as Json[];
    const { body } = await post(payments, {
      source: first,
      destination: farmer?.id,
      transaction: bought.id,
      submissions: [submission?.id],
    });
    expect(body).toMatchObject({
      payment_type: 'TRANSACTION',
      transaction: bought.id,
      submissions: [submission?.id],
      currency,
      date: bought.date,
    });
  });
});
