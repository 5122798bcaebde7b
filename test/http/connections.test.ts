import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost } from '../support/raw-http.ts';

let gateway: Gateway;
let connection: RawConnection;
beforeAll(async () => {
  gateway = await startGateway({ settings: { 'limits.clients.bodyBytes': '30000' } });
});
afterAll(() => gateway.close());
beforeEach(() => {
  connection = new RawConnection(gateway.url);
});
afterEach(() => connection.close());

const form = { 'Content-Type': 'multipart/form-data; boundary=a', 'apollo-require-preflight': 'true' };
const typename = rawPost('{"query":"{ __typename }"}');

describe('a connection', () => {
  test('answers its requests before it refuses bytes that are no request', async () => {
    await connection.send(`${rawPost('{"query":"{ farmers { count } }"}')}${typename}GARBAGE\r\n\r\n`);
    expect((await connection.answer())?.body).toBe('{"data":{"farmers":{"count":240}}}\n');
    expect((await connection.answer())?.body).toBe('{"data":{"__typename":"Query"}}\n');
    expect(await connection.answer()).toMatchObject({ status: 400, headers: { connection: 'close' } });
    expect(await connection.answer()).toBeUndefined();
  });

  test.each([
    ['too large', { 'Content-Length': '30001' }, 413],
    ['of another type', { 'Content-Type': 'text/plain', 'Content-Length': '9' }, 415],
    ['compressed in another way', { 'Content-Encoding': 'br', 'Content-Length': '9' }, 415],
    ['of a request that takes another answer', { Accept: 'image/png', 'Content-Length': '9' }, 406],
    ['of a form too large', { ...form, 'Content-Length': '99999999' }, 413],
    ['of a form without a boundary', { ...form, 'Content-Type': 'multipart/form-data', 'Content-Length': '9' }, 415],
  ])('gets no 100 Continue for a body that is %s', async (_case, headers, status) => {
    await connection.send(rawPost('', { Expect: '100-continue', ...headers }));
    // Whether its body comes now, or a request, only the client knows.
    expect(await connection.answer()).toMatchObject({ status, headers: { connection: 'close' } });
    expect(await connection.answer()).toBeUndefined();
  });

  test('gets 100 Continue for a form', async () => {
    await connection.send(rawPost('', { ...form, Expect: '100-continue', 'Content-Length': '9' }));
    expect((await connection.answer())?.status).toBe(100);
    await connection.send('--a--\r\n\r\n');
    expect(await connection.answer()).toMatchObject({ status: 400, headers: { connection: 'keep-alive' } });
  });

  test.each([
    ['says so', typename.replace('Host', 'Connection: close\r\nHost')],
    ['is of HTTP/1.0', typename.replace('HTTP/1.1', 'HTTP/1.0').replace('Host: a\r\n', '')],
  ])('closes after a request that %s', async (_case, request) => {
    await connection.send(request + typename);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await connection.answer()).toBeUndefined();
  });

  test('ignores an Upgrade and answers the request', async () => {
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==\r\n';
    await connection.send(`GET /graphql HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`);
    const answer = await connection.answer();
    expect({ status: answer?.status, code: extensionsOf(answer).code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    await connection.send(typename);
    expect((await connection.answer())?.status).toBe(200);
  });
});
