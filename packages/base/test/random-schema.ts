import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  buildSchema,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
  parse,
  responsePathAsArray,
  validate,
} from 'graphql';

/** Source of a run. Equal numbers give equal values in both executors. */
export interface Luck {
  seed: number;
  /** Values of a hundred that are not what their type asks for. */
  failures: number;
}

export interface RandomContext extends Luck {
  /** Arguments of the resolvers. */
  log: string[];
}

const wrappers = ['T', 'T!', '[T]', '[T!]', '[T]!', '[T!]!', '[[T!]]!', '[[T]!]'];
const targets = ['String', 'ID', 'Int', 'Float', 'Boolean', 'Color', 'Odd', 'Leaf', 'Branch', 'Node', 'Any'];

/** Every type in every wrapper; a field that strings have too; arguments for a resolver and for none. */
const fields = [
  ...targets.flatMap((target) =>
    wrappers.map((wrapper, index) => `${target}_${index}: ${wrapper.replace('T', target)}`),
  ),
  'length: Float',
  'echo(size: Int! = 3, color: Color = RED, filter: Filter, odd: Odd): String',
].join('\n');

/** Leaves of all kinds, an interface, a union, and roots that give all of them. */
export const schema = buildSchema(`
  enum Color { RED GREEN BLUE }
  scalar Odd
  input Filter { color: Color = GREEN, below: [Filter!] }
  interface Node { ${fields} }
  type Leaf implements Node { ${fields} }
  type Branch implements Node { ${fields} }
  union Any = Leaf | Branch
  type Query { ${fields} }
  type Mutation { ${fields} }
`);

const typesOfFields = new Map<string, GraphQLOutputType>();

function resolveKind(value: unknown, context: RandomContext, { fieldName }: GraphQLResolveInfo): string | undefined {
  context.log.push(`type of ${fieldName}`);
  const { kind } = value as { kind?: string };
  if (kind === 'Unknown') throw new Error('Of no kind.');
  return kind;
}

function serializeOdd(value: unknown): unknown {
  if (value === 'nothing') return undefined;
  if (value === 'thrown') throw 'not an Error';
  if (value === 'object') return { list: [1, { __typename: 'Odd' }] };
  if (typeof value !== 'string') throw new GraphQLError('Not odd.', { extensions: { code: 'ODD' } });
  return value;
}

const resolve: GraphQLFieldResolver<unknown, RandomContext> = (source, args, context, info) => {
  context.log.push(describe(args, info));
  const { seed } = Object(source) as { seed?: number };
  const dice = new Dice(`${seed} ${info.fieldName} ${JSON.stringify(args)}`, context.failures);
  if (info.fieldName === 'echo') return JSON.stringify(args);
  if (dice.fails()) throw dice.one(thrown);
  return valueFor(info.returnType, dice);
};

const resolveRoot: GraphQLFieldResolver<unknown, RandomContext> = (_source, args, context, info) => {
  const dice = new Dice(`${context.seed} ${info.path.key}`, 0);
  const source = { seed: dice.upTo(1e6) };
  // A non-null field resolves late. If it failed at once, graphql-js would skip the fields after it.
  const turns = isNonNullType(info.returnType) ? 1 + dice.upTo(3) : dice.upTo(5) - 1;
  if (turns < 0) return resolve(source, args, context, info);
  return waitTurns(turns).then(() => resolve(source, args, context, info));
};

(schema.getType('Odd') as GraphQLScalarType).serialize = serializeOdd;
// The interface goes by __typename alone.
(schema.getType('Any') as GraphQLUnionType).resolveType = resolveKind;
for (const type of ['Leaf', 'Branch', 'Query', 'Mutation'].map((name) => schema.getType(name) as GraphQLObjectType)) {
  const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
  Object.values(type.getFields()).forEach((field, index) => {
    typesOfFields.set(field.name, field.type);
    if (isRoot) field.resolve = resolveRoot;
    // The others are read from the row.
    else if (field.name === 'echo' || index % 3 === 0) field.resolve = resolve;
  });
}

/** `turns`: of the event loop, so that of two fields the same one is first in any executor. */
export async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}

/** Describes a field by its `info`. */
function describe(args: object, info: GraphQLResolveInfo): string {
  const nodes = info.fieldNodes.map(({ loc }) => loc?.start).join();
  const { parentType, fieldName, returnType, operation, variableValues } = info;
  const field = `${parentType}.${fieldName}: ${returnType}`;
  const ofAll = [operation.operation, Object.keys(info.fragments), variableValues];
  return JSON.stringify([responsePathAsArray(info.path), field, nodes, args, ...ofAll]);
}

const leaves = {
  String: ['text', '', 'another', 7],
  ID: ['text', '', 'another', 7],
  Int: [0, -1, 2 ** 31 - 1, '5', true],
  Float: [0, -0.5, 1e300, '2.5'],
  Boolean: [true, false, 1],
  Color: ['RED', 'GREEN'],
  Odd: ['odd', 'object'],
};
const located = new GraphQLError('Located before.', { path: ['elsewhere'] });
const coded = new GraphQLError('Of GraphQL.', { extensions: { code: 'X' } });
const thrown = [new Error('Thrown.'), coded, located, 'text', null];
const nothing = [null, undefined];
const wrong = [...thrown, undefined, '', 7, 2 ** 31, Number.NaN, true, {}, new Date(0), 7n];

function valueFor(type: GraphQLOutputType, dice: Dice): unknown {
  if (dice.fails()) return dice.one(dice.upTo(2) === 0 ? nothing : wrong);
  if (!isNonNullType(type) && dice.upTo(12) === 0) return dice.one(nothing);
  const nullable = getNullableType(type);
  if (isListType(nullable)) return Array.from({ length: dice.upTo(4) }, () => valueFor(nullable.ofType, dice));
  const { name } = getNamedType(type);
  if (name === 'Odd' && dice.fails()) return dice.one(['thrown', 'nothing', {}]);
  return name in leaves ? dice.one<unknown>(leaves[name as keyof typeof leaves]) : rowFor(dice);
}

/** A row whose fields without a resolver are values, or sometimes methods. */
function rowFor(dice: Dice): object {
  const kind = dice.fails() ? dice.one(['Unknown', 'Color', 'Query', undefined]) : dice.one(['Leaf', 'Branch']);
  const row: Record<string | symbol, unknown> = { __typename: kind, kind, seed: dice.upTo(1e6) };
  return new Proxy(row, {
    get(_, name) {
      const type = typesOfFields.get(String(name));
      if (!type || name === 'echo') return row[name];
      const own = new Dice(`${row.seed} ${String(name)}`, dice.failures);
      return own.upTo(20) === 0 ? () => valueFor(type, own) : valueFor(type, own);
    },
  });
}

/** Numbers that follow from a text. */
class Dice {
  readonly failures: number;
  readonly #text: string;
  #throws = 0;

  constructor(text: string, failures: number) {
    this.#text = text;
    this.failures = failures;
  }

  /** A whole number below `limit`. */
  upTo(limit: number): number {
    this.#throws += 1;
    return crc32(`${this.#text} ${this.#throws}`) % limit;
  }

  one<T>(values: readonly T[]): T {
    return values[this.upTo(values.length)] as T;
  }

  fails(): boolean {
    return this.upTo(100) < this.failures;
  }
}

export const luck: fc.Arbitrary<Luck> = fc.record({
  seed: fc.nat(),
  failures: fc.constantFrom(0, 0, 1, 3, 10),
});

/** A selection as numbers: what shrinks is always a document. */
interface Choice {
  pick: number;
  form: number;
  directive: number;
  children: Choice[];
}

/** Widths below each other; bushy, so that a key has several fields to merge. */
const choices = [6, 6, 5, 4, 3].reduceRight<fc.Arbitrary<Choice[]>>((children, maxLength) => {
  const choice = fc.record({ pick: fc.nat(999), form: fc.nat(19), directive: fc.nat(23), children });
  return fc.array(choice, { maxLength, size: 'max' });
}, fc.constant([]));

/** Declared types of variables, and values for them. */
const declarations = { no: 'Boolean!', yes: 'Boolean! = true', size: 'Int = 4', color: 'Color', odd: 'Odd = "unset"' };
const values = {
  no: fc.boolean(),
  yes: fc.boolean(),
  size: fc.constantFrom(9, null),
  color: fc.constantFrom('BLUE', null),
  odd: fc.constantFrom<unknown>('odd', { deep: [1] }, null),
};

/** Valid documents: each over a handful of the fields, so that they meet. */
export const randomOperation = fc
  .record({
    choices,
    salt: fc.nat(4),
    isMutation: fc.nat(3).map((number) => number === 3),
    variables: fc.record(values, { requiredKeys: ['no'] }),
  })
  .map(({ choices, salt, isMutation, variables }) => ({ document: write(choices, salt, isMutation), variables }))
  .filter(({ document }) => validate(schema, parse(document)).length === 0);

const argumentLists = [
  '',
  '(size: 5)',
  '(size: $size)',
  '(color: $color, odd: {is: [$odd]})',
  '(filter: {below: [{color: $color}, {}]}, odd: $odd)',
];

const conditions = [
  '@skip(if: $no)',
  '@skip(if: $yes)',
  '@include(if: $no)',
  '@include(if: $yes)',
  '@skip(if: false) @include(if: $yes)',
  '@include(if: false)',
];

function write(choices: Choice[], salt: number, isMutation: boolean): string {
  const fragments: { type: string; text: string }[] = [];
  const body = selectionSet(isMutation ? 'Mutation' : 'Query', choices);
  const texts = fragments.map(({ type, text }, index) => `fragment F${index} on ${type} ${text}`);
  const used = [body, ...texts].join('\n');
  const declared = Object.entries(declarations).filter(([name]) => new RegExp(`\\$${name}\\b`).test(used));
  const head = declared.map(([name, type]) => `$${name}: ${type}`).join(', ');
  return `${isMutation ? 'mutation' : 'query'} ${head && `(${head}) `}${used}`;

  function selectionSet(type: string, children: Choice[]): string {
    return `{ ${children.map((child) => selection(type, child)).join(' ') || '__typename'} }`;
  }

  function selection(type: string, { pick, form, directive, children }: Choice): string {
    const condition = conditions[directive - 18] ?? '';
    const below = ['Node', 'Any'].includes(type) ? ['Leaf', 'Branch', 'Node', 'Any'] : [type];
    const target = below[pick % below.length]!;
    if (form === 19) return `${pick % 2 ? 'type: ' : ''}__typename`;
    if (form === 18) return `... ${condition} ${selectionSet(type, children)}`;
    if (form >= 16 || type === 'Any') return `... on ${target} ${condition} ${selectionSet(target, children)}`;
    if (form >= 14) {
      const known = fragments.findIndex((fragment) => form === 14 && fragment.type === target);
      const number = known >= 0 ? known : fragments.push({ type: target, text: selectionSet(target, children) }) - 1;
      return `...F${number} ${condition}`;
    }
    return field({ pick, form, directive, children }, condition);
  }

  function field({ pick, form, children }: Choice, condition: string): string {
    const name = pick >= 950 ? 'echo' : pickField(pick, form < 9 && children.length > 0);
    // One field alone has the alias that a plain object cannot have, or the documents would contradict themselves.
    const proto = name === (salt % 2 === 0 ? 'echo' : pickField(0, true)) ? '__proto__: ' : '';
    const alias = ['', '', `a_${name}: `, `b_${name}: `, proto][form % 5];
    const target = getNamedType(typesOfFields.get(name)!);
    const below = isCompositeType(target) ? selectionSet(target.name, children) : '';
    return `${alias}${name}${name === 'echo' ? argumentLists[salt] : ''} ${condition} ${below}`;
  }

  function pickField(pick: number, isDeep: boolean): string {
    const pool = [...typesOfFields].filter(([, type], index) => {
      return index % 5 === salt && isCompositeType(getNamedType(type)) === isDeep;
    });
    return pool[pick % pool.length]![0];
  }
}
