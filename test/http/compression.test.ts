import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createZstdDecompress,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerStream } from '../../packages/graphql-serve/http/answer-stream.ts';
import { sendCoded } from '../../packages/graphql-serve/http/content-coding.ts';
import { CurrentRequest, currentRequest } from '../../packages/graphql-serve/request/current-request.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { RawConnection, rawPost } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';

interface CodedAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const json = { authorization: 'demo-coop', 'content-type': 'application/json' };
const shortQuery = '{ farmers(limit: 2) { results { id } } }';
/** About 2 kB, which are coded at once. */
const middleQuery = '{ farmers(limit: 50) { results { id name } } }';
/** About 20 kB, which the thread pool codes. */
const longQuery = '{ farmers(limit: 240) { results { id name first_name last_name phone } } }';

/** Node's client gives the bytes as they came. */
function open(url: string, headers: object, method = 'GET', body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { ...headers } }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function read(opened: Promise<IncomingMessage>): Promise<CodedAnswer> {
  const answer = await opened;
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

function post(url: string, query: string, headers: object): Promise<CodedAnswer> {
  return read(open(url, { ...json, ...headers }, 'POST', JSON.stringify({ query })));
}

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

function textOf({ headers, body }: CodedAnswer): string {
  const coding = headers['content-encoding'] as keyof typeof decoders | undefined;
  return (coding ? decoders[coding](body) : body).toString();
}

const noCurl = () => {
  try {
    return !execFileSync('curl', ['--version']).includes('zstd');
  } catch {
    return true;
  }
};

describe('a gateway with COMPRESSION=on', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const plain: Record<string, string> = {};

  test.each([
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, br', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0.8, *;q=0.1', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'br'],
    ['identity;q=0.5, gzip;q=0.2', undefined],
    ['gzip;q=0.2, identity;q=0', 'gzip'],
    ['deflate, compress', undefined],
    ['deflate, identity;q=0', undefined],
    ['*;q=0', undefined],
    ['', undefined],
    [';;, q=, gzip;q=x', undefined],
  ])('answers Accept-Encoding "%s" with %s', async (accepted, coding) => {
    for (const query of [middleQuery, longQuery]) {
      plain[query] ??= (await post(gateway.url, query, {})).body.toString();
      const answer = await post(gateway.url, query, { 'accept-encoding': accepted });

      expect(answer.status).toBe(200);
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(answer.headers['content-length']).toBe(String(answer.body.length));
      expect(textOf(answer)).toBe(plain[query]);
      if (coding) expect(answer.body.length).toBeLessThan(0.6 * plain[query].length);
    }
  });

  test.each([shortQuery, longQuery])(
    'names Accept-Encoding in Vary, whatever the client accepts: %s',
    async (query) => {
      for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }]) {
        const { vary } = (await post(gateway.url, query, headers)).headers;
        expect(vary).toBe('Accept, Accept-Encoding, Origin');
      }
    },
  );

  test('leaves an answer below 1 kB as it is, unless the client refuses that', async () => {
    const plain = await post(gateway.url, shortQuery, { 'accept-encoding': 'br, gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();

    const coded = await post(gateway.url, shortQuery, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(coded.headers['content-encoding']).toBe('gzip');
    expect(textOf(coded)).toBe(plain.body.toString());
  });

  test('codes from 1,000 bytes on', async () => {
    const codingOf = async (bytes: number) => {
      const empty = `{"data":{"":"Query"}}\n`.length;
      const alias = 'a'.repeat(bytes - empty);
      const answer = await post(gateway.url, `{ ${alias}: __typename }`, { 'accept-encoding': 'gzip' });
      expect(textOf(answer).length).toBe(bytes);
      return answer.headers['content-encoding'];
    };

    expect([await codingOf(999), await codingOf(1_000)]).toEqual([undefined, 'gzip']);
  });

  test('leaves the answer as it is for a request with Cache-Control: no-transform', async () => {
    const headers = { 'accept-encoding': 'gzip', 'cache-control': 'no-cache, no-transform' };
    const answer = await post(gateway.url, longQuery, headers);

    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers.vary).toContain('Accept-Encoding');
  });

  test('codes errors with their status', async () => {
    const answer = await post(gateway.url, `{ ${'missing'.repeat(200)} }`, { 'accept-encoding': 'br' });

    expect(answer.status).toBe(400);
    expect(answer.headers['content-encoding']).toBe('br');
    expect(JSON.parse(textOf(answer)).errors[0].message).toContain('missing');
  });

  test('codes many answers at once, each for its client', async () => {
    const names = ['br', 'zstd', 'gzip', 'identity'] as const;
    const asked = Array.from({ length: 32 }, async (_, i) => {
      const answer = await post(gateway.url, `{ a${i}: __typename ${longQuery.slice(2)}`, {
        'accept-encoding': names[i % 4],
      });
      return JSON.parse(textOf(answer)).data;
    });
    const [first, ...others] = await Promise.all(asked);

    for (const [i, data] of others.entries()) {
      expect(data[`a${i + 1}`]).toBe('Query');
      expect(data.farmers).toEqual(first.farmers);
    }
  });

  test('keeps the connection for pipelined requests after a coded answer', async () => {
    const connection = new RawConnection(gateway.url);
    const coded = rawPost(JSON.stringify({ query: longQuery }), { 'Accept-Encoding': 'gzip' });
    let received = Buffer.alloc(0);
    connection.socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    await connection.send(coded + coded + rawPost('{"query":"{ __typename }"}'));
    await expect.poll(() => received.includes('{"data":{"__typename":"Query"}}\n')).toBe(true);
    connection.close();

    expect(received.toString('latin1').match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(received.toString('latin1').match(/content-encoding: gzip/g)).toHaveLength(2);
  });

  test('answers fetch', async () => {
    const answer = await gateway.ask(longQuery, { headers: { 'accept-encoding': undefined } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.body.data.farmers.results).toHaveLength(240);
  });

  test.skipIf(noCurl())('answers curl --compressed, also over HTTP/1.0', async () => {
    const args = ['-sS', '-d', JSON.stringify({ query: longQuery }), '-H', 'content-type: application/json'];
    const ask = async (...more: string[]) => {
      const { stdout } = await promisify(execFile)('curl', [
        ...args,
        ...more,
        '-H',
        'authorization: demo-coop',
        gateway.url,
      ]);
      return JSON.parse(stdout).data.farmers.results.length;
    };

    expect(await ask('--compressed')).toBe(240);
    expect(await ask('--compressed', '--http1.0')).toBe(240);
    expect(await ask()).toBe(240);
  });
});

test.skipIf(noBrowser)('a page in Chromium reads a coded answer', async () => {
  await using gateway = await startGateway();
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(gateway.url);
  const read = await page.evaluate(
    async ([url, query]) => {
      const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      const { data } = await answer.json();
      return { coding: answer.headers.get('content-encoding'), rows: data.farmers.results.length };
    },
    [gateway.url, longQuery] as const,
  );
  await browser.close();

  expect(read).toEqual({ coding: 'zstd', rows: 240 });
});

test('COMPRESSION=off sends every answer as it is', async () => {
  await using gateway = await startGateway({ settings: { COMPRESSION: 'off' } });
  const { headers } = await post(gateway.url, longQuery, { 'accept-encoding': 'br, gzip, zstd, identity;q=0' });

  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept, Origin');
});

describe('a revalidated answer', () => {
  let gateway: Gateway;
  let folder: string;
  let address: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'compression-'));
    const manifest = join(folder, 'documents.json');
    const id = createHash('sha256').update(longQuery).digest('hex');
    await writeFile(manifest, JSON.stringify({ [`sha256:${id}`]: longQuery }));
    gateway = await startGateway({ settings: { TRUSTED_DOCUMENTS: manifest } });
    address = `${gateway.url}?documentId=${id}`;
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  const ask = (headers: object) =>
    read(open(address, { authorization: 'demo-coop', 'apollo-require-preflight': 'true', ...headers }));

  test('has an ETag for each coding, and gives 304 for that of the coding alone', async () => {
    const codings = ['identity', 'gzip', 'br', 'zstd'];
    const etags = await Promise.all(codings.map(async (c) => (await ask({ 'accept-encoding': c })).headers.etag!));
    expect(new Set(etags).size).toBe(4);

    for (const coding of codings) {
      for (const etag of etags) {
        const { status, headers, body } = await ask({ 'accept-encoding': coding, 'if-none-match': etag });
        const isSame = etag === etags[codings.indexOf(coding)];
        expect(status).toBe(isSame ? 304 : 200);
        expect(headers.vary).toContain('Accept-Encoding');
        if (!isSame) continue;
        expect(headers.etag).toBe(etag);
        expect(headers['content-encoding']).toBeUndefined();
        expect(body.length).toBe(0);
      }
    }
  });
});

describe('an answer that is long when coded', () => {
  const query = '{ farmers(limit: 1) { results { description } } }';
  /** Random texts hardly shrink. */
  const description = randomBytes(2 ** 20).toString('base64');
  let gateway: FakedGateway;
  beforeAll(async () => {
    gateway = await startFakedGateway();
    gateway.upstream.respond = () => ({ body: JSON.stringify({ count: 1, results: [{ id: 'F', description }] }) });
  });
  afterAll(() => gateway.close());

  const untaken = async () => valuesOf(await scrape(gateway.url), 'memory_bytes').answers ?? 0;

  test.each(['br', 'zstd', 'gzip'])('streams in chunks: %s', async (coding) => {
    const answer = await post(gateway.url, query, { 'accept-encoding': coding });

    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-encoding': coding });
    expect(answer.headers['content-length']).toBeUndefined();
    expect(JSON.parse(textOf(answer)).data.farmers.results).toEqual([{ description }]);
  });

  test('ends with its connection for a client of HTTP/1.0', async () => {
    const { socket } = new RawConnection(gateway.url);
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    const body = JSON.stringify({ query });
    socket.write(rawPost(body, { 'Accept-Encoding': 'gzip' }).replace('HTTP/1.1', 'HTTP/1.0'));
    await once(socket, 'close');
    const answer = Buffer.concat(pieces);
    const end = answer.indexOf('\r\n\r\n');

    expect(answer.toString('latin1', 0, end)).not.toMatch(/transfer-encoding|content-length/i);
    expect(JSON.parse(gunzipSync(answer.subarray(end + 4)).toString()).data.farmers.results).toEqual([{ description }]);
  });

  test('leaves no memory behind when its clients leave', async () => {
    const body = rawPost(JSON.stringify({ query }), { 'Accept-Encoding': 'br' });
    for (let i = 0; i < 5; i++) {
      const connection = new RawConnection(gateway.url);
      await connection.send(body);
      await once(connection.socket, 'data');
      connection.close();
    }

    await expect.poll(untaken).toBe(0);
    expect((await gateway.ask(query)).body.data.farmers.results).toEqual([{ description }]);
  });
});

test('an untaken answer takes the memory of its coded bytes', async () => {
  await using gateway = await startFakedGateway({ MAX_UPSTREAM_ANSWER_BYTES: '20MiB' });
  /** More than the system takes for a client that reads nothing, also when halved. */
  const description = randomBytes(7 * 2 ** 20).toString('hex');
  gateway.upstream.respond = () => ({ body: JSON.stringify({ count: 1, results: [{ id: 'F', description }] }) });
  const connection = new RawConnection(gateway.url);
  connection.socket.pause();
  const body = JSON.stringify({ query: '{ farmers(limit: 1) { results { description } } }' });
  await connection.send(rawPost(body, { 'Accept-Encoding': 'gzip' }));
  const untaken = async () => valuesOf(await scrape(gateway.url), 'memory_bytes').answers ?? 0;

  await expect.poll(untaken).toBeGreaterThan(0);
  await expect.poll(untaken).toBeLessThan(0.7 * description.length);
  expect(await untaken()).toBeGreaterThan(0);
  connection.close();
  await expect.poll(untaken).toBe(0);
});

test('a client that leaves ends the coding of its answer', async () => {
  const body = randomBytes(2 ** 20).toString('base64');
  const coded: (number | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const sending = currentRequest.run(new CurrentRequest('order-7'), () => sendCoded(response, 200, {}, body, 'br'));
    if (request.url === '/leaves') response.destroy();
    coded.push(await sending);
  });
  await once(server.listen(0), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // More than are coded at the same time.
  const leaving = Array.from({ length: 6 }, () => open(`${url}/leaves`, {}).catch(() => undefined));
  await Promise.all(leaving);
  await expect.poll(() => coded).toEqual([0, 0, 0, 0, 0, 0]);

  expect(textOf(await read(open(url, {})))).toBe(body);
  await new Promise((resolve) => server.close(resolve));
});

describe('a streamed answer', () => {
  const codings = ['br', 'zstd', 'gzip', undefined] as const;
  const decoder = { br: createBrotliDecompress, zstd: createZstdDecompress, gzip: createGunzip };

  /** Serves one answer, which `write` writes. */
  async function serve(coding: (typeof codings)[number], write: (stream: AnswerStream) => Promise<void>) {
    let written!: Promise<unknown>;
    const server = createServer((_request, response) => {
      const stream = currentRequest.run(
        new CurrentRequest('order-7'),
        () => new AnswerStream(response, { 'content-type': 'text/csv' }, coding, (write) => write()),
      );
      written = write(stream).then(
        () => 'ended',
        (error: Error) => error,
      );
    });
    await once(server.listen(0), 'listening');
    const answer = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
    const decoded = coding ? answer.pipe(decoder[coding]()) : answer;
    return {
      answer,
      decoded,
      written: () => written,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  test.each(codings)('shows each piece before the next one: %s', async (coding) => {
    const shown = Promise.withResolvers<void>();
    await using served = await serve(coding, async (stream) => {
      await stream.write('first\n');
      await shown.promise;
      await stream.write('second\n');
      await stream.end();
    });
    const [first] = await once(served.decoded, 'data');
    expect(String(first)).toBe('first\n');
    shown.resolve();
    expect(await text(served.decoded)).toBe('second\n');
    expect(served.answer.headers['content-encoding']).toBe(coding);
    expect(await served.written()).toBe('ended');
  });

  test.each(codings)(
    'waits for a client that takes nothing, and rejects when the client leaves: %s',
    async (coding) => {
      let pieces = 0;
      await using served = await serve(coding, async (stream) => {
        for (; pieces < 1_000; pieces++) await stream.write(randomBytes(64 * 1024));
        await stream.end();
      });
      served.decoded.pause();
      const seen: number[] = [];
      // Without a wait for the client, the number would grow to the end.
      await expect.poll(() => seen.push(pieces) > 2 && seen.at(-1) === seen.at(-2), { interval: 100 }).toBe(true);
      expect(pieces).toBeLessThan(1_000);
      served.answer.destroy();
      expect(await served.written()).toBeInstanceOf(Error);
    },
  );

  test.each(codings)('leaves of a large piece in memory what the client has not taken: %s', async (coding) => {
    let isTaken = false;
    await using served = await serve(coding, async (stream) => {
      await stream.write(randomBytes(32 * 1024 * 1024));
      isTaken = true;
      await stream.end();
    });
    served.decoded.pause();
    const sent = () => served.answer.socket.bytesRead;
    const seen: number[] = [];
    await expect.poll(() => seen.push(sent()) > 2 && seen.at(-1) === seen.at(-2), { interval: 100 }).toBe(true);
    expect(isTaken).toBe(false);
    served.answer.destroy();
    expect(await served.written()).toBeInstanceOf(Error);
  });
});
