import { expect, test } from 'vitest';
import { randomNumbers } from '../../../bench/stub/ids.ts';
import { startGateway } from '../../support/harness.ts';
import { callerClaims } from '../../support/tokens.ts';
import { interleaveTokens } from './interleave-tokens.ts';
import { startTokenService } from './token-service.ts';

test('callers whose tokens change each get their own answers, and each write is made once', async () => {
  const random = randomNumbers(1);
  await using service = await startTokenService(random);
  await using gateway = await startGateway({
    upstreamUrl: service.url,
    settings: {
      CALLER_CLAIMS: callerClaims,
      ME_CLAIM: 'user_id',
      COMPANY_CLAIM: 'session_data.entity_id',
      'cache.lists.ttlMs': '200',
      'retries.max': '2',
      'retries.baseMs': '2',
    },
  });

  const { wrong, answers, failed, saved } = await interleaveTokens(gateway.url, service, {
    count: 600,
    concurrency: 32,
    random,
  });

  expect(wrong.slice(0, 3)).toEqual([]);
  expect(answers).toBe(600);
  expect(failed).toBeLessThan(answers / 4);

  // Each way to save a call took part.
  expect(saved).toEqual({ cache: expect.any(Number), 'in flight': expect.any(Number), replay: expect.any(Number) });
});
