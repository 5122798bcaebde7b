import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutate, randomFrom } from '../../../bench/lib/multipart-mutations.ts';
import {
  around,
  boundary,
  chunked,
  contentType,
  field,
  file,
  form,
  lastChunk,
} from '../../../bench/lib/upload-form.ts';
import { expectNoSpoolFiles } from '../../../test/uploads/spool-files.ts';
import { Deadlines } from '../../base/deadlines.ts';
import { MemoryShare } from '../../base/memory-budget.ts';
import type { UploadedFile } from '../uploads/map.ts';
import { type MultipartOptions, readMultipart } from '../uploads/multipart.ts';
import { SpoolSpace } from '../uploads/spool-space.ts';
import { TransferLimit } from '../uploads/transfer-limit.ts';

const limits: MultipartOptions = {
  keyHeader: 'authorization',
  maxFileBytes: 12 * 1024 * 1024,
  maxFieldBytes: 4096,
  idleMs: 60_000,
  minBytesPerSecond: 1_000,
  averagedMs: 60_000,
  bodies: { deadlines: new Deadlines(60_000), share: new MemoryShare(1_000_000) },
  spool: {
    space: new SpoolSpace(new MemoryShare(100_000_000), 12 * 1024 * 1024),
    onNoDisk: (error) => {
      throw error;
    },
  },
  running: new TransferLimit(10),
};
/** For clients that are slow on purpose. A busy machine is as slow with other files. */
const impatient: MultipartOptions = { ...limits, idleMs: 500, averagedMs: 500 };
const limitsOf: Record<string, MultipartOptions> = {
  '/slow': impatient,
  '/impatient': impatient,
  // A busy machine may be silent for a while between the bytes of a client.
  '/dripped': { ...impatient, idleMs: 60_000 },
};
const operations = JSON.stringify({ query: 'mutation', variables: { id: 'P1', invoice: null } });
const map = JSON.stringify({ 0: ['variables.invoice'] });

/** The last file, as the server read it. */
let lastFile: { ended: boolean; error?: unknown } = { ended: false };

/** Answers with the SHA-256 of the file. `/ignore` leaves the file alone, `/drop` stops in the middle. */
async function takeFile(url: string | undefined, placed: Record<string, unknown>) {
  if (url === '/ignore') return { ignored: true };
  const variables = placed.variables as Record<string, unknown>;
  const file = (await GraphQLUpload.parseValue(variables.invoice)) as UploadedFile;
  const { filename, mimetype, size } = file;
  const hash = createHash('sha256');
  const seen: typeof lastFile = { ended: false };
  if (url !== '/next') lastFile = seen;
  let bytes = 0;
  try {
    for await (const chunk of file.createReadStream()) {
      if (url === '/drop') return { dropped: true };
      if (url === '/slow' && bytes === 0) await delay(2 * impatient.averagedMs);
      hash.update(chunk);
      bytes += chunk.length;
    }
    seen.ended = true;
  } catch (error) {
    seen.error = error;
    throw error;
  }
  return { filename, mimetype, size, bytes, sha256: hash.digest('hex') };
}

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  try {
    const form = await readMultipart(request, limitsOf[request.url ?? ''] ?? limits);
    try {
      return { status: 200, body: await takeFile(request.url, form.operations) };
    } finally {
      form.finish();
    }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { http, code } = error.extensions as { http?: { status: number }; code: string };
    return { status: http?.status ?? 200, body: { code, message: error.message } };
  }
}

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const upload = (content: string | Buffer, lastLineEnd?: string) =>
  form([field('operations', operations), field('map', map), file(content)], lastLineEnd);

interface Sent {
  path?: string;
  contentType?: string;
  /** The Content-Length to claim; `chunked` for none. */
  length?: number | 'chunked';
}
function message(body: Buffer, { path = '/read', contentType: type, length = body.length }: Sent = {}): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: gateway\r\n` + `Content-Type: ${type ?? contentType}\r\n`;
  if (length !== 'chunked') return Buffer.concat([Buffer.from(`${head}Content-Length: ${length}\r\n\r\n`), body]);
  return Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), chunked(body), lastChunk]);
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect of it
  body: any;
}
/** Writes the pieces on one connection. Returns the answers until it closed; `closeAt` makes the client close it. */
async function exchange(pieces: Buffer[], closeAt: 'in file' | 'answer' | 'never' = 'never'): Promise<Answer[]> {
  const before = lastFile;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  if (closeAt === 'answer') socket.once('data', () => socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) {
    socket.write(piece);
    await delay(1);
  }
  if (closeAt === 'in file') {
    await expect.poll(() => lastFile).not.toBe(before);
    socket.destroy();
  }
  await closed;
  const text = Buffer.concat(received).toString();
  return [...text.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*?)(?=HTTP\/1\.1 |$)/g)].map(([, status, rest]) => ({
    status: Number(status),
    body: JSON.parse(rest?.match(/\{.*\}/)?.[0] ?? 'null'),
  }));
}

const last = Buffer.from(
  message(upload('next'), { path: '/next' })
    .toString('latin1')
    .replace('Host: gateway', 'Host: gateway\r\nConnection: close'),
  'latin1',
);
/** Sends a request, and a good one after it on the same connection. */
async function send(body: Buffer, sent?: Sent): Promise<Answer> {
  const [first, second] = await exchange([message(body, sent), last]);
  expect(second?.body).toMatchObject({ bytes: 4 });
  return first as Answer;
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
describe('a file arrives unchanged', () => {
  const sizes = [0, 1, 65_535, 65_536, 65_537, 10 * 1024 * 1024];

  test.each(sizes)('with %i bytes, with and without a final line end, whole and chunked', async (bytes) => {
    const content = randomBytes(bytes);
    for (const lastLineEnd of ['\r\n', '']) {
      const streamed = await send(upload(content, lastLineEnd));
      expect(streamed).toMatchObject({ status: 200, body: { bytes, sha256: sha256(content) } });
      const { min, max } = streamed.body.size;
      expect({ max, min }).toEqual({ max: bytes + lastLineEnd.length, min: Math.max(0, max - 2) });

      const chunked = await send(upload(content, lastLineEnd), { length: 'chunked' });
      expect(chunked.body).toMatchObject({ sha256: sha256(content), size: { min: bytes, max: bytes } });
    }
    await expectNoSpoolFiles();
  });

  test('however the body is cut into packets, and whatever bytes the file has', async () => {
    const content = Buffer.from(`\r\n\r\n-\r\n--${boundary.slice(0, 4)}\r\n\r\n--\r\n`);
    const body = message(upload(content));
    for (let at = body.indexOf('filename'); at < body.length; at++) {
      const [first] = await exchange([body.subarray(0, at), Buffer.concat([body.subarray(at), last])]);
      expect(first?.body).toMatchObject({ sha256: sha256(content), size: { max: content.length + 2 } });
    }
  });

  test('from the FormData of a browser', async () => {
    const body = new FormData();
    body.set('operations', operations);
    body.set('map', map);
    body.set('0', new File(['%PDF'], 'Rechnung "März" 請求書.pdf', { type: 'application/pdf; v=1' }));
    const response = await fetch(`http://127.0.0.1:${port}/read`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      filename: 'Rechnung %22März%22 請求書.pdf',
      mimetype: 'application/pdf',
      sha256: sha256(Buffer.from('%PDF')),
    });
  });

  test.each([
    [`filename="C:\\\\docs\\\\a.pdf"`, 'a.pdf'],
    [`filename="../../etc/passwd"`, 'passwd'],
    [`filename="say \\"hi\\".pdf"`, 'say "hi".pdf'],
    [`filename*=UTF-8''a%0D%0AX-Evil%3A%201.pdf`, 'a\r\nX-Evil: 1.pdf'],
  ])('with the name %s', async (written, filename) => {
    const part = { header: `Content-Disposition: form-data; name="0"; ${written}`, content: 'x' };
    const { body } = await send(form([field('operations', operations), field('map', map), part]));
    expect(body).toMatchObject({ filename, bytes: 1 });
  });

  test('with a boundary in quotes', async () => {
    const quoted = Buffer.from(upload('x').toString().replaceAll(boundary, 'a b"c'));
    const { body } = await send(quoted, { contentType: 'multipart/form-data; charset=utf-8; boundary="a b\\"c"' });
    expect(body).toMatchObject({ bytes: 1, size: { max: 3 } });
  });
});

describe('a file that is too large', () => {
  const tooLarge = {
    code: 'PAYLOAD_TOO_LARGE',
    message: `The file is larger than ${limits.maxFileBytes} bytes (limits.uploads.fileBytes).`,
  };

  test.each(['/read', '/ignore'])('is refused by its declared length before the operation runs: %s', async (path) => {
    const content = Buffer.alloc(limits.maxFileBytes + 1);
    expect(await send(upload(content), { path })).toEqual({ status: 413, body: tooLarge });
    // far too large, and not one byte of the body sent
    const [first] = await exchange([message(Buffer.alloc(0), { path, length: 1e12 })], 'answer');
    expect(first).toEqual({ status: 413, body: tooLarge });
  });

  test('is refused when a chunked request grows beyond the limit', async () => {
    const content = Buffer.alloc(limits.maxFileBytes + 1);
    expect(await send(upload(content), { length: 'chunked' })).toEqual({ status: 413, body: tooLarge });
    await expectNoSpoolFiles();
  });

  test('fails for its reader if it is too large by a final line end', async () => {
    expect(await send(upload(Buffer.alloc(limits.maxFileBytes + 2), ''))).toEqual({ status: 200, body: tooLarge });
    expect(lastFile).toMatchObject({ ended: false, error: { extensions: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  test('is accepted at exactly the limit', async () => {
    const content = Buffer.alloc(limits.maxFileBytes);
    for (const lastLineEnd of ['\r\n', '']) {
      expect((await send(upload(content, lastLineEnd))).body).toMatchObject({ bytes: limits.maxFileBytes });
      expect((await send(upload(content, lastLineEnd), { length: 'chunked' })).body).toMatchObject({
        bytes: limits.maxFileBytes,
      });
    }
  });
});

describe('a request that breaks the multipart request spec is refused:', () => {
  const ops = field('operations', operations);
  const good = field('map', map);
  const withMap = (text: string) => form([ops, field('map', text), file('x')]);
  const withPath = (path: string) => withMap(JSON.stringify({ 0: [path] }));
  const padding = 'x'.repeat(limits.maxFieldBytes);

  test.each<[string, Buffer, RegExp]>([
    ['operations missing', form([]), /"operations" is missing/],
    [
      'operations not JSON',
      form([field('operations', '{'), good, file('x')]),
      /"operations" is not JSON: .*\(line 1 column 2\)$/,
    ],
    ['operations not an object', form([field('operations', '1'), good, file('x')]), /"operations" is not a JSON obj/],
    ['operations a list', form([field('operations', '[]'), good, file('x')]), /"operations" is a list/],
    ['operations twice', form([ops, ops, good, file('x')]), /"operations" is unknown or comes twice/],
    ['map missing', form([ops]), /"map" is missing/],
    ['map not JSON', withMap('0'.repeat(3)), /"map" is not JSON: .*\(line 1 column 2\)$/],
    ['map a list', withMap('[]'), /"map" is not a JSON object/],
    ['map of another shape', withMap('{"0":"variables.invoice"}'), /does not have the form/],
    ['map of numbers', withMap('{"0":[1]}'), /does not have the form/],
    ['map empty', withMap('{}'), /"map" names no file/],
    ['map before operations', form([good, ops, file('x')]), /"operations" has to come before "map"/],
    ['map twice', form([ops, good, good, file('x')]), /"map" is unknown or comes twice/],
    ['two files in map', withMap('{"0":["variables.invoice"],"1":["variables.id"]}'), /more than one file/],
    ['one file in two places', withMap('{"0":["variables.invoice","variables.id"]}'), /more than one place/],
    ['file before map', form([ops, file('x'), good]), /have to come before the file/],
    ['file not in map', form([ops, good, file('x', 'a', '1')]), /File "1" is not the one/],
    ['file missing', form([ops, good]), /File "0" of field "map" is missing/],
    ['unknown field', form([ops, field('csrf', ''), good, file('x')]), /"csrf" is unknown/],
    [
      'base64',
      form([ops, good, { ...file('eA=='), header: `${file('').header}\r\nContent-Transfer-Encoding: base64` }]),
      /"base64" is not supported/,
    ],
    ['path outside of variables', withPath('query'), /does not start with "variables\."/],
    ['path of variables itself', withPath('variables'), /does not start with "variables\."/],
    ['path to nowhere', withPath('variables.x.y'), /is not found in field "operations"/],
    ['path to a value', withPath('variables.id'), /value that is not null/],
    [
      'malformed part header',
      form([ops, good, { header: 'a'.repeat(20_000), content: '' }]),
      /header of a part is mal/,
    ],
    ['no form at all', Buffer.from('hello'), /cut off or malformed/],
    ['nothing', Buffer.alloc(0), /cut off or malformed/],
    ['cut off in a field', form([ops, good]).subarray(0, 150), /cut off or malformed/],
  ])('%s', async (_case, body, reason) => {
    for (const length of [undefined, 'chunked'] as const) {
      const { status, body: refusal } = await send(body, { length });
      expect(refusal).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(reason) });
      expect(status).toBe(400);
    }
  });

  test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString.call', '__proto__.polluted'])(
    'path to an inherited property, variables.%s',
    async (path) => {
      for (const prefix of ['variables.', 'variables.invoice.', 'variables.list.0.']) {
        const { body } = await send(withPath(prefix + path));
        expect(body).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(/is not found/) });
      }
      const own = form([
        field('operations', `{"variables":{"__proto__":{"invoice":null},"constructor":null}}`),
        field('map', `{"0":["variables.${path}"]}`),
        file('x'),
      ]);
      expect((await send(own)).body).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  test.each([
    ['operations', form([field('operations', padding + padding), good, file('x')])],
    ['map', form([ops, field('map', padding + padding), file('x')])],
    ['a field without end', form([field('operations', 'x'.repeat(1_000_000))]).subarray(0, -20)],
  ])('%s too large', async (_case, body) => {
    const refusal = {
      code: 'PAYLOAD_TOO_LARGE',
      message: `A field is larger than ${limits.maxFieldBytes} bytes (limits.clients.bodyBytes).`,
    };
    expect(await send(body)).toEqual({ status: 413, body: refusal });
  });

  test('operations larger than the limit by one byte, and not at the limit', async () => {
    const body = form([field('operations', operations.padEnd(limits.maxFieldBytes)), good, file('x')]);
    expect(await send(body)).toMatchObject({ status: 200 });
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'application/x-www-form-urlencoded', 'x', ''])(
    'Content-Type %j',
    async (contentType) => {
      expect(await send(upload('x'), { contentType })).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    },
  );
});

describe('a file that streams fails for its reader after', () => {
  const opening = [field('operations', operations), field('map', map), file(randomBytes(300_000))];

  test.each<[string, Buffer, RegExp]>([
    ['a second file', form([...opening, file('y', 'b.pdf', '1')]), /second file/],
    ['a second file of the same name', form([...opening, file('y')]), /second file/],
    ['a field after the file', form([...opening, field('map', map)]), /comes after the file/],
    ['a part without a name after the file', form([...opening, { header: 'A: b', content: '' }]), /goes on|more parts/],
    ['text after the closing boundary', form(opening, '\r\nand so on'), /goes on after the file/],
    ['no closing boundary', upload('x'.repeat(300_000)).subarray(0, -20), /cut off or malformed/],
  ])('%s', async (_case, body, reason) => {
    const refusal = { code: 'BAD_REQUEST', message: expect.stringMatching(reason) };
    expect(await send(body)).toEqual({ status: 200, body: refusal });
    expect(lastFile.ended).toBe(false);
    if (body.includes('and so on')) return; // harmless where the size need not be guessed
    expect(await send(body, { length: 'chunked' })).toEqual({ status: 400, body: refusal });
  });

  test('the client leaves', async () => {
    await exchange([message(upload(randomBytes(300_000))).subarray(0, 200_000)], 'in file');
    await expect
      .poll(() => lastFile.error)
      .toMatchObject({ message: expect.stringMatching(/closed the connection|cut off/) });
    expect(lastFile.ended).toBe(false);
  });

  test('the client falls silent in the file, or before it', async () => {
    const body = message(upload(randomBytes(300_000)), { path: '/impatient' });
    const [inFile] = await exchange([body.subarray(0, 200_000)], 'answer');
    expect(inFile).toMatchObject({ status: 200, body: { message: expect.stringMatching(/stopped sending/) } });
    expect(lastFile.ended).toBe(false);
    const [before] = await exchange([body.subarray(0, 200)], 'answer');
    expect(before).toMatchObject({ status: 408, body: { message: expect.stringMatching(/stopped sending/) } });
  });
});

describe('a file has to arrive at a least rate:', () => {
  test('a client that drips it is refused', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const { before } = around([field('operations', operations), field('map', map)], 'slow.pdf');
    socket.write(message(Buffer.concat([before, Buffer.alloc(100)]), { path: '/dripped', length: 1_000_000 }));
    const dripping = setInterval(() => socket.write('a'), 20);
    const [data] = await once(socket, 'data');
    clearInterval(dripping);
    socket.destroy();
    expect(String(data)).toContain('MIN_UPLOAD_RATE');
    expect(lastFile.ended).toBe(false);
  });

  test('a reader that takes it slowly does no harm', async () => {
    const content = randomBytes(1_000_000);
    const [first] = await exchange([message(upload(content), { path: '/slow' })], 'answer');
    expect(first?.body).toMatchObject({ sha256: sha256(content) });
  });
});

describe('a connection stays usable after a file that is not read:', () => {
  test.each(['/ignore', '/drop'])('%s', async (path) => {
    for (const length of [undefined, 'chunked'] as const) {
      const { status } = await send(upload(randomBytes(5_000_000)), { path, length });
      expect(status).toBe(200);
    }
    await expectNoSpoolFiles();
  });
});

test('a refused body without an end is read until its answer arrives, then cut off', async () => {
  const [only, none] = await exchange([message(Buffer.alloc(40 * 1024 * 1024), { length: 1e12 })]);
  expect(only?.status).toBe(413);
  expect(none).toBeUndefined();
});

test('randomly mutated requests neither end the process nor lack an answer', async () => {
  const random = randomFrom(20_240_601);
  const original = upload(randomBytes(2_000));
  let answered = 0;
  for (let round = 0; round < 300; round++) {
    const body = mutate(original, random);
    const length = random(4) === 0 ? 'chunked' : undefined;
    const cut = random(body.length);
    const request = message(body, { length });
    const answers = await exchange([request.subarray(0, cut), Buffer.concat([request.subarray(cut), last])]);
    expect(answers[1]?.body).toMatchObject({ bytes: 4 });
    answered++;
  }
  expect(answered).toBe(300);
  await expectNoSpoolFiles();
}, 60_000);
