import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SlowKind, slowClient } from '../../bench/lib/slow-clients.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';

const limits = {
  'limits.clients.headersTimeoutMs': '200',
  'limits.clients.bodyTimeoutMs': '300',
  'limits.clients.responseTimeoutMs': '400',
  'limits.uploads.timeoutMs': '500',
};
let gateway: FakedGateway;

beforeAll(async () => {
  gateway = await startFakedGateway({ ...limits, 'limits.clients.connections': '3' });
});
afterAll(() => gateway.close());

const slow = (kind: SlowKind, { url } = gateway) => slowClient(kind, { url, payment: 'P1', pace: 20 });

test.each([
  ['silent', 'limits.clients.headersTimeoutMs'],
  ['slow headers', 'limits.clients.headersTimeoutMs'],
  ['slow body', 'limits.clients.bodyTimeoutMs'],
] as const)('a slow client (%s) gets 408 after %s and is disconnected', async (kind, limit) => {
  const { ms, status } = await slow(kind);
  expect(status).toBe(408);
  expect(ms).toBeGreaterThanOrEqual(Number(limits[limit]));
});

test('a body that does not arrive in time is refused with a reason', async () => {
  const connection = new RawConnection(gateway.url);
  const type = 'Content-Type: application/json';
  await connection.send(`POST /graphql HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 30\r\n\r\n{"query":`);
  const answer = await connection.answer();
  expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
  expect(JSON.parse(answer!.body).errors).toMatchObject([
    { message: 'The body did not come in time.', extensions: { code: 'BAD_REQUEST', retryable: false } },
  ]);
  expect(await connection.answer()).toBeUndefined();
});

test('a trickling upload gets 408 after limits.uploads.timeoutMs, and its call is abandoned', async () => {
  // On a busy machine, the time of an upload may be over before its call begins.
  for (let ms = 500, isCalled = false; !isCalled; ms *= 2) {
    await using patient = await startFakedGateway({ ...limits, 'limits.uploads.timeoutMs': String(ms) });
    patient.upstream.hold('writes');
    expect(await slow('trickling upload', patient)).toMatchObject({ status: 408 });
    isCalled = patient.upstream.calls.some((call) => call.startsWith('PATCH'));
    await expect.poll(() => patient.upstream.pending).toBe(0);
    expect(patient.upstream.abandoned).toEqual(patient.upstream.calls);
  }
});

test('a client that does not read its answers is disconnected', async () => {
  const { status } = await slow('unread answer');
  expect(status).toBe(200);
});

describe('a gateway with all connections of limits.clients.connections open', () => {
  const health = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';
  let taken: RawConnection[];
  beforeEach(async () => {
    taken = Array.from({ length: 3 }, () => new RawConnection(gateway.url));
    for (const connection of taken) {
      await connection.send(health);
      expect((await connection.answer())?.status).toBe(200);
    }
  });
  afterEach(async () => {
    for (const connection of taken) connection.close();
    await expect.poll(async () => (await gateway.post('{ __typename }')).status).toBe(200);
  });

  test('still answers health checks and scrapes', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const answer = await sendRaw(gateway.url, health.replace('/health/live', path));
      expect(answer, path).toMatchObject({ status: 200, headers: { connection: 'close' } });
    }
  });

  test('refuses operations and closes their connections', async () => {
    const beyond = new RawConnection(gateway.url);
    await beyond.send(rawPost('{"query":"{ __typename }"}'));
    const answer = await beyond.answer();
    expect(answer).toMatchObject({ status: 503, headers: { connection: 'close' } });
    expect(extensionsOf(answer)).toMatchObject({ code: 'OVERLOADED' });
    expect(await beyond.answer()).toBeUndefined();
  });

  test('closes the oldest connection beyond for a newer one', async () => {
    const silent = Array.from({ length: 20 }, () => new RawConnection(gateway.url));
    await expect.poll(() => silent.filter(({ socket }) => socket.closed).length).toBeGreaterThanOrEqual(4);
    expect((await sendRaw(gateway.url, health))?.status).toBe(200);
    for (const connection of silent) connection.close();
  });
});
