import { expect, test } from 'vitest';
import { randomNumbers } from '../../../bench/stub/ids.ts';
import { startGateway } from '../../support/harness.ts';
import { callers, interleave } from './interleave.ts';
import { lengthOf, startMarkingService } from './marking-service.ts';

test('concurrent callers who send the same requests each get their own answers', async () => {
  const random = randomNumbers(1);
  await using service = await startMarkingService(random);
  await using gateway = await startGateway({
    upstreamUrl: service.url,
    settings: { 'cache.lists.ttlMs': '200', 'retries.max': '2', 'retries.baseMs': '2' },
  });
  expect(new Set(callers.map(lengthOf)).size).toBe(callers.length);

  const { wrong, answers, failed, saved } = await interleave(gateway.url, { count: 300, concurrency: 32, random });

  expect(wrong.slice(0, 3)).toEqual([]);
  expect(answers).toBeGreaterThan(250);
  expect(failed).toBeLessThan(answers / 10);
  // Each way to save a call took part.
  expect(saved).toEqual({ cache: expect.any(Number), 'in flight': expect.any(Number), replay: expect.any(Number) });
});
