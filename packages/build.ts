import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { packPages } from './packed-pages.ts';

/** Makes dist/packages: what other projects install. Node strips no types below node_modules, so it is JavaScript. */
const here = import.meta.dirname;
const root = join(here, '..');
const built = join(root, 'dist/packages');

/** An older major for Node 20. npm takes the latest version whose engines match. */
const forNode20: Readonly<Record<string, string>> = { undici: '^7.30.2' };

rmSync(built, { recursive: true, force: true });
await Promise.all([compile(), bundleCommand()]);
const names = ['base', 'contract', 'graphql-serve', 'replicas', 'rest-graph', 'upstream'];
for (const name of names) {
  const [from, to] = [join(here, name), join(built, name)];
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(published(from), undefined, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
}
packPages(
  root,
  Object.fromEntries(names.map((name) => [`packages/${name}/README.md`, join(built, name, 'README.md')])),
);

/** By the compiler of `npm run check`, which takes a fifth of the CPU of TypeScript 5. */
async function compile(): Promise<void> {
  await promisify(execFile)(process.execPath, ['--run', 'tools'], { cwd: root });
  const compiler = join(root, 'test/tools/node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['--project', join(here, 'tsconfig.build.json')]);
}

/** The command takes SDL from a part, so that its files are in one bundle. Unused code stays out. */
async function bundleCommand(): Promise<void> {
  const from = join(here, 'contract/codegen');
  const outDir = join(built, 'contract/codegen');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: join(from, 'bin.ts'),
      outDir,
      target: 'node22',
      minify: false,
      rolldownOptions: { treeshake: { moduleSideEffects: 'no-external' } },
    },
  });
  for (const file of globSync(join(from, '*.graphql'))) cpSync(file, join(outDir, basename(file)));
}

/** The package.json of a package that is installed. */
function published(folder: string): object {
  const source = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines, bin, dependencies } = source;
  // A schema belongs to one copy of graphql: that of the project.
  const { graphql, ...others } = dependencies;
  return {
    name,
    version,
    description,
    license,
    type,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    ...(bin && { bin: JSON.parse(JSON.stringify(bin).replaceAll('.ts"', '.js"')) }),
    engines,
    dependencies: Object.fromEntries(
      Object.entries(others).map(([name, version]) => [name, rangeOf(name, String(version))]),
    ),
    ...(graphql && { peerDependencies: { graphql: `^${graphql}` } }),
  };
}

function rangeOf(name: string, version: string): string {
  const older = forNode20[name];
  return older ? `${older} || ${version}` : version;
}
