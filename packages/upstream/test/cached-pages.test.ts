import { beforeEach, expect, test, vi } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import { callerOf } from '../../../test/support/caller.ts';
import type { Caller } from '../../base/callers/caller.ts';
import type { EndpointName } from '../../contract/endpoint.ts';
import { ListCache, type ListCacheOptions } from '../list-cache.ts';
import type { ListPage } from '../list-page.ts';
import { ResponseBody } from '../parsed-body-cache.ts';

const ttl = 1_000;
const caller = callerOf({ authorization: 'a key' });
const list: EndpointName = 'listCards';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

const listCacheOf = (options: Partial<ListCacheOptions> = {}) =>
  new ListCache(serviceContract, { ttlMs: ttl, maxLists: 100, maxBytes: 1_000_000, ...options });

/** Rows with these numbers as ids. */
const rowsOf = (ids: number[], state = 'old') => ids.map((id) => ({ id, state }));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** A page, and the body that holds it. */
function answered(count: number, rows: unknown[]): [ListPage, ResponseBody] {
  return [{ count, rows }, new ResponseBody(Buffer.from(JSON.stringify({ count, results: rows })))];
}

const operations = { first: {}, second: {} };

function cache(
  lists: ListCache,
  offset: number,
  ids: number[],
  { count = 300, limit = ids.length, of = caller, by = 'first' as keyof typeof operations } = {},
) {
  const [page, body] = answered(count, rowsOf(ids));
  lists.set(of, list, { offset, limit }, { ...page, by: operations[by] }, body);
}

/** Ids of a range; undefined unless all of it is cached. */
function ids(lists: ListCache, offset: number, limit: number, by: Caller = caller) {
  return lists.page(by, list, { offset, limit })?.page.rows.map((row) => (row as { id: number }).id);
}

test('the list cache gives a range only if cached pages cover all of it', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100));
  cache(lists, 100, numbers(100, 200));

  expect(ids(lists, 90, 20)).toEqual(numbers(90, 110));
  expect(ids(lists, 190, 20)).toBeUndefined();
  expect(ids(lists, 300, 20)).toEqual([]);
});

test('the list cache gives no range across pages whose rows shifted between reads', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100));
  cache(lists, 100, numbers(99, 199));

  expect(ids(lists, 0, 200)).toBeUndefined();
  expect(ids(lists, 100, 100)).toEqual(numbers(99, 199));
});

test('the list cache gives the pages of each operation, and none across those of two', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100), { by: 'first' });
  cache(lists, 100, numbers(100, 200), { by: 'second' });

  expect([ids(lists, 0, 100), ids(lists, 100, 100)]).toEqual([numbers(0, 100), numbers(100, 200)]);
  expect(ids(lists, 0, 200)).toBeUndefined();
});

test('the pages of an operation go all together, once a later one has read them all', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100), { by: 'first' });
  cache(lists, 100, numbers(100, 200), { by: 'first' });
  const { bytes } = lists;
  cache(lists, 0, numbers(0, 100), { by: 'second' });
  expect(ids(lists, 0, 200)).toEqual(numbers(0, 200));

  cache(lists, 100, numbers(100, 200), { by: 'second' });

  expect(ids(lists, 0, 200)).toEqual(numbers(0, 200));
  expect(lists.bytes).toBe(bytes);
});

test('the list cache gives a range across pages with the rows that were read again between them', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100));
  cache(lists, 100, [99, ...numbers(101, 200)]);
  cache(lists, 98, [98, 100, 99, 101]);

  expect(ids(lists, 0, 200)).toEqual([...numbers(0, 99), 100, 99, ...numbers(101, 200)]);
});

test('the list cache drops all pages of a list when a new page has another count', () => {
  const lists = listCacheOf();
  cache(lists, 0, numbers(0, 100), { count: 250 });
  cache(lists, 100, numbers(100, 200), { count: 251 });

  expect(ids(lists, 0, 10)).toBeUndefined();
  expect(lists.page(caller, list, { offset: 0, limit: 0 })?.page).toMatchObject({ count: 251, rows: [] });
});

test('the list cache gives the later state of rows that were read twice', () => {
  const lists = listCacheOf();
  const range = { offset: 0, limit: 20 };
  lists.set(caller, list, range, ...answered(300, rowsOf(numbers(0, 20), 'old')));
  lists.set(caller, list, { offset: 5, limit: 5 }, ...answered(300, rowsOf(numbers(5, 10), 'new')));

  expect(lists.page(caller, list, { offset: 5, limit: 5 })?.page.rows).toEqual(rowsOf(numbers(5, 10), 'new'));
  expect(ids(lists, 0, 20)).toEqual(numbers(0, 20));
});

test('the list cache holds all pages of a service that caps its page size', () => {
  const lists = listCacheOf();
  cache(lists, 7, numbers(7, 14), { limit: 93 });
  cache(lists, 0, numbers(0, 7), { limit: 100 });

  expect(ids(lists, 0, 14)).toEqual(numbers(0, 14));
});

test('the list cache reports pages as stale after the TTL and drops them after twice the TTL', () => {
  const lists = listCacheOf();
  const stale = (limit: number) => lists.page(caller, list, { offset: 0, limit })?.stale;
  cache(lists, 0, numbers(0, 100));
  now = ttl - 1;
  cache(lists, 100, numbers(100, 200));
  expect(stale(200)).toEqual([]);

  now = ttl;
  expect(stale(100)).toEqual([{ offset: 0, limit: 100 }]);
  // The pages of a range are read anew together, so that they fit again.
  expect(stale(200)).toEqual([
    { offset: 0, limit: 100 },
    { offset: 100, limit: 100 },
  ]);
  // The latest count is that of the second page.
  now = 2 * ttl - 1;
  expect(stale(0)).toEqual([{ offset: 100, limit: 100 }]);

  now = 2 * ttl;
  expect(ids(lists, 0, 100)).toBeUndefined();
  expect(ids(lists, 100, 100)).toEqual(numbers(100, 200));
  now = 3 * ttl;
  expect(stale(0)).toBeUndefined();
});

test('the list cache frees the room of an expired page', () => {
  const bytes = (from: number, to: number) => Buffer.byteLength(JSON.stringify(rowsOf(numbers(from, to))));
  const lists = listCacheOf({ maxBytes: bytes(0, 100) + bytes(100, 150) - 1 });
  cache(lists, 0, numbers(0, 100));
  now = 2 * ttl;
  cache(lists, 100, numbers(100, 150));

  expect(ids(lists, 100, 50)).toEqual(numbers(100, 150));
});

test('the list cache counts its size in bytes, not in characters', () => {
  const row = { id: 'é'.repeat(100) };
  const lists = listCacheOf({ maxBytes: answered(1, [row])[1].text.length });
  lists.set(caller, list, { offset: 0, limit: 1 }, ...answered(1, [row]));

  expect(lists.page(caller, list, { offset: 0, limit: 1 })).toBeUndefined();
});

test('the list cache evicts the oldest page when a list has more than 1,000 pages', () => {
  const lists = listCacheOf();
  for (const id of numbers(0, 1_001)) cache(lists, id, [id], { count: 5_000 });

  expect(ids(lists, 0, 1)).toBeUndefined();
  expect(ids(lists, 1, 1_000)).toEqual(numbers(1, 1_001));
});

test('the list cache evicts lists of the key with most languages, and none of another key', () => {
  const lists = listCacheOf({ maxLists: 50 });
  const other = callerOf({ authorization: 'another key' });
  const inLanguage = (language: number) => callerOf({ ...caller.headers, 'accept-language': `x-${language}` });
  cache(lists, 0, [1], { of: other });
  for (const language of numbers(0, 60)) cache(lists, 0, [1], { of: inLanguage(language) });

  expect(ids(lists, 0, 1, other)).toEqual([1]);
  expect(ids(lists, 0, 1, inLanguage(59))).toEqual([1]);
  expect(ids(lists, 0, 1, inLanguage(19))).toBeUndefined();
});

const listNames = ['listEntityCards', 'listCards', 'listProducts', 'listCurrencies'] as const;

test.each([
  ['createEntityCard', ['listEntityCards', 'listCards']],
  ['createCompany', ['listEntityCards']],
  ['updateCompany', ['listEntityCards']],
  ['createPremium', ['listProducts']],
  ['createCompanyMember', ['listEntityCards', 'listProducts']],
  ['updateUser', ['listEntityCards', 'listProducts']],
  ['createFarmer', []],
  ['createPaymentTransaction', []],
] as const)('%s invalidates these lists of its own key alone: %s', (write, changed) => {
  const lists = listCacheOf();
  const other = callerOf({ authorization: 'another key' });
  const range = { offset: 0, limit: 1 };
  for (const by of [caller, other]) {
    for (const endpoint of listNames) lists.set(by, endpoint, range, ...answered(1, [{ id: 1 }]));
  }

  lists.invalidate(caller.keyDigest, write);

  const cachedFor = (by: Caller) => listNames.filter((endpoint) => lists.page(by, endpoint, range));
  expect(cachedFor(caller)).toEqual(listNames.filter((endpoint) => !changed.some((name) => name === endpoint)));
  expect(cachedFor(other)).toEqual(listNames);
});

test.each(['listFarmers', 'listProductTransactions', 'listPaymentTransactions'] as const)(
  '%s is never cached',
  (endpoint) => {
    const lists = listCacheOf();
    lists.set(caller, endpoint, { offset: 0, limit: 1 }, ...answered(1, [{ id: 1 }]));

    expect(lists.page(caller, endpoint, { offset: 0, limit: 1 })).toBeUndefined();
  },
);
