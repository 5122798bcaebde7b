import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

/** Sends one field of a product transaction as a variable; the other ones are in order. */
async function sendField(field: string, value: unknown) {
  const { farmer: source, company: destination, product, currency } = ids;
  const input = { amount: '1', source, destination, product, currency, [field]: value };
  const answer = await gateway.query(
    `mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { ${field} } }`,
    { input },
  );
  return { ...answer, sent: (lastBody(gateway.sandbox) as Json)?.[field] };
}

/** The same as a literal of the document. */
async function writeField(field: string, literal: string) {
  const { farmer, company, product, currency } = ids;
  const amount = field === 'amount' ? '' : 'amount: "1"';
  const answer = await gateway.query(`mutation {
    createProductTransaction(input: {
      ${amount} source: "${farmer}" destination: "${company}" product: "${product}" currency: "${currency}" ${field}: ${literal}
    }) { ${field} }
  }`);
  return { ...answer, sent: (lastBody(gateway.sandbox) as Json)?.[field] };
}

describe('Decimal', () => {
  test.each([
    ['120.500', '120.500'],
    ['0', '0'],
    ['-0.001', '-0.001'],
    ['9007199254740993.123', '9007199254740993.123'],
    ['007', '007'],
    [12.5, '12.5'],
    [3, '3'],
    [-7, '-7'],
    [0.1, '0.1'],
    [999999999999999, '999999999999999'],
  ])('accepts %j and sends %j', async (value, text) => {
    const { errors, sent } = await sendField('quantity', value);
    expect(errors).toEqual([]);
    expect(sent).toBe(text);
  });

  test('sends a fourth decimal, and says that the service rounds it', async () => {
    const { errors, sent } = await sendField('quantity', 99999999999.9999);
    expect(errors).toMatchObject([
      { extensions: { code: 'INPUT_NOT_STORED', fields: [{ path: ['input', 'quantity'] }] } },
    ]);
    expect(sent).toBe('99999999999.9999');
  });

  test.each([
    ['12.500', '12.500'],
    ['"12.500"', '12.500'],
    ['9007199254740993.123', '9007199254740993.123'],
    ['0.10', '0.10'],
    ['-3', '-3'],
  ])('accepts the literal %s digit for digit', async (literal, text) => {
    const { errors, sent } = await writeField('amount', literal);
    expect(errors).toEqual([]);
    expect(sent).toBe(text);
  });

  test.each([
    9007199254740992,
    1234567890123456,
    0.1234567890123456,
    1e21,
    1e-7,
    '1e3',
    '1E3',
    '',
    ' 1',
    '1,5',
    '.5',
    '5.',
    '+5',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    true,
    {},
    [[1]],
  ])('refuses %j before anything is sent', async (value) => {
    const { errors, calls } = await sendField('quantity', value);
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'quantity'] }] } },
    ]);
    expect(calls).toEqual([]);
  });

  test.each(['1e3', '"1e3"', '1.5e-3', 'true', 'MUCH', '{ a: 1 }'])('refuses the literal %s', async (literal) => {
    const { errors, calls } = await writeField('amount', literal);
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    expect(calls).toEqual([]);
  });

  test('gives exact text in three decimals, as the service stores it', async () => {
    const { data } = await sendField('quantity', '9007199254740993.123');
    expect(data.createProductTransaction).toEqual({ quantity: '9007199254740993.123' });
  });
});

describe('DateTime', () => {
  test.each([
    ['2026-03-01T08:15:30Z', '2026-03-01T08:15:30Z'],
    ['2026-03-01T08:15:30.123456Z', '2026-03-01T08:15:30.123456Z'],
    ['2026-03-01T10:15:30.123456+02:00', '2026-03-01T10:15:30.123456+02:00'],
    ['2026-03-01T10:15:30-0330', '2026-03-01T10:15:30-0330'],
    ['2026-03-01T08:15', '2026-03-01T08:15Z'],
    ['2026-03-01 08:15:30.5', '2026-03-01 08:15:30.5Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    [1772352930, '2026-03-01T08:15:30Z'],
    ['1772352930', '2026-03-01T08:15:30Z'],
    ['1772352930.123456', '2026-03-01T08:15:30.123456Z'],
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
  ])('takes %j and sends %j', async (value, text) => {
    const { errors, sent } = await sendField('date', value);
    expect(errors).toEqual([]);
    expect(sent).toBe(text);
  });

  test.each([
    1772352930000,
    '1772352930000',
    '2026-03-01',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:30:00Z',
    '2026-03-01T08:60:00Z',
    '2026-03-01T08:15:30+25:00',
    '01-03-2026T08:15:30Z',
    'yesterday',
    '',
    true,
    {},
  ])('refuses %j before anything is sent', async (value) => {
    const { errors, calls } = await sendField('date', value);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'date'] }] } }]);
    expect(calls).toEqual([]);
  });

  test('accepts literals as it accepts variables', async () => {
    expect((await writeField('date', '1772352930')).sent).toBe('2026-03-01T08:15:30Z');
    expect((await writeField('date', '"2026-03-01T08:15:30.5Z"')).sent).toBe('2026-03-01T08:15:30.5Z');
    const { errors, calls } = await writeField('date', '1772352930000');
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    expect(calls).toEqual([]);
  });

  test('is sent as unix seconds in filters', async () => {
    const document = 'query ($after: DateTime) { farmers(updated_after: $after, limit: 1) { count } }';
    for (const after of ['2026-03-01T10:15:30.25+02:00', '1772352930.25', 1772352930.25]) {
      const { errors, calls } = await gateway.query(document, { after });
      expect(errors).toEqual([]);
      expect(calls).toEqual(['GET /supply-chains/farmers/?updated_after=1772352930.25&limit=1&offset=0']);
    }
  });
});

describe('Date', () => {
  const document =
    'mutation ($date: Date) { createFarmer(input: { first_name: "A", date_of_birth: $date }) { date_of_birth } }';

  test.each(['1990-12-31', '2024-02-29', null])('accepts %j and gives it back', async (date) => {
    const { data, errors } = await gateway.query(document, { date });
    expect(errors).toEqual([]);
    expect(data.createFarmer).toEqual({ date_of_birth: date });
  });

  test.each(['2025-02-29', '2026-02-30', '2026-00-10', '90-12-31', '31-12-1990', '1990-12-31T00:00:00Z', '', 1990, {}])(
    'refuses %j before anything is sent',
    async (date) => {
      const { errors, calls } = await gateway.query(document, { date });
      expect(errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'date_of_birth'] }] } },
      ]);
      expect(calls).toEqual([]);
    },
  );
});

test('an infinite Float is refused, not sent as null', async () => {
  const { errors, calls } = await gateway.query(
    'mutation { createPremium(input: { name: "A", amount: 1e400 }) { id } }',
  );
  expect(errors).not.toEqual([]);
  expect(calls).toEqual([]);
});

describe('a value from the service', () => {
  let proxy: FakeUpstream;
  let behindProxy: Gateway;
  beforeAll(async () => {
    proxy = await startFakeUpstream({ target: gateway.sandbox.url });
    behindProxy = await startGateway({ upstreamUrl: proxy.url });
  });
  afterAll(async () => {
    await behindProxy.close();
    await proxy.close();
  });
  const answerWith = (body: object) => {
    proxy.respond = () => ({ status: 200, body: JSON.stringify({ id: 'A', ...body }) });
  };
  const transaction = (selection: string) => behindProxy.query(`{ productTransaction(id: "A") { id ${selection} } }`);

  test.each([
    ['2026-03-01T08:15:30.123456+02:00', '2026-03-01T08:15:30.123456+02:00'],
    ['2026-03-01T08:15:30', '2026-03-01T08:15:30'],
    ['1772352930', '2026-03-01T08:15:30Z'],
    [1772352930, '2026-03-01T08:15:30Z'],
    [1772352930.5, '2026-03-01T08:15:30.5Z'],
    [null, null],
  ])('in a date-time field, %j, is given as %j', async (sent, given) => {
    answerWith({ date: sent });
    const { data, errors } = await transaction('date');
    expect(errors).toEqual([]);
    expect(data.productTransaction).toEqual({ id: 'A', date: given });
  });

  test.each([
    ['100.123', '100.123'],
    ['1e3', '1e3'],
    [100.5, '100.5'],
    [null, null],
  ])('in a decimal field, %j, is given as %j', async (sent, given) => {
    answerWith({ quantity: sent });
    expect((await transaction('quantity')).data.productTransaction).toEqual({ id: 'A', quantity: given });
  });

  test.each([
    ['date', 'tomorrow'],
    ['date', { a: 1 }],
    ['date', 1772352930000],
    ['quantity', true],
    ['method', 7],
    ['verification_latitude', 'north'],
  ])('in a field of type %s, %j, is an error of that field alone', async (field, sent) => {
    answerWith({ [field]: sent, number: '7' });
    const { status, data, errors } = await transaction(`${field} number`);
    expect(status).toBe(200);
    expect(data.productTransaction).toEqual({ id: 'A', [field]: null, number: '7' });
    expect(errors).toMatchObject([
      { path: ['productTransaction', field], extensions: { code: 'UPSTREAM_INVALID_RESPONSE', retryable: false } },
    ]);
  });
});
