import { expect, test } from 'vitest';
import { fitPages } from '../load/lists/page-fit.ts';

test('pages with a count of billions have their rows in place, among a million', () => {
  const read = (count: number, offset: number, ids: string[], at: number) => ({
    ...{ offset, limit: ids.length, asked: ids.length, askedAt: at, answeredAt: at + 1 },
    page: { count, rows: ids.map((id) => ({ id })) },
  });
  const pages = [read(2 ** 31 - 1, 0, ['a', 'b'], 1), read(2 ** 31 - 1, 2, ['c'], 2)];

  const { rows } = fitPages({ offset: 0, limit: Number.POSITIVE_INFINITY }, pages, { time: undefined, minTie: 0 });

  expect(rows.slice(0, 4)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }, undefined]);
  expect(rows).toHaveLength(1_000_000);
});
