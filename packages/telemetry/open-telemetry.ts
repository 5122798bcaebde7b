import type { ValidDocument } from '@gateway/base';
import type { MetricsReport, Spans } from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import type { TelemetrySettings } from '../../src/config.ts';
import type { ExportCounts } from './export-counts.ts';

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

/** Loads the packages of OpenTelemetry, which nothing else loads. */
export async function openTelemetry(
  settings: TelemetrySettings | undefined,
  options: TelemetryOptions,
): Promise<Telemetry | undefined> {
  if (!settings?.exportsSpans && !settings?.exportsMetrics) return undefined;
  const { startExports } = await import('./exports.ts');
  return startExports(settings, options);
}
