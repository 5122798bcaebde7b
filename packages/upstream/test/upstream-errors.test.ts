import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import { type FakeUpstream, httpAnswer, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { errorFromAnswer } from '../errors.ts';
import type { Upstream } from '../upstream.ts';
import { startRead, startWrite, upstreamOf } from './upstream.ts';

type Asked = Partial<Parameters<typeof errorFromAnswer>[3]>;

const errorOf = (status: number, body: unknown, retryAfter?: string, asked: Asked = {}) =>
  errorFromAnswer(status, body, retryAfter, { contract: serviceContract, ...asked });

const failure = (code: number, message: unknown) => ({ success: false, message, detail: '', code, data: {} });
const html = undefined;

describe('an error answer of the service', () => {
  test.each<[number, unknown, string]>([
    [400, failure(400, { detail: 'JSON parse error - Expecting value' }), 'BAD_USER_INPUT'],
    [400, html, 'BAD_USER_INPUT'],
    [422, { name: ['Too short.'] }, 'BAD_USER_INPUT'],
    [401, { detail: 'Authentication credentials were not provided.' }, 'UNAUTHENTICATED'],
    [401, html, 'UNAUTHENTICATED'],
    [403, failure(403, { detail: 'Authentication credentials were not provided.' }), 'UNAUTHENTICATED'],
    [
      403,
      failure(403, {
        detail: 'Given token not valid for any token type',
        code: 'token_not_valid',
        messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is invalid or expired' }],
      }),
      'UNAUTHENTICATED',
    ],
    [403, failure(403, { detail: 'Any words', code: 'bad_authorization_header' }), 'UNAUTHENTICATED'],
    [403, failure(403, { detail: 'User not found', code: 'user_not_found' }), 'UNAUTHENTICATED'],
    [403, failure(403, { detail: 'User is inactive', code: 'user_inactive' }), 'UNAUTHENTICATED'],
    [403, failure(403, { detail: 'Device deactivated login again.' }), 'UNAUTHENTICATED'],
    [403, failure(403, { detail: 'You do not have permission to perform this action.' }), 'FORBIDDEN'],
    [403, { detail: 'You do not have permission to perform this action.' }, 'FORBIDDEN'],
    [403, html, 'FORBIDDEN'],
    [404, failure(404, { detail: 'Not found.' }), 'NOT_FOUND'],
    [404, html, 'NOT_FOUND'],
    [405, failure(405, { detail: 'Method "PUT" not allowed.' }), 'UPSTREAM_ERROR'],
    [406, failure(406, { detail: 'Could not satisfy the request Accept header.' }), 'UPSTREAM_ERROR'],
    [409, failure(409, { detail: 'Conflict.' }), 'CONFLICT'],
    [413, html, 'PAYLOAD_TOO_LARGE'],
    [415, failure(415, { detail: 'Unsupported media type "text/plain" in request.' }), 'UNSUPPORTED_MEDIA_TYPE'],
    [429, failure(429, { detail: 'Request was throttled.' }), 'RATE_LIMITED'],
    [418, { detail: 'A teapot.' }, 'UPSTREAM_ERROR'],
    [500, html, 'UPSTREAM_ERROR'],
    [500, { detail: 'secret stack' }, 'UPSTREAM_ERROR'],
    [502, html, 'UPSTREAM_UNAVAILABLE'],
    [503, html, 'UPSTREAM_UNAVAILABLE'],
    [504, html, 'UPSTREAM_TIMEOUT'],
    [301, html, 'UPSTREAM_INVALID_RESPONSE'],
    [302, { detail: 'Elsewhere.' }, 'UPSTREAM_INVALID_RESPONSE'],
    [304, html, 'UPSTREAM_INVALID_RESPONSE'],
  ])('with status %i and body %j becomes %s', (status, body, code) => {
    expect(errorOf(status, body, undefined)).toMatchObject({ code, status });
  });

  test.each([
    [502, undefined, 'OUTCOME_UNKNOWN'],
    [503, undefined, 'OUTCOME_UNKNOWN'],
    [503, '5', 'UPSTREAM_UNAVAILABLE'],
    [504, undefined, 'OUTCOME_UNKNOWN'],
    [500, undefined, 'OUTCOME_UNKNOWN'],
    [501, undefined, 'UPSTREAM_ERROR'],
    [505, undefined, 'UPSTREAM_ERROR'],
    [507, undefined, 'OUTCOME_UNKNOWN'],
    [511, undefined, 'UPSTREAM_ERROR'],
    [524, undefined, 'OUTCOME_UNKNOWN'],
  ])('with status %i to a write, and Retry-After %s, becomes %s', (status, later, code) => {
    expect(errorOf(status, html, later, { isWrite: true })).toMatchObject({ code, status });
  });

  test.each<[unknown, { path: (string | number)[]; message: string }[]]>([
    [
      { first_name: ['This field may not be blank.'], email: ['Enter a valid email address.'] },
      [
        { path: ['first_name'], message: 'This field may not be blank.' },
        { path: ['email'], message: 'Enter a valid email address.' },
      ],
    ],
    [{ name: 'This field is required.' }, [{ path: ['name'], message: 'This field is required.' }]],
    [
      { fields: [{ type: ['This field is required.'] }, {}, { label: ['A.', 'B.'] }] },
      [
        { path: ['fields', 0, 'type'], message: 'This field is required.' },
        { path: ['fields', 2, 'label'], message: 'A.' },
        { path: ['fields', 2, 'label'], message: 'B.' },
      ],
    ],
    [{ card: { non_field_errors: ['Invalid data.'] } }, [{ path: ['card'], message: 'Invalid data.' }]],
    [
      { submissions: [{ values: [{ field: ['Unknown.'] }, {}], form: ['Unknown form.'] }] },
      [
        { path: ['submissions', 0, 'values', 0, 'field'], message: 'Unknown.' },
        { path: ['submissions', 0, 'form'], message: 'Unknown form.' },
      ],
    ],
    [
      { non_field_errors: ['The fields company, user must make a unique set.'] },
      [{ path: [], message: 'The fields company, user must make a unique set.' }],
    ],
    [
      ["Either 'display_id' or 'card_id' must be provided."],
      [{ path: [], message: "Either 'display_id' or 'card_id' must be provided." }],
    ],
  ])('with messages %j becomes errors by field', (messages, fields) => {
    for (const body of [messages, failure(400, messages)]) {
      expect(errorOf(400, body, undefined).fields).toEqual(fields);
    }
  });

  test('with a message on the whole body shows it in the error', () => {
    const { message } = errorOf(400, failure(400, { non_field_errors: ['Members are unique.'] }), undefined);
    expect(message).toContain('Members are unique.');
  });

  test.each<[number, unknown, string, object | undefined]>([
    [
      403,
      { detail: 'Ask the owner of the company.' },
      'The key may not do this. Ask the owner of the company.',
      undefined,
    ],
    [403, { detail: 'Traceback (most recent call last):' }, 'The key may not do this.', undefined],
    [403, html, 'The key may not do this.', undefined],
    [409, ['In use.'], 'The write contradicts what the service holds. In use.', undefined],
    [
      409,
      { email: ['In use.'] },
      'The write contradicts what the service holds (email).',
      [{ path: ['email'], message: 'In use.' }],
    ],
    [404, { detail: 'Gone.' }, 'The service knows no such resource, or does not show it to this key.', undefined],
  ])('with status %i and body %j says %j', (status, body, message, fields) => {
    expect(errorOf(status, body)).toMatchObject({ message, fields });
  });

  test('never shows whole bodies, stacks or endless lists', () => {
    expect(errorOf(500, { detail: 'secret stack' }, undefined).message).not.toContain('secret');
    expect(errorOf(400, 'x'.repeat(10_000), undefined).message.length).toBeLessThan(1000);
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, ['Wrong.']]));
    expect(errorOf(400, many, undefined).fields?.length).toBeLessThanOrEqual(100);
    let deep: unknown = ['Wrong.'];
    for (let level = 0; level < 10_000; level++) deep = { deeper: deep };
    expect(errorOf(400, deep, undefined).code).toBe('BAD_USER_INPUT');
  });

  test.each([
    'Not found at http://traceability.internal/v1/farmers/',
    'connect to 10.0.0.7 failed',
    'upstream db:5432 is down',
    'No host fe80:0:0:1::7.',
    'See farmers.service.consul',
    "[Errno 2] No such file: '/srv/app/media'",
    'C:\\app\\media',
    'Traceback (most recent call last):',
    'File "views.py", line 12',
    'ValueError: invalid literal',
    'in accounts.models.User.clean',
    'SELECT email FROM users WHERE id = 1',
    'duplicate key violates unique constraint "users_email"',
    'DETAIL:  Key (email)=(esi@example.org) is there.',
    '<Farmer object at 0x7f3a>',
    '<h1>Server Error</h1>',
    'Bearer abc is bad',
    'secret=abc',
    'The key demo-coop-7 is bad',
    'Token: abcdef123',
    'API_KEY=abc123',
    'PASSWORD: x',
  ])('hides %j, which shows the inside of the service or the key', (text) => {
    const body = { name: [text], detail: text, [text]: ['Wrong.'] };
    const { message, fields } = errorOf(400, body, undefined, {
      caller: { key: 'Bearer demo-coop-7', headers: {} },
    });
    expect([message, fields]).toEqual([
      'The service refuses the input (name). Wrong.',
      [
        { path: ['name'], message: 'The service refuses this.' },
        { path: [], message: 'Wrong.' },
      ],
    ]);
  });

  test.each([
    'Select a valid choice. "A" is not one of the available choices.',
    'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
    'Datetime has wrong format. Use one of: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    'esi@example.org is in use, e.g. by a user since 2026-01-01T12:30:00.',
    'Ensure that there are no more than 3 decimal places (12.500).',
    'Assurez-vous que ce champ ne contient pas plus de 50 caractères (il en a 51).',
    'Update and/or delete it first.',
    'Invalid pk "QR6XEYGEW7" - object does not exist.',
    'The password is too short.',
    'The card "04:A2:3B:1F" is taken.',
    'The card 04:A2:3B:1F:55:66:77 is taken.',
    'a.b@mail.example.com is in use.',
    'See line 4 of the form.',
  ])('shows %j', (text) => {
    expect(errorOf(400, { name: [text] }, undefined, { caller: { key: 'demo-coop', headers: {} } }).fields).toEqual([
      { path: ['name'], message: text },
    ]);
  });

  test('gives Retry-After in seconds, from a number or a date', () => {
    expect(errorOf(429, html, '60').retryAfter).toBe(60);
    expect(errorOf(503, html, new Date(Date.now() - 5000).toUTCString()).retryAfter).toBe(0);
    const inAnHour = errorOf(503, html, new Date(Date.now() + 3_600_000).toUTCString()).retryAfter;
    expect(inAnHour).toBeGreaterThan(3500);
    expect(inAnHour).toBeLessThanOrEqual(3600);
    expect(errorOf(429, html, 'later').retryAfter).toBeUndefined();
    expect(errorOf(429, html, undefined).retryAfter).toBeUndefined();
  });
});

describe('a call of the service', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  function clientOf(url: string, timeouts = {}): Upstream {
    const client = upstreamOf(url, { timeouts });
    opened.push(client);
    return client;
  }
  async function upstream(answer: (socket: Socket) => void): Promise<FakeUpstream> {
    const server = await startFakeUpstream({ respond: ({ socket }) => void answer(socket) });
    opened.push(server);
    return server;
  }
  const says = (bytes: string) => upstream((socket) => socket.write(bytes));
  const readFarmer = async (client: Upstream, id = 'A') => startRead(client, 'getFarmer', { id }).answer;
  const writeFarmer = (client: Upstream) => startWrite(client, 'createFarmer', { first_name: 'A' }).answer;
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      (answer) => expect.unreachable(`It answered ${JSON.stringify(answer)}`),
      (error: UpstreamError) => error,
    );

  /** Finds the gateway's end of its latest connection to a service. */
  function gatewaySockets() {
    const connected = channel('undici:client:connected');
    const byUrl = new Map<string, Socket>();
    const note = (message: unknown) => {
      const { connectParams, socket } = message as { connectParams: { host: string }; socket: Socket };
      byUrl.set(connectParams.host, socket);
    };
    connected.subscribe(note);
    return {
      to: (url: string) => byUrl.get(new URL(url).host),
      [Symbol.dispose]: () => void connected.unsubscribe(note),
    };
  }

  test.each([
    ['nothing', httpAnswer(200, '')],
    ['nothing, without a length', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['half an object', httpAnswer(200, '{"id": "A", "first_')],
    ['a page of HTML', httpAnswer(200, '<h1>Welcome</h1>', { 'content-type': 'text/html' })],
    ['a list', httpAnswer(200, '[]')],
    ['a number', httpAnswer(200, '7')],
    ['null', httpAnswer(200, 'null')],
  ])('answered with %s is UPSTREAM_INVALID_RESPONSE', async (_case, bytes) => {
    const { url } = await says(bytes);
    const error = await errorOf(readFarmer(clientOf(url)));
    expect(error).toMatchObject({ name: 'UpstreamError', code: 'UPSTREAM_INVALID_RESPONSE' });
    expect(error.message).not.toContain('Welcome');
  });

  test('takes a body with or without an envelope', async () => {
    const farmer = { id: 'A', first_name: 'Esi' };
    const plain = await says(httpAnswer(200, JSON.stringify(farmer)));
    expect(await readFarmer(clientOf(plain.url))).toEqual(farmer);
    const envelope = { success: true, detail: 'Success', code: 200, data: farmer };
    const wrapped = await says(httpAnswer(200, JSON.stringify(envelope)));
    expect(await readFarmer(clientOf(wrapped.url))).toEqual(farmer);
  });

  test('answered 200 with a failure in the envelope is that error', async () => {
    const { url } = await says(httpAnswer(200, JSON.stringify(failure(404, { detail: 'Not found.' }))));
    expect(await errorOf(readFarmer(clientOf(url)))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each(['1e400', '-1e400', '1e9', '404.5', '99', '600'])(
    'answered 200 with the code %s in the envelope is a 500',
    async (code) => {
      const { url } = await says(httpAnswer(200, `{"success":false,"message":{},"data":{},"code":${code}}`));
      expect(await errorOf(readFarmer(clientOf(url)))).toMatchObject({ code: 'UPSTREAM_ERROR', status: 500 });
    },
  );

  test('answered with a redirect does not follow it', async () => {
    const server = await says(httpAnswer(301, '', { location: '/elsewhere/' }));
    expect(await errorOf(readFarmer(clientOf(server.url)))).toMatchObject({
      code: 'UPSTREAM_INVALID_RESPONSE',
      status: 301,
    });
    expect(server.calls).toHaveLength(1);
  });

  test('answered 429 carries the status and the seconds of Retry-After', async () => {
    const { url } = await says(httpAnswer(429, '{"detail":"Slower."}', { 'retry-after': '7' }));
    expect(await errorOf(readFarmer(clientOf(url)))).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfter: 7,
    });
  });

  const breaks = {
    'before its answer': (socket: Socket) => socket.resetAndDestroy(),
    'within the headers': (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
    'within the body': (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'),
    'with something that is not HTTP': (socket: Socket) => socket.end('220 smtp.example ESMTP\r\n'),
  };
  test.each(Object.entries(breaks))('that breaks off %s is not repeated', async (_when, breakOff) => {
    const server = await upstream(breakOff);
    const client = clientOf(server.url);
    expect(await errorOf(readFarmer(client))).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    const error = await errorOf(writeFarmer(client));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(error.message).not.toMatch(/127\.0\.0\.1|ECONN|socket/i);
    expect(server.calls, 'no retry').toEqual(['GET /supply-chains/farmers/A/', 'POST /supply-chains/farmers/']);
  });

  test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'])(
    'that is sent, and whose connection ends with %s, is OUTCOME_UNKNOWN for a write',
    async (code) => {
      using sockets = gatewaySockets();
      const server = await upstream(() => {
        const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
        sockets.to(server.url)?.destroy(error);
      });
      const client = clientOf(server.url);
      expect(await errorOf(writeFarmer(client))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      expect((await errorOf(readFarmer(client))).message).toBe('The service broke the connection off.');
      expect(server.calls).toEqual(['POST /supply-chains/farmers/', 'GET /supply-chains/farmers/A/']);
    },
  );

  test('to a closed port is UPSTREAM_UNAVAILABLE, for reads and writes', async () => {
    const { url, close } = await startFakeUpstream();
    await close();
    for (const call of [readFarmer, writeFarmer]) {
      const error = await errorOf(call(clientOf(url)));
      expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: undefined });
      expect(error.message).not.toContain('127.0.0.1');
    }
  });

  test('without an answer in time is UPSTREAM_TIMEOUT, or OUTCOME_UNKNOWN for a write', async () => {
    const { url } = await upstream(() => {});
    const client = clientOf(url, { readMs: 50, writeMs: 50 });
    expect(await errorOf(readFarmer(client))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await errorOf(writeFarmer(client))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  test('with an answer that stalls in the middle is UPSTREAM_TIMEOUT', async () => {
    const { url } = await says('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');
    expect(await errorOf(readFarmer(clientOf(url, { readMs: 50 })))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  test.each(['J7VY4SD9HV', '7', 'c2f0a5d6-1b7e-4f6a-9d31-0c2f5b7a8e90', 'a_b', 'A'.repeat(64)])(
    'with the id %j is sent',
    async (id) => {
      const server = await says(httpAnswer(404, '{}'));
      expect(await errorOf(readFarmer(clientOf(server.url), id))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
      expect(server.calls).toEqual([`GET /supply-chains/farmers/${id}/`]);
    },
  );

  test.each([
    ...['', '.', '..', '\ud800', 'a/b', '../../accounts', 'a?b#c', '%2e%2e', '$&', 'é 🌱', 'a\r\nX-Evil: 1'],
    'A'.repeat(65),
  ])('with the impossible id %j is not sent', async (id) => {
    const server = await says(httpAnswer(200, '{}'));
    expect(await errorOf(readFarmer(clientOf(server.url), id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(server.calls).toEqual([]);
  });

  test('ends its path with a slash, whether or not the base URL does', async () => {
    const server = await says(httpAnswer(200, '{"count":0,"results":[]}'));
    for (const url of [server.url, `${server.url}/`]) {
      const client = clientOf(url);
      await startRead(client, 'listFarmers', { query: { first_name: 'é&x=1', limit: 1, offset: 0 } }).answer;
      await startWrite(client, 'createFarmer', {}).answer;
    }
    const calls = [
      'GET /supply-chains/farmers/?first_name=%C3%A9%26x%3D1&limit=1&offset=0',
      'POST /supply-chains/farmers/',
    ];
    expect(server.calls).toEqual([...calls, ...calls]);
  });
});
