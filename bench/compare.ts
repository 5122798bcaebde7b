/**
 * Compares the peers: answers, CPU, latency, upstream calls and memory for each operation.
 *
 *     node compare.ts [--peers a,b] [--ops page,deep] [--rounds 2] [--slices 4] [--concurrency 8] [--latency 0] [--alike] [--callers 1000] [--out name]
 *
 * In each round all peers start anew, and get warm. Then they take turns with short loads. A machine whose speed changes
 * then changes for all of them alike. Digits inside each row differ from answer to answer of the service;
 * with `--alike` equal calls have equal answers. With `--callers` so many callers send in turn; otherwise none sends twice.
 * Writes its results unless it was asked for a part; then only with `--out`.
 */
import { loadavg } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { comparisonReport, costPlot, latencyPlot } from './lib/comparison.ts';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { cases, codingOf, documentFor } from './lib/operations.ts';
import { choosePeers, type Peer, reference, versionsOf } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { ask, type RunningPeer, type RunningStub, startPeer, startStub, withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string' },
    ops: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '8' },
    latency: { type: 'string', default: '0' },
    alike: { type: 'boolean', default: false },
    callers: { type: 'string' },
    slices: { type: 'string', default: '4' },
    out: { type: 'string' },
  },
});
const latency = Number(options.latency);
const { alike } = options;
const callers = options.callers
  ? Array.from({ length: Number(options.callers) }, (_, index) => `Bearer caller-${index}`)
  : undefined;
const slices = Number(options.slices);
const rounds = Number(options.rounds);
const concurrency = Number(options.concurrency);
const operations = options.ops?.split(',') ?? [...cases];
const peers = choosePeers(options.peers);

/**
 * Requests before the first load, until V8 has compiled the code, and in each load: a second of the floor's. In a shorter
 * one the heap of a peer has room for all its requests, and nothing is collected. Under an upstream latency they are long,
 * and CPU is not what is asked.
 */
const requests: Record<string, { warmUp: number; load: number; loadWithLatency: number }> = {
  small: { warmUp: 40_000, load: 12_000, loadWithLatency: 300 },
  page: { warmUp: 1_500, load: 400, loadWithLatency: 80 },
  deep: { warmUp: 450, load: 150, loadWithLatency: 32 },
  'deep+gzip': { warmUp: 150, load: 150, loadWithLatency: 32 },
  catalog: { warmUp: 30_000, load: 8_000, loadWithLatency: 300 },
  idonly: { warmUp: 2_500, load: 1_000, loadWithLatency: 80 },
};

interface Row extends Measurement {
  round: number;
  slice: number;
  peer: string;
  operation: string;
}
const rows: Row[] = [];
const starts: { peer: string; startMs: number }[] = [];
const wrong = new Set<string>();

const expected = await withPeer(reference, {}, ({ url }) => answersOf(reference, url));
const generator = startLoadGenerator();
for (let round = 0; round < rounds; round++) {
  const started = await startAll();
  try {
    for (const operation of operations) await measureInTurn(round, operation, started);
  } finally {
    for (const { running, stub } of started) await Promise.all([running.stop(), stub.stop()]);
  }
  console.error(`Round ${round + 1} of ${rounds} is done (load average ${loadavg()[0]!.toFixed(1)}).`);
}
generator.stop();
conclude();

interface Started {
  peer: Peer;
  running: RunningPeer;
  stub: RunningStub;
}

/** Each peer over a stub of its own. */
async function startAll(): Promise<Started[]> {
  const started: Started[] = [];
  for (const peer of peers) {
    const stub = await startStub({ latency });
    const running = await startPeer(peer, stub.url);
    starts.push({ peer: peer.name, startMs: running.startMs });
    if (peer.comparable !== false) await compareAnswers(peer, running.url);
    if (!alike) {
      await stub.change();
      await compareFreshness(peer, running.url);
    }
    started.push({ peer, running, stub });
  }
  return started;
}

async function measureInTurn(round: number, operation: string, started: Started[]): Promise<void> {
  const measured = started
    .filter(({ peer }) => !wrong.has(`${peer.name} ${operation}`))
    .map((each) => ({ ...each, job: jobOf(each.peer, operation), ...requestsFor(each.peer, operation) }));
  for (const { running, job, warmUp } of measured) await generator.send({ ...job, url: running.url, requests: warmUp });
  for (let slice = 0; slice < slices; slice++) {
    // Another order in each turn, so that no peer always follows the same peer.
    const first = (round + slice) % measured.length;
    for (const { peer, running, stub, job, load } of [...measured.slice(first), ...measured.slice(0, first)]) {
      // V8 shrinks the heap of a process that waits for its turn.
      await generator.send({ ...job, url: running.url, requests: Math.ceil(load / 2) });
      const measurement = await measure(generator, running, stub, { ...job, requests: load });
      rows.push({ round, slice, peer: peer.name, operation, ...measurement });
    }
  }
}

function jobOf(peer: Peer, operation: string) {
  return {
    document: documentFor(peer, operation),
    accepts: codingOf(operation),
    concurrency,
    ...(callers && { callers }),
  };
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

/** A peer whose cache gives one caller the answer of another has less work than the others. */
async function compareFreshness(peer: Peer, url: string): Promise<void> {
  const document = documentFor(peer, 'catalog');
  const [one, other] = [await ask(url, document, 'Bearer one'), await ask(url, document, 'Bearer other')];
  if (!isDeepStrictEqual(one, other)) return;
  console.error(`${peer.name} gives two callers the same answer.`);
  process.exitCode = 1;
}

async function answersOf(peer: Peer, url: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const name of operations) answers[name] = (await ask(url, documentFor(peer, name), 'Bearer compare')).body;
  return answers;
}

function requestsFor({ share = 1 }: Peer, operation: string): { warmUp: number; load: number } {
  const { warmUp, load, loadWithLatency } = requests[operation]!;
  const wanted = latency === 0 ? load : loadWithLatency;
  return { warmUp: Math.max(30, Math.round(warmUp * share)), load: Math.max(16, Math.round(wanted * share)) };
}

function conclude(): void {
  const summary = peers.flatMap(({ name: peer }) =>
    operations.flatMap((operation) => {
      const measured = rows.filter((row) => row.peer === peer && row.operation === operation);
      return measured.length > 0
        ? [{ peer, operation, ...summarised(measured), cpuRatios: cpuRatiosOf(measured) }]
        : [];
    }),
  );
  const startMs = Object.fromEntries(
    peers.map(({ name }) => [name, median(starts.filter(({ peer }) => peer === name).map((start) => start.startMs))]),
  );
  const load = `${alike ? 'equal answers' : 'answers that change'}, ${callers?.length ?? 'ever new'} callers`;
  const heading = `Concurrency ${concurrency}, upstream latency ${latency} ms, ${load}, medians of ${rounds} rounds of ${slices} loads.`;
  const versions = versionsOf(peers);
  const named = Object.entries(versions).map((each) => each.join(' '));
  const report = `${heading}\nNode ${process.version.slice(1)}, ${named.join(', ')}.\n\n${comparisonReport(summary, latency, wrong)}`;
  console.log(report);
  const isUsual = options.rounds === '2' && options.slices === '4' && options.concurrency === '8';
  const isPart = options.peers || options.ops || callers || !isUsual;
  const usual = ['bench', ...(alike ? ['alike'] : []), ...(latency > 0 ? [`latency-${latency}`] : [])].join('-');
  const name = options.out ?? (isPart ? undefined : usual);
  if (!name) return;
  const plot = latency === 0 ? costPlot(summary) : latencyPlot(summary, latency);
  writeResults(
    name,
    { concurrency, latency, alike, versions, rounds, slices, wrong: [...wrong], startMs, summary, rows },
    { report, plot },
  );
}

/** CPU relative to that of each peer in the same turn: the median over the turns, by peer. */
function cpuRatiosOf(measured: Row[]): Record<string, number> {
  const ratios = peers.map(({ name }) => {
    const ofTurns = measured.flatMap(({ round, slice, operation, cpuMs }) => {
      const other = rows.find(
        (row) => row.peer === name && row.operation === operation && row.round === round && row.slice === slice,
      );
      return other ? [cpuMs / other.cpuMs] : [];
    });
    return [name, median(ofTurns)] as const;
  });
  return Object.fromEntries(ratios);
}

/** The median over the loads of each figure, and how far CPU was spread. */
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
