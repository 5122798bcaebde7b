import type { Contract, Endpoint } from './contract.ts';
import type { Schema } from './openapi.ts';

/** Types of the fields of answers, by schema and field. An object that has no schema is named by its place: `A.field`. */
export function shapesOf(
  endpoints: readonly Endpoint[],
  schemas: Contract['schemas'],
): Record<string, Record<string, string>> {
  const shapes: Record<string, Record<string, string>> = {};
  for (const { response } of endpoints) addShape(response, schemas[response] ?? {});
  return shapes;

  function addShape(name: string, { properties = {} }: Schema): string {
    if (name in shapes) return name;
    const fields: Record<string, string> = {};
    shapes[name] = fields;
    for (const [field, schema] of Object.entries(properties)) fields[field] = typeOf(schema, `${name}.${field}`);
    return name;
  }

  function typeOf(schema: Schema, place: string): string {
    if (schema.$ref) return addShape(schema.$ref, schemas[schema.$ref] ?? {});
    if (schema.items) return `${typeOf(schema.items, place)}[]`;
    if (schema.enum) return schema.enum.join('|');
    if (schema.properties) return addShape(place, schema);
    return schema.format === 'date-time' ? 'date-time' : ([schema.type].flat()[0] ?? '');
  }
}
