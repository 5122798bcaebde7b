/**
 * How much longer does an import by `POST /push` take than the service alone?
 *
 *     node import.ts [--rows 5000]
 *
 * The service has the real pace, with four workers. Alone, four clients write the rows one after the other. Fails where the
 * gateway takes more than 1.1 times as long, or writes another number of rows.
 */
import { parseArgs } from 'node:util';
import { createLogger } from '../packages/graphql-serve/watch/logger.ts';
import { realPace } from '../packages/sandbox/framework/pace.ts';
import { traceability } from '../src/app.ts';
import { startGateway } from '../src/compose.ts';
import { settingsFrom } from '../src/config.ts';
import { startPacedService } from './lib/paced-service.ts';
import { table } from './lib/tables.ts';

const bar = 1.1;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '5000' } } });
const rows = Number(values.rows);
const authorization = 'demo-coop';

const service = await startPacedService();
const { config } = settingsFrom({
  environment: {
    PORT: '0',
    UPSTREAM_DIALECT: 'spec',
    LOG_LEVEL: 'warn',
    IDEMPOTENCY_FILE: ':memory:',
    GRAPHIQL: 'false',
  },
});
const gateway = await startGateway(traceability, {
  config,
  upstreamUrl: service.url,
  logger: createLogger(config.log, process.stderr, 'authorization'),
});

const alone = await timed(async () => {
  let next = 0;
  const write = async () => {
    while (next < rows) {
      const response = await fetch(`${service.url}/supply-chains/farmers/`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: `Alone ${next++}` }),
      });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: realPace.workers ?? 1 }, write));
});

const pushed = await timed(async () => {
  const lines = Array.from({ length: rows }, (_, row) =>
    JSON.stringify({ key: `bench-${row}`, write: { createFarmer: { first_name: `Pushed ${row}` } } }),
  );
  const response = await fetch(new URL('/push', gateway.url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/jsonl' },
    body: lines.join('\n'),
  });
  const last = (await response.text()).trim().split('\n').at(-1) ?? '';
  if (JSON.parse(last).$end?.DONE !== rows) throw new Error(`The gateway has not written all rows: ${last}`);
});
await gateway.close();
await service.close();

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
console.log(
  table(
    ['', 'rows', 'seconds', 'writes'],
    [
      ['the service alone', String(rows), seconds(alone.ms), String(alone.writes)],
      ['by POST /push', String(rows), seconds(pushed.ms), String(pushed.writes)],
    ],
  ),
);
const ratio = pushed.ms / alone.ms;
console.log(`The gateway takes ${ratio.toFixed(3)} times as long.`);
process.exitCode = ratio > bar || pushed.writes !== rows ? 1 : 0;

/** Milliseconds, and the writes that the service has taken meanwhile. */
async function timed(work: () => Promise<void>): Promise<{ ms: number; writes: number }> {
  await service.start(realPace);
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const writes = (await service.calls()).filter(({ method }) => method === 'POST').length;
  return { ms, writes };
}
