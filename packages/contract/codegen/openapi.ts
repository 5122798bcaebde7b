import { isObject } from '@gateway/base';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ContractPart } from './contract-part.ts';

/** The OpenAPI document, as far as the contract uses it. An unknown key is a mistake. */

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
    details: z.string().optional(),
    within: z.string().optional(),
    where: z.string().optional(),
    noIdField: z.literal(true).optional(),
    objects: z.string().optional(),
    mayBeEmbedded: z.literal(true).optional(),
    loadAfter: z.array(z.string()).optional(),
    probeFirst: z.string().optional(),
  }),
);

const typeName = z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

const schema = z.strictObject({
  $ref: schemaName.optional(),
  get oneOf() {
    return z.array(schema).optional();
  },
  type: z.union([typeName, z.array(typeName)]).optional(),
  format: z.enum(['date', 'date-time', 'email', 'int32', 'int64', 'uri', 'uri-reference', 'uuid']).optional(),
  pattern: z.string().optional(),
  contentMediaType: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  readOnly: z.boolean().optional(),
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  example: z.record(z.string(), z.unknown()).optional(),
  'x-type': z.string().optional(),
  'x-only-in': z.string().optional(),
  'x-labelled-id': z.literal(true).optional(),
  'x-unknown': z.string().optional(),
  'x-evidence': z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          field: z.string(),
          is: z.string(),
          where: z.string().optional(),
          equals: z.string().optional(),
          probable: z.enum(['each', 'alone']).optional(),
        }),
      ),
    )
    .optional(),
  'x-scalar': z.enum(['DateTime', 'Decimal', 'JSON']).optional(),
  'x-reference': reference.optional(),
  'x-never-null': z.array(z.string()).optional(),
  'x-inherits': z.record(z.string(), z.string()).optional(),
  'x-graphql-only': z
    .record(
      z.string(),
      z.strictObject({
        type: z.string(),
        keys: z.array(z.array(z.string())).optional(),
        otherFormOf: z.string().optional(),
        'x-reference': reference.optional(),
      }),
    )
    .optional(),
});

const parameter = z.strictObject({
  name: z.string(),
  in: z.enum(['query', 'path']),
  required: z.boolean().optional(),
  description: z.string(),
  schema,
  'x-argument': z.string().optional(),
  'x-name-not-shown': z.literal(true).optional(),
  'x-only-in': z.string().optional(),
  'x-shown-by': z.array(z.string()).optional(),
  'x-compares': z.enum(['before', 'words']).optional(),
  'x-other-name': z.string().optional(),
  'x-checked-by': z.string().optional(),
  'x-reorders': z.string().optional(),
  'x-adds': z.string().optional(),
});

const parameters = z.array(z.union([parameter, z.strictObject({ $ref: z.string() })])).optional();

const json = z.strictObject({ 'application/json': z.strictObject({ schema }) });

const form = z.strictObject({
  'multipart/form-data': z.strictObject({
    schema,
    encoding: z.record(z.string(), z.strictObject({ contentType: z.string() })).optional(),
  }),
});

const operation = z.strictObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  parameters,
  requestBody: z
    .strictObject({
      description: z.string().optional(),
      required: z.literal(true),
      content: z.union([json, form]),
    })
    .optional(),
  responses: z.record(z.string(), z.strictObject({ description: z.string(), content: json.optional() })),
  'x-ways-back': z
    .array(
      z.strictObject({
        field: z.string(),
        of: z.array(z.string()).min(1),
        by: z.string().optional(),
        gives: z.string().optional(),
        where: z.string().optional(),
        description: z.string(),
      }),
    )
    .optional(),
  'x-only-in': z.string().optional(),
  'x-sends': z.record(z.string(), z.record(z.string(), z.string())).optional(),
  'x-proves-key': z.literal(true).optional(),
  'x-newest-first': z.string().optional(),
  'x-row-time': z.string().optional(),
  'x-invalidates': z.array(z.string()).optional(),
  'x-if-unchanged': z.union([z.string(), z.literal(true)]).optional(),
  'x-cost': z.strictObject({ callMs: z.number(), rowMs: z.number().optional() }).optional(),
});

const headerName = z.string().regex(/^[\w-]+$/, 'no name of a header');
const signIn = z.strictObject({ header: headerName, value: z.string() });

const ofScheme = {
  description: z.string().optional(),
  'x-claims': z.array(z.string()).default([]),
  'x-sign-in': signIn.optional(),
};

/** Holds the API key in a header of the request. `added`: the keys of parts. */
const securitySchemeOf = (added: Record<string, z.ZodType>) =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('apiKey'), in: z.literal('header'), name: headerName, ...ofScheme, ...added }),
    z.strictObject({
      type: z.literal('http'),
      scheme: z.literal('bearer'),
      bearerFormat: z.string().optional(),
      ...ofScheme,
      ...added,
    }),
  ]);

const pathItemOf = (each: typeof operation) =>
  z.strictObject({
    parameters,
    get: each.optional(),
    post: each.optional(),
    patch: each.optional(),
    put: each.optional(),
    delete: z.undefined('is not possible: a write answers an object, and leave the endpoint out').optional(),
  });

/** Ways in which a field may differ. */
const difference = z
  .string()
  .regex(/^(absent|(string|integer|number|boolean|array|object|null)(\[\])*|[A-Z_]+)$/, 'no difference of a field');

/** By place and field. A place is a schema, or the property that embeds an object: `Form`, `Submission.form_details`. */
const differences = z.record(
  z.string(),
  z.record(
    z.string(),
    z.preprocess((value) => [value].flat(), z.array(difference)),
  ),
);

const dialect = z.strictObject({
  times: z.enum(['iso', 'unix']),
  envelope: z
    .strictObject({
      data: z.string(),
      success: z.string().optional(),
      message: z.string().optional(),
      code: z.string().optional(),
    })
    .optional(),
  refusesTimes: z.string().optional(),
  appliesFilters: z.literal(true).optional(),
  breaksOnInput: z.literal(true).optional(),
});

const words = z.array(z.string().regex(/^[a-z ]+$/, 'must be in lower case'));

const documentOf = (each: typeof operation, scheme: ReturnType<typeof securitySchemeOf>) =>
  z.strictObject({
    openapi: z.string(),
    info: z.unknown(),
    servers: z.unknown(),
    security: z.tuple([z.record(z.string(), z.array(z.string()))]),
    tags: z.array(z.strictObject({ name: z.string(), description: z.string().optional() })),
    paths: z.record(z.string().startsWith('/'), pathItemOf(each)),
    components: z.strictObject({
      securitySchemes: z.record(z.string(), scheme),
      parameters: z.record(z.string(), parameter),
      schemas: z.record(z.string(), schema),
    }),
    'x-wire': z.strictObject({
      page: z
        .strictObject({
          count: z.string(),
          rows: z.string(),
          limit: z.string(),
          offset: z.string().optional(),
          number: z.string().optional(),
          first: z.union([z.literal(0), z.literal(1)]).optional(),
          largest: z.int().min(1).optional(),
        })
        .refine(
          ({ offset, number }) => (offset === undefined) !== (number === undefined),
          'has either offset or number',
        )
        .refine(({ number, first }) => number !== undefined || first === undefined, 'has first only beside number'),
      wholeBody: z.array(z.string()).default([]),
      errorCode: z.string().optional(),
      fieldErrors: z.strictObject({ path: z.string(), message: z.string(), body: z.string().optional() }).optional(),
      refusals: z
        .strictObject({
          keyCodes: z.array(z.string()).optional(),
          keyWords: words.optional(),
          idWords: words.optional(),
          objectWords: words.optional(),
        })
        .optional(),
      internalNumbers: z.literal(true).optional(),
      otherIds: z.array(z.string()).optional(),
      dialects: z.record(z.string().regex(/^\w+$/), dialect).default({ plain: { times: 'iso' } }),
    }),
    'x-dialects': z.record(z.string(), differences).optional(),
  });

export type OpenApi = z.infer<ReturnType<typeof documentOf>>;
export type Schema = z.infer<typeof schema>;
export type Parameter = z.infer<typeof parameter>;
export type Operation = z.infer<typeof operation>;
export type PathItem = z.infer<ReturnType<typeof pathItemOf>>;
export type Dialects = NonNullable<OpenApi['x-dialects']>;
export type Wire = OpenApi['x-wire'];
export type WayBack = NonNullable<Operation['x-ways-back']>[number];
export type ReferenceOptions = z.infer<typeof reference>;

/** The schema of this name, or the one that it refers to. */
export function schemaNamed(schemas: OpenApi['components']['schemas'], name: string): Schema | undefined {
  const found = schemas[name];
  return found?.$ref ? schemaNamed(schemas, found.$ref) : found;
}

/** Schema of the objects that a property holds, alone or in a list. */
export function embeddedIn({ $ref, items }: Schema): string | undefined {
  return items?.$ref ?? $ref;
}

/** Mistakes in the document or in the SDL, each with its place. */
export class ContractError extends Error {
  constructor(mistakes: Iterable<string>) {
    super(`The contract has mistakes:\n${[...mistakes].join('\n')}`);
  }
}

/**
 * `parts`: those whose keys the document may have.
 * @throws ContractError that names the YAML path of every mistake.
 */
export function parseOpenApi(text: string, parts: readonly ContractPart[] = []): OpenApi {
  const added = (of: 'keys' | 'schemeKeys'): object =>
    z.object(Object.assign({}, ...parts.map((part) => part[of]))).partial().shape;
  const document = documentOf(
    z.strictObject({ ...operation.shape, ...added('keys') }),
    securitySchemeOf({ ...added('schemeKeys') }),
  );
  const { data, error } = document.safeParse(withoutNullChoices(yamlOf(text)));
  if (error) throw new ContractError(error.issues.flatMap((issue) => describe(issue, [])));
  return data;
}

/** OpenAPI 3.1 says in two forms that a property may be null: as a type, and as another choice. The contract has the first. */
function withoutNullChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullChoices);
  if (!isObject(value)) return value;
  const whole = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutNullChoices(part)]));
  const { anyOf, oneOf = anyOf, ...others } = whole;
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return whole;
  const [first, second] = oneOf.filter((choice) => choice?.type !== 'null');
  if (second !== undefined || !isObject(first)) return whole;
  return { ...first, ...(typeof first.type === 'string' && { type: [first.type, 'null'] }), ...others };
}

function yamlOf(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new ContractError([`The document is no YAML: ${(error as Error).message}`]);
  }
}

function describe(issue: z.core.$ZodIssue, above: PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) =>
        `${place([...path, key])}: not a known key. Correct it, or leave it out; a key of a part needs the part (--part)`,
    );
  if (issue.code === 'invalid_union') {
    // The form that comes nearest has the fewest mistakes.
    const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (nearest?.length) return nearest.flatMap((inner) => describe(inner, path));
  }
  const isMissing = issue.message.endsWith('received undefined');
  return [`${place(path)}: ${isMissing ? 'is missing' : issue.message.replace('Invalid input: ', '')}`];
}

export function place(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
