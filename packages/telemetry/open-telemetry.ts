import type { ValidDocument } from '@gateway/base';
import type { OpenPart } from '@gateway/graphql-serve';
import { ExportCounts } from './export-counts.ts';
import type { TelemetryOptions, TelemetrySettings } from './exports.ts';

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
