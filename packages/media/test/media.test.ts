import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pdf } from '../../../bench/lib/upload-form.ts';
import { settingsFrom } from '../../../src/config.ts';
import { codeOf } from '../../../test/support/client.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { RawConnection, sendRaw } from '../../../test/support/raw-http.ts';
import { get, type Json } from '../../../test/support/rest.ts';
import { scrape, valuesOf } from '../../../test/support/scrape.ts';
import { bearerOf, people } from '../../../test/support/tokens.ts';
import { createLogger } from '../../graphql-serve/watch/logger.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const page = 'https://app.example';
const path = '/media/paymenttransaction/10_abcdefghij_invoice.png';

let service: Server;
let gateway: Gateway;
/** Treatment of a request for a file by the service, which asks nobody for a key. */
let serve: (request: IncomingMessage, response: ServerResponse) => void;
/** Requests for files. */
const requests: IncomingMessage[] = [];
/** The keys of all other requests, which ask whether the service accepts them. */
const checkedKeys: (string | undefined)[] = [];
/** Answers whether the service accepts a key. */
let check: (request: IncomingMessage, response: ServerResponse) => void;
const acceptKnown: typeof check = ({ headers: { authorization = '' } }, response) =>
  answerJson(response, /^demo-|^caller /.test(authorization) ? 200 : 401);
const lines: Json[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    if (request.url?.startsWith('/v1/')) {
      checkedKeys.push(request.headers.authorization);
      return check(request, response);
    }
    requests.push(request);
    serve(request, response);
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  gateway = await startGateway({
    upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
    settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example', CORS_ORIGINS: page },
    file: { media: { running: 4 } },
    accessLogger: createLogger(
      { level: 'info' },
      { write: (line) => void lines.push(JSON.parse(line)) },
      'authorization',
    ),
  });
});
beforeEach(() => {
  check = acceptKnown;
});
afterEach(async () => {
  // A request whose client has left ends a moment later.
  await expect.poll(async () => valuesOf(await scrape(gateway.url), 'media_in_flight')).toEqual({ '': 0 });
  requests.length = 0;
  checkedKeys.length = 0;
  lines.length = 0;
});
afterAll(async () => {
  await gateway.close();
  service.closeAllConnections();
  service.close();
});

const ask = (headers: Record<string, string | undefined> = {}, method = 'GET', at = path) =>
  gateway.send({ method, path: at, headers });

function answerJson(response: ServerResponse, status: number): void {
  const currencies = { count: 0, next: null, previous: null, results: [] };
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(status < 300 ? currencies : {}));
}

async function refusalOf(response: Response): Promise<unknown[]> {
  return [response.status, response.headers.get('content-type'), codeOf((await response.json()) as Json)];
}
const refused = (status: number, code: string) => [status, 'application/json; charset=utf-8', code];

/** Answers with these bytes as nginx does, in one range where one is asked for. */
function giveFile(content: Buffer, headers: Record<string, string> = { 'content-type': 'image/png' }): void {
  serve = ({ headers: { range } }, response) => {
    const [, from = '0', to = String(content.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const part = content.subarray(Number(from), Number(to) + 1);
    response.writeHead(range ? 206 : 200, {
      ...headers,
      etag: '"1"',
      'accept-ranges': 'bytes',
      'content-length': part.length,
      ...(range && { 'content-range': `bytes ${from}-${to}/${content.length}` }),
    });
    response.end(part);
  };
}

describe('a file', () => {
  test('arrives whole, with the headers that describe it and no others', async () => {
    const content = randomBytes(3_000_000);
    giveFile(content, { 'content-type': 'image/png', 'set-cookie': 'a=b', server: 'nginx', 'cache-control': 'public' });
    const response = await ask();

    expect(response.status).toBe(200);
    expect(sha256(await response.bytes())).toBe(sha256(content));
    const { date: _date, 'x-request-id': id, ...headers } = Object.fromEntries(response.headers);
    expect(id).toEqual(expect.any(String));
    expect(headers).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      connection: 'keep-alive',
      'content-disposition': 'inline',
      'content-length': '3000000',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'same-origin',
      etag: '"1"',
      'keep-alive': 'timeout=72',
      'referrer-policy': 'no-referrer',
      vary: 'origin, authorization, accept-language, auth-type',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  test('is asked for with the key and the headers of the caller', async () => {
    giveFile(Buffer.from('a'));
    await ask({ 'auth-type': 'client_credentials', cookie: 'a=b', traceparent: 'none', 'x-request-id': 'mine-1' });

    expect(requests[0]?.url).toBe(path);
    const { host: _host, ...headers } = requests[0]?.headers ?? {};
    expect(headers).toMatchObject({ authorization: 'demo-coop', 'auth-type': 'client_credentials' });
    expect(headers).toMatchObject({ accept: '*/*', 'accept-encoding': 'identity', 'x-request-id': 'mine-1' });
    expect(headers).not.toHaveProperty('cookie');
  });

  test('comes in ranges', async () => {
    giveFile(Buffer.from('0123456789'));
    const response = await ask({ range: 'bytes=2-4', 'if-range': '"1"' });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await response.text()).toBe('234');
    expect(requests[0]?.headers).toMatchObject({ range: 'bytes=2-4', 'if-range': '"1"' });
  });

  test('has no body where HEAD asks for it, where it has not changed, and where the range is wrong', async () => {
    giveFile(Buffer.from('0123456789'));
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect(requests[0]?.method).toBe('HEAD');

    serve = (_request, response) => response.writeHead(304, { etag: '"1"' }).end();
    const same = await ask({ 'if-none-match': '"1"', 'if-modified-since': 'Sun, 01 Nov 2026 00:00:00 GMT' });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, '"1"', '']);
    expect(requests[1]?.headers).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': expect.any(String) });

    serve = (_request, response) => response.writeHead(416, { 'content-range': 'bytes */10' }).end('<h1>No');
    const beyond = await ask({ range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range'), await beyond.text()]).toEqual([416, 'bytes */10', '']);
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/pdf',
    'text/xml',
    'text/javascript',
    'image/png, text/html',
    'image/png;,text/html',
    undefined,
  ])('with the type %s is saved, not shown', async (type) => {
    giveFile(Buffer.from('<script>alert(1)</script>'), type === undefined ? {} : { 'content-type': type });
    const { headers } = await ask();
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-type')).toBe(type ?? 'application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('may be fetched by a page of a listed origin, in ranges too', async () => {
    giveFile(Buffer.from('a'));
    const asked = await ask({ origin: page, 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/^authorization, .*, range, if-range$/);
    const { headers } = await ask({ origin: page });
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-expose-headers')).toMatch(/^etag,.* accept-ranges, content-range/);
  });
});

describe('the gateway refuses', () => {
  test('other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask({}, method);
      expect({ method, status, allow: headers.get('allow') }).toEqual({ method, status: 405, allow: 'GET, HEAD' });
    }
    expect(requests).toEqual([]);
  });

  test('a request without a key', async () => {
    expect(await refusalOf(await gateway.send({ method: 'GET', path, key: null }))).toEqual(
      refused(401, 'UNAUTHENTICATED'),
    );
    expect(requests).toEqual([]);
  });

  test.each([
    '/media/',
    '/media//a.png',
    '/media/a/',
    '/media/../v1/accounts/users/A/',
    '/media/a/../../v1/',
    '/media/%2e%2e/v1/',
    '/media/.%2E/v1/',
    '/media/%252e%252e/v1/',
    '/media/..;/v1/',
    '/media/..%2fv1/',
    '/media/a%2Fb.png',
    '/media/a%5cb.png',
    '/media/a\\..\\b.png',
    '/media/.git/config',
    '/media/a%00.png',
    '/media/a%0d%0ab.png',
    `/media/a.png${'?'.repeat(15_000)}\x80`,
    '/media/%ff.png',
    '/%6dedia/a.png',
    '/media/a.png%0',
    'http://127.0.0.1:1/media/../v1/',
  ])('the path %s', async (target) => {
    const answer = await sendRaw(
      gateway.url,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\nConnection: close\r\n\r\n`,
    );
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '').errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(requests).toEqual([]);
  });

  test('no path to another host, whatever address the client names', async () => {
    giveFile(Buffer.from('a'));
    const target = `http://127.0.0.1:1${path}?v=1`;
    await sendRaw(gateway.url, `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\n\r\n`);
    expect(requests.map(({ url }) => url)).toEqual([`${path}?v=1`]);
  });

  test.each([
    [301, 502, 'UPSTREAM_INVALID_RESPONSE'],
    [401, 401, 'UNAUTHENTICATED'],
    [403, 403, 'FORBIDDEN'],
    [404, 404, 'NOT_FOUND'],
    [429, 429, 'RATE_LIMITED'],
    [500, 502, 'UPSTREAM_ERROR'],
    [503, 503, 'UPSTREAM_UNAVAILABLE'],
  ])('with its own words where the service answers %i', async (given, status, code) => {
    serve = (_request, response) =>
      response.writeHead(given, { location: 'http://127.0.0.1:1/', 'content-type': 'text/html' }).end('<h1>Traceback');
    expect(await refusalOf(await ask())).toEqual(refused(status, code));
    expect(requests.length).toBe(1);
  });

  const messageOf = async (response: Response) => ((await response.json()) as Json).errors[0].message;

  test('with the status of a success that is no file', async () => {
    serve = (_request, response) => response.writeHead(204).end();
    expect(await messageOf(await ask())).toBe('The service answered with status 204, which is no file.');
  });

  test('with another message for a broken connection than for none', async () => {
    serve = ({ socket }) => socket.resetAndDestroy();
    expect(await messageOf(await ask())).toBe('The service broke the connection off.');
    serve = ({ socket }) => socket.end('no HTTP\r\n\r\n');
    expect(await messageOf(await ask())).toBe('The service broke the connection off.');
    await using absent = await startGateway({
      upstreamUrl: 'http://127.0.0.1:1/v1',
      settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
    });
    expect(await messageOf(await absent.send({ method: 'GET', path }))).toBe('The service cannot be reached.');
  });

  test('with an answer that no cache keeps', async () => {
    serve = (_request, response) => response.writeHead(404).end();
    for (const key of ['demo-coop', null]) {
      const { headers } = await gateway.send({ method: 'GET', path, key });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('vary')).toBe('origin, authorization, accept-language, auth-type');
    }
  });

  test('a file whose end nothing marks', async () => {
    serve = ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf a f');
    expect(await refusalOf(await ask())).toEqual(refused(502, 'UPSTREAM_INVALID_RESPONSE'));
  });

  test('to one caller what the service shows to another', async () => {
    giveFile(Buffer.from('secret'));
    const give = serve;
    serve = (request, response) =>
      request.headers.authorization === 'demo-coop' ? give(request, response) : response.writeHead(404).end();
    expect(await (await ask()).text()).toBe('secret');
    const other = await gateway.send({ method: 'GET', path, key: 'demo-buyer', headers: { 'if-none-match': '"1"' } });
    expect(await refusalOf(other)).toEqual(refused(404, 'NOT_FOUND'));
  });
});

describe('a key', () => {
  const askWith = (key: string, of = gateway) => of.send({ method: 'GET', path, key });

  test('that nobody has made gets no file, and one call says so', async () => {
    giveFile(Buffer.from('secret'));
    for (const _ of [1, 2, 3])
      expect(await refusalOf(await askWith('stranger'))).toEqual(refused(401, 'UNAUTHENTICATED'));

    expect(requests).toEqual([]);
    expect(checkedKeys).toEqual(['stranger']);
  });

  test('is checked before its first file, once for all that come together, and then no more', async () => {
    giveFile(Buffer.from('a'));
    await Promise.all([askWith('caller a'), askWith('caller a')].map(async (answer) => (await answer).text()));
    await (await askWith('caller a')).text();

    expect(checkedKeys).toEqual(['caller a']);
    expect(requests).toHaveLength(3);
  });

  test('that a query has shown to be good is not checked for a file', async () => {
    giveFile(Buffer.from('a'));
    await gateway.ask('{ currencies { count } }', { key: 'caller b' });
    checkedKeys.length = 0;

    expect(await (await askWith('caller b')).text()).toBe('a');
    expect(checkedKeys).toEqual([]);
  });

  test('that the service ends gets no more files', async () => {
    giveFile(Buffer.from('a'));
    await (await askWith('caller c')).text();
    check = (_request, response) => answerJson(response, 401);
    await gateway.ask('{ currencies { count } }', { key: 'caller c', headers: { 'cache-control': 'no-cache' } });

    expect(await refusalOf(await askWith('caller c'))).toEqual(refused(401, 'UNAUTHENTICATED'));
  });

  test.for([
    [403, 403, 'FORBIDDEN'],
    [429, 429, 'RATE_LIMITED'],
    [503, 503, 'UPSTREAM_UNAVAILABLE'],
  ] as const)('gets no file where the service answers %i, and is asked about again', async ([given, status, code]) => {
    await using own = await startGateway({
      upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
      settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
    });
    giveFile(Buffer.from('a'));
    check = (_request, response) => answerJson(response, given);
    expect(await refusalOf(await askWith('demo-coop', own))).toEqual(refused(status, code));
    expect(requests).toEqual([]);
  });

  test('ends its check with its client', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    check = (_request, response) => begun.resolve(response);
    const waiting = new RawConnection(gateway.url);
    await waiting.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: caller d\r\n\r\n`);
    const silent = await begun.promise;
    waiting.close();
    await once(silent, 'close');
  });

  test('made of claims is checked with each new token, and has one share with all of them', async () => {
    await using own = await startGateway({
      upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
      settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example', CALLER_CLAIMS: 'user_id' },
      file: { media: { running: 4 } },
    });
    check = (_request, response) => answerJson(response, 200);
    const open: ServerResponse[] = [];
    serve = (_request, response) => void open.push(response);
    const tokens = [1, 2].map(() => bearerOf(people.abena));
    const asked = tokens.map((key) => askWith(key, own));
    await expect.poll(() => checkedKeys.toSorted()).toEqual(tokens.toSorted());
    await expect.poll(async () => valuesOf(await scrape(own.url), 'media_waiting')).toEqual({ '': 1 });
    expect(open).toHaveLength(1);
    open[0]!.end('a');
    await expect.poll(() => open.length).toBe(2);
    open[1]!.end('a');
    await Promise.all(asked.map(async (answer) => (await answer).text()));
  });
});

describe('a file that breaks off', () => {
  test.each([
    ['a length', 'Content-Length: 100\r\n\r\nhalf a file'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('cuts the connection of the client, after %s', async (_marks, rest) => {
    serve = ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n${rest}`);
    const response = await ask();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    await expect.poll(() => lines).toMatchObject([{ outcome: 'failed', errors: ['UPSTREAM_UNAVAILABLE'] }]);
  });

  test('resets the connection of HTTP/1.0, where a close would end a file in chunks', async () => {
    serve = ({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
    const { socket } = new RawConnection(gateway.url);
    const failed = once(socket, 'end').then(
      () => undefined,
      (error) => error,
    );
    socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: demo-coop\r\n\r\n`);
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends the call where the client leaves, before and after the head', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    serve = (_request, response) => begun.resolve(response);
    const waiting = new RawConnection(gateway.url);
    await waiting.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\n\r\n`);
    const silent = await begun.promise;
    waiting.close();
    await once(silent, 'close');

    const flowing = Promise.withResolvers<ServerResponse>();
    serve = (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000_000 });
      const drip = setInterval(() => response.write('a'), 20);
      response.once('close', () => clearInterval(drip));
      flowing.resolve(response);
    };
    const reading = new AbortController();
    const { body } = await gateway.send({ method: 'GET', path, signal: reading.signal });
    await body!.getReader().read();
    reading.abort();
    await once(await flowing.promise, 'close');
    await expect.poll(() => lines).toMatchObject([{ outcome: 'left' }, { outcome: 'left', status: 200 }]);
  });

  test('holds the service back while the client takes nothing', async () => {
    const total = 64 * 2 ** 20;
    let written = 0;
    const stalled = Promise.withResolvers<void>();
    serve = (_request, response) => {
      response.writeHead(200, { 'content-length': total });
      const piece = Buffer.alloc(2 ** 20);
      const write = () => {
        while (written < total) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
      response.once('close', () => stalled.resolve());
    };
    const connection = new RawConnection(gateway.url);
    connection.socket.pause();
    await connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\n\r\n`);
    // The service goes on until all buffers on the way are full.
    let before = -1;
    const hasStopped = () => {
      const isSame = written > 0 && written === before;
      before = written;
      return isSame;
    };
    await expect.poll(hasStopped, { interval: 200 }).toBe(true);
    expect(written).toBeLessThan(total / 2);
    connection.close();
    await stalled.promise;
  });
});

test('one value of Authorization has a quarter of the places, and the others wait', async () => {
  const open: ServerResponse[] = [];
  serve = (_request, response) => void open.push(response);
  // Files are the first requests of both.
  const askAs = (key: string) => gateway.send({ method: 'GET', path, key });
  const first = askAs('caller e');
  const second = askAs('caller e');
  const other = askAs('caller f');
  await expect
    .poll(() => requests.map(({ headers }) => headers.authorization).sort())
    .toEqual(['caller e', 'caller f']);
  await expect.poll(async () => valuesOf(await scrape(gateway.url), 'media_waiting')).toEqual({ '': 1 });
  for (const response of open.splice(0)) response.end('a');
  await Promise.all([(await Promise.race([first, second])).text(), (await other).text()]);
  await expect.poll(() => open.length).toBe(1);
  open[0]!.end('b');
  await Promise.all([first, second].map(async (answer) => (await answer).bodyUsed || (await answer).text()));
});

test('a request that has given up waits no more', async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  serve = (_request, response) => begun.resolve(response);
  const first = ask();
  const open = await begun.promise;
  const files = async () => {
    const metrics = await scrape(gateway.url);
    return ['media_in_flight', 'media_waiting'].map((metric) => valuesOf(metrics, metric)['']);
  };
  const second = new RawConnection(gateway.url);
  await second.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\n\r\n`);
  await expect.poll(files).toEqual([1, 1]);
  second.close();
  await expect.poll(files).toEqual([1, 0]);
  open.end('a');
  await (await first).text();
  expect(requests).toHaveLength(1);
});

test('each file is counted and logged, without its name', async () => {
  giveFile(Buffer.from('abc'));
  const before = await scrape(gateway.url);
  await (await ask({ 'x-request-id': 'mine-1' }, 'GET', `${path}?secret=1`)).text();
  await gateway.send({ method: 'GET', path, key: null });
  await expect.poll(() => lines.length).toBe(2);
  const after = await scrape(gateway.url);
  const change = (metric: string, label = '') =>
    (valuesOf(after, metric)[label] ?? 0) - (valuesOf(before, metric)[label] ?? 0);
  expect([change('media_total', 'ok'), change('media_total', 'failed'), change('media_bytes_total')]).toEqual([
    1, 1, 3,
  ]);
  expect(lines).toMatchObject([
    {
      request_id: 'mine-1',
      method: 'GET',
      status: 200,
      folder: '/media/paymenttransaction/',
      file_bytes: 3,
      msg: 'Media',
    },
    { status: 401, outcome: 'failed', errors: ['UNAUTHENTICATED'] },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/invoice|secret/);

  await (await ask({}, 'GET', `/media/${'a'.repeat(9_000)}/b.png`)).text();
  await expect.poll(() => lines[2]?.folder).toBe(`/media/${'a'.repeat(93)}`);
});

test.each(['spec', 'connect'] as const)(
  'over the dialect %s, an uploaded invoice is read through the gateway',
  async (dialect) => {
    await using own = await startGateway({
      sandbox: { dialect },
      settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
    });
    const key = 'Bearer demo-coop';
    const [{ id }] = (await get(own.sandbox, '/transactions/payment-transactions/?limit=1', key)).results;
    const content = pdf(1_000_000);
    const operation = `mutation ($id: ID!, $file: Upload!) {
    uploadInvoice(payment_transaction: $id, invoice: $file) { invoice }
  }`;
    const uploaded = await own.upload(operation, { id, file: null }, new File([content], 'März.html'), { key });
    const { invoice } = ((await uploaded.json()) as Json).data.uploadInvoice;
    expect(invoice).toMatch(/^https:\/\/gateway\.example\/media\/invoices\//);

    const { pathname } = new URL(invoice);
    const response = await own.send({ method: 'GET', path: pathname, key });
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(sha256(await response.bytes())).toBe(sha256(content));
    const part = await own.send({ method: 'GET', path: pathname, key, headers: { range: 'bytes=10-19' } });
    expect([part.status, Buffer.from(await part.bytes())]).toEqual([206, content.subarray(10, 20)]);
  },
);

test('a client that takes nothing of a file loses its connection', async () => {
  await using own = await startGateway({
    upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
    settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
    file: { limits: { clients: { responseTimeoutMs: 200 } } },
  });
  const cut = Promise.withResolvers<void>();
  serve = (_request, response) => {
    response.once('close', () => cut.resolve());
    response.writeHead(200, { 'content-length': 64 * 2 ** 20 }).end(Buffer.alloc(64 * 2 ** 20));
  };
  const connection = new RawConnection(own.url);
  connection.socket.pause();
  await connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\n\r\n`);
  await cut.promise;
  connection.close();
});

test('a client that takes nothing of a file gives its place to one that waits', async () => {
  await using own = await startGateway({
    upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
    settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
    file: { media: { running: 4 }, limits: { clients: { minBytesPerSecond: 1e9 } } },
  });
  const large = Buffer.alloc(64 * 2 ** 20);
  const begun: unknown[] = [];
  serve = (_request, response) => {
    begun.push(response.writeHead(200, { 'content-length': large.length }).end(large));
  };
  const connections = ['caller 1', 'caller 2', 'caller 3', 'caller 4'].map((key) => {
    const connection = new RawConnection(own.url);
    connection.socket.pause();
    connection.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${key}\r\n\r\n`);
    return connection;
  });
  await expect.poll(() => begun.length).toBe(4);
  giveFile(Buffer.from('a'));
  const response = await own.send({ method: 'GET', path, key: 'caller 5' });
  expect([response.status, await response.text()]).toEqual([200, 'a']);
  for (const connection of connections) connection.close();
});

test('a file on its way is sent to its end while the gateway stops', async () => {
  const own = await startGateway({
    upstreamUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
    settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' },
  });
  const begun = Promise.withResolvers<ServerResponse>();
  serve = (_request, response) => {
    response.writeHead(200, { 'content-length': 8 }).write('half');
    begun.resolve(response);
  };
  const response = await own.send({ method: 'GET', path });
  const closed = own.close();
  (await begun.promise).end(' end');
  expect(await response.text()).toBe('half end');
  await closed;
});

test('nothing is served below /media/ without the setting', async () => {
  await using own = await startGateway();
  expect((await own.send({ method: 'GET', path: '/media/images/person.png' })).status).toBe(404);
});

test('the start refuses settings by which no URL of a file would lead to the gateway', () => {
  const startWith = (environment: Record<string, string>) => () => settingsFrom({ environment });
  expect(startWith({ MEDIA_PROXY: 'true' })).toThrow('MEDIA_URL: is missing, and MEDIA_PROXY is true');
  const UPSTREAM_URL = 'https://service.example/v1';
  expect(startWith({ MEDIA_PROXY: 'true', MEDIA_URL: 'https://service.example', UPSTREAM_URL })).toThrow(
    'MEDIA_URL: must be the address of this gateway, not that of UPSTREAM_URL',
  );
  expect(startWith({ MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example', UPSTREAM_URL })).not.toThrow();
});
