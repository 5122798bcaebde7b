export { type TelemetrySettings, telemetry } from './open-telemetry.ts';
