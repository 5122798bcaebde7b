import { type MemoryUse, type Metric, readGauge } from '@gateway/base';
import { AggregatorRegistry, collectDefaultMetrics, type Metric as PrometheusMetric, Registry } from 'prom-client';
import { droppedLines } from './log-output.ts';

/** The metrics of one gateway. */
export interface GatewayMetrics {
  /** The answer to a scrape, in the text format of Prometheus: all metrics as they are now. */
  text(): Promise<string>;
  /** Those of this process alone. */
  own(): Promise<MetricsReport>;
}

/** One for the process, which may run several gateways: prom-client cannot remove its observers. */
let processRegistry: Registry | undefined;

/** The metrics of one worker, which the primary process adds to those of the others. */
export type MetricsReport = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The metrics of several workers. */
export interface SharedMetrics {
  /** Gives this function to the primary process, which calls it for each scrape. */
  report(read: () => Promise<MetricsReport>): void;
  /** The sums over the workers, as text. */
  text(): Promise<string>;
}

/**
 * The metrics of one gateway and of its process, in the order in which a scrape shows them. Labels name parts of a contract or of
 * the gateway, and no caller, id or key. `shared`: absent where one process serves alone.
 */
export function openMetrics(metrics: readonly Metric[], shared?: SharedMetrics): GatewayMetrics {
  const gatewayRegistry = registryOf([...metrics, droppedLines]);
  processRegistry ??= registryOfProcess();
  const all = Registry.merge([processRegistry, gatewayRegistry]);
  const own = () => all.getMetricsAsJSON();
  shared?.report(own);
  return { text: shared?.text ?? (() => all.metrics()), own };
}

/** In the primary process, whose own log counts too. */
export async function sumOfReports(reports: readonly MetricsReport[]): Promise<string> {
  const own = await registryOf([droppedLines]).getMetricsAsJSON();
  return AggregatorRegistry.aggregate([...reports, own]).metrics();
}

/** Memory that is taken, and that may be, by what takes it. */
export function memoryMetrics(memory: Readonly<Record<string, MemoryUse>>): Metric[] {
  const metric = (name: string, help: string, figure: keyof MemoryUse) =>
    readGauge(name, help, 'sum', () =>
      Object.entries(memory).map(([share, use]) => ({ labels: { share }, value: use[figure] })),
    );
  return [
    metric('memory_bytes', 'Memory that is taken, by share.', 'bytes'),
    metric('memory_limit_bytes', 'Memory that each share may take.', 'maxBytes'),
  ];
}

/** A registry calls nothing but `get` of a metric. */
function registryOf(metrics: readonly Metric[]): Registry {
  const registry = new Registry();
  for (const metric of metrics) registry.registerMetric(metric as unknown as PrometheusMetric);
  return registry;
}

function registryOfProcess(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
