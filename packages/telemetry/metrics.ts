import type { MetricsReport } from '@gateway/graphql-serve';
import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics';

type Report = MetricsReport[number];
type Labels = Report['values'][number]['labels'];

/** Gives the metrics of `/metrics`, by the same names, to an exporter of OpenTelemetry. */
export function metricsFrom(
  read: () => Promise<MetricsReport>,
  resource: Resource,
  scope: ScopeMetrics['scope'],
): MetricProducer {
  const startTime = now();
  return {
    async collect() {
      const reports = await read();
      const times = { startTime, endTime: now() };
      const metrics = reports.filter(({ values }) => values.length > 0).map((report) => metricOf(report, times));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

type Times = Pick<DataPoint<number>, 'startTime' | 'endTime'>;

/** Counts since the start of the process, as Prometheus has them too. */
const aggregationTemporality = AggregationTemporality.CUMULATIVE;

function metricOf(report: Report, times: Times): MetricData {
  const { name, help, values } = report;
  const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
  const type = String(report.type);
  if (type === 'histogram') {
    const dataPoints = histograms(report, times);
    return { descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = values.map(({ value, labels }) => ({ ...times, attributes: textsOf(labels), value }));
  return type === 'counter'
    ? { descriptor, aggregationTemporality, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** One histogram for each choice of labels. Prometheus counts in a bucket what is in the smaller ones too. */
function histograms({ name, values }: Report, times: Times): DataPoint<Histogram>[] {
  const points = new Map<
    string,
    { attributes: Record<string, string>; bounds: number[]; counts: number[]; sum: number }
  >();
  for (const { labels, value, ...sample } of values) {
    const { le, ...attributes } = textsOf(labels);
    const key = JSON.stringify(attributes);
    const point = points.get(key) ?? { attributes, bounds: [], counts: [], sum: 0 };
    points.set(key, point);
    const suffix = 'metricName' in sample ? String(sample.metricName).slice(name.length) : '';
    if (suffix === '_sum') point.sum = value;
    else if (suffix === '_bucket') {
      if (le !== '+Inf') point.bounds.push(Number(le));
      point.counts.push(value);
    }
  }
  return [...points.values()].map(({ attributes, bounds, counts, sum }) => {
    const inBuckets = counts.map((count, bucket) => count - (counts[bucket - 1] ?? 0));
    const count = counts.at(-1) ?? 0;
    return { ...times, attributes, value: { buckets: { boundaries: bounds, counts: inBuckets }, sum, count } };
  });
}

function textsOf(labels: Labels): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

/** In the units of OpenTelemetry (https://ucum.org). */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

function now(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
