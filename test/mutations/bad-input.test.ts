import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { knownIds, lastBody, rowCounts, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const inputTypes = {
  createFarmer: 'CreateFarmerInput',
  createCompany: 'CreateCompanyInput',
  createCompanyMember: 'CreateCompanyMemberInput',
  createEntityCard: 'CreateEntityCardInput',
  createPremium: 'CreatePremiumInput',
  createForm: 'CreateFormInput',
  createProductTransaction: 'CreateProductTransactionInput',
  createPaymentTransaction: 'CreatePaymentTransactionInput',
};
type Mutation = keyof typeof inputTypes;
const send = (mutation: Mutation, input: unknown) =>
  gateway.query(`mutation ($input: ${inputTypes[mutation]}!) { ${mutation}(input: $input) { id } }`, { input });

/** The code and the paths of `fields` of the first error, and the calls made. */
function refused({ errors, calls }: Answer) {
  const [error] = errors;
  const fields = (error?.extensions.fields ?? []) as { path: (string | number)[]; message: string }[];
  return { errors: errors.length, code: error?.extensions.code, fields: fields.map(({ path }) => path), calls };
}
const byGateway = (...fields: (string | number)[][]) => ({ errors: 1, code: 'BAD_USER_INPUT', fields, calls: [] });

describe('the gateway writes nothing', () => {
  let before: Record<string, number>;
  beforeAll(async () => {
    before = await rowCounts(gateway.sandbox);
  });
  afterEach(async () => expect(await rowCounts(gateway.sandbox)).toEqual(before));

  const seedling = '🌱';
  test.each<[Mutation, object, (string | number)[]]>([
    ['createFarmer', { first_name: '' }, ['first_name']],
    ['createFarmer', { first_name: seedling.repeat(101) }, ['first_name']],
    ['createFarmer', { first_name: 'A', number: '12345678901' }, ['number']],
    ['createFarmer', { first_name: 'A', last_name: 'é'.repeat(101) }, ['last_name']],
    ['createFarmer', { first_name: 'A', zipcode: 'z'.repeat(51) }, ['zipcode']],
    ['createFarmer', { first_name: 'A', description: 'd'.repeat(501) }, ['description']],
    ['createCompany', { name: '' }, ['name']],
    ['createCompany', { name: seedling.repeat(501) }, ['name']],
    ['createCompany', { name: 'A', currency: '' }, ['currency']],
    ['createCompany', { name: 'A', phone: '0'.repeat(51) }, ['phone']],
    ['createCompanyMember', { user: { address: 'a'.repeat(2001) } }, ['user', 'address']],
    ['createCompanyMember', { user: { language: '' } }, ['user', 'language']],
    ['createEntityCard', { entity: 'E', card: { card_id: '' } }, ['card', 'card_id']],
    ['createPremium', { name: '' }, ['name']],
    ['createPremium', { name: 'p'.repeat(101) }, ['name']],
    ['createProductTransaction', { currency: '' }, ['currency']],
    ['createProductTransaction', { invoice_number: 'i'.repeat(101) }, ['invoice_number']],
    ['createPaymentTransaction', { number: '12345678901' }, ['number']],
  ])('when %s breaks a bound: %j', async (mutation, input, path) => {
    const answer = await send(mutation, input);
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({ [mutation]: null });
    expect(answer.errors[0]?.path).toEqual([mutation]);
    expect(refused(answer)).toEqual(byGateway(['input', ...path]));
  });

  test('and reports all violations at once, in lists by position', async () => {
    const input = {
      number: '12345678901',
      currency: '',
      transaction_payments: [{ amount: 1 }, { currency: '', number: '12345678901' }],
      submissions: [
        { form: 'F', values: [{ field: 'a', value: 'b' }] },
        {
          form: 'F',
          values: [
            { field: 'a', value: 'b' },
            { field: '', value: 'v'.repeat(101) },
          ],
        },
      ],
    };
    const answer = await send('createProductTransaction', input);
    const { fields, ...others } = refused(answer);
    expect(others).toEqual({ errors: 1, code: 'BAD_USER_INPUT', calls: [] });
    expect(fields.toSorted()).toEqual(
      [
        ['input', 'number'],
        ['input', 'currency'],
        ['input', 'transaction_payments', 1, 'currency'],
        ['input', 'transaction_payments', 1, 'number'],
        ['input', 'submissions', 1, 'values', 1, 'field'],
        ['input', 'submissions', 1, 'values', 1, 'value'],
      ].toSorted(),
    );
  });

  describe.each([
    ['without a key', () => ({})],
    ['with an Idempotency-Key', () => ({ 'idempotency-key': randomUUID() })],
  ])('%s, when one field of several is refused:', (_, headersOf) => {
    test.each<[string, string, string]>([
      ['its input breaks a bound', 'BAD_USER_INPUT', 'createFarmer(input: { first_name: "" }) { id }'],
      ['the service cannot have its id', 'NOT_FOUND', 'updateCompany(id: "../users", input: { name: "B" }) { id }'],
      [
        'its input contradicts itself',
        'BAD_USER_INPUT',
        'createCompanyMember(input: { user_id: "U", user: { first_name: "B" } }) { id }',
      ],
      ['its variable is null', 'BAD_USER_INPUT', 'createFarmer(input: { first_name: $name }) { id }'],
      [
        'a condition of its selection is null',
        'BAD_USER_INPUT',
        'createFarmer(input: { first_name: "B" }) { id @skip(if: $yes) }',
      ],
    ])('%s', async (_what, code, field) => {
      const used = [
        ...(field.includes('$name') ? ['$name: String = "B"'] : []),
        ...(field.includes('$yes') ? ['$yes: Boolean = true'] : []),
      ];
      const document = `mutation ${used.length > 0 ? `(${used})` : ''} {
        a: createFarmer(input: { first_name: "A" }) { id } b: ${field} c: createPremium(input: { name: "C" }) { id }
      }`;
      const { data, errors, calls } = await gateway.query(
        document,
        { name: null, yes: null },
        { headers: headersOf() },
      );

      expect(data).toEqual({ a: null, b: null, c: null });
      expect(errors).toMatchObject([{ path: ['b'], extensions: { code, retryable: false } }]);
      expect(calls).toEqual([]);
    });
  });

  test('when several fields are refused, with an error for each', async () => {
    const { data, errors } = await gateway.query(`mutation {
      a: createFarmer(input: { first_name: "" }) { id }
      b: createFarmer(input: { first_name: "B" }) { id }
      c: createPremium(input: { name: "" }) { id }
    }`);

    expect(data).toEqual({ a: null, b: null, c: null });
    expect(errors).toMatchObject([
      { path: ['a'], extensions: { fields: [{ path: ['input', 'first_name'] }] } },
      { path: ['c'], extensions: { fields: [{ path: ['input', 'name'] }] } },
    ]);
  });

  test('and names the bound and the length in its message', async () => {
    const { errors } = await send('createFarmer', { first_name: seedling.repeat(101), number: '' });
    expect(errors[0]?.extensions.fields).toEqual([
      { path: ['input', 'first_name'], message: 'At most 100 characters; this has 101.' },
    ]);
  });

  test.each(['PAYOT', 'GIFT', 5])('when an enum is %j, with the values to give instead', async (category) => {
    const { errors } = await send('createPremium', { name: 'A', category });
    const message = '$input.category: Must be PAYOUT or TRANSACTION.';
    expect(errors).toMatchObject([{ extensions: { fields: [{ message }] } }]);
  });

  test.each([
    ['{ category: PAYOT }', 'PremiumCategory must be PAYOUT or TRANSACTION.'],
    ['{ category: "PAYOUT" }', 'PremiumCategory must be PAYOUT or TRANSACTION, without quotes.'],
  ])('when an enum is wrong in %s, with the values to give instead', async (input, message) => {
    const { errors } = await gateway.query(`mutation { createPremium(input: ${input}) { id } }`);
    expect(errors).toMatchObject([{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });

  test('when an enum of the gateway is wrong, with the values to give instead', async () => {
    const query = 'query ($by: [ProductTransactionGroup!]) { productTransactionTotals(groupBy: $by) { rows } }';
    const { errors } = await gateway.query(query, { by: ['PRODUCTS'] });
    const message = '$by.0: Must be PRODUCT, SOURCE, DESTINATION, or MONTH.';
    expect(errors).toMatchObject([{ extensions: { fields: [{ message }] } }]);
  });

  test('when an enum has the value of answers, with the values to give instead', async () => {
    const message = 'Stands in answers alone; give NORMAL, MANUAL, or OPTIONS.';
    const fields = [{ path: ['input', 'calculation_type'], message }];
    const input = { name: 'Grades', calculation_type: 'UNKNOWN_VALUE' };
    const literal = '{ name: "Grades", calculation_type: UNKNOWN_VALUE }';
    for (const answer of [
      await send('createPremium', input),
      await gateway.query(`mutation { createPremium(input: ${literal}) { id } }`),
    ]) {
      expect(answer.data).toEqual({ createPremium: null });
      expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields } }]);
      expect(answer.calls).toEqual([]);
    }
  });

  test('when a literal or a variable for one field breaks a bound', async () => {
    const literal = await gateway.query(
      'mutation { createFarmer(input: { first_name: "", number: "12345678901" }) { id } }',
    );
    expect(refused(literal)).toEqual(byGateway(['input', 'first_name'], ['input', 'number']));

    const single = await gateway.query(
      'mutation ($name: String!, $number: String) { createFarmer(input: { first_name: $name, number: $number }) { id } }',
      { name: '', number: '12345678901' },
    );
    expect(refused(single)).toEqual(byGateway(['input', 'first_name'], ['input', 'number']));
  });

  test.each<[string, Mutation, unknown, (string | number)[][]]>([
    ['is missing', 'createFarmer', undefined, [['input']]],
    ['is null', 'createFarmer', null, [['input']]],
    ['is no object', 'createFarmer', 'Kofi', [['input']]],
    ['lacks what is required', 'createFarmer', {}, [['input', 'first_name']]],
    ['has null where a value is required', 'createFarmer', { first_name: null }, [['input', 'first_name']]],
    ['has a number for a text', 'createFarmer', { first_name: 5 }, [['input', 'first_name']]],
    ['has a text for a number', 'createFarmer', { first_name: 'A', latitude: '5' }, [['input', 'latitude']]],
    ['has a text for a boolean', 'createCompany', { name: 'A', buy_enabled: 'yes' }, [['input', 'buy_enabled']]],
    ['has an unknown enum value', 'createPremium', { name: 'A', category: 'GIFT' }, [['input', 'category']]],
    ['has an enum value in lower case', 'createPremium', { name: 'A', type: 'per_kg' }, [['input', 'type']]],
    ['has an unknown field', 'createFarmer', { first_name: 'A', no_such_field: 'B' }, [['input', 'no_such_field']]],
    ['has a read-only field', 'createFarmer', { first_name: 'A', updated_on: 1 }, [['input', 'updated_on']]],
    ['has an object for a text', 'createFarmer', { first_name: { a: 1 } }, [['input', 'first_name']]],
    ['has a text for a list', 'createForm', { owner: 'C', fields: 'a' }, [['input', 'fields']]],
    ['has null in a list', 'createForm', { owner: 'C', fields: [{}, null] }, [['input', 'fields', 1]]],
    [
      'has several errors',
      'createProductTransaction',
      {
        amount: 'much',
        date: 'yesterday',
        parents: ['A', null],
        submissions: [{ form: 'F', values: [{ field: 'a' }, { field: 'a', value: 'b', note: 'c' }] }, {}],
      },
      [
        ['input', 'amount'],
        ['input', 'date'],
        ['input', 'parents', 1],
        ['input', 'submissions', 0, 'values', 0, 'value'],
        ['input', 'submissions', 0, 'values', 1, 'note'],
        ['input', 'submissions', 1, 'form'],
        ['input', 'submissions', 1, 'values'],
      ],
    ],
  ])('when the variable %s', async (_case, mutation, input, paths) => {
    const answer = await send(mutation, input);
    expect(answer.data).toBeUndefined();
    const { fields, ...others } = refused(answer);
    expect(others).toEqual({ errors: 1, code: 'BAD_USER_INPUT', calls: [] });
    expect(fields.toSorted()).toEqual(paths.toSorted());
  });

  test.each([
    [
      'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id } }',
      { name: 5 },
      [['input', 'first_name']],
    ],
    ['mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id } }', {}, [['input', 'first_name']]],
    [
      'mutation ($value: String!) { createProductTransaction(input: { submissions: [{ form: "F", values: [{ field: "a", value: "b" }, { field: "a", value: $value }] }] }) { id } }',
      { value: null },
      [['input', 'submissions', 0, 'values', 1, 'value']],
    ],
    [
      'mutation ($option: PremiumOptionInput!) { createPremium(input: { name: "A", options: [{ name: "B" }, $option] }) { id } }',
      { option: { amount: 'x', colour: 'red' } },
      [
        ['input', 'options', 1, 'amount'],
        ['input', 'options', 1, 'colour'],
      ],
    ],
    ['mutation ($id: ID!) { updateCompany(id: $id, input: {}) { id } }', { id: { a: 1 } }, [['id']]],
  ])('when a variable within a literal does not fit: %s', async (document, variables, paths) => {
    const answer = await gateway.query(document, variables);
    expect(answer.data).toBeUndefined();
    expect(refused(answer)).toEqual(byGateway(...paths));
  });

  test.each([
    'mutation { createFarmer(input: {}) { id } }',
    'mutation { createFarmer(input: { first_name: 5 }) { id } }',
    'mutation { createFarmer(input: { first_name: null }) { id } }',
    'mutation { createFarmer(input: { first_name: "A", no_such_field: "B" }) { id } }',
    'mutation { createFarmer { id } }',
    'mutation { createPremium(input: { name: "A", category: GIFT }) { id } }',
    'mutation { createPremium(input: { name: "A", category: "PAYOUT" }) { id } }',
    'mutation ($name: String) { createFarmer(input: { first_name: $name }) { id } }',
    'mutation { createFarmer(input: { first_name: "A", created_on: "yesterday" }) { id } }',
    'mutation { createFarmer(input: { first_name: "A" }) { id shoe_size } }',
    'mutation { removeFarmer(id: "A") { id } }',
  ])('when the document does not fit the schema: %s', async (document) => {
    const answer = await gateway.query(document);
    expect(answer).toMatchObject({ status: 400, data: undefined, calls: [] });
    for (const { extensions } of answer.errors) expect(extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(answer.errors).not.toEqual([]);
  });

  test('when the document is not GraphQL', async () => {
    const answer = await gateway.query('mutation { createFarmer(input: { first_name: "A" }) { id }');
    expect(answer).toMatchObject({
      status: 400,
      calls: [],
      errors: [{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }],
    });
  });

  test.each<[Mutation, () => object, (string | number)[]]>([
    ['createFarmer', () => ({ first_name: 'A', buyer: 'NOSUCHIDXX' }), ['buyer']],
    ['createFarmer', () => ({ first_name: 'A', email: 'no address' }), ['email']],
    ['createCompany', () => ({ name: 'A', currency: 'NOSUCHIDXX' }), ['currency']],
    ['createCompanyMember', () => ({ user: { email: 'no address' } }), ['user', 'email']],
    ['createEntityCard', () => ({ card: { card_id: 'A' }, entity: 'NOSUCHIDXX' }), ['entity']],
    ['createPremium', () => ({ name: 'A', options: [{}, { creator: 'NOSUCHIDXX' }] }), ['options', 1, 'creator']],
    ['createForm', () => ({ fields: [], owner: ids.farmer }), ['owner']],
    [
      'createProductTransaction',
      () => ({
        amount: '1',
        source: ids.farmer,
        destination: ids.company,
        product: ids.product,
        currency: ids.currency,
        submissions: [
          {
            form: ids.form,
            values: [
              { field: ids.field, value: '1' },
              { field: 'nothing', value: '1' },
            ],
          },
        ],
      }),
      ['submissions', 0, 'values', 1, 'field'],
    ],
  ])('when the service refuses what %s holds', async (mutation, input, path) => {
    const answer = await send(mutation, input());
    expect(answer.data).toEqual({ [mutation]: null });
    expect(answer.errors[0]).toMatchObject({
      path: [mutation],
      extensions: { upstream_status: 400, retryable: false },
    });
    expect(refused(answer)).toEqual({
      errors: 1,
      code: 'BAD_USER_INPUT',
      fields: [['input', ...path]],
      calls: [expect.stringMatching(/^POST /)],
    });
  });

  test('and reports all validation errors of the service at once', async () => {
    const answer = await send('createProductTransaction', {
      source: 'NOSUCHIDXX',
      parents: [ids.transaction, 'NOSUCHIDXX'],
      transaction_payments: [{}, { premium: 'NOSUCHIDXX' }],
    });
    expect(refused(answer).fields.toSorted()).toEqual(
      [
        ['input', 'amount'],
        ['input', 'source'],
        ['input', 'destination'],
        ['input', 'product'],
        ['input', 'currency'],
        ['input', 'parents', 1],
        ['input', 'transaction_payments', 1, 'premium'],
      ].toSorted(),
    );
  });

  test('when the client sends no key: each field is UNAUTHENTICATED', async () => {
    const document =
      'mutation { a: createFarmer(input: { first_name: "A" }) { id } b: createPremium(input: { name: "B" }) { id } }';
    const { status, data, errors, calls } = await gateway.query(document, {}, { key: null });
    expect({ status, data, calls }).toEqual({ status: 200, data: { a: null, b: null }, calls: [] });
    expect(errors).toMatchObject([
      { path: ['a'], extensions: { code: 'UNAUTHENTICATED' } },
      { path: ['b'], extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });

  test('when the service does not know the key: each field is UNAUTHENTICATED', async () => {
    const document = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
    const { status, data, errors } = await gateway.query(document, {}, { key: 'a-stranger' });
    expect({ status, data }).toEqual({ status: 200, data: { createFarmer: null } });
    expect(errors).toMatchObject([
      { path: ['createFarmer'], extensions: { code: 'UNAUTHENTICATED', upstream_status: 401, retryable: false } },
    ]);
    expect(JSON.stringify(errors)).not.toContain('a-stranger');
  });
});

test('the gateway answers introspection without a key', async () => {
  const { status, data, errors, calls } = await gateway.query('{ __schema { queryType { name } } }', {}, { key: null });
  expect({ status, data, errors, calls }).toEqual({
    status: 200,
    data: { __schema: { queryType: { name: 'Query' } } },
    errors: [],
    calls: [],
  });
});

test('the gateway counts lengths in code points: 100 seedlings are 100 characters', async () => {
  const { errors } = await send('createFarmer', { first_name: '🌱'.repeat(100), house_name: '👩‍🌾'.repeat(33) });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toEqual({ first_name: '🌱'.repeat(100), house_name: '👩‍🌾'.repeat(33) });
});

test('the gateway sends texts at their bound, and empty texts without a lower bound', async () => {
  const input = { first_name: 'a', number: '1234567890', last_name: '', description: 'd'.repeat(500) };
  const { errors } = await send('createFarmer', input);
  expect(errors).toEqual([]);
});
