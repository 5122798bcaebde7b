import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { MetricsReport, Spans } from '@gateway/graphql-serve';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Logger } from 'pino';
import description from '../../package.json' with { type: 'json' };
import type { ExportCounts } from './export-counts.ts';
import { watchExports } from './export-watch.ts';
import { metricsFrom } from './metrics.ts';
import { Sampler, type SamplerSettings } from './sampler.ts';
import { SpanQueue } from './span-queue.ts';
import { OperationSpans, type SpanOptions } from './spans.ts';

/** Settings that everyone knows who uses OpenTelemetry. The exporters read their own variables, such as headers and TLS. */
export interface TelemetrySettings {
  exportsSpans: boolean;
  exportsMetrics: boolean;
  sampler: SamplerSettings;
  spans: {
    maxQueueSize: number;
    maxExportBatchSize: number;
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
  };
  metrics: { exportIntervalMillis: number; exportTimeoutMillis: number };
}

export interface TelemetryOptions extends Omit<SpanOptions, 'resource' | 'scope'> {
  counts: ExportCounts;
  readMetrics: () => Promise<MetricsReport>;
  logger: Logger;
}

/** The exports of one gateway. */
interface Telemetry {
  /** Undefined where no spans are exported. */
  spans: Spans | undefined;
  /** Exports what is left, within a bound. */
  close(): Promise<void>;
}

/** The end of the process waits for the collector no longer. */
const maxFlushMs = 2_000;

/** Starts the exports that the settings ask for. Each worker has its own, as an instance of the service. */
export function startExports(settings: TelemetrySettings, options: TelemetryOptions): Telemetry {
  const { counts, logger } = options;
  sayComplaints(logger);
  const resource = resourceOfProcess();
  const scope = { name: description.name, version: description.version };
  const queue = settings.exportsSpans
    ? new SpanQueue(watchExports(new OTLPTraceExporter(), 'traces', { counts, logger }), settings.spans, counts)
    : undefined;
  const meters = settings.exportsMetrics
    ? new MeterProvider({
        resource,
        readers: [
          new PeriodicExportingMetricReader({
            ...settings.metrics,
            exporter: watchExports(new OTLPMetricExporter(), 'metrics', { counts, logger }),
            metricProducers: [metricsFrom(options.readMetrics, resource, scope)],
          }),
        ],
      })
    : undefined;
  diag.disable();
  return {
    spans: queue && new OperationSpans(new Sampler(settings.sampler), queue, { ...options, resource, scope }),
    async close() {
      const flushed = Promise.allSettled([queue?.close(), meters?.shutdown()]);
      await Promise.race([flushed, pause(maxFlushMs, undefined, { ref: false })]);
    },
  };
}

/** Logs what the packages say about the variables that they read themselves, without the values. */
function sayComplaints(logger: Logger): void {
  const say = (message: string) => logger.warn(message.replace(/'[^']*'/g, '…'));
  const ignore = () => {};
  const levels = { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(levels, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win over the rest. Workers of one process have an id each. */
function resourceOfProcess(): Resource {
  const own = resourceFromAttributes({
    'service.name': description.name,
    'service.version': description.version,
    'service.instance.id': crypto.randomUUID(),
  });
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  const resource = defaultResource().merge(own).merge(given);
  const id = given.attributes['service.instance.id'];
  if (id === undefined || !cluster.worker) return resource;
  return resource.merge(resourceFromAttributes({ 'service.instance.id': `${id}-${cluster.worker.id}` }));
}
