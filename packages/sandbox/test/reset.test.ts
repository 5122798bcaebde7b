import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../server.ts';
import { clientOf, disposableSandbox, idOf, results } from './client.ts';

const farmers = '/supply-chains/farmers/';
const payments = '/transactions/payment-transactions/';
const noon = '2026-03-01T12:00:00Z';
const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sandbox = await disposableSandbox({ now: noon, pace: { default: { callMs: 1 } } });
const { get, post, send } = clientOf(sandbox);
afterEach(() => sandbox.reset());

async function upload(): Promise<string> {
  const [payment] = results(await get(payments));
  const form = new FormData();
  form.set('invoice', new File(['paid'], 'invoice.pdf'));
  const { body } = await send('PATCH', `${payments}${idOf(payment)}/invoice/`, form);
  return body.invoice as string;
}

test('reset gives back rows, ids, files, calls, pace and clock', async () => {
  const { body: before } = await post(farmers, { first_name: 'Ama' });
  const invoice = await upload();
  sandbox.clock.advance(60_000);
  sandbox.setPace({ default: { callMs: 9 } });
  sandbox.fail('listFarmers', 503);
  sandbox.reset();
  expect(sandbox.calls()).toEqual([]);
  expect(sandbox.clock.now()).toBe('2026-03-01T12:00:00.000000Z');
  expect((await fetch(invoice)).status).toBe(404);
  expect((await get(farmers)).body.count).toBe(240);
  expect((await post(farmers, { first_name: 'Ama' })).body).toEqual(before);
  expect(await upload()).toBe(invoice);
  expect(sandbox.calls()[0]).toMatchObject({ endpoint: 'listFarmers', workMs: 1 });
});

test.each([
  ['to come', ''],
  ['on its way', 'p'],
])(
  'reset answers a delayed call, and an upload of before with its file %s writes nothing after it',
  async (_, begun) => {
    vi.stubEnv('TMPDIR', mkdtempSync(join(folder, 'tmp-')));
    onTestFinished(() => void vi.unstubAllEnvs());
    const invoice = await upload();
    sandbox.reset();
    sandbox.delay('listFarmers', Number.POSITIVE_INFINITY);
    const delayed = get(farmers);
    await expect.poll(() => sandbox.calls().length).toBe(1);
    const [payment] = results(await get(payments));
    const body = new TransformStream<Uint8Array>();
    const writer = body.writable.getWriter();
    const uploading = fetch(`${sandbox.url}${payments}${idOf(payment)}/invoice/`, {
      method: 'PATCH',
      headers: { authorization: 'demo-coop', 'content-type': 'multipart/form-data; boundary=b' },
      body: body.readable,
      duplex: 'half',
    } as RequestInit);
    void writer.write(
      new TextEncoder().encode(`--b\r\ncontent-disposition: form-data; name="invoice"; filename="a"\r\n\r\n${begun}`),
    );
    await expect.poll(() => sandbox.calls().length).toBe(3);
    // busboy reports the file with its first byte.
    const parts = () => readdirSync(tmpdir(), { recursive: true }).filter((name) => String(name).endsWith('.part'));
    await expect.poll(parts).toHaveLength(begun.length);
    sandbox.reset();
    expect((await delayed).status).toBe(200);
    await writer.write(new TextEncoder().encode('paid\r\n--b--\r\n'));
    await writer.close();
    expect((await uploading).status).toBe(503);
    expect((await get(`${payments}${idOf(payment)}/`)).body.invoice).toBeNull();
    expect(await upload()).toBe(invoice);
  },
);

test('reset of a store in a folder is refused', async () => {
  const stored = await startSandbox({ data: folder });
  expect(() => stored.reset()).toThrow(`reset() needs a store in memory; this one keeps its data in ${folder}.`);
  await stored.close();
});

test('a clock that stands gives each write the next microsecond, and moves by hand', async () => {
  const write = async () => (await post(farmers, { first_name: 'Ama' })).body.updated_on;
  const times = [await write(), await write()];
  sandbox.clock.advance(1_500);
  times.push(await write());
  sandbox.clock.set(new Date('2026-02-01'));
  times.push(await write());
  expect(times).toEqual([
    '2026-03-01T12:00:00.000000Z',
    '2026-03-01T12:00:00.000001Z',
    '2026-03-01T12:00:01.500000Z',
    '2026-02-01T00:00:00.000000Z',
  ]);
});

test('a wrong time is refused by its place', async () => {
  await expect(startSandbox({ now: 'noon' })).rejects.toThrow(
    'now: "noon" is no date-time such as 2026-03-01T12:00:00Z.',
  );
  expect(() => sandbox.clock.set(new Date('noon'))).toThrow('clock.set: "Invalid Date" is no date-time');
  expect(() => sandbox.clock.advance(-1)).toThrow('clock.advance: -1 is no number of milliseconds from 0 on');
});

test('pace takes the names real and none', async () => {
  sandbox.setPace('real');
  await get('/catalogs/currencies/?limit=1');
  sandbox.setPace('none');
  await get('/catalogs/currencies/?limit=1');
  expect(sandbox.calls().map(({ workMs }) => workMs)).toEqual([11.1, undefined]);
});
