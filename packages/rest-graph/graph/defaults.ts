import { codedError, isObject, type Json, plainReads } from '@gateway/base';
import { contractOf } from '@gateway/contract';
import { isRow } from '@gateway/upstream';
import {
  defaultFieldResolver,
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLID,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import { holdsRows, keysOf } from '../plan/selection-plan.ts';
import type { RequestContext } from '../request/context.ts';
import { valuesOf } from './bounds.ts';
import { referenceError } from './references.ts';

type Resolver = GraphQLFieldResolver<Json, RequestContext>;
type Fit = (value: unknown, context: RequestContext, info: GraphQLResolveInfo) => unknown;
type RequiredKeys = readonly (readonly string[])[];

/**
 * A field without a resolver is the JSON field of its name. These resolvers also accept other shapes than the contract's, and
 * enums other texts.
 */
export function fitToAnswers(schema: GraphQLSchema): void {
  const contract = contractOf(schema);
  const { mediaFields, requiredKeys, unknownValue } = contract.data;
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) sayValues(type, unknownValue);
    if (isEnumType(type) && type.getValue(unknownValue)) open(type, unknownValue);
    if (!isObjectType(type) || roots.has(type) || holdsRows(type)) continue;
    const media = mediaFields[type.name] ?? [];
    const lacked = contract.lackedOf(type.name);
    for (const field of Object.values(type.getFields())) {
      const keys = requiredKeys[type.name]?.[field.name];
      field.resolve ??= media.includes(field.name) ? mediaUrl : defaultFor(field, keys);
      if (keysOf(contract, type.name, field.name).some((key) => lacked.includes(key))) field.resolve = ofWhole(field);
    }
  }
}

/** The value in the whole object of a row, or the error of the read that should have given it. */
function ofWhole({ resolve = defaultFieldResolver }: GraphQLField<Json, RequestContext>): Resolver {
  return (row, args, context, info) => {
    const whole = context.loaders.wholes.get(row) ?? row;
    if (whole instanceof Error) return referenceError(whole, info.parentType.name, String(row.id));
    return resolve(whole, args, context, info);
  };
}

/** With one list of `keys`, the first of them that the row has is the value. The app combines several lists. */
function defaultFor({ name, type }: GraphQLField<Json, RequestContext>, [keys, more]: RequiredKeys = []) {
  const fit = fitFor(getNullableType(type));
  const names = keys && !more ? keys : undefined;
  // The executor reads fields without a resolver, and those of `text`, by itself.
  if (!names && !fit) return undefined;
  if (!names && fit === textOf) return text;
  const read = (row: Json) => row[names ? (names.find((key) => row[key] !== undefined) ?? '') : name];
  return fit ? (((row, _args, context, info) => fit(read(row), context, info)) as Resolver) : read;
}

/** Makes values of other shapes than the contract's fit the type. */
function fitFor(type: GraphQLField<Json, RequestContext>['type']): Fit | undefined {
  if (type === GraphQLString) return textOf;
  if (isObjectType(type)) return embedded;
  const item = isListType(type) ? getNullableType(type.ofType) : undefined;
  if (item === GraphQLID) return (value, ...place) => (Array.isArray(value) ? idsOf(value, ...place) : value);
  return isObjectType(item) && isNonNullType(item.getFields().id?.type) ? objects : undefined;
}

/** An id in place of the object would show as an object whose fields are null. */
const embedded: Fit = (value, _context, { fieldName }) =>
  isObject(value ?? {}) ? value : new GraphQLError(`${fieldName} cannot represent ${typeof value}.`);

/** Text, or the JSON text of a list or an object that the service sends instead. */
const text: Resolver = (row, _args, _context, { fieldName }) => textOf(row[fieldName]);

export function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

plainReads.add(text);

/** The URL of a file, which the service words differently in each of its answers. */
const mediaUrl: Resolver = (row, _args, context, { fieldName }) => {
  const value = textOf(row[fieldName]);
  return typeof value === 'string' ? context.service.upstream.mediaUrl(value) : value;
};

/** Ids. Newer versions of the service embed some objects instead. */
export function idsOf(items: readonly unknown[], context: RequestContext, info: GraphQLResolveInfo): string[] {
  return items
    .map((item) => (isObject(item) ? item.id : item))
    .filter((id, index): id is string => typeof id === 'number' || isRow({ id }) || leaveOut(context, info, index));
}

/** One bad record must not erase its neighbours. */
const objects: Fit = (value, context, info) => {
  // Items without an id are rare, and a test costs less than a new list.
  if (!Array.isArray(value) || value.every(isRow)) return value;
  return value.filter((item, index) => isRow(item) || leaveOut(context, info, index));
};

/** Makes an enum show each text that it lacks as the unknown value. */
function open(type: GraphQLEnumType, unknownValue: string): void {
  const names = new Set<unknown>(type.getValues().map(({ name }) => name));
  const serialize = type.serialize.bind(type);
  type.serialize = (value) =>
    typeof value === 'string' ? (names.has(value) ? value : unknownValue) : serialize(value);
}

/** Where a client gives a wrong value, the enum says which values to give. */
function sayValues(type: GraphQLEnumType, unknownValue: string): void {
  const [parseValue, parseLiteral] = [type.parseValue.bind(type), type.parseLiteral.bind(type)];
  const isKnown = (value: unknown) => typeof value === 'string' && type.getValue(value) !== undefined;
  type.parseValue = (value, hidesSuggestions) => {
    if (hidesSuggestions || isKnown(value)) return parseValue(value, hidesSuggestions);
    throw codedError('BAD_USER_INPUT', `Must be ${valuesOf(type, unknownValue)}.`);
  };
  type.parseLiteral = (node, variables, hidesSuggestions) => {
    if (hidesSuggestions || (node.kind === Kind.ENUM && isKnown(node.value)))
      return parseLiteral(node, variables, hidesSuggestions);
    const quotes = node.kind === Kind.STRING ? ', without quotes' : '';
    throw new GraphQLError(`${type.name} must be ${valuesOf(type, unknownValue)}${quotes}.`, { nodes: node });
  };
}

function leaveOut(context: RequestContext, info: GraphQLResolveInfo, index: number): false {
  const message = 'The service gave an item without an id; it is left out.';
  context.errors.add(info, codedError('UPSTREAM_INVALID_RESPONSE', message), index);
  return false;
}
