import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { schemaParts } from '../../src/compose.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { listPaths, resourcePaths, uncapitalized } from '../support/rest-endpoints.ts';
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
import { asGraph, everyField, fieldsOf } from './every-field-document.ts';

const schema = executableSchema(traceability, schemaParts);
/** `Type.field` of everything that was compared and was not null. */
const noted = new Set<string>();

let gateway: Gateway;
let farmers: Row[];

beforeAll(async () => {
  gateway = await startGateway({
    settings: {
      'limits.documents.tokens': '10000',
      'limits.documents.depth': '20',
      'limits.operations.cost': '100000',
    },
  });
  farmers = await readRows(gateway, paths.farmers);
  const { buyer } = farmers[0]!;
  const submitted = farmers.find(({ submission }) => submission)!;
  const [premium] = (await readRest(gateway, `${paths.companies}${buyer}/`)).owned_premiums;
  const parties = { source: buyer, destination: submitted.id };
  await writeRest(gateway, paths.paymentTransactions, { ...parties, premium, submissions: [submitted.submission.id] });
});
afterAll(() => gateway.close());

const lists = Object.entries(listPaths).map(([field, path]) => {
  const connection = schema.getType(String(schema.getQueryType()!.getFields()[field]!.type)) as GraphQLObjectType;
  return { field, path, type: getNamedType(connection.getFields().results!.type).name };
});

test.each(lists)(
  '$field gives each field of each $type on a page as the service sends it',
  async ({ field, type, path }) => {
    const { results } = await readRest(gateway, `${path}?limit=100`);

    const answer = await gateway.query(`{ ${field}(limit: 100) { results { ${everyField(schema, type)} } } }`);

    expect(answer.errors).toEqual([]);
    expect(answer.data[field].results).toEqual(results.map((row: Row) => asGraph(schema, type, row, noted)));
    expectCalls(answer, page(path, 100));
  },
);

/** Ids of the resources that no list gives. */
const unlisted: Record<string, () => Promise<string[]>> = {
  Company: async () => {
    const companies = distinct(farmers.map(({ buyer }) => buyer));
    const { buyer } = await readRest(gateway, `${paths.companies}${companies[0]}/`);
    return [...companies, buyer.id];
  },
  User: async () => (await readRest(gateway, `${paths.companies}${farmers[0]!.buyer}/`)).members,
};

test.each(Object.entries(resourcePaths))(
  'a %s read by id has each field as the service sends it',
  async (type, path) => {
    const field = uncapitalized(type);
    const list = lists.find((each) => each.type === type);
    const ids = list ? (await firstRows(gateway, list.path, 12)).map(({ id }) => id) : await unlisted[type]!();
    for (const id of ids) {
      const json = await readRest(gateway, `${path}${id}/`);

      const answer = await gateway.query(`query ($id: ID!) { ${field}(id: $id) { ${everyField(schema, type)} } }`, {
        id,
      });

      expect(answer.errors).toEqual([]);
      expect(answer.data[field]).toEqual(asGraph(schema, type, json, noted));
      expectCalls(answer, one(path, id));
    }
  },
);

// Runs after all tests of this file, in whatever order they run.
afterAll(() => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && 'id' in type.getFields() && !notRead.has(type.name),
  );
  const fields = types.flatMap((type) => fieldsOf(type).map(({ name }) => `${type.name}.${name}`));

  // The sandbox's world has no invoices, and marks no deleted rows.
  expect(
    fields.filter((field) => !noted.has(field)).toSorted(),
    'null in every seeded row: seed a value in packages/sandbox/seed/<stem>.ts',
  ).toEqual(['PaymentTransaction.invoice', 'ProductTransaction.invoice', 'ProductTransaction.is_deleted']);
});

/** Types that no query of rows gives. A mutation answers with the first; the second stands for unknown entities. */
const notRead = new Set(['CompanyMember', 'UnknownEntity']);
