import { vi } from 'vitest';
import { readTelemetry } from '../../../src/config.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../test/support/harness.ts';
import type { Collector } from './collector.ts';

/** Starts a gateway that exports to the collector at once. `environment`: further variables. */
export async function startExporting(
  collector: Collector,
  environment: Record<string, string> = {},
  options: GatewayOptions = {},
): Promise<Gateway> {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '1', ...environment };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    return await startGateway({ ...options, telemetry: readTelemetry() });
  } finally {
    vi.unstubAllEnvs();
  }
}
