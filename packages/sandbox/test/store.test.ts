import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listPaths } from '../../../test/support/rest-endpoints.ts';
import { addDecimals, parseDecimal } from '../framework/decimal.ts';
import { decodeId, encodeId } from '../framework/ids.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../server.ts';
import { clientOf, first } from './client.ts';
import { kill, lostIn, type Promised, runSandbox, writeUntilKilled } from './kill.ts';

const farmers = '/supply-chains/farmers/';
const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function start(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  disposals.push(() => sandbox.close());
  return sandbox;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  disposals.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('seeds each sandbox with the same bytes, after writes to another one too', async () => {
  const written = await start();
  await clientOf(written).post(farmers, { first_name: 'Elsewhere' });
  // A store in memory copies the seeded world, a store in a folder builds it.
  const [one, other] = [await start(), await start({ data: temporaryFolder() })];
  const lists = Object.values(listPaths).map((path) => `${path}?limit=100`);
  const paths = [
    ...lists,
    `${farmers}?limit=100&offset=100`,
    `/supply-chains/companies/${first}/`,
    `/accounts/users/${first}/`,
  ];
  for (const path of paths) {
    const [left, right] = [await clientOf(one).get(path), await clientOf(other).get(path)];
    expect(left.status).toBe(200);
    const withoutHost = (text: string, { port }: Sandbox) => text.replaceAll(`http://127.0.0.1:${port}`, '');
    expect(withoutHost(left.text, one)).toBe(withoutHost(right.text, other));
  }
});

test('keeps writes over a restart, and does not seed again', async () => {
  const folder = temporaryFolder();
  const before = await start({ data: folder });
  const { body } = await clientOf(before).post(farmers, { first_name: 'Kept' });
  await before.close();
  const { get } = clientOf(await start({ data: folder }));
  expect((await get(`${farmers}${body.id}/`)).body).toEqual(body);
  expect((await get(farmers)).body.count).toBe(241);
});

test('loses no answered write by kill -9, and stores no half of one', async () => {
  const folder = temporaryFolder();
  const promised: Promised = { farmers: new Map(), transactions: new Map(), invoices: new Map() };
  const killed = await runSandbox(folder);
  disposals.push(() => killed.child.kill('SIGKILL'));
  const writing = writeUntilKilled(killed, promised);
  await expect.poll(() => promised.farmers.size).toBeGreaterThan(100);
  await kill(killed);
  await writing;
  expect(promised.transactions.size).toBeGreaterThan(10);
  expect([...promised.invoices.values()].map(({ answered }) => typeof answered)).toContain('string');

  expect(await lostIn(await start({ data: folder }), promised)).toEqual([]);
});

test('listens at the given port, and rejects when it is taken', async () => {
  const sandbox = await start();
  expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.port}/v1`);
  await expect(startSandbox({ port: sandbox.port })).rejects.toThrow('EADDRINUSE');
  await Promise.all([sandbox.close(), sandbox.close()]);
  const again = await start({ port: sandbox.port, dialect: 'connect' });
  expect(again.url).toBe(`http://127.0.0.1:${sandbox.port}/connect/v1`);
});

test('lists calls with headers and bodies for tests, without headers at /__sandbox/calls', async () => {
  const sandbox = await start();
  const { get, post } = clientOf(sandbox);
  await get(`${farmers}?limit=1`, { 'accept-language': 'nl' });
  await post(farmers, { first_name: 'Noted', phone: null });
  await get(`${farmers}${first}/`);
  await get('/nowhere/');
  expect(sandbox.calls()).toMatchObject([
    { method: 'GET', path: `${farmers}?limit=1`, template: farmers, status: 200, headers: { 'accept-language': 'nl' } },
    { method: 'POST', path: farmers, status: 201, body: { first_name: 'Noted', phone: null } },
    { path: `${farmers}${first}/`, template: `${farmers}{hashid}/`, status: 404 },
    { path: '/nowhere/', template: '', status: 404 },
  ]);
  const page = new URL('/__sandbox/calls', sandbox.url);
  expect(await (await fetch(page)).json()).toMatchObject({
    count: 4,
    by_endpoint: { [`GET ${farmers}`]: 1, [`POST ${farmers}`]: 1 },
  });
  expect((await fetch(page, { method: 'DELETE' })).status).toBe(204);
  expect(sandbox.calls()).toEqual([]);
});

test('fails a call on demand, before it writes', async () => {
  const { get, send } = clientOf(await start());
  const { status, headers } = await send('POST', farmers, { first_name: 'x' }, { 'x-sandbox-fail': '503' });
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect((await get(farmers, { 'x-sandbox-fail': '429:/supply-chains/farmers/' })).status).toBe(429);
  const other = await get('/catalogs/products/', { 'x-sandbox-fail': '429:/supply-chains/farmers/' });
  expect(other.status).toBe(200);
  expect((await get(farmers)).body.count).toBe(240);
});

test.each([
  ['x-sandbox-fail', ['50', '503/catalogs', 'yes']],
  ['x-sandbox-delay', ['2s', '-1']],
])('refuses a value of %s that it does not know', async (name, values) => {
  const { get } = clientOf(await start());
  const answers = await Promise.all(values.map((value) => get(farmers, { [name]: value })));
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toMatch(/X-Sandbox-(Fail|Delay) is .* such as/);
  }
});

test('fails a share of the calls, the same ones in every run', async () => {
  const { get } = clientOf(await start({ failRate: 0.25 }));
  const statuses = [];
  for (let call = 0; call < 8; call++) statuses.push((await get('/catalogs/products/?limit=1')).status);
  expect(statuses).toEqual([200, 200, 200, 503, 200, 200, 200, 503]);
});

test('delays the answer, not the work', async () => {
  const sandbox = await start({ delayMs: 60_000 });
  const { send, get } = clientOf(sandbox);
  const abandoned = send('POST', farmers, { first_name: 'Slow' }).catch((error: Error) => error);
  await expect.poll(() => sandbox.calls().map(({ status }) => status)).toEqual([201]);
  expect((await get(`${farmers}?first_name=slow`, { 'x-sandbox-delay': '1' })).body.count).toBe(1);
  await sandbox.close();
  expect(await abandoned).toBeInstanceOf(Error);
});

test('encodes ids without collision, and rounds decimals exactly', () => {
  for (const n of [1, 2, 3, 1000, 123_456_789, 31 ** 10 - 1]) {
    expect(encodeId(n)).toMatch(/^[A-HJKMNP-Z2-9]{10}$/);
    expect(decodeId(encodeId(n))).toBe(n);
  }
  expect(new Set(Array.from({ length: 5000 }, (_, n) => encodeId(n))).size).toBe(5000);
  const rounded = ['0.1', '1e3', '-.0005', '0.0015', '0.00249', '12345678901234567890.5', '+7', '1,5', '', '.', 'e3'];
  expect(rounded.map((text) => parseDecimal(text))).toEqual([
    '0.100',
    '1000.000',
    '0.000',
    '0.002',
    '0.002',
    '12345678901234567890.500',
    '7.000',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(addDecimals(['0.100', '0.200', '-0.050'])).toBe('0.250');
});
