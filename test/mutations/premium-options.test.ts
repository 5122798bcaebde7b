import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RequestContext } from '../../packages/rest-graph/request/context.ts';
import { noKnowledge } from '../../packages/rest-graph/test/list-reads.ts';
import { PartLookup } from '../../src/writes/part-lookup.ts';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { type FakedGateway, startFakedGateway, startGateway } from '../support/harness.ts';
import type { Json } from '../support/rest.ts';

/** A service that gives no premiums by id. */
let connect: ConnectGateway;
/** A premium that the service has, and that the gateway has not seen. */
let premium: Json;
let option: string;

beforeAll(async () => {
  connect = await startConnectGateway({ lacks: ['/catalogs/premiums/', '/forms/forms/'] });
});
afterAll(() => connect.gateway.close());
beforeEach(async () => {
  premium = await post('/catalogs/premiums/', {
    name: 'Grades',
    calculation_type: 'OPTIONS',
    options: [
      { name: 'A', amount: 2 },
      { name: 'B', amount: 1 },
    ],
  });
  option = premium.options[0].id;
});

const lists = {
  payments: '/transactions/payment-transactions/',
  transactions: '/transactions/product-transactions/',
};

/** A write straight to the service. */
async function post(path: string, body: object, service = connect): Promise<Json> {
  const answer = await fetch(service.gateway.sandbox.url + path, {
    method: 'POST',
    headers: { authorization: service.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as Json).data;
}

const create = 'mutation ($input: CreatePaymentTransactionInput!) { createPaymentTransaction(input: $input) { id } }';
const paymentOf = (selected_option: string, more = {}) => ({
  ...{ source: connect.ids.company, destination: connect.ids.farmer, premium: premium.id },
  ...{ selected_option, ...more },
});
const pay = (selected_option: string, more = {}) => connect.query(create, { input: paymentOf(selected_option, more) });
const steps = (calls: string[]) => calls.map((call) => call.replace(/\?.*/, ''));
const refusal = (message: unknown, path: (string | number)[] = []) => ({
  extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', ...path, 'selected_option'], message }] },
});
const company = () => `GET /supply-chains/companies/${connect.ids.company}/`;

describe('a service that gives premiums by id', () => {
  let newer: ConnectGateway;
  const byId = () => `GET /catalogs/premiums/${premium.id}/`;
  const payNewer = (selected_option: string, more = {}) =>
    newer.query(create, { input: { ...paymentOf(selected_option), source: newer.ids.company, ...more } });

  beforeAll(async () => {
    newer = await startConnectGateway();
  });
  afterAll(() => newer.gateway.close());
  beforeEach(async () => {
    premium = await post('/catalogs/premiums/', premium, newer);
    option = premium.options[0].id;
  });

  test('takes an option of a premium that nobody has paid yet, after one GET', async () => {
    const { errors, calls } = await payNewer(option);
    expect(errors).toEqual([]);
    expect(calls).toEqual([byId(), `POST ${lists.payments}`]);

    const again = await payNewer(premium.options[1].id);
    expect(again.errors).toEqual([]);
    expect(again.calls).toEqual([`POST ${lists.payments}`]);
  });

  test('refuses an option that the premium lacks, after one GET', async () => {
    const { errors, calls } = await payNewer('AAAAAAAAAA');
    expect(errors).toMatchObject([refusal(expect.stringContaining("None of the premium's options"))]);
    expect(calls).toEqual([byId()]);
  });

  test('refuses an option of an unknown premium, after one GET', async () => {
    const { errors, calls } = await payNewer(option, { premium: 'ZZZZZZZZZZ' });
    expect(errors).toMatchObject([refusal(expect.stringContaining('gives no premium of this id'))]);
    expect(calls).toEqual(['GET /catalogs/premiums/ZZZZZZZZZZ/']);
  });

  test('checks the payments of a product transaction with a GET for each premium', async () => {
    const plain = await post('/catalogs/premiums/', { name: 'Plain' }, newer);
    const { farmer: source, company: destination, product } = newer.ids;
    const delivery = { source, destination, product, amount: '9', currency: 'USD' };
    const payments = [premium, premium, plain].map(({ id }) => ({ premium: id, selected_option: option, amount: 1 }));
    const { errors, calls } = await newer.query(
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }',
      { input: { ...delivery, transaction_payments: payments } },
    );
    expect(errors).toMatchObject([refusal('The premium has no options.', ['transaction_payments', 2])]);
    const gets = calls.filter((call) => !call.includes('currencies'));
    expect(gets).toEqual([byId(), `GET /catalogs/premiums/${plain.id}/`]);
  });

  test('checks the fields of a submission with one GET of its form', async () => {
    const fields = [{ label: 'Bags', key: 'bags', type: 'INTEGER' }];
    const form = await post('/forms/forms/', { owner: newer.ids.company, fields }, newer);
    const { farmer: source, company: destination, product } = newer.ids;
    const { errors, calls } = await newer.query(
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }',
      {
        input: {
          ...{ source, destination, product, amount: '9', currency: 'USD' },
          submissions: [{ form: form.id, values: [{ field: 'sacks', value: '1' }] }],
        },
      },
    );
    expect(errors).toMatchObject([{ message: expect.stringContaining('submissions.0.values.0.field') }]);
    expect(calls.filter((call) => !call.includes('currencies'))).toEqual([`GET /forms/forms/${form.id}/`]);
  });
});

describe('an option of a premium', () => {
  test('needs no reading after the premium came through the gateway', async () => {
    const document = `mutation ($input: CreatePremiumInput!) { createPremium(input: $input) { id options { id } } }`;
    const input = { name: 'Sizes', calculation_type: 'OPTIONS', options: [{ name: 'S', amount: 1 }] };
    const { createPremium } = (await connect.query(document, { input })).data;
    const { errors, calls } = await pay(createPremium.options[0].id, { premium: createPremium.id });
    expect(errors).toEqual([]);
    expect(calls).toEqual([`POST ${lists.payments}`]);
  });

  test('is read once from a payment, and refused there where the premium lacks it', async () => {
    await post(lists.payments, paymentOf(option));
    const first = await pay(option);
    expect(first.errors).toEqual([]);
    // No answer of this request has shown that the destination is a farmer.
    expect(steps(first.calls)).toEqual([
      company(),
      `GET /supply-chains/companies/${connect.ids.farmer}/`,
      `GET ${lists.payments}`,
      `POST ${lists.payments}`,
    ]);
    const second = await pay(premium.options[1].id);
    expect(second.calls).toEqual([`POST ${lists.payments}`]);

    const { errors, calls } = await pay('AAAAAAAAAA');
    const options = premium.options.map(({ id }: Json) => id).join(', ');
    expect(errors).toMatchObject([refusal(`None of the premium's options, which are ${options}.`)]);
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    expect((await connect.rest(lists.payments)).results).toHaveLength(10);
  });

  test('is read from a product transaction that pays the premium', async () => {
    const { farmer: source, company: destination, product } = connect.ids;
    const delivery = { source, destination, product, amount: '9', currency: 'USD' };
    const payment = { premium: premium.id, selected_option: option, amount: 1 };
    await post(lists.transactions, { ...delivery, transaction_payments: [payment] });
    const document =
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }';
    const send = (selected_option: string) =>
      connect.query(document, {
        input: { ...delivery, transaction_payments: [payment, { ...payment, selected_option }] },
      });
    const { errors, calls } = await send('ZZZZZZZZZZ');
    const path = ['transaction_payments', 1];
    expect(errors).toMatchObject([refusal(expect.stringContaining('None of the premium'), path)]);
    expect(steps(calls)).toContain(`GET ${lists.transactions}`);
    expect((await send(option)).errors).toEqual([]);
  });

  test('is refused without a call if it is digits alone', async () => {
    const { errors, calls } = await pay('1', { currency: null });
    expect(errors).toMatchObject([refusal('Must be the id of an option.')]);
    expect(calls).toEqual([]);
  });

  test('is refused if its premium has no options', async () => {
    const plain = await post('/catalogs/premiums/', { name: 'Plain' });
    await post(lists.payments, { ...paymentOf(option), premium: plain.id, selected_option: null });
    const { errors } = await pay(option, { premium: plain.id });
    expect(errors).toMatchObject([refusal('The premium has no options.')]);
  });

  test('is refused where no answer shows its premium, and the error names the setting', async () => {
    const { errors, calls } = await pay(option);
    expect(errors).toMatchObject([refusal(expect.stringContaining('upstream.unknownOptions'))]);
    expect(steps(calls).filter((call) => !call.startsWith('GET /supply-chains/companies/'))).toEqual([
      `GET ${lists.payments}`,
      `GET ${lists.transactions}`,
    ]);
  });

  test('does not need the caller to have an option', async () => {
    const { errors } = await pay(option, { selected_option: null });
    expect(errors).toEqual([]);
  });
});

test('with upstream.unknownOptions: send, an option that cannot be checked is sent, and a wrong one is not', async () => {
  await using gateway = await startGateway({
    upstreamUrl: connect.gateway.sandbox.url,
    settings: { UPSTREAM_DIALECT: 'connect' },
    file: { upstream: { unknownOptions: 'send' } },
  });
  const send = (selected_option: string) =>
    gateway.query(create, { input: paymentOf(selected_option) }, { key: connect.key });
  expect((await send(option)).errors).toEqual([]);
  expect((await send('AAAAAAAAAA')).errors).toMatchObject([refusal(expect.stringContaining('None of'))]);
});

describe('a service that embeds the premiums of a company', () => {
  let gateway: FakedGateway;
  beforeAll(async () => {
    gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    gateway.upstream.respond = ({ path }) => {
      if (path.startsWith('/catalogs/premiums/')) return { status: 404, body: '<h1>Not Found</h1>' };
      if (!path.startsWith('/supply-chains/companies/')) return undefined;
      return { edit: ({ data }) => (data.owned_premiums = [premium]) };
    };
  });
  afterAll(() => gateway.close());

  test('shows each option with one GET, to one caller at a time', async () => {
    const send = async (key: string) => {
      gateway.upstream.clear();
      const { errors } = await gateway.query(create, { input: paymentOf('AAAAAAAAAA') }, { key });
      expect(errors).toMatchObject([refusal(expect.stringContaining('None of'))]);
      return gateway.upstream.calls;
    };
    // A service shows once that it has no GET of premiums.
    expect(await send('Bearer demo-coop')).toEqual([`GET /catalogs/premiums/${premium.id}/`, company()]);
    expect(await send('Bearer demo-buyer')).toEqual([company()]);
  });
});

test('the fields of a submission are those of its form, as far as a company shows them', async () => {
  const { ids, query, rest } = connect;
  const { forms } = await rest(`/supply-chains/companies/${ids.company}/`);
  const form = forms.find(({ fields }: Json) => fields.some(({ key }: Json) => key === 'bags'));
  const { id } = form.fields[0];
  const send = (...submissions: Json[]) =>
    query('mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }', {
      input: {
        ...{ source: ids.farmer, destination: ids.company, product: ids.product, amount: '9', currency: 'USD' },
        submissions: submissions.map(({ form, fields }) => ({
          form,
          values: fields.map((field: string) => ({ field, value: '1' })),
        })),
      },
    });
  const refused = await send({ form: form.id, fields: [id, 'sacks'] }, { form: form.id, fields: ['ZZZZZZZZZZ'] });
  expect(refused.errors).toMatchObject([
    {
      extensions: {
        code: 'BAD_USER_INPUT',
        fields: [
          {
            path: ['input', 'submissions', 0, 'values', 1, 'field'],
            message: 'The form has no field of this id or key.',
          },
          { path: ['input', 'submissions', 1, 'values', 0, 'field'] },
        ],
      },
    },
  ]);
  expect(refused.calls.filter((call) => call.startsWith('POST'))).toEqual([]);

  const twice = await send({ form: form.id, fields: [id, 'bags'] });
  expect(twice.errors).toMatchObject([
    {
      extensions: {
        fields: [
          { path: ['input', 'submissions', 0, 'values', 1, 'field'], message: 'This field occurs more than once.' },
        ],
      },
    },
  ]);
  expect(twice.calls.filter((call) => call.startsWith('POST'))).toEqual([]);

  const sent = await send({ form: form.id, fields: [id] }, { form: form.id, fields: ['bags'] });
  expect(sent.errors).toEqual([]);
  expect(sent.calls.filter((call) => call.includes('companies'))).toEqual([]);
  // Only the service knows such a form.
  const unknown = await send({ form: 'ZZZZZZZZZZ', fields: ['bags'] });
  expect(unknown.errors).toMatchObject([{ extensions: { upstream_status: 400 } }]);
});

test('an answer is read once, however many parts of its premiums and forms a write names', async () => {
  const read = vi.fn(async () => ({ forms: [{ id: 'A', form_type: 'FARMER', fields: [{ id: 'X', key: 'x' }] }] }));
  const empty = vi.fn(async () => ({}));
  const loaders = { givesById: () => false, knowledge: noKnowledge() };
  const context = { loaders } as unknown as RequestContext;
  const lookup = new PartLookup(context, 'Form', 'submissions', [read, empty]);
  for (const part of ['x', 'y', 'z'])
    expect([...(await lookup.partsOf('A', part))!]).toEqual([
      ['X', 'X'],
      ['x', 'X'],
    ]);
  expect([read, empty].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  expect(await lookup.partsOf('B', 'x')).toBeUndefined();
  expect(await lookup.partsOf('C', 'x')).toBeUndefined();
  expect([read, empty].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});
