import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

let proxy: FaultProxy;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    settings: { 'upstream.timeouts.readMs': '1000' },
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
beforeEach(() => proxy.set({}));

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
  expect(await codeOf()).toBe(code);
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
