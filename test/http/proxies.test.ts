import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { around, head, operationOf, pdf } from '../../bench/lib/upload-form.ts';
import { readAnswer } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { hasProxy, proxyNames, type RunningProxy, startProxy } from '../support/proxies.ts';
import { RawConnection, sendRaw } from '../support/raw-http.ts';

const accept = 'application/graphql-response+json';
const partial = '{ __typename farmer(id: "NOSUCHIDXX") { id } }';

describe.each(proxyNames)('%s with its file in deploy/', (name) => {
  const skip = !hasProxy(name);
  if (skip) console.warn(`The tests of ${name} are skipped: it is not installed.`);

  describe.skipIf(skip)('before the gateway', () => {
    let gateway: FakedGateway;
    let proxy: RunningProxy;
    beforeAll(async () => {
      gateway = await startFakedGateway();
      proxy = await startProxy(name, gateway.url);
    });
    afterAll(async () => {
      await proxy[Symbol.asyncDispose]();
      await gateway.close();
    });

    test.each<[number, string, object]>([
      [200, 'OK', { query: '{ farmers(limit: 3) { results { id name } } }' }],
      [294, 'Partial Success', { query: partial }],
      [400, 'Bad Request', { query: '{' }],
      [422, 'Unprocessable Entity', { query: '{ shoe_size }' }],
    ])('passes a %i with its phrase, headers and body', async (status, phrase, body) => {
      const headers = { accept, 'x-request-id': 'order-7', origin: 'https://app.example' };
      const [direct, passed] = await Promise.all([gateway.post(body, { headers }), proxy.post(body, { headers })]);

      expect([passed.status, passed.statusText]).toEqual([status, phrase]);
      expect(await passed.text()).toEqual(await direct.text());
      const ofConnection = new Set(['date', 'server', 'connection', 'keep-alive', 'transfer-encoding']);
      const shown = ({ headers: all }: Response) => [...all].filter(([header]) => !ofConnection.has(header));
      expect(shown(passed)).toEqual(shown(direct));
    });

    test('passes a long 294 in the coding of the gateway', async () => {
      const query = `{ farmers(limit: 200) { results { id name } } farmer(id: "NOSUCHIDXX") { id } }`;
      for (const coding of ['br', 'gzip']) {
        const answer = await proxy.post(query, { headers: { accept, 'accept-encoding': coding } });
        expect([answer.status, answer.headers.get('content-encoding')]).toEqual([294, coding]);
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
        expect((await readAnswer(answer)).body.data.farmers.results).toHaveLength(200);
      }
    });

    test.each(['GET', 'QUERY'])('passes a read by %s with its ETag, and then a 304', async (method) => {
      const query = '{ farmers(limit: 20) { results { id name } } }';
      const read = (known: Record<string, string> = {}) =>
        proxy.send({
          method,
          path: method === 'GET' ? `?${new URLSearchParams({ query })}` : '',
          headers: { 'content-type': 'application/json', 'apollo-require-preflight': 'true', ...known },
          ...(method === 'QUERY' && { body: JSON.stringify({ query }) }),
        });
      for (const coding of ['identity', 'br']) {
        const answer = await read({ 'accept-encoding': coding });
        expect((await readAnswer(answer)).body.data.farmers.results).toHaveLength(20);
        const known = { 'accept-encoding': coding, 'if-none-match': answer.headers.get('etag')! };
        const same = await read(known);
        expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, known['if-none-match'], '']);
      }
    });

    test('keeps the metrics from clients, however they spell the path', async () => {
      const targets = ['/metrics', '/metrics?a', '/%6Detrics', '/%6d%65trics?', 'http://a/metrics', '//metrics'];
      for (const target of targets) {
        const answer = await sendRaw(proxy.url, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
        expect(answer?.status).toBe(404);
        expect(answer?.body).not.toContain('gateway_');
      }
      expect((await proxy.send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
    });

    test('passes a request in gzip', async () => {
      const headers = { accept, 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const answer = await proxy.send({
        headers,
        body: gzipSync(JSON.stringify({ query: partial })) as Uint8Array<ArrayBuffer>,
      });
      expect(answer.status).toBe(294);
    });

    test('passes the refusal of a body that is too large', async () => {
      const answer = await readAnswer(await proxy.post({ query: '{ __typename }', padding: ' '.repeat(1_000_000) }));
      expect(answer).toMatchObject({ status: 413, body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] } });
    });

    test('passes the rows of a file as they come, and ends its reads when the client leaves', async () => {
      const query = '{ farmers { results { id name } } }';
      const headers = { accept: 'application/jsonl', 'accept-encoding': 'gzip' };
      const answer = await proxy.post(query, { headers });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      const lines = (await answer.text()).trim().split('\n');
      expect(JSON.parse(lines.at(-1)!)).toEqual({ $end: { rows: 240, errors: 0, complete: true, cursor: null } });

      gateway.upstream.clear();
      gateway.upstream.respond = ({ path }) => (path.includes('offset=200') ? { stalls: true } : undefined);
      const client = new AbortController();
      const cut = await proxy.post(query, { headers, signal: client.signal });
      expect(cut.headers.get('x-total-count')).toBe('240');
      // The rows of the first window come while the service holds back the next ones.
      let text = '';
      const rows = cut.body!.pipeThrough(new TextDecoderStream()).getReader();
      while (!text.includes('"$cursor"')) text += (await rows.read()).value;
      expect(text.trim().split('\n')).toHaveLength(201);
      await gateway.upstream.untilArrived(3);
      client.abort();
      await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
      gateway.upstream.respond = undefined;
    });

    test('streams an upload', async () => {
      gateway.upstream.clear();
      const { data } = await gateway.query('{ paymentTransactions(limit: 1) { results { id } } }');
      const { before, after } = around(operationOf(data.paymentTransactions.results[0].id), 'invoice.pdf');
      const half = pdf(200_000);
      const connection = new RawConnection(proxy.url);
      await connection.send(head(before.length + 2 * half.length + after.length));
      await connection.send(Buffer.concat([before, half]));
      // The service has half of the file while the client has the other half.
      await expect.poll(() => gateway.upstream.requests.at(-1)?.body.length).toBeGreaterThan(100_000);
      await connection.send(Buffer.concat([half, after]));
      const answer = await connection.answer();
      connection.close();

      expect(answer?.status).toBe(200);
      expect(JSON.parse(answer!.body).errors).toBeUndefined();
    });
  });

  test.skipIf(skip)('keeps its connections to the gateway', async () => {
    await using upstream = await startFakeUpstream({ respond: () => ({ body: '{}' }) });
    await using proxy = await startProxy(name, upstream.url);
    for (let request = 0; request < 10; request++) await (await proxy.post('{ __typename }')).text();

    const posts = upstream.requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(10);
    expect(new Set(posts.map(({ socket }) => socket)).size).toBeLessThanOrEqual(2);
  });

  test.skipIf(skip)('sends a POST once, although its connection breaks off', async () => {
    await using upstream = await startFakeUpstream({
      respond: ({ method }) => (method === 'POST' ? { breaks: true } : { body: '{}' }),
    });
    await using proxy = await startProxy(name, upstream.url);

    expect((await proxy.post('mutation { __typename }')).status).toBe(502);
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
