/**
 * Does a caller ever see data of another one? Sends 10,000 requests of two keys in two languages at the same time, as alike
 * as possible. The service marks every text with its caller. Runs with one process, and with two.
 *
 *     node two-callers.ts [--count 10000] [--seed 1]
 *
 * Fails when an answer holds another caller's mark, a text without the own one, or a list of another length.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Interleaved, interleave } from '../test/cache/two-callers/interleave.ts';
import { startMarkingService } from '../test/cache/two-callers/marking-service.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { table } from './lib/tables.ts';
import { randomNumbers } from './stub/ids.ts';

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(options.count);
const random = randomNumbers(Number(options.seed));
const folder = mkdtempSync(join(tmpdir(), 'two-callers-'));
const results: (Interleaved & { workers: string; calls: number })[] = [];
for (const workers of ['1', '2']) results.push({ workers, ...(await measure(workers)) });
rmSync(folder, { recursive: true });
conclude();

async function measure(workers: string): Promise<Interleaved & { calls: number }> {
  const service = await startMarkingService(random);
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/graphql`;
  const gateway = start('two-callers', ['node', '../src/main.ts'], {
    PORT: port,
    WORKERS: workers,
    UPSTREAM_URL: service.url,
    // Old enough to be read anew, now and then.
    'cache.lists.ttlMs': '200',
    'retries.baseMs': '2',
    IDEMPOTENCY_FILE: join(folder, `idempotency-${workers}.db`),
    LOG_LEVEL: 'warn',
  });
  await until('The gateway', 20, async () => (await ask(url, '{ __typename }', 'anybody')).status === 200);
  const interleaved = await interleave(url, { count, concurrency: 64, random });
  await stop(gateway);
  await service.close();
  return { ...interleaved, calls: service.calls.length };
}

function conclude(): void {
  const rows = results.map(({ workers, answers, failed, left, calls, saved, wrong }) =>
    [workers, answers, failed, left, calls, saved.cache, saved['in flight'], saved.replay, wrong.length].map(String),
  );
  const columns = ['answers', 'with errors', 'clients left', 'calls', 'from cache', 'shared', 'replayed', 'wrong'];
  const report = `${count} requests of two keys in two languages\n\n${table(['workers', ...columns], rows)}`;
  console.log(report);
  for (const { wrong } of results) for (const what of wrong.slice(0, 5)) console.log(what);
  if (results.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
  if (options.count === '10000') writeResults('two-callers', { seed: options.seed, results }, { report });
}
