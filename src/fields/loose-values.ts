import { codedError } from '@gateway/base';
import { itemsIn } from '@gateway/rest-graph';
import type { GraphQLError } from 'graphql';

/** Reads values that the contract calls texts, in each form that services send. An empty text is no value. */

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...([true, 1, 'true', '1'] as const).map((value) => [value, true] as const),
  ...([false, 0, 'false', '0'] as const).map((value) => [value, false] as const),
]);

/** @throws UPSTREAM_INVALID_RESPONSE for a value that is no boolean. */
export function booleanIn(value: unknown): boolean | null {
  if (value === null || value === undefined || value === '') return null;
  const found = booleans.get(typeof value === 'string' ? value.toLowerCase() : value);
  if (found === undefined) throw noValue('boolean');
  return found;
}

/** @throws UPSTREAM_INVALID_RESPONSE for a value that is no list. */
export function listIn(value: unknown): unknown[] | null {
  if (value === null || value === undefined) return null;
  const items = itemsIn(value);
  if (items === undefined) throw noValue('list');
  return items;
}

function noValue(kind: string): GraphQLError {
  return codedError('UPSTREAM_INVALID_RESPONSE', `The service sent a value that is no ${kind}.`);
}
