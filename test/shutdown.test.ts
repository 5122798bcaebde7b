import { once } from 'node:events';
import { expect, test } from 'vitest';
import { post, printed, run, serve } from './own-process.ts';
import { RawConnection } from './raw-http.ts';

test.each(['SIGTERM', 'SIGINT'] as const)(
  'after %s what is under way is answered, then the process ends',
  async (signal) => {
    const gateway = await serve({ SANDBOX_DELAY_MS: '700' });
    const answers = [
      '{ farmers { count } }',
      'mutation { createFarmer(input: { first_name: "A" }) { first_name } }',
    ].map(async (query) => (await post(gateway.url, query)).json());
    await expect.poll(gateway.upstreamCalls).toBe(2);

    gateway.child.kill(signal);

    expect(await Promise.all(answers)).toEqual([
      { data: { farmers: { count: 240 } } },
      { data: { createFarmer: { first_name: 'A' } } },
    ]);
    expect(await gateway.exit).toBe(0);
    await expect(post(gateway.url, '{ __typename }')).rejects.toThrow();
  },
);

test('a second signal does not end it sooner', async () => {
  const gateway = await serve({ SANDBOX_DELAY_MS: '700' });
  const answer = post(gateway.url, '{ farmers { count } }');
  await expect.poll(gateway.upstreamCalls).toBe(1);
  gateway.child.kill('SIGTERM');
  gateway.child.kill('SIGTERM');
  expect((await answer).status).toBe(200);
  expect(await gateway.exit).toBe(0);
});

test('clients that keep a connection open do not hold the process up', async () => {
  const gateway = await serve({});
  const silent = new RawConnection(gateway.url);
  await once(silent.socket, 'connect');
  const kept = new RawConnection(gateway.url);
  await kept.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await kept.answer())?.status).toBe(200);

  gateway.child.kill('SIGTERM');
  expect(await gateway.exit).toBe(0);
});

test('what takes longer than SHUTDOWN_TIMEOUT_MS is cut', async () => {
  const gateway = await serve({
    SANDBOX_DELAY_MS: '60000',
    UPSTREAM_READ_TIMEOUT_MS: '60000',
    SHUTDOWN_TIMEOUT_MS: '100',
  });
  const answer = post(gateway.url, '{ farmers { count } }').catch((error: Error) => error);
  await expect.poll(gateway.upstreamCalls).toBe(1);
  gateway.child.kill('SIGTERM');
  expect(await answer).toBeInstanceOf(Error);
  expect(await gateway.exit).toBe(0);
});

test('the sandbox alone starts and ends the same way', async () => {
  const sandbox = run({ SANDBOX_PORT: '0' }, ['sandbox']);
  const url = await printed(sandbox, /Sandbox REST service +(\S+)/);
  const response = await fetch(`${url}/supply-chains/farmers/`, { headers: { authorization: 'demo-buyer' } });
  expect(await response.json()).toMatchObject({ count: 12 });
  sandbox.child.kill('SIGTERM');
  expect(await sandbox.exit).toBe(0);
});

test('settings that cannot be used are all named, and nothing starts', async () => {
  const gateway = run({ PORT: 'eighty', MAX_DEPTH: '0', UPSTREAM_URL: 'ftp://host/v1' });
  expect(await gateway.exit).toBe(1);
  for (const name of ['PORT', 'MAX_DEPTH', 'UPSTREAM_URL']) expect(gateway.output()).toContain(name);
  expect(gateway.output()).not.toMatch(/\n +at /);
});
