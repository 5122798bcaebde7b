/**
 * Memory: the peak under `page`, and the growth of our gateway's heap over 50,000 requests that no cache helps.
 *
 *     node memory.ts [--peers ours,textbook,floor] [--requests 50000]
 *
 * Fails when a series grows past the bound.
 */
import { parseArgs } from 'node:util';
import { usedHeapMiB } from './lib/heap.ts';
import { connectInspector } from './lib/inspector.ts';
import { startLoadGenerator } from './lib/load.ts';
import { measure } from './lib/measure.ts';
import { documentFor } from './lib/operations.ts';
import { choosePeers, type Peer, peerNamed } from './lib/peers.ts';
import { linePlot } from './lib/plot-lines.ts';
import { residentMiB } from './lib/process-tree.ts';
import { freePort } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string', default: 'floor,ours,textbook' },
    requests: { type: 'string', default: '50000' },
  },
});
const concurrency = 8;
const rounds = 3;
const steps = 5;
/** Enough to have loaded all code, too few to fill the caches. */
const warmUp = 100;
const requests = Number(options.requests);

/**
 * MiB that the heap may grow by. All caches are bounded: 64 MiB of lists, and some thousand plans and parsed documents.
 */
const bound = 128;

const ours = peerNamed('ours');
/** Every request of each comes from another caller, so that no cache of a caller helps the next. */
const series = [
  { name: 'one farmer', document: documentFor(ours, 'small') },
  { name: 'a list, cached for each caller', document: documentFor(ours, 'catalog') },
  {
    name: 'documents that are all different',
    document: documentFor(ours, 'small').replace('city', 'city_of___N__: city'),
  },
];

interface Growth {
  name: string;
  points: { requests: number; heapMiB: number; rssMiB: number }[];
}

const generator = startLoadGenerator();
const peaks = await measurePeaks(choosePeers(options.peers));
const growth: Growth[] = [];
for (const { name, document } of series) growth.push({ name, points: await measureGrowth(document) });
generator.stop();
conclude();

/** The highest RSS of a separate process that answers `page` 1,000 times. */
async function measurePeaks(peers: Peer[]): Promise<{ peer: string; peakRssMiB: number }[]> {
  const measured: { peer: string; peakRssMiB: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) {
      const load = { document: documentFor(peer, 'page'), concurrency, warmUp, requests: 1_200 };
      const { peakRssMiB } = await withPeer(peer, {}, async (running, stub) => {
        await stub.change();
        return measure(generator, running, stub, load);
      });
      measured.push({ peer: peer.name, peakRssMiB });
    }
  }
  return peers.map(({ name }) => ({
    peer: name,
    peakRssMiB: median(measured.filter(({ peer }) => peer === name).map(({ peakRssMiB }) => peakRssMiB)),
  }));
}

/** Heap and RSS after a warm-up, and after each fifth of the requests. */
async function measureGrowth(document: string): Promise<Growth['points']> {
  const port = await freePort();
  return withPeer(ours, { nodeFlags: [`--inspect=127.0.0.1:${port}`] }, async ({ url, pid }, stub) => {
    await stub.change();
    const inspector = await connectInspector(port);
    const points: Growth['points'] = [];
    const look = async (sent: number) =>
      points.push({ requests: sent, heapMiB: await usedHeapMiB(inspector), rssMiB: residentMiB(pid, 'VmRSS') });
    await generator.send({ url, document, concurrency, requests: warmUp });
    await look(0);
    for (let step = 1; step <= steps; step++) {
      const { errors, firstError } = await generator.send({ url, document, concurrency, requests: requests / steps });
      if (errors > 0) throw new Error(`${errors} answers are errors, the first is ${firstError}`);
      await look((requests / steps) * step);
    }
    inspector.close();
    return points;
  });
}

function conclude(): void {
  const report = [peaksReport(), growthReport()].join('\n\n');
  console.log(report);
  if (growth.some((each) => grownMiB(each) > bound)) process.exitCode = 1;
  const isPart = options.requests !== '50000' || options.peers !== 'floor,ours,textbook';
  if (!isPart) writeResults('memory', { concurrency, rounds, bound, peaks, growth }, { report, plot: plot() });
}

function peaksReport(): string {
  const textbook = peaks.find(({ peer }) => peer === 'textbook')?.peakRssMiB ?? Number.NaN;
  const rows = peaks.map(({ peer, peakRssMiB }) => [peer, peakRssMiB.toFixed(0), short(peakRssMiB / textbook)]);
  const title = `Peak RSS under page, concurrency ${concurrency}, median of ${rounds} processes`;
  return `${title}\n\n${table(['peer', 'MiB', 'relative to textbook'], rows)}`;
}

function growthReport(): string {
  const headings = growth[0]!.points.map((point) => point.requests.toLocaleString('en'));
  const rows = growth.map((each) => [
    each.name,
    ...each.points.map(({ heapMiB, rssMiB }) => `${heapMiB.toFixed(1)} (${rssMiB.toFixed(0)})`),
    grownMiB(each).toFixed(1),
  ]);
  const title = `Heap of ours after garbage collection (RSS), MiB, after so many requests; it may grow by ${bound} MiB`;
  return `${title}\n\n${table(['requests', ...headings, 'grown'], rows)}`;
}

function grownMiB({ points }: Growth): number {
  return points.at(-1)!.heapMiB - points[0]!.heapMiB;
}

function plot(): string {
  const lines = growth.map(({ name, points }) => ({
    label: name,
    points: points.map((point) => [point.requests, point.heapMiB] as [number, number]),
  }));
  const panels = [{ title: 'Heap in use, MiB', xTitle: 'requests', lines }];
  return linePlot({ title: 'Memory of the gateway over 50,000 requests', columns: 1, panels });
}
