import { visitInput } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import type { GraphQLArgument } from 'graphql';

/** A place of an input that takes an id. */
export interface IdPlace {
  path: readonly (string | number)[];
  /** The type of the object; undefined for the id that a new object is to have. */
  to: string | undefined;
}

/** A copy of the value of an argument in which `map` has replaced every id. `to`: the type of the object of the argument. */
export function mapIds(
  contract: Contract,
  { name, type }: GraphQLArgument,
  given: unknown,
  to: string | undefined,
  map: (id: string, place: IdPlace) => string,
): unknown {
  return visitInput(type, given, { path: [name] }, (value, of, { path, field, parentType }) => {
    if (String(of) !== 'ID' || value === null) return undefined;
    const known = parentType && contract.data.inputReferences[parentType.name];
    return map(value as string, { path, to: field ? known?.[field.name] : to });
  });
}
