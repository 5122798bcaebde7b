import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { brokenLinks } from './broken-links.ts';

const root = join(import.meta.dirname, '../..');
const project = mkdtempSync(join(tmpdir(), 'installed-'));
const modules = join(project, 'node_modules');
const installed = join(modules, 'traceability-gateway');
let tarball: string;

/** Installs the tarball as npm does. The libraries are those of the repository, because npm has no registry here. */
beforeAll(() => {
  const said = execFileSync(process.execPath, ['--run', 'pack:gateway', '--', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
  });
  tarball = said.trim().split('\n').at(-1) ?? '';
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1']);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@gateway')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
});
afterAll(() => rmSync(project, { recursive: true }));

const bin = join(installed, 'src/bin.js');
const environment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** The output of the command, and its code. */
function command(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [bin, ...args],
      { cwd: project, env: { ...environment, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}

/** Starts the command, and resolves with the address that it prints. */
async function start(args: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...args], { cwd: project, env: environment });
  const closed = once(child, 'close');
  const complaints = text(child.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^GraphQL\D* (http:\S+)/.exec(line) ?? [];
    if (!url) continue;
    return {
      ...clientOf(url),
      url,
      /** Resolves when its workers have ended too, which share its output: they write to the folder of the project. */
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL');
        child.stdout.resume();
        await closed;
      },
    };
  }
  throw new Error(`The command has ended: ${await complaints}`);
}

test('has the name that its page says, and not that of the package for tests: a project may install both', () => {
  const tarballIn = (page: string) => /\.\/(\S+\.tgz)/.exec(readFileSync(join(root, page), 'utf8'))?.[1];
  expect(tarballIn('packages/command/README.md')).toBe(tarball);
  expect(tarballIn('packages/testing/README.md')).not.toBe(tarball);
  const { name } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(installed).toBe(join(modules, name));
});

test('has the pages that messages name, and they link to nothing that is not there', () => {
  expect(existsSync(join(installed, 'docs/errors.md'))).toBe(true);
  expect(brokenLinks(installed)).toEqual([]);
});

describe('the installed command', () => {
  test('says its version, and explains its flags', async () => {
    expect(await command(['--version'])).toEqual({ code: 0, said: '0.1.0\n' });
    const { said } = await command(['--help']);
    expect(said).toContain('--upstream-url ');
    expect(said).not.toContain('--upload-types');
    expect((await command(['--help', 'all'])).said).toContain('--upload-types');
  });

  test.each([
    [['--prot', '1'], 'There is no flag --prot; did you mean --port? See --help all.'],
    [['strat'], 'There is no command strat: start, sandbox, config, doctor.'],
    [['--port'], "Option '--port <value>' argument missing"],
  ])('refuses %j', async (args, message) => {
    const { code, said } = await command(args);
    expect([code, said]).toEqual([2, expect.stringContaining(message)]);
  });

  test('takes settings as flags', async () => {
    const { said } = await command(['config', '--port', '4711', '--graphiql=false']);
    expect(said).toMatch(/^server\.port +4711 +PORT$/m);
    expect(said).toMatch(/^graphql\.graphiql +false +GRAPHIQL$/m);
  });

  test.each([[[]], [['--workers', '2']]])('serves GraphQL and GraphiQL over its sandbox %j', async (args) => {
    await using gateway = await start(['--port', '0', '--sandbox-data', ':memory:', ...args]);
    const { body } = await gateway.ask('{ farmers(limit: 1) { results { name } } }');
    expect(body).toEqual({ data: { farmers: { results: [{ name: 'Ɔbaa Yaa Osei' }] } } });
    const page = await gateway.send({ method: 'GET', headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<div id="graphiql"');
    // The thread of the records starts with the first key.
    const headers = { 'idempotency-key': 'once' };
    const create = 'mutation { createFarmer(input: { first_name: "A" }) { id } }';
    const [first, again] = [await gateway.ask(create, { headers }), await gateway.ask(create, { headers })];
    expect(again.body.data).toEqual(first.body.data);
  });
});
