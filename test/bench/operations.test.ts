import { beforeAll, describe, expect, test } from 'vitest';
import { operationNames } from '../../bench/lib/operations.ts';
import { foreignValues } from './cross-caller.ts';
import { makesExpectedCalls, type Observation, observe } from './observe.ts';

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
    expect(makesExpectedCalls(name, ours[name]!.calls), JSON.stringify(ours[name]?.calls)).toBe(true);
  });
});

test('the gateway gives no caller the data of another', async () => {
  expect(await foreignValues({ rounds: 2, callers: 16 })).toEqual([]);
});
