import { afterEach, describe, expect, test } from 'vitest';
import { around, chunked, file, form, head, operationOf, pdf, request } from '../../bench/lib/upload-form.ts';
import { codeOf } from '../support/client.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';
import { knownIds } from '../support/rest.ts';
import { expectNoSpoolFiles } from './spool-files.ts';

afterEach(expectNoSpoolFiles);

/** Clients that send some bytes, and no more until they leave at the end of a test. */
class StalledClients {
  readonly #url: string;
  readonly #connections: RawConnection[] = [];

  constructor({ url }: { url: string }) {
    this.#url = url;
  }

  async send(...bytes: (string | Buffer)[]): Promise<RawConnection> {
    const connection = new RawConnection(this.#url);
    this.#connections.push(connection);
    for (const piece of bytes) await connection.send(piece);
    return connection;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections.splice(0)) connection.close();
  }
}

const keyOf = (key: string) => ({ Authorization: key });
/** A form that is cut off after so many bytes of its file. */
const begun = (bytes: number, key = 'demo-coop') => {
  const { before } = around(operationOf('P1'), 'slow.pdf');
  return Buffer.concat([Buffer.from(head(before.length + 1_000_000, keyOf(key))), before, pdf(bytes)]);
};
const whole = (key = 'demo-coop') => request(form([...operationOf('P1'), file('%PDF')]), 'length', keyOf(key));
const statusOf = async (connection: RawConnection) => (await connection.answer())?.status;
const codeIn = async (connection: RawConnection) => codeOf(JSON.parse((await connection.answer())?.body ?? '{}'));

describe('a form without a key', () => {
  test.each(['length', 'chunked'] as const)('is refused before a byte of its body is there (%s)', async (framing) => {
    await using gateway = await startGateway();
    const answer = await sendRaw(gateway.url, head(framing === 'length' ? 1_000 : 'chunked', { Authorization: '' }));
    expect(answer?.status).toBe(401);
    expect(extensionsOf(answer)).toMatchObject({ code: 'UNAUTHENTICATED', retryable: false });
  });

  test('says whether its connection closes: all of a short one is read, and a long one is cut', async () => {
    await using gateway = await startGateway();
    for (const [length, expected] of [
      [1_000, 'keep-alive'],
      [3_000_000, 'close'],
      ['chunked', 'close'],
    ] as const) {
      const connection = new RawConnection(gateway.url);
      await connection.send(head(length, { Authorization: '' }));
      const answer = await connection.answer();
      expect([length, answer?.status, answer?.headers.connection]).toEqual([length, 401, expected]);
      if (length === 1_000) {
        await connection.send(Buffer.alloc(length));
        await connection.send(head(1_000, { Authorization: '' }));
        expect(await statusOf(connection)).toBe(401);
      }
      connection.close();
    }
  });

  test('gets its answer while it is sent', async () => {
    await using gateway = await startGateway();
    const connection = new RawConnection(gateway.url);
    await connection.send(head(1_900_000, { Authorization: '', Accept: 'a'.repeat(1_100) }));
    expect(await statusOf(connection)).toBe(431);
    for (let sent = 0; sent < 19; sent++) await connection.send(Buffer.alloc(100_000));
    await connection.send(rawPost('{"query":"{ __typename }"}'));
    expect(await statusOf(connection)).toBe(200);
    connection.close();
  });

  test('is never stored on the disk', async () => {
    await using gateway = await startGateway();
    using clients = new StalledClients(gateway);
    const { before } = around(operationOf('P1'), 'a.pdf');
    const connection = await clients.send(head('chunked', { Authorization: '' }), chunked(before));
    expect(await statusOf(connection)).toBe(401);
    await connection.send(chunked(pdf(200_000)));
    // Uploads of other tests have a name in the folder for a moment.
    await expectNoSpoolFiles();
  });
});

describe('a form before its file', () => {
  test('takes no place from other uploads', async () => {
    await using gateway = await startFakedGateway({ 'limits.uploads.running': '1' });
    using clients = new StalledClients(gateway);
    const { before } = around(operationOf('P1'), 'slow.pdf');
    for (const bytes of [before.length, 100])
      await clients.send(head(before.length + 1_000), before.subarray(0, bytes));
    gateway.upstream.respond = () => ({ body: '{"id":"P1"}' });
    expect((await sendRaw(gateway.url, whole()))?.status).toBe(200);
  });

  test('is refused after limits.clients.bodyTimeoutMs, however often the client sends', async () => {
    await using gateway = await startGateway({ settings: { 'limits.clients.bodyTimeoutMs': '300' } });
    using clients = new StalledClients(gateway);
    const connection = await clients.send(head(1_000), '--b0undary\r\n');
    const dripping = setInterval(() => void connection.send('a'), 20);
    const answer = await connection.answer();
    clearInterval(dripping);
    expect(answer?.status).toBe(408);
    expect(extensionsOf(answer)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('bodies that fill limits.clients.bodiesBytes', () => {
  const long = 250_000;
  const jsonHead = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${long + 1}\r\n\r\n`;

  test('are refused, the oldest first, so that other clients are served', async () => {
    // Four of these fit.
    await using gateway = await startGateway({ file: { limits: { clients: { bodiesBytes: '1MiB' } } } });
    using clients = new StalledClients(gateway);
    const taken = async () => {
      const text = await (await fetch(new URL('/metrics', gateway.url))).text();
      return Number(/gateway_memory_bytes\{share="client_bodies"\} (\d+)/.exec(text)?.[1]);
    };
    const stalled: RawConnection[] = [];
    for (const bytes of [1, 2, 3, 4]) {
      const start = bytes === 2 ? [head(long * 2), '--b0undary\r\n'] : [jsonHead];
      stalled.push(await clients.send(...start, Buffer.alloc(long, 'a')));
      await expect.poll(taken).toBeGreaterThanOrEqual(long * bytes);
    }
    const query = JSON.stringify({ query: '{ __typename }' }).padEnd(200_000);
    expect((await sendRaw(gateway.url, rawPost(query)))?.status).toBe(200);
    const [first, second] = stalled;
    expect(await codeIn(first!)).toBe('OVERLOADED');
    expect((await sendRaw(gateway.url, rawPost(query)))?.status).toBe(200);
    await clients.send(jsonHead, Buffer.alloc(long, 'a'));
    await clients.send(jsonHead, Buffer.alloc(long, 'a'));
    expect(await codeIn(second!)).toBe('OVERLOADED');
    clients[Symbol.dispose]();
    await expect.poll(taken).toBe(0);
  });
});

test('a body in chunks of one byte is read', async () => {
  await using gateway = await startGateway();
  const body = JSON.stringify({ query: '{ __typename }' }).padEnd(50_000);
  const bytes = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
  const start = rawPost('', { 'Transfer-Encoding': 'chunked' });
  expect((await sendRaw(gateway.url, `${start}${bytes}0\r\n\r\n`))?.status).toBe(200);
});

test('a query that comes as a form takes a place among the operations', async () => {
  await using gateway = await startFakedGateway({ 'limits.operations.running': '1', 'limits.operations.queued': '0' });
  using clients = new StalledClients(gateway);
  gateway.upstream.hold();
  const query = '{ farmers { results { id } } }';
  const body = request(form([...operationOf('P1', query), file('a')]), 'length');
  const first = await clients.send(body);
  await gateway.upstream.untilArrived(1);
  expect((await gateway.ask('{ farmers { count } }')).status).toBe(503);
  expect((await sendRaw(gateway.url, body))?.status).toBe(503);
  gateway.upstream.release();
  expect(await statusOf(first)).toBe(200);
  expect((await gateway.ask('{ farmers { count } }')).status).toBe(200);
});

describe('a gateway with all places for uploads taken', () => {
  test('gives the place of a client that drips its file to the next one', async () => {
    await using gateway = await startFakedGateway({ 'limits.uploads.running': '1' });
    using clients = new StalledClients(gateway);
    gateway.upstream.hold('writes');
    const slow = await clients.send(begun(5_000));
    await gateway.upstream.untilArrived(1);
    gateway.upstream.release();
    gateway.upstream.respond = () => ({ body: '{"id":"P1"}' });
    await expect.poll(async () => (await sendRaw(gateway.url, whole()))?.status).toBe(200);
    expect(await codeIn(slow)).toBe('OVERLOADED');
    await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
  });

  test('leaves a caller a quarter of them while others upload', async () => {
    await using gateway = await startFakedGateway({ 'limits.uploads.running': '4' });
    using clients = new StalledClients(gateway);
    gateway.upstream.hold('writes');
    const greedy: RawConnection[] = [];
    for (const count of [1, 2, 3, 4]) {
      greedy.push(await clients.send(begun(100_000, 'greedy')));
      await gateway.upstream.untilArrived(count);
    }
    const fifth = await sendRaw(gateway.url, begun(100_000, 'greedy'));
    expect(fifth?.status).toBe(503);
    expect(extensionsOf(fifth)).toMatchObject({ code: 'OVERLOADED', retry_after: expect.any(Number) });

    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      await clients.send(begun(100_000, key));
      await gateway.upstream.untilArrived(5 + index);
    }
    for (const connection of greedy.slice(1)) expect(await codeIn(connection)).toBe('OVERLOADED');
    expect((await sendRaw(gateway.url, begun(100_000, 'd')))?.status).toBe(503);
    expect((await sendRaw(gateway.url, begun(100_000, 'greedy')))?.status).toBe(503);
  });
});

test('a client that declares one byte more than it sends gets BAD_REQUEST', async () => {
  await using gateway = await startGateway({ settings: { 'limits.uploads.idleTimeoutMs': '300' } });
  const { payment } = await knownIds(gateway.sandbox);
  for (const [length, headers] of [[10], [200_000], [10, { 'Idempotency-Key': 'a' }]] as const) {
    const body = form([...operationOf(payment), file(pdf(length))]);
    const answer = await sendRaw(gateway.url, Buffer.concat([Buffer.from(head(body.length + 1, headers)), body]));
    expect(extensionsOf(answer)).toMatchObject({ code: 'BAD_REQUEST', retryable: false });
    expect(answer?.body).toContain('The client stopped sending');
  }
  expect(gateway.sandbox.calls().flatMap(({ file }) => file ?? [])).toEqual([]);
});
