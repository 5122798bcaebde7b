import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type * as Testing from '../client.ts';

const root = join(import.meta.dirname, '../../..');

/** The folder of the package for tests of apps. Builds it where it is missing; `npm run build:testing` builds it anew. */
export async function testingFolder(): Promise<string> {
  const folder = join(root, 'dist/testing');
  if (!existsSync(join(folder, 'package.json'))) {
    await promisify(execFile)(process.execPath, [join(root, 'packages/testing/build.ts')]);
  }
  return folder;
}

/** The package as apps import it. */
export async function importTesting(): Promise<typeof Testing> {
  return import(join(await testingFolder(), 'testing.js'));
}
