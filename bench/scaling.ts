/**
 * How CPU, latency and upstream calls grow: with rows, depth, callers and connections. Fails where the CPU of our gateway
 * grows faster than its rows, or with its connections.
 *
 *     node scaling.ts [--peers floor,ours,textbook] [--series rows,references,levels,depth,callers,connections] [--rounds 3]
 */
import { parseArgs } from 'node:util';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { documentFor } from './lib/operations.ts';
import { choosePeers, type Peer } from './lib/peers.ts';
import { linePlot } from './lib/plot-lines.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { type Series, series } from './lib/scaling-series.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'string', default: 'floor,ours,textbook' },
    series: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
});
const peers = choosePeers(options.peers);
const wanted = options.series?.split(',') ?? Object.keys(series);
const rounds = Number(options.rounds);

const mostRows = 10_000;

interface Row extends Measurement {
  series: string;
  peer: string;
  value: number;
}
const figures = [
  ['cpuMs', 'CPU ms per request'],
  ['p50', 'Median latency, ms'],
  ['upstreamCalls', 'Upstream calls per request'],
] as const;

const generator = startLoadGenerator();
const rows: Row[] = [];
for (let round = 0; round < rounds; round++) {
  for (const name of wanted) {
    for (const peer of peers.filter((each) => canRun(each, seriesNamed(name)))) await measureSeries(name, peer);
    console.error(`Round ${round + 1} of ${rounds}: ${name} is done.`);
  }
}
generator.stop();
conclude();

/** The floor knows the operations of ops/ and no others. */
function canRun({ name }: Peer, { isForFloor }: Series): boolean {
  return isForFloor || name !== 'floor';
}

/** The stub allows pages of all rows, so that every peer can read them. Our gateway may make a call for each of them. */
async function measureSeries(name: string, { env, ...peer }: Peer): Promise<void> {
  const { values, jobFor } = seriesNamed(name);
  const generous = { ...peer, env: { ...env, CONFIG: 'generous.yaml' } };
  await withPeer(generous, { maxLimit: mostRows, rows: mostRows }, async (running, stub) => {
    await stub.change();
    for (const value of values) {
      const measurement = await measure(generator, running, stub, jobFor(value, documentFor(peer, 'page')));
      rows.push({ series: name, peer: peer.name, value, ...measurement });
    }
  });
}

function seriesNamed(name: string): Series {
  const found = series[name];
  if (!found) throw new Error(`No series ${name}; there are ${Object.keys(series).join(', ')}.`);
  return found;
}

function conclude(): void {
  const report = wanted.flatMap((name) => figures.map(([figure, title]) => tableOf(name, figure, title))).join('\n\n');
  const grown = growth();
  console.log(`${report}\n\n${grown.report}`);
  if (!grown.isMet) process.exitCode = 1;
  const isPart = options.series || options.rounds !== '3' || options.peers !== 'floor,ours,textbook';
  if (!isPart) writeResults('scaling', { rounds, rows }, { report: `${report}\n\n${grown.report}`, plot: plot() });
}

function tableOf(name: string, figure: keyof Measurement, title: string): string {
  const { values } = seriesNamed(name);
  const cells = peersOf(name).map((peer) => [peer, ...values.map((value) => short(at(name, peer, value, figure)))]);
  return `${title}, by ${name}\n\n${table(['peer', ...values.map(String)], cells)}`;
}

/** How the CPU of ours grows from the first to the last value of a series. */
function growth(): { report: string; isMet: boolean } {
  const grown = wanted.flatMap((name) => {
    const { growth, values } = seriesNamed(name);
    const last = values.at(-1)!;
    if (!growth || !peersOf(name).includes('ours')) return [];
    const cpu = (value: number) => at(name, 'ours', value, 'cpuMs') / (growth.isPerRow ? value : 1);
    const factor = cpu(last) / cpu(growth.from);
    return { name, ...growth, last, factor, isMet: factor <= growth.atMost };
  });
  const cells = grown.map(({ name, from, last, isPerRow, factor, atMost, isMet }) => [
    `${name}, ${from} → ${last}`,
    isPerRow ? 'row' : 'request',
    ...[factor, atMost].map((value) => value.toFixed(2)),
    isMet ? 'met' : 'missed',
  ]);
  return {
    report: `CPU of our gateway, last relative to first\n\n${table(['series', 'for each', 'is', 'at most', 'verdict'], cells)}`,
    isMet: grown.every(({ isMet }) => isMet),
  };
}

function plot(): string {
  const panels = figures.flatMap(([figure, title]) =>
    wanted.map((name) => ({
      title,
      xTitle: name,
      lines: peersOf(name).map((peer) => ({
        label: peer,
        points: seriesNamed(name).values.map((value): [number, number] => [value, at(name, peer, value, figure)]),
      })),
    })),
  );
  return linePlot({ title: 'Growth with rows, depth, callers and connections', columns: wanted.length, panels });
}

/** Ours first, because the first line has the colour of ours. */
function peersOf(name: string): string[] {
  const measured = new Set(rows.filter((row) => row.series === name).map(({ peer }) => peer));
  return ['ours', ...measured].filter((peer, i, all) => measured.has(peer) && all.indexOf(peer) === i);
}

function at(name: string, peer: string, value: number, figure: keyof Measurement): number {
  const measured = rows.filter((row) => row.series === name && row.peer === peer && row.value === value);
  return median(measured.map((row) => row[figure]));
}
