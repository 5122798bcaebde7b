/**
 * Overload: the share of its capacity that the gateway serves in time under more load than it can serve.
 *
 *     node overload.ts [--ops small,page] [--connections open,new] [--seconds 3]
 *
 * Capacity is the highest throughput of users who wait for their answers. Then come 0.8, 1.5 and 2.5 times as many users.
 * They do not wait for each other, and leave after a second. Goodput is right answers within that second.
 * Users come over open connections, and in a second run over new ones. Others look at ADMIN_PORT meanwhile. Fails where the
 * goodput is too small, or health checks and scrapes are late.
 */
import { parseArgs } from 'node:util';
import { type OpenJob, type OpenOutcome, startOpenLoadGenerator } from './lib/open-load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { pinApart } from './lib/pinning.ts';
import { cpuMilliseconds } from './lib/process-tree.ts';
import { freePort } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    ops: { type: 'string', default: 'small,page' },
    connections: { type: 'string', default: 'open,new' },
    seconds: { type: 'string', default: '3' },
  },
});
const seconds = Number(options.seconds);
const ours = peerNamed('ours');
const adminPort = await freePort();
const gateway = { ...ours, env: { ...ours.env, ADMIN_PORT: String(adminPort) } };
/** Milliseconds in which 99 of 100 health checks and scrapes must be answered. */
const probeMs = 250;

/** A document that needs nothing of the service: what is asked for is done before anything can be counted. */
const typename = `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: __typename`).join(' ')} }`;
const jobs = {
  small: { document: documentFor(ours, 'small'), deadlineMs: 1_000, concurrencies: [32, 128] },
  page: { document: documentFor(ours, 'page'), deadlineMs: 1_000, concurrencies: [16, 64] },
  typename: { document: typename, deadlineMs: 1_000, concurrencies: [32, 128] },
};
const probedPaths = ['/health/live', '/metrics'];
type Operation = keyof typeof jobs;
const operations = options.ops.split(',') as Operation[];
if (!operations.every((name) => name in jobs)) throw new Error(`There are only ${Object.keys(jobs).join(', ')}.`);

/** Candidates for the capacity, as shares of the throughput of users who wait, and so never come in crowds. */
const rising = [0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Load as a multiple of the capacity, and the share of the capacity that must be served then. */
const steps = [
  { load: 0.8, least: 0.75 },
  { load: 1.5, least: 0.75 },
  { load: 2.5, least: 0.6 },
];

interface Row extends OpenOutcome {
  operation: Operation;
  isNew: boolean;
  /** Multiple of the capacity; undefined where the capacity was measured. */
  load?: number;
  least: number;
  /** Right answers as a share of the capacity. */
  goodput: number;
  /** Right answers per second of the gateway's CPU, as a share of those at capacity. A busy machine disturbs it least. */
  perCpu: number;
  /** Cores that were busy with the gateway, with the generator and with the stub. */
  cores: number[];
  /** Somebody who looks meanwhile, each time over a new connection. */
  probes: OpenOutcome[];
}
const rows: Row[] = [];

const generator = startOpenLoadGenerator();
const probes = probedPaths.map((path) => ({ path, generator: startOpenLoadGenerator() }));
for (const operation of operations) {
  for (const connections of options.connections.split(',')) await measureOverload(operation, connections === 'new');
}
for (const each of [generator, ...probes.map((probe) => probe.generator)]) each.stop();
conclude();

function measureOverload(operation: Operation, isNew: boolean): Promise<void> {
  const { document, deadlineMs, concurrencies } = jobs[operation];
  return withPeer(gateway, {}, async ({ url, pid }, stub) => {
    pinApart(pid, [generator.pid, stub.pid]);
    const measured = async (load: Pick<OpenJob, 'perSecond' | 'concurrency'>) => {
      const pids = [pid, generator.pid, stub.pid];
      const before = pids.map(cpuMilliseconds);
      const startedAt = performance.now();
      const probed = Promise.all(
        probes.map((probe) => {
          const job = { url: `http://127.0.0.1:${adminPort}${probe.path}`, perSecond: 20, deadlineMs: 10_000 };
          return probe.generator.send({ ...job, isNew: true, seconds });
        }),
      );
      const outcome = await generator.send({ url, document, deadlineMs, seconds, isNew, ...load });
      const elapsed = performance.now() - startedAt;
      const cores = pids.map((each, i) => (cpuMilliseconds(each) - before[i]!) / elapsed);
      return { ...outcome, isNew, cores, probes: await probed };
    };
    await generator.send({ url, document, deadlineMs: 60_000, seconds: 3, isNew, concurrency: concurrencies[0]! });
    let closed = 0;
    for (const concurrency of concurrencies) closed = Math.max(closed, (await measured({ concurrency })).perSecond);
    let capacity = 0;
    let capacityPerCpu = 0;
    let best: Row | undefined;
    for (const share of rising) {
      const open = await measured({ perSecond: share * closed });
      if (open.perSecond > capacity) best = { operation, least: 0, goodput: 1, perCpu: 1, ...open };
      capacity = Math.max(capacity, open.perSecond);
      capacityPerCpu = Math.max(capacityPerCpu, open.perSecond / open.cores[0]!);
    }
    if (best) rows.push(best);
    for (const { load, least } of steps) {
      const open = await measured({ perSecond: load * capacity });
      rows.push({
        operation,
        load,
        least,
        goodput: open.perSecond / capacity,
        perCpu: open.perSecond / open.cores[0]! / capacityPerCpu,
        ...open,
      });
      console.error(
        `${nameOf(rows.at(-1)!)} ${capacity.toFixed(0)}/s: ${((100 * open.perSecond) / capacity).toFixed(0)} %`,
        probesOf(rows.at(-1)!).join(' '),
      );
    }
  });
}

function conclude(): void {
  const report = [outcomesReport(), coresReport()].join('\n\n');
  console.log(report);
  const isPrompt = (probe: OpenOutcome) => probe.right === probe.sent && probe.p99 <= probeMs;
  if (rows.some(({ goodput, least, probes }) => goodput < least || !probes.every(isPrompt))) process.exitCode = 1;
  if (options.ops === 'small,page' && options.connections === 'open,new' && options.seconds === '3')
    writeResults('overload', { seconds, rows }, { report });
}

function outcomesReport(): string {
  const share = (part: number, row: Row) => `${((100 * part) / row.sent).toFixed(0)} %`;
  const cells = rows.map((row) => [
    nameOf(row),
    (row.sent / seconds).toFixed(0),
    row.perSecond.toFixed(0),
    `${(100 * row.goodput).toFixed(0)} %`,
    `${(100 * row.perCpu).toFixed(0)} %`,
    row.load ? `${100 * row.least} %` : '',
    row.load ? (row.goodput >= row.least ? 'met' : 'missed') : '',
    ...[row.refused, row.late, row.failed].map((part) => share(part, row)),
    // JSON turns an absent figure into null.
    ...[row.p50, row.p99, row.refusedP50, row.refusedP99].map((ms) => short(ms ?? undefined)),
    String(row.connections),
    ...probesOf(row),
  ]);
  return table(
    [
      'operation, load',
      'sent/s',
      'right/s',
      'goodput',
      'for its CPU',
      'at least',
      'verdict',
      '503',
      'late',
      'failed',
      'p50 ms',
      'p99 ms',
      '503 p50 ms',
      '503 p99 ms',
      'connections',
      ...probedPaths.map((path) => `${path} p99 ms`),
    ],
    cells,
  );
}

function coresReport(): string {
  const cells = rows.map((row) => [nameOf(row), ...row.cores.map((cores) => cores.toFixed(2))]);
  return `Cores that were busy\n\n${table(['operation, load', 'gateway', 'generator', 'stub'], cells)}`;
}

function nameOf({ operation, isNew, load }: Row): string {
  return `${operation}${isNew ? ' (new connections)' : ''}, ${load ? `${load} ×` : 'capacity'}`;
}

/** The time of the slowest of a hundred; unanswered: how many got no answer. */
function probesOf({ probes }: Row): string[] {
  return probes.map(({ sent, right, p99 }) =>
    right < sent ? `${sent - right} of ${sent} unanswered` : short(p99 ?? undefined),
  );
}
