import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { around, form, head, operationOf, pdf, request } from '../../bench/lib/upload-form.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

const connections: RawConnection[] = [];
let gateway: FakedGateway;

beforeAll(async () => {
  gateway = await startFakedGateway({
    'limits.operations.running': '2',
    'limits.operations.queued': '2',
    MAX_OPERATIONS_PER_CALLER: '4',
    'limits.uploads.running': '1',
  });
});
// A client that leaves after a long wait makes the newest operation the first for a while.
beforeEach(() => void stopClock());
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  gateway.upstream.release();
  // The gateway takes a moment to find out that a client has left, and runs its operation until then.
  await expect
    .poll(async () => {
      const samples = await scrape(gateway.url);
      return [valuesOf(samples, 'operations_in_flight'), valuesOf(samples, 'operations_queued')];
    })
    .toEqual([{ '': 0 }, { '': 0 }]);
  await expect.poll(() => gateway.upstream.pending).toBe(0);
  gateway.upstream.clear();
});
afterAll(() => gateway.close());

function connect(): RawConnection {
  const connection = new RawConnection(gateway.url);
  connections.push(connection);
  return connection;
}

/** Each page differs, so that no two operations share a call. */
const page = (offset: number) => JSON.stringify({ query: `{ farmers(offset: ${offset}) { results { id } } }` });
const callOf = (offset: number) => `GET /supply-chains/farmers/?limit=20&offset=${offset}`;

async function sendPage(offset: number): Promise<RawConnection> {
  const connection = connect();
  await connection.send(rawPost(page(offset)));
  return connection;
}

/** Takes all places: the pages 1 and 2 wait for the service, 3 and 4 in the queue. */
async function fill(): Promise<RawConnection[]> {
  const taken = [await sendPage(1)];
  await gateway.upstream.untilArrived(1);
  taken.push(await sendPage(2));
  await gateway.upstream.untilArrived(2);
  taken.push(await sendPage(3));
  await isRead();
  taken.push(await sendPage(4));
  await isRead();
  return taken;
}

/** Waits until the gateway has read all earlier requests; it reads connections in turn. */
async function isRead(url = gateway.url): Promise<void> {
  for (let i = 0; i < 3; i++)
    expect((await sendRaw(url, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'))?.status).toBe(200);
}

const statusesOf = (sent: RawConnection[]) =>
  Promise.all(sent.map(async (connection) => (await connection.answer())?.status));

describe('a gateway with all places and its queue taken', () => {
  // First, because a queue that operations have left serves the newest first for a second.
  test('answers queued operations in the order of their arrival', async () => {
    gateway.upstream.hold();
    const sent = await fill();
    // One free place at a time, because two calls at once may arrive in either order.
    gateway.upstream.requests[0]?.reply({ body: '{"count":0,"results":[]}' });
    await gateway.upstream.untilArrived(3);
    gateway.upstream.release();
    expect(await statusesOf(sent)).toEqual([200, 200, 200, 200]);
    expect(gateway.upstream.calls).toEqual([1, 2, 3, 4].map(callOf));
  });

  test('refuses one more operation and keeps its connection', async () => {
    const refusals = async () => {
      const samples = await scrape(gateway.url);
      const errors = valuesOf(samples, 'errors_total').OVERLOADED ?? 0;
      return [errors, valuesOf(samples, 'operations_total')['refused failed'] ?? 0];
    };
    const [errors = 0, operations = 0] = await refusals();
    gateway.upstream.hold();
    const sent = await fill();
    const refused = await sendPage(5);
    const answer = await refused.answer();

    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
    expect(extensionsOf(answer)).toEqual({
      code: 'OVERLOADED',
      retryable: true,
      retry_after: Number(answer?.headers['retry-after']),
      request_id: answer?.headers['x-request-id'],
    });
    expect(await refusals()).toEqual([errors + 1, operations + 1]);
    gateway.upstream.release();
    await statusesOf(sent);
    await refused.send(rawPost(page(6)));
    expect((await refused.answer())?.status).toBe(200);
    expect(gateway.upstream.calls).not.toContain(callOf(5));
  });

  test('refuses an operation with a long body once it arrived', async () => {
    gateway.upstream.hold();
    await fill();
    const refused = connect();
    await refused.send(rawPost(`${page(5)}${' '.repeat(20_000)}`));
    const answer = await refused.answer();
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
    expect(extensionsOf(answer)).toMatchObject({ code: 'OVERLOADED', retryable: true });
  });

  test('frees the place of a queued client that leaves, without a call', async () => {
    gateway.upstream.hold();
    const [, , leaving] = await fill();
    leaving?.close();
    await expect.poll(async () => valuesOf(await scrape(gateway.url), 'operations_queued')).toEqual({ '': 1 });
    const later = await sendPage(5);
    await isRead();
    gateway.upstream.release();
    expect((await later.answer())?.status).toBe(200);
    expect(gateway.upstream.calls).not.toContain(callOf(3));
  });

  test('still serves GraphiQL, health and metrics', async () => {
    gateway.upstream.hold();
    await fill();
    const { origin } = new URL(gateway.url);
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await fetch(origin + path)).status, path).toBe(200);
    expect((await fetch(gateway.url, { headers: { accept: 'text/html' } })).status).toBe(200);
  });
});

test('a gateway that closes answers its queued operations too', async () => {
  const closing = await startFakedGateway({ 'limits.operations.running': '1' });
  closing.upstream.hold();
  const sent = [1, 2, 3].map((offset) => sendRaw(closing.url, rawPost(page(offset))));
  await closing.upstream.untilArrived(1);
  await isRead(closing.url);
  const closed = closing.close();
  closing.upstream.release();
  expect((await Promise.all(sent)).map((answer) => answer?.status)).toEqual([200, 200, 200]);
  await closed;
});

test('an operation queued for longer than limits.operations.queueTimeoutMs is refused', async () => {
  await using impatient = await startFakedGateway({
    'limits.operations.running': '1',
    'limits.operations.queueTimeoutMs': '50',
  });
  impatient.upstream.hold();
  const first = sendRaw(impatient.url, rawPost(page(1)));
  await impatient.upstream.untilArrived(1);
  const second = await sendRaw(impatient.url, rawPost(page(2)));
  expect(second?.status).toBe(503);
  impatient.upstream.release();
  expect((await first)?.status).toBe(200);
  expect(impatient.upstream.calls).toEqual([callOf(1)]);
});

test('an upload beyond the limit is refused before its file is read, while operations are answered', async () => {
  const { before } = around(operationOf('P1'), 'slow.pdf');
  const start = (bytes: number) => Buffer.concat([Buffer.from(head(before.length + bytes)), before, pdf(5_000)]);
  gateway.upstream.hold('writes');
  await connect().send(start(1_000_000));
  await gateway.upstream.untilArrived(1);
  expect((await gateway.query('{ farmers { count } }')).errors).toEqual([]);

  const refused = await sendRaw(gateway.url, start(10_000));
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
  expect(extensionsOf(refused)).toMatchObject({ code: 'OVERLOADED', retryable: true });
  expect(gateway.upstream.calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(1);
});

test('places are free again after requests that fail, leave or are cut', async () => {
  gateway.upstream.hold();
  const leaving = await fill();
  const cut = connect();
  await cut.send(request(form(operationOf('P1')), 'length').subarray(0, -20));
  await isRead();
  for (const connection of [...leaving, cut]) connection.close();
  await expect.poll(() => gateway.upstream.pending).toBe(0);
  gateway.upstream.release();
  const unknown = '{"query":"{ farmer(id: \\"unknown\\") { id } }"}';
  const bad = ['{', '{"query":"{"}', '{"query":"{ nothing }"}', unknown, ' '.repeat(300_000)];
  await Promise.all([...bad, ...bad].map((body) => sendRaw(gateway.url, rawPost(body))));

  gateway.upstream.clear();
  gateway.upstream.hold();
  const sent = await fill();
  expect(gateway.upstream.calls).toEqual([1, 2].map(callOf));
  expect((await (await sendPage(5)).answer())?.status).toBe(503);
  gateway.upstream.release();
  expect(await statusesOf(sent)).toEqual([200, 200, 200, 200]);
});
