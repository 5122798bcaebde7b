import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RawConnection } from '../../../test/support/raw-http.ts';
import { drainOnClose } from '../http/drain.ts';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Longer than a test may take. */
const minuteMs = 60_000;

async function serve() {
  const server = createServer((_request, response) => {
    drain.track(response);
    response.end();
  });
  const drain = drainOnClose(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { drain, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('answers requests over idle connections after the port has closed, and ends when none is left', async () => {
  const { drain, url } = await serve();
  const idle = [new RawConnection(url), new RawConnection(url)];
  for (const connection of idle) {
    await connection.send(request);
    expect(await connection.answer()).toMatchObject({ headers: { connection: 'keep-alive' } });
  }

  const cut = drain.close({ delayMs: 0, idleMs: minuteMs, timeoutMs: minuteMs });
  await expect.poll(() => drain.isClosing).toBe(true);
  await expect(once(new RawConnection(url).socket, 'connect')).rejects.toThrow('ECONNREFUSED');
  for (const connection of idle) {
    await connection.send(request);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  }
  expect(await cut).toBe(0);
});

test('answers connections that come while the port closes', async () => {
  const { drain, url } = await serve();
  const coming = Array.from({ length: 20 }, () => new RawConnection(url));
  const answers = coming.map(async (connection) => {
    await connection.send(request);
    return (await connection.answer())?.status;
  });
  // Node connects in the next tick, and accepts in a later turn of the event loop.
  await new Promise(process.nextTick);
  const cut = drain.close({ delayMs: 0, idleMs: minuteMs, timeoutMs: minuteMs });
  expect(await Promise.all(answers)).toEqual(Array(20).fill(200));
  for (const connection of coming) connection.close();
  expect(await cut).toBe(0);
});
