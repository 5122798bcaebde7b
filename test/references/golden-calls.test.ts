import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxCost } from '../../src/graphql/limits/max-calls.ts';
import { readGoldenFile, startMeter, writeGoldenFile } from '../support/golden-calls.ts';
import { readyCalls } from '../support/ready-operation.ts';

const sections = readGoldenFile();
const isUpdate = process.env.UPDATE_GOLDEN === '1';
const howToRenew =
  'If this cost is right, renew the file and review its diff: UPDATE_GOLDEN=1 npx vitest run test/references/golden-calls.test.ts';

let meter: Awaited<ReturnType<typeof startMeter>>;
const costs = new Map<string, string>();
beforeAll(async () => {
  meter = await startMeter();
});
afterAll(async () => {
  await meter.close();
  if (isUpdate) writeGoldenFile(costs);
});

test('golden-calls.md holds at least 40 operations with distinct titles', () => {
  expect(sections.length).toBeGreaterThanOrEqual(40);
  expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
});

test.each(sections)('$title', async (section) => {
  const cost = await meter.costOf(section);
  costs.set(section.title, cost);

  const [cold = 0, warm = cold] = [...cost.matchAll(/^(?:cold|warm): (\d+)/gm)].map(([, calls]) => Number(calls));
  expect(warm, 'A warm gateway must not need more calls.').toBeLessThanOrEqual(cold);
  const [, waves = 0] = /in (\d+) wave/.exec(cost) ?? [];
  const most = maxCost(readyCalls(section.document));
  expect(most.calls).toBeGreaterThanOrEqual(cold);
  expect(most.waves).toBeGreaterThanOrEqual(Number(waves));
  if (!isUpdate) expect(cost, howToRenew).toBe(section.cost);
});
