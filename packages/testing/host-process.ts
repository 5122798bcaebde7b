import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
// Tests may replace the global timers by fake ones.
import { clearTimeout, setTimeout } from 'node:timers';
import { findNode } from './find-node.ts';
import type { Answer, Message } from './messages.ts';

/** A file of tests may start its next gateway soon. */
const idleMs = 1_000;

interface Host {
  process: ChildProcess;
  waiting: Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>;
}

let host: Host | undefined;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;
const open = new Set<number>();

/** Starts a gateway, in the one process that has all gateways of these tests. Resolves with its number and its address. */
export async function startServed(options: object): Promise<{ gateway: number; url: string }> {
  clearTimeout(idle);
  lastId += 1;
  const gateway = lastId;
  open.add(gateway);
  try {
    return { gateway, url: (await ask(gateway, 'start', [options])) as string };
  } catch (error) {
    leave(gateway);
    throw error;
  }
}

/** Rejects with the error that the gateway's process reports. */
export async function ask(gateway: number, method: Message['method'], args: unknown[]): Promise<unknown> {
  if (!open.has(gateway)) throw new Error('This gateway is stopped.');
  host ??= startHost();
  const { process: child, waiting } = host;
  lastId += 1;
  const message: Message = { id: lastId, gateway, method, args };
  const text = JSON.stringify(message);
  // The error comes from another process. Its stack shows the line of the test.
  const { stack: caller = '' } = new Error();
  // An answer that a test waits for keeps the process of the tests running, and nothing else does.
  child.channel?.ref();
  return new Promise((resolve, fail) => {
    const reject = (error: Error) => {
      error.stack = caller.replace('Error', () => String(error));
      fail(error);
    };
    waiting.set(message.id, { resolve, reject });
    child.send(text, (error) => error && reject(error));
  });
}

/** Without any gateway, their process ends soon. */
export async function stopServed(gateway: number): Promise<void> {
  // The process of the gateway may have ended already.
  if (open.has(gateway)) await ask(gateway, 'stop', []).finally(() => leave(gateway));
}

/** Ends the process with all gateways that no test has stopped. */
export function stopAll(): void {
  open.clear();
  host?.process.disconnect();
  host = undefined;
}

function leave(gateway: number): void {
  open.delete(gateway);
  if (open.size > 0) return;
  idle = setTimeout(() => {
    host?.process.disconnect();
    host = undefined;
  }, idleMs).unref();
}

function startHost(): Host {
  const child = fork(join(__dirname, 'host/host.js'), {
    execPath: findNode(),
    // The start makes few objects that die. Room for them saves collections, a fifth of its CPU.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Options and coverage are for the tests. V8 reads compiled code from its cache.
    env: {
      // biome-ignore lint/style/noProcessEnv: the process of the gateways finds its files as that of the tests does
      ...process.env,
      NODE_OPTIONS: '',
      NODE_V8_COVERAGE: '',
      // The gateways are on this machine.
      NODE_USE_ENV_PROXY: '0',
      // Not a folder that other users may write into, because V8 runs what it finds there.
      NODE_COMPILE_CACHE: join(__dirname, '../.cache/traceability-graphql-gateway'),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const started: Host = { process: child, waiting: new Map() };
  child.unref();
  child.channel?.unref();
  child.on('message', (text: string) => {
    const answer = JSON.parse(text) as Answer;
    const waiter = started.waiting.get(answer.id);
    started.waiting.delete(answer.id);
    if (started.waiting.size === 0) child.channel?.unref();
    if ('error' in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.value);
  });
  const end = (reason: string) => {
    if (host === started) {
      host = undefined;
      open.clear();
    }
    for (const { reject } of started.waiting.values()) reject(new Error(reason));
  };
  child.on('error', (error) => end(`The process of the test gateways did not start: ${error.message}`));
  child.on('exit', (code, signal) => end(`The process of the test gateways has ended (${signal ?? `code ${code}`}).`));
  return started;
}
