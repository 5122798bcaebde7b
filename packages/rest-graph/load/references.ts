import { isObject, type Json, jsonOrUndefined } from '@gateway/base';
import type { Heirs, Reference, Target } from '@gateway/contract';

/** The value of a reference in a row: the object, its id, or null. */
export function referenceValue(row: Json, field: string, reference: Reference): Json | string | null {
  const details = reference.details === undefined ? undefined : row[reference.details];
  if (isObject(details) && typeof details.id === 'string') return details;
  return one(row[field], reference);
}

/** The same for a list of references; entries without an id are left out. */
export function referenceValues(row: Json, field: string, reference: Reference): (Json | string)[] | null {
  const values = itemsIn(row[field]);
  return values === undefined ? null : values.map((value) => one(value, reference)).filter((value) => value !== null);
}

/** The items of a list, of the JSON text of a list, or of a text of ids with commas. Undefined for other values. */
export function itemsIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  if (value === '') return [];
  const items = value.startsWith('[') ? jsonOrUndefined(value) : value.split(/\s*,\s*/);
  // Texts with other characters are no lists of ids.
  const isId = (item: unknown) => typeof item !== 'string' || /^[\w-]{1,64}$/.test(item);
  return Array.isArray(items) && items.every(isId) ? items : undefined;
}

/** The target of a reference in this row: the kind that the row names, where it names one. */
export function targetIn(row: Json, { to, kindBy }: Reference): Target {
  if (!kindBy) return to;
  const name = String(row[kindBy.field]);
  return Object.hasOwn(kindBy.kinds, name) ? (kindBy.kinds[name] as Target) : to;
}

export function idOf(value: Json | string): string {
  return typeof value === 'string' ? value : (value.id as string);
}

/** The last word, as of `Ama - Accra - a1`. */
export function withoutLabel<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.slice(value.lastIndexOf(' ') + 1) : value;
}

function one(value: unknown, reference: Reference): Json | string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    if (value === '') return null;
    return reference.labelled ? withoutLabel(value) : value;
  }
  if (Array.isArray(value)) {
    const { where } = reference;
    const current = value.find((each) => isObject(each) && (where === undefined || each[where] !== false));
    return one(current ?? null, reference);
  }
  return isObject(value) && typeof value.id === 'string' && value.id !== '' ? value : null;
}

/** Gives the objects inside a row the properties that the service leaves out of them. A property that it sends stays, null too. */
export function passOn(row: Json, heirs: readonly Heirs[]): void {
  for (const { field, properties } of heirs) {
    const objects = row[field];
    if (!Array.isArray(objects)) continue;
    for (const object of objects) if (isObject(object)) inherit(object, row, properties);
  }
}

function inherit(object: Json, row: Json, properties: Heirs['properties']): void {
  for (const { property, details, from, reference } of properties) {
    if (property in object || (details !== undefined && details in object)) continue;
    if (!reference) {
      if (from in row) object[property] = row[from];
    } else if (from in row || (reference.details !== undefined && reference.details in row)) {
      const value = referenceValue(row, from, reference);
      object[property] = value;
      if (details !== undefined && isObject(value)) object[details] = value;
    }
  }
}
