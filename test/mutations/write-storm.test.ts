import { expect, test, vi } from 'vitest';
import { randomNumbers } from '../../bench/stub/ids.ts';
import { type StoredRows, sendPushes, storedIn, wrongPushesIn } from '../../packages/push/test/push-storm.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { paths, readRows } from '../support/rest-reads.ts';
import { sendStorm, weather, wrongIn } from './write-storm.ts';

test('the gateway writes each mutation once at most while connections fail, and answers no untruth', async () => {
  const random = randomNumbers(7);
  const { gateway, way } = await startInStorm(random);
  const sent = await sendStorm({ url: gateway.url, count: 150, concurrency: 16, random });
  way.set({});
  const stored = await rowsOf(gateway, paths.farmers);
  await gateway.close();
  await way.close();

  const ends = new Set(sent.map(({ id, code }) => (id ? 'written' : code)));
  expect([...ends]).toEqual(expect.arrayContaining(['written', 'OUTCOME_UNKNOWN']));
  expect(wrongIn(sent, stored)).toEqual([]);
});

test('the gateway makes each write of a push once at most while connections fail, and answers no untruth', async () => {
  const random = randomNumbers(8);
  const { gateway, way } = await startInStorm(random);
  const pushed = await sendPushes({ url: gateway.url, count: 16, concurrency: 8, random });
  way.set({});
  const stored = Object.fromEntries(
    await Promise.all(
      Object.entries(storedIn).map(async ([endpoint, path]) => [endpoint, await rowsOf(gateway, path)]),
    ),
  ) as StoredRows;
  await gateway.close();
  await way.close();

  const ends = new Set(pushed.map(({ status, ids }) => (ids.size > 0 ? 'made' : status)));
  expect([...ends]).toEqual(expect.arrayContaining(['made', 'UNKNOWN', 'NOT_TRIED']));
  expect(wrongPushesIn(pushed, stored)).toEqual([]);
});

/** Starts a gateway whose connections to the service fail. */
async function startInStorm(random: () => number): Promise<{ gateway: Gateway; way: FaultProxy }> {
  let way!: FaultProxy;
  const gateway = await startGateway({
    sandbox: { failRate: 0.05 },
    // Long enough for a busy machine to end writes that do not stall.
    settings: { 'upstream.timeouts.writeMs': '2000', 'upstream.connections': '8' },
    upstreamUrl: async (url) => {
      way = await startFaultProxy(url);
      return way.url;
    },
  });
  way.set(weather(random));
  return { gateway, way };
}

/** The sandbox fails some of these reads too. */
function rowsOf(gateway: Gateway, path: string) {
  return vi.waitFor(() => readRows(gateway, path), { timeout: 60_000, interval: 1 });
}
