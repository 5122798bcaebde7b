import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { serviceContract } from '../../src/contract/service-contract.ts';
import { executableSchema } from '../../src/graphql/schema.ts';
import { checkManifest } from '../../src/graphql/trusted-documents/trusted-document.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { scrape } from '../support/scrape.ts';

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
const becomes = (gateway: Gateway, id: string, isKnown: boolean) =>
  expect.poll(() => knows(gateway, id), { interval: 20 }).toBe(isKnown);

async function metric({ url }: Gateway, name: string, result?: string): Promise<number | undefined> {
  const samples = await scrape(url);
  return samples.find((sample) => sample.name === name && sample.labels.result === result)?.value;
}
const bad = (gateway: Gateway) => metric(gateway, 'gateway_manifests_bad');

test('a running gateway takes documents from new and changed manifests, and drops those of removed ones', async () => {
  const folder = folderOf({ '.hidden.json': { hidden: time }, 'note.txt': { note: time } });
  await using gateway = await start(folder);

  write(folder, 'old-app.json', { farmers });
  write(folder, 'new-app.json', { count });
  await becomes(gateway, 'count', true);
  write(folder, 'new-app.json', { time });
  await becomes(gateway, 'time', true);
  const ids = ['farmers', 'time', 'count', 'hidden', 'note'];
  expect(await Promise.all(ids.map((id) => knows(gateway, id)))).toEqual([true, true, false, false, false]);
  expect(await metric(gateway, 'gateway_trusted_documents')).toBe(2);

  rmSync(join(folder, 'new-app.json'));
  await becomes(gateway, 'time', false);
  expect([await knows(gateway, 'farmers'), gateway.errors()]).toEqual([true, []]);
  expect(await metric(gateway, 'gateway_manifests_read_total', 'good')).toBe(3);
});

test('a bad version of a manifest leaves the last good one, and is logged and counted once', async () => {
  const faults: [name: string, version: object | string, reason: string][] = [
    ['cut', '{"time": "quer', 'Unterminated string in JSON'],
    ['empty', '', 'Unexpected end of JSON input'],
    ['nothing', {}, 'This is no manifest of persisted documents.'],
    ['schema', { count, pets: 'query Pets { pets }' }, 'Pets: Cannot query field "pets"'],
    [
      'limit',
      { count, many: 'query Many { a: serverTime b: serverTime }' },
      'Many: The operation has 2 aliases; 1 are',
    ],
    ['conflict', { count, 'sha256:farmers': time }, 'sha256:farmers: Another document has the same id.'],
    ['twice', '{"operations":[{"id":"a","body":"{ serverTime }"},{"id":"a","body":"{__typename}"}]}', 'a: Another'],
  ];
  const good = faults.map(([name]) => [`${name}.json`, { [name]: time }]);
  const folder = folderOf({ ...Object.fromEntries(good), 'farmers.json': { farmers } });
  await using gateway = await start(folder, { 'limits.documents.aliases': '1' });
  const known = () =>
    Promise.all([...faults.map(([name]) => name), 'farmers', 'count'].map((id) => knows(gateway, id)));

  for (const [name, version] of faults) write(folder, `${name}.json`, version);
  await expect.poll(() => bad(gateway)).toBe(7);
  write(folder, 'next.json', { next: time });
  await becomes(gateway, 'next', true);

  expect(await known()).toEqual([...faults.map(() => true), true, false]);
  const lines = faults.map(([name, , reason]) => {
    const manifest = join(folder, `${name}.json`);
    return expect.objectContaining({ manifest, reason: expect.stringContaining(`${manifest}: ${reason}`) });
  });
  expect(gateway.errors()).toHaveLength(7);
  expect(gateway.errors()).toEqual(expect.arrayContaining(lines));
  expect(await metric(gateway, 'gateway_manifests_read_total', 'bad')).toBe(7);

  // The id of the conflict is free again.
  rmSync(join(folder, 'farmers.json'));
  for (const [name] of faults) if (name !== 'conflict') write(folder, `${name}.json`, { count });
  await expect.poll(() => bad(gateway)).toBe(0);
  expect(await known()).toEqual([...faults.map(() => false), true, true]);
});

test('two manifests may give the text of one id anew together', async () => {
  const folder = folderOf({ 'a.json': { shared: time, a: time }, 'b.json': { shared: time } });
  await using gateway = await start(folder);

  write(folder, 'a.json', { shared: count, a: count });
  write(folder, 'b.json', { shared: count, b: count });
  await becomes(gateway, 'b', true);
  expect((await gateway.ask({ documentId: 'shared' })).body.data).toEqual({ farmers: { count: expect.any(Number) } });
  expect([await bad(gateway), gateway.errors()]).toEqual([0, []]);
});

test('a file too large for a manifest is bad, and is not read', async () => {
  const folder = folderOf({ 'app.json': { time } });
  await using gateway = await start(folder);

  truncateSync(join(folder, 'app.json'), 33 * 1024 * 1024);
  await expect.poll(() => bad(gateway)).toBe(1);
  expect(await knows(gateway, 'time')).toBe(true);
  expect(gateway.errors()).toMatchObject([
    { reason: expect.stringContaining('app.json: The file has more than 32 MiB') },
  ]);
});

test('a pipe or a device in the place of a manifest is bad, is not read, and holds nothing up', async () => {
  const folder = folderOf({ 'pipe.json': { time }, 'zeros.json': { farmers } });
  await using gateway = await start(folder);

  rmSync(join(folder, 'pipe.json'));
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  symlinkSync('/dev/zero', join(folder, 'zeros.json.link'));
  renameSync(join(folder, 'zeros.json.link'), join(folder, 'zeros.json'));
  write(folder, 'app.json', { count });
  await becomes(gateway, 'count', true);
  expect(await bad(gateway)).toBe(2);
  expect([await knows(gateway, 'time'), await knows(gateway, 'farmers')]).toEqual([true, true]);
  const reason = 'This is a pipe, a socket or a device, not a regular file.';
  expect(gateway.errors()).toMatchObject([
    { reason: `${join(folder, 'pipe.json')}: ${reason}` },
    { reason: `${join(folder, 'zeros.json')}: ${reason}` },
  ]);

  rmSync(join(folder, 'pipe.json'));
  write(folder, 'next.json', { next: time });
  await becomes(gateway, 'next', true);
  expect(await bad(gateway)).toBe(1);
});

test('a pipe or a device in the place of a manifest stops the start', async () => {
  const folder = folderOf();
  symlinkSync('/dev/zero', join(folder, 'zeros.json'));
  await expect(start(folder)).rejects.toThrow('zeros.json: This is a pipe, a socket or a device');
});

test('a path that names no file any more leaves its documents', async () => {
  const folder = folderOf({ 'app.json': { time } });
  await using gateway = await start(join(folder, '*.json'));

  renameSync(join(folder, 'app.json'), join(folder, 'gone'));
  await expect.poll(() => bad(gateway)).toBe(1);
  expect(await knows(gateway, 'time')).toBe(true);
  expect(gateway.errors()).toMatchObject([{ reason: `There is no file or folder ${join(folder, '*.json')}.` }]);

  write(folder, 'app.json', { count });
  await becomes(gateway, 'count', true);
  expect([await bad(gateway), await knows(gateway, 'time')]).toEqual([0, false]);
});

test('a folder may take the place of a file', async () => {
  const folder = folderOf({ app: { time } });
  await using gateway = await start(join(folder, 'app'));

  rmSync(join(folder, 'app'));
  mkdirSync(join(folder, 'app'));
  write(join(folder, 'app'), 'next.json', { count });
  await becomes(gateway, 'count', true);
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
    await becomes(gateway, version, true);
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
  await becomes(gateway, 'time', true);
  release.resolve(undefined);
  upstream.respond = undefined;

  expect((await begun).body).toEqual({ data: { farmers: { results: [{ name: expect.any(String) }] } } });
  expect(await statuses()).toEqual([400, 200, 400, 200, 400, 200]);
  const answer = await get(etag);
  expect([answer.status, await answer.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
});

test('other work goes on while a long manifest is checked', async () => {
  const texts = Array.from({ length: 500 }, (_, n) => [n, `query Q${n} { farmers(limit: 1) { results { id name } } }`]);
  const { limits } = readConfig({});
  const check = { schema: executableSchema(serviceContract), limits, introspectionEnabled: true, usesCache: true };
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);

  const { signal } = new AbortController();
  const manifest = JSON.stringify(Object.fromEntries(texts));
  expect((await checkManifest(manifest, { ...check, known: new Map(), signal })).size).toBe(500);
  isDone = true;
  expect(turns).toBeGreaterThan(1);
});

test('a gateway that is closed reads no manifest', async () => {
  const folder = folderOf();
  const closed = await start(folder);
  await using other = await start(folder);
  await closed.close();

  write(folder, 'app.json', '{');
  await expect.poll(() => other.errors().length).toBe(1);
  write(folder, 'app.json', { time });
  await becomes(other, 'time', true);
  expect(closed.errors()).toEqual([]);
});
