import type { Measurement } from './measure.ts';
import { barPlot } from './plot-bars.ts';
import { short, table } from './tables.ts';

/** The medians of one peer for one operation. */
export interface Summary extends Measurement {
  peer: string;
  operation: string;
  cpuMsLowest: number;
  cpuMsHighest: number;
  /** CPU relative to that of other peers. */
  cpuRatios: Record<string, number>;
}

/** Differences up to this share are noise: rounds of one peer differ as much. */
const tolerance = 0.05;

/** The highest cost allowed for our gateway, as a multiple of the floor's. */
const targets: Record<string, number> = {
  small: 1.05,
  page: 1,
  deep: 1.05,
  'deep+gzip': 1.05,
  catalog: 1.3,
  idonly: 1.05,
};
const latencyTargets = { p50: { page: 1.05, deep: 1.05 }, p99: { page: 1, deep: 1 } };

/** The tables of a comparison. `wrong` holds "peer operation" for wrong answers. */
export function comparisonReport(summary: Summary[], latency: number, wrong: ReadonlySet<string>): string {
  const sections: string[] = [];
  const add = (title: string, cell: (entry: Summary) => string) => {
    const { operations, peers } = axesOf(summary);
    const rows = peers.map((peer) => [
      peer,
      ...operations.map((operation) => {
        const entry = find(summary, peer, operation);
        return entry ? cell(entry) : wrong.has(`${peer} ${operation}`) ? 'wrong' : '-';
      }),
    ]);
    sections.push(`${title}\n\n${table(['peer', ...operations], rows)}`);
  };
  add(
    'CPU ms per request (lowest-highest load)',
    ({ cpuMs, cpuMsLowest, cpuMsHighest }) => `${short(cpuMs)} (${short(cpuMsLowest)}-${short(cpuMsHighest)})`,
  );
  for (const base of ['floor', 'textbook']) {
    const ratio = (entry: Summary) => relativeTo(summary, base, entry, 'cpuMs');
    if (summary.some(({ peer }) => peer === base)) add(`CPU relative to ${base}`, (entry) => short(ratio(entry)));
  }
  add('p50 / p99 ms', ({ p50, p99 }) => `${short(p50)} / ${short(p99)}`);
  add('Requests per second', ({ perSecond }) => perSecond.toFixed(0));
  add('Upstream calls per request', ({ upstreamCalls }) => upstreamCalls.toFixed(2));
  add('Peak RSS, MiB', ({ peakRssMiB }) => peakRssMiB.toFixed(0));
  add('Bytes of an answer', ({ bytes }) => bytes.toFixed(0));
  return [...sections, ...targetsReport(summary, latency), ...rivalsReport(summary, latency)].join('\n\n');
}

function targetsReport(summary: Summary[], latency: number): string[] {
  const wanted = latency === 0 ? { cpuMs: targets } : latencyTargets;
  const rows = Object.entries(wanted).flatMap(([figure, limits]) =>
    Object.entries(limits).flatMap(([operation, limit]) => {
      const ours = find(summary, 'ours', operation);
      const ratio = ours && relativeTo(summary, 'floor', ours, figure as keyof Measurement);
      if (ratio === undefined) return [];
      const verdict = ratio <= limit ? 'met' : ratio <= limit * (1 + tolerance) ? 'within tolerance' : 'missed';
      return [[`${operation} ${figure}`, ratio.toFixed(2), limit.toFixed(2), verdict]];
    }),
  );
  if (rows.length === 0) return [];
  const title = `Ours relative to floor, tolerance ${tolerance * 100} %`;
  return [`${title}\n\n${table(['figure', 'is', 'at most', 'verdict'], rows)}`];
}

/** The peers that take less CPU than ours. */
function rivalsReport(summary: Summary[], latency: number): string[] {
  const rows = summary.flatMap(({ peer, operation, cpuRatios }) => {
    if (peer !== 'ours' || latency > 0) return [];
    const ahead = Object.entries(cpuRatios).filter(([rival, ratio]) => rival !== 'floor' && ratio > 1 + tolerance);
    return ahead.map(([rival, ratio]) => [operation, rival, ratio.toFixed(2)]);
  });
  if (rows.length === 0) return [];
  return [`Peers that take less CPU than ours\n\n${table(['operation', 'peer', 'ours relative to it'], rows)}`];
}

/** CPU of each peer, for each operation. */
export function costPlot(summary: Summary[]): string {
  return barPlot({ title: 'CPU milliseconds per request', unit: 'ms', panels: panelsOf(summary, 'cpuMs') });
}

/** The median latency of each peer, for each operation. */
export function latencyPlot(summary: Summary[], latency: number): string {
  const title = `Median latency at ${latency} ms for each upstream call`;
  return barPlot({ title, unit: 'ms', panels: panelsOf(summary, 'p50') });
}

function panelsOf(summary: Summary[], figure: keyof Measurement) {
  return axesOf(summary).operations.map((operation) => ({
    title: operation,
    bars: summary
      .filter((entry) => entry.operation === operation)
      .map((entry) => ({ label: entry.peer, value: entry[figure], isOurs: entry.peer === 'ours' })),
  }));
}

function axesOf(summary: Summary[]): { peers: string[]; operations: string[] } {
  const distinct = (key: 'peer' | 'operation') => [...new Set(summary.map((entry) => entry[key]))];
  return { peers: distinct('peer'), operations: distinct('operation') };
}

/** CPU is compared turn by turn, latency by its medians. */
function relativeTo(summary: Summary[], base: string, entry: Summary, figure: keyof Measurement): number | undefined {
  if (figure === 'cpuMs') return entry.cpuRatios[base];
  const other = find(summary, base, entry.operation);
  return other && entry[figure] / other[figure];
}

function find(summary: Summary[], peer: string, operation: string): Summary | undefined {
  return summary.find((entry) => entry.peer === peer && entry.operation === operation);
}
