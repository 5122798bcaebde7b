import { type VariableUse, variableUses } from '@gateway/graphql-serve';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import type { Operation } from './documents.ts';

/** Ids of existing objects, by the argument or field that takes them. */
export type SampleIds = Readonly<Record<string, string>>;

/** Stands for a file, which is sent beside the variables. */
export const sampleFile = Symbol('a file');

/** Optional fields of inputs without which the service refuses a write. */
const neededFields = new Set([
  'source',
  'destination',
  'product',
  'quantity',
  'amount',
  'currency',
  'name',
  'first_name',
]);

/**
 * Values for the variables of an operation, as a screen would send them. Leaves out variables that have a default or may
 * be null, except ids.
 */
export function sampleVariables(
  schema: GraphQLSchema,
  { document, definition }: Operation,
  ids: SampleIds,
): Record<string, unknown> {
  const uses = variableUses(document, definition);
  const variables: Record<string, unknown> = {};
  for (const { variable, type: node, defaultValue } of definition.variableDefinitions ?? []) {
    const name = variable.name.value;
    const known = uses.get(name);
    const use = known ? nameOf(known) : name;
    const type = typeFromAST(schema, node) as GraphQLInputType;
    if (isNonNullType(type) ? !defaultValue : String(type) === 'ID' && !defaultValue && use in ids) {
      variables[name] = sampleOf(type, use, ids);
    }
  }
  return variables;
}

/** The argument or input field that takes the variable; for an argument `id`, the object that its field names. */
function nameOf({ by, place }: VariableUse): string {
  const name = String(place.findLast((part) => typeof part === 'string'));
  return name === 'id' ? thingIn(by.name.value) : name;
}

/** `updateCompany` → `company`. */
function thingIn(field: string): string {
  return field.replace(/^update([A-Z])/, (_, first: string) => first.toLowerCase());
}

function sampleOf(type: GraphQLInputType, use: string, ids: SampleIds): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, use, ids);
  if (isListType(type)) return [sampleOf(type.ofType, use, ids)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf
      ? fields.slice(0, 1)
      : fields.filter((field) => isNonNullType(field.type) || neededFields.has(field.name));
    return Object.fromEntries(given.map((field) => [field.name, sampleOf(field.type, field.name, ids)]));
  }
  switch (type.name) {
    case 'ID':
      return ids[use] ?? 'sample';
    case 'Int':
    case 'Float':
      return 1;
    case 'Decimal':
      return '1';
    case 'Boolean':
      return true;
    case 'Date':
      return '2026-01-01';
    case 'DateTime':
      return '2026-01-01T00:00:00Z';
    case 'Upload':
      return sampleFile;
    default:
      return 'Sample';
  }
}
