import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Example {
  folder: string;
  /** True without installed dependencies, except in CI, where a skipped test would go unnoticed. */
  skip: boolean;
  /** Runs a command in its folder, and gives what it prints. Throws with all of it when the command fails. */
  run(command: string, args: string[], environment?: Record<string, string>): Promise<string>;
  /** Runs a script of its package.json the same way. Node takes a quarter of a second of CPU less for it than npm. */
  script(name: string, environment?: Record<string, string>): Promise<string>;
}

/** A folder below examples/, which is a package of its own. */
export function openExample(name: string): Example {
  const folder = join(import.meta.dirname, '../../examples', name);
  const skip = !existsSync(join(folder, 'node_modules')) && !process.env.CI;
  if (skip) console.warn(`The tests of examples/${name} are skipped: "npm ci" in that folder installs it.`);
  const run: Example['run'] = async (command, args, environment = {}) => {
    const env = { ...process.env, ...environment };
    const running = promisify(execFile)(command, args, { cwd: folder, env });
    const { stdout } = await running.catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    return stdout;
  };
  return { folder, skip, run, script: (name, environment) => run(process.execPath, ['--run', name], environment) };
}
