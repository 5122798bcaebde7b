/**
 * Writes: is any of 10,000 mutations made twice, or any write of 500 pushes, and is every answer true? Meanwhile calls of
 * the service fail in every way, clients leave, and the gateway is killed now and then.
 *
 *     node writes.ts [--count 10000] [--pushes 500] [--seed 1] [--redis]
 *
 * Fails when an object exists twice, or differs from the answer that its client got. The keys are in an SQLite file, or in
 * Redis.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Pushed, type StoredRows, sendPushes, storedIn, wrongPushesIn } from '../test/mutations/push-storm.ts';
import { type Sent, sendStorm, weather, wrongIn } from '../test/mutations/write-storm.ts';
import { startFaultProxy } from '../test/support/fault-proxy.ts';
import { startRedis } from '../test/support/redis-server.ts';
import type { Row } from '../test/support/rest-reads.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { table } from './lib/tables.ts';
import { randomNumbers } from './stub/ids.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    pushes: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    redis: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const pushes = Number(options.pushes);
/** Parts of the storm. The gateway is killed in the middle of each but the first. */
const parts = 10;

const random = randomNumbers(Number(options.seed));
const folder = mkdtempSync(join(tmpdir(), 'writes-'));
const sandboxPort = await freePort();
const port = String(await freePort());
const url = `http://127.0.0.1:${port}/graphql`;
const serviceUrl = `http://127.0.0.1:${sandboxPort}/v1`;

const sandbox = start('writes-sandbox', ['node', '../src/main.ts', 'sandbox'], {
  SANDBOX_PORT: String(sandboxPort),
  SANDBOX_DATA: ':memory:',
  'sandbox.failRate': '0.05',
});
await until('The sandbox', 20, async () => Boolean(await fetch(serviceUrl)));
const way = await startFaultProxy(serviceUrl);
const redis = options.redis ? await startRedis() : undefined;
let gateway = await startGateway();
const sent: Sent[] = [];
const pushed: Pushed[] = [];
let kills = 0;
const startedAt = performance.now();
for (let part = 0; part < parts; part++) {
  way.set(weather(random));
  const mutations = { url, count: Math.ceil(count / parts), concurrency: 32, random, prefix: `Storm ${part}.` };
  const storm = sendStorm(mutations);
  const outboxes = sendPushes({ ...mutations, count: Math.ceil(pushes / parts), concurrency: 8 });
  if (part > 0) {
    await sleep(1_000);
    gateway.kill('SIGKILL');
    kills += 1;
    gateway = await startGateway();
  }
  sent.push(...(await storm));
  pushed.push(...(await outboxes));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.error(`${sent.length} mutations and ${pushed.length} writes of pushes after ${seconds} s.`);
}
const stored = Object.fromEntries(
  await Promise.all(Object.entries(storedIn).map(async ([endpoint, path]) => [endpoint, await allRows(path)])),
) as StoredRows;
const wrong = [...wrongIn(sent, stored.createFarmer), ...wrongPushesIn(pushed, stored)];
await stop(gateway);
await way.close();
await stop(sandbox);
await redis?.close();
rmSync(folder, { recursive: true });
conclude();

async function startGateway() {
  const child = start('writes', ['node', '../src/main.ts'], {
    PORT: port,
    UPSTREAM_URL: way.url,
    'upstream.timeouts.writeMs': '300',
    'upstream.connections': '32',
    ...(redis ? { REDIS_URL: redis.url } : { IDEMPOTENCY_FILE: join(folder, 'idempotency.db') }),
    LOG_LEVEL: 'warn',
  });
  await until('The gateway', 20, async () => (await ask(url, '{ __typename }', 'demo-coop')).status === 200);
  return child;
}

/** Past the gateway; some of these reads fail too. */
async function allRows(list: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let total = 1; rows.length < total; ) {
    const path = `${serviceUrl}${list}?limit=100&offset=${rows.length}`;
    const response = await fetch(path, { headers: { authorization: 'demo-coop' } });
    if (!response.ok) continue;
    const page = (await response.json()) as { count: number; results: Row[] };
    rows.push(...page.results);
    total = page.count;
  }
  return rows;
}

function conclude(): void {
  const ends = Map.groupBy(sent, ({ id, code }) => (id ? 'written' : (code ?? 'the client has left')));
  const rows = [...ends].map(([end, those]) => [
    end,
    String(those.filter(({ hasKey }) => hasKey).length),
    String(those.filter(({ hasKey }) => !hasKey).length),
  ]);
  const statuses = Map.groupBy(pushed, ({ status, ids }) => (ids.size > 0 ? 'DONE or REPLAYED' : status));
  const pushRows = [...statuses].map(([status, those]) => [status, String(those.length)]);
  const title = `${sent.length} mutations, ${pushes} pushes of ${pushed.length} writes, ${way.opened} connections to the service, ${kills} times the gateway was killed`;
  const verdict = wrong.length === 0 ? 'Nothing was written twice, and every answer was true.' : wrong.join('\n');
  const report = `${title}\n\n${table(['what the client knows', 'with a key', 'without'], rows)}\n\n${table(['write of a push', 'writes'], pushRows)}\n\n${verdict}`;
  console.log(report);
  if (wrong.length > 0) process.exitCode = 1;
  if (options.count !== '10000' || options.pushes !== '500') return;
  const counted = (groups: Map<string, unknown[]>) =>
    Object.fromEntries([...groups].map(([name, those]) => [name, those.length]));
  const figures = { ends: counted(ends), pushes: counted(statuses), wrong };
  const name = options.redis ? 'writes-redis' : 'writes';
  writeResults(name, { seed: options.seed, connections: way.opened, kills, ...figures }, { report });
}
