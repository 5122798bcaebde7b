import { expect, test } from 'vitest';
import { realCosts, TableCosts } from '../support/cost-profiles.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import { distinct, firstRows, page, paths, type Row, readRows } from '../support/rest-reads.ts';

/** Farmers by id cost almost nothing, and pages of them a lot. */
const cheapGets = new TableCosts({
  calls: { getFarmer: { callMs: 1, rowMs: 0 }, listFarmers: { callMs: 200, rowMs: 20 } },
  parallelism: 64,
});

const sources = '{ productTransactions(limit: 20) { results { source { id name } } } }';

const isFarmer = (call: string) => call.startsWith(`GET ${paths.farmers}`);
const isPage = (call: string) => call.includes('limit=');

test('objects come by id where that is cheaper than pages of their list', async () => {
  await using gateway = await startGateway({ costs: cheapGets });

  const { errors, calls } = await gateway.query(sources);

  expect(errors).toEqual([]);
  expect(calls.filter(isFarmer).length).toBeGreaterThan(3);
  expect(calls.filter(isFarmer).filter(isPage)).toEqual([]);
});

test('objects come in pages where the call budget is too small for a GET each', async () => {
  // A page of transactions, the three pages of farmers and the companies.
  await using gateway = await startGateway({ costs: cheapGets, settings: { 'limits.operations.upstreamCalls': '6' } });

  const { data, errors, calls } = await gateway.query(sources);

  expect(errors).toEqual([]);
  expect(data.productTransactions.results).toEqual(
    Array(20).fill({ source: { id: expect.any(String), name: expect.any(String) } }),
  );
  expect(calls.filter(isFarmer)).not.toEqual([]);
  expect(calls.filter(isFarmer).filter((call) => !isPage(call))).toEqual([]);
});

test('one object comes by id beside its list, where only that shows what GETs cost now', async () => {
  const calls = { getFarmer: { callMs: 500, rowMs: 0 }, listFarmers: { callMs: 1, rowMs: 0 } };
  const shouldMeasure = (endpoint: string) => endpoint === 'getFarmer';
  const costs = Object.assign(new TableCosts({ calls, parallelism: 4 }), { shouldMeasure });
  const patience = { 'upstream.timeouts.readMs': '600000', 'limits.operations.timeoutMs': '600000' };
  await using gateway = await startFakedGateway(patience, { costs });
  const { upstream } = gateway;
  const some = (await readRows(gateway, paths.farmers)).slice(0, 3);
  const document = `{ ${some.map(({ id }, n) => `f${n}: farmer(id: "${id}") { id }`).join(' ')} }`;
  upstream.clear();

  const measured = await gateway.query(document);
  expect(upstream.calls.toSorted()).toEqual(
    [`GET ${paths.farmers}${some[0]?.id}/`, `GET ${paths.farmers}?limit=100&offset=0`].toSorted(),
  );

  // The list has the object even if the GET fails.
  upstream.respond = ({ path }) => (isPage(path) ? undefined : { status: 500, body: '{}' });
  const failed = await gateway.query(document);
  expect([measured.errors, failed.errors]).toEqual([[], []]);
  expect(failed.data).toEqual(measured.data);

  // Nobody waits for a GET that hangs.
  upstream.respond = ({ path }) => (isPage(path) ? undefined : { stalls: true });
  const hanging = await gateway.query(document);
  expect([hanging.errors, hanging.data]).toEqual([[], measured.data]);
  upstream.requests.findLast(({ path }) => !isPage(path))?.reply({ status: 500 });
});

test('ids that a client sends come by id, once the first page of their list has held none of them', async () => {
  const calls = { getFarmer: { callMs: 21.5, rowMs: 0 }, listFarmers: { callMs: 100, rowMs: 0 } };
  await using gateway = await startGateway({ costs: new TableCosts({ calls, parallelism: 16 }) });
  const oldest = (await readRows(gateway, paths.farmers)).slice(-12);
  const document = `{ ${oldest.map(({ id }, n) => `f${n}: farmer(id: "${id}") { name }`).join(' ')} }`;
  await gateway.query('{ farmers { count } }');

  const first = await gateway.query(document);
  const second = await gateway.query(document);

  expect(first.calls.some(isPage)).toBe(true);
  expect(second.calls.some(isPage)).toBe(false);
  expect(second.data).toEqual(first.data);
});

test('objects come in pages of a short list, once many GETs have been beside a call for its length', async () => {
  await using gateway = await startGateway({ costs: realCosts });
  const document = '{ productTransactions(quantity_available: true, limit: 100) { results { source { name } } } }';

  const first = await gateway.query(document);
  const second = await gateway.query(document);

  expect(first.errors).toEqual([]);
  expect(first.calls.filter(isFarmer).filter(isPage)).toEqual([page(paths.farmers, 1)]);
  expect(second.calls.filter(isFarmer).every(isPage)).toBe(true);
  expect(second.data).toEqual(first.data);
});

test('a list that refuses to give its length is not asked for it by each operation', async () => {
  await using gateway = await startFakedGateway({}, { costs: realCosts });
  const document = '{ productTransactions(quantity_available: true, limit: 100) { results { source { name } } } }';
  gateway.upstream.fail(paths.farmers, { status: 403 });

  const answers = [await gateway.query(document), await gateway.query(document)];

  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  expect(gateway.upstream.calls.filter(isFarmer).filter(isPage)).toEqual([page(paths.farmers, 1)]);
});

test('a list that refuses its length to one caller is asked for it by another', async () => {
  await using gateway = await startFakedGateway({}, { costs: realCosts });
  const document = '{ productTransactions(quantity_available: true, limit: 100) { results { source { name } } } }';
  gateway.upstream.respond = ({ path, headers }) =>
    path.startsWith(paths.farmers) && headers.authorization === 'Bearer demo-coop' ? { status: 403 } : undefined;
  await gateway.query(document, {}, { key: 'Bearer demo-coop' });
  await gateway.query(document);
  gateway.upstream.clear();

  const { errors } = await gateway.query(document);

  expect(errors).toEqual([]);
  expect(gateway.upstream.calls.filter(isFarmer).every(isPage)).toBe(true);
});

test('objects wait for the pages of their list that another field reads, where these probably hold them', async () => {
  const calls = { getFarmer: { callMs: 50, rowMs: 0 }, listFarmers: { callMs: 50, rowMs: 0 } };
  await using gateway = await startFakedGateway({}, { costs: new TableCosts({ calls, parallelism: 4 }) });
  await gateway.query('{ farmers { count } }');
  const { upstream } = gateway;
  const [pages, payments] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  upstream.respond = async ({ path }) => {
    if (path.startsWith(paths.farmers) && isPage(path)) {
      pages.resolve();
      await payments.promise;
    } else if (path.startsWith(paths.paymentTransactions)) await pages.promise;
    // The creators of the payments come with the farmers to whom they go.
    else if (path.startsWith(paths.users)) payments.resolve();
    return undefined;
  };
  upstream.clear();

  const { data, errors } = await gateway.query(
    `{ productTransactions(limit: 20) { results { source { name } } }
       paymentTransactions(limit: 4, offset: 40) { results { destination { __typename name } creator { first_name } } } }`,
  );

  expect(errors).toEqual([]);
  const kinds = data.paymentTransactions.results.map(({ destination }: Row) => destination.__typename);
  expect(kinds).toEqual(['Farmer', 'Farmer', 'Company', 'Farmer']);
  expect(upstream.calls.filter(isFarmer).filter((call) => !isPage(call))).toEqual([]);
});

test('each row comes once where pages order rows of one second differently: the gateway reads those rows again', async () => {
  await using gateway = await startFakedGateway({}, { costs: realCosts });
  const rows = await firstRows(gateway, paths.productTransactions);
  gateway.upstream.respond = ({ path }) =>
    path.startsWith(paths.productTransactions) ? tiedPage(rows, path) : undefined;

  const { data, errors } = await gateway.query('{ productTransactions(limit: 100) { count results { id } } }');

  const ids = data.productTransactions.results.map(({ id }: Row) => id);
  expect(errors).toEqual([]);
  expect(distinct(ids)).toHaveLength(100);
  const sizes = gateway.upstream.calls.map((call) => Number(/limit=(\d+)/.exec(call)?.[1]));
  expect(sizes).toEqual([25, 25, 25, 25, 6, 6, 6]);
});

/** A page of a list in which six rows each are of one second. Their order depends on the limit and the offset. */
function tiedPage(rows: readonly Row[], path: string) {
  const { searchParams } = new URL(path, 'http://service');
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
  const ordered = rows.map((_, index) => {
    const first = index - (index % 6);
    const length = Math.min(6, rows.length - first);
    return { ...rows[first + ((index + limit + offset) % length)], created_on: rows[first]?.created_on };
  });
  return { body: JSON.stringify({ count: rows.length, results: ordered.slice(offset, offset + limit) }) };
}
