export { ExportCounts } from './export-counts.ts';
export { openTelemetry } from './open-telemetry.ts';
