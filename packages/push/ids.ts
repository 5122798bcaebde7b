import type { Contract } from '@gateway/contract';
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';

/** A place of an input that takes an id. */
export interface IdPlace {
  path: readonly (string | number)[];
  /** The type of the object; undefined for the id that a new object is to have. */
  to: string | undefined;
}

/** A copy of an input in which `map` has replaced every id. */
export function mapIds(
  contract: Contract,
  type: GraphQLInputType,
  value: unknown,
  place: IdPlace,
  map: (id: string, place: IdPlace) => string,
): unknown {
  if (value === null || value === undefined) return value;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const { path, to } = place;
    return (value as unknown[]).map((item, index) =>
      mapIds(contract, nullable.ofType, item, { path: [...path, index], to }, map),
    );
  }
  if (isInputObjectType(nullable)) {
    const fields = nullable.getFields();
    const references = contract.data.inputReferences[nullable.name];
    const entries = Object.entries(value).map(([name, part]) => {
      const below = { path: [...place.path, name], to: references?.[name] };
      const field = fields[name];
      return [name, field ? mapIds(contract, field.type, part, below, map) : part];
    });
    return Object.fromEntries(entries);
  }
  return nullable.name === 'ID' ? map(value as string, place) : value;
}
