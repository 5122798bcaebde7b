import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { testingFolder } from '../support/testing-package.ts';

const entry = join(await testingFolder(), 'testing.js');

/** Starts a process that starts a gateway and never stops it. Resolves when the gateway listens. */
async function startTests({ rest }: { rest: string }) {
  const script = `require(${JSON.stringify(entry)}).startGateway().then(({ url }) => { console.log(url); ${rest} });`;
  const tests = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(tests, 'exit');
  const [url] = await once(createInterface(tests.stdout), 'line');
  return { tests, ended, port: Number(new URL(url).port) };
}

function listens(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const done = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return done.finally(() => socket.destroy());
}

test('a gateway that no test stops keeps no process of tests open, and ends with it', async () => {
  const { ended, port } = await startTests({ rest: '' });

  expect(await ended).toEqual([0, null]);
  await expect.poll(() => listens(port)).toBe(false);
});

test('gateways end with tests that are killed', async () => {
  const { tests, ended, port } = await startTests({ rest: 'setInterval(() => {}, 1_000);' });
  expect(await listens(port)).toBe(true);

  tests.kill('SIGKILL');
  await ended;

  await expect.poll(() => listens(port)).toBe(false);
});

test('gateways of a process of tests end soon after the last is stopped, and start again', async () => {
  const { startGateway } = (await import(entry)) as typeof import('../../src/testing/client.ts');
  const first = await startGateway();
  await first.stop();
  const second = await startGateway();

  expect(second.url).not.toBe(first.url);
  expect((await second.graphql('{ farmers { count } }')).errors).toEqual([]);
  await second.stop();
});
