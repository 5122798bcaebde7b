import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from './harness.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const nested = (depth: number) =>
  `{ farmers(limit: 1) { results { ${'buyer { '.repeat(depth - 3)} id ${'} '.repeat(depth - 3)} } } }`;
/** Fragments that each spread the next one twice: the text is short, and stands for 2^22 fields. */
const exploding = [
  '{ farmers { results { ...F0 } } }',
  ...Array.from({ length: 22 }, (_, n) => `fragment F${n} on Farmer { a: id ...F${n + 1} ... { ...F${n + 1} } }`),
  'fragment F22 on Farmer { id }',
].join(' ');
const deepExploding = [
  '{ farmers(limit: 1) { results { buyer { ...F0 } } } }',
  ...Array.from(
    { length: 12 },
    (_, n) => `fragment F${n} on Company { a: buyer { ...F${n + 1} } b: buyer { ...F${n + 1} } }`,
  ),
  'fragment F12 on Company { id }',
].join(' ');

/** Ten lists of a hundred fields each, and some more fields. */
const wide = (more: string) => `
  { ${Array.from({ length: 10 }, (_, n) => `list${n}: farmers(limit: 1) { results { ...F } }`).join(' ')} ${more} }
  fragment F on Farmer { ${Array.from({ length: 98 }, (_, n) => `f${n}: id`).join(' ')} }`;
const chain = `
  { farmers { results { buyer { ...A } } } }
  fragment A on Company { buyer { buyer { ...B } } }
  fragment B on Company { buyer { buyer { buyer { buyer { buyer { id } } } } } }`;

test.each([
  ['too deep', nested(11)],
  ['too deep through its fragments', chain],
  ['too deep in an operation that is not the one to run', `query A { __typename } query B ${nested(11)}`],
  ['too wide', wide('__typename')],
  ['of too many tokens', `{ ${'__typename '.repeat(2001)} }`],
  ['an explosion of fragments', exploding],
  ['an explosion of fragments in depth', deepExploding],
])('a document that is %s is refused before any call', async (_case, query) => {
  const { status, data, errors, calls } = await gateway.query(query);
  expect({ status, data, calls }).toEqual({ status: 400, data: undefined, calls: [] });
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX', retryable: false } }]);
});

test.each([
  ['deep', nested(10)],
  ['wide', wide('')],
])('a document that is as %s as allowed runs', async (_case, query) => {
  const { status, errors } = await gateway.query(query);
  expect({ status, errors }).toEqual({ status: 200, errors: [] });
});

test('a document whose fragments go in circles is refused before any call', async () => {
  const { status, errors, calls } = await gateway.query(`
    { farmers { results { ...A } } }
    fragment A on Farmer { buyer { ...B } }
    fragment B on Company { creator { id } buyer { ...B } }`);
  expect({ status, calls }).toEqual({ status: 400, calls: [] });
  expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
});

test('the standard introspection query passes, with all that it can ask', async () => {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  const { status, data, errors } = await gateway.query(query);
  expect({ status, errors }).toEqual({ status: 200, errors: [] });
  expect(data.__schema.mutationType.name).toBe('Mutation');
});

test('the limits are settings', async () => {
  const strict = await startGateway({ settings: { MAX_DEPTH: '2', MAX_SELECTIONS: '3', MAX_TOKENS: '12' } });
  expect((await strict.query('{ farmers { count } }')).errors).toEqual([]);
  for (const query of [
    '{ farmers { results { id } } }',
    '{ a: __typename b: __typename c: __typename __typename }',
    '{ __typename @include(if: true) @skip(if: false) }',
  ]) {
    expect((await strict.query(query)).errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  }
  await strict.close();
});
