/**
 * Does a rolling restart lose a request, or send a write twice? Three gateways run behind haproxy, then behind nginx, each
 * with its file of deploy/, over one sandbox and one Redis. Each gateway is restarted in turn five times. Meanwhile come
 * queries, writes with and without an Idempotency-Key, uploads, lists as files, and files of the service. Some uploads take
 * 8 s.
 *
 *     node rolling.ts [--proxy haproxy] [--rounds 5] [--workers 1] [--kill]
 *
 * Fails if a request gets no whole and good answer, or a write reaches the service twice. With --kill, gateways get SIGKILL
 * instead: requests fail then, and clients repeat their writes with a key. Fails if one of these is made twice, or has no end.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { type ProxyName, proxyNames, startProxy } from '../test/support/proxies.ts';
import { startRedis } from '../test/support/redis-server.ts';
import { start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { type Sent, startLoad } from './lib/rolling-load.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    proxy: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    workers: { type: 'string', default: '1' },
    kill: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const gateways = 3;
/** Between the start of one gateway and the stop of the next. */
const betweenMs = 2_000;
const settings = `
shutdown: { delayMs: 5000, timeoutMs: 60000 }
media: { proxy: true, url: 'http://files.example' }
`;

interface Restart {
  stopMs: number;
  startMs: number;
  code: number | null;
}

interface Run {
  proxy: ProxyName;
  restarts: Restart[];
  sent: Sent[];
  /** Sentences about writes that the service got twice, or that it has in spite of their answer. */
  wrong: string[];
}

const names = options.proxy ? [options.proxy as ProxyName] : proxyNames.toReversed();
const runs: Run[] = [];
for (const proxy of names) runs.push(await measure(proxy));
conclude();

async function measure(name: ProxyName): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
  writeFileSync(join(folder, 'gateway.yaml'), settings);
  const sandboxPort = await freePort();
  const origin = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = start('rolling-sandbox', ['node', '../src/main.ts', 'sandbox'], {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_DATA: folder,
    'sandbox.delayMs': '20',
  });
  const redis = await startRedis();
  const ports = await Promise.all(Array.from({ length: gateways }, () => freePort()));
  await until('The sandbox', 20, async () => Boolean(await fetch(origin)));
  const running = await Promise.all(ports.map(startGateway));
  const proxy = await startProxy(name, ...ports.map((port) => `http://127.0.0.1:${port}/graphql`));
  const restarts: Restart[] = [];
  const uploads = new Map<string, number>();
  try {
    const load = startLoad(proxy.url, await payments(origin), { repeats: options.kill });
    const counting = new AbortController();
    const counted = countUploads(origin, uploads, counting.signal);
    await pause(betweenMs);
    for (let at = 0; at < rounds * gateways; at++) {
      const turn = at % gateways;
      const port = ports[turn] as number;
      const signalledAt = performance.now();
      const exited = once(running[turn] as ChildProcess, 'exit');
      running[turn]?.kill(options.kill ? 'SIGKILL' : 'SIGTERM');
      const [code] = await exited;
      const stoppedAt = performance.now();
      running[turn] = await startGateway(port);
      restarts.push({ stopMs: stoppedAt - signalledAt, startMs: performance.now() - stoppedAt, code });
      await pause(betweenMs);
      const failed = load.sent.filter(({ failures }) => failures.length > 0);
      console.error(`${name}: ${restarts.length} restarts, ${load.sent.length} requests, ${failed.length} failed`);
    }
    await load.stop();
    counting.abort();
    await counted;
    return { proxy: name, restarts, sent: load.sent, wrong: wrongIn(load.sent, await farmers(origin), uploads) };
  } finally {
    await proxy[Symbol.asyncDispose]();
    for (const child of running) child.kill('SIGKILL');
    await stop(sandbox);
    await redis.close();
    rmSync(folder, { recursive: true });
  }

  async function startGateway(port: number): Promise<ChildProcess> {
    const child = start('rolling', ['node', '../src/main.ts'], {
      PORT: String(port),
      UPSTREAM_URL: `${origin}/v1`,
      UPSTREAM_DIALECT: 'spec',
      REDIS_URL: redis.url,
      WORKERS: options.workers,
      CONFIG: join(folder, 'gateway.yaml'),
      LOG_LEVEL: 'warn',
      ACCESS_LOG: 'off',
    });
    await until('The gateway', 30, async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok);
    return child;
  }
}

interface Page<Row> {
  count: number;
  results: Row[];
}

async function page<Row>(origin: string, path: string): Promise<Page<Row>> {
  const response = await fetch(`${origin}/v1${path}`, { headers: { authorization: 'demo-coop' } });
  return (await response.json()) as Page<Row>;
}

async function payments(origin: string): Promise<string[]> {
  const { results } = await page<{ id: string }>(origin, '/transactions/payment-transactions/?limit=10');
  return results.map(({ id }) => id);
}

interface Farmer {
  id: string;
  first_name: string;
}

async function farmers(origin: string): Promise<Farmer[]> {
  const rows: Farmer[] = [];
  for (let total = 1; rows.length < total; ) {
    const { count, results } = await page<Farmer>(origin, `/supply-chains/farmers/?limit=100&offset=${rows.length}`);
    rows.push(...results);
    total = count;
  }
  return rows;
}

/** Counts the calls of each uploaded file. The sandbox shows its latest 10,000 calls, so that both of two equal ones show. */
async function countUploads(origin: string, uploads: Map<string, number>, signal: AbortSignal): Promise<void> {
  do {
    await pause(2_000, undefined, { signal }).catch(() => {});
    const answer = await fetch(`${origin}/__sandbox/calls`);
    const { calls } = (await answer.json()) as { calls: { file?: { name: string } }[] };
    const names = calls.flatMap(({ file }) => file?.name ?? []);
    for (const [name, those] of Map.groupBy(names, (name) => name))
      uploads.set(name, Math.max(those.length, uploads.get(name) ?? 0));
  } while (!signal.aborted);
}

function wrongIn(sent: readonly Sent[], stored: readonly Farmer[], uploads: ReadonlyMap<string, number>): string[] {
  const byName = Map.groupBy(stored, ({ first_name }) => first_name);
  return sent.flatMap(({ kind, marker, id, isAnswered, isUnknown, failures }) => {
    if (!marker) return [];
    const isUpload = kind === 'upload' || kind === 'slow upload';
    const times = isUpload ? (uploads.get(marker) ?? 0) : (byName.get(marker)?.length ?? 0);
    const after = failures.length > 0 ? ` after ${failures.join(', ')}` : '';
    if (times > 1) return [`${kind} ${marker}: made ${times} times${after}`];
    if (isAnswered && times === 0) return [`${kind} ${marker}: answered, and not made${after}`];
    if (id && byName.get(marker)?.[0]?.id !== id) return [`${kind} ${marker}: answered with another id${after}`];
    if (options.kill && kind === 'keyed write' && !isAnswered && !isUnknown)
      return [`${kind} ${marker}: never answered${after}`];
    return [];
  });
}

function isMet({ sent, wrong, restarts }: Run): boolean {
  const isComplete = options.kill || (sent.every(({ isAnswered }) => isAnswered) && restarts.every((one) => !one.code));
  return wrong.length === 0 && isComplete;
}

function conclude(): void {
  const parts = runs.map((run) => {
    const rows = [...Map.groupBy(run.sent, ({ kind }) => kind)].map(([kind, those]) => {
      const times = those.map(({ ms }) => ms).sort((one, other) => one - other);
      const failed = those.flatMap(({ failures }) => failures);
      const reasons = [...Map.groupBy(failed, (reason) => reason)].map(([reason, all]) => `${reason} × ${all.length}`);
      const figures = [quantile(times, 0.5), quantile(times, 0.99), times.at(-1) as number].map((ms) => ms.toFixed(0));
      const early = those.filter(({ endedEarly }) => endedEarly).length;
      return [kind, String(those.length), ...figures, reasons.join(', ') || '0', early ? String(early) : ''];
    });
    const longest = (times: number[]) => `${(Math.max(...times) / 1_000).toFixed(1)} s`;
    const title = `${run.proxy} ${versionOf(run.proxy)}: ${run.restarts.length} ${options.kill ? 'kills' : 'restarts'} of ${gateways} gateways, ${options.workers} worker each, ${run.sent.length} requests`;
    const heading = ['request', 'sent', 'ms median', '99 %', 'longest', 'failed', 'ended early'];
    const ends = `Longest stop ${longest(run.restarts.map(({ stopMs }) => stopMs))}, longest start ${longest(run.restarts.map(({ startMs }) => startMs))}.`;
    const verdict = `${isMet(run) ? 'met' : 'missed'}: ${run.wrong.length} writes twice or wrong`;
    return [title, table(heading, rows), ends, verdict, ...run.wrong.slice(0, 10)].join('\n\n');
  });
  const report = parts.join('\n\n');
  console.log(report);
  if (!runs.every(isMet)) process.exitCode = 1;
  if (options.rounds !== '5' || options.proxy) return;
  const name = ['rolling', ...(options.kill ? ['kill'] : []), ...(options.workers === '1' ? [] : ['workers'])].join(
    '-',
  );
  const figures = runs.map(({ sent, ...run }) => ({ ...run, requests: sent.length }));
  writeResults(name, { runs: figures }, { report });
}

function versionOf(name: ProxyName): string {
  const { stdout, stderr } = spawnSync(name, ['-v'], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? '';
}
