import type { GraphQLError } from 'graphql';
import { fieldsRefused } from '../graphql/errors/codes.ts';
import { isObject } from '../lib/json.ts';
import { isById, isListOnly, type Target } from '../loaders/kinds.ts';

/** An object that a router asks for. */
export interface Representation {
  target: Target;
  id: string;
}

/** The gateway finds objects of this type by their id. */
export function isResolvable(type: string): boolean {
  return isById(type as Target) || isListOnly(type as Target) || type === 'Entity' || type === 'UnknownEntity';
}

/** The argument of `_entities`: an object or the error of each place, and the ids of the objects by target. */
export function readRepresentations(representations: readonly unknown[]): {
  places: (Representation | GraphQLError)[];
  idsByTarget: Map<Target, string[]>;
} {
  const idsByTarget = new Map<Target, string[]>();
  const places = representations.map((value, index) => {
    const place = representationOf(value, index);
    if (place instanceof Error) return place;
    const ids = idsByTarget.get(place.target);
    if (ids) ids.push(place.id);
    else idsByTarget.set(place.target, [place.id]);
    return place;
  });
  return { places, idsByTarget };
}

function representationOf(value: unknown, index: number): Representation | GraphQLError {
  const refused = (key: string | undefined, message: string) => {
    const path = ['representations', index, ...(key === undefined ? [] : [key])];
    return fieldsRefused('A representation names no object', [{ path, message }]);
  };
  if (!isObject(value)) return refused(undefined, 'A representation is an object with `__typename` and `id`.');
  const { __typename: type, id } = value;
  if (typeof type !== 'string' || !isResolvable(type)) {
    return refused('__typename', 'The gateway finds no objects of this type by their id.');
  }
  if (typeof id !== 'string') return refused('id', 'Required; a text.');
  return { target: type === 'UnknownEntity' ? 'Entity' : (type as Target), id };
}
