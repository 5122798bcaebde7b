import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

/** The time of a read, by a clock that stands until the test lets it pass. The timer that looks at it is short. */
const readMs = 200;
let clock: ReturnType<typeof stopClock>;
let proxy: FaultProxy;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    settings: { 'upstream.timeouts.readMs': String(readMs) },
    upstreamUrl: async (sandboxUrl) => {
      proxy = await startFaultProxy(sandboxUrl);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await proxy.close();
});
beforeEach(() => {
  clock = stopClock();
  proxy.set({});
});

const codeOf = async () => (await gateway.query('{ currencies { count } }')).errors[0]?.extensions.code;

test('the fault proxy passes everything on without faults', async () => {
  const { opened, passed } = proxy;
  const before = passed.answer;
  expect(await codeOf()).toBeUndefined();
  expect(proxy.passed.answer).toBeGreaterThan(before + 100);
  expect(proxy.opened).toBeLessThanOrEqual(opened + 1);
});

test('the fault proxy slows both directions down', async () => {
  proxy.set({ request: { latency: 10, bytesPerSecond: 20_000 }, answer: { latency: 10, bytesPerSecond: 20_000 } });
  expect(await codeOf()).toBeUndefined();
});

test.each([
  ['resets on the request', { request: { resetAfter: 10 } }, 'UPSTREAM_UNAVAILABLE'],
  ['resets in the answer', { answer: { resetAfter: 200 } }, 'UPSTREAM_UNAVAILABLE'],
  ['cuts the answer off', { answer: { endAfter: 200 } }, 'UPSTREAM_UNAVAILABLE'],
  ['stalls the answer', { answer: { stallAfter: 200 } }, 'UPSTREAM_TIMEOUT'],
  ['stalls the request', { request: { stallAfter: 10 } }, 'UPSTREAM_TIMEOUT'],
])('the fault proxy %s', async (_case, faults, code) => {
  proxy.set(faults);
  const ended = codeOf();
  if (code === 'UPSTREAM_TIMEOUT') {
    await expect.poll(async () => valuesOf(await scrape(gateway.url), 'upstream_calls_in_flight')['']).toBe(1);
    clock.pass(readMs);
  }
  expect(await ended).toBe(code);
  proxy.set({});
  expect(await codeOf()).toBeUndefined();
  await expect.poll(() => proxy.open).toBeLessThanOrEqual(1);
});

test('the fault proxy applies faults to single connections', async () => {
  expect(await codeOf()).toBeUndefined();
  const next = proxy.opened + 1;
  proxy.set((connection) => (connection < next ? { request: { resetAfter: 0 } } : {}));
  expect([await codeOf(), await codeOf()]).toEqual(['UPSTREAM_UNAVAILABLE', undefined]);
  expect(proxy.opened).toBe(next);
});
