import { beforeAll, describe, expect, test } from 'vitest';
import { operationNames } from '../../bench/lib/operations.ts';
import { expectedCalls, foreignValuesOfOurs, type Observation, observe } from '../../bench/smoke.ts';

describe('the operations of the benchmark', () => {
  let floor: Record<string, Observation>;
  let ours: Record<string, Observation>;

  beforeAll(async () => {
    [floor, ours] = await Promise.all([observe('floor'), observe('ours')]);
  });

  test.each(operationNames)('%s gives the answer of the floor', (name) => {
    expect(ours[name]?.answer).toEqual(floor[name]?.answer);
    expect(ours[name]?.answer).toHaveProperty('data');
    expect(ours[name]?.answer).not.toHaveProperty('errors');
  });

  test.each(operationNames)('%s makes the expected upstream calls', (name) => {
    const { lists, gets } = byKind(ours[name]?.calls);
    const expected = byKind(expectedCalls[name]);
    expect(gets).toEqual(expected.gets);
    expect(Object.keys(lists)).toEqual(Object.keys(expected.lists));
    // A page of dear rows is read as several at once.
    for (const [path, pages] of Object.entries(lists)) {
      expect(pages, path).toBeGreaterThanOrEqual(expected.lists[path]!);
      expect(pages, path).toBeLessThanOrEqual(8 * expected.lists[path]!);
    }
  });
});

function byKind(calls: Record<string, number> = {}) {
  const isList = ([path]: [string, number]) => path.startsWith('list ');
  const entries = Object.entries(calls).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lists: Record<string, number> = Object.fromEntries(entries.filter(isList));
  return { lists, gets: Object.fromEntries(entries.filter((entry) => !isList(entry))) };
}

test('the gateway gives no caller the data of another', async () => {
  expect(await foreignValuesOfOurs()).toEqual([]);
});
