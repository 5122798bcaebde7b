/**
 * Does a caller whose tokens change ever see data of another one, or write twice? Sends 10,000 requests of eight callers at
 * once. They read, and repeat writes under other tokens. Strangers with forged tokens are among them.
 * Runs with one process, and with two.
 *
 *     node eight-callers.ts [--count 10000] [--seed 1]
 *
 * Fails for data of another caller, and for an answer older than a write. Fails also for a second POST, and for a good token
 * that is refused.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type InterleavedTokens, interleaveTokens } from '../test/cache/eight-callers/interleave-tokens.ts';
import { startTokenService } from '../test/cache/eight-callers/token-service.ts';
import { callerClaims } from '../test/support/tokens.ts';
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
const folder = mkdtempSync(join(tmpdir(), 'eight-callers-'));
const results: (InterleavedTokens & { workers: string; calls: number; posts: number })[] = [];
for (const workers of ['1', '2']) results.push({ workers, ...(await measure(workers)) });
rmSync(folder, { recursive: true });
conclude();

async function measure(workers: string): Promise<InterleavedTokens & { calls: number; posts: number }> {
  const service = await startTokenService(random);
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/graphql`;
  const gateway = start('eight-callers', ['node', '../src/main.ts'], {
    PORT: port,
    WORKERS: workers,
    UPSTREAM_URL: service.url,
    CALLER_CLAIMS: callerClaims,
    ME_CLAIM: 'user_id',
    COMPANY_CLAIM: 'session_data.entity_id',
    // Old enough to be read anew, now and then.
    'cache.lists.ttlMs': '200',
    'retries.baseMs': '2',
    IDEMPOTENCY_FILE: join(folder, `idempotency-${workers}.db`),
    LOG_LEVEL: 'warn',
  });
  await until('The gateway', 20, async () => (await ask(url, '{ __typename }', 'anybody')).status === 200);
  const interleaved = await interleaveTokens(url, service, { count, concurrency: 64, random });
  await stop(gateway);
  await service.close();
  return { ...interleaved, calls: service.calls.length, posts: service.posts.length };
}

function conclude(): void {
  const rows = results.map(({ workers, answers, failed, refused, refreshes, calls, posts, saved, wrong }) =>
    [
      ...[workers, answers, failed, refused, refreshes, calls, posts],
      ...[saved.cache, saved['in flight'], saved.replay, wrong.length],
    ].map(String),
  );
  const columns = [
    ...['workers', 'answers', 'with errors', 'to strangers', 'new tokens', 'calls', 'POSTs'],
    ...['from cache', 'shared', 'replayed', 'wrong'],
  ];
  const report = `${count} requests of eight callers whose tokens change\n\n${table(columns, rows)}`;
  console.log(report);
  for (const { wrong } of results) for (const what of wrong.slice(0, 5)) console.log(what);
  if (results.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
  if (options.count === '10000') writeResults('eight-callers', { seed: options.seed, results }, { report });
}
