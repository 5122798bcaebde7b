/**
 * Compares the peers: answers, CPU, latency, upstream calls and memory for each operation.
 *
 *     node compare.ts [--peers a,b] [--ops page,deep] [--rounds 3] [--concurrency 8] [--latency 0] [--changing] [--out name]
 *
 * With `--changing` the service never gives two answers of the same bytes, so that none can be known from before.
 * Writes its results unless it was asked for a part; then only with `--out`.
 */
import { loadavg } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { comparisonReport, costPlot, latencyPlot } from './lib/comparison.ts';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { cases, codingOf, documentFor } from './lib/operations.ts';
import { choosePeers, type Peer, reference } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { ask, type RunningPeer, type RunningStub, withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string' },
    ops: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '8' },
    latency: { type: 'string', default: '0' },
    changing: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const latency = Number(options.latency);
const { changing } = options;
const rounds = Number(options.rounds);
const concurrency = Number(options.concurrency);
const operations = options.ops?.split(',') ?? [...cases];
const peers = choosePeers(options.peers);

/** Requests before the load and in it. Under an upstream latency they are long, and CPU is not what is asked. */
const requests: Record<string, { warmUp: number; load: number; loadWithLatency: number }> = {
  small: { warmUp: 1500, load: 3000, loadWithLatency: 1200 },
  page: { warmUp: 200, load: 500, loadWithLatency: 400 },
  deep: { warmUp: 80, load: 200, loadWithLatency: 200 },
  'deep+gzip': { warmUp: 80, load: 200, loadWithLatency: 200 },
  catalog: { warmUp: 800, load: 2000, loadWithLatency: 1200 },
  idonly: { warmUp: 200, load: 600, loadWithLatency: 400 },
};

interface Row extends Measurement {
  round: number;
  peer: string;
  operation: string;
}
const rows: Row[] = [];
const starts: { peer: string; startMs: number }[] = [];
const wrong = new Set<string>();

const expected = await withPeer(reference, {}, ({ url }) => answersOf(reference, url));
const generator = startLoadGenerator();
for (let round = 0; round < rounds; round++) {
  for (const peer of inOrderOf(round)) {
    try {
      await withPeer(peer, { latency, changing }, (running, stub) => measurePeer(round, peer, running, stub));
      console.error(
        `Round ${round + 1} of ${rounds}: ${peer.name} is done (load average ${loadavg()[0]!.toFixed(1)}).`,
      );
    } catch (error) {
      console.error(`Round ${round + 1} of ${rounds}: ${peer.name} failed.`, error);
      process.exitCode = 1;
    }
  }
}
generator.stop();
conclude();

/** Another order in each round, so that no peer always follows the same peer. */
function inOrderOf(round: number): Peer[] {
  return peers.map((_, i) => peers[(i + round * 4) % peers.length]!);
}

async function measurePeer(round: number, peer: Peer, running: RunningPeer, stub: RunningStub): Promise<void> {
  starts.push({ peer: peer.name, startMs: running.startMs });
  if (peer.comparable !== false) await compareAnswers(peer, running.url);
  for (const operation of operations) {
    if (wrong.has(`${peer.name} ${operation}`)) continue;
    const load = {
      document: documentFor(peer, operation),
      accepts: codingOf(operation),
      concurrency,
      ...requestsFor(peer, operation),
    };
    rows.push({ round, peer: peer.name, operation, ...(await measure(generator, running, stub, load)) });
  }
}

/** A peer with a different answer is not measured: its figure would be that of other work. */
async function compareAnswers(peer: Peer, url: string): Promise<void> {
  const answers = await answersOf(peer, url);
  for (const operation of operations.filter((name) => !isDeepStrictEqual(answers[name], expected[name]))) {
    wrong.add(`${peer.name} ${operation}`);
    console.error(`${peer.name} answers ${operation} wrongly: ${JSON.stringify(answers[operation]).slice(0, 300)}`);
    process.exitCode = 1;
  }
}

async function answersOf(peer: Peer, url: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of operations) answers[name] = (await ask(url, documentFor(peer, name), 'Bearer compare')).body;
  return answers;
}

function requestsFor({ share = 1 }: Peer, operation: string): { warmUp: number; requests: number } {
  const { warmUp, load, loadWithLatency } = requests[operation]!;
  const wanted = latency === 0 ? load : loadWithLatency;
  return { warmUp: Math.max(30, Math.round(warmUp * share)), requests: Math.max(40, Math.round(wanted * share)) };
}

function conclude(): void {
  const summary = peers.flatMap(({ name: peer }) =>
    operations.flatMap((operation) => {
      const measured = rows.filter((row) => row.peer === peer && row.operation === operation);
      return measured.length > 0 ? [{ peer, operation, ...summarised(measured) }] : [];
    }),
  );
  const startMs = Object.fromEntries(
    peers.map(({ name }) => [name, median(starts.filter(({ peer }) => peer === name).map((start) => start.startMs))]),
  );
  const heading = `Concurrency ${concurrency}, upstream latency ${latency} ms,${changing ? ' answers that change,' : ''} medians of ${rounds} rounds.`;
  const report = `${heading}\n\n${comparisonReport(summary, latency, wrong)}`;
  console.log(report);
  const isPart = options.peers || options.ops || options.rounds !== '3' || options.concurrency !== '8' || changing;
  const name = options.out ?? (isPart ? undefined : latency === 0 ? 'bench' : `bench-latency-${latency}`);
  if (!name) return;
  const plot = latency === 0 ? costPlot(summary) : latencyPlot(summary, latency);
  writeResults(
    name,
    { concurrency, latency, changing, rounds, wrong: [...wrong], startMs, summary, rows },
    { report, plot },
  );
}

/** The median over the rounds of each figure, and how far CPU was spread. */
function summarised(measured: Row[]) {
  const of = (key: keyof Measurement) => median(measured.map((row) => row[key]));
  const cpu = measured.map(({ cpuMs }) => cpuMs);
  return {
    cpuMs: of('cpuMs'),
    cpuMsLowest: Math.min(...cpu),
    cpuMsHighest: Math.max(...cpu),
    generatorCpuMs: of('generatorCpuMs'),
    stubCpuMs: of('stubCpuMs'),
    p50: of('p50'),
    p99: of('p99'),
    perSecond: of('perSecond'),
    upstreamCalls: of('upstreamCalls'),
    peakRssMiB: of('peakRssMiB'),
    bytes: of('bytes'),
    errors: Math.max(...measured.map(({ errors }) => errors)),
  };
}
