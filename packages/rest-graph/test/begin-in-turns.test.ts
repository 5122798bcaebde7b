import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beginInTurns, readsPerTurn } from '../load/batch.ts';

/** Reads that end when the test says so. */
function openReads() {
  const begun: { key: number; end: () => void; fail: (error: Error) => void }[] = [];
  const read = (key: number) =>
    new Promise<string>((resolve, fail) => {
      begun.push({ key, end: () => resolve(`value ${key}`), fail });
    });
  return { begun, begin: beginInTurns(read) };
}
const keys = Array.from({ length: 2_000 }, (_, key) => key);

test('reads of a page begin at once, and those of more rows in later turns, in which others have theirs', async () => {
  const { begun, begin } = openReads();
  keys.map(begin);
  const counts = [begun.length];
  while (begun.length < 600) {
    await turn();
    counts.push(begun.length);
  }

  expect(counts[0]).toBe(readsPerTurn);
  for (const [index, count] of counts.slice(1).entries()) {
    expect(count - (counts[index] ?? 0)).toBeLessThanOrEqual(readsPerTurn);
  }
  expect(begun.map(({ key }) => key)).toEqual(keys.slice(0, 600));
});

test('no more than 600 reads are under way, and each that ends or fails makes room for one', async () => {
  const { begun, begin } = openReads();
  const values = Promise.allSettled(keys.map(begin));
  let done = 0;
  let most = 0;
  for (; done < keys.length; done += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(done);
    most = Math.max(most, begun.length - done);
    const { key, end, fail } = begun[done] as (typeof begun)[number];
    if (key % 3 === 0) fail(new Error(`error ${key}`));
    else end();
  }

  expect(most).toBeLessThanOrEqual(600);
  expect(await values).toEqual(
    keys.map((key) =>
      key % 3 === 0
        ? { status: 'rejected', reason: new Error(`error ${key}`) }
        : { status: 'fulfilled', value: `value ${key}` },
    ),
  );
});
