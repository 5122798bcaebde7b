import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Caller, callerOf } from '../../src/upstream/caller.ts';
import type { EndpointName } from '../../src/upstream/endpoints.ts';
import { ListCache, type ListCacheOptions } from '../../src/upstream/list-cache.ts';
import type { ListPage } from '../../src/upstream/list-page.ts';
import { ResponseBody } from '../../src/upstream/parsed-body-cache.ts';

const ttl = 1_000;
const caller = callerOf({ authorization: 'a key' });
const list: EndpointName = 'listCards';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

const catalogsOf = (options: Partial<ListCacheOptions> = {}) =>
  new ListCache({ ttl, maxEntries: 100, maxBytes: 1_000_000, ...options });

/** Rows whose ids are these numbers, as the service may give them from an offset on. */
const rowsOf = (ids: number[], state = 'old') => ids.map((id) => ({ id, state }));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** A page, and the answer that it was in. */
function answered(count: number, rows: unknown[]): [ListPage, ResponseBody] {
  return [{ count, rows }, new ResponseBody(Buffer.from(JSON.stringify({ count, results: rows })))];
}

function keep(
  catalogs: ListCache,
  offset: number,
  ids: number[],
  { count = 300, limit = ids.length, by = caller } = {},
) {
  catalogs.set(by, list, { offset, limit }, ...answered(count, rowsOf(ids)));
}

/** The ids in a range; undefined where not all of it is kept. */
function ids(catalogs: ListCache, offset: number, limit: number, by: Caller = caller) {
  return catalogs.page(by, list, { offset, limit })?.page.rows.map((row) => (row as { id: number }).id);
}

test('a range is made of all the pages that hold it, or of none', () => {
  const catalogs = catalogsOf();
  keep(catalogs, 0, numbers(0, 100));
  keep(catalogs, 100, numbers(100, 200));

  expect(ids(catalogs, 90, 20)).toEqual(numbers(90, 110));
  expect(ids(catalogs, 190, 20)).toBeUndefined();
  expect(ids(catalogs, 300, 20)).toEqual([]);
});

test('pages between whose readings rows have shifted make no range', () => {
  const catalogs = catalogsOf();
  keep(catalogs, 0, numbers(0, 100));
  keep(catalogs, 100, numbers(99, 199));

  expect(ids(catalogs, 0, 200)).toBeUndefined();
  expect(ids(catalogs, 100, 100)).toEqual(numbers(99, 199));
});

test('a page that tells another count takes the place of all that were read before', () => {
  const catalogs = catalogsOf();
  keep(catalogs, 0, numbers(0, 100), { count: 250 });
  keep(catalogs, 100, numbers(100, 200), { count: 251 });

  expect(ids(catalogs, 0, 10)).toBeUndefined();
  expect(catalogs.page(caller, list, { offset: 0, limit: 0 })?.page).toEqual({ count: 251, rows: [] });
});

test('of rows that were read twice the later state is shown', () => {
  const catalogs = catalogsOf();
  const range = { offset: 0, limit: 20 };
  catalogs.set(caller, list, range, ...answered(300, rowsOf(numbers(0, 20), 'old')));
  catalogs.set(caller, list, { offset: 5, limit: 5 }, ...answered(300, rowsOf(numbers(5, 10), 'new')));

  expect(catalogs.page(caller, list, { offset: 5, limit: 5 })?.page.rows).toEqual(rowsOf(numbers(5, 10), 'new'));
  expect(ids(catalogs, 0, 20)).toEqual(numbers(0, 20));
});

test('a service with smaller pages than it was asked for loses none of them', () => {
  const catalogs = catalogsOf();
  keep(catalogs, 7, numbers(7, 14), { limit: 93 });
  keep(catalogs, 0, numbers(0, 7), { limit: 100 });

  expect(ids(catalogs, 0, 14)).toEqual(numbers(0, 14));
});

test('what is as good as new needs no call, what is older is to be read anew, and then it is gone', () => {
  const catalogs = catalogsOf();
  const stale = (limit: number) => catalogs.page(caller, list, { offset: 0, limit })?.stale;
  keep(catalogs, 0, numbers(0, 100));
  now = ttl - 1;
  keep(catalogs, 100, numbers(100, 200));
  expect(stale(200)).toEqual([]);

  now = ttl;
  expect(stale(200)).toEqual([{ offset: 0, limit: 100 }]);
  now = 2 * ttl - 1;
  expect(stale(200)).toEqual([
    { offset: 0, limit: 100 },
    { offset: 100, limit: 100 },
  ]);
  // The latest count is that of the second page.
  expect(stale(0)).toEqual([{ offset: 100, limit: 100 }]);

  now = 2 * ttl;
  expect(ids(catalogs, 0, 100)).toBeUndefined();
  expect(ids(catalogs, 100, 100)).toEqual(numbers(100, 200));
  now = 3 * ttl;
  expect(stale(0)).toBeUndefined();
});

test('a page that is too old to be shown takes no room', () => {
  const bytes = (from: number, to: number) => Buffer.byteLength(JSON.stringify(rowsOf(numbers(from, to))));
  const catalogs = catalogsOf({ maxBytes: bytes(0, 100) + bytes(100, 150) - 1 });
  keep(catalogs, 0, numbers(0, 100));
  now = 2 * ttl;
  keep(catalogs, 100, numbers(100, 150));

  expect(ids(catalogs, 100, 50)).toEqual(numbers(100, 150));
});

test('room is counted in bytes', () => {
  const row = { id: 'é'.repeat(100) };
  const catalogs = catalogsOf({ maxBytes: answered(1, [row])[1].text.length });
  catalogs.set(caller, list, { offset: 0, limit: 1 }, ...answered(1, [row]));

  expect(catalogs.page(caller, list, { offset: 0, limit: 1 })).toBeUndefined();
});

test('of more than a thousand pages of a list the oldest are gone', () => {
  const catalogs = catalogsOf();
  for (const id of numbers(0, 1_001)) keep(catalogs, id, [id], { count: 5_000 });

  expect(ids(catalogs, 0, 1)).toBeUndefined();
  expect(ids(catalogs, 1, 1_000)).toEqual(numbers(1, 1_001));
});

test('a key that asks in ever new languages pushes out nothing of another one', () => {
  const catalogs = catalogsOf({ maxEntries: 50 });
  const other = callerOf({ authorization: 'another key' });
  const inLanguage = (language: number) => callerOf({ ...caller.headers, 'accept-language': `x-${language}` });
  keep(catalogs, 0, [1], { by: other });
  for (const language of numbers(0, 60)) keep(catalogs, 0, [1], { by: inLanguage(language) });

  expect(ids(catalogs, 0, 1, other)).toEqual([1]);
  expect(ids(catalogs, 0, 1, inLanguage(59))).toEqual([1]);
  expect(ids(catalogs, 0, 1, inLanguage(19))).toBeUndefined();
});

const catalogNames = ['listEntityCards', 'listCards', 'listProducts', 'listCurrencies'] as const;

test.each([
  ['createEntityCard', ['listEntityCards', 'listCards']],
  ['createCompany', ['listEntityCards']],
  ['updateCompany', ['listEntityCards']],
  ['createPremium', ['listProducts']],
  ['createCompanyMember', ['listEntityCards', 'listProducts']],
  ['updateUser', ['listEntityCards', 'listProducts']],
  ['createFarmer', []],
  ['createPaymentTransaction', []],
] as const)('%s takes what it may have changed, of its own key alone: %s', (write, changed) => {
  const catalogs = catalogsOf();
  const other = callerOf({ authorization: 'another key' });
  const range = { offset: 0, limit: 1 };
  for (const by of [caller, other]) {
    for (const endpoint of catalogNames) catalogs.set(by, endpoint, range, ...answered(1, [{ id: 1 }]));
  }

  catalogs.invalidate(caller.keyDigest, write);

  const keptFor = (by: Caller) => catalogNames.filter((endpoint) => catalogs.page(by, endpoint, range));
  expect(keptFor(caller)).toEqual(catalogNames.filter((endpoint) => !changed.some((name) => name === endpoint)));
  expect(keptFor(other)).toEqual(catalogNames);
});

test.each(['listFarmers', 'listProductTransactions', 'listPaymentTransactions'] as const)(
  '%s is no catalog',
  (endpoint) => {
    const catalogs = catalogsOf();
    catalogs.set(caller, endpoint, { offset: 0, limit: 1 }, ...answered(1, [{ id: 1 }]));

    expect(catalogs.page(caller, endpoint, { offset: 0, limit: 1 })).toBeUndefined();
  },
);
