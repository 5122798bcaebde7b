import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openingExamples } from '../../packages/graphiql/examples.ts';
import type { Answer } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { attacks } from './hostile-documents.ts';

let gateway: Gateway;
let strict: Gateway;
let closed: Gateway;
/** Unforeseen errors, which answers mask. */
const logged: string[] = [];

beforeAll(async () => {
  [gateway, strict, closed] = await Promise.all([
    startGateway({ settings: { LOG_LEVEL: 'error' }, log: (line) => logged.push(line) }),
    startGateway({
      settings: {
        'limits.operations.cost': '70',
        'limits.documents.directivesPerNode': '1',
        'limits.documents.tokens': '60',
      },
    }),
    startGateway({ settings: { INTROSPECTION: 'false' } }),
  ]);
});
afterAll(() => Promise.all([gateway, strict, closed].map((each) => each.close())));

const times = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');

const limited: [what: string, document: (count: number) => string, most: number, message: string][] = [
  [
    'fields deep',
    (count) => `{ farmers(limit: 1) { results { ...A } } } fragment A on Farmer { ${nested(count - 2)} }`,
    10,
    'The operation has 11 levels of fields; 10 are allowed (limits.documents.depth).',
  ],
  [
    'fields wide',
    (
      count,
    ) => `{ ${times(10, (n) => `list${n}: farmers(limit: 1) { results { ...F } }`)} ${times(count - 1_000, () => 'x: __typename')} }
                fragment F on Farmer { ${times(98, () => 'id')} }`,
    1_000,
    'The operation has 1001 fields; 1000 are allowed (limits.documents.fields).',
  ],
  [
    'fields wide at its root',
    (count) => `{ ...R ${times(count - 10, () => '__typename')} }
                fragment R on Query { ${times(10, (n) => `b${n}: farmers(limit: 1) { count }`)} }`,
    20,
    'The operation has 21 fields at its root; 20 are allowed (limits.documents.rootFields).',
  ],
  [
    'aliases long',
    (count) => `{ farmers(limit: 1) { results { x: id ...A } } }
                fragment A on Farmer { ${times(count - 1, (n) => `a${n}: id`)} }`,
    30,
    'The operation has 31 aliases; 30 are allowed (limits.documents.aliases).',
  ],
  [
    'directives long',
    (count) => `query ($yes: Boolean! = true) { farmers(limit: 1) { results { ...F @skip(if: false) } } }
                fragment F on Farmer { ${times(count - 1, () => 'id @include(if: $yes)')} }`,
    20,
    'The operation has 21 directives; 20 are allowed (limits.documents.directives).',
  ],
  [
    'fields of one object wide',
    (count) => `{ farmers(limit: 1) { results { ...F ... { ${times(count - 60, () => 'id')} } } } }
                fragment F on Farmer { ${times(60, () => 'id')} }`,
    120,
    'The operation has 121 fields of one object; 120 are allowed (limits.documents.fieldsPerObject).',
  ],
];

function nested(depth: number): string {
  return `${'buyer { '.repeat(depth - 1)} id ${'} '.repeat(depth - 1)}`;
}

test.each(limited)('a document with the allowed number of %s runs', async (_what, document, most) => {
  const { status, errors } = await gateway.query(document(most));
  expect({ status, errors }).toEqual({ status: 200, errors: [] });
});

test.each(limited)('a document with one more %s is refused before any call', async (_what, document, most, message) => {
  const { status, data, errors, calls } = await gateway.query(document(most + 1));
  expect({ status, data, calls }).toEqual({ status: 400, data: undefined, calls: [] });
  expect(errors).toMatchObject([{ message, extensions: { code: 'QUERY_TOO_COMPLEX', retryable: false } }]);
  expect(errors[0]).toHaveProperty('locations');
});

test('all operations of a document are measured, not only the one that runs', async () => {
  const { status, errors } = await gateway.query(
    `query A { __typename } query B { farmers { results { ${nested(9)} } } }`,
  );
  expect({ status, code: errors[0]?.extensions.code }).toEqual({ status: 400, code: 'QUERY_TOO_COMPLEX' });
});

test.each(attacks)('$name: the gateway refuses with a short answer and no call', async ({ code, body, headers }) => {
  gateway.sandbox.clearCalls();
  const json = { 'content-type': 'application/json' };
  const response = await gateway.send({ headers: { ...json, ...headers }, body });
  const { errors = [] } = (await response.json()) as Pick<Answer, 'errors'>;

  expect(response.status, logged.join('')).toSatisfy((status: number) =>
    code ? status === 400 || status === 413 : status === 200,
  );
  expect(errors[0]?.extensions ?? {}).toMatchObject(code ? { code } : {});
  expect(errors.length).toBeLessThanOrEqual(code ? 11 : 0);
  expect(Math.max(0, ...errors.map(({ message }) => message.length))).toBeLessThanOrEqual(1_001);
  expect(gateway.sandbox.calls()).toEqual([]);
});

describe('the cost of an operation', () => {
  const rows = '{ farmers(limit: $rows) { count results { buyer { members { id } } } pageInfo { endCursor } } }';

  test.each([
    ['rows with all that is in them, of lists two', rows.replace('$rows', '17'), rows.replace('$rows', '18')],
    [
      '20 rows where no number is given',
      '{ farmers { edges { node { buyer { id } } } } }',
      '{ farmers { edges { node { buyer { buyer { id } } } } } }',
    ],
    [
      'what all lists ask for together',
      '{ farmers(first: 20) { results { buyer { id } } } cards(last: 29) { results { id } } farmer(id: "a") { id } }',
      '{ farmers(first: 20) { results { buyer { id } } } cards(last: 30) { results { id } } farmer(id: "a") { id } }',
    ],
  ])('counts %s', async (_what, within, beyond) => {
    expect((await strict.query(within)).status).toBe(200);
    const { status, errors, calls } = await strict.query(beyond);
    expect({ status, calls }).toEqual({ status: 400, calls: [] });
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/about \d+ objects; 70 are allowed \(limits\.operations\.cost\)/),
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    ]);
  });

  test('follows the variables, however often the operation was sent before', async () => {
    const query = `query ($rows: Int) ${rows}`;
    const statuses = [];
    for (const number of [17, 18, 17, 18]) statuses.push((await strict.query(query, { rows: number })).status);
    expect(statuses).toEqual([200, 400, 200, 400]);
  });

  test('is part of the trace', async () => {
    const options = { headers: { 'x-trace-upstream': 'true' } };
    const { extensions } = await strict.query('{ farmers(limit: 3) { results { id } } cards { count } }', {}, options);
    expect(extensions).toMatchObject({ upstream: { estimate: { cost: 4 } } });
  });

  test('allows as many rows as limits.operations.pageSize, with their references', async () => {
    const [{ query = '' } = {}] = openingExamples;
    expect(query).toContain('first: 5');
    const { status } = await gateway.query(query.replace('first: 5', 'first: 1000'));
    expect(status).toBe(200);
  });
});

test('directives at one place and lines of a document have limits', async () => {
  for (const [query, message] of [
    [
      '{ __typename @include(if: true) @skip(if: false) }',
      'The operation has 2 directives at one place; 1 are allowed (limits.documents.directivesPerNode).',
    ],
    [
      'query ($a: Int @x @y) { farmers(limit: $a) { count } }',
      'The operation has 2 directives at one place; 1 are allowed (limits.documents.directivesPerNode).',
    ],
    [`{ __typename ${'\n'.repeat(60)} }`, 'The document has more than 60 lines (limits.documents.tokens).'],
    [`{ ${'__typename '.repeat(60)} }`, 'The document has more than 60 tokens (limits.documents.tokens).'],
  ] as const) {
    const { status, errors } = await strict.query(query);
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'QUERY_TOO_COMPLEX' } },
    ]);
  }
  expect((await strict.query(`{ __typename ${'\n'.repeat(59)} }`)).status).toBe(200);
});

describe('introspection', () => {
  const everything = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });

  test('passes with the standard query and all its options', async () => {
    const { status, data, errors } = await gateway.query(everything);
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    expect(data.__schema.mutationType.name).toBe('Mutation');
  });

  test.each([
    [
      'three times',
      `${everything} ${times(3, (n) => `fragment S${n} on Query { a${n}: __schema { types { ...FullType } } }`)}`.replace(
        '{',
        '{ ...S0 ...S1 ...S2',
      ),
    ],
    ['too deep', `{ __type(name: "Farmer") { ${'ofType { '.repeat(40)} name ${'} '.repeat(40)} } }`],
  ])('refuses %s', async (_how, query) => {
    const { status, errors } = await gateway.query(query);
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('as the standard introspection query'),
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    ]);
  });

  test('can be switched off', async () => {
    for (const query of [
      everything,
      '{ __type(name: "Farmer") { name } }',
      'query A { __typename } query B { ...F } fragment F on Query { ... { __schema { description } } }',
    ]) {
      const { status, errors, data } = await closed.query(query, {}, { key: null });
      expect({ status, data }).toEqual({ status: 400, data: undefined });
      expect(errors).toMatchObject([
        {
          message: 'Introspection is switched off (INTROSPECTION).',
          locations: [{}],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ]);
    }
    const { data, errors } = await closed.query('{ __typename farmers(limit: 1) { results { __typename } } }');
    expect({ data, errors }).toEqual({
      data: { __typename: 'Query', farmers: { results: [{ __typename: 'Farmer' }] } },
      errors: [],
    });
  });

  const misspelt: [query: string, variables: object, name: string][] = [
    ['{ farmer(id: "a") { first_nam } }', {}, '"first_name"'],
    // Names of fields that stand one object below.
    ['{ farmers { city } }', {}, '"results { city }"'],
    ['{ farmers { results { id } hasNextPage } }', {}, '"pageInfo { hasNextPage }"'],
    ['{ farmers(updated_afte: 1) { count } }', {}, '"updated_after"'],
    ['{ farmer(id: "a") { ... on Farme { id } } }', {}, '"Farmer"'],
    ['mutation { createPremium(input: { categor: 1 }) { id } }', {}, '"category"'],
    ['mutation { createPremium(input: { category: PAYOU }) { id } }', {}, 'PAYOUT or TRANSACTION'],
    ['mutation ($i: CreatePremiumInput!) { createPremium(input: $i) { id } }', { i: { categor: 1 } }, '"category"'],
    [
      'mutation ($i: CreatePremiumInput!) { createPremium(input: $i) { id } }',
      { i: { category: 'PAYOU' } },
      'PAYOUT or TRANSACTION',
    ],
  ];

  test.each(misspelt)('switched off gives no hints on %s', async (query, variables, name) => {
    const [open, hidden] = [await gateway.query(query, variables), await closed.query(query, variables)];
    expect([open.status, hidden.status]).toEqual([400, 400]);
    const textOf = ({ errors }: Answer) => JSON.stringify(errors).replaceAll('\\"', '"');
    expect(textOf(open)).toContain(name);
    expect(textOf(hidden)).not.toContain(name);
  });
});
