import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { fullBody } from '../support/full-body.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { get, type Json, knownIds, type WorldIds } from '../support/rest.ts';

const key = 'Bearer demo-coop';

let spec: FakedGateway;
let connect: FakedGateway;
/** Both worlds are seeded alike. */
let ids: WorldIds;
/** A user of another company. */
let stranger: string;

beforeAll(async () => {
  [spec, connect] = await Promise.all([
    startFakedGateway(),
    startFakedGateway({}, { sandbox: { dialect: 'connect' } }),
  ]);
  ids = await knownIds(spec.sandbox);
  [stranger] = (await get(spec.sandbox, `/supply-chains/companies/${ids.buyer}/`)).members;
});
afterAll(() => Promise.all([spec.close(), connect.close()]));
afterEach(() => {
  spec.upstream.respond = undefined;
  connect.upstream.respond = undefined;
});

function documentOf(mutation: string, selection = 'id'): string {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
  return mutation.startsWith('update')
    ? `mutation ($id: ID!, $input: ${type}) { ${mutation}(id: $id, input: $input) { ${selection} } }`
    : `mutation ($input: ${type}) { ${mutation}(input: $input) { ${selection} } }`;
}

const write = (gateway: FakedGateway, mutation: string, input: object, headers: Record<string, string> = {}) => {
  const id = mutation === 'updateUser' ? ids.user : ids.company;
  return gateway.query(documentOf(mutation), { id, input }, { key, headers });
};

const bodies = {
  createFarmer: 'FarmerWrite',
  createCompany: 'CompanyWrite',
  updateCompany: 'CompanyPatch',
  createCompanyMember: 'CompanyMemberWrite',
  updateUser: 'UserPatch',
  createEntityCard: 'EntityCardWrite',
  createPremium: 'PremiumWrite',
  createForm: 'FormWrite',
  createProductTransaction: 'ProductTransactionWrite',
  createPaymentTransaction: 'PaymentTransactionWrite',
};

/** Fields that the newer version of the service refuses or ignores, and those that it needs. */
const inConnect: Record<string, (body: Json) => Json> = {
  createCompany: ({ buyer: _, ...body }) => ({ ...body, name: 'Kuapa in full' }),
  updateCompany: ({ buyer: _, currency: _currency, name: _name, ...body }) => body,
  createCompanyMember: ({ user: _, ...body }) => ({ ...body, user_id: stranger }),
  updateUser: ({ default_entity: _, ...body }) => body,
  createForm: ({ fields, ...body }) => ({ ...body, fields: fields.map((field: Json) => ({ ...field, type: 'TEXT' })) }),
  createProductTransaction: ({ transaction_payments, parents: _, ...body }) => ({
    ...body,
    transaction_payments: transaction_payments.map(({ premium, amount }: Json) => ({ premium, amount })),
  }),
  createPaymentTransaction: ({ transaction: _, submissions: _ids, selected_option: _option, ...body }) => body,
};

describe.each(['spec', 'connect'] as const)('a service of the dialect %s', (dialect) => {
  test.each(Object.entries(bodies))(
    'stores %s in full, without an error or a further call',
    async (mutation, schema) => {
      const { id: _proposed, ...full } = fullBody(schema, ids);
      const input = dialect === 'connect' ? (inConnect[mutation]?.(full) ?? full) : full;
      const { data, errors, calls } = await write(dialect === 'spec' ? spec : connect, mutation, input);
      expect(errors).toEqual([]);
      expect(data[mutation].id).toEqual(expect.any(String));
      // Guards may read before the write.
      expect(calls.slice(calls.findIndex((call) => !call.startsWith('GET ')))).toHaveLength(1);
    },
  );
});

const lost = (...fields: [path: (string | number)[], message: string][]) => [
  {
    extensions: {
      code: 'INPUT_NOT_STORED',
      retryable: false,
      fields: fields.map(([path, message]) => ({ path: ['input', ...path], message })),
    },
  },
];

const farmer = { first_name: 'Esi', country: 'Ghana', province: 'Ashanti' };

describe('input that the service ignores', () => {
  test('is an error beside the data: the buyer of a new farmer', async () => {
    const { buyer, company } = ids;
    const { data, errors } = await write(connect, 'createFarmer', { ...farmer, buyer });
    expect(data.createFarmer.id).toEqual(expect.any(String));
    expect(errors).toMatchObject([{ path: ['createFarmer'] }]);
    expect(errors).toMatchObject(lost([['buyer'], `Sent "${buyer}"; the service stores "${company}".`]));
  });

  test('is read by id where the answer lacks it: the buyer of a new company', async () => {
    const { buyer } = ids;
    const { data, errors, calls } = await write(connect, 'createCompany', { name: 'Kuapa without', buyer });
    expect(errors).toMatchObject(lost([['buyer'], `Sent "${buyer}"; the service stores null.`]));
    const path = `/supply-chains/companies/${data.createCompany.id}/`;
    expect(calls).toEqual(['POST /supply-chains/companies/', `GET ${path}`]);
  });

  test('is an error only where it differs: the buyer of a company', async () => {
    const { buyer, company } = ids;
    expect((await write(connect, 'updateCompany', { buyer })).errors).toEqual([]);
    expect((await write(connect, 'updateCompany', { buyer: company })).errors).toMatchObject(
      lost([['buyer'], `Sent "${company}"; the service stores "${buyer}".`]),
    );
    expect((await write(connect, 'updateCompany', { buyer: null })).errors).toMatchObject(
      lost([['buyer'], `Sent null; the service stores "${buyer}".`]),
    );
  });

  test('is an error of the failed read where the answer lacks it', async () => {
    connect.upstream.respond = ({ method }) => (method === 'GET' ? { status: 503, body: '{}' } : undefined);
    const { data, errors } = await write(connect, 'updateCompany', { buyer: ids.company });
    expect(data.updateCompany.id).toBe(ids.company);
    expect(errors).toMatchObject([{ path: ['updateCompany'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  });

  test('is an error: the default entity and the updater', async () => {
    const { company } = ids;
    const before = (await get(connect.sandbox, `/accounts/users/${ids.user}/`, key)).default_entity;
    const other = before === company ? ids.buyer : company;
    const user = await write(connect, 'updateUser', { default_entity: other });
    expect(user.errors).toMatchObject(
      lost([['default_entity'], `Sent "${other}"; the service stores ${JSON.stringify(before)}.`]),
    );
    const premium = await write(connect, 'createPremium', { name: 'Fair', updater: stranger });
    expect(premium.errors).toMatchObject(lost([['updater'], `Sent "${stranger}"; the service stores "${ids.user}".`]));
  });

  test('is a refused phone number that leaves the stored one alone', async () => {
    const stored = async () => (await get(connect.sandbox, `/accounts/users/${ids.user}/`, key)).phone;
    const before = await stored();
    const { errors, calls } = await write(connect, 'updateUser', { phone: '081211112222' });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'phone'] }] } }]);
    expect(calls).toEqual([]);
    expect(await stored()).toBe(before);
  });

  test.each(['+31612345678', 'tel:+31-6-1234-5678', '+31 (0)6 1234 5678', ' +233 24 123 4567 '])(
    'is no phone number that the service formats: %s',
    async (phone) => {
      expect((await write(connect, 'updateUser', { phone })).errors).toEqual([]);
    },
  );
});

describe('input that a service changes', () => {
  const answered = (change: (answer: Json) => unknown) => {
    spec.upstream.respond = ({ method }) => (method === 'GET' ? undefined : { edit: change });
  };
  const delivery = () => {
    const { farmer: source, company: destination, product, currency } = ids;
    return { source, destination, product, currency, amount: '9' };
  };

  test.each<[what: string, mutation: string, input: () => object, change: (answer: Json) => unknown, () => object[]]>([
    [
      'a dropped phone number',
      'updateUser',
      () => ({ phone: '081211112222' }),
      (user) => (user.phone = null),
      () => lost([['phone'], 'Sent "081211112222"; the service stores null.']),
    ],
    [
      'a rounded amount',
      'createProductTransaction',
      () => ({ ...delivery(), amount: '9999999999999.999' }),
      (transaction) => (transaction.amount = '9999999999999.998'),
      () => lost([['amount'], 'Sent "9999999999999.999"; the service stores "9999999999999.998".']),
    ],
    [
      'an amount of a payment inside',
      'createProductTransaction',
      () => ({ ...delivery(), transaction_payments: [1, 2.5].map((amount) => ({ premium: ids.premium, amount })) }),
      ({ transaction_payments: payments }) => (payments.find(({ amount }: Json) => amount === 2.5).amount = 2),
      () => lost([['transaction_payments', 1, 'amount'], 'Sent 2.5; the service stores 2.']),
    ],
    [
      'an item that is missing',
      'createPremium',
      () => ({ name: 'Grades', options: [{ name: 'A' }, { name: 'B' }] }),
      (premium) => premium.options.pop(),
      () => lost([['options', 1], 'The service stores no such item.']),
    ],
    [
      'a nested object',
      'createEntityCard',
      () => ({ entity: ids.farmer, card: { card_id: 'C-1', display_id: '7' } }),
      (assignment) => (assignment.card.display_id = '8'),
      () => lost([['card', 'display_id'], 'Sent "7"; the service stores "8".']),
    ],
    [
      'a time of another second',
      'createFarmer',
      () => ({ first_name: 'Esi', created_on: '2024-02-29T08:30:00Z' }),
      (farmer) => (farmer.created_on = '1709195401'),
      () => lost([['created_on'], 'Sent "2024-02-29T08:30:00Z"; the service stores "2024-02-29T08:30:01Z".']),
    ],
    [
      'a parent that is missing',
      'createProductTransaction',
      () => ({ ...delivery(), parents: [ids.transaction] }),
      (transaction) => (transaction.parents = []),
      () => lost([['parents', 0], `Sent "${ids.transaction}"; the service stores null.`]),
    ],
  ])('is an error beside the data: %s', async (_what, mutation, input, change, expected) => {
    answered(change);
    const { data, errors } = await write(spec, mutation, input());
    expect(data[mutation].id).toEqual(expect.any(String));
    expect(errors).toMatchObject(expected());
  });

  test('is no error in another form: white space, lists in another order, seconds, display texts', async () => {
    answered((form) => {
      form.fields.reverse();
      form.created_on = String(Math.floor(Date.parse(form.created_on) / 1000));
    });
    const labels = ['Moisture', ' Weight ', 'Moisture', 'Grade'];
    const fields = labels.map((label, index) => ({ label, key: `k${index}`, required: index > 1 }));
    expect((await write(spec, 'createForm', { owner: ids.company, fields })).errors).toEqual([]);

    answered(({ fields }) => {
      fields[0].options = '{"b": [1], "a": 2}';
    });
    const options = [{ label: 'Grade', key: 'grade', required: true, options: '{"a":2,"b":[1]}' }];
    expect((await write(spec, 'createForm', { owner: ids.company, fields: options })).errors).toEqual([]);

    answered((farmer) => Object.assign(farmer, { created_on: '1709195400', last_name: 'Mensah', city: null }));
    const times = { created_on: '2024-02-29T08:30:00.987Z', last_name: ' Mensah ', city: '' };
    expect((await write(spec, 'createFarmer', { first_name: 'Esi', ...times })).errors).toEqual([]);

    answered((company) => (company.currency = `US Dollar - USD - ${ids.currency}`));
    expect((await write(spec, 'createCompany', { name: 'A', currency: ids.currency })).errors).toEqual([]);
  });

  test('is the same error when the request is sent again under its Idempotency-Key', async () => {
    answered((user) => (user.phone = null));
    const headers = { 'idempotency-key': randomUUID() };
    const first = await write(spec, 'updateUser', { phone: '+31612345678' }, headers);
    const again = await write(spec, 'updateUser', { phone: '+31612345678' }, headers);
    expect(again.calls).toEqual([]);
    expect(again.extensions).toMatchObject({ idempotency: { replayed: ['updateUser'] } });
    const shown = ({ data, errors }: Answer) => ({ data, errors: errors.map(({ message }) => message) });
    expect(shown(again)).toEqual(shown(first));
    expect(first.errors).toMatchObject(lost([['phone'], 'Sent "+31612345678"; the service stores null.']));
  });

  test('does not stop the other fields of a mutation', async () => {
    answered((user) => (user.phone = null));
    const { data, errors } = await spec.query(
      `mutation ($id: ID!) {
        a: updateUser(id: $id, input: { phone: "+31612345678" }) { phone }
        b: updateUser(id: $id, input: { address: "Elsewhere" }) { address }
      }`,
      { id: ids.user },
    );
    expect(data).toEqual({ a: { phone: null }, b: { address: 'Elsewhere' } });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'INPUT_NOT_STORED' } }]);
  });

  test('is an invoice that the service does not store', async () => {
    answered((payment) => (payment.invoice = null));
    const document =
      'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id } }';
    const file = new File(['%PDF'], 'invoice.pdf', { type: 'application/pdf' });
    const answer = (await (await spec.upload(document, { id: ids.payment, file: null }, file)).json()) as Json;
    expect(answer.data.uploadInvoice.id).toBe(ids.payment);
    expect(answer.errors).toMatchObject([
      {
        extensions: {
          code: 'INPUT_NOT_STORED',
          fields: [{ path: ['invoice'], message: 'The service stores no file.' }],
        },
      },
    ]);
  });
});

describe('a create of a company whose name is known', () => {
  const name = 'Noordzee Koffie & Cacao B.V.';
  const conflict = () => [
    {
      path: ['createCompany'],
      extensions: {
        code: 'CONFLICT',
        retryable: false,
        upstream_status: 200,
        reference: { type: 'Company', id: ids.buyer },
      },
    },
  ];

  test('is CONFLICT with the id of the company that there is', async () => {
    const { data, errors, calls } = await write(connect, 'createCompany', { name, city: 'Tema' });
    expect(data).toEqual({ createCompany: null });
    expect(errors).toMatchObject(conflict());
    expect(calls).toEqual(['POST /supply-chains/companies/']);
  });

  test('is no error for the same input', async () => {
    const { city, country } = await get(connect.sandbox, `/supply-chains/companies/${ids.buyer}/`, key);
    const { data, errors } = await write(connect, 'createCompany', { name, city, country, currency: 'EUR' });
    expect(errors).toEqual([]);
    expect(data).toEqual({ createCompany: { id: ids.buyer } });
  });

  test('has the same outcome when it is sent again under its Idempotency-Key', async () => {
    const [different, equal] = [randomUUID(), randomUUID()].map((each) => ({ 'idempotency-key': each }));
    for (const replayed of [undefined, { idempotency: { replayed: ['createCompany'] } }]) {
      const refused = await write(connect, 'createCompany', { name, city: 'Tema' }, different);
      expect(refused.errors).toMatchObject(conflict());
      expect(refused.extensions).toEqual(replayed);
      const taken = await write(connect, 'createCompany', { name }, equal);
      expect(taken.errors).toEqual([]);
      expect(taken.data).toEqual({ createCompany: { id: ids.buyer } });
    }
  });
});
