/**
 * One trace through two gateways: Hive Gateway, with its own OpenTelemetry, in front of the gateway over its sandbox. Both
 * export to one collector. Needs `npm ci` in peers/hive and in test/opentelemetry.
 *
 * Fails unless the spans of both are one trace, and each span of the gateway has its parent in it.
 */
import { type Span, startCollector } from '../test/opentelemetry/collector.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { table } from './lib/tables.ts';

const document = '{ farmers(limit: 2) { results { buyer { name } } } }';
const collector = await startCollector();
const [port, hivePort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}/graphql`;
const gateway = start('one-trace-gateway', ['node', '../src/main.ts'], {
  PORT: String(port),
  NODE_ENV: 'development',
  SANDBOX_DATA: ':memory:',
  GRAPHIQL: 'false',
  LOG_LEVEL: 'warn',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '10',
});
await until('The gateway', 30, async () => (await ask(url)).status === 200);
const options = { '--port': String(hivePort), '--host': '127.0.0.1', '--config-path': 'peers/hive/proxy.config.mjs' };
const hive = start(
  'one-trace-hive',
  ['peers/hive/node_modules/.bin/hive-gateway', 'proxy', url, ...Object.entries(options).flat()],
  { OPENTELEMETRY: `${collector.url}/v1/traces`, OTEL_SERVICE_NAME: 'hive' },
);
await until('Hive Gateway', 40, async () => (await ask(`http://127.0.0.1:${hivePort}/graphql`)).status === 200);

const isOwn = ({ resource }: Span) => resource['service.name'] === 'traceability-graphql-gateway';
// Hive Gateway exports every few seconds.
await until('The export of Hive Gateway', 30, async () => !collector.spans.every(isOwn));
await stop(hive);
await stop(gateway);
/** Hive Gateway asks for the schema as well, in a trace of its own. */
const calls = collector.spans.filter((span) => isOwn(span) && span.name === 'GET /v1/supply-chains/farmers/');
const { traceId } =
  calls.find((call) => collector.spans.some((span) => !isOwn(span) && span.traceId === call.traceId)) ?? {};
const trace = collector.spans.filter((span) => span.traceId === traceId);
const ids = new Set(trace.map(({ spanId }) => spanId));
const orphans = trace.filter((span) => isOwn(span) && !ids.has(span.parentSpanId ?? ''));
const rows = trace
  .toSorted((one, other) => Number(one.start - other.start))
  .map((span) => [String(span.resource['service.name']), span.name, span.spanId, span.parentSpanId ?? '']);
console.log(table(['service', 'span', 'id', 'parent'], rows));
const own = trace.filter(isOwn);
console.log(
  `\n${trace.length} spans in one trace, ${own.length} of them of the gateway; ${orphans.length} without a parent.`,
);
if (own.length < 3 || own.length === trace.length || orphans.length > 0) process.exitCode = 1;
await collector.close();

function ask(address: string): Promise<Response> {
  return fetch(address, {
    ...(address.endsWith('/graphql') && { method: 'POST', body: JSON.stringify({ query: document }) }),
    headers: { 'content-type': 'application/json', authorization: 'demo-coop' },
  });
}
