import {
  BREAK,
  defaultFieldResolver,
  type FieldNode,
  type GraphQLObjectType,
  getArgumentValues,
  isNonNullType,
  visit,
} from 'graphql';
import { type Complete, completeFor, passes, type ReadObject } from './complete.ts';
import type { Field, FieldTree, Selection } from './field-tree.ts';
import { type FieldReader, generateReader, type ReadField } from './generate.ts';
import type { Run } from './run.ts';

export interface RootField {
  field: Field;
  isNonNull: boolean;
  resolve(run: Run): unknown;
  complete: Complete;
}

const compiled = new WeakMap<FieldTree, readonly RootField[]>();

/**
 * Fields of the root, in the order of the document.
 * @throws GraphQLError for a condition of @skip or @include that is null.
 */
export function compile(tree: FieldTree): readonly RootField[] {
  let fields = compiled.get(tree);
  if (!fields) {
    fields = tree.fields.map(rootField);
    compiled.set(tree, fields);
  }
  return fields;
}

function rootField(field: Field): RootField {
  const { definition } = field;
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(field);
  return {
    field,
    isNonNull: isNonNullType(definition.type),
    resolve: (run) => resolve(undefined, argumentsOf(run), run.contextValue, run.rootInfo(field)),
    complete: completeFor(definition.type, field, objectReader),
  };
}

/** The gateway generates code for a selection after this many rows. Most documents come once, or ask for few rows. */
const rowsToGenerate = 500;

const readers = new WeakMap<Selection, ReadObject>();

function objectReader(parent: Field, type: GraphQLObjectType): ReadObject {
  const selection = parent.select(type);
  let reader = readers.get(selection);
  if (!reader) {
    reader = newReader(selection);
    readers.set(selection, reader);
  }
  return reader;
}

function newReader(selection: Selection): ReadObject {
  const fields = selection.fields.map(fieldReader);
  // An assignment to this key would set the prototype.
  const isSafe = fields.every(({ key }) => key !== '__proto__');
  let rows = 0;
  let generated: ReadObject | undefined;
  return (value, run) => {
    if (generated) return generated(value, run);
    rows += 1;
    if (rows === rowsToGenerate) generated = generateReader(fields);
    const object: Record<string, unknown> = isSafe ? {} : Object.create(null);
    for (const { key, read } of fields) object[key] = read(value as Record<string, unknown>, run);
    return object;
  };
}

/** Resolvers that read the JSON field of their own name, and give a text as it is. */
export const plainReads = new WeakSet<object>([defaultFieldResolver]);

function fieldReader(field: Field): FieldReader {
  const { key, name, parentType, definition } = field;
  if (name === '__typename') return { key, name, read: () => parentType.name, isText: false };
  const isPlain = plainReads.has(definition.resolve ?? defaultFieldResolver) && definition.args.length === 0;
  const isPassed = isPlain ? passes(definition.type) : undefined;
  if (!isPassed) return { key, name, read: completingReader(field), isText: false };
  const isNonNull = isNonNullType(definition.type);
  // Made for the first value that does not pass: most fields have none.
  let read: ReadField | undefined;
  const readPlainly: ReadField = (row, run) => {
    // A text has a length too, but a text is no JSON object.
    if (typeof row === 'object') {
      const value = row[name];
      if (isPassed(value)) return value;
      if ((value === null || value === undefined) && !isNonNull) return null;
    }
    read ??= completingReader(field);
    return read(row, run);
  };
  return { key, name, read: readPlainly, isText: isPassed('') };
}

function completingReader(field: Field): ReadField {
  const { key, nodes, definition } = field;
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(field);
  const complete = completeFor(definition.type, field, objectReader);
  const isNonNull = isNonNullType(definition.type);
  return (row, run) => {
    const { path } = run;
    const depth = path.push(key);
    let completed: unknown;
    try {
      completed = complete(resolve(row, argumentsOf(run), run.contextValue, run.info(field)), run);
    } catch (error) {
      path.length = depth;
      completed = run.fail(error, nodes, isNonNull);
    }
    path.pop();
    return completed;
  };
}

const noArguments = Object.freeze({});
const readNoArguments = () => noArguments;

function argumentReader({ tree, definition, nodes }: Field): (run: Run) => Record<string, unknown> {
  const [node] = nodes as [FieldNode];
  if (definition.args.length === 0) return readNoArguments;
  const read = (run: Run) => getArgumentValues(definition, node, run.args.variableValues);
  if (tree.definition.operation !== 'query' || hasVariables(node)) return read;
  let constant: Record<string, unknown> | undefined;
  return (run) => {
    constant ??= read(run);
    return constant;
  };
}

export function hasVariables({ arguments: nodes = [] }: FieldNode): boolean {
  let isVariable = false;
  const Variable = () => {
    isVariable = true;
    return BREAK;
  };
  for (const node of nodes) visit(node, { Variable });
  return isVariable;
}
