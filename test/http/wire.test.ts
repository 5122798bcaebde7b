import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../packages/graphql-serve/watch/logger.ts';
import { traceability } from '../../src/app.ts';
import { startGateway as startServer } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';

const connections: RawConnection[] = [];
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { 'limits.clients.bodyBytes': '30000' } });
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await gateway.close();
});

function connect(url = gateway.url): RawConnection {
  const connection = new RawConnection(url);
  connections.push(connection);
  return connection;
}

const operation = (query: string, headers?: Record<string, string>) => rawPost(JSON.stringify({ query }), headers);
const typename = operation('{ __typename }');

describe('one connection', () => {
  test('answers pipelined requests in turn', async () => {
    const connection = connect();
    await connection.send(operation('{ farmers { count } }', { 'x-request-id': 'first' }) + typename);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { 'x-request-id': 'first' } });
    expect((await connection.answer())?.body).toBe('{"data":{"__typename":"Query"}}\n');
  });

  test.each(['Ɔbaa Yaa Osei', 'Immaculée Uwimana'])(
    'sends the length in bytes of an answer with the name %s',
    async (name) => {
      const connection = connect();
      await connection.send(operation('{ farmers(limit: 2) { results { name } } }') + typename);
      const answer = await connection.answer();
      expect(JSON.parse(answer!.body).data.farmers.results).toContainEqual({ name });
      expect((await connection.answer())?.body).toBe('{"data":{"__typename":"Query"}}\n');
    },
  );

  test.each([
    ['has another type', () => rawPost('{}', { 'Content-Type': 'text/plain' }), 415],
    ['is declared too large', () => rawPost('', { 'Content-Length': '30001' }), 413],
    [
      'turns out too large',
      () => rawPost(`${(30_001).toString(16)}\r\n${' '.repeat(30_001)}\r\n`, { 'Transfer-Encoding': 'chunked' }),
      413,
    ],
  ])('ends after a body that %s', async (_case, request, status) => {
    const connection = connect();
    await connection.send(request() + typename);
    expect(await connection.answer()).toMatchObject({ status, headers: { connection: 'close' } });
    expect(await connection.answer()).toBeUndefined();
  });

  test.each([
    ['PUT', 405],
    ['DELETE', 405],
    ['OPTIONS', 204],
  ])('does not take the body of a %s for the next request', async (method, status) => {
    const connection = connect();
    await connection.send(rawPost('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n', {}, method) + typename);
    expect((await connection.answer())?.status).toBe(status);
    expect((await connection.answer())?.body).toBe('{"data":{"__typename":"Query"}}\n');
  });

  test('does not wait without end for a refused body', async () => {
    const connection = connect();
    await connection.send(rawPost('', { 'Content-Length': '1000' }, 'PUT'));
    expect((await connection.answer())?.status).toBe(405);
    expect(await connection.answer()).toBeUndefined();
  });

  test('sends 100 Continue to a client that waits for it', async () => {
    const connection = connect();
    const body = '{"query":"{ __typename }"}';
    await connection.send(rawPost('', { Expect: '100-continue', 'Content-Length': String(body.length) }));
    expect((await connection.answer())?.status).toBe(100);
    await connection.send(body);
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"data":{"__typename":"Query"}}\n' });
  });

  test('accepts characters that are cut between packets', async () => {
    const body = Buffer.from(
      '{"query":"{ farmers(first_name: \\"Immaculée\\", limit: 1) { results { first_name } } }"}',
    );
    const middle = body.indexOf('é') + 1;
    const chunks = [body.subarray(0, middle), body.subarray(middle)].flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
    const head = Buffer.from(rawPost('', { 'Transfer-Encoding': 'chunked' }));
    const answer = await sendRaw(gateway.url, Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')]));
    expect(JSON.parse(answer!.body).data.farmers.results).toEqual([{ first_name: 'Immaculée' }]);
  });
});

describe('a request target', () => {
  test.each(['http://gateway.example/graphql', 'HTTPS://gateway.example:8443/graphql', '/%67raphql', '/graphql#a'])(
    'for GraphQL may be written as %s',
    async (target) => {
      const answer = await sendRaw(gateway.url, typename.replace('/graphql', target));
      expect(answer).toMatchObject({ status: 200, body: '{"data":{"__typename":"Query"}}\n' });
    },
  );

  test.each(['//graphql', '/a/../graphql', '/GRAPHQL', '/graphql;a', '/graphql%2f', '*'])(
    'like %s gets 404',
    async (target) => {
      expect((await sendRaw(gateway.url, typename.replace('/graphql', target)))?.status).toBe(404);
    },
  );

  test('that is malformed gets an error with a code and a request id', async () => {
    const answer = await sendRaw(gateway.url, 'GET /%zz HTTP/1.1\r\nHost: a\r\nX-Request-Id: order-7\r\n\r\n');
    expect(answer).toMatchObject({ status: 400, headers: { 'x-request-id': 'order-7' } });
    expect({ code: extensionsOf(answer).code, id: extensionsOf(answer).request_id }).toEqual({
      code: 'BAD_REQUEST',
      id: 'order-7',
    });
  });
});

test('HEAD gives the headers of GET without a body', async () => {
  const connection = connect();
  await connection.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  const { length } = (await connection.answer())!.body;
  const response = await fetch(new URL('/health/live', gateway.url), { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe(String(length));
  expect(await response.text()).toBe('');
});

describe('a malformed request', () => {
  test.each([
    ['is no HTTP', 'GARBAGE\r\n\r\n', 400],
    ['begins a connection with TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), 400],
    ['has two lengths', typename.replace('Host', 'Content-Length: 3\r\nHost'), 400],
    ['has the same length twice', typename.replace('Host', `${/Content-Length: \d+/.exec(typename)}\r\nHost`), 400],
    ['has a list of lengths', typename.replace(/Content-Length: (\d+)/, '$&, $1'), 400],
    ['has a length below nothing', typename.replace(/Content-Length: /, '$&-'), 400],
    ['has a length with a sign', typename.replace(/Content-Length: /, '$&+'), 400],
    ['has a length and chunks', typename.replace('Host', 'Transfer-Encoding: chunked\r\nHost'), 400],
    ['says twice that it has chunks', rawPost('0\r\n\r\n', { 'Transfer-Encoding': 'chunked, chunked' }), 400],
    ['hides that it has chunks', rawPost('0\r\n\r\n', { 'Transfer-Encoding': 'xchunked' }), 400],
    ['hides the name of a header', typename.replace('Content-Length:', 'Content-Length :'), 400],
    ['has a chunk without a size', rawPost('zz\r\n\r\n', { 'Transfer-Encoding': 'chunked' }), 400],
    [
      'has another length after its chunks',
      rawPost('0\r\nContent-Length: 3\r\n\r\n', { 'Transfer-Encoding': 'chunked' }),
      400,
    ],
    ['continues a header on the next line', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['has half line ends', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['holds a zero byte', 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n', 400],
    ['begins HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['has too many headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('that %s gets an error with a code, and the connection closes', async (_case, bytes, status) => {
    const connection = connect();
    await connection.send(bytes);
    const answer = await connection.answer();
    expect(answer).toMatchObject({ status, headers: { connection: 'close' } });
    expect({ code: extensionsOf(answer).code, id: extensionsOf(answer).request_id }).toEqual({
      code: 'BAD_REQUEST',
      id: answer?.headers['x-request-id'],
    });
    expect(await connection.answer()).toBeUndefined();
  });

  test('without an end of its headers or its body gets 408', async () => {
    const settings = { 'limits.clients.headersTimeoutMs': '50', 'limits.uploads.timeoutMs': '100' };
    const impatient = await startGateway({ settings });
    const unfinished = [typename.slice(0, typename.indexOf('Host')), typename.slice(0, -3)];
    const answers = await Promise.all(unfinished.map((bytes) => sendRaw(impatient.url, bytes)));
    await impatient.close();
    expect(answers.map((answer) => ({ status: answer?.status, code: extensionsOf(answer).code }))).toEqual([
      { status: 408, code: 'BAD_REQUEST' },
      { status: 408, code: 'BAD_REQUEST' },
    ]);
  });
});

test('a client that leaves during its body causes no call', async () => {
  const service = await startFakedGateway();
  const connection = connect(service.url);
  const request = operation('mutation { createFarmer(input: { first_name: "A" }) { id } }');
  await connection.send(request.slice(0, -3));
  connection.close();
  expect((await service.query('{ farmers { count } }')).errors).toEqual([]);
  expect(service.upstream.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await service.close();
});

test('an internal error is masked and logged with the request id, and the connection stays open', async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: 'trace' }, { write: (line) => void lines.push(line) }, 'authorization');
  const config = readConfig({ PORT: '0' });
  config.upstream.forwardHeaders = null as unknown as string[];
  const faulty = await startServer(traceability, { config, upstreamUrl: gateway.sandbox.url, logger });
  const connection = connect(faulty.url);
  await connection.send(operation('{ __typename }', { 'x-request-id': 'order-7' }));
  const answer = await connection.answer();
  expect({ status: answer?.status, code: extensionsOf(answer).code }).toEqual({
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
  });
  expect(answer?.body).not.toContain('iterable');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { request_id: 'order-7', err: { type: 'TypeError', reason: 'is not iterable' } },
  ]);
  await connection.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await connection.answer())?.status).toBe(200);
  await faulty.close();
});

test('a taken port is reported', async () => {
  const config = readConfig({ PORT: new URL(gateway.url).port });
  const second = startServer(traceability, {
    config,
    upstreamUrl: gateway.sandbox.url,
    logger: createLogger({ level: 'silent' }, { write: () => {} }, 'authorization'),
  });
  await expect(second).rejects.toThrow('EADDRINUSE');
});

test('a closing gateway refuses new connections, and closes open ones after their answers', async () => {
  const closing = await startFakedGateway();
  closing.upstream.hold();
  const late = connect(closing.url);
  const early = connect(closing.url);
  await late.send(typename);
  expect(await late.answer()).toMatchObject({ headers: { connection: 'keep-alive' } });
  await early.send(operation('{ farmers { count } }'));
  await closing.upstream.untilArrived(1);

  const closed = closing.close();
  await expect.poll(() => connects(closing.url)).toBe(false);
  await late.send(typename);
  expect(await late.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });

  closing.upstream.release();
  expect(await early.answer()).toMatchObject({
    status: 200,
    headers: { connection: 'close' },
    body: expect.stringContaining('"count":240'),
  });
  await closed;
});

async function connects(url: string): Promise<boolean> {
  return once(connect(url).socket, 'connect').then(
    () => true,
    () => false,
  );
}
