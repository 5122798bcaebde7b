import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from './harness.ts';
import { startProxy } from './proxy.ts';
import { expectCalls, page, paths, type Row, readRows } from './rest-reads.ts';

let gateway: Gateway;
let ids: string[];
beforeAll(async () => {
  gateway = await startGateway();
  ids = (await readRows(gateway, paths.farmers)).map(({ id }) => id);
});
afterAll(() => gateway.close());

/** Asks for ranges of the farmers, each under its own alias, in one operation. */
async function ranges(of: Gateway, ...ranges: [offset: number, limit: number][]) {
  const fields = ranges.map(
    ([offset, limit], index) => `r${index}: farmers(offset: ${offset}, limit: ${limit}) { count results { id } }`,
  );
  const answer = await of.query(`{ ${fields.join(' ')} }`);
  const lists = Object.values<Row>(answer.data).map((list) => list?.results.map(({ id }: Row) => id));
  return { ...answer, lists };
}

test.each([
  {
    what: 'one within the other',
    asked: [
      [0, 10],
      [0, 30],
    ],
    calls: [page(paths.farmers, 30)],
  },
  {
    what: 'overlapping',
    asked: [
      [20, 20],
      [10, 15],
    ],
    calls: [page(paths.farmers, 30, 10)],
  },
  {
    what: 'adjoining',
    asked: [
      [0, 20],
      [20, 20],
      [40, 20],
    ],
    calls: [page(paths.farmers, 60)],
  },
  {
    what: 'apart',
    asked: [
      [0, 10],
      [50, 10],
    ],
    calls: [page(paths.farmers, 10), page(paths.farmers, 10, 50)],
  },
  {
    what: 'longer than a page together',
    asked: [
      [30, 80],
      [0, 80],
    ],
    calls: [page(paths.farmers, 100), page(paths.farmers, 10, 100)],
  },
  {
    what: 'past the end',
    asked: [
      [230, 20],
      [235, 50],
    ],
    calls: [page(paths.farmers, 55, 230)],
  },
] as { what: string; asked: [number, number][]; calls: string[] }[])(
  'ranges of one list are read together where that costs no row more: $what',
  async ({ asked, calls }) => {
    const answer = await ranges(gateway, ...asked);

    expect(answer.lists).toEqual(asked.map(([offset, limit]) => ids.slice(offset, offset + limit)));
    expectCalls(answer, ...calls);
  },
);

test('lists with other filters are other lists', async () => {
  const answer = await gateway.query(
    '{ all: farmers(limit: 5) { count } some: farmers(limit: 5, first_name: "a") { count } }',
  );

  expectCalls(answer, page(paths.farmers, 1), page(paths.farmers, 1, 0, 'first_name=a'));
});

test('a count comes with rows of its list, whichever stands first', async () => {
  const answer = await gateway.query('{ farmers { count } page: farmers(limit: 5, offset: 30) { results { id } } }');

  expect(answer.data).toEqual({ farmers: { count: 240 }, page: { results: ids.slice(30, 35).map((id) => ({ id })) } });
  expectCalls(answer, page(paths.farmers, 5, 30));
});

test('a service with small pages gives each range its rows', async () => {
  const capped = await startGateway({ sandbox: { maxPageSize: 7 } });

  const answer = await ranges(capped, [0, 10], [5, 15]);
  await capped.close();

  expect(answer.lists).toEqual([ids.slice(0, 10), ids.slice(5, 20)]);
  expectCalls(answer, page(paths.farmers, 20), page(paths.farmers, 7, 7), page(paths.farmers, 6, 14));
});

test('rows that the service cannot show take no others with them', async () => {
  const proxy = await startProxy(gateway.sandbox.url);
  const broken = await startGateway({ upstreamUrl: proxy.url });
  proxy.intercept = ({ path }) => (/limit=(20|30)&/.test(path) ? { status: 500, body: '{}' } : undefined);

  const { lists, errors } = await ranges(broken, [0, 10], [10, 20]);
  await broken.close();
  await proxy.close();

  expect(lists).toEqual([ids.slice(0, 10), undefined]);
  expect(errors).toMatchObject([{ path: ['r1'], extensions: { code: 'UPSTREAM_ERROR' } }]);
});
