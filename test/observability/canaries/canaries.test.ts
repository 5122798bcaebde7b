import { expect, test } from 'vitest';
import { errorCodes } from '../../../packages/base/errors/codes.ts';
import { startGateway } from '../../support/harness.ts';
import { huntCanaries } from './hunt.ts';
import { startQuotingRedis } from './service.ts';
import { canaries, canariesIn, host } from './values.ts';

test('canariesIn finds a value in any encoding', () => {
  const { email } = canaries;
  const texts = [
    email,
    JSON.stringify({ email }),
    encodeURIComponent(email),
    btoa(`a${email}`),
    btoa(`Bearer ${email}`),
  ];
  expect(texts.map((text) => canariesIn('here', text).map(({ canary }) => canary))).toEqual(texts.map(() => ['email']));
});

test('no failure shows private values in answers, logs, metrics or exports', async () => {
  const { found, errorAnswers, codes, logLines, exportedBytes } = await huntCanaries(13);

  expect(found).toEqual([]);
  expect(errorAnswers).toBeGreaterThan(150);
  expect(logLines.length).toBeGreaterThan(20);
  expect(exportedBytes).toBeGreaterThan(100_000);
  const unmet = Object.keys(errorCodes).filter((code) => !(code in codes));
  expect(unmet).toEqual(['OVERLOADED']);
});

test('a Redis that refuses its password stops the start without showing the password', async () => {
  const redis = await startQuotingRedis();
  const REDIS_URL = `redis://graphql-gateway:${canaries.redisPassword}@${host}:${redis.port}`;

  const started = startGateway({ settings: { REDIS_URL } });

  await expect(started).rejects.toThrow(/^REDIS_URL cannot be reached at [\w.:]+: \w+\. No gateway starts/);
  redis.close();
});
