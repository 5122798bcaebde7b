import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Client, clientOf } from './client.ts';
import { type Settings, writeSettings } from './settings.ts';

const root = join(import.meta.dirname, '../..');
/** Long enough that no request is cut. */
const patient = { 'shutdown.timeoutMs': '600000' };
/** Compiled code of earlier runs, with which a process starts in two thirds of the time. */
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') };

const started: { child: ChildProcess; folder: string }[] = [];

export function countProcesses(): number {
  return started.length;
}

/** Ends all processes but the first ones. */
export function endProcesses(first: number): void {
  for (const { child, folder } of started.splice(first)) {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Running {
  child: ChildProcess;
  /** Resolves when the process has ended, with its code. */
  exit: Promise<number | null>;
  output: () => string;
}

/**
 * Runs `src/start.js` in a process of its own on a free port. It ends with the test, or with the file in a hook. `stdout`: a
 * descriptor that takes its standard output.
 */
export function run(settings: Settings, argument: string[] = [], stdout?: number): Running {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    SANDBOX_DATA: ':memory:',
    // Workers need a file for all. The thread of a file would make each start longer.
    IDEMPOTENCY_FILE: settings.WORKERS ? join(folder, 'idempotency.db') : ':memory:',
    LOG_LEVEL: 'silent',
    ...compiled,
    ...(settings.UPSTREAM_URL && { UPSTREAM_DIALECT: 'spec' }),
    ...writeSettings(join(folder, 'gateway.yaml'), { ...patient, ...settings }),
  };
  const child = spawn(process.execPath, ['src/start.js', ...argument], {
    cwd: root,
    env,
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  });
  started.push({ child, folder });
  let text = '';
  const append = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  return { child, exit: once(child, 'exit').then(([code]) => code), output: () => text };
}

export async function printed(running: Running, pattern: RegExp): Promise<string> {
  await vi.waitFor(() => expect(running.output()).toMatch(pattern), { timeout: 40_000 });
  return pattern.exec(running.output())?.[1] as string;
}

export interface Served extends Running, Client {
  url: string;
  /** How many calls the sandbox has begun to answer. */
  upstreamCalls(): Promise<number>;
}

export async function serve(settings: Settings): Promise<Served> {
  const running = run(settings);
  const url = await printed(running, /GraphQL and GraphiQL +(\S+)/);
  const sandbox = await printed(running, /Sandbox REST service +(\S+)/);
  await printed(running, /Demo API key +(\S+)/);
  return {
    ...running,
    ...clientOf(url),
    url,
    upstreamCalls: async () => (await (await fetch(new URL('/__sandbox/calls', sandbox))).json()).count,
  };
}
