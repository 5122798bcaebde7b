import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
} from 'graphql';
import { partFields, references, waysBack } from '../../src/generated/contract.ts';
import type { Row } from '../support/rest-reads.ts';

/** `x` → `x_id`, `xs` → `x_ids`: a field beside its own leaf is a reference, any other object is embedded. */
function isReference(type: GraphQLObjectType, { name }: GraphQLField<unknown, unknown>): boolean {
  const fields = type.getFields();
  return `${name}_id` in fields || (name.endsWith('s') && `${name.slice(0, -1)}_ids` in fields);
}

type References = Readonly<Record<string, Readonly<Record<string, { objects?: string }>>>>;

/** The fields that a row of the service gives, and no part. A way back shows rows of a list. A list of ids has its objects beside it. */
export function fieldsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  const ways: Readonly<Record<string, object>> = waysBack;
  const besideIds = Object.values((references as References)[type.name] ?? {}).map(({ objects }) => objects);
  return Object.values(type.getFields()).filter(
    ({ name }) =>
      !(name in (ways[type.name] ?? {})) &&
      !besideIds.includes(name) &&
      !((partFields as Readonly<Record<string, readonly string[]>>)[type.name] ?? []).includes(name),
  );
}

/** Every field of a type: leaves as they are, references as their id, what is embedded in full. */
export function everyField(schema: GraphQLSchema, typeName: string): string {
  const type = schema.getType(typeName) as GraphQLObjectType;
  const selections = fieldsOf(type).map((field) => {
    const target = getNamedType(field.type);
    if (!isCompositeType(target)) return field.name;
    return isReference(type, field) ? `${field.name} { id }` : `${field.name} { ${everyField(schema, target.name)} }`;
  });
  return selections.join(' ');
}

/** Gives the expected answer to `everyField` for a JSON object of the service. Notes `Type.field` of each value. */
export function asGraph(schema: GraphQLSchema, typeName: string, json: Row, noted: Set<string>): Row {
  const type = schema.getType(typeName) as GraphQLObjectType;
  const answer: Row = {};
  for (const field of fieldsOf(type)) {
    const { name } = field;
    const value = expectedValue(schema, type, field, json, noted);
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) noted.add(`${typeName}.${name}`);
    answer[name] = value;
  }
  return answer;
}

/** Values that the sandbox gives as texts, or not at all. */
const looseFields: Record<string, (json: Row) => unknown> = {
  // Services of the specification do not show it.
  'ProductTransaction.is_deleted': () => null,
  'Product.premium_ids': ({ premiums }) => premiums.split(','),
  'Product.active': ({ is_active }) => is_active === 'true',
  'User.current_policy_accepted': ({ policy_accepted }) => policy_accepted === 'true',
};

function expectedValue(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  json: Row,
  noted: Set<string>,
): unknown {
  const { name } = field;
  const target = getNamedType(field.type);
  // Without a language it is in English.
  if (`${type.name}.${name}` === 'FormField.localized_label') return json.label_en_us || json.label || null;
  if (`${type.name}.${name}` === 'Farmer.name') return [json.first_name, json.last_name].filter(Boolean).join(' ');
  const loose = looseFields[`${type.name}.${name}`];
  if (loose) return loose(json);
  if (isCompositeType(target)) {
    const show = isReference(type, field)
      ? (value: unknown) => ({ id: idOf(value) })
      : (value: unknown) => asGraph(schema, target.name, value as Row, noted);
    const value = json[name];
    if (isListType(getNullableType(field.type))) return value?.map(show);
    return value === null ? null : show(value);
  }
  if (name in json) return json[name];
  if (name.endsWith('_raw')) return json[name.replace(/_raw$/, '')];
  if (name.endsWith('_ids')) return json[name.replace(/_ids$/, 's')].map(idOf);
  return name.endsWith('_id') ? idOf(json[name.replace(/_id$/, '')]) : undefined;
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as Row).id : value;
}
