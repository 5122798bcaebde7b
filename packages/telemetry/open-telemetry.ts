import type { ValidDocument } from '@gateway/base';
import type { MetricsReport, OpenPart, Spans } from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import { ExportCounts } from './export-counts.ts';

/** Settings that everyone knows who uses OpenTelemetry. The exporters read their own variables, such as headers and TLS. */
export interface TelemetrySettings {
  exportsSpans: boolean;
  exportsMetrics: boolean;
  sampler: { isParentBased: boolean; root: 'always_on' | 'always_off' | 'traceidratio'; ratio: number };
  spans: {
    maxQueueSize: number;
    maxExportBatchSize: number;
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
  };
  metrics: { exportIntervalMillis: number; exportTimeoutMillis: number };
}

export interface TelemetryOptions {
  /** URL of the REST service. */
  upstreamUrl: string;
  /** Operations that take as long are exported. */
  slowMs: number;
  counts: ExportCounts;
  /** The id of a trusted document. */
  idOf: (document: ValidDocument) => string | undefined;
  readMetrics: () => Promise<MetricsReport>;
  logger: Logger;
}

/** The exports of one gateway. */
export interface Telemetry {
  /** Undefined where no spans are exported. */
  spans: Spans | undefined;
  /** Exports what is left, within a bound. */
  close(): Promise<void>;
}

/** Exports spans and metrics. Loads the packages of OpenTelemetry, which nothing else loads. */
export function telemetry(
  settings: TelemetrySettings | undefined,
  options: Pick<TelemetryOptions, 'upstreamUrl' | 'slowMs'>,
): OpenPart {
  return async ({ documents, readMetrics, logger }) => {
    const counts = new ExportCounts();
    const metrics = [counts.exports, counts.droppedSpans];
    if (!settings?.exportsSpans && !settings?.exportsMetrics) return { metrics };
    const { startExports } = await import('./exports.ts');
    const idOf = (document: ValidDocument) => documents().idOf(document);
    const { spans, close } = startExports(settings, { ...options, counts, idOf, readMetrics, logger });
    return { spans, ...(spans && { observer: spans }), metrics, close };
  };
}
