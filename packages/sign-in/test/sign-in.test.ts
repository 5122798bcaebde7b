import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Gateway, type GatewayOptions, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { RawConnection, rawPost, sendRaw } from '../../../test/support/raw-http.ts';
import { scrape } from '../../../test/support/scrape.ts';
import { createLogger } from '../../graphql-serve/watch/logger.ts';
import { missing, startCollector } from '../../telemetry/test/collector.ts';
import { startExporting } from '../../telemetry/test/exporting.ts';

const sandbox = { dialect: 'connect' } as const;
const abena = { username: 'abena@sankofa.example', password: 'sandbox' };
const wrongPassword = 'a-wrong-password-0451';
const login = '/auth/login/';

const gateway = await startGateway({ sandbox });
afterAll(() => gateway.close());

/** Posts to /sign-in. An object is sent as JSON. */
async function post({ url }: Pick<Gateway, 'url'>, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(new URL('/sign-in', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: /^\{/.test(text) ? JSON.parse(text) : text };
}

const codeOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.errors[0].extensions.code;

/** The farmers that the token shows are those of the cooperative. */
async function expectGood(token: string) {
  const document = '{ farmers { count } }';
  const { data } = await gateway.query(document, {}, { key: `Bearer ${token}` });
  expect(data).toEqual((await gateway.query(document, {}, { key: 'Bearer demo-coop' })).data);
}

describe('POST /sign-in', () => {
  test('gives a token for user name and password, and the next one for its refresh token', async () => {
    const first = await post(gateway, abena);

    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.body).toEqual({
      token: expect.any(String),
      refreshToken: expect.any(String),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      expiresIn: 300,
    });
    await expectGood(first.body.token);

    const next = await post(gateway, { refreshToken: first.body.refreshToken });

    expect(next.status).toBe(200);
    expect(next.body.token).not.toBe(first.body.token);
    await expectGood(next.body.token);
  });

  test('answers UNAUTHENTICATED for a wrong password or refresh token, and quotes neither', async () => {
    for (const body of [{ ...abena, password: wrongPassword }, { refreshToken: wrongPassword }]) {
      const answer = await post(gateway, body);

      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).not.toContain(wrongPassword);
      expect(answer.text).not.toContain(abena.username);
    }
  });

  test.each<[string, unknown, Record<string, string>, number, string]>([
    ['a body without credentials', { username: 'abena' }, {}, 400, 'BAD_REQUEST'],
    ['a password that is no text', { ...abena, password: 451 }, {}, 400, 'BAD_REQUEST'],
    ['a body that is no JSON', `{"password": ${wrongPassword}`, {}, 400, 'BAD_REQUEST'],
    ['a body in another encoding', new Blob([Buffer.from('{"password": "é"}', 'latin1')]), {}, 400, 'BAD_REQUEST'],
    [
      'a form',
      'username=abena',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a text', JSON.stringify(abena), { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a body in a coding', abena, { 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a long body', { ...abena, device: 'x'.repeat(20_000) }, {}, 413, 'PAYLOAD_TOO_LARGE'],
    ['a page of another site', abena, { 'sec-fetch-site': 'cross-site' }, 403, 'FORBIDDEN'],
  ])('refuses %s, and sends nothing', async (_what, body, headers, status, code) => {
    gateway.sandbox.clearCalls();

    const answer = await post(gateway, body, headers);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(answer.text).not.toContain(wrongPassword);
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test('names the place where a body is no JSON', async () => {
    const answer = await post(gateway, `{"username": "abena"\n"password": "${wrongPassword}"}`);
    expect(answer.body.errors).toMatchObject([{ message: 'Invalid JSON in the body (line 2 column 1).' }]);
  });

  test('waits for a body as long as for other JSON, and logs no fault of a client that leaves', async () => {
    const lines: string[] = [];
    const options = { settings: { 'limits.clients.bodyTimeoutMs': '200', LOG_LEVEL: 'warn' } };
    await using own = await startGateway({ sandbox, ...options, log: (line) => void lines.push(line) });
    const begun = `${rawPost('', { 'Content-Length': '100' }).replace('/graphql', '/sign-in')}{`;
    const leaving = new RawConnection(own.url);
    await leaving.send(begun);
    leaving.close();

    expect(await sendRaw(own.url, begun)).toMatchObject({ status: 408, headers: { connection: 'close' } });
    expect(lines).toEqual([]);
  });

  test('counts its attempts by outcome', async () => {
    await using own = await startGateway({ sandbox });
    const { body } = await post(own, abena);
    await post(own, { ...abena, password: wrongPassword });
    for (const refreshToken of [body.refreshToken, wrongPassword]) await post(own, { refreshToken });
    const attempts = await scrape(own.url, 'gateway_sign_ins_total');

    expect(attempts.map(({ labels, value }) => [labels.kind, labels.outcome, value])).toEqual([
      ['sign_in', 'success', 1],
      ['sign_in', 'UNAUTHENTICATED', 1],
      ['refresh', 'success', 1],
      ['refresh', 'UNAUTHENTICATED', 1],
    ]);
  });

  test('takes POST alone', async () => {
    const answer = await fetch(new URL('/sign-in', gateway.url));

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('lets pages of listed origins in', async () => {
    await using open = await startGateway({ sandbox, settings: { CORS_ORIGINS: 'https://app.example' } });
    const site = { 'sec-fetch-site': 'cross-site' };

    expect((await post(open, abena, { ...site, origin: 'https://app.example' })).status).toBe(200);
    expect((await post(open, abena, { ...site, origin: 'https://other.example' })).status).toBe(403);
  });

  test('is not there in a dialect whose services have no such endpoints', async () => {
    await using spec = await startGateway();

    expect((await post(spec, abena)).status).toBe(404);
  });

  test('says so where the service turns out to have none', async () => {
    await using faked = await startFakedGateway({}, { sandbox });
    faked.upstream.fail(login, { status: 404, body: '<h1>Not Found</h1>' });

    const answer = await post(faked, abena);

    expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('tokens', () => {
  test.each([{ exp: 1e15 }, { exp: 1_800_000_000_000 }, {}])(
    'come without a time where theirs is none: %j',
    async (claims) => {
      await using faked = await startFakedGateway({}, { sandbox });
      const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.b`;
      const body = JSON.stringify({ success: true, data: { access: token, refresh: 'r', expires_in: 1e300 } });
      faked.upstream.respond = ({ path }) => (path === login ? { body } : undefined);

      const answer = await post(faked, abena);

      expect([answer.status, answer.body]).toEqual([
        200,
        { token, refreshToken: 'r', expiresAt: null, expiresIn: null },
      ]);
    },
  );

  test('give their claims to the service with all digits', async () => {
    await using faked = await startFakedGateway({}, { sandbox });
    const claims = '{"session_data":{"entity_id":9007199254740993}}';
    await post(faked, { refreshToken: `a.${Buffer.from(claims).toString('base64url')}.b` });

    expect(faked.upstream.requests.at(-1)?.body).toContain('"entity":9007199254740993');
  });
});

describe('the service', () => {
  test.each<[string, object, string]>([
    ['is not available', { status: 503 }, 'UPSTREAM_UNAVAILABLE'],
    ['breaks off', { breaks: true }, 'UPSTREAM_UNAVAILABLE'],
    ['never answers', { stalls: true }, 'UPSTREAM_TIMEOUT'],
    ['answers no tokens', { body: '{}' }, 'UPSTREAM_INVALID_RESPONSE'],
    ['answers a long page', { body: 'x'.repeat(70_000) }, 'UPSTREAM_INVALID_RESPONSE'],
    ['has a long page in place of the endpoint', { status: 404, body: 'x'.repeat(70_000) }, 'NOT_FOUND'],
    ['gives no token to one more device', { body: '{"access":"","refresh":"","is_granted":false}' }, 'FORBIDDEN'],
    ['asks to slow down', { status: 429, headers: { 'retry-after': '60' } }, 'RATE_LIMITED'],
  ])('gets each attempt once: it %s', async (_how, fault, code) => {
    await using faked = await startFakedGateway(
      { 'retries.max': '2' },
      // A busy machine may be too slow for a short time, so it counts where no answer comes alone.
      { sandbox, file: 'stalls' in fault ? { upstream: { timeouts: { writeMs: 300 } } } : {} },
    );
    faked.upstream.fail(login, fault);

    const answer = await post(faked, abena);

    expect(codeOf(answer)).toBe(code);
    expect(answer.text).not.toContain(abena.password);
    expect(faked.upstream.calls).toEqual([`POST ${login}`]);
  });
});

describe('too many attempts', () => {
  test('by one user are refused before the service is asked, in whatever letters', async () => {
    await using own = await startGateway({ sandbox });
    const names = [abena.username, abena.username.toUpperCase()];
    let attempts = 0;
    let answer: Awaited<ReturnType<typeof post>>;
    do {
      own.sandbox.clearCalls();
      answer = await post(own, { username: names[attempts % 2], password: wrongPassword });
      attempts += 1;
    } while (answer.status === 401);

    expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMITED']);
    const { retry_after } = answer.body.errors[0].extensions;
    expect(retry_after).toBeGreaterThan(0);
    expect(answer.headers.get('retry-after')).toBe(String(retry_after));
    expect(own.sandbox.calls()).toEqual([]);
    // Each name would have had ten attempts.
    expect(attempts).toBeLessThan(20);
    expect((await post(own, { ...abena, username: 'maartje@noordzee.example' })).status).toBe(200);
  });

  test('from one address are refused, whatever names they have', async () => {
    await using own = await startGateway({ sandbox });
    const messages = new Set<string>();
    const tooMany = 'One address may sign in 300 times a minute. Nothing was sent to the service.';
    while (!messages.has(tooMany)) {
      const attempt = async () => {
        const { body } = await post(own, { username: crypto.randomUUID(), password: wrongPassword });
        messages.add(body.errors[0].message);
      };
      await Promise.all(Array.from({ length: 10 }, attempt));
    }

    expect(messages).toEqual(new Set([tooMany, 'The service does not accept this user name and password.']));
  });
});

describe('the mutations', () => {
  const signIn = `mutation ($username: String!, $password: Secret!) {
    signIn(username: $username, password: $password) { token refreshToken expiresAt expiresIn }
  }`;
  const refresh = 'mutation ($token: Secret!) { refreshToken(refreshToken: $token) { token } }';

  test('are off by default', async () => {
    const { errors } = await gateway.query('{ __type(name: "Secret") { name } }');
    expect(errors).toEqual([]);
    expect((await gateway.query(signIn, abena)).errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  describe('with SIGN_IN_MUTATIONS', async () => {
    const own = await startGateway({ sandbox, settings: { SIGN_IN_MUTATIONS: 'true' } });
    afterAll(() => own.close());

    test('give tokens as the route does, to clients without a key', async () => {
      const { data, errors } = await own.query(signIn, abena, { key: null });

      expect(errors).toEqual([]);
      expect(data.signIn).toMatchObject({ expiresIn: 300, expiresAt: expect.stringMatching(/Z$/) });
      await expectGood(data.signIn.token);
      const next = await own.query(refresh, { token: data.signIn.refreshToken }, { key: null });
      await expectGood(next.data.refreshToken.token);
    });

    test('answer UNAUTHENTICATED without a quote', async () => {
      const { errors } = await own.query(signIn, { ...abena, password: wrongPassword }, { key: null });

      expect(errors).toMatchObject([{ path: ['signIn'], extensions: { code: 'UNAUTHENTICATED' } }]);
      expect(JSON.stringify(errors)).not.toContain(wrongPassword);
    });

    test('take secrets in variables alone, and quote none that is wrong', async () => {
      const literal = `mutation { signIn(username: "abena", password: "${wrongPassword}") { token } }`;
      const withDefault = `mutation ($p: Secret! = "${wrongPassword}") { signIn(username: "a", password: $p) { token } }`;
      for (const document of [literal, withDefault]) {
        const { errors, calls } = await own.query(document, {}, { key: null });
        expect(errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
        expect(JSON.stringify(errors)).not.toContain(wrongPassword);
        expect(calls).toEqual([]);
      }
      const { errors } = await own.query(signIn, { ...abena, password: [wrongPassword] }, { key: null });
      expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
      expect(JSON.stringify(errors)).not.toContain(wrongPassword);
    });

    test('share the bounds of the route', async () => {
      const credentials = { username: 'theogene@sankofa.example', password: wrongPassword };
      let attempts = 0;
      let code: unknown = 'UNAUTHENTICATED';
      for (; code === 'UNAUTHENTICATED'; attempts += 1) {
        const isRoute = attempts % 2 === 0;
        code = isRoute
          ? codeOf(await post(own, credentials))
          : (await own.query(signIn, credentials, { key: null })).errors[0]?.extensions.code;
      }

      expect(code).toBe('RATE_LIMITED');
      expect(attempts).toBeLessThan(20);
    });
  });
});

describe(`no output of the gateway has a secret${missing}`, () => {
  test('whether an attempt succeeds, fails, or meets a service that is down', async () => {
    await using collector = missing ? undefined : await startCollector();
    const folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
    const records = join(folder, 'records.db');
    const lines: string[] = [];
    const output = { write: (line: string) => void lines.push(line) };
    const options: GatewayOptions = {
      sandbox,
      settings: { SIGN_IN_MUTATIONS: 'true', IDEMPOTENCY_FILE: records, LOG_LEVEL: 'trace' },
      file: { graphql: { countedElements: 'all' } },
      log: output.write,
      accessLogger: createLogger({ level: 'info' }, output, 'authorization'),
    };
    const own = collector ? await startExporting(collector, {}, options) : await startGateway(options);
    const document = `mutation ($username: String!, $password: Secret!) {
      signIn(username: $username, password: $password) { token refreshToken }
    }`;
    const headers = { 'idempotency-key': crypto.randomUUID(), 'x-trace-upstream': 'true' };
    const given: { token: string; refreshToken: string }[] = [];

    given.push((await post(own, abena)).body);
    const signedIn = await own.query(document, abena, { headers, key: 'Bearer demo-coop' });
    given.push(signedIn.data.signIn);
    given.push((await post(own, { refreshToken: given[0]?.refreshToken })).body);
    await post(own, { ...abena, password: wrongPassword });
    await own.query(document, { ...abena, password: wrongPassword });
    own.sandbox.disconnect();
    await post(own, { ...abena, password: wrongPassword });
    const metrics = await (await fetch(new URL('/metrics', own.url))).text();
    await own.close();

    const secrets = [
      wrongPassword,
      abena.username,
      ...given.flatMap(({ token, refreshToken }) => [token, refreshToken]),
    ];
    expect(secrets).toHaveLength(8);
    const outputs = {
      lines: lines.join(''),
      metrics,
      exports: JSON.stringify([collector?.spans ?? [], collector?.metrics ?? []], (_name, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
      records: (await readdir(folder)).map((file) => readFileSync(join(folder, file), 'latin1')).join(''),
      trace: JSON.stringify(signedIn.extensions),
    };
    expect(outputs.lines).not.toBe('');
    expect(outputs.records).toContain('SQLite');
    expect(outputs.lines).toContain('"kind":"mutation"');
    if (collector) expect(outputs.exports).toContain('mutation');
    for (const [name, text] of Object.entries(outputs)) {
      expect([name, secrets.filter((secret) => text.includes(secret))]).toEqual([name, []]);
    }
    await rm(folder, { recursive: true });
  });
});
