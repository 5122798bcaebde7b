import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The packages of this repository whose modules a program loads. */
function packagesOf(file: string): Set<string> {
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
    await import(${JSON.stringify(join(root, file))});`;
  const args = ['--input-type=module', '--eval', program];
  const urls = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return new Set([...urls.matchAll(/\/packages\/([^/]+)\//g)].map(([, name = '']) => name));
}

test('a gateway loads the packages of the parts that its compose.ts lists, and no others', () => {
  const libraries = ['base', 'contract', 'upstream', 'rest-graph', 'graphql-serve'];
  expect(packagesOf('examples/second-service/compose.ts')).toEqual(
    new Set([...libraries, 'drift', 'files', 'graphiql', 'push', 'replicas', 'totals']),
  );
  expect(packagesOf('packages/graphql-serve/index.ts')).toEqual(new Set(['base', 'graphql-serve']));
  const compose = readFileSync(join(root, 'src/compose.ts'), 'utf8');
  const parts = [...compose.matchAll(/ from '@gateway\/([^/']+)'/g)].map(([, name = '']) => name);
  expect(parts).toEqual(expect.arrayContaining(['push', 'map', 'totals', 'telemetry']));
  expect(packagesOf('src/compose.ts')).toEqual(new Set([...libraries, ...parts]));
});
