import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// Tests may replace the global timers by fake ones.
import { clearTimeout, setTimeout } from 'node:timers';
import type { Answer, Message } from './messages.ts';

const neededNode = 24;
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
export function ask(gateway: number, method: Message['method'], args: unknown[]): Promise<unknown> {
  host ??= startHost();
  const { process: child, waiting } = host;
  lastId += 1;
  const message: Message = { id: lastId, gateway, method, args };
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
    child.send(JSON.stringify(message), (error) => error && reject(error));
  });
}

/** Call when a gateway is stopped. Without any, the process ends soon. */
export function leave(gateway: number): void {
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
      NODE_COMPILE_CACHE: join(tmpdir(), 'traceability-graphql-gateway'),
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
    if (host === started) host = undefined;
    for (const { reject } of started.waiting.values()) reject(new Error(reason));
  };
  child.on('error', (error) => end(`The process of the test gateways did not start: ${error.message}`));
  child.on('exit', (code, signal) => end(`The process of the test gateways has ended (${signal ?? `code ${code}`}).`));
  return started;
}

/** The Node that runs the tests, or a newer one in the package `node`. */
function findNode(): string {
  if (Number.parseInt(process.versions.node, 10) >= neededNode) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const start of [process.cwd(), __dirname]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const found = join(folder, 'node_modules/node/bin', name);
      if (existsSync(found)) return found;
      if (folder === dirname(folder)) break;
    }
  }
  throw new Error(
    `The test gateway needs Node ${neededNode}, and these tests run on Node ${process.versions.node}. ` +
      `Install Node ${neededNode} beside them: npm install -D node@${neededNode}`,
  );
}
