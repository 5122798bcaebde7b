import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocks } from '../../../test/docs/pages.ts';
import { testingFolder } from './testing-package.ts';

const root = join(import.meta.dirname, '../../..');
const template = join(import.meta.dirname, 'project');
const modules = join(template, 'node_modules');
const skip = !existsSync(modules) && !process.env.CI;
if (skip)
  console.warn('The package for tests is not tried: "npm ci" in packages/testing/test/project installs Jest and MSW.');

/** The files of the page, by the names in their first lines. */
const documented = new Map(
  ['ts', 'js']
    .flatMap(blocks)
    .filter(({ page }) => page === 'packages/testing/README.md')
    .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text]),
);

/** Vitest and Jest give a test five seconds, which a busy machine may exceed. */
const patience = '--testTimeout=60000';

let project: string;
/** Names in its node_modules after the install. */
let installed: string[];

/** Runs a program in the project; throws with all that it prints where it fails. */
async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', VITEST: '', CI: '', NODE_ENV: 'test' };
  const running = promisify(execFile)(command, args, { cwd: project, env });
  const { stdout } = await running.catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

/** An empty project outside of the repository, with the tarball installed. Vitest and Jest are linked. */
beforeAll(async () => {
  if (skip) return;
  project = mkdtempSync(join(tmpdir(), 'app-'));
  const { stdout } = await promisify(execFile)('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    project,
    await testingFolder(),
  ]);
  writeFileSync(join(project, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `./${stdout.trim()}`]);
  installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  cpSync(join(template, 'types.ts'), join(project, 'types.ts'));
  for (const [name, text] of documented) writeFileSync(join(project, name), text);
  for (const name of ['vitest', 'typescript', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  for (const name of ['jest', 'msw']) symlinkSync(join(modules, name), join(project, 'node_modules', name));
});
afterAll(() => {
  if (!skip) rmSync(project, { recursive: true });
});

test.skipIf(skip)('the tarball brings no other package', () => {
  expect(installed).toEqual(['traceability-graphql-gateway']);
});

test.skipIf(skip)('the tarball has the schema with its directives', () => {
  const read = (path: string) => readFileSync(path, 'utf8');
  const packed = read(join(project, 'node_modules/traceability-graphql-gateway/schema.graphql'));

  expect(packed).toBe(read(join(root, 'schema/generated/schema.graphql')));
});

test.skipIf(skip)('the tests of Vitest in packages/testing/README.md pass, behind MSW too', async () => {
  expect(await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', patience])).toContain(
    '6 passed',
  );
});

test.skipIf(skip)('the test of Jest in packages/testing/README.md passes', async () => {
  // Jest reports to standard error, and fails where no test passed.
  await run(process.execPath, [join(modules, 'jest/bin/jest.js'), '--testMatch', '**/*.jest.cjs', patience]);
});

test.skipIf(skip)(
  'the types of the package hold a test to the names of endpoints and to the types of documents',
  async () => {
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
    ];

    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'types.ts']);
  },
);
