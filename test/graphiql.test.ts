import { readdirSync, readlinkSync } from 'node:fs';
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examples } from '../src/graphiql/examples.ts';
import { buildIfMissing, openGraphiql } from '../src/graphiql/serve.ts';
import { typeDefs } from '../src/type-defs.ts';
import { launchBrowser, noBrowser } from './browser.ts';
import { type Gateway, startGateway } from './harness.ts';
import { printed, run } from './own-process.ts';
import { RawConnection } from './raw-http.ts';

const demoKey = 'demo-coop';
const operationOf = (query: string) =>
  parse(query).definitions.find((node): node is OperationDefinitionNode => node.kind === 'OperationDefinition')!;
const examplesByName = examples.map((example) => ({ name: operationOf(example.query).name!.value, ...example }));

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

describe('the examples', () => {
  const schema = buildSchema(typeDefs());

  test.each(examplesByName)('$name is valid, and so are its variables', ({ query, variables }) => {
    expect(validate(schema, parse(query))).toEqual([]);
    const declared = operationOf(query).variableDefinitions ?? [];
    expect(getVariableValues(schema, declared, JSON.parse(variables ?? '{}')).errors).toBeUndefined();
  });

  test.each(examplesByName)('$name answers with rows of the sandbox', async ({ query, variables }) => {
    const { data, errors } = await gateway.query(query, JSON.parse(variables ?? '{}'), { key: demoKey });
    expect(errors).toEqual([]);
    for (const root of Object.values<{ id?: string; results?: object[] }>(data)) {
      expect(root.results ?? [root.id]).not.toEqual([]);
    }
  });
});

test('headers that look like markup stay inside the page config', async () => {
  await buildIfMissing(console);
  const { page } = openGraphiql({ headers: { Authorization: '</script><img>' } });
  expect(page()).toContain('{"headers":{"Authorization":"\\u003c/script>\\u003cimg>"}}');
});

test('over a real service the page opens without a key', async () => {
  const url = await printed(run({ UPSTREAM_URL: 'http://127.0.0.1:1/v1' }), /GraphQL and GraphiQL +(\S+)/);
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('"graphiql-config">{"headers":{}}<');
});

describe('an asset of the page', () => {
  const assetOf = async (): Promise<URL> => {
    await buildIfMissing(console);
    const page = await (await fetch(gateway.url, { headers: { accept: 'text/html' } })).text();
    return new URL(/src="([^"]+\.js)"/.exec(page)![1]!, gateway.url);
  };

  test('may be kept for ever, is no more than it says, and is not sent to those who have it', async () => {
    const asset = await assetOf();
    const { status, headers } = await fetch(asset, { method: 'HEAD' });
    expect({ status, ...Object.fromEntries(headers) }).toMatchObject({
      status: 200,
      'content-type': 'text/javascript',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    const again = await fetch(asset, { headers: { 'if-none-match': headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  test('is given whole to who asks for a part, even for one that ends before it begins', async () => {
    for (const range of ['bytes=0-9', 'bytes=9-2', 'bytes=-5', 'lines=1-2']) {
      const response = await fetch(await assetOf(), { headers: { range } });
      expect(response.status).toBe(200);
      expect(String((await response.arrayBuffer()).byteLength)).toBe(response.headers.get('content-length'));
    }
  });

  test.skipIf(process.platform !== 'linux')('is closed when its reader leaves', async () => {
    const { pathname } = await assetOf();
    const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`).endsWith(pathname));
    const reader = new RawConnection(gateway.url);
    reader.socket.pause();
    // More than the buffers on the way hold.
    await reader.send(`GET ${pathname} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20));
    await expect.poll(isOpen).toBe(true);
    reader.close();
    await expect.poll(isOpen).toBe(false);
  });
});

/** Where a symbolic link leads; empty when it is gone by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

// In CI a missing browser fails in launchBrowser: nobody reads there that tests were skipped.
const skipBrowser = noBrowser !== undefined && !process.env.CI;
if (skipBrowser) console.warn(`The browser tests of GraphiQL are skipped, ${noBrowser}`);

describe.skipIf(skipBrowser)('the page', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  const queryEditor = () => page.locator('.graphiql-query-editor');
  const editorTools = () => page.locator('.graphiql-editor-tool');
  const answer = () => page.locator('.result-window');
  const openTool = (name: 'Variables' | 'Headers') => page.getByRole('button', { name, exact: true }).click();

  async function open(): Promise<void> {
    await page.goto(gateway.url);
    await queryEditor().locator('.view-line').first().waitFor();
  }

  async function typeInNewTab(query: string): Promise<void> {
    await page.getByRole('button', { name: 'New tab' }).click();
    await queryEditor().locator('.view-lines').click();
    await page.keyboard.type(query);
  }

  /** GraphiQL takes up an edit a moment later; a run before that would name the operation of the tab left. */
  async function run(operation: string): Promise<void> {
    await page.waitForFunction((name) => localStorage.getItem('graphiql:query')?.includes(name), operation);
    await page.getByRole('button', { name: /^Execute query/ }).click();
  }

  beforeAll(async () => {
    await buildIfMissing(console);
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    await context.exposeFunction('complain', (what: string) => complaints.push(what));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        Object(window).complain(`${effectiveDirective} forbids ${blockedURI}`),
      );
    });
    context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    context.on('weberror', (error) => complaints.push(error.error().message));
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      const leavesTheGateway = protocol.startsWith('http') && origin !== new URL(gateway.url).origin;
      if (leavesTheGateway) complaints.push(`request to ${request.url()}`);
    });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  test('opens with the examples and the demo key, under a strict content security policy', async () => {
    const response = await page.goto(gateway.url);
    expect(response!.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    await editorTools().getByText(`"${demoKey}"`).waitFor();
    const titles = await page.locator('.graphiql-tab-button').allTextContents();
    expect(titles).toEqual(examplesByName.map(({ name }) => name));
  });

  test('cannot load from elsewhere, run what is written into it, or send anything away', async () => {
    await open();
    await page.evaluate(async () => {
      const { body } = document;
      body.append(Object.assign(new Image(), { src: 'http://elsewhere.invalid/a.png' }));
      body.append(Object.assign(document.createElement('script'), { textContent: 'complain("an inline script")' }));
      body.append(Object.assign(document.createElement('iframe'), { src: '/graphql' }));
      await fetch('http://elsewhere.invalid/').catch(() => {});
    });

    const forbidden = () => complaints.filter((complaint) => complaint.includes(' forbids ')).sort();
    await expect
      .poll(forbidden)
      .toEqual([
        'connect-src forbids http://elsewhere.invalid/',
        `frame-src forbids ${gateway.url}`,
        'img-src forbids http://elsewhere.invalid/a.png',
        'script-src-elem forbids inline',
      ]);
    await page.goto('about:blank');
    complaints = [];
  });

  test('runs an example with its variables', async () => {
    await open();
    await page.locator('.graphiql-tab-button', { hasText: 'Search' }).click();
    await openTool('Variables');
    await editorTools().getByText('"currency"').waitFor();
    await run('query Search');
    await answer().getByText('Vestine').first().waitFor();
  });

  test('runs what is typed', async () => {
    await open();
    await typeInNewTab('query Euro { currencies(search: "EUR") { results { code } } }');
    await run('query Euro');
    await answer().getByText('"EUR"').waitFor();
  });

  test('underlines what the schema does not know', async () => {
    await open();
    await typeInNewTab('{ currencies { cuont } }');
    await queryEditor().locator('.squiggly-error').first().waitFor();
  });

  test('shows the documentation of the schema', async () => {
    await open();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const explorer = page.locator('.graphiql-doc-explorer');
    await explorer.getByRole('link', { name: 'Query', exact: true }).click();
    await explorer.getByRole('link', { name: 'productTransactions', exact: true }).waitFor();
    await explorer.getByText('Product transactions that the caller may see.').waitFor();
  });

  test('keeps tabs and history over a reload, but never writes the key down', async () => {
    await open();
    await typeInNewTab('query Euro { currencies(search: "EUR") { count } }');
    await run('query Euro');
    await answer().getByText('"count"').waitFor();
    // Tabs are written half a second after an edit.
    await page.waitForFunction(() => localStorage.getItem('graphiql:tabState')?.includes('{ count } }'));

    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(demoKey);

    await page.reload();
    await page.locator('.graphiql-tab-button', { hasText: 'Euro' }).waitFor();
    await page.getByRole('button', { name: 'Show History' }).click();
    // An operation that was run while its editor was still being filled is there too, below it.
    await page.locator('.graphiql-history-item-label', { hasText: 'Euro' }).first().click();
    await openTool('Headers');
    await editorTools().getByText(`"${demoKey}"`).waitFor();
  });
});
