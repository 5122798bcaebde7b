import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../server.ts';
import { clientOf, data, disposableSandbox, idOf, type Json, results } from './client.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sandbox = await disposableSandbox({ data: folder });
const connect = await disposableSandbox({ dialect: 'connect' });
const { get, send } = clientOf(sandbox);
const payments = '/transactions/payment-transactions/';
const payment = idOf(results(await get(`${payments}?limit=1`))[0]);
const invoicePath = `${payments}${payment}/invoice/`;
const storedFiles = () => readdirSync(join(folder, 'invoices')).length;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const form = (content: Buffer | string, name = 'invoice', filename = 'Rechnung März 1.pdf') => {
  const body = new FormData();
  if (typeof content === 'string') body.append(name, content);
  else body.append(name, new Blob([new Uint8Array(content)], { type: 'application/pdf' }), filename);
  return body;
};
const part = (content: string) =>
  `--B\r\nContent-Disposition: form-data; name="invoice"; filename="a.pdf"\r\n\r\n${content}\r\n--B--\r\n`;

/** Sends a multipart body as it is, in chunks when `declared` is undefined. */
function upload(to: Sandbox, path: string, declared: number | undefined, write: (upload: ClientRequest) => void) {
  return new Promise<{ status: number; text: string } | Error>((resolve) => {
    const length = declared === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': declared };
    const headers = { authorization: 'demo-coop', 'content-type': 'multipart/form-data; boundary=B', ...length };
    const call = request(to.url + path, { method: 'PATCH', headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
    });
    call.on('error', resolve);
    write(call);
  });
}

beforeEach(() => sandbox.clearCalls());

test.each([
  ['scan.PDF', 'application/pdf'],
  ['photo.jpg', 'image/jpeg'],
  ['photo.webp', 'image/webp'],
  ['page', 'application/octet-stream'],
])('serves the uploaded %s as %s', async (name, type) => {
  const { body } = await send('PATCH', invoicePath, form(randomBytes(5), 'invoice', name));
  const { headers } = await fetch(String(body.invoice));
  expect(headers.get('content-type')).toBe(type);
});

test.each([0, 5, 3_000_000])('serves an uploaded file of %i bytes as it was sent', async (size) => {
  const content = randomBytes(size);
  const { status, body } = await send('PATCH', invoicePath, form(content));
  expect(status).toBe(200);
  expect(body).toEqual({ id: payment, invoice: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/media\//) });
  const served = await fetch(String(body.invoice));
  expect(sha256(Buffer.from(await served.arrayBuffer()))).toBe(sha256(content));
  expect((await get(`${payments}${payment}/`)).body.invoice).toBe(body.invoice);
  expect(sandbox.calls()[0]?.file).toEqual({
    name: 'Rechnung März 1.pdf',
    type: 'application/pdf',
    bytes: size,
    sha256: sha256(content),
    contentLength: expect.any(Number),
  });
});

test('sets the method INVOICE at the first upload, and replaces the link at each', async () => {
  const page = results(await get(`${payments}?limit=100`)).concat(
    results(await get(`${payments}?limit=100&offset=100`)),
  );
  const bare = page.find(({ method }) => method === 'NONE');
  const first = await send('PATCH', `${payments}${bare?.id}/invoice/`, form(Buffer.from('1')));
  const again = await send('PATCH', `${payments}${bare?.id}/invoice/`, form(Buffer.from('2')));
  expect(again.body.invoice).not.toBe(first.body.invoice);
  expect((await get(`${payments}${bare?.id}/`)).body).toMatchObject({ method: 'INVOICE', invoice: again.body.invoice });
});

test('ignores bytes after the last boundary, and takes a chunked body', async () => {
  const body = part('hello');
  const padded = await upload(sandbox, invoicePath, body.length + 100, (call) => call.end(body + ' '.repeat(100)));
  expect(padded).toMatchObject({ status: 200 });
  expect(await upload(sandbox, invoicePath, undefined, (call) => call.end(body))).toMatchObject({ status: 200 });
  expect(sandbox.calls().map(({ file }) => [file?.bytes, file?.contentLength])).toEqual([
    [5, body.length + 100],
    [5, undefined],
  ]);
});

test('stores nothing of a body without an end', async () => {
  const { body: before } = await get(`${payments}${payment}/`);
  const files = storedFiles();
  sandbox.clearCalls();
  const cut = part('hello').slice(0, -12);
  expect(await upload(sandbox, invoicePath, cut.length, (call) => call.end(cut))).toMatchObject({ status: 400 });
  const aborted = upload(sandbox, invoicePath, 5_000_000, (call) => {
    call.write(part('x'.repeat(1_000_000)).slice(0, 900_000), () => call.destroy());
  });
  expect(await aborted).toBeInstanceOf(Error);
  await expect.poll(() => sandbox.calls().map(({ status }) => status)).toEqual([400, 400]);
  expect(sandbox.calls().map(({ file }) => file)).toEqual([undefined, undefined]);
  await expect.poll(storedFiles).toBe(files);
  expect((await get(`${payments}${payment}/`)).body).toEqual(before);
});

test.each([5, 3_000_000])('answers an upload of %i bytes that the disk does not take, and closes', async (size) => {
  const lost = mkdtempSync(join(folder, 'lost-'));
  const other = await startSandbox({ data: lost });
  rmSync(join(lost, 'invoices'), { recursive: true });
  const { status } = await clientOf(other).send('PATCH', invoicePath, form(randomBytes(size)));
  await other.close();
  expect(status).toBe(500);
});

test('leaves no folder of an upload that comes while the sandbox closes', async () => {
  vi.stubEnv('TMPDIR', mkdtempSync(join(folder, 'tmp-')));
  onTestFinished(() => void vi.unstubAllEnvs());
  // An upload has taken another step at each close.
  for (let turns = 0; turns < 40; turns += 1) {
    const faults: string[] = [];
    const closing = await startSandbox({ log: (message) => faults.push(message) });
    const body = part('x'.repeat(200_000));
    const answer = upload(closing, invoicePath, body.length, (call) => call.end(body));
    await expect.poll(() => closing.calls(), { interval: 1 }).toHaveLength(1);
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await closing.close();
    await answer;
    expect({ turns, faults, folders: readdirSync(tmpdir()) }).toEqual({ turns, faults: [], folders: [] });
  }
});

test('refuses an upload without a file, with a text, or for an unknown payment', async () => {
  expect((await send('PATCH', invoicePath, form(Buffer.from('x'), 'file'))).body).toEqual({
    invoice: ['No file was submitted.'],
  });
  expect((await send('PATCH', invoicePath, {})).body).toEqual({ invoice: ['No file was submitted.'] });
  expect((await send('PATCH', invoicePath, form('text'))).body).toEqual({
    invoice: [expect.stringContaining('not a file')],
  });
  expect((await send('PATCH', `${payments}AAAAAAAAAA/invoice/`, form(randomBytes(2_000_000)))).status).toBe(404);
  expect((await send('POST', invoicePath, form(Buffer.from('x')))).status).toBe(405);
});

test('serves a range of a file, and the whole file where it has changed since', async () => {
  const { body } = await send('PATCH', invoicePath, form(Buffer.from('0123456789')));
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(String(body.invoice), { headers });
    return [answer.status, answer.headers.get('content-range'), await answer.text()];
  };
  expect(await ask({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await ask({ range: 'bytes=8-' })).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await ask({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await ask({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', '']);
  expect(await ask({ range: 'bytes=4-2' })).toEqual([200, null, '0123456789']);
  expect(await ask({ range: 'bytes=2-4', 'if-range': '"old"' })).toEqual([200, null, '0123456789']);
  const etag = (await fetch(String(body.invoice))).headers.get('etag') as string;
  expect(await ask({ 'if-none-match': etag })).toEqual([304, null, '']);
});

test('serves no file outside of the folder of invoices', async () => {
  for (const name of ['..%2Fsandbox.sqlite', '.', '%2e%2e', 'none.pdf']) {
    expect((await fetch(new URL(`/media/invoices/${name}`, sandbox.url))).status, name).toBe(404);
  }
});

describe('the connect dialect', () => {
  const client = clientOf(connect);
  const premiumPayment = async () =>
    idOf((data(await client.get(`${payments}?limit=1`)).results as { id: string }[])[0]);

  test('answers an upload with a path, and a read with an absolute URL', async () => {
    const id = await premiumPayment();
    const { body } = await client.send('PATCH', `${payments}${id}/invoice/`, form(Buffer.from('x')));
    expect(body).toMatchObject({
      detail: 'Success.',
      code: 200,
      data: { id, invoice: expect.stringMatching(/^\/media\//) },
    });
    const { invoice } = data({ body } as Awaited<ReturnType<typeof client.get>>);
    expect(data(await client.get(`${payments}${id}/`)).invoice).toBe(new URL(String(invoice), connect.url).href);
  });

  test('gives pictures as absolute URLs, and those of embedded objects as paths', async () => {
    const farmer = (data(await client.get('/supply-chains/farmers/?limit=1')).results as Json[])[0];
    const company = data(await client.get(`/supply-chains/companies/${farmer?.buyer}/`));
    const user = data(await client.get(`/accounts/users/${(company.members as string[])[0]}/`));
    const absolute = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/media\/images\//);
    for (const { image } of [farmer as Json, company, user]) expect(image).toEqual(absolute);
    expect(company.buyer).toMatchObject({ image: '/media/images/importer.png' });
    expect(user.managing_entitys).toMatchObject([{ image: '/media/images/cooperative.png' }]);
  });

  test('refuses a chunked upload, an empty file, and a name over 100 characters', async () => {
    const path = `${payments}${await premiumPayment()}/invoice/`;
    connect.clearCalls();
    expect(await upload(connect, path, undefined, (call) => call.end(part('hello')))).toMatchObject({ status: 500 });
    expect((await client.send('PATCH', path, form(Buffer.from('x'), 'other'))).status).toBe(500);
    expect((await client.send('PATCH', path, form(''))).status).toBe(500);
    const empty = await client.send('PATCH', path, form(Buffer.alloc(0)));
    expect(empty.body.message).toEqual({ invoice: ['The submitted file is empty.'] });
    const long = await client.send('PATCH', path, form(Buffer.from('x'), 'invoice', `${'n'.repeat(97)}.pdf`));
    expect(long.body.message).toEqual({ invoice: ['Ensure this filename has at most 100 characters (it has 101).'] });
    expect(connect.calls().filter(({ file }) => file)).toEqual([]);
  });
});
