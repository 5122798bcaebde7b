import { isObject } from '@gateway/base';
import type { z } from 'zod';
import { infos, type SettingInfo } from './setting.ts';

/** A setting by its place in the file, such as `limits.documents.depth`. */
export interface Place extends SettingInfo {
  place: string;
  /** The description of its group. */
  group: string;
}

/** Settings in the order of the schema. */
export function placesIn(schema: z.ZodType, above: readonly string[] = [], group = ''): Place[] {
  const info = infos.get(schema);
  if (!info) return [];
  if (!('shape' in info)) return [{ place: above.join('.'), group, ...info }];
  return Object.entries(info.shape).flatMap(([name, inner]) => placesIn(inner, [...above, name], info.about));
}

export function valueAt(values: unknown, place: string): unknown {
  let found = values;
  for (const name of place.split('.')) found = isObject(found) ? found[name] : undefined;
  return found;
}

/** Does nothing if a value stands where the place needs a group. The schema reports that mistake. */
export function put(values: unknown, place: string, value: unknown): void {
  const names = place.split('.');
  const last = names.pop() as string;
  let group = values;
  for (const name of names) {
    if (!isObject(group)) return;
    group = group[name] ??= {};
  }
  if (isObject(group)) group[last] = value;
}

/** Copies the values without nulls, because YAML reads a name without a value as null. */
export function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}
