import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

export interface RedisServer {
  url: string;
  port: number;
  /** Stops the process; its connections stay open. */
  hang(): void;
  resume(): void;
  /** Ends the process at once. */
  kill(): void;
  /** Removes all data. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** CI installs Redis. Elsewhere tests skip without it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis without storage on disk, by default on a free port. */
export async function startRedis(port?: number): Promise<RedisServer> {
  port ??= await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: () => void child.kill('SIGKILL'),
    async empty() {
      spawnSync('redis-cli', ['-p', String(port), 'FLUSHALL']);
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
