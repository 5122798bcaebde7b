/**
 * Gateways of one process, which differ in their samples of OpenTelemetry alone. They share compiled code and memory, which
 * differ between processes by more than spans cost. Reports its CPU when its parent asks.
 *
 *     node telemetry-gateways.ts <URL of the service> <URL of the collector> <milliseconds between exports> <name=ratio>…
 */
import { pino } from 'pino';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../../src/compose.ts';
import { readConfig, readTelemetry } from '../../src/config.ts';

const [upstreamUrl = '', collector = '', exportMs, ...samples] = process.argv.slice(2);
const urls: Record<string, string> = {};
for (const sample of samples) {
  const [name = '', ratio] = sample.split('=');
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
    OTEL_BSP_SCHEDULE_DELAY: exportMs,
    // A scrape of the metrics would fall into one load of many.
    OTEL_METRICS_EXPORTER: 'none',
  });
  const gateway = await startGateway(traceability, {
    config: readConfig({ PORT: '0', UPSTREAM_DIALECT: 'spec' }),
    upstreamUrl,
    logger: pino({ level: 'warn' }),
    telemetry: ratio === undefined ? undefined : readTelemetry(),
  });
  urls[name] = gateway.url;
}
process.send?.(urls);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
