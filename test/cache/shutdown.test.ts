import { expect, test, vi } from 'vitest';
import { startFakedGateway } from '../support/harness.ts';
import { page, paths } from '../support/rest-reads.ts';

test('closing the gateway abandons reads that no client waits for', async () => {
  const now = performance.now.bind(performance);
  const gateway = await startFakedGateway({ 'cache.lists.ttlMs': '600000', 'upstream.timeouts.readMs': '120000' });
  await gateway.query('{ cards { count } }');
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 700_000);
  gateway.upstream.hold();
  await gateway.query('{ cards { count } }');
  await gateway.upstream.untilArrived(2);

  await gateway.close();

  await expect.poll(() => gateway.upstream.abandoned).toEqual([page(paths.cards, 1)]);
});
