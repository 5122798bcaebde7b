import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { scrape, valuesOf } from '../support/scrape.ts';

const createFarmer = 'mutation { createFarmer(input: { first_name: "Esi" }) { id } }';

async function start(options: readonly string[]): Promise<{ redis: RedisServer; gateway: Gateway; lines: string[] }> {
  const redis = await startRedis(undefined, options);
  const lines: string[] = [];
  const gateway = await startGateway({
    settings: { REDIS_URL: redis.url, LOG_LEVEL: 'warn' },
    log: (line) => lines.push(JSON.parse(line).msg),
  });
  onTestFinished(async () => {
    await gateway.close();
    await redis.close();
  });
  return { redis, gateway, lines };
}

const write = (gateway: Gateway) => gateway.query(createFarmer, {}, { headers: { 'idempotency-key': randomUUID() } });

const risksOf = async (gateway: Gateway) => valuesOf(await scrape(gateway.url), 'redis_loses_records');

test.skipIf(!hasRedis).each(['volatile-lru', 'allkeys-lfu', 'volatile-ttl'])(
  'a gateway refuses writes with a key over a Redis that may drop their records: %s',
  async (policy) => {
    const { gateway, lines } = await start(['--maxmemory-policy', policy, '--appendonly', 'yes']);
    const { status, errors, calls } = await write(gateway);
    const without = await gateway.query(createFarmer);

    expect({ status, calls }).toEqual({ status: 503, calls: [] });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining(`maxmemory-policy is ${policy} and has to be noeviction`),
        extensions: { code: 'UPSTREAM_UNAVAILABLE' },
      },
    ]);
    expect(without.errors).toEqual([]);
    expect(lines.filter((line) => line.includes('maxmemory-policy'))).toHaveLength(1);
    expect(await risksOf(gateway)).toEqual({ eviction: 1, restart: 0 });
  },
);

test.skipIf(!hasRedis)('a gateway sees another policy of Redis after it has connected again', async () => {
  const { redis, gateway, lines } = await start(['--appendonly', 'yes']);
  const change = (policy: string) => {
    redis.command('CONFIG', 'SET', 'maxmemory-policy', policy);
    redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
  };
  const before = await write(gateway);
  change('allkeys-random');
  await expect.poll(async () => JSON.stringify((await write(gateway)).errors)).toContain('allkeys-random');
  change('noeviction');
  await expect.poll(async () => codesOf(await write(gateway))).toEqual([]);

  expect(before.errors).toEqual([]);
  expect(lines.filter((line) => line.includes('maxmemory-policy'))).toHaveLength(1);
});

test.skipIf(!hasRedis)('a gateway warns of a Redis that does not write to disk, and makes writes', async () => {
  const { gateway, lines } = await start([]);

  expect((await write(gateway)).errors).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('appendonly')]);
  expect(await risksOf(gateway)).toEqual({ eviction: 0, restart: 1 });
});

test.skipIf(!hasRedis)('a gateway warns of a Redis that does not show its settings, and makes writes', async () => {
  const { gateway, lines } = await start(['--rename-command', 'INFO', 'secret-info']);

  expect((await write(gateway)).errors).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('maxmemory-policy')]);
  expect(await risksOf(gateway)).toEqual({});
});
