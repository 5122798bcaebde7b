import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, codesOf } from '../support/client.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';

const createFarmer = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

describe.skipIf(!hasRedis)('where Redis has no room', () => {
  let redis: RedisServer;
  let gateway: FakedGateway;
  /** Another gateway with the same service and Redis. */
  let other: Gateway;
  beforeAll(async () => {
    redis = await startRedis();
    const settings = { REDIS_URL: redis.url };
    gateway = await startFakedGateway(settings);
    other = await startGateway({ upstreamUrl: gateway.upstream.url, settings });
  });
  afterEach(() => {
    redis.command('CONFIG', 'SET', 'maxmemory', '0');
    redis.command('CONFIG', 'SET', 'min-replicas-to-write', '0');
    gateway.upstream.release();
    gateway.upstream.clear();
  });
  afterAll(async () => {
    await other.close();
    await gateway.close();
    await redis.close();
  });

  const write = (key: string, from: Gateway = gateway) =>
    from.query(createFarmer, { input: { first_name: 'Esi' } }, { headers: { 'idempotency-key': key } });
  const unavailable = { status: 503, codes: ['UPSTREAM_UNAVAILABLE'] };
  const outcomeOf = (answer: Answer) => ({ status: answer.status, codes: codesOf(answer) });
  const writes = () => gateway.upstream.calls.filter((call) => call.startsWith('POST'));

  test('a write with a new key is refused and not sent, and others go on', async () => {
    const [known, fresh] = [randomUUID(), randomUUID()];
    const first = await write(known);
    redis.command('CONFIG', 'SET', 'maxmemory', '1');
    gateway.upstream.clear();
    const refused = await write(fresh);
    const replayed = await write(known);
    expect(writes()).toEqual([]);
    const without = await gateway.query(createFarmer, { input: { first_name: 'Esi' } });
    redis.command('CONFIG', 'SET', 'maxmemory', '0');
    const later = await write(fresh);

    expect(outcomeOf(refused)).toEqual(unavailable);
    expect([isReplay(replayed), replayed.data]).toEqual([true, first.data]);
    expect([without.errors, later.errors]).toEqual([[], []]);
    expect(isReplay(later)).toBe(false);
  });

  test('no write that was sent becomes unknown while Redis fills slowly', async () => {
    redis.leave(60_000);
    const keys = Array.from({ length: 200 }, () => randomUUID());
    const answers: Answer[] = [];
    for (const [index, key] of keys.entries()) {
      if (index % 10 === 0) redis.command('SET', `filler:${index}`, 'x'.repeat(4_000));
      answers.push(await write(key));
    }
    const sent = writes().length;
    redis.command('CONFIG', 'SET', 'maxmemory', '0');
    const again: Answer[] = [];
    for (const key of keys) again.push(await write(key, other));

    const accepted = answers.filter(({ errors }) => errors.length === 0);
    expect([accepted.length, accepted.length < keys.length]).toEqual([sent, true]);
    expect(again.flatMap(codesOf)).toEqual([]);
    expect(again.map(isReplay)).toEqual(answers.map(({ errors }) => errors.length === 0));
  });

  test('the outcome of a write that is under way when Redis becomes full is stored', async () => {
    const key = randomUUID();
    gateway.upstream.hold('writes');
    const writing = write(key);
    await gateway.upstream.untilArrived(1);
    redis.command('CONFIG', 'SET', 'maxmemory', '1');
    gateway.upstream.release();
    const first = await writing;
    const again = await write(key, other);

    expect(first.errors).toEqual([]);
    expect([isReplay(again), again.data]).toEqual([true, first.data]);
  });

  test('an outcome that Redis does not take is replayed from memory, and nothing is sent until Redis takes it', async () => {
    const key = randomUUID();
    gateway.upstream.hold('writes');
    const writing = write(key);
    await gateway.upstream.untilArrived(1);
    // Redis refuses all writes, as it does where its disk is full.
    redis.command('CONFIG', 'SET', 'min-replicas-to-write', '1');
    gateway.upstream.release();
    const first = await writing;
    const again = await write(key);
    const conflicting = await gateway.query(
      createFarmer,
      { input: { first_name: 'Kofi' } },
      { headers: { 'idempotency-key': key } },
    );
    const refused = await write(randomUUID());
    expect(writes()).toHaveLength(1);
    redis.command('CONFIG', 'SET', 'min-replicas-to-write', '0');
    await expect.poll(async () => outcomeOf(await write(randomUUID()))).toEqual({ status: 200, codes: [] });
    const elsewhere = await write(key, other);

    expect(first.errors).toEqual([]);
    expect([again, elsewhere].map(isReplay)).toEqual([true, true]);
    expect([again.data, elsewhere.data]).toEqual([first.data, first.data]);
    expect(codesOf(conflicting)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(outcomeOf(refused)).toEqual(unavailable);
  });
});
