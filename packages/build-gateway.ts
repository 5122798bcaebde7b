import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { packPages } from './packed-pages.ts';

/**
 * Makes dist/gateway: the whole gateway as one package with the command `traceability-gateway`. It has the folders of the
 * repository. Node strips no types below node_modules, so it is JavaScript.
 */
const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/gateway');

rmSync(built, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
await promisify(execFile)(process.execPath, [compiler, '--project', join(root, 'packages/tsconfig.gateway.json')]);
for (const file of globSync('**/*.js', { cwd: built })) nameFiles(file);

for (const file of [
  'LICENSE',
  'schema/generated/schema.graphql',
  'packages/sandbox/seed/images',
  'dist/graphiql',
  'docs/images',
]) {
  cpSync(join(root, file), join(built, file), { recursive: true });
}
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root });
packPages(root, Object.fromEntries(pages.map((page) => [page, join(built, page)])));
const bin = readFileSync(join(root, 'src/bin.js'), 'utf8').replace("'./cli.ts'", "'./cli.js'");
writeFileSync(join(built, 'src/bin.js'), bin, { mode: 0o755 });
const { name, version, description, license, type, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const published = {
  ...{ name, version, description, license, type },
  bin: { 'traceability-gateway': './src/bin.js' },
  // npx puts the Node among these before that of the machine.
  dependencies,
};
writeFileSync(join(built, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);

/** Names the files of other packages by their paths: there are no workspaces in an installed gateway. */
function nameFiles(file: string): void {
  const path = join(built, file);
  const text = readFileSync(path, 'utf8');
  const named = text.replace(
    /(['"])@gateway\/([\w-]+)(?:\/(\w+))?\1/g,
    (_, quote: string, folder: string, entry = 'index') => {
      const target = relative(dirname(file), join('packages', folder, `${entry}.js`));
      return quote + (target.startsWith('.') ? target : `./${target}`) + quote;
    },
  );
  if (named !== text) writeFileSync(path, named);
}
