import { expect, test } from 'vitest';
import { EntityKindCache } from '../../src/loaders/entity-kind-cache.ts';
import { IdentityMap } from '../../src/loaders/identity-map.ts';
import { ListPages } from '../../src/loaders/list-pages.ts';
import type { Filters } from '../../src/loaders/rows-request.ts';
import { callerOf } from '../../src/upstream/caller.ts';
import { ListShifts } from '../../src/upstream/list-shifts.ts';
import { ListSizeCache } from '../../src/upstream/list-size-cache.ts';
import { serviceReads } from '../support/service-reads.ts';

const caller = callerOf({ authorization: 'a key' });

test.each([
  { what: 'a full page', offset: 100, rows: 100, count: 350, known: 350 },
  { what: 'a whole list', offset: 0, rows: 7, count: 7, known: 7 },
  { what: 'an empty list', offset: 0, rows: 0, count: 0, known: 0 },
  { what: 'a page of a service with small pages', offset: 0, rows: 20, count: 350, known: undefined },
  { what: 'the last page of a list', offset: 300, rows: 50, count: 350, known: 350 },
  { what: 'a page past the end', offset: 400, rows: 0, count: 350, known: 350 },
])('$what gives the size of a list: $known', ({ offset, rows, count, known }) => {
  const lengths = new ListSizeCache(new ListShifts());
  lengths.learn(caller, 'listFarmers', { offset, limit: 100 }, { count, rows: Array.from({ length: rows }) });

  expect(lengths.get(caller, 'listFarmers')).toBe(known);
  expect(lengths.get(caller, 'listCards')).toBeUndefined();
  expect(lengths.get(callerOf({ authorization: 'another key' }), 'listFarmers')).toBeUndefined();
});

test('a list unknown for a caller is taken to be as long as the shortest known, until that expires', () => {
  const lengths = new ListSizeCache(new ListShifts());
  const page = { offset: 0, limit: 100 };
  const rows = Array.from({ length: 100 });
  expect(lengths.guess('listFarmers')).toBeUndefined();

  lengths.learn(caller, 'listFarmers', page, { count: 1_700, rows });
  lengths.learn(callerOf({ authorization: 'another key' }), 'listFarmers', page, { count: 1_600, rows });
  const guesses = Array.from({ length: 51 }, () => lengths.guess('listFarmers'));
  expect(guesses).toEqual([...Array.from({ length: 50 }, () => 1_600), undefined]);
  expect(lengths.guess('listCards')).toBeUndefined();

  lengths.learn(caller, 'listFarmers', page, { count: 1_700, rows });
  expect(lengths.guess('listFarmers')).toBe(1_700);
});

test('the count of a filtered list is not the size of the list', async () => {
  const answer = { count: 3, results: [] };
  const pages = new ListPages(
    serviceReads({ read: async () => answer }),
    new IdentityMap(new EntityKindCache().of('caller')),
    { observe() {} },
  );
  const read = (filters: Filters) =>
    pages.page({ endpoint: 'listFarmers', filters, offset: 0, limit: 1, origin: { reason: 'root', fields: () => [] } });

  await read({ first_name: 'Ama' });
  expect(pages.lengthOf('listFarmers')).toEqual({ total: undefined, isCounted: false });

  await read({});
  expect(pages.lengthOf('listFarmers')).toEqual({ total: 3, isCounted: true });
});
