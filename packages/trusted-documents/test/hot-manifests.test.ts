import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { schemaParts } from '../../../src/compose.ts';
import { readConfig } from '../../../src/config.ts';
import { type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { serve } from '../../../test/support/own-process.ts';
import { RawConnection, rawPost } from '../../../test/support/raw-http.ts';
import { scrape } from '../../../test/support/scrape.ts';
import { twoWorkers } from '../../../test/support/worker-connections.ts';
import { openService } from '../../rest-graph/service.ts';
import { serviceOptions } from '../../upstream/test/upstream.ts';
import { addManifest } from '../trusted-document.ts';

const root = mkdtempSync(join(tmpdir(), 'hot-manifests-'));
afterAll(() => rmSync(root, { recursive: true }));

const farmers = 'query Farmers { farmers(limit: 1) { results { name } } }';
const count = 'query Count { farmers(limit: 1) { count } }';
const time = 'query Time { serverTime }';

let folders = 0;
/** A folder with these manifests. */
function folderOf(manifests: Record<string, object> = {}): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  for (const [name, manifest] of Object.entries(manifests)) write(folder, name, manifest);
  return folder;
}
function write(folder: string, name: string, manifest: object | string): void {
  writeFileSync(join(folder, name), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
}

async function start(TRUSTED_DOCUMENTS: string, settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const gateway = await startGateway({ settings: { TRUSTED_DOCUMENTS, LOG_LEVEL: 'info', ...settings }, log });
  const errors = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
  return Object.assign(gateway, { errors });
}

/** The id that the gateway knows. */
async function knows({ ask }: Gateway, id: string): Promise<boolean> {
  return (await ask({ documentId: id })).body.data !== undefined;
}

async function metric({ url }: Gateway, name: string, result?: string): Promise<number | undefined> {
  const samples = await scrape(url);
  return samples.find((sample) => sample.name === name && sample.labels.result === result)?.value;
}
const bad = (gateway: Gateway) => metric(gateway, 'gateway_manifests_bad');

test('a gateway that reads its manifests anew takes new and changed ones, and drops documents of removed ones', async () => {
  const folder = folderOf({ '.hidden.json': { hidden: time }, 'note.txt': { note: time } });
  await using gateway = await start(folder);

  write(folder, 'old-app.json', { farmers });
  write(folder, 'new-app.json', { count });
  await gateway.reload();
  expect(await knows(gateway, 'count')).toBe(true);
  write(folder, 'new-app.json', { time });
  await gateway.reload();
  const ids = ['farmers', 'time', 'count', 'hidden', 'note'];
  expect(await Promise.all(ids.map((id) => knows(gateway, id)))).toEqual([true, true, false, false, false]);
  expect(await metric(gateway, 'gateway_trusted_documents')).toBe(2);

  rmSync(join(folder, 'new-app.json'));
  await gateway.reload();
  expect(await knows(gateway, 'time')).toBe(false);
  expect([await knows(gateway, 'farmers'), gateway.errors()]).toEqual([true, []]);
  expect(await metric(gateway, 'gateway_manifests_read_total', 'good')).toBe(4);
});

test.each<[name: string, version: object | string, reason: string]>([
  ['cut', '{"time": "quer', 'Unterminated string in JSON'],
  ['empty', '', 'Unexpected end of JSON input'],
  ['nothing', {}, 'This is no manifest of persisted documents.'],
  ['schema', { count, pets: 'query Pets { pets }' }, 'Pets: Cannot query field "pets"'],
  ['limit', { count, many: 'query Many { a: serverTime b: serverTime }' }, 'Many: The operation has 2 aliases; 1 are'],
  ['conflict', { count, 'sha256:farmers': time }, 'sha256:farmers: Another document has the same id.'],
  ['twice', '{"operations":[{"id":"a","body":"{ serverTime }"},{"id":"a","body":"{__typename}"}]}', 'a: Another'],
])('a bad version of a manifest leaves the documents of before, and is logged: %s', async (name, version, reason) => {
  const folder = folderOf({ [`${name}.json`]: { time }, 'app.json': { farmers } });
  await using gateway = await start(folder, { 'limits.documents.aliases': '1' });
  const known = () => Promise.all(['time', 'farmers', 'count', 'next'].map((id) => knows(gateway, id)));

  write(folder, `${name}.json`, version);
  write(folder, 'next.json', { next: time });
  await gateway.reload();
  expect(await known()).toEqual([true, true, false, false]);
  const file = join(folder, `${name}.json`);
  expect(gateway.errors()).toMatchObject([
    { reason: expect.stringContaining(`TRUSTED_DOCUMENTS: ${file}: ${reason}`) },
  ]);
  expect([await bad(gateway), await metric(gateway, 'gateway_manifests_read_total', 'bad')]).toEqual([1, 1]);

  write(folder, `${name}.json`, { count });
  await gateway.reload();
  expect([await bad(gateway), await known()]).toEqual([0, [false, true, true, true]]);
});

test('two manifests may give the text of one id anew together', async () => {
  const folder = folderOf({ 'a.json': { shared: time, a: time }, 'b.json': { shared: time } });
  await using gateway = await start(folder);

  write(folder, 'a.json', { shared: count, a: count });
  write(folder, 'b.json', { shared: count, b: count });
  await gateway.reload();
  expect(await knows(gateway, 'b')).toBe(true);
  expect((await gateway.ask({ documentId: 'shared' })).body.data).toEqual({ farmers: { count: expect.any(Number) } });
  expect([await bad(gateway), gateway.errors()]).toEqual([0, []]);
});

test('a file too large for a manifest is bad, and is not read', async () => {
  const folder = folderOf({ 'app.json': { time } });
  await using gateway = await start(folder);

  truncateSync(join(folder, 'app.json'), 33 * 1024 * 1024);
  await gateway.reload();
  expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([1, true]);
  expect(gateway.errors()).toMatchObject([
    { reason: expect.stringContaining('app.json: The file has more than 32 MiB') },
  ]);
});

test.each(['pipe', 'device'])(
  'a %s in the place of a manifest is bad, is not read, and holds nothing up',
  async (kind) => {
    const folder = folderOf({ 'app.json': { time } });
    await using gateway = await start(folder);

    rmSync(join(folder, 'app.json'));
    if (kind === 'pipe') execFileSync('mkfifo', [join(folder, 'app.json')]);
    else symlinkSync('/dev/zero', join(folder, 'app.json'));
    await gateway.reload();
    expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([1, true]);
    const reason = 'This is a pipe, a socket or a device, not a regular file.';
    expect(gateway.errors()).toMatchObject([{ reason: `TRUSTED_DOCUMENTS: ${join(folder, 'app.json')}: ${reason}` }]);
  },
);

test('a pipe or a device in the place of a manifest stops the start', async () => {
  const folder = folderOf();
  symlinkSync('/dev/zero', join(folder, 'zeros.json'));
  await expect(start(folder)).rejects.toThrow('zeros.json: This is a pipe, a socket or a device');
});

test('a path that names no file any more leaves its documents', async () => {
  const folder = folderOf({ 'app.json': { time } });
  await using gateway = await start(join(folder, '*.json'));

  renameSync(join(folder, 'app.json'), join(folder, 'gone'));
  await gateway.reload();
  expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([1, true]);
  expect(gateway.errors()).toMatchObject([
    { reason: `TRUSTED_DOCUMENTS: There is no file or folder ${join(folder, '*.json')}.` },
  ]);

  write(folder, 'app.json', { count });
  await gateway.reload();
  expect(await knows(gateway, 'count')).toBe(true);
  expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([0, false]);
});

test('a folder may take the place of a file', async () => {
  const folder = folderOf({ app: { time } });
  await using gateway = await start(join(folder, 'app'));

  rmSync(join(folder, 'app'));
  mkdirSync(join(folder, 'app'));
  write(join(folder, 'app'), 'next.json', { count });
  await gateway.reload();
  expect(await knows(gateway, 'count')).toBe(true);
  expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([0, false]);
});

/** Shows these files in the folder as Kubernetes shows a ConfigMap: all files change with one link. */
function mount(folder: string, version: string, manifests: Record<string, object>): void {
  mkdirSync(join(folder, `..${version}`));
  for (const [name, manifest] of Object.entries(manifests)) write(join(folder, `..${version}`), name, manifest);
  symlinkSync(`..${version}`, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}

test('no request fails while a ConfigMap moves its document from one file to another', async () => {
  const folder = folderOf();
  const files = ['a.json', 'b.json'];
  mount(folder, '0', { 'a.json': { farmers }, 'b.json': { time } });
  for (const name of files) symlinkSync(`..data/${name}`, join(folder, name));
  await using gateway = await start(folder, { TRUSTED_DOCUMENTS_MODE: 'enforce' });
  const failed: unknown[] = [];
  let isLoaded = true;
  const load = (async () => {
    while (isLoaded) {
      const { body } = await gateway.ask({ documentId: 'farmers' });
      if (!body.data || body.errors) failed.push(body);
    }
  })();

  for (const version of ['1', '2']) {
    const [first = '', second = ''] = files.reverse();
    mount(folder, version, { [first]: { farmers, [version]: count }, [second]: { time } });
    await gateway.reload();
    expect(await knows(gateway, version)).toBe(true);
  }
  isLoaded = false;
  await load;
  expect([failed, gateway.errors()]).toEqual([[], []]);
});

test('a new manifest leaves operations that have begun, and counts for cached texts and for browsers', async () => {
  const folder = folderOf({ 'app.json': { a: time, farmers } });
  await using gateway = await startFakedGateway({ TRUSTED_DOCUMENTS: folder, TRUSTED_DOCUMENTS_MODE: 'enforce' });
  const { upstream } = gateway;
  const statuses = async () => {
    const statuses = [];
    // The operation cache has what came twice.
    for (const query of [farmers, count, farmers, count, farmers, count])
      statuses.push((await gateway.ask({ query })).status);
    return statuses;
  };
  const headers = { authorization: 'demo-coop', 'apollo-require-preflight': 'true' };
  const get = (etag = '') => fetch(`${gateway.url}?documentId=a`, { headers: { ...headers, 'if-none-match': etag } });
  const etag = (await get()).headers.get('etag') as string;
  expect(await statuses()).toEqual([200, 400, 200, 400, 200, 400]);

  upstream.clear();
  const release = Promise.withResolvers<undefined>();
  upstream.respond = () => release.promise;
  const begun = gateway.ask({ documentId: 'farmers' });
  await expect.poll(() => upstream.calls.length).toBe(1);
  write(folder, 'app.json', { a: '{ __typename }', time, count });
  await gateway.reload();
  expect(await knows(gateway, 'time')).toBe(true);
  release.resolve(undefined);
  upstream.respond = undefined;

  expect((await begun).body).toEqual({ data: { farmers: { results: [{ name: expect.any(String) }] } } });
  expect(await statuses()).toEqual([400, 200, 400, 200, 400, 200]);
  const answer = await get(etag);
  expect([answer.status, await answer.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
});

test('other work goes on while a long manifest is checked', async () => {
  const texts = Array.from({ length: 500 }, (_, n) => [n, `query Q${n} { farmers(limit: 1) { results { id name } } }`]);
  const config = readConfig({});
  const graph = openService(traceability, { ...serviceOptions('http://127.0.0.1:1/v1'), parts: schemaParts });
  const check = { graph, limits: config.limits.documents, introspectionEnabled: true };
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);

  const documents = new Map();
  await addManifest(documents, JSON.stringify(Object.fromEntries(texts)), { ...check, known: new Map() });
  expect(documents.size).toBe(500);
  isDone = true;
  expect(turns).toBeGreaterThan(1);
  await graph.close();
});

test.each([
  ['one process', {}],
  ['two workers', twoWorkers],
])('SIGHUP makes %s read the manifests anew, and requests go on', async (_, settings) => {
  const folder = folderOf({ 'app.json': { time } });
  const gateway = await serve({ ...settings, TRUSTED_DOCUMENTS: folder, LOG_LEVEL: 'info' });
  const read = () => gateway.output().match(/The manifests are read anew/g) ?? [];
  write(folder, 'app.json', { time, count });
  gateway.child.kill('SIGHUP');
  await expect.poll(read).toHaveLength(settings === twoWorkers ? 2 : 1);

  // Each connection may lead to another worker.
  for (let i = 0; i < 6; i += 1) {
    const connection = new RawConnection(gateway.url);
    await connection.send(rawPost(JSON.stringify({ documentId: 'count' })));
    expect(JSON.parse((await connection.answer())!.body).errors).toBeUndefined();
    connection.close();
  }
});
