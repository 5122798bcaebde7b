import { describe, expect, test } from 'vitest';
import { clientOf, disposableSandbox, first, idOf, results, unknownId } from './client.ts';

const sandbox = await disposableSandbox();
const client = clientOf(sandbox);
const { get, post, patch, send } = client;
const farmers = '/supply-chains/farmers/';
const long = (length: number) => '🌍'.repeat(length);
const tooLong = (max: number) => [`Ensure this field has no more than ${max} characters.`];
const noSuch = (id = unknownId) => [`Invalid pk "${id}" - object does not exist.`];
const blank = ['This field may not be blank.'];
const missing = ['This field is required.'];
const currency = idOf(results(await get('/catalogs/currencies/?search=usd'))[0]);

/** Every bound of the specification's chapter "Limits": path, longest texts, and the rest of the body. */
const bounds: [path: string, bounds: Record<string, number>, rest: object][] = [
  [
    farmers,
    {
      first_name: 100,
      last_name: 100,
      identification_no: 100,
      reference_number: 100,
      description: 500,
      street: 500,
      city: 500,
      sub_province: 500,
      province: 500,
      country: 500,
      house_name: 100,
      zipcode: 50,
      gender: 50,
      number: 10,
    },
    {},
  ],
  [
    '/supply-chains/companies/',
    {
      name: 500,
      description: 500,
      street: 500,
      city: 500,
      sub_province: 500,
      province: 500,
      country: 500,
      house_name: 100,
      zipcode: 50,
      phone: 50,
    },
    {},
  ],
  ['/catalogs/premiums/', { name: 100 }, {}],
  [
    '/transactions/product-transactions/',
    { number: 10, invoice_number: 100 },
    { source: first, destination: first, product: first, currency, amount: '1' },
  ],
  [
    '/transactions/payment-transactions/',
    { number: 10, invoice_number: 100 },
    { source: first, destination: first, premium: first, currency },
  ],
];

test.each(bounds)(
  'takes the longest texts of %s, and refuses one code point more in every field',
  async (path, limits, rest) => {
    const filled = (extra: number) =>
      Object.fromEntries(Object.entries(limits).map(([field, max]) => [field, long(max + extra)]));
    expect((await post(path, { ...rest, ...filled(0) })).body).toMatchObject(filled(0));
    const refused = await post(path, { ...rest, ...filled(1) });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual(
      Object.fromEntries(Object.entries(limits).map(([field, max]) => [field, tooLong(max)])),
    );
  },
);

test('takes the longest texts of users, and refuses one character more in every field', async () => {
  const limits = { first_name: 150, last_name: 150, address: 2000 };
  const path = `/accounts/users/${first}/`;
  const mail = (length: number) => `${'a'.repeat(length - 5)}@b.co`;
  const filled = (extra: number) => ({
    ...Object.fromEntries(Object.entries(limits).map(([field, max]) => [field, long(max + extra)])),
    email: mail(254 + extra),
    updated_email: mail(254 + extra),
  });
  expect((await patch(path, filled(0))).body).toMatchObject(filled(0));
  expect((await patch(path, { ...filled(1), language: '' })).body).toEqual({
    first_name: tooLong(150),
    last_name: tooLong(150),
    address: tooLong(2000),
    email: tooLong(254),
    updated_email: tooLong(254),
    language: blank,
  });
});

test('reports nested errors at their place, with an object per item of a list', async () => {
  const card = { card_id: '', display_id: long(101) };
  expect((await post('/supply-chains/entity-cards/', { card, entity: '' })).body).toEqual({
    card: { card_id: blank, display_id: tooLong(100) },
    entity: blank,
  });
  const { body } = await get(`/supply-chains/companies/${first}/`);
  const form = idOf((body.forms as Record<string, unknown>[])[0]);
  const values = [{ field: 'grade', value: 'A' }, { field: '', value: long(101) }, {}];
  const submissions = [
    { form, values },
    { values: [], product: unknownId },
  ];
  const payment = { premium: unknownId, number: '12345678901' };
  const sent = { source: first, destination: unknownId, product: first, currency: '', amount: 'x', submissions };
  expect(
    (await post('/transactions/product-transactions/', { ...sent, transaction_payments: [{}, payment] })).body,
  ).toEqual({
    destination: noSuch(),
    currency: blank,
    amount: ['A valid number is required.'],
    submissions: [
      { values: [{}, { field: blank, value: tooLong(100) }, { field: missing, value: missing }] },
      { form: missing, product: noSuch() },
    ],
    transaction_payments: [{}, { premium: noSuch(), number: tooLong(10) }],
  });
});

test('refuses a submission that names unknown fields, or a field twice', async () => {
  const { body } = await get(`/supply-chains/companies/${first}/`);
  const form = idOf((body.forms as Record<string, unknown>[])[0]);
  const values = ['grade', 'taste', 'grade'].map((field) => ({ field, value: 'A' }));
  const sent = {
    source: first,
    destination: first,
    product: first,
    currency,
    amount: '1',
    submissions: [{ form, values }],
  };
  expect((await post('/transactions/product-transactions/', sent)).body).toEqual({
    submissions: [{ values: [{}, { field: noSuch('taste') }, { field: ['This field occurs more than once.'] }] }],
  });
});

test.each<[path: string, body: object, errors: object]>([
  [farmers, {}, { first_name: missing }],
  [
    farmers,
    { first_name: null, latitude: null },
    { first_name: ['This field may not be null.'], latitude: ['This field may not be null.'] },
  ],
  [
    farmers,
    { first_name: 5, email: 'a@b' },
    { first_name: ['Not a valid string.'], email: ['Enter a valid email address.'] },
  ],
  [farmers, { first_name: 'a', buyer: unknownId, creator: unknownId }, { buyer: noSuch(), creator: noSuch() }],
  [
    farmers,
    { first_name: 'a', date_of_birth: '2026-02-30' },
    { date_of_birth: [expect.stringContaining('YYYY-MM-DD')] },
  ],
  [farmers, { first_name: 'a', created_on: 1_700_000_000 }, { created_on: [expect.stringContaining('wrong format')] }],
  ['/supply-chains/companies/', { currency: unknownId }, { name: missing, currency: noSuch() }],
  ['/supply-chains/company-members/', {}, { user: missing }],
  ['/supply-chains/company-members/', { user: { language: '' } }, { user: { language: blank } }],
  ['/supply-chains/entity-cards/', {}, { card: missing, entity: missing }],
  ['/catalogs/premiums/', { name: '', type: 'PER_TREE' }, { name: blank, type: ['"PER_TREE" is not a valid choice.'] }],
  ['/forms/forms/', {}, { fields: missing, owner: missing }],
  [
    '/forms/forms/',
    { owner: first, fields: [{}, 1] },
    { fields: [{}, { non_field_errors: [expect.stringContaining('int')] }] },
  ],
  [
    '/transactions/product-transactions/',
    {},
    { amount: missing, source: missing, destination: missing, product: missing, currency: missing },
  ],
  [
    '/transactions/payment-transactions/',
    { submissions: [unknownId] },
    { source: missing, destination: missing, submissions: [noSuch()] },
  ],
  [
    '/transactions/payment-transactions/',
    { source: first, destination: first },
    { non_field_errors: [expect.any(String)] },
  ],
])('refuses a POST to %s with %j', async (path, body, errors) => {
  const answer = await post(path, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual(errors);
});

test('stores nothing of a refused write', async () => {
  const counts = async () => {
    const lists = [
      farmers,
      '/catalogs/connect-cards/',
      '/transactions/product-transactions/',
      '/transactions/payment-transactions/',
    ];
    return (await Promise.all(lists.map((list) => get(list)))).map(({ body }) => body.count);
  };
  const before = await counts();
  await post('/supply-chains/entity-cards/', { card: { card_id: 'NEW' }, entity: unknownId });
  const sent = { source: first, destination: first, product: first, currency, amount: '1' };
  await post('/transactions/product-transactions/', {
    ...sent,
    transaction_payments: [{ selected_option: unknownId }],
  });
  expect(await counts()).toEqual(before);
});

describe('HTTP', () => {
  test.each([undefined, '', 'no-such-key', 'Bearer no-such-key', 'Basic demo-coop'])(
    'answers 401 to the key %s',
    async (authorization) => {
      const response = await fetch(sandbox.url + farmers, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ detail: 'Authentication credentials were not provided.' });
    },
  );

  test.each(['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])('answers 405 to %s on a list', async (method) => {
    expect((await send(method, farmers)).status).toBe(405);
  });

  test('refuses an unknown path, an unknown id, and a body that is not JSON', async () => {
    expect((await get('/supply-chains/')).body).toEqual({ detail: 'Not found.' });
    expect((await get('/supply-chains/')).status).toBe(404);
    for (const id of [unknownId, first, 'j7vy4sd9hv', '%zz', 'x'.repeat(2000)]) {
      expect((await get(`${farmers}${id}/`)).status, id).toBe(404);
    }
    expect((await post(farmers, '{"first_name":')).status).toBe(400);
    expect((await post(farmers, '[]')).body).toEqual({ non_field_errors: [expect.stringContaining('list')] });
    expect((await send('POST', farmers, 'first_name=x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('POST', farmers, new FormData())).status).toBe(415);
    expect((await get(`${farmers}?created_after=2026-01-01`)).body).toEqual({ created_after: ['Enter a number.'] });
  });

  test('redirects a path without its last slash, with its query', async () => {
    const { status, headers } = await get('/supply-chains/farmers?limit=3');
    expect(status).toBe(301);
    expect(headers.get('location')).toBe('/v1/supply-chains/farmers/?limit=3');
  });
});
