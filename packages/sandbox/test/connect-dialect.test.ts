import { describe, expect, test } from 'vitest';
import { decodeId } from '../framework/ids.ts';
import { at, clientOf, data, disposableSandbox, first, firstAt, idOf, type Json, second, unknownId } from './client.ts';

const sandbox = await disposableSandbox({ dialect: 'connect' });
/** Has rows that the service fails to show. */
const failing = await disposableSandbox({ dialect: 'connect' });
const olderFilters = await disposableSandbox({ dialect: 'connect', olderFilters: true });
const crashing = await disposableSandbox({ dialect: 'connect' });
const { get, post, patch, send } = clientOf(sandbox, 'Bearer demo-coop');
const farmers = '/supply-chains/farmers/';
const transactions = '/transactions/product-transactions/';
const payments = '/transactions/payment-transactions/';
const rows = async (path: string) => data(await get(path)).results as Json[];
const [farmer] = await rows(`${farmers}?limit=1`);
const [bought] = await rows(`${transactions}?limit=1`);
const delivery = {
  source: farmer?.id,
  destination: first,
  product: first,
  currency: 'USD',
  amount: '2',
  quantity: '1',
};
const isUnixTime = /^\d{10}$/;

test('wraps a success in the envelope, with times as texts of unix seconds', async () => {
  const { status, body } = await get(`${farmers}${farmer?.id}/`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    success: true,
    detail: 'Success',
    code: 200,
    data: { id: farmer?.id, only_connect: false },
  });
  expect(at(body, 'data')?.created_on).toMatch(isUnixTime);
  expect(at(body, 'data', 'entity_card', 'card')?.updated_on).toMatch(isUnixTime);
  expect(bought?.date).toMatch(isUnixTime);
});

test('wraps a refusal in the envelope, with the errors as its message', async () => {
  expect((await post(farmers, { first_name: 'Esi' })).body).toEqual({
    success: false,
    message: { province: ['This field is required.'], country: ['This field is required.'] },
    detail: '',
    code: 400,
    data: {},
  });
  expect((await get(`${farmers}${unknownId}/`)).body).toMatchObject({ code: 404, message: { detail: 'Not found.' } });
  expect((await post('/supply-chains/companies/', {})).body).toMatchObject({
    message: { name: 'This field is required.' },
  });
});

test('takes times as unix seconds alone, and reports no other error beside another text', async () => {
  const body = { first_name: 'Esi', country: 'Ghana', province: 'Ashanti' };
  for (const created_on of [1_700_000_000, '1700000000', 1_700_000_000.5]) {
    expect(data(await post(farmers, { ...body, created_on }))).toMatchObject({
      created_on: '1700000000',
      last_name: '',
    });
  }
  for (const created_on of ['2026-01-01T00:00:00Z', 1_700_000_000_000, '']) {
    const { status, body: refusal } = await post(farmers, { created_on });
    expect([status, refusal.message]).toEqual([400, { detail: 'Unix timestamps must be float or int' }]);
  }
});

test('answers 403 without a key, and the message about tokens to a bad key', async () => {
  const none = await get(farmers, { authorization: '' });
  expect([none.status, none.body.message]).toEqual([403, { detail: 'Authentication credentials were not provided.' }]);
  const bad = await get(farmers, { authorization: 'Bearer expired' });
  expect([bad.status, bad.body.message]).toEqual([403, expect.objectContaining({ code: 'token_not_valid' })]);
});

test('answers an unknown path in HTML, and refuses an Accept header without JSON', async () => {
  const { status, text } = await get('/supply-chains/');
  expect([status, text]).toEqual([404, expect.stringContaining('<h1>Not Found</h1>')]);
  expect((await get(farmers, { accept: 'text/html' })).status).toBe(406);
});

describe('the connect dialect', () => {
  test('writes a company once per name, and reads it with buyers and without visibilities', async () => {
    const made = await post('/supply-chains/companies/', { name: 'Aceh Spices', currency: 'IDR', buyer: second });
    expect(made.status).toBe(201);
    expect(data(made).currency).toMatch(/^Indonesian Rupiah - IDR - [A-Z0-9]{10}$/);
    expect(data(made)).not.toHaveProperty('buyer');
    const again = await post('/supply-chains/companies/', { name: 'Aceh Spices' });
    expect([again.status, data(again)]).toEqual([
      200,
      expect.objectContaining({ id: data(made).id, currency: expect.objectContaining({ code: 'IDR' }) }),
    ]);
    const coop = data(await get(`/supply-chains/companies/${first}/`));
    expect(coop).not.toHaveProperty('field_visibilties');
    expect(coop).toMatchObject({
      buyer: { id: second, entity_card: [expect.any(Object)] },
      buyers: [{ is_default: true }],
    });
    expect(firstAt(coop, 'forms')).not.toHaveProperty('owner');
  });

  test('takes members that are users, once per company', async () => {
    const nested = await post('/supply-chains/company-members/', { user: { first_name: 'x' }, company: first });
    expect(nested.status).toBe(400);
    const member = { user: second, company: second, type: 'REPORTER' };
    const made = await post('/supply-chains/company-members/', member);
    expect([made.status, data(made)]).toEqual([201, expect.objectContaining(member)]);
    expect((await post('/supply-chains/company-members/', member)).body.message).toEqual({
      non_field_errors: ['The fields company, user must make a unique set.'],
    });
    expect(data(await get(`/accounts/users/${second}/`))).toMatchObject({
      policy_accepted: true,
      managing_entitys: [
        { id: first, member_role: 'ADMIN' },
        { id: second, member_role: 'REPORTER' },
      ],
    });
  });

  test('gives products booleans and lists, and cards a state', async () => {
    expect(await rows('/catalogs/products/?limit=1')).toMatchObject([{ is_active: true, premiums: expect.any(Array) }]);
    expect(await rows('/catalogs/connect-cards/?limit=1')).toMatchObject([{ is_active: true }]);
    const assignments = await rows('/supply-chains/entity-cards/');
    expect(assignments.map(({ entity, is_active }) => [entity, is_active])).toEqual([
      [first, true],
      [first, false],
    ]);
    const nameless = await post('/supply-chains/entity-cards/', { card: {}, entity: first });
    expect(nameless.body.message).toEqual(["Either 'display_id' or 'card_id' must be provided."]);
  });

  test('requires the type of form fields, and lists them newest first in the requested language', async () => {
    const untyped = await post('/forms/forms/', {
      owner: second,
      fields: [{ label: 'a' }, { label: 'b', type: 'TEXT' }],
    });
    expect(untyped.body.message).toEqual({ fields: [{ type: ['This field is required.'] }, {}] });
    const fields = [
      { label: 'Bag', label_fr: 'Sac', type: 'TEXT' },
      { label: 'Tree', type: 'TEXT' },
    ];
    const made = data(await post('/forms/forms/', { owner: second, fields }));
    expect(made.fields).toMatchObject([{ label: 'Tree', options: '{}' }, { label: 'Bag' }]);
    const french = data(await get(`/supply-chains/companies/${second}/`, { 'accept-language': 'fr' }));
    expect((french.forms as Json[]).at(-1)?.fields).toMatchObject([{ label: 'Tree' }, { label: 'Sac' }]);
  });

  test('shows product transactions to their creator alone, without the currency', async () => {
    expect(bought).not.toHaveProperty('currency');
    expect(bought).toMatchObject({ base_price: 0, is_deleted: false });
    const made = data(
      await post(transactions, { ...delivery, amount: '9', transaction_payments: [{ amount: 3 }], submissions: [] }),
    );
    expect(made.amount).toBe('3.000');
    expect(made.transaction_payments).toEqual([
      expect.objectContaining({ amount: 3, payment_type: 'TRANSACTION' }),
      {
        id: expect.any(String),
        amount: 9,
        payment_type: 'TRANSACTION',
        premium: null,
        premium_details: null,
        selected_option: null,
        selected_option_details: {},
      },
    ]);
    const others = data(await post(transactions, { ...delivery, creator: second }));
    expect((await get(`${transactions}${others.id}/`)).status).toBe(404);
    expect((await get(`${transactions}${others.id}/?filter_by=all`)).status).toBe(200);
    const form = data(await get(`/supply-chains/companies/${first}/`)).forms as Json[];
    const values = [{ field: 'bags', value: '3' }];
    const filled = data(await post(transactions, { ...delivery, submissions: [{ form: form[0]?.id, values }] }));
    const submission = firstAt(filled, 'submissions');
    expect(submission?.form_details).toEqual({ id: form[0]?.id, form_type: 'TRANSACTION' });
    expect(firstAt(submission, 'values')).not.toHaveProperty('field');
    expect(firstAt(submission, 'values')).toMatchObject({ value: '3', field_details: { key: 'bags' } });
  });

  test('requires parents of goods that the active company sends', async () => {
    const sent = { ...delivery, source: first, destination: second };
    expect((await post(transactions, sent)).body.message).toEqual({ parents: ['This field is required for sending.'] });
    const lot = data(await post(transactions, delivery));
    expect((await post(transactions, { ...sent, parents: [lot.id] })).status).toBe(201);
  });

  test('lists payments of premiums alone, and copies a transaction into its payment', async () => {
    expect(new Set((await rows(`${payments}?limit=100`)).map(({ payment_type }) => payment_type))).toEqual(
      new Set(['PREMIUM']),
    );
    expect((await get(`${payments}${at(bought, 'transaction_payments', '0', 'id')}/`)).status).toBe(404);
    const paid = data(
      await post(payments, { source: farmer?.id, destination: first, transaction: bought?.id, invoice_number: 'X' }),
    );
    expect(paid).toMatchObject({
      source: bought?.destination,
      destination: bought?.source,
      date: bought?.date,
      payment_type: 'TRANSACTION',
    });
    const form = data(await get(`/supply-chains/companies/${first}/`)).forms as Json[];
    const submissions = [{ form: form[0]?.id, values: [{ field: 'bags', value: '3' }] }];
    const gift = { source: first, destination: farmer?.id, premium: first, amount: 1 };
    expect(data(await post(payments, { ...gift, submissions }))).toMatchObject({
      submissions: [{ values: [{ value: '3' }] }],
    });
    expect((await post(payments, { ...gift, submissions: [first] })).status).toBe(400);
  });
});

describe('a client mistake that crashes the real service', () => {
  const submissions = (...keys: string[]) => [{ form: first, values: keys.map((field) => ({ field, value: '1' })) }];
  const gift = { source: first, destination: first, premium: first };
  const cases: [name: string, method: string, path: string, body?: object][] = [
    ['currency of a company', 'PATCH', `/supply-chains/companies/${second}/`, { currency: 'EUR' }],
    ['unknown currency of a company', 'POST', '/supply-chains/companies/', { name: 'Nowhere', currency: 'XXX' }],
    ['unknown currency of a payment', 'POST', payments, { ...gift, currency: unknownId }],
    ['unknown currency', 'POST', transactions, { ...delivery, currency: 'XXX' }],
    ['currency in lower case', 'POST', transactions, { ...delivery, currency: 'usd' }],
    [
      'card_id of 101 characters',
      'POST',
      '/supply-chains/entity-cards/',
      { card: { card_id: 'C'.repeat(101) }, entity: first },
    ],
    ['no currency', 'POST', transactions, { ...delivery, currency: undefined }],
    ['payment for nothing', 'POST', payments, { source: first, destination: first }],
    ['the same field twice', 'POST', transactions, { ...delivery, submissions: submissions('bags', 'bags') }],
    ['an unknown field', 'POST', transactions, { ...delivery, submissions: submissions('bag') }],
    ['a very long amount', 'POST', transactions, { ...delivery, amount: '9'.repeat(26) }],
    ['an e-mail address in use', 'PATCH', `/accounts/users/${first}/`, { email: 'dewi@sankofa.example' }],
    ['a long language', 'PATCH', `/accounts/users/${first}/`, { language: 'nederlands!' }],
    ['updated_before on payments', 'GET', `${payments}?updated_before=1`],
    ['an entity that is no id', 'GET', `${farmers}?entity=7`],
  ];
  test.each(cases)('gets a page of HTML and stores nothing: %s', async (_name, method, path, body) => {
    const counts = async () =>
      Promise.all([transactions, payments].map(async (list) => data(await get(`${list}?filter_by=all`)).count));
    const before = [
      await counts(),
      data(await get(`/supply-chains/companies/${second}/`)),
      data(await get(`/accounts/users/${first}/`)),
    ];
    const { status, text, headers } = await send(method, path, body);
    expect(status).toBe(500);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain('<h1>Server Error (500)</h1>');
    expect([
      await counts(),
      data(await get(`/supply-chains/companies/${second}/`)),
      data(await get(`/accounts/users/${first}/`)),
    ]).toEqual(before);
  });

  test('undoes the writes before it', async () => {
    const submit = async (currency: string) => {
      const answer = await post(payments, { ...gift, currency, submissions: submissions('bags') });
      return decodeId(firstAt(at(answer.body, 'data'), 'submissions')?.id as string) as number;
    };
    const before = await submit('USD');
    await expect(submit('XXX')).rejects.toThrow();
    expect(await submit('USD')).toBe(before + 1);
  });

  test('is stored, and breaks each answer with the company: options of a form that are not JSON', async () => {
    const made = data(await post('/supply-chains/companies/', { name: 'Coop of forms', currency: 'EUR' }));
    const form = { owner: made.id, fields: [{ label: 'x', type: 'RADIO', options: 'a, b' }] };
    expect((await post('/forms/forms/', form)).status).toBe(500);
    expect((await get(`/supply-chains/companies/${made.id}/`)).status).toBe(500);
    expect((await get(`/supply-chains/companies/${first}/`)).status).toBe(200);
  });

  test.each([
    ['AAAAAAAAAA', 1_000_000_001],
    ['1', 1_000_000_000],
  ])('is stored, and breaks each page with the row: the option %s', async (option, created_on) => {
    const { get, post } = clientOf(failing, 'Bearer demo-coop');
    const premium = { name: 'p', calculation_type: 'OPTIONS', options: [{ name: 'a', amount: 1 }] };
    const choice = { premium: idOf(data(await post('/catalogs/premiums/', premium))), selected_option: option };
    const sent: [path: string, body: object][] = [
      [payments, { ...gift, ...choice, created_on }],
      [transactions, { ...delivery, created_on, transaction_payments: [{ ...choice, amount: 1 }] }],
    ];
    for (const [list, body] of sent) {
      // The row is the oldest of its list.
      const { count } = data(await get(list));
      expect((await post(list, body)).status).toBe(500);
      expect((await get(`${list}?limit=1&offset=${count}`)).status).toBe(500);
      expect((await get(`${list}?limit=10`)).status).toBe(200);
      expect((await get(`${list}?limit=10000`)).status).toBe(500);
    }
  });

  test('gets a page of HTML: an unknown option of a premium of type OPTIONS', async () => {
    const { post } = clientOf(crashing, 'Bearer demo-coop');
    const premium = async (calculation_type: string) =>
      idOf(
        data(await post('/catalogs/premiums/', { name: 'p', calculation_type, options: [{ name: 'a', amount: 1 }] })),
      );
    const withOption = async (type: string) =>
      post(payments, { ...gift, premium: await premium(type), selected_option: 'NONE' });
    expect((await withOption('OPTIONS')).status).toBe(500);
    expect(data(await withOption('NORMAL')).selected_option).toBeNull();
  });
});

test.each([
  ['call me', null],
  ['081211112222', null],
  ['00233201234567', null],
  ['+2331', null],
  ['tel:+31-6-12345678', '+31 6 12345678'],
  ['+31612345678', '+31 6 12345678'],
])('stores the phone number %s as %j', async (sent, stored) => {
  const { body } = await patch(`/accounts/users/${second}/`, { phone: sent });
  expect(at(body, 'data')?.phone).toBe(stored);
});

test('rounds amounts as binary floating point, and quantities to three decimals', async () => {
  const { amount, quantity } = data(
    await post(transactions, { ...delivery, amount: '9999999999999.999', quantity: '9999999999999.9991' }),
  );
  expect({ amount, quantity }).toEqual({ amount: '9999999999999.998', quantity: '9999999999999.999' });
});

test('orders rows of the same time differently on each page, and has no largest page', async () => {
  const created_on = 1_700_000_000;
  for (let index = 0; index < 120; index += 1) await post(transactions, { ...delivery, created_on });
  const idsOf = async (limit: number, offset: number) =>
    (await rows(`${transactions}?filter_by=all&limit=${limit}&offset=${offset}`)).map(({ id }) => id);
  const whole = await idsOf(10_000, 0);
  const offsets = Array.from({ length: Math.ceil(whole.length / 50) }, (_, index) => index * 50);
  const pages = (await Promise.all(offsets.map((offset) => idsOf(50, offset)))).flat();
  expect(new Set(whole).size).toBe(whole.length);
  expect(pages).toHaveLength(whole.length);
  expect(new Set(pages).size).toBeLessThan(whole.length);
});

describe('filters beyond the specification', () => {
  const older = clientOf(olderFilters, 'Bearer demo-coop');
  const countOf = async (client: typeof older, path: string) => data(await client.get(path)).count as number;
  const newer = { ...older, get };

  test('choose rows, and an older service ignores those that it lacks', async () => {
    const all = await countOf(newer, `${transactions}?filter_by=all`);
    const some = await countOf(newer, `${transactions}?filter_by=all&entity=${farmer?.id}`);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
    const ignored = `${transactions}?filter_by=all`;
    expect(await countOf(older, `${ignored}&entity=${farmer?.id}`)).toBe(await countOf(older, ignored));
    for (const [list, filter] of [
      [farmers, 'reference_number=none'],
      [payments, 'created_after=4102444800'],
    ] as const) {
      expect(await countOf(newer, `${list}?${filter}`)).toBe(0);
      expect(await countOf(older, `${list}?${filter}`)).toBe(await countOf(older, list));
    }
  });

  test('choose rows in both versions', async () => {
    for (const client of [newer, older]) {
      expect(await countOf(client, '/catalogs/currencies/?code=EUR')).toBe(1);
      expect(await countOf(client, `${payments}?payment_type=TRANSACTION`)).toBe(0);
      expect(await countOf(client, `${payments}?payment_type=PREMIUM`)).toBeGreaterThan(0);
      expect(await countOf(client, '/supply-chains/entity-cards/?card_id=no-such-card')).toBe(0);
      expect((await client.get(`${payments}?payment_type=GIFT`)).status).toBe(400);
    }
  });
});
