/**
 * How far from what an operation takes is its estimate? Each operation of `plans` runs with the trace, over the pace of the
 * real service and with nothing cached.
 *
 *     node estimates.ts
 *
 * In the first round the gateway knows nothing of the caller. Fails where the estimates of the third are too far off.
 */
import { createLogger } from '../packages/graphql-serve/watch/logger.ts';
import type { UpstreamReport } from '../packages/rest-graph/request/upstream-report.ts';
import { realPace } from '../packages/sandbox/framework/pace.ts';
import { traceability } from '../src/app.ts';
import { startGateway } from '../src/compose.ts';
import { settingsFrom } from '../src/config.ts';
import { startPacedService } from './lib/paced-service.ts';
import { planOperations } from './lib/plans-operations.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';

const rounds = 3;
/** The mean factor between the estimated calls and those of the run, up or down. */
const bar = 1.25;

const service = await startPacedService();
const environment = { PORT: '0', UPSTREAM_DIALECT: 'spec', LOG_LEVEL: 'warn', IDEMPOTENCY_FILE: ':memory:' };
const { config } = settingsFrom({ environment });
const logger = createLogger(config.log, process.stderr, 'authorization');
const gateway = await startGateway(traceability, { config, upstreamUrl: service.url, logger });

const headers = {
  authorization: 'demo-coop',
  'content-type': 'application/json',
  'cache-control': 'no-cache',
  'x-trace-upstream': 'true',
};
const rows: string[][] = [];
const means: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  let sum = 0;
  const operations = [...planOperations(service.samples)];
  for (const [name, query] of operations) {
    await service.start(realPace);
    const answer = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { extensions } = (await answer.json()) as { extensions: { upstream: UpstreamReport } };
    const { calls: estimated, workMs } = extensions.upstream.estimate!.expected!;
    const calls = await service.calls();
    const work = calls.reduce((total, { workMs = 0 }) => total + workMs, 0);
    sum += Math.abs(Math.log(estimated / calls.length));
    const cells = [estimated, calls.length, workMs, Math.round(work)].map(String);
    if (round === rounds) rows.push([name, ...cells, (estimated / calls.length).toFixed(2)]);
  }
  means.push(Math.exp(sum / operations.length));
}
await gateway.close();
await service.close();

const shown = means.map((mean) => mean.toFixed(2)).join(', ');
const report = [
  table(['the third round', 'calls estimated', 'calls', 'work estimated', 'work', 'calls ×'], rows),
  `Mean factor of the calls, up or down, in the three rounds: ${shown}. In the third, ${bar} at most.`,
].join('\n\n');
console.log(report);
writeResults('estimates', { means }, { report });
if (means.at(-1)! > bar) process.exitCode = 1;
