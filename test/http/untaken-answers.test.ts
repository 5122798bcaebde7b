import { afterEach, describe, expect, test } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';

const connections: RawConnection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
});

function connect(gateway: FakedGateway): RawConnection {
  const connection = new RawConnection(gateway.url);
  connections.push(connection);
  return connection;
}

const page = (offset: number) =>
  rawPost(JSON.stringify({ query: `{ farmers(offset: ${offset}) { results { id } } }` }));
const callOf = (offset: number) => `GET /supply-chains/farmers/?limit=20&offset=${offset}`;

/** Waits until the gateway has read all earlier requests; it reads connections in turn. */
async function isRead({ url }: FakedGateway): Promise<void> {
  for (let i = 0; i < 3; i++)
    expect((await sendRaw(url, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'))?.status).toBe(200);
}

describe('pipelined requests', () => {
  test('begin one after the other, each when the answer before it is taken', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.hold();
    const connection = connect(gateway);
    await connection.send(page(1) + page(2) + page(3));
    await gateway.upstream.untilArrived(1);
    await isRead(gateway);
    expect(gateway.upstream.calls).toEqual([callOf(1)]);
    gateway.upstream.release();
    for (let i = 0; i < 3; i++) expect((await connection.answer())?.status).toBe(200);
    expect(gateway.upstream.calls).toEqual([1, 2, 3].map(callOf));
    await connection.send(page(4));
    expect((await connection.answer())?.status).toBe(200);
  });

  test('that come while others wait stay unread until these begin', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.hold();
    const connection = connect(gateway);
    await connection.send(page(1) + page(2));
    await gateway.upstream.untilArrived(1);
    await isRead(gateway);
    for (let offset = 3; offset < 9; offset++) {
      await connection.send(page(offset));
      await isRead(gateway);
    }
    gateway.upstream.release();
    for (let offset = 1; offset < 9; offset++) expect((await connection.answer())?.status).toBe(200);
  });

  test('end the connection where more come in one read than may wait', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.hold();
    const connection = connect(gateway);
    await connection.send(page(1));
    await gateway.upstream.untilArrived(1);
    await connection.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
    expect(await connection.answer()).toBeUndefined();
    await expect.poll(() => gateway.upstream.pending).toBe(0);
  });

  test('never begin after their client has left', async () => {
    const gateway = await startFakedGateway();
    gateway.upstream.hold();
    const connection = connect(gateway);
    await connection.send(page(1) + page(2));
    await gateway.upstream.untilArrived(1);
    await isRead(gateway);
    connection.socket.resetAndDestroy();
    gateway.upstream.release();
    // Waits for requests in progress.
    await gateway.close();
    expect(gateway.upstream.calls).toEqual([callOf(1)]);
  });
});

describe('answers that nobody takes', () => {
  const query = '{ farmers(limit: 1) { results { description } } }';
  /** More than the system takes for a client that reads nothing. */
  const description = 'a'.repeat(7 * 2 ** 20);

  /** A client that reads nothing learns of a close when it writes. The server ignores empty lines. */
  function hasLost({ socket }: RawConnection): boolean {
    socket.write('\r\n');
    return socket.closed;
  }

  test('close the connection that takes nothing for longest where they exceed their memory', async () => {
    const file = { limits: { clients: { answersBytes: '10MiB' }, operations: { answerBytes: '10MiB' } } };
    await using gateway = await startFakedGateway({}, { file });
    gateway.upstream.respond = () => ({ body: JSON.stringify({ count: 1, results: [{ id: 'F', description }] }) });
    const untaken = async () => valuesOf(await scrape(gateway.url), 'memory_bytes').answers ?? 0;
    const takeNothing = async () => {
      const connection = connect(gateway);
      connection.socket.pause();
      await connection.send(rawPost(JSON.stringify({ query })));
      return connection;
    };

    const first = await takeNothing();
    await expect.poll(untaken).toBeGreaterThan(description.length);
    const second = await takeNothing();
    await expect.poll(() => hasLost(first)).toBe(true);
    await expect.poll(untaken).toBeGreaterThan(description.length);
    expect(hasLost(second)).toBe(false);

    expect((await gateway.query(query)).data).toEqual({ farmers: { results: [{ description }] } });
    await expect.poll(() => hasLost(second)).toBe(true);
    await expect.poll(untaken).toBe(0);
  });
});

describe('a client that ends its side after its request', () => {
  test('gets its answer', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.hold();
    const connection = connect(gateway);
    await connection.send(page(1));
    await gateway.upstream.untilArrived(1);
    connection.socket.end();
    const interim = await connection.answer();
    expect(interim).toMatchObject({ status: 102, body: '' });
    gateway.upstream.release();
    let answer = await connection.answer();
    while (answer?.status === 102) answer = await connection.answer();
    expect(answer?.status).toBe(200);
    expect(await connection.answer()).toBeUndefined();
  });
});
