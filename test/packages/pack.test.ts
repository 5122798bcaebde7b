import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocks } from '../docs/pages.ts';
import { brokenLinks } from './broken-links.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = ['base', 'contract', 'graphql-serve', 'replicas', 'rest-graph', 'upstream'];
const pageOf = (name: string) => `packages/${name}/README.md`;

/** A Node of the machine, which the packages promise to run on. */
const node20 = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((path) => existsSync(path) && execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith('v20.'));
if (!node20) console.warn('The packages are not tried on Node 20: the PATH has none.');

/** The files of the pages, by the names in their first lines. */
const documented = ['ts', 'yaml', 'gql']
  .flatMap(blocks)
  .filter(({ page }) => names.map(pageOf).includes(page))
  .flatMap(({ text }) => {
    const [, name] = /^(?:\/\/|#) (\S+)\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text] as const];
  });
const commands = new Set(blocks('sh').flatMap(({ text }) => /^npx (rest-contract .*)\n/m.exec(text)?.[1] ?? []));

let project: string;

/** Runs a program in the project; throws with all that it prints where it fails. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', VITEST: '' };
  const running = promisify(execFile)(program, args, { cwd: project, env });
  const { stdout } = await running.catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

interface Locked {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
const locked: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages;

/** Copies libraries with all that they need, because npm has no registry here. */
function copyLibraries(dependencies: readonly string[], from: string, copied = new Set<string>()): void {
  for (const name of dependencies) {
    const path = placeOf(name, from);
    if (path === undefined || copied.has(path)) continue;
    copied.add(path);
    // Those that a library has for itself come with its folder.
    if (path === `node_modules/${name}`) cpSync(join(root, path), join(project, path), { recursive: true });
    const { dependencies: own = {}, peerDependencies = {}, peerDependenciesMeta: meta = {} } = locked[path] ?? {};
    const peers = Object.keys(peerDependencies).filter((peer) => !meta[peer]?.optional);
    copyLibraries([...Object.keys(own), ...peers], path, copied);
  }
}

/** Where a package finds another one, as Node looks for it. */
function placeOf(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name);
  if (path in locked) return path;
  return from === '' ? undefined : placeOf(name, from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''));
}

/** An empty project outside of the repository, with the tarballs and the files of the pages. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'packages-'));
  await promisify(execFile)(process.execPath, [join(root, 'packages/build.ts')]);
  const folders = names.map((name) => join(root, 'dist/packages', name));
  const tarballs = (await run('npm', ['pack', '--silent', ...folders])).trim().split('\n');
  const manifest = { name: 'project', private: true, type: 'module', dependencies: { graphql: '16.15.0' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const needed = folders.flatMap((folder) =>
    Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies),
  );
  copyLibraries(['graphql', ...needed.filter((name) => !name.startsWith('@gateway/'))], '');
  const files = tarballs.map((name) => `./${name}`);
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', ...files]);
  for (const [name, text] of documented) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
}, 120_000);
afterAll(() => rmSync(project, { recursive: true }));

test.each(names)('packages/%s/README.md names all that the package exports', (name) => {
  const door = read(`packages/${name}/index.ts`);
  const listed = [...door.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(?:,|\s*$)/g)].map(([, each = '']) => each),
  );
  const whole = [...door.matchAll(/^export \* from '\.\/(.*)';/gm)].flatMap(([, file = '']) =>
    [...read(`packages/${name}/${file}`).matchAll(/^export (?:async )?\w+ (\w+)/gm)].map(([, each = '']) => each),
  );
  const exported = [...listed, ...whole];
  const page = read(pageOf(name));

  expect(exported).not.toEqual([]);
  expect(exported.filter((each) => !new RegExp(`\\b${each}\\b`).test(page))).toEqual([]);
});

test('the tarballs have JavaScript, types and pages, and need nothing of this repository', () => {
  for (const name of names) {
    const folder = join(project, 'node_modules/@gateway', name);
    const {
      private: isPrivate,
      devDependencies,
      exports,
      peerDependencies,
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect({ isPrivate, devDependencies }).toEqual({});
    expect(exports['.']).toEqual({ types: './index.d.ts', default: './index.js' });
    expect(peerDependencies).toEqual(name === 'replicas' ? undefined : { graphql: '^16.15.0' });
    for (const file of ['index.js', 'index.d.ts', 'README.md', 'LICENSE'])
      expect(existsSync(join(folder, file))).toBe(true);
    expect(existsSync(join(folder, 'index.ts'))).toBe(false);
  }
});

test('the pages of the tarballs link to nothing that is not installed with them', () => {
  const folder = join(project, 'node_modules/@gateway');
  expect(brokenLinks(folder)).toEqual([]);
  const page = readFileSync(join(folder, 'base/README.md'), 'utf8');
  expect(page).toContain('[rest-graph](../rest-graph/README.md)');
  expect(page).toContain('all codes (docs/errors.md of the repository)');
});

describe('the examples of the pages', () => {
  beforeAll(async () => {
    for (const command of commands)
      await run(join(project, 'node_modules/.bin/rest-contract'), command.split(' ').slice(1));
    // Node 20 strips no types.
    const options = {
      ...{
        strict: true,
        skipLibCheck: true,
        module: 'nodenext',
        target: 'es2024',
        lib: ['es2024'],
        types: ['node'],
        outDir: 'js',
      },
      ...{ rootDir: '.', rewriteRelativeImportExtensions: true },
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['*.ts'], exclude: ['time-codegen.ts'] }),
    );
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')]);
  }, 120_000);

  const runsBooks = async (node: string, file: string) => {
    const lines = (await run(node, [file])).trim().split('\n');
    const answer = JSON.parse(lines.at(-1) ?? '');

    expect(lines).toContain('/books/?limit=3&offset=0 200');
    expect(lines.filter((line) => line.startsWith('/authors/')).toSorted()).toEqual([
      '/authors/a1/ 200',
      '/authors/a2/ 200',
    ]);
    expect(lines.join()).toContain('calls: 3');
    expect(answer.data.books.results[1]).toEqual({ title: 'TYPEE', author: { name: 'Melville' } });
    expect(Date.parse(answer.data.time)).toBeGreaterThan(0);
  };

  test('a graph over a REST service runs, with its part', () => runsBooks(process.execPath, 'books.ts'));

  test('the contract is a value, and calls are made without a graph', async () => {
    expect(await run(process.execPath, ['kinds.ts'])).toContain('GET /authors/{id}/ Author\n');
    const author = { id: 'a1', name: 'Thoreau' };
    expect(await run(process.execPath, ['one-author.ts'])).toBe(
      `/authors/a1/ 200\n${JSON.stringify([author, author])}\n`,
    );
  });

  test.runIf(node20)('the graph runs on Node 20 with the undici that npm installs there', async () => {
    const libraries = join(project, 'node_modules');
    renameSync(join(libraries, 'undici'), join(libraries, 'undici-8'));
    cpSync(join(root, 'node_modules/undici-7'), join(libraries, 'undici'), { recursive: true });
    cpSync(join(project, 'generated'), join(project, 'js/generated'), { recursive: true });

    await runsBooks(node20 as string, 'js/books.js');
  });

  test('a part adds its fields to the schema that the command writes', async () => {
    await run(join(project, 'node_modules/.bin/rest-contract'), [
      ...['--openapi', 'books.openapi.yaml', '--sdl', 'schema', '--out', 'with-part', '--part', './time-codegen.ts'],
    ]);

    expect(readFileSync(join(project, 'with-part/schema.graphql'), 'utf8')).toContain(
      '"The clock of the service."\n  time: DateTime!',
    );
  });

  test('the command for contracts says what is wrong, and where', async () => {
    const text = readFileSync(join(project, 'books.openapi.yaml'), 'utf8');
    writeFileSync(join(project, 'wrong.yaml'), text.replace('x-proves-key', 'x-prove-key'));
    const command = run(join(project, 'node_modules/.bin/rest-contract'), [
      ...['--openapi', 'wrong.yaml', '--sdl', 'schema', '--out', 'wrong'],
    ]);

    await expect(command).rejects.toThrow('paths./books/.get.x-prove-key: not a known key');
  });

  const programs: [name: string, node: string, extension: '.ts' | '.js'][] = [['Node 24', process.execPath, '.ts']];
  if (node20) programs.push(['Node 20', node20, '.js']);

  describe.each(programs)('on %s', (_name, node, extension) => {
    const file = (name: string) => (extension === '.ts' ? `${name}.ts` : `js/${name}.js`);

    test('a schema runs without a server', async () => {
      const lines = (await run(node, [file('greeting')])).trim().split('\n');

      expect(lines.slice(0, 2)).toEqual(['Hello Ama []', "null [ 'UNAUTHENTICATED' ]"]);
      expect(lines[2]).toContain('Cannot query field "greting"');
    });

    test('a server of any schema runs, with its part', async () => {
      const { url, stop } = await start(node, [file('server')]);
      try {
        const ask = async (query: string, headers = {}) =>
          (
            await fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body: JSON.stringify({ query }),
            })
          ).json();
        const wrong = await ask('{ book(id: "none") { title } }');

        expect(await ask('mutation { addBook(title: "Typee") { id } }')).toEqual({ data: { addBook: { id: 'b2' } } });
        expect(await ask('{ key books { title } }', { authorization: 'demo', 'accept-encoding': 'zstd' })).toEqual({
          data: { key: 'demo', books: [{ title: 'Walden' }, { title: 'Typee' }] },
        });
        expect(wrong).toMatchObject({
          data: { book: null },
          errors: [{ path: ['book'], extensions: { code: 'NOT_FOUND' } }],
        });
        const replay = await ask('mutation { addBook(title: "Omoo") { id } }', {
          authorization: 'demo',
          'idempotency-key': 'k',
        });
        expect(replay.errors[0].extensions.code).toBe('BAD_USER_INPUT');
        expect(await (await fetch(new URL('/uptime', url))).text()).toMatch(/^\d+\n$/);
        expect(await (await fetch(new URL('/metrics', url))).text()).toContain('gateway_uptime_requests_total 1');
      } finally {
        await stop();
      }
    });

    test('threads start: for health checks, and for a file of records where there is SQLite', async () => {
      writeFileSync(join(project, `threads${extension}`), threads);

      expect(await run(node, [`threads${extension}`])).toMatch(
        extension === '.ts' ? /^live\nstored\n/ : /^live\nIDEMPOTENCY_FILE=records.db cannot be opened: /,
      );
    });
  });
});

const threads = `
import { withChanges } from '@gateway/base';
import { createLogger, defaultSettings, schemaGraph, serve } from '@gateway/graphql-serve';
import { defaultShareSettings, openShared } from '@gateway/replicas';
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';

const query = new GraphQLObjectType({ name: 'Query', fields: { greeting: { type: GraphQLString } } });
const server = { port: 0, adminPort: 0 };
const gateway = await serve(schemaGraph({ schema: new GraphQLSchema({ query }) }), {
  settings: withChanges(defaultSettings, { server }),
});
const { status } = await (await fetch(new URL('/health/live', gateway.adminUrl))).json();
console.log(status);
await gateway.close();

const logger = createLogger({ level: 'silent' }, process.stdout, 'Authorization');
const settings = withChanges(defaultShareSettings, { idempotency: { file: 'records.db', timeoutMs: 20_000 } });
try {
  const shared = await openShared({ settings, serviceName: 'books', logger });
  const caller = { tokenDigest: 'a', keyDigest: 'b', digest: 'c', key: 'd', headers: {} };
  const writes = shared.idempotency.under(() => caller, 'key', () => []);
  const steps = { send: async () => ({ id: 'stored' }), isOver: () => false, invalidate: () => undefined };
  console.log((await writes.write('addBook', {}, steps)).id);
  await shared.close();
} catch (error) {
  console.log(error.message);
}
`;

/** Starts a server. Resolves with the address that it prints. */
async function start(node: string, args: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const env = { ...process.env, NODE_OPTIONS: '', VITEST: '', PORT: '0' };
  const server: ChildProcess = spawn(node, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  let complaints = '';
  server.stderr?.on('data', (text) => {
    complaints += text;
  });
  const [url] = await Promise.race([
    once(createInterface({ input: server.stdout! }), 'line'),
    ended.then(() => {
      throw new Error(complaints);
    }),
  ]);
  return {
    url,
    async stop() {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
