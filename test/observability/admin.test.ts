import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startGateway } from '../support/harness.ts';
import { printed, serve } from '../support/own-process.ts';
import { RawConnection } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { twoWorkers } from '../support/worker-connections.ts';

const statusOf = async (url: string) => (await fetch(url)).status;

test('ADMIN_PORT answers health checks and scrapes, and nothing else', async () => {
  await using gateway = await startGateway({ settings: { ADMIN_PORT: '0', 'limits.clients.connections': '100' } });
  const { adminUrl = '' } = gateway;
  const taken = Array.from({ length: 200 }, () => new RawConnection(gateway.url));

  expect(await statusOf(`${adminUrl}/health/live`)).toBe(200);
  await expect.poll(() => statusOf(`${adminUrl}/health/ready`)).toBe(200);
  expect(valuesOf(await scrape(adminUrl), 'operations_in_flight')).toEqual({ '': 0 });
  expect(await statusOf(`${adminUrl}/graphql?query={__typename}`)).toBe(404);
  expect((await fetch(`${adminUrl}/metrics`, { method: 'POST' })).status).toBe(405);
  for (const connection of taken) connection.close();
});

test('PORT has the metrics only without ADMIN_PORT, and health checks always', async () => {
  for (const [settings, status] of [
    [{ ADMIN_PORT: '0' }, 404],
    [{}, 200],
  ] as const) {
    await using gateway = await startGateway({ settings });
    for (const path of ['/metrics', '/metrics?', '/%6Detrics'])
      expect(await statusOf(new URL(path, gateway.url).href)).toBe(status);
    for (const path of ['/health/live', '/health/ready'])
      expect(await statusOf(new URL(path, gateway.url).href)).toBe(200);
  }
});

test('ADMIN_PORT answers while the event loop of the gateway stands still', async () => {
  await using gateway = await startGateway({ settings: { ADMIN_PORT: '0' } });
  expect(await statusOf(`${gateway.adminUrl}/metrics`)).toBe(200);
  const statuses = new Int32Array(new SharedArrayBuffer(12));
  const asking = `
    const { workerData: { url, statuses } } = require('node:worker_threads');
    (async () => {
      statuses[0] = (await fetch(url + '/health/live')).status;
      statuses[1] = (await fetch(url + '/metrics')).status;
      Atomics.store(statuses, 2, 1);
      Atomics.notify(statuses, 2);
    })();`;
  const client = new Worker(asking, { eval: true, workerData: { url: gateway.adminUrl, statuses } });
  // The gateway runs in this thread, which waits here without an event loop.
  Atomics.wait(statuses, 2, 0, 30_000);
  expect([...statuses]).toEqual([200, 200, 1]);
  await client.terminate();
});

test('the primary process answers at ADMIN_PORT for its workers until they have ended', async () => {
  const gateway = await serve({ ...twoWorkers, ADMIN_PORT: '0', 'shutdown.delayMs': '2000' });
  const adminUrl = await printed(gateway, /Health and metrics +(\S+)/);
  expect((await gateway.post('{ farmers { count } }')).status).toBe(200);
  // A worker of a busy machine answers the primary process late.
  await expect.poll(async () => valuesOf(await scrape(adminUrl), 'operations_total')['query ok']).toBe(1);
  expect(await statusOf(`${adminUrl}/health/ready`)).toBe(200);
  expect(await statusOf(new URL('/metrics', gateway.url).href)).toBe(404);

  gateway.child.kill('SIGTERM');
  await expect.poll(() => statusOf(`${adminUrl}/health/ready`)).toBe(503);
  expect(await statusOf(`${adminUrl}/health/live`)).toBe(200);
  expect(await gateway.exit).toBe(0);
});
