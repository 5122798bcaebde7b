import type { Dialects, Schema, Wire } from './openapi.ts';

/** A field of one dialect may be missing everywhere. Services of others lack it, as older ones do. */
export function withOnlyIn(dialects: Dialects, schemas: Readonly<Record<string, Schema>>, wire: Wire): Dialects {
  const all = structuredClone(dialects);
  for (const [schema, { properties = {} }] of Object.entries(schemas)) {
    const fields = Object.keys(properties).filter((field) => properties[field]?.['x-only-in']);
    if (fields.length === 0) continue;
    const absent = Object.fromEntries(fields.map((field) => [field, ['absent']]));
    for (const dialect of Object.keys(wire.dialects)) {
      all[dialect] = { ...all[dialect], [schema]: { ...all[dialect]?.[schema], ...absent } };
    }
  }
  return all;
}
