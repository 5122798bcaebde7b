import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { sendRaw } from '../support/raw-http.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { 'limits.clients.bodyBytes': '1000' } });
});
afterAll(() => gateway.close());

const post = (body: string, headers = '') =>
  `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

test.each<[string, string, number]>([
  ['an answer', post('{"query":"{ __typename }"}'), 200],
  ['a document that is none', post('{"query":"{"}'), 400],
  ['a body that is too large', post('{}', 'Content-Length: 2000\r\n').replace(/Content-Length: 2\r\n/, ''), 413],
  ['another method', 'PUT /graphql HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['an address where nothing is', get('/nothing'), 404],
  ['the metrics', get('/metrics'), 200],
  ['its health', get('/health/live'), 200],
  ['the page', get('/graphql', 'Accept: text/html\r\n'), 200],
  ['bytes that are no HTTP', 'Hello\r\n\r\n', 400],
  ['headers that are too long', get('/graphql', `A: ${'a'.repeat(20_000)}\r\n`), 431],
])('%s has the security headers, and no Server or X-Powered-By', async (_what, bytes, status) => {
  const answer = await sendRaw(gateway.url, bytes);

  expect(answer?.status).toBe(status);
  expect(answer?.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': expect.any(String),
  });
  expect(Object.keys(answer?.headers ?? {})).not.toEqual(expect.arrayContaining(['server']));
  expect(Object.keys(answer?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-powered-by']));
});
