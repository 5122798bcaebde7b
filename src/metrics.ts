import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Calls } from './reads/calls.ts';
import type { Drift } from './reads/drift.ts';

/** What is measured of the gateway. Labels name parts of the contract: nothing of callers, ids or keys is in them. */
export interface Measured {
  calls: Calls;
  drift: Drift;
}

/** What a scraper reads, in the text format of Prometheus. */
export interface Metrics {
  contentType: string;
  /** All metrics as they are now. */
  text(): Promise<string>;
}

/** Of the process, however many gateways it has: nothing takes its observers away again. */
let ofProcess: Registry | undefined;

/**
 * The metrics of one gateway, and those of its process. What is counted on the way is read only when somebody asks.
 * `ofAllWorkers`: where this process is one of several, asks the primary process for the sums over all of them.
 */
export function openMetrics({ calls, drift }: Measured, ofAllWorkers?: () => Promise<string>): Metrics {
  const ofGateway = new Registry();
  const registers = [ofGateway];
  new Counter({
    name: 'gateway_upstream_calls_total',
    help: 'Calls of the service by the status of their answer; none where no answer came, or nobody waited for it.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { operation, status = 'none', count } of calls.counts()) this.inc({ operation, status }, count);
    },
  });
  new Counter({
    name: 'gateway_upstream_drift_total',
    help: 'Fields of answers that are unknown, missing or of another type than the contract says, as far as looked at.',
    labelNames: ['operation', 'field', 'kind'],
    registers,
    collect() {
      this.reset();
      for (const { count, ...labels } of drift.counts()) this.inc(labels, count);
    },
  });
  ofProcess ??= processMetrics();
  const registries = [ofProcess, ofGateway];
  const all = Registry.merge(registries);
  if (ofAllWorkers) {
    AggregatorRegistry.setRegistries(registries);
    listenToEachOther();
  }
  return { contentType: all.contentType, text: ofAllWorkers ?? (() => all.metrics()) };
}

/** In the primary process: the metrics of all workers, added up. Rejects when one does not answer in five seconds. */
export function metricsOfWorkers(): () => Promise<string> {
  const workers = listenToEachOther();
  return () => workers.clusterMetrics();
}

function processMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

/** The constructor is what makes a process ask its workers, or a worker answer. */
function listenToEachOther(): AggregatorRegistry<typeof Registry.PROMETHEUS_CONTENT_TYPE> {
  return new AggregatorRegistry();
}
