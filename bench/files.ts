/**
 * A list of 100,000 rows as a file: memory of the process, and rows a second. Beside it a health check every 20 ms.
 *
 *     node files.ts [--rows 100000]
 *
 * Fails where the peak of the process grows by more than 50 MiB over that of ordinary pages. Also where a row is missing, or
 * comes twice.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { cpuMilliseconds, residentMiB } from './lib/process-tree.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(options.rows);
const mostGrowthMiB = 50;
/** Pages of 200 rows as JSON, before the first measurement: V8 grows its heap under any load. */
const warmUp = 100;

const references = `source { __typename ... on Farmer { id name phone } ... on Company { id name } }
  destination { ... on Farmer { name } ... on Company { name } }`;
const fields = `id amount quantity date created_on`;
const kinds = [
  { name: 'JSONL without references', accept: 'application/jsonl', selection: fields },
  { name: 'JSONL with two references', accept: 'application/jsonl', selection: `${fields} ${references}` },
  { name: 'CSV with two references', accept: 'text/csv', selection: `${fields} ${references}` },
  { name: 'the same in br', accept: 'text/csv', selection: `${fields} ${references}`, coding: 'br' },
];

interface Result {
  name: string;
  rows: number;
  megabytes: number;
  seconds: number;
  cpuMs: number;
  /** Before the first operation, the peak of the pages, and the peak of the file. */
  idleMiB: number;
  pagesMiB: number;
  peakMiB: number;
  healthP99: number;
  isWhole: boolean;
}

const service = new Worker(new URL('lib/long-list-thread.ts', import.meta.url), { workerData: { rows } });
const [serviceUrl] = (await once(service, 'message')) as [string];
const results: Result[] = [];
for (const kind of kinds) results.push(await withGateway((url, pid) => measure(kind, url, pid)));
await service.terminate();
conclude();
process.exit();

async function withGateway(use: (url: string, pid: number) => Promise<Result>): Promise<Result> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const child = start('files', ['node', '../src/main.ts'], {
    PORT: String(port),
    UPSTREAM_URL: serviceUrl,
    IDEMPOTENCY_FILE: ':memory:',
    LOG_LEVEL: 'error',
  });
  try {
    await until('The gateway', 30, async () => (await ask(url, '{ __typename }', 'key')).status === 200);
    return await use(url, child.pid!);
  } finally {
    await stop(child);
  }
}

async function measure(kind: (typeof kinds)[number], url: string, pid: number): Promise<Result> {
  const { name, accept, selection, coding = 'identity' } = kind;
  const idle = residentMiB(pid, 'VmRSS');
  for (let page = 0; page < warmUp; page += 1) {
    await ask(url, `{ productTransactions(limit: 200, offset: ${page * 200}) { results { ${selection} } } }`, 'key');
  }
  const before = residentMiB(pid, 'VmHWM');
  const cpuBefore = cpuMilliseconds(pid);
  const health = new Worker(new URL('lib/health-thread.ts', import.meta.url), { workerData: url });
  const startedAt = performance.now();
  const { ids, bytes, end } = await download(
    url,
    { accept, 'accept-encoding': coding },
    `{ productTransactions { results { ${selection} } } }`,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  health.postMessage('end');
  const [times] = (await once(health, 'message')) as [number[]];
  times.sort((a, b) => a - b);
  return {
    name,
    rows: ids.size,
    megabytes: bytes / 1e6,
    seconds,
    cpuMs: cpuMilliseconds(pid) - cpuBefore,
    idleMiB: idle,
    pagesMiB: before,
    peakMiB: residentMiB(pid, 'VmHWM'),
    healthP99: quantile(times, 0.99),
    isWhole: ids.size === rows && /complete"?[=:]true/.test(end),
  };
}

/** Reads a file line by line, and keeps the ids alone. */
async function download(url: string, accepted: Record<string, string>, query: string) {
  const headers = { 'content-type': 'application/json', ...accepted, authorization: 'key' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const ids = new Set<string>();
  let [bytes, end] = [0, ''];
  for await (const line of createInterface({ input: Readable.fromWeb(response.body as ReadableStream) })) {
    bytes += Buffer.byteLength(line) + 1;
    const [, id] = /^(?:\{"id":")?(T\d+)/.exec(line) ?? [];
    if (id === undefined) end = line;
    else if (ids.has(id)) throw new Error(`${id} comes twice.`);
    else ids.add(id);
  }
  return { ids, bytes, end };
}

function conclude(): void {
  const isMet = ({ isWhole, peakMiB, pagesMiB }: Result) => isWhole && peakMiB - pagesMiB <= mostGrowthMiB;
  const report = table(
    ['', 'rows', 'MB', 'rows/s', 'CPU, ms for 1,000 rows', 'idle, MiB', 'pages', 'file', 'health p99, ms', 'verdict'],
    results.map((result) => [
      result.name,
      String(result.rows),
      result.megabytes.toFixed(1),
      (result.rows / result.seconds).toFixed(0),
      ((1_000 * result.cpuMs) / result.rows).toFixed(0),
      result.idleMiB.toFixed(0),
      result.pagesMiB.toFixed(0),
      result.peakMiB.toFixed(0),
      result.healthP99.toFixed(0),
      isMet(result) ? 'met' : 'missed',
    ]),
  );
  console.log(report);
  if (!results.every(isMet)) process.exitCode = 1;
  if (options.rows === '100000') writeResults('files', { mostGrowthMiB, results }, { report });
}
