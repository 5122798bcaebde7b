export type { TelemetrySettings } from './exports.ts';
export { telemetry } from './open-telemetry.ts';
