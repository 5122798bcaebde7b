import { expect, it } from 'vitest';
import { EndpointCost } from '../endpoint-cost.ts';

/** The variances of an answer to a call by itself, and to one among many. */
const alone = 0.04;
const among = 1;

/** Rows of a page, the time that the service worked on it, and the variance of that time. */
type Page = readonly [rows: number, workMs: number, noise: number];

function learnt(start: { callMs: number; rowMs: number }, pages: readonly Page[]): EndpointCost {
  const cost = new EndpointCost(start, true);
  for (const [rows, workMs, noise] of pages) cost.observe({ calls: 1, rows, workMs }, noise);
  return cost;
}

it('pages of 5, 20 and 50 rows that take the same time show that rows are free', () => {
  const { callMs, rowMs } = learnt({ callMs: 20.3, rowMs: 3.2 }, [
    [5, 24.9, among],
    [20, 24.4, alone],
    [50, 25.8, alone],
  ]);

  expect(callMs).toBeGreaterThan(12);
  expect(callMs).toBeLessThan(40);
  expect(rowMs).toBeLessThan(0.5);
});

it('longer pages that take no longer show that rows are free, after a first answer that said little', () => {
  const { callMs, rowMs } = learnt({ callMs: 50, rowMs: 6 }, [
    [5, 8.8, 0.944],
    [20, 8.65, alone],
    [50, 8.82, alone],
  ]);

  expect(callMs).toBeGreaterThan(7);
  expect(rowMs).toBeLessThan(0.1);
});

it('a call that seemed free is found to cost all of the time, by pages of different lengths', () => {
  const rows = [3, 3, 13, 1, 20];
  const pages = Array.from({ length: 50 }, (_, index) => [rows[index % rows.length]!, 20, alone] as const);

  const { callMs, rowMs } = learnt({ callMs: 0.15, rowMs: 5 }, pages);

  expect(callMs).toBeGreaterThan(15);
  expect(rowMs).toBeLessThan(0.3);
});

it('rows that cost all of the time are found to do so, by pages of different lengths', () => {
  const rows = [3, 3, 13, 1, 20];
  const pages = Array.from(
    { length: 50 },
    (_, index) => [rows[index % rows.length]!, 5 * rows[index % rows.length]!, alone] as const,
  );

  const { callMs, rowMs } = learnt({ callMs: 20, rowMs: 0.05 }, pages);

  expect(callMs).toBeLessThan(1.5);
  expect(rowMs).toBeGreaterThan(4);
});

it('rows are blamed for long pages of one length, until a shorter page takes as long', () => {
  const long = Array.from({ length: 5 }, () => [100, 1_136, alone] as const);
  // The planner splits a page only where that adds at most a tenth to the work.
  const most = 0.1 * 1_136;

  expect(learnt({ callMs: 33, rowMs: 0.13 }, long).callMs).toBeLessThan(most);
  expect(learnt({ callMs: 33, rowMs: 0.13 }, [...long, [50, 1_136, alone]]).callMs).toBeGreaterThan(most);
});
