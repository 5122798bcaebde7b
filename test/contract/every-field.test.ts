import type { GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSchema } from '../../src/graphql/schema.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  firstRows,
  one,
  page,
  paths,
  type Row,
  readRest,
  readRows,
  writeRest,
} from '../support/rest-reads.ts';
import { asGraph, everyField } from './every-field-document.ts';

const schema = createSchema();
/** `Type.field` of everything that was compared and was not null. */
const noted = new Set<string>();

let gateway: Gateway;
let farmers: Row[];

beforeAll(async () => {
  gateway = await startGateway({ settings: { MAX_TOKENS: '10000', MAX_DEPTH: '20', MAX_COST: '100000' } });
  farmers = await readRows(gateway, paths.farmers);
  const { buyer } = farmers[0]!;
  const submitted = farmers.find(({ submission }) => submission)!;
  const [premium] = (await readRest(gateway, `${paths.companies}${buyer}/`)).owned_premiums;
  const parties = { source: buyer, destination: submitted.id };
  await writeRest(gateway, paths.paymentTransactions, { ...parties, premium, submissions: [submitted.submission.id] });
});
afterAll(() => gateway.close());

const lists = [
  ['farmers', 'Farmer', paths.farmers],
  ['entityCards', 'EntityCard', paths.entityCards],
  ['products', 'Product', paths.products],
  ['cards', 'Card', paths.cards],
  ['currencies', 'Currency', paths.currencies],
  ['productTransactions', 'ProductTransaction', paths.productTransactions],
  ['paymentTransactions', 'PaymentTransaction', paths.paymentTransactions],
] as const;

test.each(lists)('%s: every field of every %s of a page is what the service sends', async (root, type, path) => {
  const { results } = await readRest(gateway, `${path}?limit=100`);

  const answer = await gateway.query(`{ ${root}(limit: 100) { results { ${everyField(schema, type)} } } }`);

  expect(answer.errors).toEqual([]);
  expect(answer.data[root].results).toEqual(results.map((row: Row) => asGraph(schema, type, row, noted)));
  expectCalls(answer, page(path, 100));
});

describe('by id', () => {
  const companies = () => distinct(farmers.map(({ buyer }) => buyer));
  const ids: Record<string, () => Promise<string[]>> = {
    farmer: async () => farmers.slice(0, 12).map(({ id }) => id),
    company: async () => {
      const { buyer } = await readRest(gateway, `${paths.companies}${companies()[0]}/`);
      return [...companies(), buyer.id];
    },
    user: async () => (await readRest(gateway, `${paths.companies}${companies()[0]}/`)).members,
    productTransaction: async () => (await firstRows(gateway, paths.productTransactions, 12)).map(({ id }) => id),
    paymentTransaction: async () => (await firstRows(gateway, paths.paymentTransactions, 12)).map(({ id }) => id),
  };

  test.each([
    ['farmer', 'Farmer', paths.farmers],
    ['company', 'Company', paths.companies],
    ['user', 'User', paths.users],
    ['productTransaction', 'ProductTransaction', paths.productTransactions],
    ['paymentTransaction', 'PaymentTransaction', paths.paymentTransactions],
  ] as const)('%s: every field of a %s is what the service sends', async (root, type, path) => {
    for (const id of await ids[root]!()) {
      const json = await readRest(gateway, `${path}${id}/`);

      const answer = await gateway.query(`query ($id: ID!) { ${root}(id: $id) { ${everyField(schema, type)} } }`, {
        id,
      });

      expect(answer.errors).toEqual([]);
      expect(answer.data[root]).toEqual(asGraph(schema, type, json, noted));
      expectCalls(answer, one(path, id));
    }
  });
});

// Every field of every type was compared with something; known when all tests of this file, in any order, have run.
afterAll(() => {
  const types = distinct([...noted].map((field) => field.split('.')[0]!));
  const fields = types.flatMap((name) =>
    Object.keys((schema.getType(name) as GraphQLObjectType).getFields()).map((field) => `${name}.${field}`),
  );

  expect(types.toSorted()).toEqual([
    'Card',
    'Company',
    'Currency',
    'EntityCard',
    'Farmer',
    'FieldVisibility',
    'Form',
    'FormField',
    'FormFieldConfig',
    'PaymentTransaction',
    'Premium',
    'PremiumOption',
    'Product',
    'ProductTransaction',
    'Submission',
    'SubmissionValue',
    'User',
  ]);
  // The sandbox's world has no pictures and no invoices.
  expect(fields.filter((field) => !noted.has(field)).toSorted()).toEqual([
    'Company.image',
    'Farmer.image',
    'PaymentTransaction.invoice',
    'Product.image',
    'ProductTransaction.invoice',
    'User.image',
  ]);
});
