import { z } from 'zod';
import { isName } from './normal-form.ts';

/** The OpenAPI document, as far as the contract uses it. An unknown key is a mistake. */

const text = z.string().optional();
const texts = z.array(z.string());
const flag = z.literal(true).optional();
const any = z.unknown().optional();
const boolean = z.boolean().optional();

/** The name of a field, an argument or a type. */
export const graphName = z.string().refine(isName, 'is no name of GraphQL');

const schemaName = z.string().transform((text, context) => {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(text) ?? [];
  if (name) return name;
  context.addIssue({ code: 'custom', message: `no "#/components/schemas/…": ${text}` });
  return z.NEVER;
});

const reference = z.preprocess(
  (value) => (typeof value === 'string' ? { to: value } : value),
  z.strictObject({
    to: z.string(),
    details: text,
    within: text,
    where: text,
    noIdField: flag,
    objects: text,
    mayBeEmbedded: flag,
    loadAfter: texts.optional(),
    probeFirst: text,
  }),
);

const probable = z.enum(['each', 'alone']).optional();
const evidence = z.strictObject({ field: z.string(), is: z.string(), where: text, equals: text, probable });

/** A field beyond the specification. */
const added = z.strictObject({
  type: z.string(),
  keys: z.array(texts).optional(),
  otherFormOf: text,
  'x-reference': reference.optional(),
});

const typeName = z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

const value = z
  .strictObject({
    format: text,
    pattern: text,
    contentMediaType: text,
    description: text,
    enum: texts,
    required: texts,
    minLength: z.int(),
    maxLength: z.int(),
    readOnly: boolean,
    writeOnly: boolean,
    deprecated: boolean,
    'x-type': text,
    'x-id': text,
    'x-only-in': text,
    'x-labelled-id': flag,
    'x-unknown': graphName,
    'x-inherits': z.record(z.string(), z.string()),
    'x-graphql-only': z.record(graphName, added),
    'x-scalar': z.enum(['DateTime', 'Decimal', 'JSON']),
    'x-reference': reference,
    'x-never-null': texts,
    type: z.union([typeName, z.array(typeName)]),
    example: z.record(z.string(), z.unknown()).optional().catch(undefined),
    'x-evidence': z.record(z.string(), z.array(evidence)),
  })
  .partial();

const schema = value.extend({
  $ref: schemaName.optional(),
  get oneOf() {
    return z.array(schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
});

const joins: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

const ofParameter = z.strictObject({
  name: z.string(),
  in: z.enum(['query', 'path', 'header', 'cookie']),
  required: boolean,
  schema,
  description: text,
  example: any,
  'x-argument': graphName.optional(),
  'x-only-in': text,
  'x-other-name': text,
  'x-checked-by': text,
  'x-adds': text,
  'x-shown-by': texts.optional(),
  deprecated: boolean,
  'x-compares': z.enum(['after', 'before', 'words', 'atLeast', 'atMost']).optional(),
  'x-reorders': z.union([z.string(), z.literal(true)]).optional(),
  style: text,
  explode: boolean,
});

/** A list of plain values has their schema. */
const parameter = ofParameter.transform(({ style = 'form', explode = style === 'form', ...given }) => {
  const { items } = given.schema;
  const join = joins[style] && (explode ? '\n' : joins[style]);
  const isList = given.in === 'query' && join && /^(string|number|integer|boolean)/.test(String(items?.type));
  return { ...given, ...(isList && { schema: items as Schema, join }) };
});

const parameters = z.array(z.union([parameter, z.strictObject({ $ref: z.string() })])).optional();

const mediaTypes = (text: string) => text.split(',').map((type) => type.replace(/;.*/, '').trim().toLowerCase());
const encoding = z.record(z.string(), z.object({ contentType: z.string().transform(mediaTypes) })).optional();
const media = z.strictObject({ schema, encoding, example: any }, 'is missing; leave the endpoint out');
const json = z.object({ 'application/json': media });
const form = z.object({ 'multipart/form-data': media });

const back = { field: graphName, of: texts.min(1), by: text, gives: text, where: text, description: z.string() };
const wayBack = z.strictObject(back);

const security = z.array(z.record(z.string(), texts)).default([]);

const operation = z.strictObject({
  operationId: text,
  summary: text,
  description: text,
  deprecated: boolean,
  security,
  parameters,
  requestBody: z.strictObject({ description: text, required: boolean, content: json.or(form) }).optional(),
  responses: z.record(z.string(), z.strictObject({ description: text, content: json.partial().optional() })),
  'x-ways-back': z.array(wayBack).optional(),
  'x-only-in': text,
  'x-proves-key': flag,
  'x-newest-first': text,
  'x-row-time': text,
  'x-sends': z.record(z.string(), z.record(z.string(), z.string())).optional(),
  'x-invalidates': texts.optional(),
  'x-if-unchanged': z.union([z.string(), z.literal(true)]).optional(),
  'x-cost': z.strictObject({ callMs: z.number(), rowMs: z.number().optional() }).optional(),
});

const headerName = z.string().regex(/^[\w-]+$/, 'no name of a header');

const ofScheme = {
  description: text,
  'x-claims': z.array(z.string()).default([]),
  'x-sign-in': z.strictObject({ header: headerName, value: z.string() }).optional(),
};

/** Holds the API key in a header of the request. */
const securitySchemeOf = (added: object) =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('apiKey'), in: z.literal('header'), name: headerName, ...ofScheme, ...added }),
    z.strictObject({ type: z.enum(['http', 'oauth2', 'openIdConnect']), in: text, name: text, ...ofScheme, ...added }),
  ]);

const none = (why: string) => z.undefined(why).optional();

const pathItemOf = (added: object) => {
  const each = z.strictObject({ ...operation.shape, ...added });
  return z.strictObject({
    summary: text,
    description: text,
    parameters,
    get: each
      .extend({ requestBody: none('no GET has a body; leave it out'), 'x-invalidates': none('belongs to a write') })
      .optional(),
    post: each.optional(),
    patch: each.optional(),
    put: each.optional(),
    delete: each.optional(),
  });
};

/** Ways in which a field may differ. */
const difference = z
  .string()
  .regex(/^(absent|(string|integer|number|boolean|array|object|null)(\[\])*|[A-Z_]+)$/, 'no difference of a field');

const listed = z.preprocess((value) => [value].flat(), z.array(difference));

/** By place and field. A place is a schema, or the property that embeds an object: `Form`, `Submission.form_details`. */
const differences = z.record(z.string(), z.record(z.string(), listed));

const dialect = z.strictObject({
  times: z.enum(['iso', 'unix']),
  envelope: z.strictObject({ data: z.string(), success: text, message: text, code: text }).optional(),
  refusesTimes: text,
  appliesFilters: flag,
  breaksOnInput: flag,
});

const words = z.array(z.string().regex(/^[a-z ]+$/, 'must be in lower case'));

const isUnionIfSaid = (schema: Schema) => schema.oneOf || !(schema['x-unknown'] ?? schema['x-evidence']);
const ofUnions = 'has x-unknown and x-evidence only with oneOf of several objects';

/** The document with further keys of operations and of security schemes. */
export const documentWith = (keys: object, schemeKeys: object) =>
  z.strictObject({
    security,
    paths: z.record(z.string().startsWith('/'), pathItemOf(keys)),
    components: z.object({
      securitySchemes: z.record(z.string(), securitySchemeOf(schemeKeys)).default({}),
      parameters: z.record(z.string(), parameter).default({}),
      schemas: z.record(z.string(), schema.refine(isUnionIfSaid, ofUnions)).default({}),
    }),
    'x-wire': z.strictObject({
      page: z
        .strictObject({
          count: z.string().default('count'),
          rows: z.string().default('results'),
          countHeader: headerName.toLowerCase().optional(),
          limit: text,
          offset: text,
          number: text,
          first: z.union([z.literal(0), z.literal(1)]).optional(),
          largest: z.int().min(1).optional(),
        })
        .refine(
          ({ limit, offset, number }) => (limit ? !offset !== !number : !offset && !number),
          'has either offset or number beside limit, and no cursor',
        )
        .refine(({ number, first }) => number !== undefined || first === undefined, 'has first only beside number'),
      wholeBody: z.array(z.string()).default([]),
      errorCode: text,
      fieldErrors: z.strictObject({ path: z.string(), message: z.string(), body: text }).optional(),
      refusals: z
        .strictObject({ keyCodes: texts, keyWords: words, idWords: words, objectWords: words })
        .partial()
        .optional(),
      internalNumbers: flag,
      otherIds: texts.optional(),
      dialects: z.record(z.string().regex(/^\w+$/), dialect).default({ plain: { times: 'iso' } }),
    }),
    'x-dialects': z.record(z.string(), differences).optional(),
  });

export type OpenApi = z.infer<ReturnType<typeof documentWith>>;
export type Schema = z.infer<typeof schema>;
export type Parameter = z.infer<typeof parameter>;
export type Operation = z.infer<typeof operation>;
export type PathItem = z.infer<ReturnType<typeof pathItemOf>>;
export type Dialects = NonNullable<OpenApi['x-dialects']>;
export type Wire = OpenApi['x-wire'];
export type WayBack = z.infer<typeof wayBack>;
export type ReferenceOptions = z.infer<typeof reference>;

/** The schema of this name, or the one that it refers to. */
export function schemaNamed(schemas: OpenApi['components']['schemas'], name: string): Schema | undefined {
  const found = schemas[name];
  return found?.$ref && found.$ref !== name ? schemaNamed(schemas, found.$ref) : found;
}

/** Schema of the objects that a property holds, alone or in a list. */
export function embeddedIn({ $ref, items }: Schema): string | undefined {
  return items?.$ref ?? $ref;
}
