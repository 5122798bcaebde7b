import type { GraphQLError } from 'graphql';
import { fieldsRefused } from '../graphql/errors/codes.ts';
import { isObject } from '../lib/json.ts';
import { isById, isListOnly, type Target } from '../loaders/kinds.ts';

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
export function isResolvable(type: string): boolean {
  return isById(type as Target) || isListOnly(type as Target) || type === 'Entity' || type === 'UnknownEntity';
}

/** The argument of `_entities`: an object or the fault of each place, and the ids of the objects by target. */
export function readRepresentations(representations: readonly unknown[]): {
  places: (Representation | Fault)[];
  idsByTarget: Map<Target, string[]>;
} {
  const idsByTarget = new Map<Target, string[]>();
  const places = representations.map((value) => {
    const place = representationOf(value);
    if ('message' in place) return place;
    const ids = idsByTarget.get(place.target);
    if (ids) ids.push(place.id);
    else idsByTarget.set(place.target, [place.id]);
    return place;
  });
  return { places, idsByTarget };
}

function representationOf(value: unknown): Representation | Fault {
  if (!isObject(value)) return { message: 'A representation is an object with `__typename` and `id`.' };
  const { __typename: type, id } = value;
  if (typeof type !== 'string' || !isResolvable(type)) {
    return { key: '__typename', message: 'The gateway finds no objects of this type by their id.' };
  }
  if (typeof id !== 'string' || id === '') return { key: 'id', message: 'Required; a text.' };
  return { target: type === 'UnknownEntity' ? 'Entity' : (type as Target), id };
}

/** BAD_USER_INPUT for the representation at this index. */
export function faultError({ key, message }: Fault, index: number): GraphQLError {
  const path = ['representations', index, ...(key === undefined ? [] : [key])];
  return fieldsRefused('A representation names no object', [{ path, message }]);
}
