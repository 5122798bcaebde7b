import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { printed, run } from '../support/own-process.ts';

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
  'packages/graphql-serve/idempotency/sqlite-thread.ts',
  'node_modules/@apollo/usage-reporting-protobuf/',
  'node_modules/@opentelemetry/exporter-',
  'node_modules/@opentelemetry/sdk-',
  'node_modules/@redis/',
  'node_modules/undici/index.js',
  'node_modules/undici/lib/web/',
];

test('a gateway over a service loads no module of a sandbox, telemetry, Redis, media or keyed writes at its start', async () => {
  const gateway = run({
    UPSTREAM_URL: 'http://127.0.0.1:9/v1',
    IDEMPOTENCY_FILE: join(folder, 'records.db'),
    NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(hooks)}"`,
  });
  await printed(gateway, /REST service +(\S+)/);
  const loaded = [...gateway.output().matchAll(/^loads (\S+)$/gm)].map(([, url = '']) => url);

  expect(loaded.some((url) => url.endsWith('src/compose.ts'))).toBe(true);
  expect(loaded.filter((url) => unneeded.some((place) => url.includes(place)))).toEqual([]);
});
