import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, readAnswer } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { pauseGunzip } from '../support/paused-gunzip.ts';
import { RawConnection, rawPost } from '../support/raw-http.ts';

const maxBytes = 30_000;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    settings: { 'limits.clients.bodyBytes': String(maxBytes), 'limits.clients.bodyTimeoutMs': '1000' },
  });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.sandbox.clearCalls());

async function send(body: BodyInit, headers: Record<string, string> = {}) {
  const json = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await readAnswer(await gateway.send({ headers: { ...json, ...headers }, body }));
  return { ...answer, code: codeOf(answer.body), calls: gateway.sandbox.calls().length };
}

const typename = JSON.stringify({ query: '{ __typename }' });
const answered = { status: 200, body: { data: { __typename: 'Query' } } };
const packed = (text: string) => gzipSync(text) as Uint8Array<ArrayBuffer>;
const joined = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
const padded = (bytes: number) => typename + ' '.repeat(bytes - typename.length);

describe('a gzip body', () => {
  test.each(['gzip', 'x-gzip', 'GZIP'])('with the Content-Encoding %s is answered', async (coding) => {
    expect(await send(packed(typename), { 'content-encoding': coding })).toMatchObject(answered);
  });

  test('that is two gzip files is answered', async () => {
    expect(await send(joined(packed(typename.slice(0, 9)), packed(typename.slice(9))))).toMatchObject(answered);
  });

  test('in chunks, which may end anywhere, is answered', async () => {
    const connection = new RawConnection(gateway.url);
    const head = { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' };
    await connection.send(rawPost('', head).replace(/\r\n\r\n.*$/s, '\r\n\r\n'));
    for (const byte of packed(typename)) {
      await connection.send(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    }
    await connection.send('0\r\n\r\n');
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"data":{"__typename":"Query"}}\n' });
    connection.close();
  });

  test('writes what it says, and replays what came without gzip under its key', async () => {
    const variables = { input: { first_name: 'Ɔbaa' } };
    const query = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id first_name } }';
    const text = JSON.stringify({ query, variables });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const first = await send(packed(text), key);
    const again = await send(text, { ...key, 'content-encoding': 'identity' });

    expect(first.body).toMatchObject({ data: { createFarmer: { first_name: 'Ɔbaa' } } });
    expect(again.body.data).toEqual(first.body.data);
    expect(again.calls).toBe(1);
  });

  test('may unpack to the limit of bytes, and not to one byte more', async () => {
    expect(await send(packed(padded(maxBytes)))).toMatchObject(answered);
    const refused = await send(packed(padded(maxBytes + 1)));
    expect(refused).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(refused.body.errors[0].message).toContain(`${maxBytes} bytes (limits.clients.bodyBytes)`);
  });

  test('is refused with 413 for more packed bytes than the limit', async () => {
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(maxBytes)));
    expect(await send(packed(random.toString('base64')))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  test.each<[string, () => Uint8Array]>([
    ['is not gzip', () => Buffer.from(typename)],
    ['is empty', () => Buffer.alloc(0)],
    ['is cut off', () => packed(typename).subarray(0, -9)],
    ['lacks its last byte', () => packed(typename).subarray(0, -1)],
    ['has other content than its checksum', () => packed(typename).with(-8, packed(typename).at(-8)! ^ 1)],
    ['claims more content than it has', () => packed(typename).with(-4, typename.length + 1)],
    ['claims less content than it has', () => packed(typename).with(-4, typename.length - 1)],
    ['claims no content', () => packed(typename).with(-4, 0)],
    ['has bytes behind it', () => joined(packed(typename), 'garbage')],
    ['has zeros behind it', () => joined(packed(typename), new Uint8Array(8))],
    // The false trailer claims the size of the true content.
    ['has a false trailer behind it', () => joined(packed(typename), packed(typename).subarray(-4))],
    ['has a method that zlib does not know', () => packed(typename).with(2, 9)],
    ['has text that is not UTF-8', () => gzipSync(Buffer.from('{"query":"\xff"}', 'latin1'))],
    ['has text that is not JSON', () => packed('{ __typename }')],
  ])('that %s is refused with 400', async (_case, body) => {
    const refused = await send(body() as Uint8Array<ArrayBuffer>);
    expect(refused).toMatchObject({ status: 400, code: 'BAD_REQUEST', calls: 0 });
    // The connection is not closed, because the gateway has read the whole body.
    expect(refused.headers.get('connection')).toBe('keep-alive');
  });

  test('that does not come in time is refused with 408', async () => {
    const connection = new RawConnection(gateway.url);
    const bytes = packed(typename);
    await connection.send(rawPost('', { 'Content-Encoding': 'gzip', 'Content-Length': String(bytes.length) }));
    await connection.send(Buffer.from(bytes.subarray(0, -1)));
    expect(await connection.answer()).toMatchObject({ status: 408, headers: { connection: 'close' } });
    connection.close();
  });
});

test('a gateway that has closed runs nothing of a body that it unpacked meanwhile', async () => {
  const lines: string[] = [];
  const closing = await startGateway({
    settings: { 'shutdown.timeoutMs': '1', LOG_LEVEL: 'warn' },
    log: (line) => lines.push(JSON.parse(line).msg),
  });
  const { begun, letGo } = pauseGunzip();
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const cut = closing.send({ headers, body: packed(typename) }).catch(() => 'cut');
  await begun;
  await closing.close();
  await letGo();

  expect(await cut).toBe('cut');
  expect(lines).toEqual([expect.stringContaining('Requests were cut')]);
});

describe('a gzip body that becomes 2 GB', () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  /** Ends with a flush, so that copies of it behind each other are one content. */
  const block = deflateRawSync(megabyte, { finishFlush: constants.Z_FULL_FLUSH });
  const content = joined(...Array.from({ length: 2048 }, () => block), deflateRawSync(''));
  /** A gzip file that claims so many bytes. */
  const bomb = (size: number) => {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(megabyte), 0);
    trailer.writeUInt32LE(size, 4);
    return joined(packed('').subarray(0, 10), content, trailer);
  };

  test.each([
    ['says so', 2 ** 31],
    ['claims 100 bytes', 100],
  ])('and %s is refused, and unpacked no further', async (_case, size) => {
    await using large = await startGateway({ settings: { 'limits.clients.bodyBytes': String(4 * 1024 * 1024) } });
    const before = process.memoryUsage().external;
    const refused = await large.send({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bomb(size),
    });
    expect(refused.status).toBe(413);
    expect(process.memoryUsage().external - before).toBeLessThan(64 * 1024 * 1024);
  });
});

test.each(['br', 'deflate', 'zstd', 'gzip, gzip'])('a body in %s gets 415 and what is taken', async (coding) => {
  const refused = await send(typename, { 'content-encoding': coding });
  expect(refused).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  expect(refused.headers.get('accept-encoding')).toBe('gzip');
});

test('a form in gzip gets 415', async () => {
  const refused = await gateway.upload('{ __typename }', { file: null }, new File(['a'], 'a.txt'), {
    headers: { 'content-encoding': 'gzip' },
  });
  expect([refused.status, refused.headers.get('accept-encoding')]).toEqual([415, 'identity']);
});
