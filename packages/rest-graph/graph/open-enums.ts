import type { Json } from '@gateway/base';
import { type Contract, contractOf } from '@gateway/contract';
import { type GraphQLSchema, isEnumType } from 'graphql';
import { textOf } from './defaults.ts';

/** Resolvers of `x_raw`, the text of each enum `x`. */
export function rawTexts({ data }: Contract) {
  const types = Object.entries(data.enums).map(([type, fields]) => [
    type,
    Object.fromEntries(fields.map((field) => [`${field}_raw`, (row: Json) => textOf(row[field])])),
  ]);
  return Object.fromEntries(types);
}

/** Makes enums show each text that they lack as UNKNOWN_VALUE. Values that are no texts stay errors. */
export function openEnums(schema: GraphQLSchema): void {
  const { unknownValue } = contractOf(schema).data;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || !type.getValue(unknownValue)) continue;
    const names = new Set<unknown>(type.getValues().map(({ name }) => name));
    const serialize = type.serialize.bind(type);
    type.serialize = (value) =>
      typeof value === 'string' ? (names.has(value) ? value : unknownValue) : serialize(value);
  }
}
