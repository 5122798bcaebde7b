import { afterEach, beforeEach, expect, test } from 'vitest';
import { summariesOf } from '../support/client.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { firstRows, one, paths } from '../support/rest-reads.ts';

/** The cooperative's key in its two forms, which the gateway takes for two callers. */
const [key, otherKey] = ['demo-coop', 'Bearer demo-coop'];
/** A purchase, because the caller knows its own company as the source of sales. */
const purchase = (selection: string) =>
  `query ($offset: Int) { productTransactions(limit: 1, offset: $offset) { results { ${selection} } } }`;
const kindAlone = purchase('source { __typename id }');

let gateway: FakedGateway;
let offset: number;
/** The source of the purchase. */
let id: string;
/** The two GETs that look for the source. */
let gets: string[];

// Each gateway knows no kind and no miss.
beforeEach(async () => {
  gateway = await startFakedGateway();
  const transactions = await firstRows(gateway, paths.productTransactions);
  offset = transactions.findIndex(({ type }) => type === 'INCOMING');
  id = transactions[offset]?.source;
  gets = [one(paths.farmers, id), one(paths.companies, id)];
  hide();
});
afterEach(() => gateway.close());

/** Hides the source of the purchase from the caller. */
function hide(): void {
  gateway.upstream.respond = ({ method, path, headers }) =>
    headers.authorization === key && gets.includes(`${method} ${path}`)
      ? { status: 404, body: '{"detail":"Not found."}' }
      : undefined;
}

function show(): void {
  gateway.upstream.respond = undefined;
}

async function ask(document: string, options: { key?: string; headers?: Record<string, string> } = {}) {
  gateway.upstream.clear();
  const answer = await gateway.query(document, { offset }, options);
  const calls = gateway.upstream.calls.filter((call) => gets.includes(call));
  return { ...answer, calls, source: answer.data.productTransactions?.results[0]?.source };
}

const unknown = () => ({ __typename: 'UnknownEntity', id });
const notFound = (...path: (string | number)[]) => ({
  path,
  code: 'REFERENCE_NOT_FOUND',
  retryable: false,
  reference: { type: 'Entity', id },
});

test.each([
  '__typename id',
  'id __typename ... on Farmer { id } ... on Company { __typename }',
  '__typename ... { id ... on Entity { __typename ... on UnknownEntity { id } } }',
])('an entity that the caller may not see is no error where its kind and id are selected: %s', async (selection) => {
  const document = purchase(`source { ${selection} }`);

  const first = await ask(document);
  const second = await ask(document);

  for (const { source, errors } of [first, second]) expect([source, errors]).toEqual([unknown(), []]);
  expect(first.calls.toSorted()).toEqual(gets.toSorted());
  expect(second.calls).toEqual([]);
});

test.each(['name', '... on Farmer { number }', 'buyer_id'])(
  'an entity that the caller may not see is an error in each request where more is selected: %s',
  async (more) => {
    const document = purchase(`source { __typename id ${more} }`);
    await ask(kindAlone);

    for (const answer of [await ask(document), await ask(document)]) {
      expect(answer.source).toMatchObject(unknown());
      expect(summariesOf(answer)).toEqual([notFound('productTransactions', 'results', 0, 'source')]);
      expect(answer.calls.toSorted()).toEqual(gets.toSorted());
    }
  },
);

test('entity(id) asks the service each time', async () => {
  await ask(kindAlone);

  for (const _ of [1, 2]) {
    const { data, errors, calls } = await ask(`{ entity(id: "${id}") { __typename id } }`);
    expect(data).toEqual({ entity: null });
    expect(errors).toMatchObject([{ path: ['entity'], extensions: { code: 'NOT_FOUND' } }]);
    expect(calls.toSorted()).toEqual(gets.toSorted());
  }
});

test('a miss of one caller is none for another', async () => {
  await ask(kindAlone);

  const other = await ask(kindAlone, { key: otherKey });

  expect(other.source).toEqual({ __typename: 'Farmer', id });
  expect((await ask(kindAlone)).source).toEqual(unknown());
});

test('a miss ends with a write of the caller', async () => {
  await ask(kindAlone);
  show();
  expect((await ask(kindAlone)).source).toEqual(unknown());

  const write = await ask('mutation { createFarmer(input: { first_name: "Esi" }) { id } }');

  expect(write.errors).toEqual([]);
  expect((await ask(kindAlone)).source).toEqual({ __typename: 'Farmer', id });
});

test('a miss is no answer to a request that takes none from a cache', async () => {
  await ask(kindAlone);
  show();

  const { source } = await ask(kindAlone, { headers: { 'cache-control': 'no-cache' } });

  expect(source).toEqual({ __typename: 'Farmer', id });
});

test('a miss from before a write is not remembered', async () => {
  const { upstream } = gateway;
  const written = Promise.withResolvers<void>();
  const { respond } = upstream;
  upstream.respond = async (request) => {
    const reply = await respond?.(request);
    if (reply) await written.promise;
    return reply;
  };
  const before = gateway.query(kindAlone, { offset });
  await expect.poll(() => upstream.calls.some((call) => gets.includes(call))).toBe(true);
  await gateway.query('mutation { createFarmer(input: { first_name: "Esi" }) { id } }');
  written.resolve();
  expect((await before).data.productTransactions.results[0].source).toEqual(unknown());
  show();

  expect((await ask(kindAlone)).source).toEqual({ __typename: 'Farmer', id });
});

test('a miss is corrected by another answer of the operation', async () => {
  await ask(kindAlone);
  show();

  const { source, errors } = await ask(purchase('source { __typename id } whole: source { name }'));

  expect(errors).toEqual([]);
  expect(source).toEqual({ __typename: 'Farmer', id });
});

test('a parent that the caller may not see is asked for once a minute, and is an error each time', async () => {
  const transactions = await firstRows(gateway, paths.productTransactions);
  offset = transactions.findIndex(({ parents }) => parents.length > 0);
  const parent = transactions[offset]?.parents[0];
  gets = [one(paths.productTransactions, parent)];
  hide();
  const document = purchase('parent_ids parents { id created_on }');

  const first = await ask(document);
  const second = await ask(document);

  expect([first.calls, second.calls]).toEqual([gets, []]);
  for (const answer of [first, second]) {
    expect(summariesOf(answer)).toMatchObject([
      { code: 'REFERENCE_NOT_FOUND', reference: { type: 'ProductTransaction', id: parent } },
    ]);
  }
  show();
  const { errors, calls } = await ask(`{ productTransaction(id: "${parent}") { created_on } }`);
  expect([errors, calls]).toEqual([[], gets]);
});
