import { expect, test } from 'vitest';
import {
  type AccessPath,
  type PlanSetting,
  planRange,
  planSearch,
  type RangeToRead,
  type Search,
} from '../plan/planner.ts';

const farmers = { callMs: 30, rowMs: 6 };
const transactions = { callMs: 30, rowMs: 12.5 };
const freeRows = { callMs: 50, rowMs: 0 };

const service: Omit<PlanSetting, 'list'> = { pageSize: 100, parallelism: 4, callsLeft: 500 };
const search: Omit<Search, 'keys'> = {
  ...{ ...service, list: farmers, getMs: 30, unread: 240 },
  ...{ rowsOfWave: 0, nextPageShare: 0, maxPages: 16 },
};
const range: Omit<RangeToRead, 'rows'> = {
  ...{ ...service, list: transactions },
  ...{ isCounted: true, hasReferences: false, shiftShare: 0, changesPerMs: 0 },
};

const searches: [what: string, given: Partial<Search> & { keys: number }, chosen: Partial<AccessPath>][] = [
  ['a few objects by id', { keys: 4 }, { gets: 4, pages: 0 }],
  ['many objects of a short list in pages', { keys: 80 }, { gets: 0, width: 3 }],
  ['objects by id where rows are dear', { keys: 40, list: transactions }, { gets: 40, pages: 0 }],
  [
    'a few objects in a page where rows are free',
    { keys: 4, list: freeRows, getMs: 50, unread: 80 },
    { gets: 0, pages: 1 },
  ],
  ['one object by id though rows are free', { keys: 1, list: freeRows, getMs: 50 }, { gets: 1, pages: 0 }],
  ['cheap objects in pages where GETs exceed the budget', { keys: 10, callsLeft: 9 }, { width: 3 }],
  [
    'objects in a first page where GETs exceed the budget and the length is unknown',
    { keys: 10, callsLeft: 9, unread: undefined },
    { width: 1 },
  ],
  ['objects by id where pages exceed the budget too', { keys: 10, callsLeft: 2 }, { gets: 10, pages: 0 }],
  [
    'objects without a GET by id in a list that claims to have billions of rows',
    { keys: 3, getMs: undefined, unread: 2 ** 31 - 1, pageSize: 1 },
    { gets: 0 },
  ],
  ['objects in no more pages than it may read', { keys: 80, maxPages: 2 }, { pages: 2 }],
  [
    'many objects of a long list by id where the service has room for all calls',
    { keys: 100, list: freeRows, getMs: 50, unread: 1_600, scarce: 'nothing' },
    { gets: 100, pages: 0 },
  ],
  [
    'the same in pages where calls wait for each other',
    { keys: 100, list: freeRows, getMs: 50, unread: 1_600 },
    { gets: 0, pages: 16 },
  ],
  [
    'objects in the fewest calls where the gateway has more to do than it can',
    { keys: 60, list: freeRows, getMs: 50, unread: 200, scarce: 'gateway' },
    { gets: 0, pages: 2 },
  ],
  [
    'objects by id where the service answers at once, so that the gateway has most of the work',
    { keys: 80, list: { callMs: 0.13, rowMs: 0.008 }, getMs: 0.25, unread: 1_600, parallelism: 2 },
    { gets: 80, pages: 0 },
  ],
  ['objects of a list without pages in one call', { keys: 80, unpaged: true }, { gets: 0, pages: 1, width: 1 }],
  [
    'the few objects by id that pages on their way probably lack',
    { keys: 4, list: freeRows, getMs: 50, unread: 500, maxPages: 3, coming: 400 },
    { gets: expect.closeTo(0.8), pages: 0 },
  ],
  [
    'all objects by id where few rows are on their way',
    { keys: 4, list: freeRows, getMs: 50, unread: 500, maxPages: 3, coming: 50 },
    { gets: 4, pages: 0 },
  ],
  [
    'all objects by id at once where the service has room for all calls',
    { keys: 4, list: freeRows, getMs: 50, unread: 500, maxPages: 3, coming: 400, scarce: 'nothing' },
    { gets: 4, pages: 0 },
  ],
  ['objects without a GET in pages', { keys: 1, getMs: undefined }, { gets: 0 }],
];
test.each(searches)('a search finds %s', (_what, given, chosen) => {
  expect(planSearch({ ...search, ...given }).chosen).toMatchObject(chosen);
});

const ranges: [what: string, given: Partial<RangeToRead> & { rows: number }, chosen: Partial<AccessPath>][] = [
  ['one page of few rows', { rows: 20 }, { pages: 1, size: 100 }],
  ['one call of a list without pages', { rows: 1_000, unpaged: true }, { pages: 1, width: 1 }],
  ['pages side by side for dear rows', { rows: 100 }, { pages: 4, width: 4, size: 25 }],
  [
    'the first page alone in a list of unknown length',
    { rows: 100, isCounted: false },
    { pages: 4, width: 1, size: 25 },
  ],
  [
    'pages side by side of a list of unknown length whose cost is only supposed',
    { rows: 100, isCounted: false, list: { ...transactions, isSupposed: true } },
    { pages: 4, width: 4, size: 25 },
  ],
  [
    'some pages of a long range first, if the list may be short',
    { rows: 1_000, isCounted: false, list: { ...freeRows, isSupposed: true } },
    { pages: 10, width: 4, size: 100 },
  ],
  [
    'the first page alone of a list that may be short, whatever is supposed',
    { rows: 100, isCounted: false, mayBeShort: true, list: { ...transactions, isSupposed: true } },
    { pages: 4, width: 1, size: 25 },
  ],
  ['one page of free rows', { rows: 100, list: freeRows }, { pages: 1 }],
  ['one page where the service works on one call at a time', { rows: 100, parallelism: 1 }, { pages: 1 }],
  ['one page where smaller ones did not fit together', { rows: 100, shiftShare: 1 }, { pages: 1 }],
  ['one page of a list to which ten rows a second come', { rows: 100, changesPerMs: 0.01 }, { pages: 1 }],
  ['pages side by side of a list to which a row comes in ten seconds', { rows: 100, changesPerMs: 1e-4 }, { pages: 4 }],
  ['fewer pages for a small budget', { rows: 100, callsLeft: 2 }, { pages: 2 }],
  ['full pages of a long range', { rows: 500, list: freeRows }, { pages: 5, width: 5, size: 100 }],
];
test.each(ranges)('a range is read in %s', (_what, given, chosen) => {
  expect(planRange({ ...range, ...given }).chosen).toMatchObject(chosen);
});

test('a choice names the fastest of the other ways, and the one with the least work', () => {
  const { chosen, others } = planSearch({ ...search, keys: 40, list: transactions });

  expect(chosen).toMatchObject({ gets: 40, ms: 300, workMs: 1200 });
  expect(others).toMatchObject([{ pages: 4 }, { pages: 1 }]);
});
