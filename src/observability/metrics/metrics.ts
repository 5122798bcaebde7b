import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Service } from '../../graphql/context.ts';
import type { TrustedDocuments } from '../../graphql/trusted-documents/trusted-documents.ts';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import type { Traffic } from '../traffic.ts';
import { measureDocuments } from './documents.ts';
import { measureTraffic } from './traffic.ts';
import { measureUpstream } from './upstream.ts';

/** What is measured of the gateway. Labels name parts of the contract: nothing of callers, ids or keys is in them. */
export interface Measured {
  traffic: Traffic;
  service: Service;
  idempotency: Idempotency;
  documents: TrustedDocuments;
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
export function openMetrics(
  { traffic, service, idempotency, documents }: Measured,
  ofAllWorkers?: () => Promise<string>,
): Metrics {
  const ofGateway = new Registry();
  measureTraffic(ofGateway, traffic, idempotency);
  measureDocuments(ofGateway, documents);
  measureUpstream(ofGateway, service);
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
