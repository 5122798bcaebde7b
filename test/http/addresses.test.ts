import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { printed, run } from '../support/own-process.ts';
import { RawConnection, sendRaw } from '../support/raw-http.ts';

let gateway: Gateway;
let plain: Gateway;
beforeAll(async () => {
  [gateway, plain] = await Promise.all([startGateway(), startGateway({ settings: { GRAPHIQL: 'false' } })]);
});
afterAll(() => Promise.all([gateway.close(), plain.close()]));

test.each(['/health/live', '/health/ready', '/metrics', '/graphiql/assets/page.js'])(
  '%s answers GET and HEAD, and refuses other methods',
  async (path) => {
    const url = new URL(path, gateway.url);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(url, { method });
      expect({ method, status, allow: headers.get('allow') }).toEqual({ method, status: 405, allow: 'GET, HEAD' });
    }
    const [read, asked] = [await fetch(url), await fetch(url, { method: 'HEAD' })];
    expect(asked.status).toBe(read.status);
    expect(await asked.text()).toBe('');
  },
);

test.each(['', 'a', 'a.example:4000', '127.0.0.1', '[::1]:4000', 'localhost:99999', 'a'.repeat(1_000)])(
  'any Host header is accepted: %j',
  async (host) => {
    const answer = await sendRaw(gateway.url, `GET /health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(answer?.status).toBe(200);
  },
);

test.each([
  'Host: a b',
  'Host: [',
  'Host: [::',
  'Host: a:b:c',
  'Host: %',
  'Host: \x80',
  'Host: a/b',
  'Host: a\r\nHost: a',
  'X: a',
])('a request without a single Host is refused: %j', async (headers) => {
  const answer = await sendRaw(gateway.url, `GET /health/live HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect({ status: answer?.status, code: JSON.parse(answer!.body).errors[0].extensions.code }).toEqual({
    status: 400,
    code: 'BAD_REQUEST',
  });
});

test('a request with two keys is refused, because a proxy may have checked the other one', async () => {
  const head = 'POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\nauthorization: demo-buyer\r\n';
  const body = '{"query":"{ currencies { count } }"}';
  const answer = await sendRaw(
    gateway.url,
    `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(answer?.status).toBe(400);
  expect(JSON.parse(answer!.body).errors[0]).toMatchObject({
    message: 'The Authorization header comes more than once.',
    extensions: { code: 'BAD_REQUEST' },
  });
});

test.each(['POST /graphql', 'GET /health/live', 'POST /nothing'])(
  'a Transfer-Encoding in HTTP/1.0 is refused, and ends the connection: %s',
  async (target) => {
    const connection = new RawConnection(gateway.url);
    await connection.send(
      `${target} HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    );
    const answer = await connection.answer();
    expect([answer?.status, answer?.headers.connection]).toEqual([400, 'close']);
    await connection.send('GET /health/live HTTP/1.0\r\n\r\n');
    expect(await connection.answer()).toBeUndefined();
  },
);

describe('a gateway without GraphiQL', () => {
  test('answers a browser with 406 and the address of GraphQL', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const response = await fetch(plain.url, { headers: { accept } });
    expect(response.status).toBe(406);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      vary: 'Accept, Origin',
    });
    expect(await response.text()).toMatch(/^This is a GraphQL API/);
  });

  test.each(['GET', 'POST'])('answers 404 to a %s of an asset', async (method) => {
    const { status } = await fetch(new URL('/graphiql/assets/page.js', plain.url), { method });
    expect(status).toBe(404);
  });

  test('prints the address of GraphQL alone at its start', async () => {
    const url = await printed(run({ GRAPHIQL: 'false' }), /^GraphQL +(\S+)/m);
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(406);
  });

  test('answers operations', async () => {
    expect((await plain.query('{ farmers { count } }')).data).toEqual({ farmers: { count: 240 } });
  });
});
