import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const compilers = ['test/tools/node_modules/typescript-7', 'node_modules/typescript'].map((path) => join(root, path));

/** Compiles what a project file names. TypeScript 7 takes two fifths of the CPU, and comes with the tools of the check. */
export async function compile(project: string): Promise<void> {
  const compiler = compilers.find(existsSync) as string;
  await promisify(execFile)(process.execPath, [join(compiler, 'bin/tsc'), '--project', project]);
}
