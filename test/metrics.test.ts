import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './harness.ts';
import { serve } from './own-process.ts';
import { startProxy, type UpstreamProxy } from './proxy.ts';
import { readmeTable } from './readme.ts';
import { knownIds } from './rest.ts';
import { type Sample, scrape } from './scrape.ts';
import { ask, connect, twoWorkers } from './worker-connections.ts';

/** The calls of the service, like `getFarmer 404`: how many. */
function callsIn(samples: Sample[]): Record<string, number> {
  const calls = samples.filter(({ name }) => name === 'gateway_upstream_calls_total');
  return Object.fromEntries(calls.map(({ labels: { operation, status }, value }) => [`${operation} ${status}`, value]));
}

describe('a scrape', () => {
  let world: Gateway;
  let proxy: UpstreamProxy;
  let gateway: Gateway;
  beforeAll(async () => {
    world = await startGateway();
    proxy = await startProxy(world.sandbox.url);
    gateway = await startGateway({ upstreamUrl: proxy.url });
  });
  afterAll(async () => {
    await gateway.close();
    await proxy.close();
    await world.close();
  });

  test('counts the calls of the service by operation and status', async () => {
    expect(await scrape(gateway.url)).toEqual([]);
    const { farmer } = await knownIds(world.sandbox);
    proxy.intercept = ({ path }) => (path.startsWith('/catalogs/connect-cards/') ? 'reset' : undefined);
    await gateway.query('query ($id: ID!) { farmer(id: $id) { gender } }', { id: farmer });
    for (const id of ['A', 'B']) await gateway.query('query ($id: ID!) { farmer(id: $id) { id gender } }', { id });
    await gateway.query('mutation { createPremium(input: { name: "Organic" }) { id } }');
    await gateway.query('{ cards { count } }');

    expect(callsIn(await scrape(gateway.url))).toEqual({
      'getFarmer 200': 1,
      'getFarmer 404': 2,
      'createPremium 201': 1,
      'listCards none': 1,
    });
  });

  test('tells how the process fares', async () => {
    const names = (await scrape(gateway.url, '')).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_seconds',
      ]),
    );
  });

  test('needs no key, shows none, and can be asked for by HEAD', async () => {
    const url = new URL('/metrics', gateway.url);
    const text = await (await fetch(url)).text();
    expect(text).not.toMatch(/demo-coop|127\.0\.0\.1/);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  test('gives what the README lists', async () => {
    const text = await (await fetch(new URL('/metrics', gateway.url))).text();
    const declared = [...text.matchAll(/^# TYPE (gateway_\w+)/gm)].map(([, name]) => name);
    expect(readmeTable('metric').map(([name = '']) => /`(\w+)/.exec(name)?.[1])).toEqual(declared);
  });
});

test('a scrape gives the sum over all workers, whichever answers it', async () => {
  const gateway = await serve(twoWorkers);
  const connections = [await connect(gateway.url), await connect(gateway.url)];
  for (const connection of connections) await ask(connection, '{ farmers(limit: 1) { count } }');
  const scrapes = await Promise.all([scrape(gateway.url), scrape(gateway.url)]);
  expect(scrapes.map(callsIn)).toEqual(Array(2).fill({ 'listFarmers 200': 2 }));
});
