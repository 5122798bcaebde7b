import { describe, expect, test } from 'vitest';
import { accessPathText } from '../access-path-text.ts';
import { callRows, ticksOf, totalsOf } from '../call-rows.ts';
import type { Choice, SavedRead, UpstreamCall, UpstreamReport } from '../upstream-report.ts';

const farmers = '/supply-chains/farmers/';
const farmer = `${farmers}{hashid}/`;

const call = (values: Partial<UpstreamCall>): UpstreamCall => ({
  ...{ method: 'GET', path: farmers, status: 200, start: 0, ms: 30, queuedMs: 1, workMs: 20 },
  ...{ rows: 1, bytes: 500, reason: 'root', fields: ['farmers'] },
  ...values,
});
const saved = (values: Partial<SavedRead>): SavedRead => ({ ...call({}), by: 'cache', ...values });
const report = (values: Partial<UpstreamReport>): UpstreamReport => ({
  ...{ total: values.calls?.length ?? 0, calls: [], saved: [], choices: [] },
  ...values,
});
const rowsOf = (values: Partial<UpstreamReport>) => callRows(report(values));

describe('a row of the waterfall', () => {
  test.each([
    ['one object', call({ path: farmer, id: 'D2YW477Q65' }), 'farmers', 'D2YW477Q65', `GET ${farmers}D2YW477Q65/`],
    [
      'a page',
      call({ query: { limit: 20, offset: 40 } }),
      'farmers',
      'rows 41–60',
      `GET ${farmers}?limit=20&offset=40`,
    ],
    [
      'one row of a filtered list',
      call({ query: { name: 'Ama', limit: 1, offset: 0 } }),
      'farmers',
      'name=Ama, row 1',
      `GET ${farmers}?name=Ama&limit=1&offset=0`,
    ],
    ['a creation', call({ method: 'POST', id: 'NEW' }), 'POST farmers', 'NEW', `POST ${farmers}`],
    [
      'an upload',
      call({ method: 'PATCH', path: '/transactions/payment-transactions/{hashid}/invoice/', id: 'GSX' }),
      'PATCH invoice',
      'GSX',
      'PATCH /transactions/payment-transactions/GSX/invoice/',
    ],
  ])('names %s', (_what, traced, name, subject, request) => {
    expect(rowsOf({ calls: [traced] })).toMatchObject([{ name, subject, request }]);
  });

  test('marks failures and reads without a call, in the order in which they began', () => {
    const calls = [call({ status: 503 }), call({ status: null, start: 20, retry: 1 }), call({ start: 30 })];
    const shared = saved({ by: 'in flight', start: 10, ms: 5 });

    const rows = rowsOf({ calls, saved: [shared] });

    expect(rows.map(({ start, failure, savedBy, call }) => [start, failure, savedBy, call?.retry])).toEqual([
      [0, '503', undefined, undefined],
      [10, undefined, 'in flight', undefined],
      [20, 'no answer', undefined, 1],
      [30, undefined, undefined, undefined],
    ]);
  });

  test('has the last choice before it that was about its list and its fields', () => {
    const way = { gets: 4, pages: 0, width: 0, ms: 120, workMs: 480 };
    const choice = (values: Partial<Choice>): Choice => ({
      ...{ path: farmers, start: 10, fields: ['Card.farmer'], chosen: way, others: [way] },
      ...values,
    });
    const choices = [
      choice({ start: 5 }),
      choice({}),
      choice({ start: 11, path: '/catalogs/products/' }),
      choice({ start: 12, fields: ['Farmer.parent'] }),
      choice({ start: 13, others: [] }),
      choice({ start: 50 }),
    ];
    const byId = { path: farmer, reason: 'by id', start: 20, fields: ['Card.farmer'] };

    const rows = rowsOf({ calls: [call(byId), call({ ...byId, path: farmers }), call({ start: 20 })], choices });

    expect(rows.map((row) => row.choice?.start)).toEqual([10, 10, undefined]);
  });
});

test('the totals add up the calls, without the reads that cost none', () => {
  const calls = [call({}), call({ status: 503, bytes: 0 }), call({ retry: 1, workMs: 30 })];

  expect(totalsOf(report({ calls, saved: [saved({})] }))).toEqual({
    ...{ calls: 3, retries: 1, failed: 1, saved: 1, workMs: 70, bytes: 1000 },
  });
});

test.each([
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [99, [0, 20, 40, 60, 80]],
  [626, [0, 200, 400, 600]],
  [2290, [0, 500, 1000, 1500, 2000]],
])('an axis of %d ms has round figures', (endMs, ticks) => {
  expect(ticksOf(endMs)).toEqual(ticks);
});

describe('an access path', () => {
  const nothing = { gets: 0, pages: 0, width: 0 };

  test.each([
    ['GETs', { ...nothing, gets: 4, ms: 121, workMs: 484 }, '4 GETs ≈ 120 ms (480 ms of work)'],
    ['one page', { ...nothing, pages: 1, width: 1, ms: 1280, workMs: 1280 }, '1 page ≈ 1.3 s (1.3 s of work)'],
    [
      'calls that wait for the first pages',
      { gets: 2.6, pages: 3, width: 2, ms: 99.9, workMs: 240 },
      '2 pages and then 1 more page and 3 GETs ≈ 100 ms (240 ms of work)',
    ],
  ])('says its %s, time and work', (_what, path, text) => {
    expect(accessPathText(path)).toBe(text);
  });
});
