import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/own-process.ts';
import { scrape, valuesOf } from '../support/scrape.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-output-'));
afterAll(() => rmSync(folder, { recursive: true }));
const settings = { LOG_LEVEL: 'info', 'log.bufferBytes': '4096' };

/** Opens a file for the time of the test. */
function open(path: string, flags: number): number {
  const descriptor = openSync(path, flags);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

function unreadPipe(): number {
  const path = join(mkdtempSync(join(folder, 'pipe-')), 'pipe');
  execFileSync('mkfifo', [path]);
  open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return open(path, constants.O_WRONLY);
}

function brokenPipe(): number {
  const path = join(mkdtempSync(join(folder, 'pipe-')), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = open(path, constants.O_WRONLY);
  closeSync(reader);
  return writer;
}

const childrenOf = (pid = 0) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

test.each([
  ['a full disk', '1', () => open('/dev/full', constants.O_WRONLY)],
  ['a pipe that nobody reads', '2', unreadPipe],
  ['a pipe without a reader', '1', brokenPipe],
])('a log on %s drops lines, and the gateway of %s process(es) serves and ends with 0', async (_, WORKERS, output) => {
  const url = `http://127.0.0.1:${await freePort()}/graphql`;
  const gateway = run({ ...settings, WORKERS, PORT: new URL(url).port }, [], output());
  const client = clientOf(url);
  const ask = async () => (await client.post(`query ${'N'.repeat(100)} { __typename }`)).status;
  await expect.poll(() => ask().catch(() => 0)).toBe(200);

  const dropped = async () => {
    expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([200]));
    return valuesOf(await scrape(url), 'log_lines_dropped_total')[''];
  };
  await expect.poll(dropped).toBeGreaterThan(0);
  if (WORKERS === '2') {
    process.kill(childrenOf(gateway.child.pid)[0] as number, 'SIGKILL');
    const reporting = async () => valuesOf(await scrape(url), 'workers_reporting')[''];
    await expect.poll(reporting).toBe(1);
    await expect.poll(reporting).toBe(2);
    await expect.poll(dropped).toBeGreaterThan(0);
  }

  gateway.child.kill('SIGTERM');
  expect(await gateway.exit).toBe(0);
  expect(gateway.output()).toBe('');
});
