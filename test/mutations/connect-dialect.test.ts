import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import type { Gateway } from '../support/harness.ts';
import type { Json } from '../support/rest.ts';

let gateway: Gateway;
let ids: ConnectGateway['ids'];
let key: string;
let query: ConnectGateway['query'];
let rest: ConnectGateway['rest'];

beforeAll(async () => {
  ({ gateway, ids, key, query, rest } = await startConnectGateway());
});
afterAll(() => gateway.close());

const writesIn = (calls: string[]) => calls.filter((call) => !call.includes('/currencies/'));

test('createFarmer reports the fields that the service requires beyond the specification', async () => {
  const { data, errors } = await query('mutation { createFarmer(input: { first_name: "Esi" }) { id } }');
  expect(data).toEqual({ createFarmer: null });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  const fields = errors[0]?.extensions.fields as Json[];
  expect(fields.map(({ path }) => path.join('.')).toSorted()).toEqual(['input.country', 'input.province']);
});

test('createFarmer returns the new farmer', async () => {
  const { data, errors } = await query(`mutation {
      createFarmer(input: { first_name: "Esi", country: "Ghana", province: "Ashanti" }) { name last_name buyer { name } creator_id }
    }`);
  expect(errors).toEqual([]);
  expect(data.createFarmer).toEqual({
    name: 'Esi',
    last_name: '',
    buyer: { name: 'Sankofa Growers Cooperative Union' },
    creator_id: ids.user,
  });
});

test('createCompany and updateCompany read the currency out of its text', async () => {
  const { data, errors, calls } = await query(
    'mutation { createCompany(input: { name: "Kuapa", currency: "USD" }) { id currency_id } }',
  );
  expect(errors).toEqual([]);
  expect(data.createCompany.currency_id).toBe(ids.dollar);
  expect(writesIn(calls)).toEqual(['POST /supply-chains/companies/']);

  const { id } = data.createCompany;
  const again = await query(
    'mutation ($id: ID!) { updateCompany(id: $id, input: { city: "Tema" }) { city currency { code } currency_id buyer_id } }',
    { id },
  );
  expect(again.errors).toEqual([]);
  expect(again.data.updateCompany).toEqual({
    city: 'Tema',
    currency: { code: 'USD' },
    currency_id: ids.dollar,
    buyer_id: null,
  });
  expect(again.calls).toEqual([`PATCH /supply-chains/companies/${id}/`, `GET /supply-chains/companies/${id}/`]);
});

test('createCompany returns the company that has the name already', async () => {
  const { data, errors } = await query(
    'mutation { createCompany(input: { name: "Noordzee Koffie & Cacao B.V." }) { id currency { code } } }',
  );
  expect(errors).toEqual([]);
  expect(data.createCompany).toEqual({ id: ids.buyer, currency: { code: 'EUR' } });
});

test('createCompanyMember takes the id of a user', async () => {
  const document = `mutation ($input: CreateCompanyMemberInput!) {
      createCompanyMember(input: $input) { type is_active created_on company_id user { id first_name } }
    }`;
  const { data, errors, calls } = await query(document, { input: { user_id: ids.stranger, company: ids.company } });
  expect(errors).toEqual([]);
  expect(data.createCompanyMember).toEqual({
    type: 'ADMIN',
    is_active: true,
    created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    company_id: ids.company,
    user: { id: ids.stranger, first_name: 'Maartje' },
  });
  expect(calls).toEqual(['POST /supply-chains/company-members/', `GET /accounts/users/${ids.stranger}/`]);

  const twice = await query(document, { input: { user_id: ids.stranger, company: ids.company } });
  expect(twice.errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input'], message: /unique set/ }] } },
  ]);
  const nested = await query(document, { input: { user: { first_name: 'Ama' } } });
  expect(nested.errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'user'] }] } },
  ]);
});

test('updateUser and createEntityCard return the written rows', async () => {
  const { data, errors } = await query(
    `mutation ($user: ID!, $farmer: ID!) {
        updateUser(id: $user, input: { address: "Elsewhere" }) { address managing_entitys { name } policy_accepted }
        createEntityCard(input: { card: { card_id: "04:A2:19" }, entity: $farmer }) { is_active card { card_id } entity { entity_card { card { card_id } } } }
      }`,
    { user: ids.user, farmer: ids.farmer },
  );
  expect(errors).toEqual([]);
  const card = { card_id: '04:A2:19' };
  expect(data).toEqual({
    updateUser: {
      address: 'Elsewhere',
      managing_entitys: [{ name: 'Sankofa Growers Cooperative Union' }],
      policy_accepted: 'true',
    },
    createEntityCard: { is_active: true, card, entity: { entity_card: { card } } },
  });
});

test('creates a premium and a form, and a transaction and a payment that use them', async () => {
  const made = await query(
    `mutation ($company: ID!) {
        createPremium(input: { name: "Grades", calculation_type: OPTIONS, options: [{ name: "A", amount: 2 }] }) { id options { id name } }
        createForm(input: { owner: $company, fields: [{ label: "Moisture", type: "FLOAT", key: "moisture", options: "{}" }] }) {
          id form_type fields { id label type options }
        }
      }`,
    { company: ids.company },
  );
  expect(made.errors).toEqual([]);
  const { createPremium: premium, createForm: form } = made.data;
  expect(form).toMatchObject({
    form_type: 'TRANSACTION',
    fields: [{ label: 'Moisture', type: 'FLOAT', options: '{}' }],
  });

  const [option] = premium.options;
  const { farmer: source, company: destination, product } = ids;
  const used = await query(
    `mutation ($bought: CreateProductTransactionInput!, $paid: CreatePaymentTransactionInput!) {
        createProductTransaction(input: $bought) {
          amount quantity currency { code }
          transaction_payments { amount payment_type premium { name } selected_option { name amount } source { id } destination { id } }
          submissions { form { form_type } values { field { key } value } }
        }
        createPaymentTransaction(input: $paid) { amount payment_type premium { name } selected_option { name } currency { code } date }
      }`,
    {
      bought: {
        source,
        destination,
        product,
        amount: '9.50',
        quantity: 3,
        currency: 'EUR',
        transaction_payments: [{ premium: premium.id, selected_option: option.id, amount: 2 }],
        submissions: [{ form: form.id, values: [{ field: 'moisture', value: '7.5' }] }],
      },
      paid: {
        source: destination,
        destination: source,
        premium: premium.id,
        selected_option: option.id,
        date: 1772352930,
      },
    },
  );
  expect(used.errors).toEqual([]);
  const parties = { source: { id: destination }, destination: { id: source } };
  expect(used.data).toEqual({
    createProductTransaction: {
      amount: '9.500',
      quantity: '3.000',
      currency: { code: 'EUR' },
      transaction_payments: [
        {
          amount: 2,
          payment_type: 'TRANSACTION_PREMIUM',
          premium: { name: 'Grades' },
          selected_option: { name: 'A', amount: 2 },
          ...parties,
        },
        { amount: 9.5, payment_type: 'TRANSACTION', premium: null, selected_option: null, ...parties },
      ],
      submissions: [{ form: { form_type: 'TRANSACTION' }, values: [{ field: { key: 'moisture' }, value: '7.5' }] }],
    },
    createPaymentTransaction: {
      amount: 0,
      payment_type: 'PREMIUM',
      premium: { name: 'Grades' },
      selected_option: { name: 'A' },
      currency: { code: 'USD' },
      date: '2026-03-01T08:15:30Z',
    },
  });
  expect(writesIn(used.calls)).toEqual([
    'POST /transactions/product-transactions/',
    'POST /transactions/payment-transactions/',
  ]);
});

test('uploadInvoice returns the payment with its invoice', async () => {
  const { results } = await rest('/transactions/payment-transactions/?limit=1');
  const [{ id }] = results;
  const send = async (file: File) => {
    const document =
      'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id invoice } }';
    return (await (await gateway.upload(document, { id, file: null }, file, { key })).json()) as Json;
  };
  const { data, errors } = await send(new File(['%PDF'], 'scan.pdf'));
  expect(errors).toBeUndefined();
  const { invoice } = await rest(`/transactions/payment-transactions/${id}/`);
  expect(data.uploadInvoice.id).toBe(id);
  expect(invoice).toContain(data.uploadInvoice.invoice);

  const empty = await send(new File([], 'scan.pdf'));
  expect(empty).toMatchObject({
    data: { uploadInvoice: null },
    errors: [{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['invoice'] }] } }],
  });
});

test('createPaymentTransaction takes filled-in forms, and names them where only ids were sent', async () => {
  const { forms } = await rest(`/supply-chains/companies/${ids.company}/`);
  const form = forms.find(({ fields }: Json) => fields.length > 1);
  const [first, second] = form.fields;
  const send = (submissions: Json) =>
    query(
      `mutation ($input: CreatePaymentTransactionInput!) {
        createPaymentTransaction(input: $input) { submissions submission_details { form_id values { field { id } value } } }
      }`,
      { input: { source: ids.company, destination: ids.farmer, amount: 5, premium, currency: 'USD', ...submissions } },
    );
  const [{ id: premium }] = (await rest('/catalogs/premiums/')).results.filter(
    ({ options }: Json) => options.length === 0,
  );

  const { data, errors } = await send({
    submission_details: [{ form: form.id, values: [{ field: first.key, value: '7' }] }],
  });
  const ofIds = await send({ submissions: [form.id] });
  const ofBoth = await send({ submissions: [form.id], submission_details: [] });
  const twice = await send({
    submission_details: [
      {
        form: form.id,
        values: [first.id, second.key, first.key].map((field) => ({ field, value: '7' })),
      },
    ],
  });

  expect(errors).toEqual([]);
  expect(data.createPaymentTransaction).toEqual({
    submissions: [expect.any(String)],
    submission_details: [{ form_id: form.id, values: [{ field: { id: first.id }, value: '7' }] }],
  });
  const refused = [
    [ofIds, ['submissions', 0], 'This service takes a new one: give `submission_details` in place of `submissions`.'],
    [ofBoth, ['submission_details'], 'Give either `submissions` or `submission_details`.'],
    [twice, ['submission_details', 0, 'values', 2, 'field'], 'This field occurs more than once.'],
  ] as const;
  for (const [answer, path, message] of refused) {
    expect(answer.errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', ...path], message }] } },
    ]);
  }
});
