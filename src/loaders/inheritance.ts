import { embedded, inherited } from '../generated/contract.ts';
import { isObject, type Json } from '../lib/json.ts';
import { type Reference, references, referenceValue } from './references.ts';

interface Inherited {
  property: string;
  /** The property beside it that embeds the same object. */
  details: string | undefined;
  from: string;
  reference: Reference | undefined;
}

/** A field that embeds objects, with what they inherit. */
interface Heirs {
  field: string;
  properties: readonly Inherited[];
}

const heirsByType: ReadonlyMap<string, readonly Heirs[]> = new Map(
  Object.entries<Readonly<Record<string, Readonly<Record<string, string>>>>>(inherited).map(([type, fields]) => [
    type,
    Object.entries(fields).map(([field, properties]) => ({
      field,
      properties: Object.entries(properties).map(([property, from]) => ({
        property,
        details: references[embeddedType(type, field)]?.[property]?.details,
        from,
        reference: references[type]?.[from],
      })),
    })),
  ]),
);

function embeddedType(type: string, field: string): string {
  const fields: Readonly<Record<string, string>> = embedded[type as keyof typeof embedded];
  return fields[field] ?? '';
}

/** Fields of a type whose objects inherit properties. */
export function heirsOf(type: string): readonly Heirs[] {
  return heirsByType.get(type) ?? [];
}

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
      object[property] = referenceValue(row, from, reference);
    }
  }
}
