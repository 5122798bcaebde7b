import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const origin = 'https://app.example';
const json = { 'content-type': 'application/json', authorization: 'demo-coop' };
const body = '{"query":"{ currencies { count } }"}';

let site: Server;
/** Address of pages that the browser loads. */
let siteUrl: string;
let open: Gateway;
let closed: Gateway;
beforeAll(async () => {
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>A page'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  open = await startGateway({
    settings: { CORS_ORIGINS: `${origin}, ${siteUrl}`, 'limits.clients.bodyBytes': '1000' },
  });
  closed = await startGateway();
});
afterAll(async () => {
  await Promise.all([open?.close(), closed?.close()]);
  site?.closeAllConnections();
  site?.close();
});

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

const preflight = (url: string, origin: string, method = 'POST') =>
  fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });

describe('a page of a listed origin', () => {
  test('may send the headers that the gateway reads', async () => {
    const response = await preflight(open.url, origin);

    expect(response.status).toBe(204);
    expect(response.headers.get('vary')).toBe('Origin');
    expect(corsHeaders(response.headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, QUERY',
      'access-control-allow-headers':
        'authorization, content-type, content-encoding, cache-control, if-none-match, x-request-id, traceparent, tracestate, apollo-require-preflight, ' +
        'x-apollo-operation-name, idempotency-key, x-trace-upstream, apollographql-client-name, x-graphql-client-name, graphql-client-name, ' +
        'apollographql-client-version, x-graphql-client-version, graphql-client-version, accept-language, auth-type',
      'access-control-expose-headers':
        'etag, x-request-id, retry-after, idempotency-replayed, x-total-count, content-disposition',
      'access-control-max-age': '7200',
    });
  });

  test.each<[string, RequestInit, number]>([
    ['an answer', { method: 'POST', headers: json, body }, 200],
    ['that it asks for too much', { method: 'POST', headers: json, body: ' '.repeat(2_000) }, 413],
    ['that its body is not JSON', { method: 'POST', headers: json, body: '{' }, 400],
    ['that its type is not known', { method: 'POST', headers: { 'content-type': 'text/plain' }, body }, 415],
    ['that it wants what there is not', { method: 'POST', headers: { ...json, accept: 'image/png' }, body }, 406],
    ['that its method is not known', { method: 'PUT' }, 405],
  ])('may read %s', async (_what, request, status) => {
    const response = await fetch(open.url, { ...request, headers: { ...request.headers, origin } });

    expect(response.status).toBe(status);
    expect(response.headers.get('vary')).toContain('Origin');
    expect(corsHeaders(response.headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'etag, x-request-id, retry-after, idempotency-replayed, x-total-count, content-disposition',
    });
  });
});

test.each(['https://other.example', 'https://app.example.other.example', 'http://app.example', 'null'])(
  'a page of %s gets no CORS headers',
  async (other) => {
    const asked = await preflight(open.url, other);
    expect([asked.status, corsHeaders(asked.headers)]).toEqual([204, {}]);
    const answered = await fetch(open.url, { method: 'POST', headers: { ...json, origin: other }, body });
    expect([answered.status, corsHeaders(answered.headers)]).toEqual([200, {}]);
    expect(answered.headers.get('vary')).toContain('Origin');
  },
);

test('no CORS headers are sent without the setting', async () => {
  const asked = await preflight(closed.url, origin);
  expect([asked.status, corsHeaders(asked.headers)]).toEqual([204, {}]);
  const answered = await fetch(closed.url, { method: 'POST', headers: { ...json, origin }, body });
  expect([answered.status, corsHeaders(answered.headers)]).toEqual([200, {}]);
});

test('the setting refuses anything but origins', () => {
  expect(readConfig({ CORS_ORIGINS: '*' }).server.corsOrigins).toEqual(['*']);
  for (const CORS_ORIGINS of ['https://app.example/', 'app.example', 'https://*.example', 'null']) {
    expect(() => readConfig({ CORS_ORIGINS })).toThrow('CORS_ORIGINS: must be origins');
  }
});

const skipBrowser = noBrowser !== undefined && !process.env.CI;
if (skipBrowser) console.warn(`The browser test of CORS is skipped, ${noBrowser}`);

describe.skipIf(skipBrowser)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('only a page of a listed origin can read answers and refusals', async () => {
    const page = await browser.newPage();
    await page.goto(siteUrl);
    const ask = (url: string, body: string) =>
      page.evaluate(
        async ({ url, json, body }) => {
          try {
            const response = await fetch(url, { method: 'POST', headers: { ...json, 'idempotency-key': 'a' }, body });
            return [response.status, response.headers.has('x-request-id'), JSON.stringify(await response.json())];
          } catch (error) {
            return String(error);
          }
        },
        { url, json, body },
      );

    expect(await ask(open.url, body)).toEqual([200, true, '{"data":{"currencies":{"count":150}}}']);
    expect(await ask(open.url, ' '.repeat(2_000))).toEqual([413, true, expect.stringContaining('PAYLOAD_TOO_LARGE')]);
    expect(await ask(closed.url, body)).toBe('TypeError: Failed to fetch');
  });
});
