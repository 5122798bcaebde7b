import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomNumbers } from '../../bench/stub/ids.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { lengthOf, type MarkingService, startMarkingService } from '../support/marking-service.ts';
import { callers, interleave } from '../support/two-callers.ts';

const random = randomNumbers(1);
let service: MarkingService;
let gateway: Gateway;
beforeAll(async () => {
  service = await startMarkingService(random);
  gateway = await startGateway({
    upstreamUrl: service.url,
    settings: { CATALOG_TTL_MS: '200', UPSTREAM_RETRIES: '2', UPSTREAM_RETRY_BASE_MS: '2' },
  });
});
afterAll(async () => {
  await gateway?.close();
  await service?.close();
});

test('callers who ask for the same at the same time, in the same words, are each told what is theirs', async () => {
  expect(new Set(callers.map(lengthOf)).size).toBe(callers.length);

  const { wrong, answers, failed, saved } = await interleave(gateway.url, { count: 300, concurrency: 32, random });

  expect(wrong.slice(0, 3)).toEqual([]);
  expect(answers).toBeGreaterThan(250);
  expect(failed).toBeLessThan(answers / 10);
  // All ways to save a call were gone.
  expect(saved).toEqual({ cache: expect.any(Number), 'in flight': expect.any(Number), replay: expect.any(Number) });
});
