import {
  BREAK,
  defaultFieldResolver,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLObjectType,
  getArgumentValues,
  getNullableType,
  isListType,
  isNonNullType,
  visit,
} from 'graphql';
import { madeOnce } from '../maps.ts';
import { type Complete, completeField, isNeverNull, passes, type ReadObject } from './complete.ts';
import type { Field, FieldTree, Selection } from './field-tree.ts';
import { type FieldReader, generateReader, type ReadField } from './generate.ts';
import { type ExecutionArgs, Run } from './run.ts';

/**
 * Gives the answer that graphql-js gives. Fields of the root may be promises, and overlap unless the operation writes.
 * Their values are complete, so the executor reads everything below synchronously. It pauses in long lists at the top, and
 * other requests have their turn.
 *
 * A resolver of a mutation checks its input, and returns its write as a function. The executor starts the first write after
 * the last check. If a check fails, no write starts, and all fields are null.
 */
export async function execute(args: ExecutionArgs): Promise<ExecutionResult> {
  const run = new Run(args);
  let data: Data;
  try {
    const { fields, newObject } = madeOnce(compiled, args.tree, newRoot);
    data = newObject();
    // Keys keep the order of the document, whichever field is resolved first.
    for (const { field } of fields) data[field.key] = undefined;
    if (args.operation.definition.operation === 'mutation') {
      for (const root of fields) await settle(root, run, data);
      const writes = fields.filter(({ field }) => typeof data[field.key] === 'function');
      const isRefused = run.errors.length > 0;
      if (isRefused && writes.some(({ isNonNull }) => isNonNull)) return { data: null, errors: run.errors };
      for (const root of writes)
        await settle(root, run, data, isRefused ? () => null : (data[root.field.key] as Resolve));
    } else if (fields.length === 1) await settle(fields[0] as RootField, run, data);
    else await Promise.all(fields.map((root) => settle(root, run, data)));
  } catch (error) {
    run.errors.push(error as GraphQLError);
    return { data: null, errors: [...run.errors] };
  }
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

type Data = Record<string, unknown>;
type Resolve = RootField['resolve'];

async function settle(
  { field, isNonNull, complete, resolve: ofField }: RootField,
  run: Run,
  data: Data,
  resolve: Resolve = ofField,
): Promise<void> {
  try {
    const value = await resolve(run);
    if (typeof value === 'function') {
      data[field.key] = value;
      return;
    }
    run.moveTo([field.key]);
    data[field.key] = await complete(value, run);
  } catch (error) {
    run.moveTo([field.key]);
    data[field.key] = run.fail(error, field.nodes, isNonNull);
  }
}

interface Root {
  /** In the order of the document. */
  fields: readonly RootField[];
  newObject: NewObject;
}

interface RootField {
  field: Field;
  isNonNull: boolean;
  resolve(run: Run): unknown;
  complete: Complete;
}

const compiled = new WeakMap<FieldTree, Root>();

/** @throws GraphQLError for a condition of @skip or @include that is null. */
function newRoot({ fields }: FieldTree): Root {
  return { fields: fields.map(rootField), newObject: objectsFor(fields) };
}

type Place = readonly (string | number)[];

type NewObject = () => Record<string, unknown>;

/** V8 takes several times as long for objects without a prototype. But an assignment to this key would set the prototype. */
function objectsFor(fields: readonly { key: string }[]): NewObject {
  return fields.some(({ key }) => key === '__proto__') ? () => Object.create(null) : () => ({});
}

function rootField(field: Field): RootField {
  const { definition } = field;
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(field);
  return {
    field,
    isNonNull: isNonNullType(definition.type),
    resolve: (run) => resolve(undefined, argumentsOf(run), run.contextValue, run.rootInfo(field)),
    complete: completePausing(field),
  };
}

/** The gateway generates code for a selection after this many rows. Most documents come once, or ask for few rows. */
const rowsToGenerate = 500;

const readers = new WeakMap<Selection, ReadObject>();

function objectReader(parent: Field, type: GraphQLObjectType): ReadObject {
  return madeOnce(readers, parent.select(type), newReader);
}

function newReader(selection: Selection): ReadObject {
  const fields = selection.fields.map((field) => fieldReader(field));
  const newObject = objectsFor(fields);
  const characters = charactersOf(fields);
  let rows = 0;
  let generated: ReadObject | undefined;
  return (row, run) => {
    if (generated) return generated(row, run);
    rows += 1;
    if (rows === rowsToGenerate) generated = generateReader(fields, characters);
    const object = newObject();
    let text = characters;
    for (const { key, read } of fields) {
      const value = read(row as Record<string, unknown>, run);
      object[key] = value;
      if (typeof value === 'string') text += value.length;
    }
    run.answer.addText(text);
    return object;
  };
}

/** Characters of JSON in an object without its texts. */
function charactersOf(fields: readonly FieldReader[]): number {
  return fields.reduce((sum, { key }) => sum + key.length + '"":"",'.length, '{},'.length);
}

/** A long list is a promise: at the root, or in an object that stands in no list. */
function completePausing(field: Field): Complete {
  const isList = isListType(getNullableType(field.definition.type));
  return completeField(field, isList ? objectReader : pausingReader, { mayPause: true });
}

/** Reads an object that stands in no list, and whose long lists are promises. */
function pausingReader(parent: Field, type: GraphQLObjectType): ReadObject {
  const fields = parent.select(type).fields.map((field) => ({ field, ...fieldReader(field, true) }));
  const newObject = objectsFor(fields);
  const characters = charactersOf(fields);
  return async (row, run) => {
    const place = [...run.path];
    run.answer.addText(characters);
    const object = newObject();
    for (const { field, key, read } of fields) {
      run.moveTo(place);
      const value = read(row as Record<string, unknown>, run);
      object[key] = value instanceof Promise ? await settleBelow([...place, field.key], field, value, run) : value;
      if (typeof value === 'string') run.answer.addText(value.length);
    }
    return object;
  };
}

async function settleBelow(place: Place, field: Field, value: Promise<unknown>, run: Run): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    run.moveTo(place);
    return run.fail(error, field.nodes, isNonNullType(field.definition.type));
  }
}

/** Resolvers that read the JSON field of their own name, and give a text as it is. */
export const plainReads = new WeakSet<object>([defaultFieldResolver]);

function fieldReader(field: Field, mayPause = false): FieldReader {
  const { key, name, parentType, definition } = field;
  if (name === '__typename') return { key, name, read: () => parentType.name, isText: false };
  const isPlain = plainReads.has(definition.resolve ?? defaultFieldResolver) && definition.args.length === 0;
  const isPassed = isPlain ? passes(definition.type) : undefined;
  if (!isPassed) return { key, name, read: completingReader(field, mayPause), isText: false };
  const mayBeNull = !isNeverNull(definition);
  // Made for the first value that does not pass: most fields have none.
  let read: ReadField | undefined;
  const readPlainly: ReadField = (row, run) => {
    // A text has a length too, but a text is no JSON object.
    if (typeof row === 'object') {
      const value = row[name];
      if (isPassed(value)) return value;
      if ((value === null || value === undefined) && mayBeNull) return null;
    }
    read ??= completingReader(field);
    return read(row, run);
  };
  return { key, name, read: readPlainly, isText: isPassed('') };
}

function completingReader(field: Field, mayPause = false): ReadField {
  const { key, nodes, definition } = field;
  const resolve = definition.resolve ?? defaultFieldResolver;
  const argumentsOf = argumentReader(field);
  const complete = mayPause ? completePausing(field) : completeField(field, objectReader, { mayPause });
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
