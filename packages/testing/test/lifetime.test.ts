import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { findNode } from '../find-node.ts';
import { testingFolder } from './testing-package.ts';

const entry = join(await testingFolder(), 'testing.js');

/** Starts a process that starts a gateway and never stops it. Resolves when the gateway listens. */
async function startTests({ rest }: { rest: string }) {
  const script = `require(${JSON.stringify(entry)}).startGateway().then((gateway) => { console.log(gateway.url); ${rest} });`;
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

test('an argument that is no JSON keeps no process of tests open', async () => {
  const { ended } = await startTests({ rest: 'gateway.pace(1n).catch(() => {});' });

  expect(await ended).toEqual([0, null]);
});

test('gateways of a process of tests end soon after the last is stopped, and start again', async () => {
  const { startGateway } = (await import(entry)) as typeof import('../client.ts');
  const first = await startGateway();
  await first.stop();
  const second = await startGateway();

  expect(second.url).not.toBe(first.url);
  expect((await second.graphql('{ farmers { count } }')).errors).toEqual([]);
  await second.stop();
});

test('stopAll, which Jest calls after each file, ends the gateways that no test has stopped', async () => {
  const { startGateway, stopAll } = (await import(entry)) as typeof import('../client.ts');
  const left = await startGateway({ seed: {} });

  stopAll();

  await expect.poll(() => listens(Number(new URL(left.url).port))).toBe(false);
  await expect(left.calls()).rejects.toThrow('This gateway is stopped.');
  await left.stop();
});

test('a Node that is too old is named with its place, and a newer one in a package is taken', () => {
  const app = mkdtempSync(join(tmpdir(), 'app-'));
  const folder = join(app, 'node_modules/node');
  const install = (version: string) => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin/node'), '');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  };
  const find = (running: string) => findNode([app], running);

  expect(() => find('24.15.0')).toThrow('needs Node 24.16, and these tests run on Node 24.15.0. Install');
  install('22.23.3');
  expect(() => find('20.20.2')).toThrow(`${join(folder, 'bin/node')} is 22.23.3. Install a newer one`);
  install('24.16.0');
  expect(find('25.9.0')).toBe(join(folder, 'bin/node'));
  expect(find('26.1.0')).toBe(process.execPath);
  rmSync(app, { recursive: true });
});
