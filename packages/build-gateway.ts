import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithOxc } from 'vite';
import { packPages } from './packed-pages.ts';

/**
 * Makes dist/gateway: the whole gateway as one package with the command `traceability-gateway`. It has the folders of the
 * repository. Node strips no types below node_modules, so it is JavaScript.
 */
const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/gateway');

rmSync(built, { recursive: true, force: true });
const entries = ['src/cli.ts', 'src/main.ts', 'src/commands/doctor.ts', 'packages/graphiql/index.ts'];
// The page of GraphiQL is built by Vite, and a running gateway generates nothing.
const exclude = [
  'packages/{graphiql,testing}/**',
  'packages/*/codegen.ts',
  'packages/*/{codegen,test}/**',
  '**/*.d.ts',
];
const files = new Set<string>();
for (const file of [...entries, ...globSync('packages/*/**/*.ts', { cwd: root, exclude })]) addFile(file);
await Promise.all([...files].map(compile));

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
const { version, description, license, type, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const published = {
  // The package for tests of apps has the name of the repository. A project may install both.
  name: 'traceability-gateway',
  version,
  description,
  license,
  type,
  bin: { 'traceability-gateway': './src/bin.js' },
  // npx puts the Node among these before that of the machine.
  dependencies,
};
writeFileSync(join(built, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);

/** Adds a file and those that it imports by their paths. */
function addFile(file: string): void {
  if (files.has(file)) return;
  files.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, path = ''] of text.matchAll(/\b(?:from|import) ?\(?'(\.{1,2}\/[^']+\.ts)'/g))
    addFile(join(dirname(file), path));
}

/** Takes the types off, which `npm run check` has checked. Node 24 runs the rest as it is. */
async function compile(file: string): Promise<void> {
  const text = readFileSync(join(root, file), 'utf8');
  const { code, map } = await transformWithOxc(text, join(root, file), {
    target: 'esnext',
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: true },
  });
  const target = join(built, file.replace(/ts$/, 'js'));
  const source = relative(dirname(target), join(root, file));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${nameFiles(file, code)}\n//# sourceMappingURL=${basename(target)}.map\n`);
  writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources: [source] }));
}

/** Names the files of other packages by their paths: there are no workspaces in an installed gateway. */
function nameFiles(file: string, code: string): string {
  return code.replace(
    /(['"])@gateway\/([\w-]+)(?:\/(\w+))?\1/g,
    (_, quote: string, folder: string, entry = 'index') => {
      const target = relative(dirname(file), join('packages', folder, `${entry}.js`));
      return quote + (target.startsWith('.') ? target : `./${target}`) + quote;
    },
  );
}
