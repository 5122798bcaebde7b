import type { GraphQLError } from 'graphql';
import { codedError } from '../graphql/errors/codes.ts';
import { isPossibleId } from '../upstream/request-path.ts';

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

/**
 * The items of a list, of the JSON text of a list, or of a text of ids with commas.
 * @throws UPSTREAM_INVALID_RESPONSE for a value that is no list.
 */
export function listIn(value: unknown): unknown[] | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value;
  if (value === '') return [];
  if (typeof value !== 'string') throw noValue('list');
  const items = value.startsWith('[') ? parsed(value) : value.split(/\s*,\s*/);
  if (!Array.isArray(items) || items.some((item) => typeof item === 'string' && !isPossibleId(item)))
    throw noValue('list');
  return items;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noValue(kind: string): GraphQLError {
  return codedError('UPSTREAM_INVALID_RESPONSE', `The service sent a value that is no ${kind}.`);
}
