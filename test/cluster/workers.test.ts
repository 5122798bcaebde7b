import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { run, type Served, serve } from '../support/own-process.ts';
import type { RawConnection } from '../support/raw-http.ts';
import { ask, connect, twoWorkers, workers } from '../support/worker-connections.ts';

describe('two workers', () => {
  let gateway: Served;
  beforeAll(async () => {
    gateway = await serve({ ...twoWorkers, PORT: String(await freePort()) });
  });
  // The primary process replaces the workers that a test has killed.
  beforeEach(() => expect.poll(() => workers(gateway)).toHaveLength(2));

  /** Resolves when it is logged. */
  async function kill(pids: number[]): Promise<void> {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    for (const pid of pids) {
      await expect.poll(gateway.output).toContain(`"pid":${pid},"reason":"The process was ended by SIGKILL."`);
    }
  }

  test('print the addresses once, and take connections in turn', async () => {
    expect(gateway.output().match(/GraphQL and GraphiQL/g)).toHaveLength(1);
    expect(new Set(workers(gateway)).size).toBe(2);
    const connections = [await connect(gateway.url), await connect(gateway.url)];

    await kill(workers(gateway).slice(0, 1));

    await expect.poll(() => connections.filter(({ socket }) => socket.closed).length).toBe(1);
    const [other] = connections.filter(({ socket }) => !socket.closed);
    expect(await ask(other as RawConnection, '{ cards { count } }')).toEqual({ data: { cards: { count: 250 } } });
  });

  test('share one sandbox', async () => {
    const [first, second] = [await connect(gateway.url), await connect(gateway.url)];
    await ask(first, 'mutation { createFarmer(input: { first_name: "A" }) { id } }');
    expect(await ask(second, '{ farmers { count } }')).toEqual({ data: { farmers: { count: 241 } } });
  });

  test('are replaced one by one while requests are answered', async () => {
    await kill(workers(gateway).slice(0, 1));

    await expect
      .poll(async () => {
        expect((await gateway.post('{ farmers { count } }')).status).toBe(200);
        return workers(gateway).length;
      })
      .toBe(2);
  });

  test('are replaced at the same address after all are killed', async () => {
    await kill(workers(gateway));
    await expect.poll(() => workers(gateway).length).toBe(2);
    expect((await gateway.post('{ farmers { count } }')).status).toBe(200);
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'after %s each worker completes its requests, then all processes end',
  async (signal) => {
    const gateway = await serve({ ...twoWorkers, 'sandbox.delayMs': '700' });
    const connections = [await connect(gateway.url), await connect(gateway.url)];
    const answers = connections.map((connection) => ask(connection, '{ farmers { count } }'));
    await expect.poll(gateway.upstreamCalls).toBe(2);

    // A terminal sends SIGINT to the workers as well.
    for (const pid of signal === 'SIGTERM' ? [] : workers(gateway)) process.kill(pid, signal);
    gateway.child.kill(signal);
    gateway.child.kill(signal);

    expect(await Promise.all(answers)).toEqual(Array(2).fill({ data: { farmers: { count: 240 } } }));
    expect(await gateway.exit).toBe(0);
    for (const pid of workers(gateway)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(gateway.output()).not.toContain('A worker has ended');
    await expect(gateway.post('{ __typename }')).rejects.toThrow();
  },
);

test('a start error is reported once, not once per worker', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;

  const gateway = run({ WORKERS: '2', PORT: String(port) });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toBe(
    `Port ${port} is taken; choose another one with PORT, ADMIN_PORT for health checks, or SANDBOX_PORT for the sandbox.\n`,
  );
  taken.close();
});

test('an invalid setting is reported once, not once per worker', async () => {
  const gateway = run({ WORKERS: '2', 'limits.documents.depth': '0' });
  expect(await gateway.exit).toBe(1);
  expect(gateway.output().match(/limits\.documents\.depth/g)).toHaveLength(1);
});
