import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute as executeByGraphQL,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getIntrospectionQuery,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  responsePathAsArray,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { execute } from '../executor/execute.ts';
import type { Field, FieldTree } from '../executor/field-tree.ts';
import { type Operation, ValidDocument } from '../executor/operation.ts';
import type { ExecutionArgs } from '../executor/run.ts';
import { luck, type RandomContext, randomOperation, schema as randomSchema, waitTurns } from './random-schema.ts';

// PROPERTY_RUNS sets the number of documents, PROPERTY_SEED chooses them. A failure prints its seed and smallest document.
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);
const seed = Number(process.env.PROPERTY_SEED ?? 20260701);

type Values = Record<string, unknown>;

/** Values of the root fields. A function is a resolver, here and in the rows below. */
interface Case {
  document: string;
  root?: Values;
  variables?: Values;
}

const schema = buildSchema(`
  enum Color { RED GREEN }
  scalar Odd
  input Filter { word: String = "none", deep: Filter }
  interface Named { name: String, twin: Named }
  interface Aged implements Named { name: String, twin: Named, age: Int }
  type Cat implements Named & Aged {
    name: String, twin: Cat, age: Int, id: ID!, weight: Float, wild: Boolean, length: Float, color: Color, odd: Odd
    must: String!, mustCat: Cat!, kittens: [Cat!], friends: [Any]
    list: [String], items: [String!], listMust: [String]!, itemsMust: [String!]!, grid: [[Int!]]!, cats: [[Cat!]!]
    told(size: Int! = 3, color: Color = RED, filter: Filter): String
    plain(size: Int! = 3): String
  }
  type Dog implements Named { name: String, twin: Dog, must: Int, friends: [Any] }
  union Any = Cat | Dog
  type Query {
    cat: Cat, cats: [Cat], mustCat: Cat!, otherMustCat: Cat!, named: Named, aged: Aged, any: Any, anys: [Any!]!
    text: String, texts: [String!]!, echo(word: String!): String
  }
  type Mutation { first: String, second: String!, third: Cat }
`);
(schema.getType('Odd') as GraphQLScalarType).serialize = (value) => {
  if (value === 'nothing') return null;
  throw value;
};
(schema.getType('Any') as GraphQLUnionType).resolveType = ({ kind }: { kind?: string }) => {
  if (kind === 'none') throw new Error('Of no kind.');
  return kind;
};
for (const type of [schema.getQueryType()!, schema.getMutationType()!]) {
  for (const field of Object.values(type.getFields())) field.resolve = giveFromRoot;
}
(schema.getType('Cat') as GraphQLObjectType).getFields().told!.resolve = (_cat, args) => JSON.stringify(args);

function giveFromRoot(_source: unknown, args: object, root: Values, info: GraphQLResolveInfo): unknown {
  const value = root[info.fieldName];
  return typeof value === 'function' ? value(args, root, info) : value;
}

const boom = () => {
  throw new Error('Boom.');
};
const later =
  (value: unknown, turns = 1) =>
  async () => {
    await waitTurns(turns);
    if (value instanceof Error) throw value;
    return value;
  };
const tom = { __typename: 'Cat', kind: 'Cat', id: 1, name: 'Tom', age: 3, must: 'x', weight: 4.5, wild: false };
const rex = { __typename: 'Dog', kind: 'Dog', name: 'Rex', must: 7 };

const cases: Record<string, Case> = {
  'leaves, in the order of the document': {
    document: '{ cat { wild weight age id name } text }',
    root: { cat: tom, text: later('t') },
  },
  'roots that answer in another order': {
    document: '{ a: cat { name } text b: cat { age } }',
    root: { cat: later(tom, 3), text: later('t', 1) },
  },
  'no value': { document: '{ cat { name twin { name } kittens { id } } text }', root: { cat: { twin: null } } },
  'fields merged across fragments and aliases': {
    document: `{ cat { ...A twin { name } ... on Named { twin { age: name } } n: name } cat { n: name twin { weight } } }
      fragment A on Aged { age ...B twin { ... on Cat { wild } } } fragment B on Cat { name }`,
    root: { cat: { ...tom, twin: tom } },
  },
  'the same field under many aliases': {
    document: '{ a: cat { b: name c: name name: age age: name } d: cat { name } }',
    root: { cat: tom },
  },
  'an alias that sets the prototype of a plain object': {
    document: '{ cat { __proto__: twin { __proto__: name } constructor: name } }',
    root: { cat: { ...tom, twin: tom } },
  },
  'the same alias at the root': { document: '{ __proto__: cat { name } }', root: { cat: tom } },
  'what @skip and @include leave': {
    document: `query ($no: Boolean!, $yes: Boolean! = true) {
      cat { name @skip(if: $yes) age @include(if: $yes) id @skip(if: $no) @include(if: $no) ... @include(if: $no) { wild }
        ...A @skip(if: $yes) ...A @skip(if: $no) ... on Cat @include(if: $yes) { must } twin @include(if: $no) { id } }
      text @skip(if: true)
    } fragment A on Named { name }`,
    root: { cat: tom },
    variables: { no: false },
  },
  'a root of which nothing is left': { document: '{ text @skip(if: true) }' },
  '__typename everywhere': {
    document: `{ __typename kind: __typename cat { __typename twin { t: __typename } } named { __typename name }
      any { __typename ... on Cat { kind: __typename } } }`,
    root: { cat: { twin: {} }, named: rex, any: tom },
  },
  '__typename of a mutation': { document: 'mutation { __typename first }', root: { first: 'one' } },
  'interfaces and unions': {
    document: `{ named { name ... on Cat { age } ... on Dog { must } ... on Aged { years: age } }
      anys { ... on Named { name } ... on Aged { years: age } ... on Cat { id friends { ... on Dog { name } } } ... on Dog { dog: must } } }`,
    root: { named: tom, anys: [rex, { ...tom, friends: [rex, null, tom] }, rex] },
  },
  'a type that cannot be told': { document: '{ any { __typename } named { name } }', root: { any: { kind: 'none' } } },
  'types that are none': {
    document: '{ anys { __typename } named { name } aged { age } }',
    root: { anys: later([tom, { kind: 'Color' }]), named: { __typename: 5 }, aged: rex },
  },
  'no type': { document: '{ any { __typename } named { name } }', root: { any: { name: 'x' }, named: 'Cat' } },
  'an enum': {
    document: '{ cats { color } }',
    root: { cats: [{ color: 'RED' }, { color: 'BLUE' }, { color: 1 }, { color: null }] },
  },
  'scalars whose serialize throws, or gives nothing': {
    document: '{ cats { odd } }',
    root: { cats: [{ odd: new Error('Odd.') }, { odd: 'text' }, { odd: 'nothing' }, { odd: new GraphQLError('!') }] },
  },
  'wrong leaves': {
    document: '{ cats { age weight wild name id } }',
    root: {
      cats: [
        { id: 'a', age: '5', weight: '2.5', wild: 1, name: 5 },
        { id: {}, age: 2 ** 31, weight: Number.NaN, wild: 'true', name: {} },
        { id: 1.5, age: 1.5, weight: Number.POSITIVE_INFINITY, wild: Number.NaN, name: ['a'] },
        { id: 7n, age: '', weight: '', wild: [], name: Symbol('s') },
        { id: true, age: true, weight: false, wild: 7n, name: new Date(0) },
      ],
    },
  },
  'objects that are none': {
    document: '{ cats { name length twin { name } } mustCat { length } }',
    root: { cats: ['text', 5, true, [], [1], () => 'x', new Date(0)], mustCat: 'text' },
  },
  'lists that are none': {
    document: '{ cats { list } texts }',
    root: { cats: [{ list: {} }, { list: 'text' }, { list: 5 }, { list: () => ['made'] }], texts: later(['a', 'b']) },
  },
  'nulls in lists of every nullability': {
    document: '{ cats { list items listMust itemsMust grid cats { name must } kittens { must } } }',
    root: {
      cats: [
        { list: [null, 'a'], items: ['a', null], listMust: [], itemsMust: ['a'], grid: [] },
        { list: null, items: null, listMust: null, itemsMust: [], grid: [] },
        { list: [], items: [], listMust: [undefined], itemsMust: ['a', null], grid: [[1]] },
        { listMust: [], itemsMust: [], grid: [[1, null, 3], null, [4]] },
        { listMust: [], itemsMust: [], grid: null },
        { listMust: [], itemsMust: [], grid: [], cats: [[tom, null], [tom]], kittens: [tom, {}] },
        { listMust: [], itemsMust: [], grid: [['x'], 5], cats: [null, [tom]], kittens: [tom, null, {}] },
        { listMust: [], itemsMust: [], grid: [], cats: [[tom], [], [tom, { must: null }]] },
      ],
    },
  },
  'errors after errors in lists, each at its place': {
    document: '{ cats { kittens { twin { must } name } list } }',
    root: {
      cats: [
        { kittens: [{ twin: { must: boom } }, { twin: tom, name: boom }], list: ['a', new Error('b'), {}] },
        { kittens: [{ name: boom }, new Error('A kitten.')], list: boom },
        { kittens: [{ name: {} }] },
      ],
    },
  },
  'a null that goes up to the data': {
    document: '{ mustCat { mustCat { mustCat { must } } } }',
    root: { mustCat: { mustCat: { mustCat: {} } } },
  },
  'a null that goes up to a nullable field on its way': {
    document: '{ mustCat { name twin { mustCat { must } } } }',
    root: { mustCat: { name: 'x', twin: { mustCat: { must: () => null } } } },
  },
  'a root that must not be null': { document: '{ text mustCat { name } }', root: { text: 'x' } },
  'roots that fail before and after the one that must not': {
    document: '{ text mustCat { name } cat { name } named { name } }',
    root: { text: boom, mustCat: later(null, 2), cat: later(new Error('Before.'), 1), named: later(new Error('!'), 3) },
  },
  'two roots that must not be null': {
    document: '{ mustCat { name } otherMustCat { name } }',
    root: { mustCat: later(null, 2), otherMustCat: later(new Error('First.'), 1) },
  },
  'errors as values and as items': {
    document: '{ cats { name must twin { id } list items } text }',
    root: {
      cats: [
        new Error('A cat.'),
        { name: new Error('A name.'), must: 'x', twin: new GraphQLError('A twin.', { extensions: { code: 'T' } }) },
        { must: new TypeError('A must.') },
        { must: 'x', list: [new Error('An item.'), 'a'], items: ['a', new Error('An item that must be.')] },
      ],
      text: later(new Error('A text.')),
    },
  },
  'resolvers that throw what they like': {
    document: '{ cats { name } text named { name } }',
    root: {
      cats: [undefined, null, 'text', 5, { code: 1 }, new GraphQLError('g', { path: ['elsewhere'] })].map((thrown) => ({
        name: () => {
          throw thrown;
        },
      })),
      text: () => Promise.reject('text'),
      named: () => Promise.reject(undefined),
    },
  },
  'arguments with defaults and variables': {
    document: `query ($size: Int = 4, $color: Color, $word: String, $filter: Filter) { cat {
      a: told b: told(size: $size, color: $color) c: told(filter: {deep: {word: $word}}) d: told(filter: $filter, color: null) } }`,
    root: { cat: tom },
    variables: { color: 'GREEN', filter: { deep: {} } },
  },
  'an argument that must not be null': {
    document: 'query ($size: Int = 4, $word: String = "w") { cat { told(size: $size) name } echo(word: $word) }',
    root: { cat: tom, echo: boom },
    variables: { size: null, word: null },
  },
  'the same of a field without a resolver': {
    document: 'query ($size: Int = 4) { cat { plain(size: $size) } }',
    root: { cat: { plain: 'x' } },
    variables: { size: null },
  },
  'a mutation': {
    document: 'mutation { first again: first third { name } second }',
    root: { first: later('one', 2), second: () => 'two', third: later(tom) },
  },
  'a mutation that stops where its data ends': {
    document: 'mutation { first second third { name } }',
    root: { first: later(new Error('No.'), 2), second: later(null), third: boom },
  },
};

describe('the executor gives the answer of graphql-js for', () => {
  test.each(Object.entries(cases))('%s', async (_name, { document, root = {}, variables }) => {
    const request = ready(schema, document, variables);
    expect(await byOurs(request, root)).toEqual(await byGraphQL(request, root));
  });
});

/** Repeats rows until the selection gets code of its own, and beyond. */
const many = (...rows: unknown[]) => Array.from({ length: 1_200 }, (_, index) => rows[index % rows.length]);
const kitten = { id: 'k', name: 'Kit', must: 'y', twin: tom };

const longCases: Record<string, Case> = {
  'leaves of every type': {
    document: '{ cats { name id weight wild age color must told plain n: name } }',
    root: { cats: many(tom, { ...tom, id: '2', name: '', weight: 0, age: 0, wild: true, color: 'GREEN', plain: 'x' }) },
  },
  'ids that are numbers': { document: '{ cats { id } }', root: { cats: many({ id: 1 }, { id: 'a' }, { id: 0 }) } },
  'values that are missing, or null': {
    document: '{ cats { name id weight wild age color odd twin { name } list kittens { id } } }',
    root: {
      cats: many(
        tom,
        { id: 2 },
        { id: 3, name: null, weight: null, wild: null, age: null, list: null, twin: null },
        null,
      ),
    },
  },
  'values of wrong types, in single rows': {
    document: '{ cats { id name weight wild age color odd list } }',
    root: {
      cats: many(
        tom,
        { id: 1, name: 5, weight: '2.5', wild: 1, age: '5' },
        { id: 1.5, name: {}, weight: Number.NaN, wild: 'true', age: 2 ** 31, color: 'BLUE', list: 'text' },
        { id: {}, name: ['a'], weight: {}, wild: [], age: 1.5, list: [{}, 'a'], odd: new Error('Odd.') },
        { id: 'a', name: new Error('A name.'), weight: boom, wild: () => true, age: () => 3, odd: 'nothing' },
      ),
    },
  },
  'nulls that must not be, in single rows': {
    document: '{ cats { id must name } }',
    root: {
      cats: many(tom, { id: 1, must: null }, { id: null, must: 'x' }, { id: 2, must: {} }, { id: 3, must: 'x' }),
    },
  },
  'nulls that must not be, further down': {
    document: '{ cats { name twin { mustCat { must } } mustCat { must } } }',
    root: {
      cats: many(
        { name: 'a', mustCat: tom, twin: { mustCat: tom } },
        { name: 'b', mustCat: {}, twin: { mustCat: tom } },
        { name: 'c', mustCat: tom, twin: { mustCat: { must: boom } } },
        { name: 'd', twin: {} },
      ),
    },
  },
  'a null in a single row that goes up to the data': {
    document: '{ mustCat { kittens { must } } }',
    root: { mustCat: { kittens: [...many(tom), {}] } },
  },
  aliases: {
    document: '{ cats { name: id id: name a: name b: name age: wild length: must } }',
    root: { cats: many(tom, { ...tom, name: 'Tim', wild: true }) },
  },
  'aliases that mean something to an object, and to code': {
    document: `{ cats { __proto__: name constructor: id toString: age read: weight row: name run: id text: must
      twin { __proto__: twin { __proto__: id name } } } }`,
    root: { cats: many({ ...tom, twin: { twin: tom } }, { ...tom, name: 5, twin: { twin: null } }) },
  },
  __typename: {
    document: '{ cats { __typename kind: __typename name } named { name } }',
    root: { cats: many(tom, {}), named: tom },
  },
  'nested objects and lists': {
    document: `{ cats { name kittens { id name twin { name __typename } } cats { id must } grid items listMust itemsMust } }`,
    root: {
      cats: many(
        { name: 'a', kittens: [kitten, kitten], cats: [[tom], []], grid: [[1], []], listMust: ['a'], itemsMust: ['b'] },
        { name: 'b', kittens: [], items: ['a', null], listMust: [null], itemsMust: [] },
        { name: 'c', kittens: [kitten, { name: 'no id' }], grid: [[1, null]], listMust: [], itemsMust: [] },
        { name: 'd', kittens: [kitten], cats: [[{ id: 1 }]], listMust: null, itemsMust: [] },
      ),
    },
  },
  'abstract types': {
    document: `{ anys { __typename ... on Named { name } ... on Cat { id friends { ... on Dog { name } ... on Cat { id } } }
      ... on Dog { dog: must } } cats { twin { ...N } } } fragment N on Named { name twin { __typename name } }`,
    root: {
      anys: many(rex, { ...tom, friends: [rex, null, tom, { kind: 'none' }] }, tom),
      cats: many({ twin: kitten }),
    },
  },
  'rows of a type that cannot be told': {
    document: '{ cats { friends { __typename ... on Cat { name } } } }',
    root: { cats: many({ friends: [tom] }, { friends: [{ kind: 'none' }, { kind: 'Query' }, tom, {}] }) },
  },
  'rows that are no objects': {
    document: '{ cats { length name __typename twin { name } told } }',
    root: {
      cats: many(tom, 'text', '', 5, true, [], ['a'], () => 'x', new Date(0), new Error('A cat.'), { length: 2 }),
    },
  },
  'rows whose values are functions': {
    document: '{ cats { name id twin { name } } }',
    root: {
      cats: many({ id: () => 1, name: () => 'x', twin: () => tom }, { id: boom, name: boom }, { id: 1, name: boom }),
    },
  },
  'what @skip and @include leave': {
    document:
      'query ($no: Boolean!) { cats { name @include(if: $no) id @skip(if: $no) twin { name @skip(if: true) id } } }',
    root: { cats: many({ ...tom, twin: tom }) },
    variables: { no: false },
  },
  'a selection of which nothing is left': {
    document: '{ cats { name @skip(if: true) } }',
    root: { cats: many(tom, null, 'text') },
  },
};

describe('the executor gives the answer of graphql-js for many rows of', () => {
  test.each(Object.entries(longCases))('%s', async (_name, { document, root = {}, variables }) => {
    const request = ready(schema, document, variables);
    expect(await byOurs(request, root)).toEqual(await byGraphQL(request, root));
  });
});

test.each([
  'query ($if: Boolean = true) { cat { id twin { name @skip(if: $if) } } text }',
  'query ($if: Boolean = true) { text cat @include(if: $if) { id } }',
])('a field whose condition is null fails: %s', async (document) => {
  const request = ready(schema, document, { if: null });
  const root = { cat: { ...tom, twin: tom }, text: 'x' };
  expect(await byOurs(request, root)).toEqual(await byGraphQL(request, root));
});

test.each([
  getIntrospectionQuery({ specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, oneOf: true }),
  '{ __schema { types { name fields(includeDeprecated: true) { name } enumValues { name } } } text }',
  'query ($name: String!) { text __type(name: $name) { kind name possibleTypes { name } } none: __type(name: "No") { name } }',
  'query { ... on Query { ...F } } fragment F on Query { a: __schema { __typename description } }',
])('the executor gives the answer of graphql-js to introspection: %s', async (document) => {
  for (const each of [schema, randomSchema]) {
    const variables = document.includes('$name') ? { name: 'Named' } : {};
    const text = each === schema ? document : document.replaceAll(/ text\b/g, '');
    const request = ready(each, text, variables);
    expect(await byOurs(request, { text: 'x' })).toEqual(await byGraphQL(request, { text: 'x' }));
  }
});

test('a rejected promise below the root is an error at its path', async () => {
  const answer = await byOurs(ready(schema, '{ cat { name id } }'), { cat: { id: 1, name: Promise.resolve('Tom') } });
  expect(answer).toMatchObject({
    data: {
      entries: [
        [
          'cat',
          {
            entries: [
              ['name', null],
              ['id', '1'],
            ],
          },
        ],
      ],
    },
    errors: [{ path: 'cat.name', locations: [{ line: 1, column: 9 }] }],
  });
});

test('mutations run one after the other, and queries overlap', async () => {
  for (const document of ['mutation { first second }', '{ first: text second: text }']) {
    const [ours, theirs] = [[], []] as [string[], string[]];
    const root = (log: string[]) => {
      const give = async (_args: object, _root: Values, { path, operation }: GraphQLResolveInfo) => {
        log.push(`${operation.operation} ${path.key} begins`);
        await waitTurns(2);
        log.push(`${path.key} ends`);
        return 'x';
      };
      return { first: give, second: give, text: give };
    };
    const request = ready(schema, document);
    await byOurs(request, root(ours));
    await byGraphQL(request, root(theirs));
    expect(theirs).toHaveLength(4);
    expect(ours).toEqual(theirs);
  }
});

test('others have their turn while a long list is made, also below objects of objects', async () => {
  const kittens = Array.from({ length: 20_000 }, (_, at) => ({ ...tom, name: `Kitten ${at}`.padEnd(100) }));
  const spoiled = kittens.with(15_000, { ...tom, name: boom as unknown as string });
  for (const cat of [{ kittens }, { twin: { kittens } }, { twin: { twin: { kittens: spoiled, age: 3 } } }]) {
    const document = '{ cat { kittens { name } twin { kittens { name } twin { kittens { name } age } } } }';
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const answer = await byOurs(ready(schema, document), { cat });
    clearImmediate(counting);

    // The list has eight times the text of a turn.
    expect(turns).toBeGreaterThanOrEqual(12);
    expect(answer).toEqual(await byGraphQL(ready(schema, document), { cat }));
  }
});

test('random documents give the answers of graphql-js, and resolvers the same arguments', {
  timeout: 60_000 + 100 * numRuns,
}, async () => {
  const property = fc.asyncProperty(randomOperation, luck, async ({ document, variables }, chance) => {
    const request = ready(randomSchema, document, variables);
    const ours: RandomContext = { ...chance, log: [] };
    const theirs: RandomContext = { ...chance, log: [] };
    expect(await byOurs(request, ours)).toEqual(await byGraphQL(request, theirs));
    // Only what a mutation does has an order.
    if (document.startsWith('query')) for (const { log } of [ours, theirs]) log.sort();
    expect(ours.log).toEqual(theirs.log);
  });
  await fc.assert(property, {
    seed,
    numRuns,
    interruptAfterTimeLimit: 30_000 + 100 * numRuns,
    markInterruptAsFailure: true,
  });
});

test('info gives the path of a resolver in each row', async () => {
  const request = ready(
    schema,
    `query Q($size: Int = 4) { cats { twin { ...F } again: twin { ...F } kittens { plain: name } } text }
     fragment F on Named { name ... on Cat { told(size: $size) name } }`,
  );
  const seen: GraphQLResolveInfo[][] = [[], []];
  const [ours, theirs] = seen as [GraphQLResolveInfo[], GraphQLResolveInfo[]];
  const root = (infos: GraphQLResolveInfo[]) => {
    const name = (_args: object, _root: Values, info: GraphQLResolveInfo) => {
      // The executor reuses `info` for the next row.
      infos.push({ ...info, path: info.path });
      return 'x';
    };
    const cat = { name, twin: { name } };
    return { cats: later([{ ...cat, kittens: [cat, cat] }, null, cat]), text: name };
  };
  await byOurs(request, root(ours));
  await byGraphQL(request, root(theirs));
  const byPath = (infos: GraphQLResolveInfo[]) =>
    new Map(infos.map((info) => [responsePathAsArray(info.path).join('.'), info]));
  expect([...byPath(ours).keys()].sort()).toEqual([...byPath(theirs).keys()].sort());
  expect(theirs).toHaveLength(7);
  for (const [path, their] of byPath(theirs)) {
    const our = byPath(ours).get(path)!;
    for (const key of ['returnType', 'parentType', 'schema', 'operation', 'fieldName'] as const) {
      expect(our[key]).toBe(their[key]);
    }
    expect(our.fieldNodes).toHaveLength(their.fieldNodes.length);
    for (const [index, node] of our.fieldNodes.entries()) expect(node).toBe(their.fieldNodes[index]);
    expect(our.fragments.F).toBe(their.fragments.F);
    expect(our.variableValues).toEqual(their.variableValues);
  }
});

describe('an operation', () => {
  const keysOf = ({ fields }: FieldTree) => fields.map(({ key }) => key);

  test('has one tree for all variables, except those of @skip, @include and fields below the root', () => {
    const document = `query ($if: Boolean!, $word: String!, $size: Int!) {
      echo(word: $word) cat { ...F name @skip(if: $if) }
    } fragment F on Cat { told(size: $size) }`;
    const operation = operationOf(ready(schema, document));
    const key = operation.treeKey({ if: true, word: 'a', size: 1 });
    expect(operation.treeKey({ if: true, word: 'b', size: 1 })).toBe(key);
    expect(operation.treeKey({ if: false, word: 'a', size: 1 })).not.toBe(key);
    expect(operation.treeKey({ if: true, word: 'a', size: 2 })).not.toBe(key);
    expect(operationOf(ready(schema, document)).treeKey({ if: true, word: 'a', size: 1 })).not.toBe(key);
  });

  test('has its own fields in a document of several operations', () => {
    const document = new ValidDocument(schema, parse('query A { text } query B { cat { name } }'));
    const operations = document.node.definitions.map((definition) =>
      document.operation(definition as OperationDefinitionNode),
    );
    expect(operations.map((operation) => keysOf(operation.tree({})))).toEqual([['text'], ['cat']]);
    expect(operations[0]!.treeKey({})).not.toBe(operations[1]!.treeKey({}));
  });

  test('has one field for all places that select it on one type', () => {
    const types = buildSchema(`
      interface Named { name: String, friend: Named }
      type Cat implements Named { name: String, friend: Named }
      type Dog implements Named { name: String, friend: Named }
      type Query { named: Named }`);
    const levels = 12;
    const document = `{ named { ${'friend { '.repeat(levels)} name ${'} '.repeat(levels)} } }`;
    const operation = operationOf(ready(types, document));
    const fields = new Set<Field>();
    const add = (field: Field): void => {
      if (fields.has(field)) return;
      fields.add(field);
      for (const type of field.objectTypes) for (const child of field.select(type).fields) add(child);
    };
    for (const field of operation.tree({}).fields) add(field);
    // The field of the root, and two at each level: of a Cat and of a Dog.
    expect(fields.size).toBe(1 + 2 * (levels + 1));
  });

  test('has a tree for each choice of what @skip decides', () => {
    const names = Array.from('abc');
    const document = `query (${names.map((name) => `$${name}: Boolean!`)}) { ${names.map((name) => `${name}: text @skip(if: $${name})`)} }`;
    const operation = operationOf(ready(schema, document));
    const sets = Array.from({ length: 2 ** names.length }, (_, number) =>
      Object.fromEntries(names.map((name, index) => [name, (number & (2 ** index)) !== 0])),
    );
    for (const set of sets) expect(keysOf(operation.tree(set))).toEqual(names.filter((name) => !set[name]));
    expect(new Set(sets.map((set) => operation.treeKey(set))).size).toBe(sets.length);
  });
});

interface Request {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Values;
}

function ready(schema: GraphQLSchema, text: string, variables: Values = {}): Request {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  return { schema, document, variables };
}

async function byGraphQL({ schema, document, variables }: Request, contextValue: unknown): Promise<unknown> {
  return settled(await executeByGraphQL({ schema, document, variableValues: variables, contextValue }));
}

async function byOurs(request: Request, contextValue: unknown): Promise<unknown> {
  const operation = operationOf(request);
  const { variableDefinitions = [] } = operation.definition;
  const { coerced: variableValues = {} } = getVariableValues(request.schema, variableDefinitions, request.variables);
  const args: ExecutionArgs = { operation, tree: operation.tree(variableValues), variableValues, contextValue };
  return settled(await execute(args));
}

function operationOf({ schema, document }: Request): Operation {
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return new ValidDocument(schema, document).operation(definition as OperationDefinitionNode);
}

/** An answer when nothing can change it any more. Errors have no order among themselves. */
async function settled({ data, errors = [] }: ExecutionResult): Promise<unknown> {
  await waitTurns(6);
  const sorted = errors.map((error) => {
    const { message, ...rest } = error.toJSON();
    return {
      message: comparable(message),
      ...rest,
      path: error.path?.join('.'),
      cause: error.originalError?.constructor.name,
    };
  });
  return { data: entriesOf(data), errors: sorted.sort((a, b) => (a.path ?? '').localeCompare(b.path ?? '')) };
}

/** Objects as lists, which have an order, and no prototype. */
function entriesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entriesOf);
  if (typeof value !== 'object' || value === null) return value;
  return { entries: Object.entries(value).map(([key, each]) => [key, entriesOf(each)]) };
}

/** These two are said shorter than graphql-js does, which prints the value. */
function comparable(message: string): string {
  if (/^(Abstract type|Runtime Object type) /.test(message)) return 'No possible type of the field.';
  return message.replace(/^(Expected `\w+\.serialize)\(.*\)` to return/s, '$1` to return');
}
