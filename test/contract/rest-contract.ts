import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** JSON Schema, as far as the OpenAPI document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  /** The resource whose id the string holds. */
  'x-reference'?: string;
}

interface Parameter {
  name: string;
  in: 'query' | 'path';
  schema: Schema;
}

interface Content {
  content: Record<string, { schema: Schema }>;
}

interface PathItem {
  parameters?: (Parameter | { $ref: string })[];
}

interface OperationObject extends PathItem {
  operationId: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface OpenApiDocument {
  paths: Record<string, PathItem & Partial<Record<Method, OperationObject>>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

const methods = ['get', 'post', 'patch'] as const;
type Method = (typeof methods)[number];

export interface Operation {
  id: string;
  method: Method;
  path: string;
  takesId: boolean;
  query: Parameter[];
  /** Name of the schema of a JSON body. */
  body: string | undefined;
  /** `200`, `201`, or `2XX` where the specification does not show it. */
  status: string;
  /** Name of the schema of the answer. */
  answer: string;
}

const document: OpenApiDocument = parse(
  readFileSync(new URL('../../schema/rest-service.openapi.yaml', import.meta.url), 'utf8'),
);

export const schemas = document.components.schemas;

export const referencedName = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1);

/** The properties of a named schema, through a schema that is only another name for it. */
export function propertiesOf(name: string): Record<string, Schema> {
  const schema = namedSchema(name);
  return schema.properties ?? {};
}

export function requiredOf(name: string): readonly string[] {
  return namedSchema(name).required ?? [];
}

/** The 23 operations, in the order of the specification. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([key, operation]) =>
    isMethod(key) ? [describeOperation(path, key, item, operation as OperationObject)] : [],
  ),
);

function namedSchema(name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`The OpenAPI document has no schema ${name}`);
  const target = referencedName(schema);
  return target ? namedSchema(target) : schema;
}

function isMethod(key: string): key is Method {
  return methods.some((method) => method === key);
}

function describeOperation(path: string, method: Method, item: PathItem, operation: OperationObject): Operation {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
  );
  const [status, answer] = Object.entries(operation.responses)[0]!;
  const body = operation.requestBody?.content['application/json'];
  return {
    id: operation.operationId,
    method,
    path,
    takesId: parameters.some((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: body && referencedName(body.schema),
    status,
    answer: referencedName(answer.content['application/json']!.schema)!,
  };
}
