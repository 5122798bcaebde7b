import type { Contract } from './contract.ts';
import { holdsNumberId } from './ids.ts';
import type { Schema } from './openapi.ts';

type Shape = Record<string, string>;

/** Types of the fields of answers, by schema and field. Pages have the words of the gateway. An object that has no schema is named by its place: `A.field`. */
export function shapesOf({ endpoints, schemas, idProperties, wire: { page } }: Contract): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  for (const { does, response } of endpoints) {
    addShape(response, schemas[response] ?? {});
    if (does === 'list') shapes[response] = inOwnWords(shapes[response] ?? {});
  }
  return shapes;

  function inOwnWords({ [page.count]: count = 'integer', [page.rows]: results = '', ...others }: Shape): Shape {
    return { count, results, ...others };
  }

  function addShape(name: string, { properties = {} }: Schema): string {
    if (name in shapes) return name;
    const fields: Shape = {};
    shapes[name] = fields;
    for (const [field, schema] of Object.entries(properties))
      if (!schema.writeOnly) fields[field] = shapeOf(name, field, schema);
    for (const { property, schema } of idProperties.get(name)?.values() ?? [])
      fields[property] = shapeOf(name, property, schema);
    return name;
  }

  function shapeOf(name: string, field: string, schema: Schema): string {
    if (holdsNumberId(field, schema)) return `number-id${schema.items ? '[]' : ''}`;
    return typeOf(schema, `${name}.${field}`);
  }

  function typeOf(schema: Schema, place: string): string {
    if (schema['x-scalar'] === 'JSON') return 'json';
    if (schema.$ref) return addShape(schema.$ref, schemas[schema.$ref] ?? {});
    if (schema.items) return `${typeOf(schema.items, place)}[]`;
    if (schema.enum) return schema.enum.join('|');
    if (schema.properties) return addShape(place, schema);
    return schema.format === 'date-time' ? 'date-time' : ([schema.type].flat()[0] ?? '');
  }
}
