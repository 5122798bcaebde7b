import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const example = join(import.meta.dirname, '../../examples/downloads');
const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' };

/** The files of the example, as `python3 -m http.server` serves them. */
const site = createServer((request, response) => {
  const name = request.url === '/' ? 'index.html' : request.url!.slice(1);
  if (!/^[a-z]+\.(html|js)$/.test(name)) return response.writeHead(404).end();
  response.setHeader('content-type', types[name.split('.')[1]!]!).end(readFileSync(join(example, name)));
});

let gateway: Gateway;
let origin: string;
let ids: string[];
beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  gateway = await startGateway({ settings: { CORS_ORIGINS: origin } });
  const answer = await gateway.ask('{ productTransactions { results { id } } }', { headers: { accept: 'text/csv' } });
  ids = answer.text
    .split('\r\n')
    .slice(1)
    .filter((line) => /^\w/.test(line))
    .map((line) => line.split(',')[0]!);
  expect(ids.length).toBe(600);
});
afterAll(async () => {
  await gateway.close();
  site.close();
  rmSync(folder, { recursive: true });
});

const idsIn = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);

/** Both sides of a connection that ends in the middle of the list, and then none does. */
async function cutOnce() {
  const proxy = await startFaultProxy(gateway.url);
  proxy.set((connection) => (connection === 1 ? { answer: { resetAfter: 16_000 } } : {}));
  return proxy;
}

describe('download.sh', () => {
  async function download(url: string, document = join(example, 'sales.graphql'), key = 'demo-coop') {
    const file = join(folder, `${ids.length}-${Math.random()}.jsonl`);
    const shell = spawn('sh', [join(example, 'download.sh'), document, file], {
      env: { ...process.env, URL: url, KEY: key },
    });
    const [said, [code]] = await Promise.all([text(shell.stderr), once(shell, 'exit')]);
    return { code, said, file };
  }

  test('draws a bar, and writes every row once', async () => {
    const { code, said, file } = await download(gateway.url);
    expect(code).toBe(0);
    expect(said).toContain('[##                            ] 50 of 600 rows');
    expect(said).toContain('[##############################] 600 of 600 rows');
    expect(idsIn(readFileSync(file, 'utf8'))).toEqual(ids);
  });

  test('asks for a key before it begins', async () => {
    const { code, said } = await download(gateway.url, undefined, '');
    expect(code).not.toBe(0);
    expect(said).toMatch(/KEY: KEY=<API key> [^\n]*\n$/);
  });

  test('goes on after a cut', async () => {
    await using proxy = await cutOnce();
    const { code, file } = await download(proxy.url);
    expect(code).toBe(0);
    expect(proxy.opened).toBe(2);
    expect(idsIn(readFileSync(file, 'utf8'))).toEqual(ids);
  });

  test('shows why an operation is refused', async () => {
    const document = join(folder, 'wrong.graphql');
    writeFileSync(document, '{ nothing }');
    const { code, said } = await download(gateway.url, document);
    expect(code).toBe(1);
    expect(said).toContain('Cannot query field \\"nothing\\"');
  });
});

describe.skipIf(noBrowser)('the page', () => {
  test('moves its bar while rows come, goes on after a cut, and saves every row once', async () => {
    await using proxy = await cutOnce();
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      await page.fill('[name=url]', proxy.url);
      const shown: string[] = [];
      await page.exposeFunction('show', (text: string) => shown.push(text));
      await page.evaluate(`new MutationObserver(() => show(document.querySelector('output').textContent))
        .observe(document.querySelector('output'), { childList: true })`);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download')]);
      const file = await text(await download.createReadStream());

      expect(download.suggestedFilename()).toBe('Sales.jsonl');
      expect(idsIn(file)).toEqual(ids);
      await expect.poll(() => shown.at(-1)).toBe('All 600 rows');
      expect(shown).toContain('200 of 600 rows');
      expect(await page.evaluate(`document.querySelector('progress').value`)).toBe(600);
    } finally {
      await browser.close();
    }
  });

  test('shows why an operation is refused', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      await page.fill('[name=url]', gateway.url);
      await page.fill('[name=key]', 'nobody');
      await page.click('text=Download');
      await expect.poll(() => page.textContent('output')).toBe('The service does not accept the Authorization header.');
    } finally {
      await browser.close();
    }
  });
});
