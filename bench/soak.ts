/**
 * Memory over time: 20 minutes of reads without a pause, beside writes and uploads. Some clients are slow or leave, some
 * documents are refused, and the service fails at times. Fails where memory grows after the first third, by the line through
 * its samples. The heap may grow by 8 MB, as it is after a full garbage collection, and RSS by 32 MB.
 *
 *     node soak.ts [--minutes 20] [--seed 1]
 *
 * Callers and documents recur, so that all caches reach their bounds within the first third, the warm-up. Every write
 * changes the lists of farmers. A run of less than 20 minutes gets no verdict.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sendStorm, weather } from '../test/mutations/write-storm.ts';
import { startFaultProxy } from '../test/support/fault-proxy.ts';
import { freePort } from '../test/support/free-port.ts';
import { usedHeapMiB } from './lib/heap.ts';
import { connectInspector } from './lib/inspector.ts';
import { slope } from './lib/least-squares.ts';
import { startLoadGenerator } from './lib/load.ts';
import { linePlot } from './lib/plot-lines.ts';
import { cpuMilliseconds, residentMiB } from './lib/process-tree.ts';
import { hasEnded, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { slowClient, slowKinds } from './lib/slow-clients.ts';
import { table } from './lib/tables.ts';
import { uploadAndCompare } from './lib/upload-client.ts';
import { randomNumbers } from './stub/ids.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(options.minutes);
const warmUp = minutes / 3;
/** A shorter run ends while caches fill, so that its growth says nothing. */
const isLong = minutes >= 20;
/** MB in all the time after the warm-up, however long. */
const bounds = { heapMiB: 8, rssMiB: 32 };
/** Requests that one client process keeps in flight. */
const concurrency = 16;
const samplesPerMinute = 4;
/** Keys that the service refuses; the caches have an entry for each. */
const strangers = Array.from({ length: 200 }, (_, index) => `stranger-${index}`);

const random = randomNumbers(Number(options.seed));
const pick = <Each>(from: readonly Each[]): Each => from[Math.floor(random() * from.length)]!;

const reads = [
  '{ farmers(limit: 20) { count results { id name buyer { name } } } }',
  '{ productTransactions(limit: 50) { results { id source { name } product { name } creator { first_name } } } }',
  '{ currencies { results { code } } products { count } cards(limit: 5) { results { id } } }',
  '{ paymentTransactions(limit: 20) { results { id amount premium { name } source { name } } } }',
  '{ farmers(limit: 200) { results { id name number city entity_card { card { display_id } } } } }',
  '{ __schema { types { name } } }',
];
const deep = `{ farmers { results { ${'buyer { members { '.repeat(8)} id ${'} }'.repeat(8)} } } }`;
const hostile = [
  deep,
  `{ ${Array.from({ length: 2_000 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
  '{ farmers { results { ...A } } } fragment A on Farmer { ...B } fragment B on Farmer { ...A }',
  `query ($id: ID!) { farmer(id: $id) { id } }`,
  '{'.repeat(1_000),
];

const sandboxPort = await freePort();
const inspectorPort = await freePort();
const port = String(await freePort());
const url = `http://127.0.0.1:${port}/graphql`;
const serviceUrl = `http://127.0.0.1:${sandboxPort}/v1`;
const sandbox = start('soak-sandbox', ['node', '../src/main.ts', 'sandbox'], {
  SANDBOX_PORT: String(sandboxPort),
  SANDBOX_DATA: ':memory:',
  'sandbox.failRate': '0.02',
});
await until('The sandbox', 20, async () => Boolean(await fetch(serviceUrl)));
const way = await startFaultProxy(serviceUrl);
const gateway = start('soak', ['node', `--inspect=127.0.0.1:${inspectorPort}`, '../src/main.ts'], {
  PORT: port,
  UPSTREAM_URL: way.url,
  'upstream.timeouts.readMs': '1000',
  'upstream.timeouts.writeMs': '1000',
  'upstream.timeouts.uploadIdleMs': '2000',
  'upstream.connections': '64',
  'limits.clients.headersTimeoutMs': '5000',
  'limits.clients.bodyTimeoutMs': '5000',
  'limits.clients.responseTimeoutMs': '5000',
  'limits.uploads.timeoutMs': '20000',
  IDEMPOTENCY_FILE: ':memory:',
  'idempotency.ttlMs': '60000',
  LOG_LEVEL: 'error',
});
await until('The gateway', 20, async () => (await ask(url, '{ __typename }', 'demo-coop')).status === 200);
const { body } = await ask(url, '{ paymentTransactions(limit: 1) { results { id } } }', 'demo-coop');
const payment = (body.data as { paymentTransactions: { results: { id: string }[] } }).paymentTransactions.results[0]!
  .id;

interface Sample {
  minute: number;
  heapMiB: number;
  rssMiB: number;
}
const samples: Sample[] = [];
const done = { reads: 0, refused: 0, mutations: 0, uploads: 0, left: 0, slow: 0 };
const startedAt = performance.now();
const passedMinutes = () => (performance.now() - startedAt) / 60_000;
const isOver = () => passedMinutes() >= minutes;

const inspector = await connectInspector(inspectorPort);
const generator = startLoadGenerator();
const cpuBefore = cpuMilliseconds(gateway.pid!);
await Promise.all([
  again(0, read),
  again(200, refuse),
  again(100, leave),
  again(500, mutate),
  again(500, upload),
  again(200, beSlow),
  again(5_000, async () => way.set(random() < 0.5 ? {} : weather(random))),
  again(60_000 / samplesPerMinute, sample),
]);
inspector.close();
generator.stop();
const cores = (cpuMilliseconds(gateway.pid!) - cpuBefore) / (performance.now() - startedAt);
for (const each of [gateway, sandbox]) await stop(each);
await way.close();
conclude();
// Without this call, clients with an unfinished task would keep the process alive.
process.exit();

/** Repeats a task until the end, with pauses of the given milliseconds. Failures are part of the load. */
async function again(pause: number, act: () => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    await act().catch(() => {});
    if (hasEnded(gateway)) throw new Error('The gateway has ended; see logs/soak.log');
    await sleep(pause);
  }
}

async function read(): Promise<void> {
  // Half of the requests come from keys that the service accepts.
  const callers = random() < 0.5 ? ['demo-coop', 'demo-buyer'] : strangers;
  const requests = 200;
  await generator.send({ url, document: pick(reads), requests, concurrency, callers });
  done.reads += requests;
}

async function refuse(): Promise<void> {
  await ask(url, pick(hostile), 'demo-coop');
  done.refused++;
}

async function leave(): Promise<void> {
  const signal = AbortSignal.timeout(Math.ceil(random() * 50));
  const headers = { 'content-type': 'application/json', authorization: 'demo-coop' };
  done.left++;
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: pick(reads) }), signal });
}

async function mutate(): Promise<void> {
  const prefix = `Soak ${done.mutations}`;
  done.mutations += (await sendStorm({ url, count: 5, concurrency: 5, random, prefix })).length;
}

async function upload(): Promise<void> {
  const bytes = Math.floor(random() * 1_000_000);
  done.uploads++;
  await uploadAndCompare(url, { payment, bytes, isChunked: random() < 0.5, lastLineEnd: '\r\n' });
}

/** Runs in the background, so that several clients are slow at a time. */
async function beSlow(): Promise<void> {
  done.slow++;
  void slowClient(pick(slowKinds), { url, payment, pace: 500 }, AbortSignal.timeout(Math.ceil(random() * 10_000)));
}

async function sample(): Promise<void> {
  const minute = passedMinutes();
  samples.push({ minute, heapMiB: await usedHeapMiB(inspector), rssMiB: residentMiB(gateway.pid!, 'VmRSS') });
  const { heapMiB, rssMiB } = samples.at(-1)!;
  console.error(`${minute.toFixed(1)} min: heap ${heapMiB.toFixed(1)} MiB, RSS ${rssMiB.toFixed(0)} MiB`);
}

function conclude(): void {
  const settled = samples.filter(({ minute }) => minute >= warmUp);
  const grown = (['heapMiB', 'rssMiB'] as const).map((figure) => {
    const perMinute = slope(settled.map((each) => [each.minute, (each[figure] * 2 ** 20) / 1e6]));
    const megabytes = perMinute * (minutes - warmUp);
    return { figure, perMinute, megabytes, isMet: megabytes <= bounds[figure] };
  });
  const names = { heapMiB: 'heap after garbage collection', rssMiB: 'RSS' };
  const cells = grown.map(({ figure, perMinute, megabytes, isMet }) => [
    names[figure],
    ...[settled[0]!, settled.at(-1)!].map((each) => each[figure].toFixed(1)),
    ...[perMinute, megabytes, bounds[figure]].map((value) => value.toFixed(2)),
    isLong ? (isMet ? 'met' : 'missed') : '',
  ]);
  const sent = Object.entries(done).map(([what, count]) => `${count} ${what}`);
  const headings = ['', 'after the warm-up, MiB', 'at the end, MiB', 'MB a minute', 'MB in all', 'at most', 'verdict'];
  const report = [
    `${minutes} minutes, the first ${warmUp.toFixed(1)} of them a warm-up: ${sent.join(', ')}. The gateway used ${cores.toFixed(2)} cores.`,
    table(headings, cells),
  ].join('\n\n');
  console.log(report);
  if (!isLong) return;
  if (!grown.every(({ isMet }) => isMet)) process.exitCode = 1;
  writeResults('soak', { minutes, warmUp, cores, grown, done, samples }, { report, plot: plot() });
}

function plot(): string {
  const line = (label: string, figure: 'heapMiB' | 'rssMiB') => ({
    label,
    points: samples.map((each) => [each.minute, each[figure]] as [number, number]),
  });
  const lines = [line('heap after garbage collection', 'heapMiB'), line('RSS', 'rssMiB')];
  const panels = [{ title: 'MiB', xTitle: 'minutes', lines }];
  return linePlot({ title: 'Memory of the gateway under mixed load with faults', columns: 1, panels });
}
