import type { Measurement } from './measure.ts';
import { gatewayCores, isPinned } from './pinning.ts';
import { barPlot } from './plot-bars.ts';
import { short, table } from './tables.ts';

export type WorkerFigures = Pick<
  Measurement,
  'perSecond' | 'p50' | 'p99' | 'upstreamCalls' | 'cpuMs' | 'generatorCpuMs' | 'stubCpuMs'
>;

/** The medians of one operation with so many workers. */
export interface WorkerSummary extends WorkerFigures {
  operation: string;
  workers: number;
}

/** The least gain of a second worker, as a multiple of the throughput, on two cores for the gateway alone. */
const leastGain = 1.85;

/** The tables of what a second worker brings. */
export function workersReport(summary: WorkerSummary[]): string {
  const figures = summary.map((each) => [
    `${each.operation}, ${each.workers}`,
    each.perSecond.toFixed(0),
    ...[each.p50, each.p99, each.upstreamCalls, each.cpuMs, each.generatorCpuMs, each.stubCpuMs].map(short),
  ]);
  const cores = summary.map((each) => [
    `${each.operation}, ${each.workers}`,
    ...[takenBy(each, 'cpuMs'), takenBy(each, 'generatorCpuMs'), takenBy(each, 'stubCpuMs'), freeCores(each)].map(
      (value) => value.toFixed(2),
    ),
  ]);
  const gains = operationsOf(summary).map((operation) => {
    const [one, two] = [find(summary, operation, 1), find(summary, operation, 2)];
    const gain = two.perSecond / one.perSecond;
    // The gateway could have used the CPU that the generator and the stub took.
    const unhindered = (gain * gatewayCores) / freeCores(two);
    const verdict = unhindered >= leastGain ? 'met' : 'missed';
    return [
      operation,
      ...[gain, two.cpuMs / one.cpuMs, unhindered, leastGain].map((value) => value.toFixed(2)),
      verdict,
    ];
  });
  return [
    table(
      ['operation, workers', 'requests/s', 'p50 ms', 'p99 ms', 'upstream calls', 'CPU ms', 'generator ms', 'stub ms'],
      figures,
    ),
    `Cores that were busy${isPinned ? '; the generator and the stub had their own' : ''}\n\n${table(
      ['operation, workers', 'gateway', 'generator', 'stub', 'free for the gateway'],
      cores,
    )}`,
    `Two workers relative to one\n\n${table(
      ['operation', 'requests/s', 'CPU', 'requests/s on two free cores', 'at least', 'verdict'],
      gains,
    )}`,
  ].join('\n\n');
}

/** Throughput with one worker and with two. */
export function workersPlot(summary: WorkerSummary[]): string {
  const panels = operationsOf(summary).map((operation) => ({
    title: operation,
    bars: summary
      .filter((each) => each.operation === operation)
      .map(({ workers, perSecond }) => ({ label: `WORKERS=${workers}`, value: perSecond, isOurs: workers > 1 })),
  }));
  return barPlot({ title: 'Requests per second with one worker and with two', unit: 'requests per second', panels });
}

function takenBy(measured: WorkerSummary, cpu: 'cpuMs' | 'generatorCpuMs' | 'stubCpuMs'): number {
  return (measured[cpu] * measured.perSecond) / 1000;
}

function freeCores(measured: WorkerSummary): number {
  if (isPinned) return gatewayCores;
  return gatewayCores - takenBy(measured, 'generatorCpuMs') - takenBy(measured, 'stubCpuMs');
}

function operationsOf(summary: WorkerSummary[]): string[] {
  return [...new Set(summary.map(({ operation }) => operation))];
}

function find(summary: WorkerSummary[], operation: string, workers: number): WorkerSummary {
  return summary.find((each) => each.operation === operation && each.workers === workers)!;
}
