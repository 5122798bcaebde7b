/**
 * Do gateways on several machines show each write at once, and does a Redis in trouble make anybody wait? Three gateways run
 * behind haproxy over one sandbox. First come writes, each followed by a read of the same list through another connection.
 * Then Redis is killed and started again, stalls for 5 s, and fails over to its replica. Clients read and write meanwhile.
 * Last, one gateway stands still for a while, and gets its messages and its next requests together.
 *
 *     node replicas.ts [--writes 10000]
 *
 * Fails if a read misses a write that was answered before it; during a fault such reads are counted. Fails if a request
 * without an Idempotency-Key fails, or if a write with one is made twice or never.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProxy } from '../test/support/proxies.ts';
import { type RedisServer, startRedis } from '../test/support/redis-server.ts';
import { scrape } from '../test/support/scrape.ts';
import { freePort, start, track, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values } = parseArgs({ options: { writes: { type: 'string', default: '10000' } } });
const writes = Number(values.writes);
const gateways = 3;
const clients = 4;
const coop = 'J7VY4SD9HV';

interface Answer {
  ms: number;
  status: number;
  data: { cards?: { count: number }; createFarmer?: { id: string } } | null;
}

/** Attempts of one time. `stale`: reads that showed less than the writes that were answered before them. */
interface Phase {
  name: string;
  reads: number[];
  writes: number[];
  keyed: number[];
  stale: number;
  failed: number;
  refused: number;
}

const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const sandboxPort = await freePort();
const origin = `http://127.0.0.1:${sandboxPort}`;
start('replicas-sandbox', ['node', '../src/main.ts', 'sandbox'], {
  SANDBOX_PORT: String(sandboxPort),
  SANDBOX_DATA: ':memory:',
});
await until('The sandbox', 20, async () => Boolean(await fetch(origin)));
let master = await startRedis();
const replica = await startRedis();
spawnSync('redis-cli', ['-p', String(replica.port), 'REPLICAOF', '127.0.0.1', String(master.port)]);
const redisPort = await startRedisProxy(master, replica);
const ports = await Promise.all(Array.from({ length: gateways }, () => freePort()));
const processes = ports.map((port) =>
  start('replicas', ['node', '../src/main.ts'], {
    PORT: String(port),
    UPSTREAM_URL: `${origin}/v1`,
    UPSTREAM_DIALECT: 'spec',
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    LOG_LEVEL: 'warn',
    ACCESS_LOG: 'off',
  }),
);
const urls = ports.map((port) => `http://127.0.0.1:${port}/graphql`);
await untilJoined();
const proxy = await startProxy('haproxy', ...urls);

/** Cards that the service has at least: those of the writes that were answered. */
let answered = (await ask('{ cards { count } }')).data?.cards?.count ?? 0;
let marks = 0;

const calm = await writeAndRead('no fault', writes);
const shares = await Promise.all(urls.map(operationsOf));
const phases = [calm];
const named: string[] = [];
phases.push(await during('slow load', 3_000, async () => {}));
phases.push(
  await during('Redis is killed, and started again after 3 s', 8_000, async () => {
    master.kill();
    await pause(3_000);
    master = await startRedis(master.port);
  }),
);
spawnSync('redis-cli', ['-p', String(replica.port), 'REPLICAOF', '127.0.0.1', String(master.port)]);
phases.push(await writeAndRead('after that', 300));
phases.push(
  await during('Redis stalls for 5 s', 8_000, async () => {
    master.hang();
    await pause(5_000);
    master.resume();
  }),
);
phases.push(await writeAndRead('after that', 300));
phases.push(
  await during('Redis fails over to its replica', 6_000, async () => {
    master.kill();
    await pause(500);
    spawnSync('redis-cli', ['-p', String(replica.port), 'REPLICAOF', 'NO', 'ONE']);
  }),
);
phases.push(await writeAndRead('after that', 300));
phases.push(await whileStandingStill('a gateway stands still', 100));
const wrong = await wronglyMade();
conclude();
await proxy[Symbol.asyncDispose]();
await replica.close();
process.exit();

async function ask(
  query: string,
  variables = {},
  headers: Record<string, string> = {},
  url = proxy.url,
): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'demo-coop', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await response.json()) as { data: Answer['data'] };
  return { ms: performance.now() - startedAt, status: response.status, data };
}

async function addCard(phase: Phase, url?: string): Promise<void> {
  const input = { card: { card_id: `bench-${marks++}` }, entity: coop };
  const document = 'mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { card { id } } }';
  const { ms, data } = await ask(document, { input }, {}, url);
  phase.writes.push(ms);
  if (data) answered += 1;
  else phase.failed += 1;
}

async function countCards(phase: Phase, url?: string): Promise<void> {
  const least = answered;
  const { ms, data } = await ask('{ cards { count } }', {}, {}, url);
  phase.reads.push(ms);
  if (!data?.cards) phase.failed += 1;
  else if (data.cards.count < least) phase.stale += 1;
}

/** Repeats the write until it is made, as a client with a key does. */
async function addFarmer(phase: Phase): Promise<void> {
  const name = `Bench ${randomUUID()}`;
  named.push(name);
  const headers = { 'idempotency-key': randomUUID() };
  const document = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
  for (;;) {
    const { ms, data } = await ask(document, { input: { first_name: name } }, headers);
    phase.keyed.push(ms);
    if (data?.createFarmer) return;
    phase.refused += 1;
    await pause(50);
  }
}

function newPhase(name: string): Phase {
  return { name, reads: [], writes: [], keyed: [], stale: 0, failed: 0, refused: 0 };
}

async function writeAndRead(name: string, times: number): Promise<Phase> {
  await untilJoined();
  const phase = newPhase(name);
  let left = times;
  const run = async () => {
    for (; left > 0; ) {
      left -= 1;
      await addCard(phase);
      await countCards(phase);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  return phase;
}

/** Clients read and write, a few requests at a time, so that a wait is no wait for a core. */
async function during(name: string, ms: number, fault: () => Promise<void>): Promise<Phase> {
  await untilJoined();
  const phase = newPhase(name);
  const end = performance.now() + ms;
  const repeat = async (action: (phase: Phase) => Promise<void>) => {
    for (; performance.now() < end; ) {
      await action(phase);
      await pause(20);
    }
  };
  await Promise.all([fault(), repeat(addCard), repeat(countCards), repeat(countCards), repeat(addFarmer)]);
  return phase;
}

/** The write is answered without the gateway that stands still. That one gets a request over a connection that it has just read. */
async function whileStandingStill(name: string, times: number): Promise<Phase> {
  await untilJoined();
  const phase = newPhase(name);
  const [still] = processes;
  for (let time = 0; time < times; time += 1) {
    await countCards(phase, urls[0]);
    still?.kill('SIGSTOP');
    await addCard(phase, urls[1]);
    const reading = countCards(phase, urls[0]);
    await pause(50);
    still?.kill('SIGCONT');
    await reading;
    await untilJoined();
  }
  return phase;
}

/** Each gateway hears of all others, and the two of Redis have the same data. */
async function untilJoined(): Promise<void> {
  await until('Every gateway', 30, async () => {
    const samples = (await Promise.all(urls.map((url) => scrape(url)))).flat();
    const values = (metric: string) => samples.filter(({ name }) => name === metric).map(({ value }) => value);
    const isUp = values('gateway_broadcast_up').every((value) => value === 1);
    return isUp && values('gateway_others_known').every((known) => known === gateways - 1);
  });
}

async function operationsOf(url: string): Promise<number> {
  const samples = await scrape(url, 'gateway_operations_total');
  return samples.reduce((sum, { value }) => sum + value, 0);
}

async function wronglyMade(): Promise<string[]> {
  const rows: { first_name: string }[] = [];
  for (let total = 1; rows.length < total; ) {
    const path = `/v1/supply-chains/farmers/?limit=100&offset=${rows.length}`;
    const response = await fetch(origin + path, { headers: { authorization: 'demo-coop' } });
    const page = (await response.json()) as { count: number; results: typeof rows };
    rows.push(...page.results);
    total = page.count;
  }
  const times = Map.groupBy(rows, ({ first_name }) => first_name);
  return named.filter((name) => times.get(name)?.length !== 1);
}

/** haproxy sends to the one that is master, and cuts connections to one that is not. */
async function startRedisProxy(...servers: RedisServer[]): Promise<number> {
  const port = await freePort();
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 1s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen redis',
    `  bind 127.0.0.1:${port}`,
    '  option tcp-check',
    '  tcp-check send info\\ replication\\r\\n',
    '  tcp-check expect string role:master',
    '  timeout check 10s',
    '  default-server check inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers.map((server) => `  server redis${server.port} 127.0.0.1:${server.port}`),
    '',
  ];
  writeFileSync(join(folder, 'redis.cfg'), lines.join('\n'));
  track(spawn('haproxy', ['-db', '-f', join(folder, 'redis.cfg')], { stdio: 'ignore' }));
  await until('The proxy of Redis', 10, async () => {
    const { stdout } = spawnSync('redis-cli', ['-p', String(port), 'PING'], { encoding: 'utf8', timeout: 1_000 });
    return stdout.trim() === 'PONG';
  });
  return port;
}

function conclude(): void {
  const figures = (times: number[]) => {
    const sorted = times.toSorted((one, other) => one - other);
    return sorted.length === 0 ? '-' : [0.5, 0.99, 1].map((share) => quantile(sorted, share).toFixed(0)).join(' / ');
  };
  const rows = phases.map(({ name, reads, writes, keyed, stale, failed, refused }) => [
    name,
    String(reads.length + writes.length + keyed.length),
    figures(reads),
    figures(writes),
    figures(keyed),
    String(stale),
    String(failed),
    String(refused),
  ]);
  const heading = ['', 'requests', 'reads', 'writes', 'writes with a key', 'stale', 'failed', 'refused with a key'];
  const report = [
    `${gateways} gateways behind haproxy; milliseconds: median / 99 % / longest`,
    table(heading, rows),
    `Operations of each gateway without a fault: ${shares.join(', ')}.`,
    `Writes with a key: ${named.length}, made twice or never: ${wrong.length}.`,
  ].join('\n\n');
  console.log(report);
  const settled = phases.filter(({ keyed }) => keyed.length === 0);
  const isMet = settled.every(({ stale }) => stale === 0) && phases.every(({ failed }) => failed === 0);
  if (!isMet || wrong.length > 0) process.exitCode = 1;
  if (writes === 10_000) writeResults('replicas', { rows }, { report });
}
