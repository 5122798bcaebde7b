import { madeOnce } from './maps.ts';

const prefix = 'gateway_';

/** Upper bounds of buckets, in seconds. */
export const durationBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

/** Upper bounds of buckets, for numbers of things. */
export const sizeBuckets: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

type Labels<Label extends string = string> = Readonly<Record<Label, string | number>>;

interface MetricSample {
  labels: Labels;
  value: number;
  /** Where the samples of a metric have several names. */
  metricName?: string;
}

interface Described {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** One figure is made of those of several workers so. */
  aggregator: 'sum' | 'max' | 'min' | 'average';
}

/** A metric as the registry of prom-client reads it. Each gateway of a process has its own. */
export interface Metric extends Readonly<Described> {
  get(): Promise<Described & { values: MetricSample[] }>;
}

export interface Counter<Label extends string = never> extends Metric {
  /** Labels are needed where the counter has some. */
  inc(
    ...by: [Label] extends [never] ? [labels?: Labels<Label>, by?: number] : [labels: Labels<Label>, by?: number]
  ): void;
}

export interface Histogram<Label extends string> extends Metric {
  of(labels: Labels<Label>): Distribution;
}

/** `name`: without the prefix that all metrics of the gateway have. A counter without labels is 0 from the start. */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  const counts = new ByLabels(labelNames, () => ({ value: 0 }));
  const inc = (labels = {} as Labels<Label>, by = 1) => {
    counts.of(labels).value += by;
  };
  if (labelNames.length === 0) inc(undefined, 0);
  return { ...readCounter(name, help, () => counts.all.map(({ labels, part }) => ({ labels, ...part }))), inc };
}

/** `bounds`: the upper bounds of the buckets, in order. */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  bounds: readonly number[],
): Histogram<Label> {
  const parts = new ByLabels(labelNames, () => new Distribution(bounds));
  const metric = readMetric({ name, help, type: 'histogram', aggregator: 'sum' }, () =>
    parts.all.flatMap(({ labels, part }) => part.samples(metric.name, labels)),
  );
  return { ...metric, of: (labels) => parts.of(labels) };
}

/** Counts that are read at each scrape. */
export function readCounter(name: string, help: string, read: () => Iterable<MetricSample>): Metric {
  return readMetric({ name, help, type: 'counter', aggregator: 'sum' }, read);
}

/** Figures that are read at each scrape. */
export function readGauge(
  name: string,
  help: string,
  aggregator: Described['aggregator'],
  read: () => Iterable<MetricSample>,
): Metric {
  return readMetric({ name, help, type: 'gauge', aggregator }, read);
}

/** A figure without labels that is read at each scrape. */
export function gauge(
  name: string,
  help: string,
  read: () => number,
  aggregator: Described['aggregator'] = 'sum',
): Metric {
  return readGauge(name, help, aggregator, () => [{ labels: {}, value: read() }]);
}

function readMetric(described: Described, read: () => Iterable<MetricSample>): Metric {
  const prefixed = { ...described, name: prefix + described.name };
  return { ...prefixed, get: async () => ({ ...prefixed, values: [...read()] }) };
}

interface Branch<Part> {
  branches: Map<string | number, Branch<Part>>;
  part?: Part;
}

function newBranch<Part>(): Branch<Part> {
  return { branches: new Map() };
}

/**
 * The parts of a metric by their labels: a map for each label. The texts that prom-client makes of labels take six to ten
 * times as long.
 */
class ByLabels<Label extends string, Part> {
  readonly all: { labels: Labels; part: Part }[] = [];
  readonly #names: readonly Label[];
  readonly #newPart: () => Part;
  readonly #tree = newBranch<Part>();

  constructor(names: readonly Label[], newPart: () => Part) {
    this.#names = names;
    this.#newPart = newPart;
  }

  of(labels: Labels<Label>): Part {
    let branch = this.#tree;
    for (const name of this.#names) branch = madeOnce(branch.branches, labels[name], newBranch<Part>);
    if (!branch.part) {
      branch.part = this.#newPart();
      this.all.push({ labels, part: branch.part });
    }
    return branch.part;
  }
}

/** Values, counted by the bucket that they fall into. The last bucket is for those beyond all bounds. */
class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  /** Prometheus counts in a bucket what is in the smaller ones too. */
  samples(metric: string, labels: Labels): MetricSample[] {
    let count = 0;
    const buckets = this.#counts.map((inBucket, bucket) => {
      count += inBucket;
      const le = this.#bounds[bucket] ?? '+Inf';
      return { metricName: `${metric}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${metric}_sum`, labels, value: this.#sum },
      { metricName: `${metric}_count`, labels, value: count },
    ];
  }
}
