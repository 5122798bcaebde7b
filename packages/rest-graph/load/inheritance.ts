import { isObject, type Json } from '@gateway/base';
import type { Heirs, Inherited } from '@gateway/contract';
import { referenceValue } from './references.ts';

/** Gives the objects inside a row the properties that the service leaves out of them. A property that it sends stays, null too. */
export function passOn(row: Json, heirs: readonly Heirs[]): void {
  for (const { field, properties } of heirs) {
    const objects = row[field];
    if (!Array.isArray(objects)) continue;
    for (const object of objects) if (isObject(object)) inherit(object, row, properties);
  }
}

function inherit(object: Json, row: Json, properties: readonly Inherited[]): void {
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
