import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A patch of one file for `git apply`, as git itself writes it. */
export function patchOf(path: string, before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'patch-'));
  try {
    for (const [side, text] of Object.entries({ a: before, b: after })) {
      mkdirSync(dirname(join(folder, side, path)), { recursive: true });
      writeFileSync(join(folder, side, path), text);
    }
    const args = ['diff', '--no-index', '--no-prefix', '--no-color', `a/${path}`, `b/${path}`];
    const { stdout, error } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (error) throw error;
    // An empty line of the file is a space in a patch, and counts.
    return stdout.replace(/\n$/, '');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
