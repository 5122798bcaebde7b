import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from './free-port.ts';

export interface RedisServer {
  url: string;
  port: number;
  /** Stops the process; its connections stay open. */
  hang(): void;
  resume(): void;
  /** Removes all data. */
  empty(): Promise<void>;
  /** Runs a command, such as CONFIG SET maxmemory 2mb, and gives its reply as text. */
  command(...parts: string[]): string;
  /** Sets `maxmemory` so that so many bytes are left. */
  leave(bytes: number): void;
  close(): Promise<void>;
}

/** CI installs Redis. Elsewhere tests skip without it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis without storage on disk, by default on a free port. `more`: options like `--appendonly`. */
export async function startRedis(port?: number, more: readonly string[] = []): Promise<RedisServer> {
  port ??= await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir(), ...more];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  const command = (...parts: string[]) => {
    const { stdout } = spawnSync('redis-cli', ['-p', String(port), ...parts], { encoding: 'utf8' });
    return stdout.trim();
  };
  return {
    command,
    leave(bytes) {
      const used = Number(/used_memory:(\d+)/.exec(command('INFO', 'memory'))?.[1]);
      command('CONFIG', 'SET', 'maxmemory', String(used + bytes));
    },
    url: `redis://127.0.0.1:${port}`,
    port,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async empty() {
      command('FLUSHALL');
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await ended;
    },
  };
}
