import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Settings, writeSettings } from '../../test/support/settings.ts';
import { processTree } from './process-tree.ts';

/** The folder of the benchmark: commands run in it, and paths are relative to it. */
export const root = new URL('../', import.meta.url).pathname;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * Starts a command of which `node` is this Node, in the benchmark's folder. Its output goes to `logs/<name>.log`. `settings` has
 * environment variables, and places of gateway.yaml.
 */
export function start(name: string, [program = '', ...args]: readonly string[], settings: Settings): ChildProcess {
  mkdirSync(`${root}logs`, { recursive: true });
  const log = openSync(`${root}logs/${name}.log`, 'a');
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...writeSettings(`${root}logs/${name}.yaml`, settings) },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return track(child);
}

/** Kills the process when this one ends, however it ends. */
export function track<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends a process and its descendants: politely, and after three seconds for good. */
export async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const descendants = processTree(child.pid!).slice(1);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(deadline);
  for (const pid of descendants) killIfThere(pid);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Asks until the answer is yes; an error counts as no. @throws Error when that takes too long. */
export async function until(what: string, seconds: number, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  let reason: unknown;
  while (Date.now() < deadline) {
    try {
      if (await isReady()) return;
    } catch (error) {
      reason = error;
    }
    await sleep(10);
  }
  throw new Error(`${what} is not ready after ${seconds} s`, { cause: reason });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process ended with its parent.
  }
}
