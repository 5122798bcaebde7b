import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { startGateway } from '../support/harness.ts';

/** A certificate that no authority has signed. */
function selfSigned() {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'certificate-'));
  const at = (name: string) => join(folder.path, name);
  const made = [
    '-keyout',
    at('key'),
    '-out',
    at('cert'),
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
  ];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', ...made],
    {
      stdio: 'ignore',
    },
  );
  return { key: readFileSync(at('key')), cert: readFileSync(at('cert')) };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const places: [what: string, url: () => Promise<string>, reason: string, code: RegExp][] = [
  ['a closed port', async () => 'http://127.0.0.1:1/v1', 'nothing listens there', /^ECONNREFUSED$/],
  ['an unknown name', async () => 'http://service.invalid/v1', 'its name has no address', /^(ENOTFOUND|EAI_AGAIN)$/],
  [
    'a certificate of its own',
    async () => `https://localhost:${await portOf(createSecureServer(selfSigned()))}/v1`,
    'NODE_EXTRA_CA_CERTS adds one',
    /SELF_SIGNED/,
  ],
  [
    'https where it speaks http',
    async () => `https://localhost:${await portOf(createServer())}/v1`,
    'UPSTREAM_URL may need http',
    /SSL|EPROTO/,
  ],
  [
    'http where it speaks https',
    async () => `http://localhost:${await portOf(createSecureServer(selfSigned()))}/v1`,
    'UPSTREAM_URL may need https',
    /./,
  ],
];

test.each(places)('the log says once why a service cannot be reached: %s', async (_what, urlOf, reason, code) => {
  const lines: string[] = [];
  const upstreamUrl = (await urlOf()).replace('://', '://user:secret@');
  const settings = { LOG_LEVEL: 'warn' };
  await using gateway = await startGateway({ upstreamUrl, settings, log: (line) => lines.push(line) });

  for (let time = 0; time < 3; time++) {
    const { body } = await gateway.ask('{ farmer(id: "F1") { first_name } }');
    expect(codesOf(body)).toEqual(['UPSTREAM_UNAVAILABLE']);
  }
  const logged = lines.filter((line) => line.includes('The service cannot be reached'));
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0]!)).toMatchObject({
    err: { code: expect.stringMatching(code) },
    msg: expect.stringContaining(reason),
  });
  expect(lines.join()).not.toMatch(/secret|user:|\/v1|demo-coop/);
});

test('a service that breaks connections off now and then is not logged as out of reach', async () => {
  let answers = true;
  const server = createServer((request, response) => {
    if (answers) response.setHeader('content-type', 'application/json').end('{"id":"F1","first_name":"Ada"}');
    else request.socket.destroy();
  });
  const lines: string[] = [];
  const upstreamUrl = `http://127.0.0.1:${await portOf(server)}/v1`;
  await using gateway = await startGateway({
    upstreamUrl,
    settings: { LOG_LEVEL: 'warn' },
    log: (line) => lines.push(line),
  });
  expect((await gateway.ask('{ farmer(id: "F1") { first_name } }')).body.data).toEqual({
    farmer: { first_name: 'Ada' },
  });
  answers = false;
  const { body } = await gateway.ask('{ farmer(id: "F1") { first_name } }');
  expect(codesOf(body)).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(lines.filter((line) => line.includes('cannot be reached'))).toEqual([]);
});
