import { afterEach, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { summariesOf } from '../support/client.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** Starts a gateway over a fake; `sent` gives the calls since its last use. */
async function startProxied(settings: Record<string, string>) {
  let proxy!: FakeUpstream;
  const logged: string[] = [];
  const gateway = await startGateway({
    settings: { LOG_LEVEL: 'info', ...settings },
    log: (line) => logged.push(line),
    upstreamUrl: async (url) => {
      proxy = await startFakeUpstream({ target: url });
      return proxy.url;
    },
  });
  opened.push(proxy, gateway);
  const sent = () => proxy.requests.splice(0).map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  return { ...gateway, proxy, sent, logged };
}

const farmers = 'GET /supply-chains/farmers/';
const products = 'GET /catalogs/products/';
const posts = 'POST /supply-chains/farmers/';
const retries = { 'retries.max': '2', 'retries.baseMs': '1', 'retries.capMs': '1' };
const codesOf = ({ errors }: Answer) => errors.map(({ extensions: { code, retry_after } }) => ({ code, retry_after }));
const createFarmer = 'mutation { createFarmer(input: { first_name: "Ama" }) { first_name } }';

describe('a caller that the service throttles', () => {
  test('gets RATE_LIMITED without a call until the pause ends, while others are served', async () => {
    const gateway = await startProxied({});
    const clock = stopClock();
    gateway.proxy.respond = () => ({ status: 429, headers: { 'retry-after': '6' }, body: '{}' });
    expect(codesOf(await gateway.query('{ farmers { count } }'))).toEqual([{ code: 'RATE_LIMITED', retry_after: 6 }]);
    expect(gateway.sent()).toEqual([farmers]);
    gateway.proxy.respond = undefined;
    const throttled = { code: 'RATE_LIMITED', retry_after: expect.any(Number) };

    const paused = await gateway.query(`{ farmers { count } products { count } }`, {}, { headers: trace });
    const write = await gateway.query(createFarmer);
    expect(codesOf(paused)).toEqual([throttled, throttled]);
    expect(paused.extensions).toMatchObject({ upstream: { total: 0, calls: [] } });
    expect(codesOf(write)).toEqual([throttled]);
    expect(gateway.sent()).toEqual([]);

    const other = await gateway.query('{ farmers { count } }', {}, { key: 'demo-buyer' });
    expect(other.errors).toEqual([]);
    clock.pass(6_000);
    expect((await gateway.query('{ farmers { count } }')).errors).toEqual([]);
    expect(gateway.sent()).toEqual([farmers, farmers]);
  });

  test('is paused by a 429 of a write too, and no retry waits', async () => {
    const gateway = await startProxied(retries);
    gateway.proxy.respond = () => ({ status: 429, headers: { 'retry-after': '60' }, body: '{}' });
    await gateway.query(createFarmer);
    gateway.proxy.respond = undefined;
    const read = await gateway.query('{ farmers { count } }');
    expect(codesOf(read)).toEqual([{ code: 'RATE_LIMITED', retry_after: expect.any(Number) }]);
    expect(gateway.sent()).toEqual([posts]);
  });
});

const trace = { 'x-trace-upstream': 'true' };
const down = { status: 503, headers: { 'retry-after': '1' }, body: '{}' };
const withBreaker = { 'circuitBreaker.calls': '5', 'circuitBreaker.probeIntervalMs': '60000' };
const unavailable = { code: 'UPSTREAM_UNAVAILABLE', retry_after: 1 };

test('a Retry-After pauses a caller for ten minutes at most', async () => {
  const gateway = await startProxied({});
  gateway.proxy.respond = () => ({ status: 429, headers: { 'retry-after': '99999999' }, body: '{}' });
  await gateway.query('{ farmers { count } }');
  expect(codesOf(await gateway.query('{ farmers { count } }'))).toEqual([{ code: 'RATE_LIMITED', retry_after: 600 }]);
});

describe('the circuit of an endpoint', () => {
  const list = '{ farmers { count } }';

  test('opens after failures, while other endpoints are called', async () => {
    const gateway = await startProxied(withBreaker);
    gateway.proxy.respond = ({ path }) => (path.startsWith('/supply-chains/farmers/') ? down : undefined);
    for (let asked = 0; asked < 5; asked += 1) await gateway.query(list);
    expect(gateway.sent()).toEqual(Array(5).fill(farmers));

    const answer = await gateway.query(`{ farmers { count } products { count } }`, {}, { headers: trace });

    expect(answer.data).toEqual({ farmers: null, products: { count: expect.any(Number) } });
    expect(summariesOf(answer)).toEqual([
      { path: ['farmers'], code: 'UPSTREAM_UNAVAILABLE', retryable: true, retry_after: 1 },
    ]);
    expect(answer.extensions).toMatchObject({ upstream: { total: 1, calls: [{ path: '/catalogs/products/' }] } });
    expect(gateway.sent()).toEqual([products]);
    const samples = await scrape(gateway.url);
    expect(valuesOf(samples, 'upstream_not_sent_total')).toEqual({ 'listFarmers UPSTREAM_UNAVAILABLE': 1 });
    expect(valuesOf(samples, 'upstream_circuit_open')).toMatchObject({ listFarmers: 1, listProducts: 0 });
    expect(valuesOf(samples, 'upstream_calls_in_flight')).toEqual({ '': 0 });
  });

  test('stays closed while one of five calls is answered, if only with status 500', async () => {
    const gateway = await startProxied(withBreaker);
    let asked = 0;
    gateway.proxy.respond = () => (asked++ % 5 === 4 ? { status: 500, body: '{}' } : down);
    for (let count = 0; count < 20; count += 1) await gateway.query('{ user(id: "A") { email } }');
    expect(gateway.sent()).toHaveLength(20);
  });

  test('opens to the caller alone whose ids make the service fail', async () => {
    const gateway = await startProxied(withBreaker);
    gateway.proxy.respond = ({ path }) => (path.includes('Broken') ? down : undefined);
    const ask = (id: string, key: string) => gateway.query(`{ user(id: "${id}") { email } }`, {}, { key });
    for (let asked = 0; asked < 10; asked += 1) await ask(`Broken${asked}`, 'made up');
    expect(gateway.sent()).toHaveLength(5);

    expect((await ask('AAAAAAAAAA', 'demo-coop')).errors.map(({ extensions }) => extensions.code)).toEqual([
      'NOT_FOUND',
    ]);
    expect(gateway.sent()).toHaveLength(1);
  });

  test('closes with all other circuits when one endpoint recovers', async () => {
    const gateway = await startProxied({ ...withBreaker, 'circuitBreaker.probeIntervalMs': '1' });
    gateway.proxy.respond = () => down;
    for (let asked = 0; asked < 5; asked += 1) {
      await gateway.query('{ farmers { count } products { count } user(id: "A") { email } }');
    }
    const lines = () =>
      gateway.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('The service'));
    expect(lines()).toHaveLength(3);
    expect(lines()).toContainEqual(expect.objectContaining({ endpoint: 'getUser', upstream_status: 503 }));
    gateway.proxy.respond = undefined;

    const document = '{ farmers(limit: 20) { results { creator { email } } } }';
    await expect.poll(async () => (await gateway.query(document)).errors).toEqual([]);
    expect(lines()[3]).toMatchObject({ msg: 'The service answers again' });
    expect((await gateway.query(document)).calls.length).toBeGreaterThan(2);
  });

  test('stops writes too, and says that nothing was sent', async () => {
    const gateway = await startProxied(withBreaker);
    gateway.proxy.respond = () => ({ status: 502, body: '' });
    for (let asked = 0; asked < 5; asked += 1) {
      expect(codesOf(await gateway.query(createFarmer))).toEqual([{ code: 'OUTCOME_UNKNOWN' }]);
    }
    gateway.proxy.respond = undefined;

    const write = await gateway.query(createFarmer);

    expect(codesOf(write)).toEqual([unavailable]);
    expect(write.errors[0]?.message).toContain('nothing is sent');
    expect(gateway.sent()).toEqual(Array(5).fill(posts));
  });

  test('closes when a write succeeds', async () => {
    const gateway = await startProxied({ ...withBreaker, 'circuitBreaker.probeIntervalMs': '1' });
    gateway.proxy.respond = () => ({ status: 502, body: '' });
    for (let asked = 0; asked < 5; asked += 1) await gateway.query(createFarmer);
    gateway.proxy.respond = undefined;
    await expect.poll(async () => (await gateway.query(createFarmer)).errors).toEqual([]);
    expect((await gateway.query(createFarmer)).errors).toEqual([]);
  });

  test('stops retries when it opens', async () => {
    const gateway = await startProxied({ ...withBreaker, ...retries });
    gateway.proxy.respond = () => ({ status: 502, body: '' });
    for (let asked = 0; asked < 10; asked += 1) await gateway.query(list);
    expect(gateway.sent()).toHaveLength(5);
  });
});

describe('connections', () => {
  /** Starts a service that answers reads of users only when the test says so. */
  async function startSlow(settings: Record<string, string>) {
    const upstream = await startFakeUpstream();
    const gateway = await startGateway({ upstreamUrl: upstream.url, settings });
    opened.push(upstream, gateway);
    const asked = () => upstream.requests.map(({ path }) => /users\/(.*)\/$/.exec(path)?.[1]);
    const arrived = (count: number) => expect.poll(asked).toHaveLength(count);
    const gauge = async (name: string) => valuesOf(await scrape(gateway.url), `upstream_calls_${name}`)[''];
    const waiting = (count: number) => expect.poll(() => gauge('waiting')).toBe(count);
    const inFlight = (count: number) => expect.poll(() => gauge('in_flight')).toBe(count);
    /** Reads several users at once: `a0`, `a1`, … */
    const ask = (name: string, count: number, signal: AbortSignal | null = null) => {
      const fields = Array.from({ length: count }, (_, index) => `f${index}: user(id: "${name}${index}") { email }`);
      return gateway.post(`{ ${fields.join(' ')} }`, { key: name, ...(signal && { signal }) });
    };
    const answer = (index: number) => upstream.requests[index]?.reply({ body: '{"id":"x","email":"x@example.org"}' });
    // The service has accepted the keys, so that each is a caller of its own.
    for (const name of ['a', 'b', 'c']) {
      const known = ask(name, 1);
      await arrived(1);
      answer(0);
      await known;
      upstream.clear();
    }
    return { gateway, asked, arrived, waiting, inFlight, ask, answer };
  }

  test('go to waiting callers in turn, however many calls each has', async () => {
    const { asked, arrived, waiting, ask, answer } = await startSlow({ 'upstream.connections': '2' });
    const all = [ask('a', 5)];
    await arrived(2);
    all.push(ask('b', 2));
    await waiting(5);
    all.push(ask('c', 1));
    await waiting(6);

    for (let index = 0; index < 8; index += 1) {
      await arrived(Math.min(8, index + 2));
      answer(index);
    }

    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked()).toEqual(['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'b1', 'a4']);
  });

  test('are bounded for each caller', async () => {
    const { asked, arrived, ask, answer } = await startSlow({
      'upstream.connections': '3',
      'upstream.connectionsPerCaller': '2',
    });
    const greedy = ask('a', 4);
    await arrived(2);
    const other = ask('b', 1);
    await arrived(3);
    expect(asked()).toEqual(['a0', 'a1', 'b0']);

    answer(2);
    expect((await other).status).toBe(200);
    for (const index of [0, 1, 3, 4]) {
      await arrived(Math.min(5, index + 3));
      answer(index);
    }
    expect((await greedy).status).toBe(200);
    expect(asked()).toEqual(['a0', 'a1', 'b0', 'a2', 'a3']);
  });

  test('are not awaited by reads and writes whose client has left', async () => {
    const { gateway, asked, arrived, waiting, inFlight, ask, answer } = await startSlow({
      'upstream.connections': '1',
    });
    const first = ask('a', 1);
    await arrived(1);
    const leaving = new AbortController();
    const left = ask('b', 3, leaving.signal);
    const write = gateway.post(createFarmer, { key: 'b', signal: leaving.signal });
    await waiting(4);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect(write).rejects.toThrow();
    await inFlight(1);
    const last = ask('c', 1);
    await waiting(1);

    answer(0);
    expect((await first).status).toBe(200);
    await arrived(2);
    answer(1);
    expect((await last).status).toBe(200);
    expect(asked()).toEqual(['a0', 'c0']);
  });
});
