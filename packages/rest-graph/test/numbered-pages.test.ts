import { describe, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { changedContract } from '../../../test/contract/changed-contract.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { KnownList } from '../../upstream/known-list.ts';
import type { Range } from '../../upstream/list-page.ts';
import { pagesAround, readByNumber } from '../load/lists/numbered-pages.ts';
import { ask, type OtherService, startService } from './other-service.ts';

interface Numbered {
  /** Number of the first page. */
  first?: 0 | 1;
  /** Rows of the largest page that the service gives. */
  most?: number;
  /** The contract says so. */
  declared?: number;
  /** The service fails on pages of cards with this row. */
  failsAt?: number;
}

/** A gateway over a service with pages by number, which answers 404 after the last one. The sandbox has its rows. */
async function start({ first = 1, most = 1_000, declared, failsAt = -1 }: Numbered = {}) {
  const contract = await changedContract((document) => {
    document['x-wire'].page = {
      count: 'total',
      rows: 'items',
      limit: 'page_size',
      number: 'page',
      first,
      largest: declared,
    };
    document.components.parameters.limit.name = 'page_size';
    document.components.parameters.offset.name = 'page';
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      if (!name.endsWith('Page')) continue;
      const { count, results, ...others } = schema.properties;
      Object.assign(schema, { properties: { total: count, items: results, ...others }, required: ['total', 'items'] });
    }
  });
  let service: OtherService | undefined;
  const gateway = await startGateway({
    app: { ...traceability, contract },
    settings: { 'cache.lists.ttlMs': '600000' },
    upstreamUrl: async (sandboxUrl) => {
      service = await startService(sandboxUrl, async (request) => {
        const url = new URL(request.path, sandboxUrl);
        const { searchParams } = url;
        const size = Math.min(Number(searchParams.get('page_size')), most);
        const offset = (Number(searchParams.get('page')) - first) * size;
        for (const name of ['page', 'page_size']) searchParams.delete(name);
        if (size > 0) {
          searchParams.set('limit', String(size));
          searchParams.set('offset', String(offset));
        }
        const fails = url.pathname.includes('connect-cards') && offset <= failsAt && failsAt < offset + size;
        if (fails) return { status: 500, body: {} };
        const sent = { ...request, path: url.pathname + url.search };
        const answer = await ask(sandboxUrl, sent, { authorization: request.headers.authorization ?? '' });
        const { count, results, ...others } = answer.body as Json;
        if (results === undefined) return answer;
        const isPastEnd = offset > 0 && offset >= count;
        return isPastEnd
          ? { status: 404, body: { detail: 'Invalid page.' } }
          : { ...answer, body: { ...others, total: count, items: results } };
      });
      return service.url;
    },
  });
  return { gateway, sent: service?.requests ?? [] };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of a service
type Json = any;

const pagesOf = (sent: OtherService['requests'], list: string) =>
  sent
    .filter(({ path }) => path.includes(`/${list}/?`))
    .map(({ path }) => new URLSearchParams(path.split('?')[1]))
    .map((query) => [Number(query.get('page')), Number(query.get('page_size'))]);

const ids = (data: Json): string[] => data.cards.results.map(({ id }: Json) => id);

test.each([0, 1] as const)('any range of rows is right, where %i is the first page', async (first) => {
  await using plain = await startGateway();
  const { gateway, sent } = await start({ first });
  await using _ = gateway;
  for (const [offset, limit] of [
    [0, 10],
    [10, 10],
    [7, 5],
    [3, 1],
    [95, 30],
    [5, 0],
    [100_000, 5],
  ]) {
    const document = `{ cards(offset: ${offset}, limit: ${limit}) { count results { id } } }`;
    const [expected, answer] = [await plain.query(document), await gateway.query(document)];
    expect(answer.errors).toEqual([]);
    expect(answer.data, document).toEqual(expected.data);
  }
  expect(pagesOf(sent, 'connect-cards').slice(0, 2)).toEqual([
    [first, 10],
    [first + 1, 10],
  ]);
});

const next = `query($after: String) {
  cards(first: 9, after: $after) { pageInfo { endCursor hasNextPage } results { id } }
}`;

test.each<[string, Numbered]>([
  ['of any size', {}],
  ['of 7 rows, as the gateway learns', { most: 7 }],
  ['of 7 rows, as the contract declares', { most: 7, declared: 7 }],
  ['of one row', { most: 1 }],
])('cursors lead once to each row through pages %s', async (_what, numbered) => {
  await using plain = await startGateway();
  const { gateway, sent } = await start(numbered);
  await using _ = gateway;
  const expected = ids((await plain.query('{ cards(limit: 60) { results { id } } }')).data);
  const found: string[] = [];
  for (let after: string | null = null; found.length < 54; ) {
    const { data, errors }: Json = await gateway.query(next, { after });
    expect(errors).toEqual([]);
    found.push(...ids(data));
    after = data.cards.pageInfo.endCursor;
  }
  expect(found).toEqual(expected.slice(0, 54));
  const { declared } = numbered;
  if (declared) expect(Math.max(...pagesOf(sent, 'connect-cards').map(([, size]) => size ?? 0))).toBe(declared);
});

test('a long list of several pages is whole, also where pages are small', async () => {
  const document =
    '{ productTransactions(limit: 100) { count results { id product { name } } } cards(limit: 100) { results { id } } }';
  await using plain = await startGateway();
  const expected = await plain.query(document);
  for (const numbered of [{}, { most: 30 }, { most: 30, declared: 30 }]) {
    const { gateway } = await start(numbered);
    await using _ = gateway;
    const answer = await gateway.query(document);
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual(expected.data);
  }
});

test.each<[string, Numbered, number[][]]>([
  [
    'by a page that holds its last row too',
    {},
    [
      [1, 200],
      [3, 100],
    ],
  ],
  [
    'where pages are smaller, by one that it had',
    { most: 100, declared: 100 },
    [
      [1, 100],
      [2, 100],
      [3, 100],
    ],
  ],
])('a look goes on from a cached page %s', async (_what, numbered, pages) => {
  const document = '{ cards(limit: 100) { results { id holder { id } } } }';
  await using plain = await startGateway();
  const expected = await plain.query(document);
  const { gateway, sent } = await start(numbered);
  await using _ = gateway;
  await gateway.query('{ entityCards(limit: 100) { results { id } } }');
  const before = sent.length;
  const answer = await gateway.query(document);

  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual(expected.data);
  // Further pages show rows of one time, which change places.
  expect(pagesOf(sent.slice(before), 'entity-cards').slice(0, pages.length)).toEqual(pages);
});

test('a row that the service fails on is left out alone', async () => {
  await using plain = await startGateway();
  const document = '{ cards(offset: 3, limit: 12) { results { id } } }';
  const expected = ids((await plain.query(document)).data);
  const { gateway } = await start({ failsAt: 8 });
  await using _ = gateway;
  const { data, errors } = await gateway.query(document);
  expect(ids(data)).toEqual(expected.toSpliced(8 - 3, 1));
  expect(errors).toMatchObject([{ message: expect.stringContaining('The row at offset 8 of this list is left out') }]);
});

test('filters, cached lists and the search for an object of a list go by number', async () => {
  const document = `{
    farmers(first_name: "a", offset: 3, limit: 5) { count results { id } }
    products(offset: 2, limit: 3) { count results { id name } }
    productTransactions(limit: 3) { results { product { id name } card { id } } }
  }`;
  await using plain = await startGateway({ settings: { 'cache.lists.ttlMs': '600000' } });
  const expected = await plain.query(document);
  const { gateway, sent } = await start({ most: 4 });
  await using _ = gateway;
  for (const _round of [1, 2]) {
    const answer = await gateway.query(document);
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual(expected.data);
  }
  expect(sent.every(({ path }) => !/[?&](limit|offset)=/.test(path))).toBe(true);
});

describe('pagesAround', () => {
  test('gives pages of one size that begin at its multiples and cover the range', () => {
    for (let offset = 0; offset < 60; offset += 1) {
      for (let limit = 1; limit < 25; limit += 1) {
        for (const largest of [1, 7, 10, Number.POSITIVE_INFINITY]) {
          const pages = pagesAround({ offset, limit }, largest);
          const [first, last] = [pages[0] as Range, pages.at(-1) as Range];
          const at = JSON.stringify([offset, limit, largest, pages]);
          expect(
            first.limit <= largest && first.offset <= offset && last.offset + last.limit >= offset + limit,
            at,
          ).toBe(true);
          expect(
            pages.every((page, index) => page.offset === first.offset + index * first.limit),
            at,
          ).toBe(true);
          expect(
            pages.every((page) => page.limit === first.limit && page.offset % page.limit === 0),
            at,
          ).toBe(true);
        }
      }
    }
  });
});

describe('readByNumber', () => {
  /** Reads a list of numbers from a service with a largest page. */
  const reader =
    (length: number, most: number) =>
    async ({ offset, limit }: Range) => {
      const size = Math.min(limit, most);
      const begin = (offset / limit) * size;
      const rows = Array.from({ length }, (_, index) => ({ id: String(index) })).slice(begin, begin + size);
      return { count: length, rows };
    };

  test('gives the rows of each range, whatever the largest page is', async () => {
    for (const [length, most] of [
      [0, 5],
      [1, 5],
      [12, 5],
      [15, 5],
      [60, 20],
      [60, 1_000],
      [150, 50],
    ] as const) {
      const known = new KnownList();
      for (const [offset, limit] of [
        [5, 10],
        [100, 50],
        [0, 3],
        [59, 5],
        [7, 7],
        [0, 200],
        [50, 100],
      ] as const) {
        const page = await readByNumber({ offset, limit }, known, reader(length, most));
        const end = Math.min(offset + limit, length);
        const expected = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({
          id: String(offset + index),
        }));
        expect(page, JSON.stringify([length, most, offset, limit])).toEqual({ count: length, rows: expected });
      }
    }
  });

  test('a service whose largest page has become smaller gives right rows', async () => {
    const known = new KnownList();
    await readByNumber({ offset: 0, limit: 20 }, known, reader(60, 20));
    const page = await readByNumber({ offset: 20, limit: 20 }, known, reader(60, 7));
    expect(page.rows).toEqual(Array.from({ length: 20 }, (_, index) => ({ id: String(20 + index) })));
  });

  test('gives up where the list changes with each read', async () => {
    let length = 30;
    const changing = (page: Range) => reader(length++, 5)(page);
    await expect(readByNumber({ offset: 3, limit: 12 }, new KnownList(), changing)).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID_RESPONSE',
    });
  });
});
