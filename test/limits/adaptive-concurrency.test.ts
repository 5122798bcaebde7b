import { describe, expect, test } from 'vitest';
import { AdaptiveConcurrency } from '../../src/upstream/adaptive-concurrency.ts';
import { type LoadOptions, simulateLoad } from '../support/simulated-load.ts';

const seeds = [1, 2, 3, 4, 5];
const spreads = ['none', 'fifth', 'exponential'] as const;

/** A service of 100 calls a second, whose clients wait for a second. */
const load = { workers: 4, callMs: () => 40, patienceMs: 1_000, seconds: 30 };

function sum(counts: readonly number[]): number {
  return counts.reduce((a, b) => a + b, 0);
}

/** The least of all runs: answers in time in these seconds. */
function leastGood(options: Omit<LoadOptions, 'seed'>, from: number, to: number): number {
  return Math.min(...seeds.map((seed) => sum(simulateLoad({ ...options, seed }).good.slice(from, to))));
}

describe.each(spreads)('a service whose calls have the spread %s', (spread) => {
  test.each([1.5, 2, 3])('answers nine tenths of its capacity in time at %s times the load', (factor) => {
    expect(leastGood({ ...load, spread, perSecond: 100 * factor }, 1, 30)).toBeGreaterThanOrEqual(0.9 * 2_900);
  });

  test('loses nothing where it works on hundreds of calls at once', () => {
    const wide = { ...load, workers: 1_000, callMs: () => 60, perSecond: 1_800, seconds: 15 };
    expect(leastGood({ ...wide, spread }, 1, 15)).toBeGreaterThanOrEqual(0.98 * 14 * 1_750);
  });

  test('has work for all its workers, however many they are', () => {
    for (const workers of [1, 2, 8, 32]) {
      const perSecond = 50 * workers;
      const capacity = 20 * 25 * workers;
      expect(leastGood({ ...load, workers, spread, perSecond }, 10, 30)).toBeGreaterThan(0.9 * capacity);
    }
  });
});

test.each(['none', 'fifth'] as const)(
  'a service that slows down tenfold and recovers is found out within 3 s, with the spread %s',
  (spread) => {
    const callMs = (now: number) => (now >= 10_000 && now < 20_000 ? 400 : 40);
    const changing = { ...load, callMs, spread, perSecond: 150 };
    expect(leastGood(changing, 13, 20)).toBeGreaterThanOrEqual(0.85 * 70);
    expect(leastGood(changing, 23, 30)).toBeGreaterThanOrEqual(0.95 * 700);
  },
);

test('there is no limit until calls wait for each other, and few calls are in flight then', () => {
  const options = { ...load, spread: 'fifth', seed: 1 } as const;
  expect(new Set(simulateLoad({ ...options, perSecond: 40 }).limits)).toEqual(new Set([128]));
  const { limits } = simulateLoad({ ...options, perSecond: 200 });
  expect(Math.max(...limits.slice(5))).toBeLessThanOrEqual(16);
});

test('a probe without a good answer is given up', () => {
  const concurrency = new AdaptiveConcurrency(128);
  const learn = (beganAt: number, ms: number, inFlight: number) =>
    concurrency.learn({ endpoint: 'listFarmers', bytes: 500, beganAt, endedAt: beganAt + ms, ms, inFlight });
  learn(0, 40, 1);
  for (let call = 0; concurrency.limit === 128; call += 1) learn(call, 1_000, 20);
  expect(concurrency.limit).toBeLessThan(10);
  for (let call = 0; call < 10; call += 1) concurrency.fail(2_000);
  expect(concurrency.limit).toBe(128);
});
