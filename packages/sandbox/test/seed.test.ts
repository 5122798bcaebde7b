import { describe, expect, test } from 'vitest';
import { startGateway } from '../../../test/support/harness.ts';
import { listPaths } from '../../../test/support/rest-endpoints.ts';
import type { SandboxSeed } from '../framework/options.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { at, clientOf, disposableSandbox, first, firstAt, type Json, results } from './client.ts';

const farmers = '/supply-chains/farmers/';
const transactions = '/transactions/product-transactions/';
const now = '2026-03-01T12:00:00Z';

const sandbox = await disposableSandbox({ now, seed: {} });
const { get, post, send } = clientOf(sandbox);
const rowsAt = async (path: string) => results(await get(`${path}?limit=100`));
const counts = async () => {
  const found = Object.entries(listPaths).map(async ([name, path]) => [name, (await get(path)).body.count]);
  return Object.fromEntries(await Promise.all(found));
};
const pick = (rows: Json[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));

describe('a seed of numbers', () => {
  test('gives so many rows, different names, and references that are there', async () => {
    sandbox.reset({ farmers: 30, products: 3, productTransactions: 20, paymentTransactions: 4, entityCards: 10 });
    expect(await counts()).toMatchObject({
      farmers: 30,
      entityCards: 10,
      cards: 10,
      products: 3,
      currencies: 150,
      productTransactions: 20,
      // Each product transaction comes with a payment of its amount.
      paymentTransactions: 24,
    });
    const people = await rowsAt(farmers);
    expect(new Set(people.map((row) => `${row.first_name} ${row.last_name}`)).size).toBe(30);
    expect(new Set(people.map(({ phone }) => phone)).size).toBe(30);
    const ids = people.map(({ id }) => id);
    const goods = await rowsAt(transactions);
    expect(goods.filter(({ source }) => !ids.includes(source))).toEqual([]);
    expect(new Set(goods.map(({ product }) => product)).size).toBe(3);
    expect(goods.filter(({ card }) => card !== null)).toHaveLength(10);
  });

  test('leaves out what it does not name, but for the one row that others need', async () => {
    sandbox.reset({ productTransactions: 5 });
    expect(await counts()).toMatchObject({ farmers: 1, products: 1, cards: 0, productTransactions: 5 });
    sandbox.reset({ farmers: 2 });
    expect(await counts()).toMatchObject({ farmers: 2, products: 0, productTransactions: 0 });
  });

  test('keeps both companies, their users and keys', async () => {
    sandbox.reset({});
    expect((await get(`/supply-chains/companies/${first}/`)).body.members).toHaveLength(3);
    expect((await clientOf(sandbox, 'demo-buyer').get(farmers)).status).toBe(200);
    expect((await post(farmers, { first_name: 'Ama' })).status).toBe(201);
  });

  test('dates its rows before the clock, so that the next write is the newest', async () => {
    sandbox.reset({ productTransactions: 2, farmers: [{ id: 'ama' }], products: [{ id: 'cocoa' }] });
    const body = { source: 'ama', destination: first, product: 'cocoa', amount: '1', currency: await dollar() };
    const { body: written } = await post(transactions, body);
    expect(pick(await rowsAt(transactions), 'created_on')).toEqual([
      [written.created_on],
      ['2026-03-01T11:00:00.000000Z'],
      ['2026-03-01T10:00:00.000000Z'],
    ]);
  });
});

describe('a seed of rows', () => {
  test('has the values of a row, and sensible ones for the others', async () => {
    sandbox.reset({
      farmers: [{ id: 'ama', first_name: 'Ama', phone: null }, 2, { last_name: 'Osei', gender: 'MALE' }],
    });
    const rows = await rowsAt(farmers);
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ id: 'ama', first_name: 'Ama', phone: null, country: 'Ghana', buyer: first });
    expect(rows[3]).toMatchObject({ last_name: 'Osei', gender: 'MALE', first_name: expect.stringMatching(/./) });
    expect((await get(`${farmers}ama/`)).body).toEqual(rows[0]);
  });

  test('numbers rows whose number is null or empty, whatever their ids are', async () => {
    const rows = [{ id: 'one', number: null }, { id: 'two', number: '' }, 1];
    sandbox.reset({ farmers: rows, productTransactions: rows, paymentTransactions: [{ id: 'paid', number: null }] });
    for (const path of [farmers, transactions, '/transactions/payment-transactions/']) {
      expect((await rowsAt(path)).filter(({ number }) => !/^1\d{3}$/.test(String(number)))).toEqual([]);
    }
  });

  test('gives a row the same values whatever the other rows are', async () => {
    sandbox.reset({ farmers: 5 });
    const before = await rowsAt(farmers);
    sandbox.reset({ farmers: [{ first_name: 'Ama' }, 4] });
    const names = ['first_name', 'last_name', 'phone', 'identification_no'];
    expect(pick((await rowsAt(farmers)).slice(1), ...names)).toEqual(pick(before.slice(1), ...names));
  });

  test('refers to rows of the same seed by their ids', async () => {
    sandbox.reset({
      companies: [{ id: 'mill', name: 'The mill' }],
      farmers: [{ id: 'ama' }],
      cards: [{ id: 'card', card_id: '0499' }],
      entityCards: [{ card: 'card', entity: 'ama' }],
      productTransactions: [
        { id: 'bought', source: 'ama', quantity: '12.5', amount: 30 },
        { id: 'sold', parents: ['bought'], destination: 'mill', currency: 'EUR' },
      ],
      paymentTransactions: [{ id: 'paid', transaction: 'bought' }],
    });
    const [sold, bought] = await rowsAt(transactions);
    expect(bought).toMatchObject({
      id: 'bought',
      quantity: '12.500',
      amount: '30.000',
      card: 'card',
      current_quantity: '0.000',
    });
    expect(sold).toMatchObject({ id: 'sold', source: first, destination: 'mill', quantity: '12.500' });
    expect(at(sold, 'currency_details')).toMatchObject({ code: 'EUR' });
    const { body: paid } = await get('/transactions/payment-transactions/paid/');
    expect(paid).toMatchObject({ source: first, destination: 'ama', payment_type: 'TRANSACTION', amount: 30 });
  });

  test('fills in forms, and has pictures and payments', async () => {
    sandbox.reset({
      forms: [{ id: 'form', form_type: 'FARMER', fields: [{ label: 'Farm size', key: 'farm_size' }] }],
      farmers: [
        {
          image: '/media/images/person.png',
          submission: { form: 'form', values: [{ field: 'farm_size', value: '2.5' }] },
        },
      ],
      premiums: [{ id: 'bonus' }],
      productTransactions: [{ transaction_payments: [{ premium: 'bonus', amount: 3 }] }],
    });
    const [farmer] = await rowsAt(farmers);
    expect(firstAt(at(farmer, 'submission'), 'values')).toMatchObject({ value: '2.5' });
    expect((await fetch(farmer?.image as string)).status).toBe(200);
    const [bought] = await rowsAt(transactions);
    expect(bought?.transaction_payments).toMatchObject([
      { payment_type: 'TRANSACTION' },
      { premium: 'bonus', amount: 3 },
    ]);
  });

  test('makes members of users, and users sign in', async () => {
    sandbox.reset({
      users: [{ id: 'esi', email: 'esi@staff.example' }],
      companyMembers: [{ user: 'esi', type: 'REPORTER' }, 1],
    });
    const { body } = await get(`/supply-chains/companies/${first}/`);
    expect(body.members).toHaveLength(5);
    const { body: tokens } = await send('POST', '/auth/login/', {
      username: 'esi@staff.example',
      password: 'sandbox',
      device_id: 'phone',
    });
    expect(tokens).toMatchObject({ user_id: 'esi', entity_id: first });
  });

  test('fills forms, premiums and products of the company', async () => {
    sandbox.reset({ forms: 4, premiums: [{ name: 'Bonus' }, 1], products: [{ name: 'Tea', companies: [first] }, 1] });
    const { body } = await get(`/supply-chains/companies/${first}/`);
    expect([body.forms, body.owned_premiums, body.products].map((list) => (list as unknown[]).length)).toEqual([
      4, 2, 2,
    ]);
    const { body: ofBuyer } = await clientOf(sandbox, 'demo-buyer').get('/catalogs/products/');
    expect([(await rowsAt('/catalogs/products/')).map(({ name }) => name), ofBuyer.count]).toEqual([
      ['Cocoa beans, dried', 'Tea'],
      1,
    ]);
  });
});

test.each<[seed: unknown, message: string]>([
  [[], 'seed is no object of resources.'],
  [{ farmer: 3 }, 'seed.farmer is no resource. The resources are companies, users, '],
  [{ farmers: -1 }, 'seed.farmers: -1 is neither a whole number from 0 on nor a list of rows.'],
  [{ farmers: ['Ama'] }, 'seed.farmers[0]: "Ama" is neither a whole number from 0 on nor a row.'],
  [
    { farmers: [{ name: 'Ama' }] },
    'seed.farmers[0]: there is no field name. The fields are id, created_on, first_name, ',
  ],
  [{ farmers: [1, { email: 'ama' }] }, 'seed.farmers[1].email: Enter a valid email address.'],
  [{ farmers: [{ created_on: 'today' }] }, 'seed.farmers[0].created_on: Datetime has wrong format.'],
  [{ farmers: [{ id: 'a b' }] }, 'seed.farmers[0].id: "a b" is not 1 to 64 letters, digits, - and _.'],
  [
    { companies: [{ id: 'a' }], farmers: [{ id: 'a' }] },
    'seed.farmers[0].id: "a" is the id of another row. Farmers and ',
  ],
  [
    { farmers: [{ id: 'ama' }], productTransactions: [{ source: 'kofi' }] },
    'seed.productTransactions[0].source: there is no row with the id "kofi" yet. The seed has named ama.',
  ],
  [
    { farmers: 0, productTransactions: 1 },
    'seed.productTransactions.source is left out, and seed.farmers has no row to take. Leave farmers out for one.',
  ],
])('the seed %j is refused with its place', async (seed, message) => {
  await expect(startSandbox({ seed: seed as SandboxSeed })).rejects.toThrow(message);
});

test('two runs with one seed and one time give the same bytes, of writes and files too', async () => {
  const run = async (): Promise<string[]> => {
    const each = await startSandbox({ now, seed: { farmers: 3, paymentTransactions: 1 } });
    const client = clientOf(each);
    const [payment] = results(await client.get('/transactions/payment-transactions/'));
    const form = new FormData();
    form.set('invoice', new File(['paid'], 'invoice.pdf'));
    const answers = [
      await client.post(farmers, { first_name: 'Ama' }),
      await client.send('PATCH', `/transactions/payment-transactions/${payment?.id}/invoice/`, form),
      await client.get(farmers),
      await client.get('/transactions/payment-transactions/'),
    ];
    await each.close();
    return answers.map(({ text }) => withoutPort(text, each));
  };
  expect(await run()).toEqual(await run());
});

test.each(['spec', 'connect'] as const)(
  'a gateway finds the rows of a seed by their ids in the dialect %s',
  async (dialect) => {
    const seed: SandboxSeed = {
      farmers: [{ id: 'ama', first_name: 'Ama' }],
      products: [{ id: 'cocoa', name: 'Cocoa' }],
      productTransactions: [{ id: 'bought', source: 'ama' }, { source: 'ama' }],
    };
    await using gateway = await startGateway({ sandbox: { dialect, seed } });
    const { data, errors } = await gateway.query(`{
    farmer(id: "ama") { first_name productTransactions(limit: 1) { results { product { name } } } }
    productTransaction(id: "bought") { source { id } }
  }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      farmer: { first_name: 'Ama', productTransactions: { results: [{ product: { name: 'Cocoa' } }] } },
      productTransaction: { source: { id: 'ama' } },
    });
  },
);

async function dollar() {
  const [found] = results(await get('/catalogs/currencies/?search=usd'));
  return found?.id;
}

const withoutPort = (text: string, { port }: Sandbox) => text.replaceAll(`http://127.0.0.1:${port}`, '');
