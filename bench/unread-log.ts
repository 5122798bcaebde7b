/**
 * Does the gateway serve, and end in time, while nothing takes its log?
 *
 *     node unread-log.ts [--requests 8000]
 *
 * Standard output is a full disk, or a pipe that nobody reads, for one worker and for two. Each request logs a line. Fails
 * unless all are answered, lines are dropped, and the gateway ends with 0 within half a second of SIGTERM.
 */
import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { residentMiB } from './lib/process-tree.ts';
import { freePort, root, track, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { requests: { type: 'string', default: '8000' } } });
const requests = Number(options.requests);
const atOnce = 50;
/** Milliseconds from SIGTERM to the end of the process. */
const grace = 500;
const folder = mkdtempSync(join(tmpdir(), 'unread-log-'));

function unreadPipe(): number {
  const path = join(folder, `pipe-${performance.now()}`);
  execFileSync('mkfifo', [path]);
  openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return openSync(path, constants.O_WRONLY);
}

const outputs = { 'a full disk': () => openSync('/dev/full', 'w'), 'an unread pipe': unreadPipe };
const rows: { output: string; workers: number; answered: number; dropped: number; growthMiB: number; endMs: number }[] =
  [];
let isGood = true;
for (const [output, open] of Object.entries(outputs))
  for (const workers of [1, 2]) await measure(output, open(), workers);
rmSync(folder, { recursive: true });
const report = table(
  ['log', 'workers', 'answered', 'lines dropped', 'memory grew by, MiB', 'end after SIGTERM, ms'],
  rows.map((row) => Object.values(row).map(String)),
);
console.log(report);
if (requests >= 8_000) writeResults('unread-log', { requests, rows }, { report });
process.exit(isGood ? 0 : 1);

async function measure(output: string, stdout: number, workers: number): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/graphql`;
  const env = {
    ...process.env,
    PORT: String(port),
    WORKERS: String(workers),
    SANDBOX: 'true',
    SANDBOX_DATA: ':memory:',
    IDEMPOTENCY_FILE: join(folder, 'idempotency.db'),
    ACCESS_LOG: 'on',
    MEMORY_LIMIT: '512MiB',
  };
  const child = track(
    spawn(process.execPath, ['../src/main.ts'], { cwd: root, env, stdio: ['ignore', stdout, 'inherit'] }),
  );
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const query = `query ${'N'.repeat(100)} { __typename }`;
  const once = async () => (await ask(url, query, 'demo-coop')).status === 200;
  await until('The gateway', 30, once);

  let answered = 0;
  const load = async (count: number) => {
    for (let sent = 0; sent < count; sent += atOnce) {
      const all = await Promise.all(Array.from({ length: atOnce }, () => once().catch(() => false)));
      answered += all.filter(Boolean).length;
    }
  };
  const memory = () => residentMiB(child.pid!, 'VmRSS');
  // The heap has its size, and the buffers of the log are full.
  await load(requests / 2);
  const before = memory();
  await load(requests / 2);
  const growthMiB = Math.round(memory() - before);
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  const dropped = Number(/^gateway_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);

  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  const code = await exited;
  const endMs = Math.round(performance.now() - stoppedAt);
  isGood &&= answered === requests && dropped > 0 && code === 0 && endMs <= grace;
  rows.push({ output, workers, answered, dropped, growthMiB, endMs });
}
