import {
  type ConstDirectiveNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  print,
} from 'graphql';
import { madeOnce } from '../maps.ts';
import type { Field } from './field-tree.ts';
import type { Run } from './run.ts';

/** Turns the value of a resolver into the value in the answer. Throws for a value that does not fit the type. */
export type Complete = (value: unknown, run: Run) => unknown;

/** Reads the selected fields of an object. */
export type ReadObject = (source: unknown, run: Run) => unknown;

/** Compiles the selection of a field on one of the types that its values may have. */
export type CompileObject = (field: Field, type: GraphQLObjectType) => ReadObject;

const notBelowTheRoot = 'Below the root nothing is awaited: the root field loads all that its selection needs.';

/** The type or `@semanticNonNull` promises a value. */
export function isNeverNull({ type, astNode }: GraphQLField<unknown, unknown>): boolean {
  return isNonNullType(type) || astNode?.directives?.some(promisesValue) === true;
}

/** Without `levels` the directive promises the field. With `[1]` it promises the items of its list alone. */
function promisesValue({ name, arguments: [levels] = [] }: ConstDirectiveNode): boolean {
  if (name.value !== 'semanticNonNull') return false;
  return levels?.value.kind !== Kind.LIST || levels.value.values.some((level) => print(level) === '0');
}

/** The same as `completeFor`. Null where `@semanticNonNull` promises a value is an error of the field, whose value stays null. */
export function completeField(field: Field, objectOf: CompileObject, options: { mayPause: boolean }): Complete {
  const { definition, name, parentType } = field;
  const complete = completeFor(definition.type, field, objectOf, options);
  if (isNonNullType(definition.type) || !isNeverNull(definition)) return complete;
  return promised(complete, `No value for ${parentType.name}.${name}, which the schema promises by @semanticNonNull.`);
}

/** `otherwise`: the error in place of null. */
function promised(complete: Complete, otherwise: string): Complete {
  return (value, run) => {
    const completed = complete(value, run);
    if (completed !== null) return completed;
    throw new Error(otherwise);
  };
}

/** Completes values as the GraphQL specification says (6.4.3). `mayPause`: a long list may be a promise. `isItem`: the list has counted the objects. */
function completeFor(
  type: GraphQLOutputType,
  field: Field,
  objectOf: CompileObject,
  { mayPause = false, isItem = false } = {},
): Complete {
  if (isNonNullType(type)) {
    const complete = completeFor(type.ofType, field, objectOf, { mayPause, isItem });
    return promised(complete, `Cannot return null for non-nullable field ${field.parentType.name}.${field.name}.`);
  }
  const complete = isListType(type)
    ? completeItems(type.ofType, field, objectOf, mayPause)
    : completeNullable(type, field, objectOf);
  const isCounted = isCompositeType(type) && !isItem;
  return (value, run) => {
    if (value instanceof Error) throw value;
    if (value instanceof Promise) throw new Error(notBelowTheRoot);
    if (value === null || value === undefined) return null;
    if (isCounted) run.answer.addObjects(1);
    return complete(value, run);
  };
}

function completeNullable(type: GraphQLOutputType, field: Field, objectOf: CompileObject): Complete {
  if (isLeafType(type)) {
    return (value, run) => {
      const serialized = type.serialize(value);
      if (typeof serialized === 'object' && serialized !== null)
        run.answer.addText(madeOnce(lengths, serialized, lengthOf));
      if (serialized !== null && serialized !== undefined) return serialized;
      throw new Error(
        `Expected \`${type.name}.serialize(${String(value)})\` to return non-nullable value, returned: ${serialized}`,
      );
    };
  }
  if (isObjectType(type)) {
    // Compiled on first use, so that an error in the selection is an error of this field.
    let read: ReadObject | undefined;
    return (value, run) => {
      read ??= objectOf(field, type);
      return read(value, run);
    };
  }
  if (isAbstractType(type)) return completeAbstract(type, field, objectOf);
  throw new Error(`Values of ${type} cannot be completed.`);
}

/** Many places of an answer may show one value. */
const lengths = new WeakMap<object, number>();

const lengthOf = (value: object) => (JSON.stringify(value) ?? '').length;

function completeItems(type: GraphQLOutputType, field: Field, objectOf: CompileObject, mayPause: boolean): Complete {
  const complete = completeFor(type, field, objectOf, { isItem: true });
  const isNonNull = isNonNullType(type);
  const areObjects = isCompositeType(getNullableType(type));

  /** Completes items from `index` on. Returns the index at which it pauses, or the length of the list. */
  function completeFrom(index: number, value: readonly unknown[], items: unknown[], run: Run): number {
    const { path, answer } = run;
    const depth = path.length;
    let text = 0;
    let at = index;
    for (; at < value.length && !(mayPause && answer.isLong); at += 1) {
      path.push(at);
      try {
        const item = complete(value[at], run);
        items[at] = item;
        if (typeof item === 'string') text += item.length + '"",'.length;
      } catch (error) {
        path.length = depth + 1;
        items[at] = run.fail(error, field.nodes, isNonNull);
      }
      path.pop();
    }
    if (text > 0) answer.addText(text);
    return at;
  }

  async function completeRest(index: number, value: readonly unknown[], items: unknown[], run: Run): Promise<unknown> {
    const place = [...run.path];
    for (let at = index; at < value.length; at = completeFrom(at, value, items, run)) {
      await run.answer.pause();
      run.moveTo(place);
    }
    return items;
  }

  return (value, run) => {
    if (!Array.isArray(value)) {
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${field.parentType.name}.${field.name}".`,
      );
    }
    if (areObjects) run.answer.addObjects(value.length);
    const items = new Array<unknown>(value.length);
    const at = completeFrom(0, value, items, run);
    return at < value.length ? completeRest(at, value, items, run) : items;
  };
}

function completeAbstract(type: GraphQLAbstractType, field: Field, objectOf: CompileObject): Complete {
  const { schema } = field.tree;
  const readers = new Map<unknown, ReadObject>();
  const newReader = (name: unknown): ReadObject => {
    const objectType = typeof name === 'string' ? schema.getType(name) : undefined;
    if (isObjectType(objectType) && schema.isSubType(type, objectType)) return objectOf(field, objectType);
    throw new GraphQLError(
      `Abstract type "${type.name}" must resolve to one of its object types for field "${field.parentType.name}.${field.name}"; it resolved to ${String(name)}.`,
    );
  };
  return (value, run) => {
    const name = type.resolveType
      ? type.resolveType(value, run.contextValue, run.info(field), type)
      : (value as { __typename?: unknown }).__typename;
    return madeOnce(readers, name, newReader)(value, run);
  };
}

/** Recognises values that a built-in scalar returns unchanged. Most values of an answer are such values. */
export function passes(type: GraphQLOutputType): ((value: unknown) => boolean) | undefined {
  const nullable = getNullableType(type);
  return isLeafType(nullable) ? passing.get(nullable.name) : undefined;
}

const isText = (value: unknown) => typeof value === 'string';

/** By scalar. All fields share these functions. */
const passing: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['String', isText],
  ['ID', isText],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['Float', Number.isFinite],
]);

/** The executor's words for a null where the schema promises a value. */
const noValue = /^(?:Cannot return null for non-nullable field|No value for) /;

export function isNoValue({ originalError }: Pick<GraphQLError, 'originalError'>): boolean {
  return noValue.test(originalError?.message ?? '');
}
