import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { around, head, operationOf } from '../../bench/lib/upload-form.ts';
import { type Client, clientOf, readAnswer } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { freePort } from '../support/free-port.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { RawConnection } from '../support/raw-http.ts';

const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

/** Writes what the program runs with into a folder, and gives its arguments. */
const proxies: Record<string, (folder: string, configure: (text: string) => string) => string[]> = {
  nginx(folder, configure) {
    writeFileSync(join(folder, 'gateway.conf'), configure(deployed('nginx.conf')));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    );
    const lines = [
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}`,
      `http { access_log off; ${temporary.join(' ')} include ${folder}/gateway.conf; }`,
    ];
    writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
    return ['-p', folder, '-c', join(folder, 'nginx.conf')];
  },
  haproxy(folder, configure) {
    writeFileSync(join(folder, 'haproxy.cfg'), configure(deployed('haproxy.cfg')));
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
};

interface Proxy extends Client, AsyncDisposable {
  url: string;
}

/** Starts a proxy with its file in deploy/, before the server at this address. */
async function startProxy(name: string, gatewayUrl: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const configure = (text: string) =>
    text
      .replace('127.0.0.1:4000', new URL(gatewayUrl).host.replace('localhost', '127.0.0.1'))
      .replace(/(listen |bind :)8080/, (_, before: string) => `${before.replace(':', '127.0.0.1:')}${port}`);
  const child = spawn(name, proxies[name]!(folder, configure), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  while (!(await listens(port))) if (child.exitCode !== null) throw new Error(`${name} has ended: ${said}`);
  const url = `http://127.0.0.1:${port}/graphql`;
  return {
    url,
    ...clientOf(url),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [answered] = await Promise.race([once(socket, 'connect').then(() => [true]), once(socket, 'close')]).catch(
    () => [false],
  );
  socket.destroy();
  if (answered !== true) await new Promise((resolve) => setTimeout(resolve, 20));
  return answered === true;
}

const isInstalled = (name: string) => spawnSync(name, ['-v']).status === 0;
const accept = 'application/graphql-response+json';
const partial = '{ __typename farmer(id: "NOSUCHIDXX") { id } }';

describe.each(Object.keys(proxies))('%s with its file in deploy/', (name) => {
  const skip = !isInstalled(name);
  if (skip) console.warn(`The tests of ${name} are skipped: it is not installed.`);

  describe.skipIf(skip)('before the gateway', () => {
    let gateway: FakedGateway;
    let proxy: Proxy;
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

    test('passes a list as a file, and ends its reads when the client leaves', async () => {
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
      await cut.body!.getReader().read();
      await gateway.upstream.untilArrived(3);
      client.abort();
      await expect.poll(() => gateway.upstream.abandoned, { timeout: 10_000 }).toHaveLength(1);
      gateway.upstream.respond = undefined;
    });

    test('streams an upload', async () => {
      gateway.upstream.clear();
      const { data } = await gateway.query('{ paymentTransactions(limit: 1) { results { id } } }');
      const { before, after } = around(operationOf(data.paymentTransactions.results[0].id), 'invoice.pdf');
      const half = Buffer.alloc(200_000, 'a');
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
