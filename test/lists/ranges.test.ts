import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { expectCalls, page, paths, type Row, readRows } from '../support/rest-reads.ts';

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
    what: 'longer than a page',
    asked: [
      [100, 130],
      [0, 120],
    ],
    calls: [page(paths.farmers, 100), page(paths.farmers, 100, 100), page(paths.farmers, 30, 200)],
  },
  {
    what: 'not where together they are as many pages',
    asked: [
      [30, 80],
      [0, 80],
    ],
    calls: [page(paths.farmers, 80), page(paths.farmers, 80, 30)],
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
  'ranges of one list are read together if that takes fewer calls: $what',
  async ({ asked, calls }) => {
    const answer = await ranges(gateway, ...asked);

    expect(answer.lists).toEqual(asked.map(([offset, limit]) => ids.slice(offset, offset + limit)));
    expectCalls(answer, ...calls);
  },
);

test('lists with different filters are read apart', async () => {
  const answer = await gateway.query(
    '{ all: farmers(limit: 5) { count } some: farmers(limit: 5, first_name: "a") { count } }',
  );

  expectCalls(answer, page(paths.farmers, 1), page(paths.farmers, 1, 0, 'first_name=a'));
});

test('a count beside rows of the same list costs no call, in either order', async () => {
  const answer = await gateway.query('{ farmers { count } page: farmers(limit: 5, offset: 30) { results { id } } }');

  expect(answer.data).toEqual({ farmers: { count: 240 }, page: { results: ids.slice(30, 35).map((id) => ({ id })) } });
  expectCalls(answer, page(paths.farmers, 5, 30));
});

test('each range gets its rows from a service that caps pages', async () => {
  await using capped = await startGateway({ sandbox: { maxPageSize: 7 } });

  const answer = await ranges(capped, [0, 10], [5, 15]);

  expect(answer.lists).toEqual([ids.slice(0, 10), ids.slice(5, 20)]);
  expectCalls(answer, page(paths.farmers, 20), page(paths.farmers, 7, 7), page(paths.farmers, 6, 14));
});

test('no row comes twice from a service that exceeds the requested page size', async () => {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using generous = await startGateway({ upstreamUrl: proxy.url });
  const body = JSON.stringify({ count: 240, results: ids.slice(100).map((id) => ({ id })) });
  proxy.respond = ({ path }) => (path.includes('offset=100') ? { status: 200, body } : undefined);

  const { lists } = await ranges(generous, [0, 230]);

  expect(lists).toEqual([ids.slice(0, 230)]);
});

test('rows deleted between two pages make no gap', async () => {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using shrinking = await startGateway({ upstreamUrl: proxy.url });
  const body = JSON.stringify({ count: 241, results: ids.slice(0, 100).map((id) => ({ id })) });
  proxy.respond = ({ path }) => {
    if (!path.includes('offset=0')) return undefined;
    proxy.respond = undefined;
    return { status: 200, body };
  };

  const { data, errors } = await ranges(shrinking, [0, 300]);

  expect(errors).toEqual([]);
  expect(data.r0).toEqual({ count: 240, results: ids.map((id) => ({ id })) });
});

/** An answer that is no page of a list, whatever its rows are. */
const noPage = { status: 200, body: '{}' };

/** Ranges of farmers under a service that answers some calls in another way, with the calls it gets. */
async function rangesOver(
  respond: (path: string) => { status: number; body: string } | undefined,
  asked: [offset: number, limit: number][],
  settings: Record<string, string> = {},
) {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using failing = await startGateway({ upstreamUrl: proxy.url, settings });
  proxy.respond = ({ path }) => respond(path);
  const answer = await ranges(failing, ...asked);
  return { ...answer, calls: proxy.requests.map(({ method, path }) => `${method} ${path}`) };
}

test('a failed page of one range leaves the other ranges alone', async () => {
  const { lists, errors } = await rangesOver(
    (path) => (/limit=(20|30)&/.test(path) ? noPage : undefined),
    [
      [0, 10],
      [10, 20],
    ],
  );

  expect(lists).toEqual([ids.slice(0, 10), undefined]);
  expect(errors).toMatchObject([{ path: ['r1'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
});

test('ranges are answered as soon as their own pages have come', async () => {
  const answer = await rangesOver(
    (path) => (path.includes('offset=200') ? noPage : undefined),
    [
      [0, 20],
      [20, 100],
      [120, 120],
    ],
  );

  expect(answer.lists).toEqual([ids.slice(0, 20), ids.slice(20, 120), ids.slice(120, 240)]);
  // Only the last range is read again, because its pages begin elsewhere.
  expectCalls(
    answer,
    page(paths.farmers, 100),
    page(paths.farmers, 100, 100),
    page(paths.farmers, 40, 200),
    page(paths.farmers, 100, 120),
    page(paths.farmers, 20, 220),
  );
});

test('a call budget spent on the second page leaves the ranges of the first page', async () => {
  const { lists, errors, calls } = await rangesOver(
    () => undefined,
    [
      [0, 20],
      [20, 220],
    ],
    { 'limits.operations.upstreamCalls': '2' },
  );

  expect(lists).toEqual([ids.slice(0, 20), undefined]);
  expect(errors).toMatchObject([{ path: ['r1'], extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }]);
  expect(calls).toHaveLength(2);
});

test.each([
  [429, 'RATE_LIMITED'],
  [401, 'UNAUTHENTICATED'],
  [503, 'UPSTREAM_UNAVAILABLE'],
])('a %i is not repeated for each range', async (status, code) => {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using refused = await startGateway({ upstreamUrl: proxy.url });
  proxy.respond = () => ({ status, body: '{}' });

  const { errors } = await refused.query(`{
    farmers { count }
    a: farmers(limit: 10) { results { id } }
    b: farmers(offset: 10, limit: 10) { results { id } }
  }`);

  expect(errors.map(({ extensions }) => extensions.code)).toEqual([code, code, code]);
  expect(proxy.requests.map(({ path }) => `GET ${path}`)).toEqual([page(paths.farmers, 20)]);
});

test('a count beside a failed page comes with another page', async () => {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using failing = await startGateway({ upstreamUrl: proxy.url });
  proxy.respond = ({ path }) => (path.includes('limit=5&') ? noPage : undefined);

  const { data } = await failing.query('{ farmers { count } page: farmers(limit: 5) { results { id } } }');

  expect(data).toEqual({ farmers: { count: 240 }, page: null });
});

test('callers that come together plan by the calls of each other, before any of these is on the wire', async () => {
  await using gateway = await startGateway({ costs: 'learnt' });
  // No answer teaches a caller what calls cost.
  const answer = gateway.sandbox.delay('listProductTransactions', Number.POSITIVE_INFINITY);
  const read = (language: string) =>
    gateway.ask(
      { query: '{ productTransactions(limit: 100) { results { number } } }' },
      { headers: { 'accept-language': language } },
    );
  const answers = ['en', 'fr', 'am', 'om'].map(read);
  const calls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  await expect.poll(() => calls().length).toBeGreaterThanOrEqual(7);
  answer();
  await Promise.all(answers);
  // The supposed parallelism of four is free for the first caller alone.
  const parts = [0, 25, 50, 75].map((offset) => page(paths.productTransactions, 25, offset));
  const whole = page(paths.productTransactions, 100);
  expectCalls({ calls: calls() }, ...parts, whole, whole, whole);
});
