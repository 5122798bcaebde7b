/**
 * The gain of a second worker: throughput, latency and CPU of our gateway with WORKERS=1 and with WORKERS=2.
 *
 *     node workers.ts [--ops cached,page] [--rounds 3]
 */
import { parseArgs } from 'node:util';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { pinApart } from './lib/pinning.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { type WorkerFigures, type WorkerSummary, workersPlot, workersReport } from './lib/worker-gain.ts';

const { values: options } = parseArgs({
  options: { ops: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const rounds = Number(options.rounds);
const ours = peerNamed('ours');

/**
 * More fields than a document may have by default, over the four cached lists. One caller has cached them, so that no call
 * is needed. The answer is short: the gateway has about ten times the work of the generator.
 */
const catalogs = ['currencies', 'products', 'cards', 'entityCards'];
const cached = `{ ${Array.from({ length: 280 }, (_, i) => `a${i}: ${catalogs[i % 4]} { count next }`).join(' ')} }`;

const jobs = {
  cached: { document: cached, callers: 1, warmUp: 600, requests: 1500 },
  page: { document: documentFor(ours, 'page'), warmUp: 600, requests: 1500 },
};
type Operation = keyof typeof jobs;
const operations = (options.ops?.split(',') ?? Object.keys(jobs)) as Operation[];
if (!operations.every((name) => name in jobs)) throw new Error(`There are only ${Object.keys(jobs).join(', ')}.`);
/** Connections go to the workers in turn: with many of them, each worker has half of the load. */
const concurrency = 32;
const workerCounts = [1, 2];

interface Row extends Measurement {
  round: number;
  operation: Operation;
  workers: number;
}
const rows: Row[] = [];

const generator = startLoadGenerator();
for (let round = 0; round < rounds; round++) {
  for (const workers of round % 2 ? workerCounts.toReversed() : workerCounts) await measureWith(workers, round);
  console.error(`Round ${round + 1} of ${rounds} is done.`);
}
generator.stop();
conclude();

async function measureWith(workers: number, round: number): Promise<void> {
  const peer = { ...ours, env: { ...ours.env, CONFIG: 'generous.yaml', WORKERS: String(workers) } };
  await withPeer(peer, {}, async (running, stub) => {
    await stub.change();
    pinApart(running.pid, [generator.pid, stub.pid]);
    for (const operation of operations) {
      const job = jobs[operation];
      // Each worker has its own code to make fast.
      const load = { ...job, warmUp: workers * job.warmUp, concurrency };
      const measurement = await measure(generator, running, stub, load);
      if (measurement.errors > 0) process.exitCode = 1;
      rows.push({ round, operation, workers, ...measurement });
    }
  });
}

function conclude(): void {
  const summary = operations.flatMap((operation) => workerCounts.map((workers) => summarised(operation, workers)));
  const report = `${concurrency} connections, medians of ${rounds} rounds.\n\n${workersReport(summary)}`;
  console.log(report);
  const isPart = options.ops || options.rounds !== '3';
  if (!isPart) writeResults('workers', { concurrency, rounds, summary, rows }, { report, plot: workersPlot(summary) });
}

function summarised(operation: Operation, workers: number): WorkerSummary {
  const measured = rows.filter((row) => row.operation === operation && row.workers === workers);
  const of = (figure: keyof WorkerFigures) => median(measured.map((row) => row[figure]));
  return {
    operation,
    workers,
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    upstreamCalls: of('upstreamCalls'),
    cpuMs: of('cpuMs'),
    generatorCpuMs: of('generatorCpuMs'),
    stubCpuMs: of('stubCpuMs'),
  };
}
