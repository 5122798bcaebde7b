import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subgraphSdl } from '@gateway/federation';
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { traceability } from '../../src/app.ts';
import { printed, run, serve } from '../support/own-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints each module that a process or a thread loads. */
const hooks = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.error('loads ' + url); return next(url, context); } });`;

/** Modules for what a plain gateway does not do. They take time at the start, and memory. */
const unneeded = [
  'packages/sandbox/',
  'packages/media/media-endpoint.ts',
  'packages/media/media-files.ts',
  'packages/replicas/idempotency/sqlite-thread.ts',
  'node_modules/@apollo/usage-reporting-protobuf/',
  'node_modules/@opentelemetry/exporter-',
  'node_modules/@opentelemetry/sdk-',
  'node_modules/@redis/',
  'node_modules/undici/index.js',
  'node_modules/undici/lib/web/',
];

/** The modules of a gateway over a service that has just started. */
async function loadedAtStart(): Promise<string[]> {
  const gateway = run({
    UPSTREAM_URL: 'http://127.0.0.1:9/v1',
    ADMIN_PORT: '0',
    IDEMPOTENCY_FILE: join(folder, 'records.db'),
    NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(hooks)}"`,
  });
  await printed(gateway, /REST service +(\S+)/);
  return [...gateway.output().matchAll(/^loads (\S+)$/gm)].map(([, url = '']) => url);
}

const list = join(import.meta.dirname, '../../dist/start/sources.json');

test('a built gateway and its threads load few files, and none of what they do not need yet', async () => {
  const loaded = await loadedAtStart();

  expect(loaded.some((url) => url.endsWith('/dist/start/admin-worker.js'))).toBe(true);
  expect(loaded.filter((url) => /\/(?:packages|node_modules)\//.test(url))).toEqual([]);
  expect(
    loaded.filter((url) =>
      /dist\/start\/(?:exports|connection|media-(?:endpoint|files)|usage|sandbox|undici)/.test(url),
    ),
  ).toEqual([]);
  expect(loaded.filter((url) => url.includes('/dist/start/')).length).toBeLessThan(40);
});

test.each(['src/main.ts', 'schema/generated/schema.graphql', 'packages/sandbox', 'packages/sandbox/seed'])(
  'an edit of %s makes the built files old',
  (source) => {
    expect(JSON.parse(readFileSync(list, 'utf8'))).toContain(source);
  },
);

test('a gateway with a source newer than its built files runs from the sources, without modules it does not need', async () => {
  const { atime, mtime } = statSync(list);
  utimesSync(list, 0, 0);
  try {
    const loaded = await loadedAtStart();

    expect(loaded.some((url) => url.endsWith('src/compose.ts'))).toBe(true);
    expect(loaded.filter((url) => unneeded.some((place) => url.includes(place)))).toEqual([]);
  } finally {
    utimesSync(list, atime, mtime);
  }
});

test('a built gateway is a subgraph with the SDL that is printed for the composition', async () => {
  const gateway = await serve({ FEDERATION: 'true' });
  const { body } = await gateway.ask('{ _service { sdl } }');
  const types = (sdl: string) => printSchema(lexicographicSortSchema(buildSchema(sdl, { assumeValidSDL: true })));
  expect(types(body.data._service.sdl)).toBe(types(subgraphSdl(traceability)));
});

test.each([
  ['IDEMPOTENCY_FILE', '/proc/gateway/records.db', 'IDEMPOTENCY_FILE=/proc/gateway/records.db cannot be opened: /proc'],
  ['SANDBOX_DATA', '/proc/gateway', '/proc/gateway takes no data.'],
])('a gateway with %s below /proc ends with an error', async (name, path, says) => {
  const gateway = run({ [name]: path });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toContain(says);
});

test('an older Node says which one the gateway needs, and where to get it', async () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.19.0' })";
  const gateway = run({ NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(older)}"` });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toBe(
    'This is Node 20.19.0, and the gateway needs Node 24. "npm ci" installs it, and "npm start" runs it.\n',
  );
});

test('a flag of "npm start" ends it with the form of settings', async () => {
  const gateway = run({}, ['--port', '4003']);
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toBe(
    'There is no argument "--port": settings are environment variables, such as PORT=4000, or stand in gateway.yaml.\n',
  );
});
