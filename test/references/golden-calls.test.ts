import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, readGoldenFile, startMeter, writeGoldenFile } from '../support/golden-calls.ts';

const sections = readGoldenFile();
const isUpdate = process.env.UPDATE_GOLDEN === '1';
const howToRenew =
  'If these calls are right, renew the file and review its diff: UPDATE_GOLDEN=1 npx vitest run test/references/golden-calls.test.ts';

let meter: Awaited<ReturnType<typeof startMeter>>;
const measured = new Map<string, string>();
beforeAll(async () => {
  meter = await startMeter();
});
afterAll(async () => {
  await meter.close();
  if (isUpdate) writeGoldenFile(measured);
});

test('golden-calls.md holds at least 40 operations with distinct titles', () => {
  expect(sections.length).toBeGreaterThanOrEqual(40);
  expect(new Set(sections.map(({ title }) => title)).size).toBe(sections.length);
});

test.each(sections)('$title', async (section) => {
  const trials = await meter.trialsOf(section);
  const blocks = blocksOf(trials);
  measured.set(section.title, blocks);

  for (const [profile, { cold, warm }] of Object.entries(trials)) {
    // A list of known length may be read in more pages at once.
    if (profile === 'flat') {
      expect(warm.calls.length, 'A warm gateway must not need more calls.').toBeLessThanOrEqual(cold.calls.length);
    }
  }
  if (!isUpdate) expect(blocks, howToRenew).toBe(section.calls);
});
