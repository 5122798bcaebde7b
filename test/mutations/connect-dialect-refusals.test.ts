import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { type Json, lastBody } from '../support/rest.ts';

/** A real deployment, and a service that follows the specification. */
let connect: ConnectGateway;
let spec: Gateway;
let ids: ConnectGateway['ids'];

beforeAll(async () => {
  [connect, spec] = await Promise.all([startConnectGateway(), startGateway()]);
  ids = connect.ids;
});
afterAll(() => Promise.all([connect.gateway.close(), spec.close()]));

const fieldsOf = (errors: Json[]) =>
  errors.flatMap(({ extensions }) => extensions.fields.map(({ path }: Json) => path));
const writesIn = (calls: string[]) => calls.filter((call) => !call.startsWith('GET'));

const delivery = () => ({
  source: ids.farmer,
  destination: ids.company,
  product: ids.product,
  amount: '9',
  currency: 'USD',
});
const gift = () => ({ source: ids.company, destination: ids.farmer, premium: 'QR6XEYGEW7' });
const submissions = (...fields: string[]) => [
  { form: 'QR6XEYGEW7', values: fields.map((field) => ({ field, value: '1' })) },
];
const field = (options: string) => ({ label: 'Variety', options });

type Case = [what: string, mutation: string, input: () => object, refused: (string | number)[][]];

const cases: Case[] = [
  ['another currency for a company', 'updateCompany', () => ({ city: 'Tema', currency: 'EUR' }), [['currency']]],
  ['a company with an unknown currency', 'createCompany', () => ({ name: 'Nowhere', currency: 'XXX' }), [['currency']]],
  ['a currency in lower case', 'createCompany', () => ({ name: 'Nowhere', currency: 'usd' }), [['currency']]],
  [
    'a card_id of 101 characters',
    'createEntityCard',
    () => ({ entity: ids.farmer, card: { card_id: 'ü'.repeat(101) } }),
    [['card', 'card_id']],
  ],
  ['a language of eleven characters', 'updateUser', () => ({ language: 'nederlands!' }), [['language']]],
  [
    'options that are not JSON',
    'createForm',
    () => ({ owner: ids.company, fields: [field('{}'), field('a, b'), field('')] }),
    [
      ['fields', 1, 'options'],
      ['fields', 2, 'options'],
    ],
  ],
  ['a payment for nothing', 'createPaymentTransaction', () => ({ ...gift(), premium: null }), [['premium']]],
  [
    'a payment in an unknown currency',
    'createPaymentTransaction',
    () => ({ ...gift(), currency: 'QR6XEYGEW9' }),
    [['currency']],
  ],
  [
    'an option that is no id, or of no premium',
    'createPaymentTransaction',
    () => ({ ...gift(), selected_option: 'large' }),
    [['selected_option']],
  ],
  [
    'a transaction without a currency',
    'createProductTransaction',
    () => ({ ...delivery(), currency: null }),
    [['currency']],
  ],
  ...['081211112222', '0201234567', '00233201234567', '+2331', '+0812111122', 'call me'].map(
    (phone): Case => [`the phone number ${phone}`, 'updateUser', () => ({ phone }), [['phone']]],
  ),
  [
    'a phone number with too many spaces',
    'updateUser',
    () => ({ phone: `+1234567${' '.repeat(90_000)}!` }),
    [['phone']],
  ],
  [
    'a local phone number of a new member',
    'createCompanyMember',
    () => ({ company: ids.company, user: { first_name: 'Esi', phone: '0201234567' } }),
    [['user', 'phone']],
  ],
  ['a local phone number of a company', 'updateCompany', () => ({ phone: '020 1234567' }), [['phone']]],
  ['a local phone number of a new company', 'createCompany', () => ({ name: 'Local', phone: '1' }), [['phone']]],
  ['a local phone number of a farmer', 'createFarmer', () => ({ first_name: 'Esi', phone: '0201234567' }), [['phone']]],
  [
    'an amount that binary floating point rounds',
    'createProductTransaction',
    () => ({ ...delivery(), amount: '9999999999999.999' }),
    [['amount']],
  ],
  [
    'a fourth decimal',
    'createProductTransaction',
    () => ({ ...delivery(), amount: '1.2345', quantity: '1.00010' }),
    [['amount'], ['quantity']],
  ],
  [
    'payments in a transaction with fields that it ignores',
    'createProductTransaction',
    () => ({
      ...delivery(),
      date: '2026-01-02T03:04:05Z',
      transaction_payments: [
        { amount: 3 },
        {
          ...{ premium: 'QR6XEYGEW7', amount: 1, id: 'A', updater: ids.user, submissions: [], number: null },
          ...{ currency: 'EUR', date: '2026-01-02T03:04:06Z', source: ids.farmer, verification_latitude: 1 },
        },
        { premium: 'QR6XEYGEW7', number: '7', transaction: 'QR6XEYGEW7', submissions: ['QR6XEYGEW7'] },
      ],
    }),
    [
      ['transaction_payments', 0, 'premium'],
      ...['source', 'currency', 'date', 'verification_latitude'].map((name) => ['transaction_payments', 1, name]),
      ...['transaction', 'number', 'submissions'].map((name) => ['transaction_payments', 2, name]),
    ],
  ],
  [
    'all mistakes of a transaction at once',
    'createProductTransaction',
    () => ({
      ...delivery(),
      amount: `-00${'9'.repeat(23)}.5`,
      quantity: '9'.repeat(26),
      currency: 'dollars',
      transaction_payments: [{ premium: 'QR6XEYGEW7', amount: 1 }, { selected_option: 'QR6XEYGEW7' }],
      submissions: [...submissions('bags'), ...submissions('bags', 'weight', 'bags')],
    }),
    [
      ['amount'],
      ['quantity'],
      ['currency'],
      ['transaction_payments', 1, 'premium'],
      ['submissions', 1, 'values', 2, 'field'],
    ],
  ],
];

function documentOf(mutation: string): string {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
  const isUpdate = mutation.startsWith('update');
  return isUpdate
    ? `mutation ($id: ID!, $input: ${type}) { ${mutation}(id: $id, input: $input) { id } }`
    : `mutation ($input: ${type}) { ${mutation}(input: $input) { id } }`;
}

describe('the checks for a real deployment', () => {
  test.each(cases)('refuse an input that crashes it, before a write: %s', async (_what, mutation, input, refused) => {
    const id = mutation === 'updateUser' ? ids.user : ids.company;
    const { data, errors, calls } = await connect.query(documentOf(mutation), { id, input: input() });
    expect(data).toEqual({ [mutation]: null });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', retryable: false } }]);
    expect(fieldsOf(errors)).toEqual(refused.map((path) => ['input', ...path]));
    expect(writesIn(calls)).toEqual([]);
  });

  test('refuse all fields for one, before the first write', async () => {
    const { data, errors, calls } = await connect.query(
      `mutation {
        a: createFarmer(input: { first_name: "A" }) { id }
        b: createCompany(input: { name: "Nowhere", currency: "XXX" }) { id }
      }`,
    );
    expect(data).toEqual({ a: null, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(writesIn(calls)).toEqual([]);
  });

  test('refuse all fields for the name of a file', async () => {
    connect.gateway.sandbox.clearCalls();
    const file = new File(['%PDF'], `${'i'.repeat(100)}.pdf`, { type: 'application/pdf' });
    const document = `mutation ($id: ID!, $invoice: Upload!) {
      a: createFarmer(input: { first_name: "A" }) { id }
      b: uploadInvoice(payment_transaction: $id, invoice: $invoice) { id }
    }`;
    const answer = await connect.gateway.upload(document, { id: 'QR6XEYGEW7', invoice: null }, file, {
      key: 'Bearer demo-coop',
    });
    const { data, errors } = (await answer.json()) as Json;
    expect(data).toEqual({ a: null, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(connect.gateway.sandbox.calls()).toEqual([]);
  });

  test.each(cases)('do not run for a service that follows the specification: %s', async (_what, mutation, input) => {
    const { calls } = await spec.query(documentOf(mutation), { id: 'A', input: input() });
    expect(writesIn(calls)).toHaveLength(1);
    expect(lastBody(spec.sandbox)).toStrictEqual(input());
  });

  test.each([1e12, 1_000_000_000_000.5, 123_456_789_012.345, 0.1 + 0.2])(
    'take the amount %d of a payment',
    async (amount) => {
      const input = { ...gift(), premium: null, transaction: 'QR6XEYGEW7', amount };
      const { calls } = await connect.query(documentOf('createPaymentTransaction'), { input });
      expect(writesIn(calls)).toHaveLength(1);
    },
  );

  test.each([
    ['its id', () => ids.dollar],
    ['its code', () => 'USD'],
    ['an internal number', () => '3'],
  ])('take a currency given by %s', async (_how, currency) => {
    const { calls } = await connect.query(documentOf('createCompany'), {
      input: { name: 'Kuapa Kokoo', currency: currency() },
    });
    expect(writesIn(calls)).toEqual(['POST /supply-chains/companies/']);
  });

  test('take payments in a transaction that repeat it, and keep its amount', async () => {
    const [premium] = (await connect.rest(`/supply-chains/companies/${ids.company}/`)).owned_premiums;
    const card = (await connect.rest('/catalogs/connect-cards/?limit=1')).results[0].id;
    const same = { currency: 'USD', card, invoice_number: 'I-1', verification_latitude: 1.5, creator: ids.user };
    const { source, destination, ...others } = delivery();
    const payment = {
      ...{ ...same, premium, amount: 3, source: destination, destination: source },
      date: '2026-01-02T03:04:05Z',
    };
    const document = `mutation ($input: CreateProductTransactionInput!) {
      createProductTransaction(input: $input) { amount transaction_payments { amount payment_type } }
    }`;
    const { data, errors } = await connect.query(document, {
      input: {
        ...{ ...others, ...same, source, destination },
        date: 1_767_323_045,
        transaction_payments: [payment, { premium, amount: 2 }],
      },
    });
    expect(errors).toEqual([]);
    expect(data.createProductTransaction).toEqual({
      amount: '9.000',
      transaction_payments: [
        { amount: 2, payment_type: 'TRANSACTION_PREMIUM' },
        { amount: 3, payment_type: 'TRANSACTION_PREMIUM' },
        { amount: 9, payment_type: 'TRANSACTION' },
      ],
    });
  });

  test('take a text of the longest length', async () => {
    const card = { card: { card_id: 'ü'.repeat(100) }, entity: ids.farmer };
    expect((await connect.query(documentOf('createEntityCard'), { input: card })).errors).toEqual([]);
    const long = { ...delivery(), amount: '999999999999.999', quantity: `${'9'.repeat(22)}.4` };
    const sent = await connect.query(documentOf('createProductTransaction'), { input: long });
    expect(sent.errors).toEqual([]);
    const { errors } = await connect.query(documentOf('updateUser'), {
      id: ids.user,
      input: { language: 'nederlands' },
    });
    expect(errors).toEqual([]);
  });

  test('read the currencies once for two writes', async () => {
    const settings = { 'cache.lists.ttlMs': '60000' };
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, settings });
    const write = (currency: string) => gateway.query(documentOf('createCompany'), { input: { name: 'A', currency } });
    const first = await write('USD');
    const second = await write('USD');
    const unknown = await write('XXX');
    const pages = ['0', '100'].map((offset) => `GET /catalogs/currencies/?limit=100&offset=${offset}`);
    expect(first.calls).toEqual([...pages, 'POST /supply-chains/companies/']);
    expect(second.calls).toEqual(['POST /supply-chains/companies/']);
    // A currency may be newer than the cached pages.
    expect(unknown.calls).toEqual(pages);
  });
});

describe('an invoice whose file has a name of 101 characters', () => {
  const upload = async (gateway: Gateway, key: string) => {
    const document = 'mutation ($file: Upload!) { uploadInvoice(payment_transaction: "A", invoice: $file) { id } }';
    const file = new File(['%PDF'], `${'ü'.repeat(97)}.pdf`);
    return (await (await gateway.upload(document, { file: null }, file, { key })).json()) as Json;
  };

  test('is refused before the upload', async () => {
    const { gateway, key } = connect;
    gateway.sandbox.clearCalls();
    const { errors } = await upload(gateway, key);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['invoice'] }] } }]);
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test('is sent to a service that follows the specification', async () => {
    spec.sandbox.clearCalls();
    await upload(spec, 'demo-coop');
    expect(spec.sandbox.calls()).toHaveLength(1);
  });
});

test('replays a write under its Idempotency-Key, though the gateway would refuse it now', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'idempotency-'));
  const start = (UPSTREAM_DIALECT: string) =>
    startGateway({
      settings: { UPSTREAM_DIALECT, IDEMPOTENCY_FILE: join(folder.path, 'records.db') },
      upstreamUrl: connect.gateway.sandbox.url,
    });
  const document = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
  const variables = { input: { first_name: 'Esi', country: 'Ghana', province: 'Ashanti', phone: '0201234567' } };
  const under = (key: string) => ({ key: connect.key, headers: { 'idempotency-key': key } });
  const writes = () => writesIn(connect.gateway.sandbox.calls().map(({ method }) => method));

  const lenient = await start('spec');
  connect.gateway.sandbox.clearCalls();
  const first = await lenient.query(document, variables, under('one farmer'));
  expect(first.errors).toMatchObject([{ extensions: { code: 'INPUT_NOT_STORED' } }]);
  expect(writes()).toEqual(['POST']);
  await lenient.close();

  await using strict = await start('connect');
  const again = await strict.query(document, variables, under('one farmer'));
  expect(again.data).toEqual(first.data);
  expect(again.errors).toMatchObject([{ extensions: { code: 'INPUT_NOT_STORED' } }]);
  expect(again.extensions).toEqual({ idempotency: { replayed: ['createFarmer'] } });
  for (const _time of ['first', 'second']) {
    const other = await strict.query(document, variables, under('another farmer'));
    expect(other.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  }
  expect(writes()).toEqual(['POST']);
  // A refused write leaves no record, so the key serves the next request.
  const input = { ...variables.input, phone: '+31612345678' };
  expect((await strict.query(document, { input }, under('another farmer'))).errors).toEqual([]);
});
