import { afterEach, expect, test, vi } from 'vitest';
import { startGatedGateway } from '../support/gated-service.ts';
import { page, paths } from '../support/rest-reads.ts';

afterEach(() => vi.restoreAllMocks());

test('a stop gives up the reads that no client waits for', async () => {
  const now = performance.now.bind(performance);
  const gateway = await startGatedGateway({ CATALOG_TTL_MS: '600000', UPSTREAM_READ_TIMEOUT_MS: '120000' });
  await gateway.query('{ cards { count } }');
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 700_000);
  gateway.shut();
  await gateway.query('{ cards { count } }');
  await gateway.untilArrived(2);

  await gateway.close();

  expect(gateway.givenUp).toEqual([page(paths.cards, 1)]);
});
