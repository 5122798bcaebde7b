import { expect, test, vi } from 'vitest';
import { randomNumbers } from '../../bench/stub/ids.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { startGateway } from '../support/harness.ts';
import { paths, readRows } from '../support/rest-reads.ts';
import { sendStorm, weather, wrongIn } from './write-storm.ts';

test('the gateway writes each mutation once at most while connections fail, and answers no untruth', async () => {
  const random = randomNumbers(7);
  let way: FaultProxy | undefined;
  const gateway = await startGateway({
    sandbox: { failRate: 0.05 },
    settings: { UPSTREAM_WRITE_TIMEOUT_MS: '150', UPSTREAM_CONNECTIONS: '8' },
    upstreamUrl: async (url) => {
      way = await startFaultProxy(url);
      return way.url;
    },
  });
  way!.set(weather(random));
  const sent = await sendStorm({ url: gateway.url, count: 150, concurrency: 16, random });
  way!.set({});
  // The connections of some of these reads fail too.
  const stored = await vi.waitFor(() => readRows(gateway, paths.farmers), { timeout: 10_000, interval: 1 });
  await gateway.close();
  await way!.close();

  const ends = new Set(sent.map(({ id, code }) => (id ? 'written' : code)));
  expect([...ends]).toEqual(expect.arrayContaining(['written', 'OUTCOME_UNKNOWN']));
  expect(wrongIn(sent, stored)).toEqual([]);
});
