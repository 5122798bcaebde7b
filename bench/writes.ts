/**
 * Writes: is any of 10,000 mutations made twice, and is every answer true? Meanwhile calls of the service fail in every
 * way, clients leave, and the gateway is killed now and then.
 *
 *     node writes.ts [--count 10000] [--seed 1]
 *
 * Fails when a farmer exists twice, or differs from the answer that its client got.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Sent, sendStorm, weather, wrongIn } from '../test/mutations/write-storm.ts';
import { startFaultProxy } from '../test/support/fault-proxy.ts';
import type { Row } from '../test/support/rest-reads.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { table } from './lib/tables.ts';
import { randomNumbers } from './stub/ids.ts';

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(options.count);
/** Mutations after which the gateway is killed, in the middle of the next ones. */
const killEvery = 1_000;

const random = randomNumbers(Number(options.seed));
const folder = mkdtempSync(join(tmpdir(), 'writes-'));
const sandboxPort = await freePort();
const port = String(await freePort());
const url = `http://127.0.0.1:${port}/graphql`;
const serviceUrl = `http://127.0.0.1:${sandboxPort}/v1`;

const sandbox = start('writes-sandbox', ['node', '../src/main.ts', 'sandbox'], {
  SANDBOX_PORT: String(sandboxPort),
  SANDBOX_DATA: ':memory:',
  SANDBOX_FAIL_RATE: '0.05',
});
await until('The sandbox', 20, async () => Boolean(await fetch(serviceUrl)));
const way = await startFaultProxy(serviceUrl);
let gateway = await startGateway();
const sent: Sent[] = [];
let kills = 0;
const startedAt = performance.now();
for (let done = 0; done < count; done += killEvery) {
  way.set(weather(random));
  const part = Math.min(killEvery, count - done);
  const storm = sendStorm({ url, count: part, concurrency: 32, random, prefix: `Storm ${done}` });
  if (done > 0) {
    await sleep(1_000);
    gateway.kill('SIGKILL');
    kills += 1;
    gateway = await startGateway();
  }
  sent.push(...(await storm));
  console.error(`${sent.length} mutations after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`);
}
const wrong = wrongIn(sent, await allFarmers());
await stop(gateway);
await way.close();
await stop(sandbox);
rmSync(folder, { recursive: true });
conclude();

async function startGateway() {
  const child = start('writes', ['node', '../src/main.ts'], {
    PORT: port,
    UPSTREAM_URL: way.url,
    UPSTREAM_WRITE_TIMEOUT_MS: '300',
    UPSTREAM_CONNECTIONS: '32',
    IDEMPOTENCY_FILE: join(folder, 'idempotency.db'),
    LOG_LEVEL: 'warn',
  });
  await until('The gateway', 20, async () => (await ask(url, '{ __typename }', 'demo-coop')).status === 200);
  return child;
}

/** Past the gateway; some of these reads fail too. */
async function allFarmers(): Promise<Row[]> {
  const rows: Row[] = [];
  for (let total = 1; rows.length < total; ) {
    const path = `${serviceUrl}/supply-chains/farmers/?limit=100&offset=${rows.length}`;
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
  const title = `${sent.length} mutations, ${way.opened} connections to the service, ${kills} times the gateway was killed`;
  const verdict = wrong.length === 0 ? 'No farmer was written twice, and every answer was true.' : wrong.join('\n');
  const report = `${title}\n\n${table(['what the client knows', 'with a key', 'without'], rows)}\n\n${verdict}`;
  console.log(report);
  if (wrong.length > 0) process.exitCode = 1;
  if (options.count !== '10000') return;
  const figures = Object.fromEntries([...ends].map(([end, those]) => [end, those.length]));
  writeResults('writes', { seed: options.seed, connections: way.opened, kills, ends: figures, wrong }, { report });
}
