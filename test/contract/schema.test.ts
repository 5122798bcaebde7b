import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generate } from '@graphql-codegen/cli';
import {
  buildSchema,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getDirectiveValues,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import config from '../../codegen.ts';
import { typeDefs } from '../../src/graphql/type-defs.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(folder + file, 'utf8');
const schema = buildSchema(typeDefs());

function lengthOf(field: GraphQLInputField): { min?: unknown; max?: unknown } {
  return getDirectiveValues(schema.getDirective('length')!, field.astNode!) ?? {};
}

describe('what codegen writes is up to date', () => {
  test('schema.graphql is the printed schema', () => {
    const printed = execFileSync(process.execPath, ['src/codegen/print-schema.ts'], { cwd: folder, encoding: 'utf8' });
    expect(printed === read('schema.graphql'), 'schema.graphql is stale: run `npm run codegen`').toBe(true);
  });

  test('src/generated/graph.ts is what codegen makes of the schema', async () => {
    const [graph] = (await generate({ ...config, cwd: folder, silent: true }, false)) as { content: string }[];
    const generated = read('src/generated/graph.ts');
    expect(graph!.content === generated, 'src/generated/graph.ts is stale: run `npm run codegen`').toBe(true);
  });
});

describe('every endpoint has its root field', () => {
  test('13 queries, and the time', () => {
    expect(Object.keys(schema.getQueryType()!.getFields())).toEqual([
      ...['farmers', 'farmer', 'company', 'user', 'entityCards', 'products', 'cards', 'currencies'],
      ...[
        'productTransactions',
        'productTransaction',
        'paymentTransactions',
        'paymentTransaction',
        'entity',
        'serverTime',
      ],
    ]);
  });

  test('11 mutations', () => {
    expect(Object.keys(schema.getMutationType()!.getFields())).toEqual([
      ...['createFarmer', 'createCompany', 'updateCompany', 'createCompanyMember', 'updateUser', 'createEntityCard'],
      ...['createPremium', 'createForm', 'createProductTransaction', 'createPaymentTransaction', 'uploadInvoice'],
    ]);
  });
});

describe('an input is the body that the service documents', () => {
  interface Body {
    $ref?: string;
    required?: string[];
    properties: Record<string, { minLength?: number; maxLength?: number }>;
  }
  const bodies: Record<string, Body> = parse(read('schema/rest-service.openapi.yaml')).components.schemas;
  const extra: Record<string, string[]> = { CreateCompanyMemberInput: ['user_id'], FormFieldInput: ['type'] };

  function bodyOf(input: string): Body {
    const name = input.startsWith('Update')
      ? input.replace(/^Update(.*)Input$/, '$1Patch')
      : input.replace(/^(?:Create)?(.*)Input$/, '$1Write');
    const body = bodies[name]!;
    return body.$ref ? bodies[body.$ref.split('/').at(-1)!]! : body;
  }

  const bounds = (min?: unknown, max?: unknown, required = false) => ({ min, max, required });

  function fieldsOf(input: GraphQLInputObjectType) {
    const fields = Object.values(input.getFields()).filter(({ name }) => !extra[input.name]?.includes(name));
    return fields.map((field) => [
      field.name,
      bounds(lengthOf(field).min, lengthOf(field).max, isNonNullType(field.type)),
    ]);
  }

  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  test.each(inputs.map((input) => [input.name, input] as const))('%s', (name, input) => {
    const { properties, required = [] } = bodyOf(name);
    const documented = Object.entries(properties)
      .filter(([field]) => !(name.startsWith('Update') && field === 'id'))
      .map(([field, { minLength, maxLength }]) => [field, bounds(minLength, maxLength, required.includes(field))]);
    expect(Object.fromEntries(fieldsOf(input))).toEqual(Object.fromEntries(documented));
  });

  test.each(inputs)('the bounds of $name are in its descriptions', (input) => {
    for (const field of Object.values(input.getFields())) {
      const { min, max } = lengthOf(field);
      const lowest = min ? `At least ${min} character.` : '';
      const both = min ? `${min} to ${max} characters.` : `At most ${max} characters.`;
      expect(field.description, field.name).toContain(max ? both : lowest);
    }
  });
});
