import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../../packages/base/callers/caller.ts';
import { type Sandbox, startSandbox } from '../../packages/sandbox/server.ts';
import { codesOf } from '../support/client.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { linkedCarriers } from '../support/linked-carriers.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { page, paths, writeRest } from '../support/rest-reads.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { bearerOf, people } from '../support/tokens.ts';

const keeping = { 'cache.lists.ttlMs': '600000' };
const coop = 'J7VY4SD9HV';

let sandbox: Sandbox;
let service: FakeUpstream;
beforeAll(async () => {
  sandbox = await startSandbox();
  service = await startFakeUpstream({ target: sandbox.url });
});
afterAll(async () => {
  await service.close();
  await sandbox.close();
});

// The cache has separate lists for each language, and pauses are the caller's: each test has its own.
let caller: { key: string; headers: Record<string, string> };
let tests = 0;
beforeEach(() => {
  tests += 1;
  caller = { key: 'demo-coop', headers: { 'accept-language': `x-${tests}` } };
  service.respond = undefined;
  service.recover();
  service.clear();
});

async function countCards(gateway: Gateway): Promise<number> {
  return (await gateway.query('{ cards { count } }', {}, caller)).data.cards.count;
}

let cards = 0;

async function addCard(gateway: Gateway): Promise<void> {
  cards += 1;
  const input = { card: { card_id: `new-${cards}` }, entity: coop };
  const document = 'mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { card { card_id } } }';
  expect((await gateway.query(document, { input }, caller)).errors).toEqual([]);
}

const readsOfCards = () => service.calls.filter((call) => call === page(paths.cards, 1)).length;

async function metricsOf(gateway: Gateway, name: string): Promise<Record<string, number>> {
  return valuesOf(await scrape(gateway.url), name);
}

/** Starts a gateway that ends with the test. */
async function startOne(options: Parameters<typeof startGateway>[0]): Promise<Gateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

const known = (gateway: Gateway, count: number) =>
  expect.poll(() => metricsOf(gateway, 'others_known')).toEqual({ '': count });

describe.each(['pipe', 'redis'].filter((name) => name === 'pipe' || hasRedis))('gateways joined by %s', (kind) => {
  let redis: RedisServer | undefined;
  let next: () => Parameters<typeof startGateway>[0];
  let first: Gateway;
  let second: Gateway;
  beforeAll(async () => {
    redis = kind === 'redis' ? await startRedis() : undefined;
    const carrier = linkedCarriers();
    next = () => ({
      upstreamUrl: service.url,
      costs: 'learnt',
      settings: { ...keeping, ...(redis && { REDIS_URL: redis.url }) },
      ...(!redis && { carrier: carrier() }),
    });
    [first, second] = [await startGateway(next()), await startGateway(next())];
  });
  afterAll(async () => {
    await first.close();
    await second.close();
    await redis?.close();
  });

  test('show each write to the other before its answer', async () => {
    const before = await countCards(second);
    for (let turn = 1; turn <= 20; turn += 1) {
      const [writer, reader] = turn % 2 ? [first, second] : [second, first];
      await countCards(reader);
      await addCard(writer);
      expect(await countCards(reader)).toBe(before + turn);
    }
    service.clear();
    await countCards(first);
    expect(service.calls).toEqual([]);
  });

  test('cache no read of the other from before a write', async () => {
    service.hold();
    const before = countCards(second);
    await service.untilArrived(1);
    await addCard(first);
    service.release();
    await before;
    await countCards(second);

    expect(readsOfCards()).toBe(2);
  });

  test('drop the lists of a key that the service refuses to the other', async () => {
    await countCards(second);
    service.fail(paths.farmers, { status: 401, body: '{}', times: 1 });
    await first.query('{ farmers { count } }', {}, caller);

    await expect.poll(() => countCards(second).then(readsOfCards)).toBe(2);
  });

  test('share the pause that a 429 of the service asks for, also with a gateway that starts', async () => {
    caller.key = 'demo-buyer';
    service.fail(paths.farmers, { status: 429, headers: { 'retry-after': '100' }, body: '{}', times: 1 });
    const ask = async (gateway: Gateway) => codesOf(await gateway.query('{ farmers { count } }', {}, caller));
    await ask(first);
    await expect.poll(() => ask(second)).toEqual(['RATE_LIMITED']);
    const third = await startOne(next());
    await expect.poll(() => ask(third)).toEqual(['RATE_LIMITED']);
  });

  test('know the costs that the others have learnt from their start', async () => {
    await first.query('{ currencies(limit: 3) { results { id } } }', {}, caller);
    const third = await startOne(next());
    const { listCurrencies: learnt } = await metricsOf(first, 'upstream_cost_call_seconds');

    await expect
      .poll(async () => (await metricsOf(third, 'upstream_cost_call_seconds')).listCurrencies)
      .toBeCloseTo(learnt!);
  });

  test('do not wait for one that has ended', async () => {
    const third = await startGateway(next());
    await expect.poll(() => metricsOf(first, 'others_known')).toEqual({ '': 2 });
    await third.close();

    await expect.poll(() => metricsOf(first, 'others_known')).toEqual({ '': 1 });
    expect(await metricsOf(first, 'broadcast_up')).toEqual({ [kind]: 1 });
    expect(await metricsOf(first, 'broadcasts_total')).toMatchObject({ late: 0, unavailable: 0 });
  });

  test('cache no list that a write of unknown outcome of the other may still change', async () => {
    // The gateways cache no list of this caller for a while.
    caller.key = bearerOf(people.abena);
    await countCards(second);
    service.fail(paths.entityCards, { breaks: true, times: 1 });
    const document = `mutation { createEntityCard(input: { card: { card_id: "late" }, entity: "${coop}" }) { id } }`;
    expect(codesOf(await first.query(document, {}, caller))).toEqual(['OUTCOME_UNKNOWN']);
    const before = await countCards(second);
    // The service makes the write later.
    await writeRest({ sandbox }, paths.entityCards, { card: { card_id: `late-${kind}` }, entity: coop });

    expect(await countCards(second)).toBe(before + 1);
  });
});

describe.skipIf(!hasRedis)('gateways that lose Redis', () => {
  let redis: RedisServer;
  let way: FaultProxy;
  let near: Gateway;
  /** Reaches Redis through `way`. */
  let far: Gateway;
  const nearTimeoutMs = 200;
  const start = (url: string, timeoutMs: number) =>
    startGateway({
      upstreamUrl: service.url,
      settings: { ...keeping, REDIS_URL: url },
      file: { redis: { timeoutMs } },
    });
  beforeAll(async () => {
    redis = await startRedis();
    way = await startFaultProxy(redis.url);
    [near, far] = [await start(redis.url, nearTimeoutMs), await start(way.url, 30_000)];
  });
  afterAll(async () => {
    redis.resume();
    await near.close();
    await far.close();
    await way.close();
    await redis.close();
  });

  const isUp = (gateway: Gateway) => metricsOf(gateway, 'broadcast_up').then(({ redis }) => redis === 1);

  test('show a write whose message was lost with the connection of the reader, after it is back', async () => {
    await known(near, 1);
    const before = await countCards(far);
    way.set({ answer: { stallAfter: 0 } });
    await addCard(near);
    const { late } = await metricsOf(near, 'broadcasts_total');
    // The gateway cannot know yet.
    expect(await countCards(far)).toBe(before);
    way.set({});
    way.reset();
    await expect.poll(() => countCards(far)).toBe(before + 1);

    expect(late).toBe(1);
    await known(near, 1);
  });

  test('cache no read that was under way when the connection broke', async () => {
    await known(near, 1);
    service.hold();
    const reading = countCards(far);
    await service.untilArrived(1);
    way.reset();
    await expect.poll(() => isUp(far)).toBe(true);
    service.release();
    await reading;
    await countCards(far);

    expect(readsOfCards()).toBe(2);
  });

  test('wait for a silent Redis once, and show the writes of that time when it answers again', async () => {
    await expect.poll(() => isUp(near)).toBe(true);
    await known(near, 1);
    const before = await countCards(far);
    redis.hang();
    await addCard(near);
    await expect.poll(() => isUp(near)).toBe(false);
    const { late, unavailable = 0 } = await metricsOf(near, 'broadcasts_total');
    await addCard(near);
    const after = await metricsOf(near, 'broadcasts_total');
    redis.resume();
    await expect.poll(() => countCards(far)).toBe(before + 2);

    expect(after).toMatchObject({ late, unavailable: unavailable + 1 });
    await expect.poll(() => isUp(near)).toBe(true);
  });

  test('make the others drop their lists where a message could not be sent', async () => {
    await known(far, 1);
    const before = await countCards(near);
    await way.close();
    await expect.poll(() => isUp(far)).toBe(false);
    await addCard(far);
    expect(await countCards(near)).toBe(before);
    way = await startFaultProxy(redis.url, Number(new URL(way.url).port));
    await expect.poll(() => countCards(near)).toBe(before + 1);
  });

  test('show what the others wrote while they were away, when they are back', async () => {
    await known(near, 1);
    await way.close();
    await expect.poll(() => isUp(far)).toBe(false);
    const before = await countCards(far);
    await addCard(near);
    expect(await countCards(far)).toBe(before);
    way = await startFaultProxy(redis.url, Number(new URL(way.url).port));
    await expect.poll(() => countCards(far)).toBe(before + 1);
  });

  test('go on to wait for those that got nothing from a silent Redis', async () => {
    await expect.poll(() => isUp(near)).toBe(true);
    await known(near, 1);
    redis.hang();
    await addCard(near);
    await pause(2 * nearTimeoutMs);
    const whileSilent = await metricsOf(near, 'others_known');
    redis.resume();
    expect(whileSilent).toEqual({ '': 1 });
    await expect.poll(() => isUp(near)).toBe(true);
  });

  test('cache no read from before a write that only another release knows', async () => {
    await expect.poll(() => isUp(near)).toBe(true);
    const from = randomUUID();
    const channel = `graphql-gateway:broadcast:${digestOf(service.url)}`;
    const client = await createClient({ url: redis.url }).connect();
    onTestFinished(() => client.destroy());
    const acknowledged = new Set<string>();
    await client.subscribe(`${channel}:${from}`, (text) => acknowledged.add(JSON.parse(text).type));
    service.hold();
    const reading = countCards(near);
    await service.untilArrived(1);
    const write = { type: 'invalidate', from, number: 1, keyDigest: digestOf('demo-coop'), endpoint: 'createBarn' };
    await client.publish(channel, JSON.stringify(write));
    await expect.poll(() => acknowledged.has('acknowledge')).toBe(true);
    await client.publish(channel, JSON.stringify({ type: 'bye', from }));
    service.release();
    await reading;
    await countCards(near);

    expect(readsOfCards()).toBe(2);
  });

  test('read the lists anew after the replay of a write of unknown outcome', async () => {
    caller.key = 'demo-buyer';
    await expect.poll(() => isUp(near)).toBe(true);
    await known(near, 1);
    service.fail('/supply-chains/entity-cards/', { status: 500, body: '{}', times: 1 });
    const document = `mutation { createEntityCard(input: { card: { card_id: "lost" }, entity: "${coop}" }) { card { card_id } } }`;
    const send = (gateway: Gateway) =>
      gateway.query(document, {}, { ...caller, headers: { ...caller.headers, 'idempotency-key': 'lost' } });
    expect(codesOf(await send(near))).toEqual(['OUTCOME_UNKNOWN']);
    await countCards(far);
    const before = readsOfCards();
    expect(codesOf(await send(near))).toEqual(['OUTCOME_UNKNOWN']);
    await countCards(far);

    expect(readsOfCards()).toBe(before + 1);
  });

  test('ignore messages of other applications and of gateways over another service', async () => {
    const stranger = await startOne({
      upstreamUrl: service.url,
      serviceName: 'another',
      settings: { REDIS_URL: redis.url },
    });
    await known(near, 1);
    await countCards(near);
    const client = await createClient({ url: redis.url }).connect();
    onTestFinished(() => client.destroy());
    const from = randomUUID();
    const keyDigest = digestOf('demo-coop');
    const costs = { listCards: { callMs: -1, rowMs: 1e9 } };
    for (const message of [
      'no JSON',
      { type: 'hello' },
      { type: 'invalidate', from, keyDigest: 'demo-coop', endpoint: 'createEntityCard' },
      { type: 'greeting', from, pauses: [[keyDigest, -1]], costs, parallelism: 1e9 },
      { type: 'pause', from, keyDigest, seconds: 1e9 },
    ]) {
      await client.publish(`graphql-gateway:broadcast:${digestOf(service.url)}`, JSON.stringify(message));
    }
    await addCard(stranger);
    await countCards(near);

    expect(readsOfCards()).toBe(1);
    expect(await metricsOf(near, 'others_known')).toEqual({ '': 1 });
    expect(await metricsOf(stranger, 'others_known')).toEqual({ '': 0 });
  });
});

describe.skipIf(!hasRedis)('gateways far from Redis', () => {
  let redis: RedisServer;
  let way: FaultProxy;
  // Longer than half of the round trip, and shorter than the whole.
  const [oneWayMs, timeoutMs] = [200, 300];
  const start = (url: string) =>
    startGateway({
      upstreamUrl: service.url,
      settings: { ...keeping, REDIS_URL: url },
      file: { redis: { timeoutMs } },
    });
  beforeAll(async () => {
    redis = await startRedis();
    way = await startFaultProxy(redis.url);
    way.set({ request: { latency: oneWayMs }, answer: { latency: oneWayMs } });
  });
  afterAll(async () => {
    await way.close();
    await redis.close();
  });

  test.each(['far', 'near'])(
    'show each write to one that is far before its answer, where the writer is %s',
    async (place) => {
      await using writer = await start(place === 'far' ? way.url : redis.url);
      await using reader = await start(way.url);
      const acknowledged = async () => (await metricsOf(writer, 'broadcasts_total')).acknowledged;
      const before = await countCards(reader);
      // A stall of this machine may make a write late. Others have to follow until four were in time.
      for (let [written, inTime] = [1, 0]; inTime < 4; written += 1) {
        for (const gateway of [writer, reader]) await known(gateway, 1);
        const earlier = await acknowledged();
        await addCard(writer);
        const count = await countCards(reader);
        if ((await acknowledged()) === earlier) continue;
        expect(count).toBe(before + written);
        inTime += 1;
      }
      expect(await metricsOf(reader, 'broadcast_up')).toEqual({ redis: 1 });
      expect((await metricsOf(reader, 'redis_round_trip_seconds'))['']).toBeGreaterThan(0);
    },
  );
});
