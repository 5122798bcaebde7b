import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openServiceTime, type ServiceTime } from '../../src/graphql/limits/service-time.ts';
import { ServiceTimeCharge } from '../../src/graphql/limits/service-time-charge.ts';
import { Redis } from '../../src/redis/connection.ts';
import type { Call } from '../../src/upstream/call.ts';
import type { Caller } from '../../src/upstream/caller.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { bearerOf, callerClaims, people } from '../support/tokens.ts';

/** Nothing that a test does takes the service a minute, or fills a bucket meanwhile. */
const callers = { serviceMsPerSecond: 1, burstMs: 100_000 };
const costs = { of: () => ({ callMs: 60_000, rowMs: 0 }), parallelism: 64, inFlight: 0 };
const callerOf = (share: string) => () => ({ share, isUnknown: false }) as Caller;
const remaining = (headers: Headers) => Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

test('an operation that does not fit the time of the service is refused, and answers say what is left', async () => {
  await using gateway = await startFakedGateway({ CORS_ORIGINS: '*' }, { costs, file: { limits: { callers } } });
  const ask = (offset: number, key = 'demo-coop') =>
    gateway.query(
      `{ farmers(offset: ${offset}) { results { id } } }`,
      {},
      { key, headers: { origin: 'https://a.test' } },
    );
  const first = await ask(1);
  expect(first.headers.get('ratelimit-policy')).toBe('"service-time";q=100000;w=100000;qu="service-ms"');
  expect(first.headers.get('access-control-expose-headers')).toContain('ratelimit, ratelimit-policy');
  // The estimate is given back, except for what the call took.
  expect(remaining(first.headers)).toBeGreaterThan(40_000);
  await ask(1, 'demo-buyer');

  gateway.upstream.clear();
  gateway.upstream.hold();
  const running = ask(2);
  await gateway.upstream.untilArrived(1);
  const refused = await ask(3);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(refused).toMatchObject({
    status: 429,
    errors: [{ extensions: { code: 'RATE_LIMITED', retry_after: seconds } }],
  });
  expect(seconds).toBeGreaterThan(10_000);
  expect(refused.errors[0]?.message).toContain('limits.callers.serviceMsPerSecond');
  expect(remaining(refused.headers)).toBeLessThan(60_000);
  const other = ask(4, 'demo-buyer');
  await gateway.upstream.untilArrived(2);
  gateway.upstream.release();
  for (const answer of [await running, await other]) expect(answer.errors).toEqual([]);
  expect((await ask(5)).errors).toEqual([]);
});

test('a refusal counts once, also of a document in the operation cache', async () => {
  await using gateway = await startFakedGateway({}, { costs, file: { limits: { callers } } });
  const ask = (offset: number) => gateway.query('query ($o: Int) { farmers(offset: $o) { count } }', { o: offset });
  for (const offset of [1, 2, 3]) expect((await ask(offset)).errors).toEqual([]);
  gateway.upstream.clear();
  gateway.upstream.hold();
  const running = ask(4);
  await gateway.upstream.untilArrived(1);
  expect((await ask(5)).status).toBe(429);
  expect(valuesOf(await scrape(gateway.url), 'operations_refused_total')).toEqual({ 'service time': 1 });
  gateway.upstream.release();
  await running;
});

test('new keys are not refused because of each other, and each has a bucket once the service accepts it', async () => {
  const keys: Record<string, string[]> = {
    '': ['demo-coop', 'demo-buyer'],
    [callerClaims]: [bearerOf(people.abena), bearerOf(people.maartje)],
  };
  for (const [claims, [one, other]] of Object.entries(keys)) {
    const file = { limits: { callers: { serviceMsPerSecond: 1, burstMs: 60_000 } } };
    const settings: Record<string, string> = claims ? { CALLER_CLAIMS: claims } : {};
    await using gateway = await startGateway({ settings, costs, file, sandbox: { delayMs: 30 } });
    const ask = (key?: string) => gateway.query('{ farmers { count } }', {}, { key: key! });
    for (const answer of await Promise.all([ask(one), ask(other)])) {
      expect(answer.errors).toEqual([]);
      expect(remaining(answer.headers)).toBeLessThan(60_000);
      expect(remaining(answer.headers)).toBeGreaterThan(50_000);
    }
  }
});

test('a list in the cache costs a caller nothing', async () => {
  const file = { limits: { callers }, cache: { lists: { ttlMs: 60_000 } } };
  await using gateway = await startFakedGateway({ 'cache.lists.ttlMs': '60000' }, { costs, file });
  const currencies = () => gateway.query('{ currencies { results { code } } }');
  await currencies();
  gateway.upstream.clear();
  const [one, two] = [await currencies(), await currencies()];
  expect(gateway.upstream.calls).toEqual([]);
  expect(Math.abs(remaining(one.headers) - remaining(two.headers))).toBeLessThan(1_000);
});

test('answers have no headers of limits without limits.callers.serviceMsPerSecond', async () => {
  await using gateway = await startFakedGateway();
  expect((await gateway.query('{ farmers { count } }')).headers.has('ratelimit')).toBe(false);
});

function bucketsOver(redis?: Redis, gateways = 1): ServiceTime {
  const options = { serviceName: 'a service', gateways: () => gateways, onRefused() {} };
  return openServiceTime(callers, redis, options) as ServiceTime;
}

test('an operation that took longer than supposed leaves a debt, which refuses the next one', () => {
  const buckets = bucketsOver();
  const charge = new ServiceTimeCharge(buckets, callerOf('a'));
  charge.admit(10);
  charge.begin({ onWire: { workMs: 150_000 } } as Call);
  charge.settle();
  expect(() => new ServiceTimeCharge(buckets, callerOf('a')).admit(0)).toThrow('has used its time');
  new ServiceTimeCharge(buckets, callerOf('b')).admit(0);
});

test('an operation larger than the bucket runs when the bucket is full', () => {
  const buckets = bucketsOver();
  new ServiceTimeCharge(buckets, callerOf('a')).admit(1_000_000);
  expect(() => new ServiceTimeCharge(buckets, callerOf('a')).admit(1)).toThrow('has used its time');
});

test.skipIf(!hasRedis)('gateways share a bucket over Redis, and go on by themselves while Redis is away', async () => {
  const server = await startRedis();
  const open = () => Redis.open({ url: server.url, timeoutMs: 30_000 }, pino({ level: 'silent' }));
  const [one, two] = [await open(), await open()];
  const [here, there] = [bucketsOver(one, 2), bucketsOver(two, 2)];
  here.take('a', 90_000);
  await expect
    .poll(() => {
      there.take('a', 1);
      return there.left('a');
    })
    .toBeLessThan(10_000);
  await server.close();
  await expect.poll(() => one.isAvailable).toBe(false);
  here.take('b', 30_000);
  expect(here.left('b')).toBeLessThan(70_001);
  for (const redis of [one, two]) redis.close();
});
