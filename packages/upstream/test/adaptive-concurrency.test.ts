import { describe, expect, test } from 'vitest';
import { AdaptiveConcurrency } from '../adaptive-concurrency.ts';
import { type LoadOptions, simulateLoad } from './simulated-load.ts';

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
  expect(Math.max(...limits.slice(5))).toBeLessThanOrEqual(24);
});

test.each([40, 400])('clients that wait for calls of %i ms keep all workers busy', (callMs) => {
  const waiting = {
    ...load,
    perSecond: 0,
    clients: 64,
    callMs: () => callMs,
    patienceMs: 60_000,
    spread: 'none',
  } as const;
  expect(leastGood(waiting, 4, 30)).toBeGreaterThanOrEqual((0.98 * 26 * 4_000) / callMs);
});

test('a busy event loop is no reason for a limit', () => {
  const concurrency = new AdaptiveConcurrency(128, () => 1);
  for (let call = 0; call < 200; call += 1) {
    concurrency.begin(call);
    const ms = call < 4 ? 1 : 1_000;
    concurrency.end(call + 10, { endpoint: 'listFarmers', bytes: 500, ahead: call < 4 ? 0 : 20, ms });
  }
  expect(concurrency.limit).toBe(128);
});
