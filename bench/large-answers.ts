/**
 * Large answers: of the gateway to clients, and of the service to the gateway. Beside them a health check every 20 ms.
 *
 *     node large-answers.ts [--seconds 5] [--only endless]
 *
 * Fails where an answer has another code than expected, or more objects and bytes than allowed. Fails where the process grows
 * by more than 200 MiB. The health check may take 100 ms at the 99th percentile. Two kinds get a process that the kernel kills
 * at 512 MB, and fail where it dies. They need a Linux where the script may make control groups.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { hostileKeys } from './lib/hostile-service.ts';
import { memoryCgroup } from './lib/memory-cgroup.ts';
import { residentMiB } from './lib/process-tree.ts';
import { freePort, hasEnded, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask, startStub } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});
const seconds = Number(options.seconds);
const most = { healthMs: 100, growthMiB: 200, objects: 100_000, bytes: 32 * 2 ** 20 };

interface Kind {
  name: string;
  /** Clients at a time. */
  clients: number;
  key: string;
  document(serial: number): string;
  codes: (string | undefined)[];
  /** The process may grow up to this limit. */
  limitMiB?: number;
  /** Takes nothing of its answers, which have 16 MB. */
  takesNothing?: true;
}

const buyers = (field: string) => `{ farmers(limit: 1000) { results { id buyer { ${field} } } } }`;
const farmer = (serial: number) => `{ farmer(id: "F${serial}") { id } }`;
const tooComplex = 'QUERY_TOO_COMPLEX';
const tooLong = 'UPSTREAM_INVALID_RESPONSE';

const kinds: Kind[] = [
  { name: 'nothing else', clients: 0, key: '', document: farmer, codes: [] },
  {
    name: '2 million embedded objects',
    clients: 2,
    key: hostileKeys.manyMembers,
    document: () => buyers('members { id first_name last_name }'),
    codes: [tooComplex, 'OVERLOADED'],
  },
  {
    name: 'a text of 900 kB in 1,000 rows',
    clients: 2,
    key: hostileKeys.longTexts,
    document: () => buyers('description'),
    codes: [tooComplex, 'OVERLOADED'],
  },
  {
    name: 'answers of 25 MB',
    clients: 2,
    key: hostileKeys.longTexts,
    document: () => buyers('name'),
    codes: [undefined, 'OVERLOADED'],
  },
  {
    name: 'endless answers of the service',
    clients: 10,
    key: hostileKeys.endless,
    document: farmer,
    codes: [tooLong, 'OVERLOADED'],
  },
  {
    name: 'answers of the service of 500 MB',
    clients: 10,
    key: hostileKeys.gigantic,
    document: farmer,
    codes: [tooLong],
  },
  {
    name: 'answers of the service of 7 MB',
    clients: 50,
    key: hostileKeys.big,
    document: (serial) => `{ company(id: "B${serial}") { id } }`,
    codes: [undefined, 'OVERLOADED'],
    limitMiB: 512,
  },
  {
    name: 'answers of 16 MB that nobody takes',
    clients: 60,
    key: hostileKeys.longTexts,
    document: () => `{ farmers(limit: 640) { results { id buyer { name } } } }`,
    codes: [],
    limitMiB: 512,
    takesNothing: true,
  },
];

interface Row {
  name: string;
  asked: number;
  /** Each that came, once. */
  codes: string[];
  objects: number;
  bytes: number;
  growthMiB: number;
  health: { p50: number; p99: number; max: number };
  isMet: boolean;
}

const stub = await startStub();
const service = new Worker(new URL('lib/hostile-service-thread.ts', import.meta.url), { workerData: stub.url });
const [serviceUrl] = (await once(service, 'message')) as [string];
const rows: Row[] = [];
const measured = kinds.filter(({ name }) => name.includes(options.only));
for (const kind of measured) rows.push(await withGateway(kind, (gateway) => measure(kind, gateway)));
await service.terminate();
await stub.stop();
conclude();
process.exit();

interface RunningGateway {
  url: string;
  pid: number;
  hasEnded(): boolean;
}

async function withGateway({ limitMiB }: Kind, use: (gateway: RunningGateway) => Promise<Row>): Promise<Row> {
  const group = limitMiB === undefined ? undefined : memoryCgroup('large-answers', limitMiB);
  const command = ['node', '../src/main.ts'];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const child = start('large-answers', group?.inside(command) ?? command, {
    PORT: String(port),
    UPSTREAM_URL: serviceUrl,
    IDEMPOTENCY_FILE: ':memory:',
    LOG_LEVEL: 'error',
  });
  try {
    await until('The gateway', 30, async () => (await ask(url, '{ __typename }', 'warm up')).status === 200);
    for (let sent = 0; sent < 200; sent += 1) await ask(url, farmer(sent), 'warm up');
    return await use({ url, pid: child.pid!, hasEnded: () => hasEnded(child) });
  } finally {
    await stop(child);
    group?.remove();
  }
}

async function measure(kind: Kind, { url, pid, hasEnded }: RunningGateway): Promise<Row> {
  const end = performance.now() + seconds * 1_000;
  const before = residentMiB(pid, 'VmRSS');
  const row = { name: kind.name, asked: 0, objects: 0, bytes: 0 };
  const codes = new Set<string | undefined>();
  const health = new Worker(new URL('lib/health-thread.ts', import.meta.url), { workerData: url });
  const attack = async () => {
    if (kind.takesNothing) {
      row.asked++;
      return askAndTakeNothing(url, kind.document(0), kind.key);
    }
    while (performance.now() < end) {
      const text = await post(url, kind.document(row.asked++), kind.key);
      const { data, errors } = JSON.parse(text) as { data: unknown; errors?: { extensions: { code: string } }[] };
      codes.add(errors?.[0]?.extensions.code);
      row.objects = Math.max(row.objects, objectsIn(data) - 1);
      row.bytes = Math.max(row.bytes, Buffer.byteLength(text));
    }
  };
  await Promise.all([sleep(seconds * 1_000), ...Array.from({ length: kind.clients }, attack)]);
  health.postMessage('end');
  const [times] = (await once(health, 'message')) as [number[]];
  const isAlive = !hasEnded();
  const growthMiB = isAlive ? residentMiB(pid, 'VmHWM') - before : Number.POSITIVE_INFINITY;
  times.sort((a, b) => a - b);
  const [p50, p99, max] = [quantile(times, 0.5), quantile(times, 0.99), times.at(-1)!];
  const isMet =
    [...codes].every((code) => kind.codes.includes(code)) &&
    row.objects <= most.objects &&
    row.bytes <= most.bytes &&
    isAlive &&
    (kind.limitMiB !== undefined || growthMiB <= most.growthMiB) &&
    p99 <= most.healthMs;
  return { ...row, codes: [...codes].map((code) => code ?? 'none'), growthMiB, health: { p50, p99, max }, isMet };
}

function askAndTakeNothing(url: string, query: string, authorization: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization };
  return new Promise((resolve) => {
    const asked = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.pause();
      setTimeout(() => asked.destroy(), seconds * 1_000);
    });
    asked.on('error', () => {}).on('close', resolve);
    asked.end(JSON.stringify({ query }));
  });
}

async function post(url: string, query: string, authorization: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.text();
}

function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let objects = Array.isArray(value) ? 0 : 1;
  for (const each of Object.values(value)) objects += objectsIn(each);
  return objects;
}

function conclude(): void {
  const report = table(
    ['', 'answers', 'codes', 'objects', 'MB', 'growth, MiB', 'health p50, ms', 'p99', 'most', 'verdict'],
    rows.map(({ name, asked, codes, objects, bytes, growthMiB, health, isMet }) => [
      name,
      String(asked),
      codes.join(', '),
      String(objects),
      (bytes / 1e6).toFixed(1),
      growthMiB.toFixed(0),
      health.p50.toFixed(1),
      health.p99.toFixed(0),
      health.max.toFixed(0),
      isMet ? 'met' : 'missed',
    ]),
  );
  console.log(report);
  if (rows.some(({ isMet }) => !isMet)) process.exitCode = 1;
  if (options.seconds === '5' && !options.only) writeResults('large-answers', { most, rows }, { report });
}
