import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Schema } from '../../packages/contract/codegen/openapi.ts';
import { describedContract } from '../support/described-contract.ts';

// The document describes all deployments, whose answers may lack fields or have others. The sandbox has each field and no
// other. These schemas therefore require each property and allow no further one.

/** The specification does not show how a value looks that nobody has set. The sandbox gives these. */
const unset: Record<string, Record<string, unknown>> = {
  Farmer: { entity_card: null, submission: null },
  Company: { image: null, email: '', currency: null, buyer: null, entity_card: null },
  CompanyDetail: { image: null, email: '', currency: null, buyer: null, entity_card: null },
  'CompanyDetail.buyer': { image: null },
  User: { image: null, email: '', updated_email: '', dob: null, default_entity: null, accepted_policy: null },
  Product: { image: null },
  Submission: { product: null },
  ProductTransaction: {
    invoice: null,
    card: null,
    card_details: null,
    quantity: null,
    source_quantity: null,
    current_quantity: null,
  },
  PaymentTransaction: {
    invoice: null,
    card: null,
    premium: null,
    premium_details: null,
    selected_option: null,
    transaction: null,
  },
};

const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addVocabulary([
  'x-type',
  'x-only-in',
  'x-scalar',
  'x-reference',
  'x-graphql-only',
  'x-inherits',
  'x-never-null',
  'x-labelled-id',
  'example',
]);
for (const [name, schema] of Object.entries(describedContract().schemas)) ajv.addSchema(strict(name, schema), name);

/** Gives violations of a named schema, like `results.*.id must be string, is null`. */
export function violations(schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`The OpenAPI document has no schema ${schema}`);
  if (validate(value)) return [];
  const found = validate.errors?.filter(({ keyword }) => keyword !== 'if') ?? [];
  return [...new Set(found.map(describeError))];
}

function describeError({ instancePath, message, params, data }: ErrorObject): string {
  const path = instancePath
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll(/\b\d+\b/g, '*');
  if (params.additionalProperty) return `${path} must not have ${params.additionalProperty}, which its schema lacks`;
  return typeof data === 'object' && data !== null
    ? `${path} ${message}`
    : `${path} ${message}, is ${JSON.stringify(data)}`;
}

function strict(path: string, schema: Schema): object {
  const { items } = schema;
  // The sandbox speaks the dialect of the specification here.
  const properties =
    schema.properties &&
    Object.fromEntries(Object.entries(schema.properties).filter(([, property]) => !property['x-only-in']));
  return {
    ...schema,
    ...(items && { items: strict(path, items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, property(path, name, each)]),
      ),
      required: Object.keys(properties).filter((name) => !properties[name]?.['x-only-in']),
      additionalProperties: false,
    }),
  };
}

function property(path: string, name: string, schema: Schema): object {
  const set = strict(`${path}.${name}`, schema);
  const notSet = unset[path] ?? {};
  return name in notSet ? { if: { const: notSet[name] }, else: set } : set;
}
