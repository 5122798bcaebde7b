import { readdir, readFile } from 'node:fs/promises';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { answerShapes } from '../../src/codegen/answer-shapes.ts';
import { shapes } from '../../src/generated/answer-shapes.ts';
import { enumLines, inputLines, lengthLines, pageLines, resourceLines, rootLines } from './naming-rules.ts';
import { operations } from './rest-contract.ts';

const rootFields: Record<string, string> = {
  listFarmers: 'Query.farmers',
  createFarmer: 'Mutation.createFarmer',
  getFarmer: 'Query.farmer',
  createCompany: 'Mutation.createCompany',
  getCompany: 'Query.company',
  updateCompany: 'Mutation.updateCompany',
  createCompanyMember: 'Mutation.createCompanyMember',
  getUser: 'Query.user',
  updateUser: 'Mutation.updateUser',
  createEntityCard: 'Mutation.createEntityCard',
  listEntityCards: 'Query.entityCards',
  listProducts: 'Query.products',
  listCards: 'Query.cards',
  listCurrencies: 'Query.currencies',
  createPremium: 'Mutation.createPremium',
  createForm: 'Mutation.createForm',
  createProductTransaction: 'Mutation.createProductTransaction',
  listProductTransactions: 'Query.productTransactions',
  getProductTransaction: 'Query.productTransaction',
  createPaymentTransaction: 'Mutation.createPaymentTransaction',
  listPaymentTransactions: 'Query.paymentTransactions',
  getPaymentTransaction: 'Query.paymentTransaction',
  uploadInvoice: 'Mutation.uploadInvoice',
};

/** What the graph has and the service does not. */
const graphOnly = {
  resources: [
    'Farmer.name: String',
    'FormField.localized_label: String',
    'FormField.localized_label(language): String',
  ],
  pages: [
    'PageInfo.hasNextPage: Boolean!',
    'PageInfo.hasPreviousPage: Boolean!',
    'PageInfo.startCursor: String',
    'PageInfo.endCursor: String',
  ],
  inputs: ['CreateCompanyMemberInput.user_id: ID', 'FormFieldInput.type: String'],
  roots: ['Query.entity: Entity', 'Query.entity(id): ID!', 'Query.serverTime: DateTime!'],
};

/** The one operation whose arguments follow no rule: its body is a file. */
const uploadInvoice = [
  'Mutation.uploadInvoice: PaymentTransaction',
  'Mutation.uploadInvoice(payment_transaction): ID!',
  'Mutation.uploadInvoice(invoice): Upload!',
];

const contractFolder = new URL('../../schema/', import.meta.url);
const sdlFiles = (await readdir(contractFolder)).filter((file) => file.endsWith('.graphql'));
const sdl = await Promise.all(sdlFiles.map((file) => readFile(new URL(file, contractFolder), 'utf8')));
const graphTypes = Object.values(buildSchema(sdl.join('\n')).getTypeMap()).filter((type) => !isIntrospectionType(type));
const inputTypes = graphTypes.filter(isInputObjectType);
const outputTypes = graphTypes.filter((type) => isObjectType(type) || isInterfaceType(type));
const rootTypes = outputTypes.filter(({ name }) => name === 'Query' || name === 'Mutation');
const resourceTypes = outputTypes.filter((type) => !rootTypes.includes(type));

test('every response property is a field, and every field comes from one', () => {
  const resources = [...resourceLines(), ...graphOnly.resources];
  const shared = fieldsOf('Farmer', resources).filter((field) => fieldsOf('Company', resources).includes(field));
  const entities = ['Entity', 'UnknownEntity'].flatMap((type) => shared.map((field) => `${type}.${field}`));

  expectSame(resourceTypes.flatMap(fieldLines), [...resources, ...entities, ...pageLines(), ...graphOnly.pages]);
});

test('every request property is an input field of the same requiredness, and every input field comes from one', () => {
  expectSame(inputTypes.flatMap(fieldLines), [...inputLines(), ...graphOnly.inputs]);
});

test('every enum has the values of the service', () => {
  const values = graphTypes.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => `${type}.${name}`));

  expectSame(values, enumLines());
});

test('each of the 23 operations is a root field, with the query parameters as arguments', () => {
  expect(operations.map(({ id }) => id)).toEqual(Object.keys(rootFields));
  expect(operations).toHaveLength(23);
  const byRule = operations.filter(({ id }) => id !== 'uploadInvoice');

  expectSame(rootTypes.flatMap(fieldLines), [
    ...byRule.flatMap((operation) => rootLines(rootFields[operation.id]!, operation)),
    ...uploadInvoice,
    ...graphOnly.roots,
  ]);
});

test('every length bound is a @length directive of its field', () => {
  const directives = [...inputTypes, ...outputTypes].flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      boundsOf(field).map(({ bound, characters }) => `${type}.${field.name}: ${bound} ${characters}`),
    ),
  );

  expectSame(directives, lengthLines());
});

test('every length bound is a number in the description of its field', () => {
  const unsaid = [...inputTypes, ...outputTypes].flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) => {
      const said = field.description?.match(/\d+/g) ?? [];
      const missing = boundsOf(field).filter(({ characters }) => !said.includes(characters));
      return missing.map(({ characters }) => `${type}.${field.name}: ${characters}`);
    }),
  );

  expect(unsaid).toEqual([]);
});

test('the generated types of the REST service are what the document gives now', async () => {
  const generated = await readFile(new URL('../../src/generated/rest-service.ts', import.meta.url), 'utf8');
  const now = COMMENT_HEADER + astToString(await openapiTS(new URL('rest-service.openapi.yaml', contractFolder)));

  expect(generated === now, 'run `npm run codegen:rest`').toBe(true);
});

test('the generated shapes of answers are what the document gives now', async () => {
  const generated = await readFile(new URL('../../src/generated/answer-shapes.ts', import.meta.url), 'utf8');
  const document = await readFile(new URL('rest-service.openapi.yaml', contractFolder), 'utf8');

  expect(generated === answerShapes(document), 'run `npm run codegen:rest`').toBe(true);
});

test('no object of an answer holds one of its own kind: their places are counted one by one', () => {
  const holds = (name: string): string[] =>
    Object.values(shapes[name] ?? {}).flatMap((type) => [type, ...holds(type.replace('[]', ''))]);

  expect(Object.keys(shapes).filter((name) => holds(name).includes(name))).toEqual([]);
});

/** Compares two sets of lines; the failure names what is missing on either side. */
function expectSame(graph: string[], service: string[]): void {
  const missingInGraph = service.filter((line) => !graph.includes(line));
  const missingInService = graph.filter((line) => !service.includes(line));
  expect({ missingInGraph, missingInService }).toEqual({ missingInGraph: [], missingInService: [] });
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/** `Farmer.buyer_id: ID`, and `Query.farmers(limit): Int` for arguments. */
function fieldLines(type: (typeof inputTypes | typeof outputTypes)[number]): string[] {
  return Object.values<Field>(type.getFields()).flatMap((field) => {
    const args = 'args' in field ? field.args : [];
    const path = `${type}.${field.name}`;
    return [`${path}: ${field.type}`, ...args.map((arg) => `${path}(${arg.name}): ${arg.type}`)];
  });
}

function fieldsOf(type: string, lines: string[]): string[] {
  return lines.filter((line) => line.startsWith(`${type}.`)).map((line) => line.slice(type.length + 1));
}

function boundsOf({ astNode }: Field): { bound: string; characters: string }[] {
  const length = astNode?.directives?.find(({ name }) => name.value === 'length');
  return (length?.arguments ?? []).map(({ name, value }) => ({
    bound: name.value,
    characters: value.kind === 'IntValue' ? value.value : value.kind,
  }));
}
