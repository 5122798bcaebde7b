import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const records = new URL('../idempotency/sqlite-records.ts', import.meta.url);

/** Opens 30 new files, each at the same moment in all processes. Prints the errors. */
const program = `
  const { SqliteRecords } = await import(${JSON.stringify(records.href)});
  const [folder, begin] = process.argv.slice(1);
  for (let file = 0; file < 30; file += 1) {
    while (Date.now() < Number(begin) + file * 50);
    try {
      new SqliteRecords({ file: folder + '/' + file, ttlMs: 1_000, writes: 1, writesPerCaller: 1 });
    } catch (error) {
      console.log(error.message);
    }
  }`;

test('workers that start together open a new file of records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-'));
  const begin = String(Date.now() + 1_500);
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', program, folder, begin]),
  );
  const printed = await Promise.all(
    // A process may exit before its output is read.
    processes.map((child) => Promise.all([text(child.stdout), once(child, 'exit')])),
  );
  rmSync(folder, { recursive: true });
  expect(printed).toEqual(processes.map(() => ['', [0, null]]));
});
