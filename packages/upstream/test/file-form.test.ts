import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileForm, type UploadedFile } from '../file-form.ts';

interface Received {
  headers: IncomingHttpHeaders;
  part: string;
  filename: string | undefined;
  mimetype: string;
  bytes: number;
  sha256: string;
}
/** One entry per request that came to its end and was a whole form. */
const received: Received[] = [];
/** How many requests began, and ended one way or the other. */
const seen = { begun: 0, ended: 0 };

let server: Server;
let url: string;
const agent = new Agent();

beforeAll(async () => {
  server = createServer((incoming, response) => {
    seen.begun++;
    incoming.on('close', () => seen.ended++);
    incoming.on('error', () => {});
    const parser = busboy({ headers: incoming.headers, defParamCharset: 'utf8' });
    let file: Received | undefined;
    parser.on('file', (part, stream, { filename, mimeType }) => {
      const hash = createHash('sha256');
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        bytes += chunk.length;
      });
      stream.on('error', () => {});
      stream.on('end', () => {
        const { headers } = incoming;
        file = { headers, part, filename, mimetype: mimeType, bytes, sha256: hash.digest('hex') };
      });
    });
    parser.on('error', () => {});
    parser.on('close', () => {
      if (file && incoming.complete) received.push(file);
      response.end();
    });
    incoming.pipe(parser);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await agent.close();
  server.closeAllConnections();
  server.close();
});

async function send(content: Buffer, about: Partial<UploadedFile> = {}): Promise<Received | undefined> {
  received.length = 0;
  const stream = Readable.from([content.subarray(0, 100), content.subarray(100)].filter((chunk) => chunk.length > 0));
  const size = { min: content.length, max: content.length };
  const { headers, body } = fileForm('invoice', {
    filename: 'a.pdf',
    mimetype: 'application/pdf',
    stream,
    size,
    ...about,
  });
  const response = await request(url, { method: 'PATCH', headers, body: Readable.from(body), dispatcher: agent });
  await response.body.dump();
  return received[0];
}

test.each([0, 1, 65_535, 65_536, 65_537, 10 * 1024 * 1024])('a file of %i bytes arrives unchanged', async (bytes) => {
  const content = randomBytes(bytes);
  const sha256 = createHash('sha256').update(content).digest('hex');
  for (const size of [
    { min: bytes, max: bytes },
    { min: Math.max(0, bytes - 1), max: bytes + 1 },
    { min: bytes, max: bytes + 2 },
    { min: Math.max(0, bytes - 2), max: bytes },
  ]) {
    const file = await send(content, { size });
    expect(file).toMatchObject({ part: 'invoice', filename: 'a.pdf', mimetype: 'application/pdf', bytes, sha256 });
    expect(file?.headers['transfer-encoding']).toBeUndefined();
    expect(Number(file?.headers['content-length'])).toBeGreaterThan(size.max);
  }
});

test.each([
  ['März 請求書.pdf', 'März 請求書.pdf'],
  ['say "hi".pdf', 'say %22hi%22.pdf'],
  ['a\r\nX-Evil: 1\r\n\r\n.pdf', 'a%0D%0AX-Evil: 1%0D%0A%0D%0A.pdf'],
  ['nul\0.pdf', 'nul%00.pdf'],
  ['', 'invoice'],
])('the file name %j is sent as %j', async (filename, arrives) => {
  expect(await send(Buffer.from('x'), { filename })).toMatchObject({ filename: arrives, bytes: 1 });
});

test.each([
  ['image/svg+xml', 'image/svg+xml'],
  ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['text/html\r\nX-Evil: 1', 'application/octet-stream'],
  ['text', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('the type %j is sent as %j', async (mimetype, arrives) => {
  expect(await send(Buffer.from('x'), { mimetype })).toMatchObject({ mimetype: arrives, bytes: 1 });
});

const fails = () => new Error('cut off');
async function* cutOff() {
  yield Buffer.alloc(500);
  throw fails();
}

test.each<[string, Partial<UploadedFile>, Error]>([
  [
    'is shorter than announced',
    { size: { min: 1001, max: 1003 } },
    new Error('The file ended after 1000 of at least 1001 bytes.'),
  ],
  [
    'is longer than announced',
    { size: { min: 997, max: 999 } },
    new Error('The file is longer than the 999 bytes announced.'),
  ],
  ['fails in the middle', { stream: Readable.from(cutOff()) }, fails()],
])('a file that %s never makes a whole request', async (_case, about, error) => {
  await expect(send(Buffer.alloc(1000), about)).rejects.toThrow(error);
  await expect.poll(() => seen.begun - seen.ended).toBe(0);
  expect(received).toEqual([]);
});

test('a request that the service refuses early releases the file', async () => {
  const stream = Readable.from([Buffer.alloc(10)]);
  const { body } = fileForm('invoice', { filename: 'a', mimetype: 'a/b', stream, size: { min: 10, max: 10 } });
  for await (const chunk of body) if (chunk.length === 10) break;
  expect(stream.destroyed).toBe(true);
});
