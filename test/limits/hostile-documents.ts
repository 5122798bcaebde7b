import { getIntrospectionQuery } from 'graphql';

/** A request that costs its sender little and a careless server much. */
export interface Attack {
  name: string;
  /** The code of the refusal; undefined where an answer without a call is allowed. */
  code: string | undefined;
  /** The body of a POST. */
  body: string;
  headers: Record<string, string>;
}

const maxBodyBytes = 256 * 1024;

const times = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');
const nested = (open: string, close: string, levels: number, core = ''): string =>
  open.repeat(levels) + core + close.repeat(levels);
const list = (selection: string): string => `{ farmers(limit: 1) { results { ${selection} } } }`;
const ofSchema = (selection: string): string => `{ __schema { ${selection} } }`;
const creating = (input: string): string => `mutation { createFarmer(input: ${input}) { id } }`;
const fragments = (count: number, type: string, selection: (n: number) => string): string =>
  times(count, (n) => `fragment F${n} on ${type} { ${selection(n)} }`);
/** A name like one of the schema, so that graphql-js searches long for a suggestion. */
const nearly = (name: string, n: number, length: number): string => `${name.padEnd(length - 3, name)}${100 + n}`;
/** The document, after as much filler as fits into a body. */
const behind = (filler: string, query: string): string => {
  const room = maxBodyBytes - JSON.stringify({ query, variables: {} }).length;
  return filler.repeat(Math.floor(room / (JSON.stringify(filler).length - 2))) + query;
};
const textOf = (pattern: string, bytes = 240_000): string => pattern.repeat(Math.floor(bytes / pattern.length));

type Row = [name: string, code: string | undefined, query: string, variables?: object];

const tooComplex = 'QUERY_TOO_COMPLEX';
const invalid = 'GRAPHQL_VALIDATION_FAILED';
const wrongInput = 'BAD_USER_INPUT';
const badRequest = 'BAD_REQUEST';

const toParse: Row[] = [
  ['braces 600 deep', tooComplex, nested('{a', '}', 600)],
  ['braces 60,000 deep', tooComplex, nested('{a', '}', 60_000)],
  ['braces that never close', tooComplex, textOf('{a')],
  ['80,000 fields', tooComplex, `{ ${textOf('a ')} }`],
  ['types of variables 900 deep', invalid, `query ($v: ${nested('[', ']', 900, 'Int')}) { __typename }`],
  ['lists 990 deep', invalid, `{ farmer(id: ${nested('[', ']', 985)}) { id } }`],
  ['lists 100,000 deep', tooComplex, `{ farmer(id: ${nested('[', ']', 100_000)}) { id } }`],
  ['objects 490 deep', invalid, `{ farmer(id: ${nested('{a:', '}', 490, '1')}) { id } }`],
  ['a comment of 256 KiB', invalid, behind('#', '\n{ nothing }')],
  ['256 KiB of comments', tooComplex, behind('#\n', '{ nothing }')],
  ['256 KiB of commas', invalid, behind(',', '{ nothing }')],
  ['256 KiB of line ends before an unknown field', tooComplex, behind('\n', '{ nothing }')],
  ['256 KiB of carriage returns before an unknown field', tooComplex, behind('\r', '{ nothing }')],
  ['256 KiB of line ends before unknown fields', tooComplex, behind('\n', `{ ${times(19, (n) => `a${n}`)} }`)],
  ['256 KiB of line ends before no syntax', tooComplex, behind('\n', '{ farmers(}')],
  ['a name of 240 KB', invalid, `{ ${textOf('name')} }`],
  ['a text of 240 KB', invalid, `{ farmer(id: "${textOf('a')}") { nothing } }`],
  ['a text of 40,000 escapes', invalid, `{ farmer(id: "${textOf('\\u0061', 220_000)}") { nothing } }`],
  ['a text of 20,000 emoji', invalid, `{ farmer(id: "${textOf('🧑‍🌾', 100_000)}") { nothing } }`],
  ['a block of 80,000 lines', tooComplex, `{ farmer(id: """${textOf('\n ', 160_000)}""") { nothing } }`],
  ['half of a pair of surrogates', badRequest, '{ farmer(id: "\ud83e") { nothing } }'],
];

const toValidate: Row[] = [
  ['600 unknown fields', tooComplex, list(times(600, (n) => `a${n}`))],
  ['100 unknown fields with names of 2,000 letters', invalid, list(times(100, (n) => nearly('creator', n, 2_000)))],
  [
    '600 unknown arguments',
    invalid,
    `{ farmers(${times(600, (n) => `${nearly('first_name', n, 40)}: 1`)}) { count } }`,
  ],
  ['600 equal arguments', invalid, `{ farmers(${'limit: 1 '.repeat(600)}) { count } }`],
  ['390 unknown types', invalid, `query (${times(390, (n) => `$v${n}: CreateFarmerInpu${n}`)}) { __typename }`],
  ['390 variables that nothing uses', invalid, `query (${times(390, (n) => `$v${n}: Int`)}) { __typename }`],
  ['390 equal variables', invalid, `query (${'$v: Int '.repeat(390)}) { farmers(limit: $v) { count } }`],
  [
    'a long name in each error',
    invalid,
    `query ${textOf('q', 230_000)} { ${times(19, (n) => `a${n}: farmers(limit: $v${n}) { count }`)} }`,
  ],
  ['660 anonymous operations', invalid, '{ a } '.repeat(660)],
  ['390 operations', badRequest, times(390, (n) => `query q${n} { __typename }`)],
  ['390 operations of one name', invalid, 'query q { __typename } '.repeat(390)],
  ['240 type definitions', invalid, times(240, (n) => `type T${n} { a: Int }`)],
  ['280 fragments that nothing spreads', invalid, `{ __typename } ${fragments(280, 'Farmer', () => 'id')}`],
  [
    '240 fragments in a row',
    undefined,
    `{ ...F0 } ${fragments(240, 'Query', (n) => `...F${n + 1}`)} fragment F240 on Query { __typename }`,
  ],
  ['240 fragments in a circle', invalid, `{ ...F0 } ${fragments(240, 'Query', (n) => `...F${(n + 1) % 240}`)}`],
  [
    '30 fragments that all spread each other',
    tooComplex,
    `{ ...F0 } ${fragments(30, 'Query', () => times(30, (n) => `...F${n}`))}`,
  ],
  [
    '20 levels of doubled fragments',
    tooComplex,
    `{ ...F0 } ${fragments(20, 'Query', (n) => `...F${n + 1} ... { ...F${n + 1} }`)} fragment F20 on Query { __typename }`,
  ],
  [
    '100 operations that share 80 fragments',
    badRequest,
    `${times(100, (n) => `query q${n} { ...F0 }`)} ${fragments(80, 'Query', (n) => `...F${n + 1}`)}
     fragment F80 on Query { __typename }`,
  ],
  ['600 unknown fragments', tooComplex, list(times(600, (n) => `...F${n}`))],
  ['1,900 times the same field', tooComplex, list('id '.repeat(1_900))],
  ['300 times the same object', tooComplex, list('buyer{id}'.repeat(300))],
  ['300 times the same object, in inline fragments', tooComplex, list('...{buyer{id}}'.repeat(270))],
  [
    '300 times the same object, in fragments',
    tooComplex,
    `${list(times(130, (n) => `...F${n}`))} ${fragments(130, 'Farmer', () => 'buyer { id }')}`,
  ],
  [
    '300 times the same object, where nothing asks for it',
    tooComplex,
    `{ __typename } fragment F on Farmer { ${'buyer{id}'.repeat(300)} } fragment F on Farmer { id }`,
  ],
  ['80 times the same object and fields', invalid, list(`buyer{${'id '.repeat(8)} nothing}`.repeat(80))],
  ['450 aliases that conflict', tooComplex, list(times(450, (n) => `a: ${['id', 'name'][n % 2]}`))],
  ['980 directives at one field', tooComplex, `{ __typename ${'@a'.repeat(980)} }`],
  ['180 directives', tooComplex, list(times(90, () => `id @skip(if: true) @include(if: true)`))],
  ['600 aliases', tooComplex, list(times(600, (n) => `a${n}: id`))],
  ['210 lists', tooComplex, `{ ${times(210, (n) => `a${n}: farmers { count }`)} }`],
  ['150 mutations', tooComplex, `mutation { ${times(150, (n) => `a${n}: updateUser(id: 1, input: {}) { id }`)} }`],
  [
    '20 lists of 1,000 rows with references',
    tooComplex,
    `{ ${times(20, (n) => `a${n}: productTransactions(limit: 1000, offset: ${n}) { results { ...R } }`)} }
     fragment R on ProductTransaction { source { buyer { members { managing_entitys { name } } } } parents { id } }`,
  ],
  ['1,800 wrong enum values', invalid, creating(`{ first_name: [${times(1_800, (n) => `GRANTE${n}`)}] }`)],
  ['600 wrong input fields', invalid, creating(`{ ${times(600, (n) => `${nearly('last_name', n, 40)}: 1`)} }`)],
  ['1,900 wrong items', invalid, `mutation { createForm(input: { fields: [${'1 '.repeat(1_900)}] }) { id } }`],
];

const toIntrospect: Row[] = [
  ['the standard introspection query', undefined, getIntrospectionQuery()],
  ['the schema in circles', tooComplex, ofSchema(`types { ${nested('fields { type {', '} }', 150, 'name')} }`)],
  ['the schema in two circles', undefined, ofSchema(`types { ${nested('fields { type {', '} }', 2, 'name kind')} }`)],
  ['the schema of types', invalid, ofSchema(`types { ${nested('possibleTypes { interfaces {', '} }', 9, 'name')} }`)],
  ['types of types', tooComplex, ofSchema(`types { fields { type { ${nested('ofType {', '}', 300, 'name')} } } }`)],
  [
    'the schema 20 times',
    tooComplex,
    `{ ${times(20, (n) => `a${n}: __schema { ...S }`)} }
     fragment S on __Schema { types { name description fields { name description type { name } args { name } } } }`,
  ],
  [
    'the schema under aliases',
    tooComplex,
    ofSchema(`types { fields { ${times(29, (n) => `a${n}: type { name description fields { name } }`)} } }`),
  ],
  [
    'one type 19 times',
    undefined,
    `{ ${times(19, (n) => `a${n}: __type(name: "Company") { fields { name description type { name kind } } }`)} }`,
  ],
];

const toCoerce: Row[] = [
  [
    'a variable with 10,000 wrong fields',
    wrongInput,
    'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }',
    { input: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`first_nam${n}`, 1])) },
  ],
  [
    'a variable with 500 wrong fields of long names',
    wrongInput,
    'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }',
    { input: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [nearly('first_name', n, 400), 1])) },
  ],
  [
    'a variable with 50,000 wrong items',
    wrongInput,
    'mutation ($i: CreateProductTransactionInput!) { createProductTransaction(input: $i) { id } }',
    { i: { parents: Array.from({ length: 50_000 }, () => true) } },
  ],
  [
    'an enum variable of 240 KB',
    wrongInput,
    'mutation ($i: CreatePremiumInput!) { createPremium(input: $i) { id } }',
    { i: { category: textOf('PAYOUT') } },
  ],
];

const tower = nested('[', ']', 100_000);
/** As text: nothing could be made of these that could be written as JSON again. */
const bodies: Omit<Attack, 'headers'>[] = [
  { name: 'a batch of 9,000', code: badRequest, body: `[${textOf('{"query":"{a}"},', 240_000)}{}]` },
  { name: 'a body 130,000 lists deep', code: badRequest, body: nested('[', ']', 130_000) },
  { name: 'a query 100,000 lists deep', code: badRequest, body: `{"query":${tower}}` },
  { name: 'extensions 100,000 lists deep', code: invalid, body: `{"query":"{ nothing }","extensions":{"a":${tower}}}` },
  {
    name: 'a variable that nothing declares, 100,000 lists deep',
    code: undefined,
    body: `{"query":"{ __typename }","variables":{"a":${tower}}}`,
  },
  ...[
    ['an id', 'query ($v: ID!) { farmer(id: $v) { id } }'],
    ['a date-time', 'query ($v: DateTime) { farmers(updated_after: $v) { count } }'],
    ['an input', 'mutation ($v: CreateFarmerInput!) { createFarmer(input: $v) { id } }'],
    ['a number', 'query ($v: Int) { farmers(limit: $v) { count } }'],
    ['a condition', 'query ($v: Boolean!) { __typename @skip(if: $v) }'],
  ].map(([what, query]) => ({
    name: `${what} 100,000 lists deep`,
    code: wrongInput,
    body: `{"query":${JSON.stringify(query)},"variables":{"v":${tower}}}`,
  })),
  {
    name: 'a prototype among the variables',
    code: wrongInput,
    body: `{"query":"mutation ($v: CreateFarmerInput!) { createFarmer(input: $v) { id } }",
            "variables":{"__proto__":{"v":1},"v":{"__proto__":{"first_name":"a"},"constructor":1}}}`,
  },
  { name: 'a body of 257 KiB', code: 'PAYLOAD_TOO_LARGE', body: ' '.repeat(257 * 1024) },
];

/** At every step between the socket and the first call of the service; each is known by its name. */
export const attacks: readonly Attack[] = [
  ...[...toParse, ...toValidate, ...toIntrospect, ...toCoerce].map(([name, code, query, variables = {}]) => {
    return { name, code, body: JSON.stringify({ query, variables }), headers: {} };
  }),
  ...bodies.map((attack) => ({ ...attack, headers: {} })),
  {
    name: 'variables 100,000 lists deep under an Idempotency-Key',
    code: badRequest,
    body: `{"query":${JSON.stringify(creating('{ first_name: "A", last_name: "B" }'))},"variables":{"a":${tower}}}`,
    headers: { 'idempotency-key': 'hostile' },
  },
];
