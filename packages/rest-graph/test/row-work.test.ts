import { expect, test } from 'vitest';
import { RowWork } from '../load/row-work.ts';

test('work on many rows lets others have their turn after each 5,000, and work on few does not', async () => {
  const events: string[] = [];
  const work = new RowWork();
  const step = async (name: string, rows: number) => {
    setImmediate(() => events.push(`others after ${name}`));
    await work.before(rows);
    events.push(name);
  };

  for (const name of ['first', 'second', 'third']) await step(name, 2_500);
  for (const name of ['fourth', 'fifth']) await step(name, 8_000);

  const before = (one: string, other: string) => events.indexOf(one) < events.indexOf(other);
  expect(events.slice(0, 2)).toEqual(['first', 'second']);
  expect(before('others after second', 'third')).toBe(true);
  expect(before('others after third', 'fourth')).toBe(true);
  expect(before('others after fourth', 'fifth')).toBe(true);
});
