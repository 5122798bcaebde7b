import fc from 'fast-check';
import { getNamedType, isCompositeType } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { subgraphFields } from '../../packages/federation/subgraph.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { minCalls } from '../../packages/rest-graph/plan/operation-plan.ts';
import { traceability } from '../../src/app.ts';
import { schemaParts } from '../../src/compose.ts';
import { serviceContract } from '../../src/service-contract.ts';
import { randomCosts, TableCosts } from '../support/cost-profiles.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { randomOperation, roomForRandom } from '../support/random-documents/document.ts';
import { readWorld, type World, writeDeadEnds } from '../support/random-documents/world.ts';
import { readyCalls, schema } from '../support/ready-operation.ts';
import { unknownId } from '../support/rest-reads.ts';

// property.test.ts reads the same variables.
const firstSeed = Number(process.env.PROPERTY_SEED ?? 20260701);
const numRuns = Number(process.env.PROPERTY_RUNS ?? 40);
/** A document with the fewest calls that it takes. Variables are ids of the seed. */
const examples: [what: string, document: string, least: number][] = [
  ['introspection', '{ __typename __schema { queryType { name } } }', 0],
  ['a count', '{ farmers { count pageInfo { hasNextPage } } }', 1],
  ['no rows', '{ farmers(limit: 0) { results { creator { email } } } }', 1],
  [
    'a push',
    `mutation ($farmer: ID!, $company: ID!) {
      push(writes: [
        { key: "estimate 1", ref: "one", write: { createFarmer: { first_name: "One" country: "Ghana" province: "Ashanti" } } }
        { key: "estimate 2", write: { createEntityCard: { entity: "$one", card: { card_id: "estimate" } } } }
        { key: "estimate 3", write: { updateCompany: { id: $company, input: { description: "Estimated." } } } }
      ]) {
        status
        object { ... on Farmer { buyer { name } } ... on EntityCard { entity { name } creator { email } } ... on Company { id } }
      }
      farmer: createFarmer(input: { first_name: "Two", country: "Ghana", province: "Ashanti", buyer: $farmer }) { id }
    }`,
    4,
  ],
  ['rows', '{ farmers { results { name entity_card { card { display_id } } } } }', 1],
  ['many rows', '{ farmers(limit: 250) { edges { node { buyer { id } buyer_id } } } }', 1],
  ['as many rows as a variable says', 'query ($n: Int = 101) { farmers(first: $n) { results { id } } }', 1],
  ['the last rows', '{ farmers(last: 120) { results { id } } }', 1],
  ['references', '{ farmers(limit: 5) { results { buyer { name } creator { email } } } }', 1],
  ['references below others', '{ farmers(limit: 2) { results { buyer { name creator { email } } } } }', 1],
  ['few entities', '{ productTransactions(limit: 3) { results { source { name } } } }', 1],
  ['entities enough to look for them', '{ productTransactions(limit: 4) { results { source { name } } } }', 1],
  [
    'entities beside their list',
    '{ farmers { count } productTransactions(limit: 3) { results { source { name } } } }',
    2,
  ],
  [
    'references of farmers or of companies',
    `query ($farmer: ID!) {
      entity(id: $farmer) { name buyer { name } ... on Farmer { updater { email } } ... on Company { forms { id } } }
    }`,
    1,
  ],
  ['a list of references', 'query ($company: ID!) { company(id: $company) { members { email } } }', 1],
  ['a list of ids', 'query ($company: ID!) { company(id: $company) { members { id } member_ids } }', 1],
  [
    'what only a list shows',
    'query ($transaction: ID!) { productTransaction(id: $transaction) { product { name } } }',
    1,
  ],
  [
    'embedded objects',
    `query ($transaction: ID!) {
      productTransaction(id: $transaction) {
        currency { code }
        card_details { card_id }
        transaction_payments { premium { name } }
      }
    }`,
    1,
  ],
  [
    'references of embedded lists',
    `query ($transaction: ID!) {
      productTransaction(id: $transaction) { transaction_payments { premium { owner { name } } } }
    }`,
    1,
  ],
  [
    'an entity beside the company that it is, and a farmer that it is not',
    'query ($company: ID!) { entity(id: $company) { name } company(id: $company) { name } farmer(id: $company) { name } }',
    2,
  ],
  ['farmers', `query ($farmer: ID!) { a: farmer(id: $farmer) { name } b: farmer(id: "${unknownId}") { name } }`, 1],
  ['a farmer beside the list', 'query ($farmer: ID!) { farmers { results { id } } farmer(id: $farmer) { name } }', 1],
  [
    'nine transactions by id',
    `{ ${Array.from({ length: 9 }, (_, n) => `t${n}: productTransaction(id: "${n}") { number }`).join(' ')} }`,
    1,
  ],
  ['the same field twice', 'query ($user: ID!) { user(id: $user) { id } ... { user(id: $user) { email } } }', 1],
  [
    'the same object by two variables',
    'query ($user: ID!, $again: ID!) { a: user(id: $user) { id } b: user(id: $again) { email } }',
    1,
  ],
  [
    'equal filters',
    `query ($iso: DateTime = "2026-01-01T01:00:00+01:00", $unix: DateTime = 1767225600) {
      a: farmers(first_name: "a", updated_after: $iso, last_name: null) { count }
      b: farmers(updated_after: $unix, first_name: "a") { results { id } }
    }`,
    1,
  ],
  [
    'other filters',
    '{ a: farmers(first_name: "a") { count } b: farmers(last_name: "a") { count } c: farmers { count } }',
    3,
  ],
  [
    'ranges that adjoin, and one that does not',
    `{
      a: farmers(limit: 5) { results { id } }
      b: farmers(limit: 5, offset: 5) { results { id } }
      c: farmers(limit: 5, offset: 50) { results { id } }
    }`,
    2,
  ],
  [
    'the last rows beside others',
    '{ a: farmers(last: 5) { results { id } } b: farmers(limit: 5, offset: 50) { results { id } } }',
    1,
  ],
  [
    'ranges that adjoin, and are no fewer pages together',
    '{ a: farmers(limit: 100) { results { id } } b: farmers(limit: 100, offset: 100) { results { id } } }',
    2,
  ],
  [
    'what is left out',
    `query ($user: ID!, $no: Boolean! = false) {
      ...F @skip(if: true)
      cards @skip(if: true) { count }
      ... @include(if: $no) { currencies { count } }
      company(id: $user) @include(if: $no) { name }
      ...F @skip(if: $no)
    }
    fragment F on Query { user(id: $user) { id } farmers(limit: 3) { results @skip(if: true) { id } ...G count } }
    fragment G on FarmerConnection { results { creator @include(if: $no) { email } } }`,
    2,
  ],
  [
    'rows that refer to an object',
    'query ($farmer: ID!) { farmer(id: $farmer) { paymentTransactions(limit: 3) { results { creator { email } } } } }',
    1,
  ],
  ['what is refused', 'query ($user: ID!) { farmers(limit: -1) { results { id } } user(id: $user) { email } }', 1],
  [
    'ids of nothing',
    'query ($user: ID!) { a: farmer(id: "") { id } b: user(id: "..") { id } user(id: $user) { email } }',
    1,
  ],
  [
    'a write that breaks a bound beside one that does not',
    `mutation ($user: ID!) {
      createFarmer(input: { first_name: "" }) { id }
      company: updateCompany(id: ".", input: { city: "Ho" }) { id }
      updateUser(id: $user, input: { phone: "+31612345671" }) { id }
    }`,
    0,
  ],
  ['a write', 'mutation ($company: ID!) { updateCompany(id: $company, input: { city: "Ho" }) { id } }', 1],
  [
    'a write that is read again',
    `mutation ($company: ID!) {
      updateCompany(id: $company, input: { city: "Ho" }) { city currency { code } creator { email } }
    }`,
    1,
  ],
  [
    'writes of one name',
    `mutation ($user: ID!) {
      updateUser(id: $user, input: { phone: "+31612345671" }) { id }
      updateUser(id: $user, input: { phone: "+31612345671" }) { phone }
      again: updateUser(id: $user, input: { phone: "+31612345672" }) { id }
    }`,
    2,
  ],
];

describe.each([
  { service: 'a spec service', dialect: 'spec', key: 'demo-coop', seed: firstSeed },
  { service: 'a connect service', dialect: 'connect', key: 'Bearer demo-coop', seed: firstSeed + 1 },
] as const)('the call estimate before $service', ({ dialect, key, seed }) => {
  const costs = new TableCosts();
  let gateway: Gateway;
  let world: World;

  beforeAll(async () => {
    gateway = await startGateway({ sandbox: { dialect }, settings: roomForRandom, costs });
    await writeDeadEnds(gateway.sandbox.url, 'Bearer demo-coop', 'Bearer demo-buyer');
    world = await readWorld(gateway.sandbox.url, key);
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    costs.table = undefined;
  });

  test.each(examples)('holds for %s', async (_what, document, least) => {
    const { farmer, company, user, productTransaction } = world.ids;
    const ids = { farmer: farmer?.[0], company: company?.[0], user: user?.[0], again: user?.[0] };
    const variables = { ...ids, transaction: productTransaction?.[0] };
    const operation = readyCalls(document, variables);

    expect(minCalls(serviceContract, operation)).toBe(least);
    const { calls } = await gateway.query(document, variables, { key });
    expectAtLeast(least, calls);
  });

  test('holds for random operations, whatever calls cost', {
    timeout: 60_000 + 300 * numRuns,
  }, async () => {
    const property = fc.asyncProperty(randomOperation(schema, world), randomCosts, async (random, table) => {
      const { document, variables } = random;
      costs.table = table;
      const { calls } = await gateway.query(document, variables, { key });
      const operation = readyCalls(document, variables);
      expectAtLeast(minCalls(serviceContract, operation), calls);
    });
    await fc.assert(property, { seed, numRuns });
  });
});

test('each root field that shows objects has a plan, so that its calls count', () => {
  const roots = executableSchema(traceability, [...schemaParts, subgraphFields(traceability)]);
  const unplanned = [roots.getQueryType(), roots.getMutationType()]
    .flatMap((type) => Object.values(type?.getFields() ?? {}))
    .filter(({ type, extensions }) => isCompositeType(getNamedType(type)) && !extensions.plan);
  expect(unplanned.map(({ name }) => name)).toEqual(['_service']);
});

test('a list that may be cached counts no call, unless it has a filter', () => {
  const operation = readyCalls('{ products { results { id } } cards { count } currencies(search: "euro") { count } }');

  expect(minCalls(serviceContract, operation)).toBe(3);
  expect(minCalls(serviceContract, operation, { usesCache: true })).toBe(1);
});

function expectAtLeast(least: number, calls: string[]): void {
  expect(calls.length, calls.join('\n')).toBeGreaterThanOrEqual(least);
}
