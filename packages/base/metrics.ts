import { Counter, Gauge, Histogram } from 'prom-client';
import type { Sample } from './metrics-text.ts';

export type { Counter, Gauge, Histogram };

// A process may run several gateways, each with its own figures: new metrics belong to no registry.

const prefix = 'gateway_';

/** Upper bounds of buckets, in seconds. */
export const durationBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Upper bounds of buckets, for numbers of things. */
export const sizeBuckets: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** `name`: without the prefix that all metrics of the gateway have. */
export function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  return new Counter({ name: prefix + name, help, labelNames, registers: [] });
}

export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: readonly number[],
): Histogram<Label> {
  return new Histogram({ name: prefix + name, help, labelNames, buckets: [...buckets], registers: [] });
}

export type Metric = Counter | Gauge | Histogram;

/** Counts that are read at each scrape. */
export function readCounter(
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Iterable<Sample>,
): Counter {
  return new Counter({
    name: prefix + name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      for (const { labels, value } of read()) this.inc(labels, value);
    },
  });
}

/** One figure is made of those of several workers so. */
type Aggregator = 'sum' | 'max' | 'min' | 'average';

/** Figures that are read at each scrape. */
export function readGauge(
  name: string,
  help: string,
  { labelNames, aggregator }: { labelNames: readonly string[]; aggregator: Aggregator },
  read: () => Iterable<Sample>,
): Gauge {
  return new Gauge({
    name: prefix + name,
    help,
    labelNames,
    aggregator,
    registers: [],
    collect() {
      this.reset();
      for (const { labels, value } of read()) this.set(labels, value);
    },
  });
}

/** A figure without labels that is read at each scrape. */
export function gauge(name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): Gauge {
  return readGauge(name, help, { labelNames: [], aggregator }, () => [{ labels: {}, value: read() }]);
}
