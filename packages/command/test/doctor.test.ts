import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checksOf } from '../../../src/commands/checks.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { hasRedis, startRedis } from '../../../test/support/redis-server.ts';
import { bearerOf, people } from '../../../test/support/tokens.ts';
import { runChecks } from '../checks.ts';
import { checkNode } from '../machine.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
let gateway: Gateway;
const servers: Server[] = [];
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

interface Finding {
  mark: string;
  found: string;
  advice: string | undefined;
}

interface Findings {
  code: number;
  findings: Record<string, Finding>;
}

const environmentOf = (env: Record<string, string>) => ({
  IDEMPOTENCY_FILE: join(folder, 'records.db'),
  SANDBOX_DATA: folder,
  ...env,
});

/** The findings of the doctor in this process. */
async function doctor(env: Record<string, string>): Promise<Findings> {
  let printed = '';
  const isWell = await runChecks(checksOf(environmentOf(env)), (text) => {
    printed += text;
  });
  return { code: isWell ? 0 : 1, findings: findingsIn(printed) };
}

/** The same of `npm run -s doctor`. */
function doctorCommand(env: Record<string, string>): Promise<Findings> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const own = { PATH, NODE_COMPILE_CACHE, ...environmentOf(env) };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['src/commands/doctor.ts'], { cwd: root, env: own }, (error, stdout, stderr) => {
      if (stderr !== '') return reject(new Error(stderr));
      resolve({ code: Number(error?.code ?? 0), findings: findingsIn(stdout) });
    });
  });
}

/** The findings by the names of their checks. */
function findingsIn(printed: string): Record<string, Finding> {
  const findings: Record<string, Finding> = {};
  for (const [, mark = '', name = '', found = '', advice] of printed.matchAll(
    /^([✓!✗–]) (\S+(?: \S+)*) {2,}(.*(?:\n {2}(?! *→).*)*)\n(?: +→ (.*)\n)?/gm,
  )) {
    findings[name] = { mark, found, advice };
  }
  return findings;
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const service = () => ({ UPSTREAM_URL: gateway.sandbox.url });

test('finds a good service, its dialect, and folders that take files', async () => {
  const { code, findings } = await doctorCommand({ ...service(), KEY: 'demo-coop' });
  expect(code).toBe(0);
  expect(Object.entries(findings).map(([name, { mark }]) => `${mark} ${name}`)).toEqual([
    '✓ Node',
    '✓ URL',
    '– certificate',
    '✓ clock',
    '✓ key and dialect',
    '– Redis',
    '✓ records',
    '✓ uploads',
  ]);
  expect(findings['key and dialect']!.found).toBe('The key is accepted; the service speaks spec.');
});

test('warns of a folder with less room than the settings let the gateway take', async () => {
  const file = join(folder, 'much.yaml');
  writeFileSync(file, `{ limits: { uploads: { spooledBytes: ${2 ** 52} } } }`);
  const { code, findings } = await doctor({ ...service(), CONFIG: file });
  expect(code).toBe(0);
  expect(findings.uploads).toMatchObject({
    mark: '!',
    found: expect.stringMatching(/ takes files, with [\d.]+ [GM]iB left$/),
    advice: 'Make room: files without a length may take 4194304.0 GiB.',
  });
});

test('warns of a claim that the token of the key lacks', async () => {
  const settings = { ...service(), KEY: bearerOf(people.abena), ME_CLAIM: 'user_id' };
  const asked = async (claims: string) =>
    (await doctor({ ...settings, CALLER_CLAIMS: claims })).findings['key and dialect'];
  expect(await asked('user_id,session_data.entity_id')).toMatchObject({ mark: '✓' });
  expect(await asked('user_id,session_data.entity')).toMatchObject({
    mark: '!',
    found: 'The key is accepted, and lacks the claim session_data.entity.',
    advice: expect.stringContaining('CALLER_CLAIMS'),
  });
});

test('names the dialect of a real deployment', async () => {
  await using connect = await startGateway({ sandbox: { dialect: 'connect' } });
  const { findings } = await doctor({ UPSTREAM_URL: connect.sandbox.url, KEY: 'Bearer demo-coop' });
  expect(findings['key and dialect']!.found).toBe('The key is accepted; the service speaks connect.');
});

describe('says what to do about', () => {
  test.each<[string, () => Record<string, string>, string, string, string]>([
    [
      'a setting that cannot be used',
      () => ({ PORT: '99999' }),
      'settings',
      'PORT: must be at most 65535',
      'docs/configuration.md',
    ],
    [
      'a URL without a version',
      () => ({ UPSTREAM_URL: 'http://127.0.0.1/connect' }),
      'URL',
      'has no version at its end',
      'https://service.example/connect/v1',
    ],
    [
      'a name without an address',
      () => ({ UPSTREAM_URL: 'http://nowhere.invalid/v1' }),
      'URL',
      'nowhere.invalid has no address',
      'Correct the name',
    ],
    [
      'a closed port',
      () => ({ UPSTREAM_URL: 'http://127.0.0.1:1/v1' }),
      'URL',
      'does not answer: ECONNREFUSED',
      'Is the service running',
    ],
    [
      'a key that is refused',
      () => ({ ...service(), KEY: 'nobody' }),
      'key and dialect',
      'does not accept the Authorization header',
      'Use a key of this service',
    ],
    [
      'a Redis that is down',
      () => ({ ...service(), REDIS_URL: 'redis://127.0.0.1:1' }),
      'Redis',
      'Redis does not answer',
      'Is Redis running',
    ],
    [
      'a folder that takes no files',
      () => ({ ...service(), IDEMPOTENCY_FILE: '/dev/null/records.db' }),
      'records',
      '/dev/null takes no files',
      'IDEMPOTENCY_FILE',
    ],
    [
      'a folder that Node never makes',
      () => ({ ...service(), IDEMPOTENCY_FILE: '/proc/gateway/records.db' }),
      'records',
      '/proc/gateway takes no files',
      'IDEMPOTENCY_FILE',
    ],
  ])('%s', async (_, env, name, found, advice) => {
    const { code, findings } = await doctor(env());
    expect(findings[name]).toEqual({
      mark: '✗',
      found: expect.stringContaining(found),
      advice: expect.stringContaining(advice),
    });
    expect(code).toBe(1);
  });

  test.skipIf(!hasRedis)('a Redis that may lose records', async () => {
    const redis = await startRedis(undefined, ['--dir', folder, '--appendonly', 'yes']);
    onTestFinished(() => redis.close());
    const asked = async (setting?: [name: string, value: string]) => {
      if (setting) redis.command('CONFIG', 'SET', ...setting);
      return (await doctor({ ...service(), REDIS_URL: redis.url })).findings.Redis;
    };
    expect(await asked()).toMatchObject({ mark: '✓' });
    expect(await asked(['appendonly', 'no'])).toMatchObject({
      mark: '!',
      advice: expect.stringContaining('appendonly yes'),
    });
    expect(await asked(['maxmemory-policy', 'allkeys-lru'])).toMatchObject({
      mark: '✗',
      found: expect.stringContaining('gateways refuse writes with a key'),
      advice: expect.stringContaining('noeviction'),
    });
  });

  test('a clock that is wrong', async () => {
    const port = await listening(
      createServer({}, ((_request, response) =>
        response.setHeader('date', new Date(Date.now() - 600_000).toUTCString()).end()) satisfies RequestListener),
    );
    const { findings } = await doctor({ UPSTREAM_URL: `http://127.0.0.1:${port}/v1` });
    expect(findings.clock).toMatchObject({ mark: '✗', advice: expect.stringContaining('NTP') });
    expect(findings.clock!.found).toMatch(/^The service is (599|60[01]) s behind\.$/);
  });

  test('an old Node', () => {
    expect(checkNode('20.11.0')).toMatchObject({ state: 'failed', advice: expect.stringContaining('npx -p node@24') });
  });

  describe('a certificate that', () => {
    /** Signs a certificate for the name by itself, for two days. */
    function certificateFor(name: string) {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
      const made = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
      ];
      execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
      return { key, cert };
    }

    const read = ({ key, cert }: { key: string; cert: string }) => ({
      key: readFileSync(key),
      cert: readFileSync(cert),
    });
    const answer: RequestListener = (_request, response) => response.end();

    test('is not trusted, is for another name, or ends soon, at an address with certificates for two names', async () => {
      const [own, other] = [certificateFor('localhost'), certificateFor('other.example')];
      const port = await listening(
        createTlsServer(
          {
            ...read(other),
            SNICallback: (name, done) => done(null, name === 'localhost' ? createSecureContext(read(own)) : undefined),
          },
          answer,
        ),
      );
      const addressOf = (host: string) => ({ UPSTREAM_URL: `https://${host}:${port}/v1` });
      // Node reads NODE_EXTRA_CA_CERTS when it starts.
      const trusted = join(folder, 'trusted.pem');
      writeFileSync(trusted, `${read(own).cert}${read(other).cert}`);
      const checkTrusting = (host: string) =>
        doctorCommand({ ...addressOf(host), KEY: 'Bearer unknown', NODE_EXTRA_CA_CERTS: trusted });

      const { URL: url, certificate } = (await doctor(addressOf('localhost'))).findings;
      expect(url).toEqual({
        mark: '✗',
        found: `https://localhost:${port}/v1 has a certificate that this machine refuses`,
        advice: 'See the next check.',
      });
      expect(certificate).toMatchObject({ mark: '✗', advice: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
      const misnamed = await checkTrusting('127.0.0.1');
      expect(misnamed.findings.certificate).toMatchObject({
        mark: '✗',
        found: expect.stringContaining('another name'),
      });
      expect(misnamed.code).toBe(1);
      expect((await checkTrusting('localhost')).findings.certificate).toEqual({
        mark: '!',
        found: 'localhost, 1 days left',
        advice: 'Renew the certificate of the service.',
      });
    });

    test('is not there, because the port speaks http', async () => {
      const port = await listening(createServer({}, answer));
      const { URL: url, certificate } = (await doctor({ UPSTREAM_URL: `https://127.0.0.1:${port}/v1` })).findings;
      expect(url!.found).toBe(`https://127.0.0.1:${port}/v1 does not answer: EPROTO`);
      expect(certificate).toEqual({
        mark: '✗',
        found: 'There is no TLS connection: ERR_SSL_WRONG_VERSION_NUMBER',
        advice: 'Does the port speak TLS, or does the URL need http?',
      });
    });

    test('has ended', async () => {
      const { key, cert } = certificateFor('ended');
      execFileSync('openssl', ['x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert], { stdio: 'ignore' });
      const port = await listening(createTlsServer(read({ key, cert }), answer));

      const { findings, code } = await doctor({ UPSTREAM_URL: `https://127.0.0.1:${port}/v1` });
      const { validFrom, validTo } = new X509Certificate(readFileSync(cert));
      expect(findings.certificate).toEqual({
        mark: '✗',
        found: `This certificate, or one of its authorities, is not valid now: ${validFrom} to ${validTo}.`,
        advice: 'Renew the certificate of the service, or set the clock of this machine.',
      });
      expect(code).toBe(1);
    });
  });
});
