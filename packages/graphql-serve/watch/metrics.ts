import { type FairQueue, gauge, type MemoryBudget, type MemoryUse, readCounter, readGauge } from '@gateway/base';
import type { CallCost, Service, Upstream } from '@gateway/rest-graph';
import type { ExportCounts } from '@gateway/telemetry';
import type { ElementUses } from '@gateway/usage';
import { AggregatorRegistry, type Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { OperationCache } from '../operations/operation-cache.ts';
import type { TrustedDocuments } from '../operations/trusted-documents/trusted-documents.ts';
import type { OtherGateways } from '../share/other-gateways.ts';
import { droppedLines } from './log-output.ts';
import type { Traffic } from './traffic.ts';

/** The parts of a gateway that have metrics. Labels name parts of the contract, and no caller, id or key. */
export interface Measured {
  traffic: Traffic;
  /** The places of running operations. */
  places: { readonly waiting: number; readonly refused: Counter };
  service: Service;
  idempotency: Idempotency;
  documents: TrustedDocuments;
  operations: OperationCache;
  elements: ElementUses;
  memory: MemoryBudget;
  /** Undefined where the gateway serves no files of the service. */
  mediaQueue: FairQueue | undefined;
  exported: ExportCounts;
  others: OtherGateways;
  /** Undefined where the gateway has no Redis. */
  redis: RedisRisks | undefined;
  /** The number of workers that are to serve. */
  workers: number;
}

/** Each is undefined where Redis does not show it. */
interface RedisRisks {
  settings: { mayEvict: boolean | undefined; writesToDisk: boolean | undefined };
}

/** The answer to a scrape, in the text format of Prometheus. */
export interface Metrics {
  contentType: string;
  /** All metrics as they are now. */
  text(): Promise<string>;
}

/** The metrics of one gateway. */
export interface GatewayMetrics extends Metrics {
  /** Those of this process alone. */
  own(): Promise<MetricsReport>;
}

export const contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;

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

/** The metrics of one gateway and of its process. `shared`: absent where one process serves alone. */
export function openMetrics(measured: Measured, shared?: SharedMetrics): GatewayMetrics {
  const gatewayRegistry = new Registry();
  for (const metric of metricsOf(measured)) gatewayRegistry.registerMetric(metric);
  processRegistry ??= registryOfProcess();
  const all = Registry.merge([processRegistry, gatewayRegistry]);
  const own = () => all.getMetricsAsJSON();
  shared?.report(own);
  return { contentType, text: shared?.text ?? (() => all.metrics()), own };
}

/** In the primary process, whose own log counts too. */
export async function sumOfReports(reports: readonly MetricsReport[]): Promise<string> {
  const own = new Registry();
  own.registerMetric(droppedLines);
  return AggregatorRegistry.aggregate([...reports, await own.getMetricsAsJSON()]).metrics();
}

/** All metrics of a gateway, in the order in which a scrape shows them. */
function metricsOf(measured: Measured): Metric<string>[] {
  const {
    traffic,
    places,
    service,
    idempotency,
    documents,
    operations,
    elements,
    memory,
    mediaQueue,
    exported,
    others,
    redis,
    workers,
  } = measured;
  const { upstream, batches } = service;
  const { calls, concurrency, costs, listCache, queue } = upstream;
  return [
    traffic.operations,
    traffic.seconds,
    gauge('operations_in_flight', 'Operations that are not answered yet.', () => traffic.inFlight),
    gauge('operations_queued', 'Operations that wait until they may run.', () => places.waiting),
    places.refused,
    traffic.errors,
    traffic.operationsWithErrors,
    traffic.answers,
    traffic.uploads,
    traffic.uploadedBytes,
    traffic.media,
    traffic.mediaBytes,
    gauge('media_in_flight', 'Files of the service that the gateway is sending.', () => mediaQueue?.running ?? 0),
    gauge('media_waiting', 'Requests for files that wait for their turn.', () => mediaQueue?.waiting ?? 0),
    idempotency.writes,
    ...documents.metrics,
    operations.misses,
    ...elements.metrics,
    calls.ended,
    calls.seconds,
    gauge('upstream_calls_in_flight', 'Calls of the service that are not answered yet.', () => calls.inFlight),
    calls.notSent,
    openCircuits(upstream),
    gauge('upstream_connections_in_use', 'Connections to the service with a call on them.', () => queue.running),
    gauge('upstream_calls_waiting', 'Calls that wait until they may be sent.', () => queue.waiting),
    gauge(
      'upstream_concurrency_limit',
      'Calls that the gateway sends to the service at the same time, at most.',
      () => queue.limit,
    ),
    gauge(
      'upstream_concurrency_gradient',
      'The time of calls at rest as a share of their time now: 1 where none waits at the service.',
      () => concurrency?.gradient ?? 1,
      'average',
    ),
    calls.saved,
    costMetric('call', 'Seconds that the service works for a call, as learnt.', upstream, 'callMs'),
    costMetric('row', 'Seconds that the service works for a row of a page, as learnt.', upstream, 'rowMs'),
    costAges(upstream),
    gauge(
      'upstream_parallelism',
      'Calls that the service works on side by side, as learnt.',
      () => costs.parallelism,
      'average',
    ),
    batches.sizes,
    listCache.reads,
    gauge('list_cache_lists', 'Lists in the cache.', () => listCache.entries),
    gauge('list_cache_bytes', 'Bytes of JSON in the cache.', () => listCache.bytes),
    others.broadcasts,
    gauge('others_known', 'Other gateways and workers that a write waits for.', () => others.known, 'max'),
    carrierMetric(others),
    redisMetric(redis),
    gauge(
      'redis_round_trip_seconds',
      'Time to Redis and back, as measured; 0 without Redis.',
      () => (others.carrier?.roundTripMs ?? 0) / 1000,
      'max',
    ),
    gauge(
      'caller_claims_ignored',
      '1 where CALLER_CLAIMS is not used, because the service accepts a token with a wrong signature.',
      () => Number(upstream.callers.proof.holds === false),
      'max',
    ),
    dialect(upstream),
    drift(upstream),
    memoryMetric('memory_bytes', 'Memory that is taken, by share.', memory, 'bytes'),
    memoryMetric('memory_limit_bytes', 'Memory that each share may take.', memory, 'maxBytes'),
    droppedLines,
    exported.exports,
    exported.droppedSpans,
    gauge('workers', 'Workers that are to serve.', () => workers, 'max'),
    gauge('workers_reporting', 'Workers in the sums of this scrape.', () => 1),
  ];
}

function openCircuits({ circuits }: Upstream): Metric<string> {
  const help = '1 where only probes are sent, for one caller at least, because no call is answered.';
  return readGauge('upstream_circuit_open', help, { labelNames: ['endpoint'], aggregator: 'max' }, () =>
    Array.from(circuits.states(), ([endpoint, isOpen]) => ({ labels: { endpoint }, value: Number(isOpen) })),
  );
}

/** Each worker learns by itself, so the figure of several is their average. */
function costMetric(part: string, help: string, { costs, contract }: Upstream, figure: keyof CallCost): Metric<string> {
  const names = contract.endpointNames.filter((name) => {
    const { does } = contract.endpoint(name);
    return does === 'list' || (does === 'get' && figure === 'callMs');
  });
  const options = { labelNames: ['endpoint'], aggregator: 'average' } as const;
  return readGauge(`upstream_cost_${part}_seconds`, help, options, () =>
    names.map((endpoint) => ({ labels: { endpoint }, value: costs.of(endpoint)[figure] / 1000 })),
  );
}

/** The youngest figure of several workers. Without a sample where nothing is learnt. */
function costAges({ statistics, contract }: Upstream): Metric<string> {
  const help = 'Seconds since the last answer that the costs of an endpoint are learnt from.';
  return readGauge('upstream_cost_age_seconds', help, { labelNames: ['endpoint'], aggregator: 'min' }, () => {
    const now = performance.now();
    return contract.endpointNames.flatMap((endpoint) => {
      const learntAt = statistics.learntAt(endpoint);
      return learntAt === undefined ? [] : [{ labels: { endpoint }, value: (now - learntAt) / 1000 }];
    });
  });
}

function memoryMetric(name: string, help: string, memory: MemoryBudget, figure: keyof MemoryUse): Metric<string> {
  return readGauge(name, help, { labelNames: ['share'], aggregator: 'sum' }, () =>
    Array.from(memory, ([share, use]) => ({ labels: { share }, value: use[figure] })),
  );
}

/** Without a sample where the gateway is alone. */
function carrierMetric({ carrier }: OtherGateways): Metric<string> {
  const help = '1 while messages get through to other gateways and workers, 0 while they do not.';
  return readGauge('broadcast_up', help, { labelNames: ['carrier'], aggregator: 'min' }, () =>
    carrier ? [{ labels: { carrier: carrier.name }, value: Number(carrier.isUp) }] : [],
  );
}

/** Without a sample where there is no Redis, or it does not show the setting. */
function redisMetric(redis: Measured['redis']): Metric<string> {
  const help = '1 where Redis may lose records of writes, by eviction (maxmemory-policy) or by a restart (appendonly).';
  return readGauge('redis_loses_records', help, { labelNames: ['by'], aggregator: 'max' }, () => {
    const { mayEvict, writesToDisk } = redis?.settings ?? {};
    const risks = { eviction: mayEvict, restart: writesToDisk === undefined ? undefined : !writesToDisk };
    return Object.entries(risks).flatMap(([by, risk]) =>
      risk === undefined ? [] : [{ labels: { by }, value: Number(risk) }],
    );
  });
}

function dialect({ dialect }: Upstream): Metric<string> {
  const help = 'The dialect of the service: as the settings say, as the gateway uses it, and as answers show it.';
  const labelNames = ['configured', 'used', 'seen'];
  return readGauge('upstream_dialect', help, { labelNames, aggregator: 'max' }, () => {
    const { configured, known = 'unknown', seen = 'unknown' } = dialect;
    return [{ labels: { configured, used: known, seen }, value: 1 }];
  });
}

function drift({ drift }: Upstream): Metric<string> {
  const help = 'Fields of sampled answers that are unknown, missing or of another type than the contract says.';
  return readCounter('upstream_drift_total', help, ['endpoint', 'field', 'kind', 'seen'], () =>
    Array.from(drift.counts(), ({ count, ...labels }) => ({ labels, value: count })),
  );
}

function registryOfProcess(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
