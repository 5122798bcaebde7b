import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Distribution } from '../../lib/distribution.ts';

/** Metrics of which the figures are elsewhere, and read when somebody asks. */

export interface Declared {
  /** Without the prefix that all have. */
  name: string;
  help: string;
  labels?: readonly string[];
}

type Labels = Record<string, string | number>;

export function counter(register: Registry, declared: Declared, read: () => Iterable<[Labels, number]>): void {
  new Counter({
    ...configuration(register, declared),
    collect() {
      this.reset();
      for (const [labels, count] of read()) this.inc(labels, count);
    },
  });
}

export function gauge(register: Registry, declared: Declared, read: () => number): void {
  gauges(register, declared, () => [[{}, read()]]);
}

/** `aggregator`: what is made of the figures of several workers. */
export function gauges(
  register: Registry,
  declared: Declared,
  read: () => Iterable<[Labels, number]>,
  aggregator: 'sum' | 'max' = 'sum',
): void {
  new Gauge({
    ...configuration(register, declared),
    aggregator,
    collect() {
      this.reset();
      for (const [labels, value] of read()) this.set(labels, value);
    },
  });
}

export function histogram(register: Registry, declared: Declared, read: () => Iterable<[Labels, Distribution]>): void {
  const { name, help } = configuration(register, declared);
  const values = () =>
    [...read()].flatMap(([sharedLabels, { bounds, upTo, sum }]) => [
      ...upTo.map((value, index) => {
        return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf' }, sharedLabels, value };
      }),
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: upTo.at(-1) ?? 0 },
    ]);
  /** A histogram of prom-client cannot be told what it has not counted itself; this is what it is asked for in the end. */
  class Read extends Histogram {
    async getForPromString() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: values() };
    }
  }
  new Read({ name, help, registers: [register] });
}

function configuration(register: Registry, { name, help, labels = [] }: Declared) {
  return { name: `gateway_${name}`, help, labelNames: [...labels], registers: [register] };
}
