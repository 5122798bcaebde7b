import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Prints src/generated/answer-shapes.ts: what the contract says of answers, as far as one can tell by looking at one. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface OperationObject {
  operationId?: string;
  responses?: Record<string, { content: { 'application/json': { schema: Schema } } }>;
}

export function answerShapes(openApi: string): string {
  const { paths, components } = parse(openApi) as {
    paths: Record<string, Record<string, OperationObject>>;
    components: { schemas: Record<string, Schema> };
  };
  const shapes: Record<string, Record<string, string>> = {};
  const answers: Record<string, string> = {};
  for (const { operationId, responses = {} } of Object.values(paths).flatMap((item) => Object.values(item))) {
    const [success] = Object.values(responses);
    if (operationId && success) answers[operationId] = typeOf(success.content['application/json'].schema, operationId);
  }

  function typeOf(schema: Schema, place: string): string {
    if (schema.$ref) return shapeOf(schema.$ref.split('/').at(-1) as string);
    if (schema.items) return `${typeOf(schema.items, place)}[]`;
    if (schema.enum) return schema.enum.join('|');
    if (schema.properties) return addShape(place, schema.properties);
    return schema.format === 'date-time' ? 'date-time' : ([schema.type].flat()[0] as string);
  }

  function shapeOf(name: string): string {
    const properties = components.schemas[name]?.properties;
    if (!properties) throw new Error(`The OpenAPI document has no object ${name}.`);
    return name in shapes ? name : addShape(name, properties);
  }

  function addShape(name: string, properties: Record<string, Schema>): string {
    const fields: Record<string, string> = {};
    shapes[name] = fields;
    for (const [field, schema] of Object.entries(properties)) fields[field] = typeOf(schema, `${name}.${field}`);
    return name;
  }

  return `// Written by \`npm run codegen:rest\`; not to be edited.

/** By object and field: \`string\`, \`number\`, \`integer\`, \`boolean\`, \`date-time\`, \`A|B\` of an enum, another object, \`[]\` after it a list. */
export const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(shapes, undefined, 2)};

/** The object that an operation answers. */
export const answers = ${JSON.stringify(answers, undefined, 2)} as const;
`;
}

if (import.meta.main) {
  process.stdout.write(
    answerShapes(readFileSync(new URL('../../schema/rest-service.openapi.yaml', import.meta.url), 'utf8')),
  );
}
