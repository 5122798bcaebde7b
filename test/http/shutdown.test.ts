import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { clientOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { printed, run, serve } from '../support/own-process.ts';
import { RawConnection, rawPost } from '../support/raw-http.ts';

const health = async (url: string, name: string) => {
  const response = await fetch(new URL(`/health/${name}`, url));
  return [response.status, await response.json()];
};

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'after %s and shutdown.delayMs the gateway closes its port, completes requests under way, then exits',
  async (signal) => {
    const sandbox = await startSandbox({ data: ':memory:' });
    onTestFinished(() => sandbox.close());
    // A busy machine closes the port late: the service answers once it is closed.
    await using service = await startFakeUpstream({ target: sandbox.url });
    service.hold('reads', 'writes');
    const gateway = await serveOver(service.url);
    const reads = Array.from(
      { length: 18 },
      (_, row) => `{ farmers(limit: 1, offset: ${row}) { count results { __typename } } }`,
    );
    const write = 'mutation { createFarmer(input: { first_name: "A" }) { first_name } }';
    const file = new File(['%PDF an invoice'], 'invoice.pdf');
    const responses = [gateway.upload(uploadInvoice, { id: invoiced, file: null }, file)];
    // One after the other, because a busy gateway refuses requests that come together.
    for (const query of [write, ...reads]) {
      await service.untilArrived(responses.length);
      responses.push(gateway.post(query));
    }
    const open = Array.from({ length: 3 }, () => new RawConnection(gateway.url));
    await service.untilArrived(20);

    gateway.child.kill(signal);

    await expect.poll(() => isRefused(gateway.url)).toBe(true);
    const requests = [rawGet('/health/ready'), rawGet('/health/live'), rawPost(JSON.stringify({ query: write }))];
    const late = open.map(async (connection, at) => {
      await connection.send(requests[at]!);
      return connection.answer();
    });
    // Without a request in progress, the gateway would close these connections too.
    await service.untilArrived(21);
    await Promise.all(late.slice(0, 2));
    service.release();
    expect(await Promise.all(late)).toMatchObject([
      { status: 503, headers: { connection: 'close' }, body: '{"status":"stopping"}' },
      { status: 200, headers: { connection: 'close' }, body: '{"status":"live"}' },
      { status: 200, headers: { connection: 'close' }, body: expect.stringContaining('{"data":{"createFarmer"') },
    ]);

    const answered = await Promise.all(responses);
    expect(answered.map(({ headers }) => headers.get('connection'))).toEqual(Array(20).fill('close'));
    expect(await Promise.all(answered.map((response) => response.json()))).toEqual([
      { data: { uploadInvoice: { id: invoiced } } },
      { data: { createFarmer: { first_name: 'A' } } },
      ...reads.map(() => ({ data: { farmers: { count: expect.any(Number), results: [{ __typename: 'Farmer' }] } } })),
    ]);
    expect(await gateway.exit).toBe(0);
    expect(gateway.output()).toContain(`"signal":"${signal}","msg":"The process stops`);
  },
);

test('a stopping gateway is not ready but answers requests for the time of shutdown.delayMs', async () => {
  const gateway = await serve({ 'shutdown.delayMs': '600000' });
  gateway.child.kill('SIGTERM');
  await expect.poll(() => health(gateway.url, 'ready')).toEqual([503, { status: 'stopping' }]);
  expect(await isRefused(gateway.url)).toBe(false);
  const response = await gateway.post('{ farmers { count } }');
  expect(await response.json()).toEqual({ data: { farmers: { count: 240 } } });
});

test('two signals at once count as one, and a later one ends the process at once', async () => {
  const gateway = await serve({ SANDBOX: 'true', 'sandbox.delayMs': '60000', 'upstream.timeouts.readMs': '60000' });
  const answer = gateway.post('{ farmers { count } }').catch((error: Error) => error);
  await expect.poll(gateway.upstreamCalls).toBe(1);
  gateway.child.kill('SIGTERM');
  gateway.child.kill('SIGTERM');
  await expect.poll(() => isRefused(gateway.url)).toBe(true);
  const again = setInterval(() => gateway.child.kill('SIGINT'), 100);
  expect(await gateway.exit).toBe(130);
  clearInterval(again);
  expect(await answer).toBeInstanceOf(Error);
});

test('idle connections do not delay the exit', async () => {
  const gateway = await serve({});
  const silent = new RawConnection(gateway.url);
  await once(silent.socket, 'connect');
  const idle = new RawConnection(gateway.url);
  await idle.send('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  expect((await idle.answer())?.status).toBe(200);

  gateway.child.kill('SIGTERM');
  expect(await gateway.exit).toBe(0);
});

test('requests beyond shutdown.timeoutMs are cut', async () => {
  const gateway = await serve({
    SANDBOX: 'true',
    'sandbox.delayMs': '60000',
    'upstream.timeouts.readMs': '60000',
    'shutdown.timeoutMs': '100',
    LOG_LEVEL: 'warn',
  });
  const answer = gateway.post('{ farmers { count } }').catch((error: Error) => error);
  await expect.poll(gateway.upstreamCalls).toBe(1);
  gateway.child.kill('SIGTERM');
  expect(await answer).toBeInstanceOf(Error);
  expect(await gateway.exit).toBe(1);
  expect(gateway.output()).toContain('"requests":1,"msg":"Requests were cut');
});

test('the sandbox alone listens at HOST, starts and stops the same way', async () => {
  const sandbox = run({ SANDBOX_PORT: '0', HOST: '127.0.0.2' }, ['sandbox']);
  const url = await printed(sandbox, /Sandbox REST service +(\S+)/);
  expect(new URL(url).hostname).toBe('127.0.0.2');
  const response = await fetch(`${url}/supply-chains/farmers/`, { headers: { authorization: 'demo-buyer' } });
  expect(await response.json()).toMatchObject({ count: 12 });
  sandbox.child.kill('SIGTERM');
  expect(await sandbox.exit).toBe(0);
});

test('invalid settings are all reported, and nothing starts', async () => {
  const gateway = run({ PORT: 'eighty', 'limits.documents.depth': '0', UPSTREAM_URL: 'ftp://host/v1' });
  expect(await gateway.exit).toBe(1);
  for (const name of ['PORT', 'limits.documents.depth', 'UPSTREAM_URL']) expect(gateway.output()).toContain(name);
  expect(gateway.output()).not.toMatch(/\n +at /);
});

/** A gateway that waits a minute for the answers of the service. */
async function serveOver(UPSTREAM_URL: string) {
  const patient = { 'upstream.timeouts.readMs': '60000', 'upstream.timeouts.writeMs': '60000' };
  const gateway = run({ UPSTREAM_URL, LOG_LEVEL: 'info', ACCESS_LOG: 'off', 'shutdown.delayMs': '10', ...patient });
  const url = await printed(gateway, /GraphQL and GraphiQL +(\S+)/);
  return { ...gateway, ...clientOf(url), url };
}

const rawGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** A new connection gets no place. */
async function isRefused(url: string): Promise<boolean> {
  const { socket } = new RawConnection(url);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
  const refused = socket.pending;
  socket.destroy();
  return refused;
}

/** A payment of the sandbox. */
const invoiced = 'GSXFJUYP6Y';
const uploadInvoice =
  'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id } }';
