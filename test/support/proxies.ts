import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, clientOf } from './client.ts';
import { freePort } from './free-port.ts';

export type ProxyName = 'nginx' | 'haproxy';

export interface RunningProxy extends Client, AsyncDisposable {
  url: string;
  pid: number;
}

const deployed = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');

/** Writes the files that the program runs with into a folder, and gives its arguments. */
const programs: Record<ProxyName, (folder: string, configure: (text: string) => string) => string[]> = {
  nginx(folder, configure) {
    writeFileSync(join(folder, 'gateway.conf'), configure(deployed('nginx.conf')));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (of) => `${of}_temp_path ${folder}/${of};`,
    );
    const lines = [
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}`,
      `http { access_log off; ${temporary.join(' ')} include ${folder}/gateway.conf; }`,
    ];
    writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
    return ['-p', folder, '-c', join(folder, 'nginx.conf')];
  },
  haproxy(folder, configure) {
    writeFileSync(join(folder, 'haproxy.cfg'), configure(deployed('haproxy.cfg')));
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
};

export const proxyNames = Object.keys(programs) as ProxyName[];

/** CI installs both. Elsewhere tests skip without them. */
export const hasProxy = (name: ProxyName): boolean => spawnSync(name, ['-v']).status === 0;

/** Starts a proxy with its file in deploy/, before the servers at these addresses. */
export async function startProxy(name: ProxyName, ...servers: string[]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const hosts = servers.map((url) => new URL(url).host.replace('localhost', '127.0.0.1'));
  const configure = (text: string) =>
    text
      .replace(
        /^( *server) (\w+ )?127\.0\.0\.1:4000(.*)$/m,
        (_, before: string, id: string | undefined, after: string) =>
          hosts.map((host, at) => `${before} ${id ? `gateway${at + 1} ` : ''}${host}${after}`).join('\n'),
      )
      .replace(/(listen |bind :)8080/, (_, before: string) => `${before.replace(':', '127.0.0.1:')}${port}`);
  const child = spawn(name, programs[name](folder, configure), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-10_000);
  });
  while (!(await listens(port))) if (child.exitCode !== null) throw new Error(`${name} has ended: ${said}`);
  const url = `http://127.0.0.1:${port}/graphql`;
  return {
    url,
    pid: child.pid!,
    ...clientOf(url),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [answered] = await Promise.race([once(socket, 'connect').then(() => [true]), once(socket, 'close')]).catch(
    () => [false],
  );
  socket.destroy();
  if (answered !== true) await new Promise((resolve) => setTimeout(resolve, 20));
  return answered === true;
}
