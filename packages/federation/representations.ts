import { fieldsRefused, isObject } from '@gateway/base';
import type { Contract, Target } from '@gateway/contract';
import type { GraphQLError } from 'graphql';

/** An object that a router asks for. */
export interface Representation {
  target: Target;
  id: string;
}

/** Says why a value names no object. Limits count faults before the gateway makes an error of each. */
export interface Fault {
  key?: string;
  message: string;
}

/** The gateway finds objects of this type by their id. */
export function isResolvable(contract: Contract, type: string): boolean {
  const target = targetOf(contract, type);
  const union = contract.union(target);
  return contract.isById(target) || contract.isListOnly(target) || (union !== undefined && !union.sharesIds);
}

/** The target of a type. An object of unknown kind may be of any kind of its union. */
function targetOf({ data }: Contract, type: string): Target {
  const union = Object.values(data.unions).find(({ unknown }) => unknown === type);
  return (union?.name ?? type) as Target;
}

/** The argument of `_entities`: an object or the fault of each place, and the ids of the objects by target. */
export function readRepresentations(
  contract: Contract,
  representations: readonly unknown[],
): {
  places: (Representation | Fault)[];
  idsByTarget: Map<Target, string[]>;
} {
  const idsByTarget = new Map<Target, string[]>();
  const places = representations.map((value) => {
    const place = representationOf(contract, value);
    if ('message' in place) return place;
    const ids = idsByTarget.get(place.target);
    if (ids) ids.push(place.id);
    else idsByTarget.set(place.target, [place.id]);
    return place;
  });
  return { places, idsByTarget };
}

function representationOf(contract: Contract, value: unknown): Representation | Fault {
  if (!isObject(value)) return { message: 'A representation is an object with `__typename` and `id`.' };
  const { __typename: type, id } = value;
  if (typeof type !== 'string' || !isResolvable(contract, type)) {
    return { key: '__typename', message: 'The gateway finds no objects of this type by their id.' };
  }
  if (typeof id !== 'string' || id === '') return { key: 'id', message: 'Required; a text.' };
  return { target: targetOf(contract, type), id };
}

/** BAD_USER_INPUT for the representation at this index. */
export function faultError({ key, message }: Fault, index: number): GraphQLError {
  const path = ['representations', index, ...(key === undefined ? [] : [key])];
  return fieldsRefused('A representation names no object', [{ path, message }]);
}
