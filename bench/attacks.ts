/**
 * All attacks at once, for ten minutes, on a gateway that may take 512 MB. Beside them somebody who does nothing wrong.
 *
 *     node attacks.ts [--minutes 10] [--only "millions|endless"]
 *
 * The kernel kills the gateway at its limit. The script fails where the gateway dies, or where the good client gets a wrong
 * answer or none. It also fails where the health check at ADMIN_PORT takes more than 250 ms at the 99th percentile.
 * A long header may take 2 ms of CPU at most. `--only` names some of the attacks, and leaves out the long headers.
 */
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { freePort } from '../test/support/free-port.ts';
import type { AttackResult, AttackThreadData } from './lib/attack-thread.ts';
import { measureLongHeaders } from './lib/long-headers.ts';
import { memoryCgroup } from './lib/memory-cgroup.ts';
import { linePlot } from './lib/plot-lines.ts';
import { residentMiB } from './lib/process-tree.ts';
import { hasEnded, root, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';
import { uploadAndCompare } from './lib/upload-client.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, only: { type: 'string', default: '' } },
});
const minutes = Number(options.minutes);
const limitMiB = 512;
/** Attempts of the good client, as the gateway asks for by `retry_after`. */
const attempts = 5;
const healthMs = 250;
/** CPU of the longest value of a header that Node lets through. */
const headerMs = 2;

const ports = { sandbox: await freePort(), gateway: await freePort(), admin: await freePort() };
const url = `http://127.0.0.1:${ports.gateway}/graphql`;
const sandboxUrl = `http://127.0.0.1:${ports.sandbox}/v1`;
const sandbox = start('attacks-sandbox', ['node', '../src/main.ts', 'sandbox'], {
  SANDBOX_PORT: String(ports.sandbox),
  SANDBOX_DATA: ':memory:',
});
await until('The sandbox', 20, async () => Boolean(await fetch(sandboxUrl)));
const [dearestHeader] = options.only ? [] : await measureLongHeaders(sandboxUrl);
const service = new Worker(new URL('lib/hostile-service-thread.ts', import.meta.url), { workerData: sandboxUrl });
const [serviceUrl = '']: string[] = await once(service, 'message');
const group = memoryCgroup('gateway-attacks', limitMiB);
const gateway = start('attacks', group.inside(['node', '../src/main.ts']), {
  PORT: String(ports.gateway),
  ADMIN_PORT: String(ports.admin),
  UPSTREAM_URL: serviceUrl,
  FEDERATION: 'true',
  MEDIA_PROXY: 'true',
  MEDIA_URL: new URL(url).origin,
  IDEMPOTENCY_FILE: `${root}logs/attacks-${process.pid}.db`,
  LOG_LEVEL: 'error',
});
await until('The gateway', 30, async () => (await ask(url, '{ __typename }', 'demo-coop')).status === 200);
/** The attackers know another key. */
const goodKey = 'demo-buyer';
const payment = await firstPayment('demo-coop');
const goodPayment = await firstPayment(goodKey);

const ending = new AbortController();
const { signal } = ending;
const startedAt = performance.now();
const samples: { minute: number; rssMiB: number }[] = [];
const good = { asked: 0, atOnce: 0, answered: 0, writes: 0, files: 0, times: [] as number[], wrong: [] as string[] };
/** Checks at the port of the gateway, and at the port for them alone. */
const health = { gateway: newChecks(), admin: newChecks() };

const workerData: AttackThreadData = { url, payment, only: options.only };
const attackers = new Worker(new URL('lib/attack-thread.ts', import.meta.url), { workerData });
const others = [
  every(200, read),
  every(1_000, write),
  every(10_000, upload),
  every(5_000, download),
  every(250, () => checkHealth('gateway')),
  every(250, () => checkHealth('admin')),
  every(2_000, sample),
];
while (performance.now() - startedAt < minutes * 60_000 && !hasEnded(gateway)) await sleep(100);
const hasDied = hasEnded(gateway);
ending.abort();
await Promise.all(others);
attackers.postMessage('end');
const [results]: AttackResult[][] = await once(attackers, 'message');
const peakMiB = group.peakMiB();
await stop(gateway);
await stop(sandbox);
await service.terminate();
group.remove();
conclude();
process.exit();

async function firstPayment(key: string): Promise<string> {
  const { body } = await ask(url, '{ paymentTransactions(limit: 1) { results { id } } }', key);
  return (body.data as { paymentTransactions: { results: { id: string }[] } }).paymentTransactions.results[0]!.id;
}

async function every(pauseMs: number, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted && !hasEnded(gateway)) {
    await act();
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Does what the gateway asks a client for: tries again after an answer that says when. */
async function patiently(
  act: () => Promise<{ isRight: boolean; retryAfter?: number; what: string }>,
): Promise<boolean> {
  const askedAt = performance.now();
  good.asked++;
  for (let attempt = 1; ; attempt++) {
    const { isRight, retryAfter, what } = await act();
    if (signal.aborted) {
      good.asked--;
      return false;
    }
    if (isRight) {
      if (attempt === 1) good.atOnce++;
      good.answered++;
      good.times.push(performance.now() - askedAt);
      return true;
    }
    if (attempt === attempts || retryAfter === undefined) {
      good.wrong.push(what);
      return false;
    }
    await sleep(retryAfter * 1_000);
  }
}

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { extensions: { code: string; retry_after?: number } }[];
}

async function send(query: string, key?: string) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: goodKey,
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ query }),
      signal: AbortSignal.timeout(30_000),
    });
    const { errors } = (await response.json()) as Answer;
    const retryAfter = errors?.[0]?.extensions.retry_after;
    return {
      isRight: response.status === 200 && !errors,
      what: errors?.[0]?.extensions.code ?? String(response.status),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  } catch (error) {
    return { isRight: false, what: String((error as Error).cause ?? error) };
  }
}

async function read(): Promise<void> {
  await patiently(() => send('{ productTransactions(limit: 10) { results { id product { name } source { name } } } }'));
}

async function write(): Promise<void> {
  const key = crypto.randomUUID();
  const query = 'mutation { createFarmer(input: { first_name: "Good", last_name: "Client" }) { id } }';
  if (await patiently(() => send(query, key))) good.writes++;
}

async function upload(): Promise<void> {
  const isStored = await patiently(async () => {
    try {
      await uploadAndCompare(url, {
        payment: goodPayment,
        key: goodKey,
        bytes: 200_000,
        isChunked: false,
        lastLineEnd: '\r\n',
      });
      return { isRight: true, what: '' };
    } catch (error) {
      const [, retryAfter] = /"retry_after":(\d+)/.exec(String(error)) ?? [];
      return {
        isRight: false,
        what: String(error).slice(0, 200),
        ...(retryAfter && { retryAfter: Number(retryAfter) }),
      };
    }
  });
  if (isStored) good.files++;
}

async function download(): Promise<void> {
  const query = '{ farmers { results { id name } } }';
  const headers = { 'content-type': 'application/json', authorization: goodKey, accept: 'text/csv' };
  await patiently(async () => {
    try {
      const signal = AbortSignal.timeout(30_000);
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }), signal });
      const isRight = / complete=true /.test(await response.text());
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      return { isRight, what: `list as a file: ${response.status}`, ...(retryAfter > 0 && { retryAfter }) };
    } catch (error) {
      return { isRight: false, what: String((error as Error).cause ?? error) };
    }
  });
}

interface Checks {
  asked: number;
  failed: number;
  times: number[];
}

function newChecks(): Checks {
  return { asked: 0, failed: 0, times: [] };
}

/** Over a new connection, as something that watches the process does. */
async function checkHealth(name: keyof typeof health): Promise<void> {
  const checks = health[name];
  const askedAt = performance.now();
  const isAlive = await new Promise<boolean>((resolve) => {
    const options = { port: ports[name], path: '/health/live', agent: false, timeout: 5_000 };
    const request = get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false)).on('timeout', () => request.destroy());
  });
  if (signal.aborted) return;
  checks.asked++;
  if (isAlive) checks.times.push(performance.now() - askedAt);
  else checks.failed++;
}

async function sample(): Promise<void> {
  const minute = (performance.now() - startedAt) / 60_000;
  const rssMiB = residentMiB(gateway.pid!, 'VmRSS');
  samples.push({ minute, rssMiB });
  if (samples.length % 15 === 0) {
    console.error(
      `${minute.toFixed(1)} min: RSS ${rssMiB.toFixed(0)} MiB, good ${good.answered} of ${good.asked}, wrong ${good.wrong.length}, health p99 ${p99(health.admin).toFixed(0)} ms`,
    );
  }
}

function p99({ times }: Checks): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
}

function checked(checks: Checks): string {
  return `p99 ${p99(checks).toFixed(0)} ms, ${checks.failed} of ${checks.asked} without an answer`;
}

function conclude(): void {
  const times = good.times.toSorted((a, b) => a - b);
  const bars: [string, string, boolean][] = [
    ['the process', hasDied ? 'died' : `lives; its group took ${peakMiB.toFixed(0)} of ${limitMiB} MiB`, !hasDied],
    [
      'the good client',
      `${good.answered} of ${good.asked} answered, ${good.atOnce} at the first attempt; p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
      good.wrong.length === 0 && good.answered > 0,
    ],
    ['its writes and files', `${good.writes} and ${good.files}`, good.writes > 0 && (good.files > 0 || minutes < 1)],
    ['health checks at ADMIN_PORT', checked(health.admin), health.admin.failed === 0 && p99(health.admin) <= healthMs],
  ];
  if (dearestHeader) {
    const { header, ms } = dearestHeader;
    bars.push(['the dearest long header', `${header}: ${ms.toFixed(2)} ms of CPU, without other load`, ms <= headerMs]);
  }
  for (const { name, never, outcomes } of results!) {
    if (never) bars.push([name, `${outcomes.get(never) ?? 0} got ${never}`, !outcomes.has(never)]);
  }
  const lines = results!.map(({ name, count, outcomes }) => [
    name,
    String(count),
    [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', '),
  ]);
  const report = [
    `${minutes} minutes, ${limitMiB} MiB`,
    table(
      ['', '', 'verdict'],
      bars.map(([what, figure, isMet]) => [what, figure, isMet ? 'met' : 'missed']),
    ),
    `Health checks at the port of the gateway: ${checked(health.gateway)}`,
    table(['attackers', 'at a time', 'what they got'], lines),
  ].join('\n\n');
  console.log(report);
  if (good.wrong.length > 0)
    console.log(`Wrong: ${JSON.stringify(Object.groupBy(good.wrong, (what) => what))}`.slice(0, 4_000));
  if (bars.some(([, , isMet]) => !isMet)) process.exitCode = 1;
  if (options.minutes !== '10' || options.only) return;
  const lineOf = samples.map(({ minute, rssMiB }) => [minute, rssMiB] as [number, number]);
  const panels = [{ title: 'RSS, MiB', xTitle: 'minutes', lines: [{ label: 'gateway', points: lineOf }] }];
  const { times: _, ...figures } = good;
  writeResults(
    'attacks',
    { minutes, limitMiB, peakMiB, good: figures, samples },
    {
      report,
      plot: linePlot({ title: 'Memory of a gateway with 512 MiB under all attacks', columns: 1, panels }),
    },
  );
}
