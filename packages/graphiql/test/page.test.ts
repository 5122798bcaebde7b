import { readdirSync, readlinkSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import type { Answer } from '../../../test/support/client.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { printed, run } from '../../../test/support/own-process.ts';
import { RawConnection } from '../../../test/support/raw-http.ts';
import { exampleScreens, openingExamples } from '../examples.ts';
import { operationOf, uploadVariables } from '../operation.ts';
import { buildIfMissing, graphiql } from '../serve.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const nameOf = ({ query }: { query: string }) => operationOf(query)?.name?.value;
const examples = [...new Set(exampleScreens.flatMap((screen) => screen.examples))];

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

describe('the examples of GraphiQL', () => {
  const schema = buildSchema(traceability.typeDefs);

  test('have distinct names, and the menu holds those of the opening tabs', () => {
    expect(new Set(examples.map(nameOf)).size).toBe(examples.length);
    expect(new Set(examples.map(({ title }) => title)).size).toBe(examples.length);
    expect(examples).toEqual(expect.arrayContaining([...openingExamples]));
  });

  test.each(examples)('fit an editor of 40 columns: $title', ({ query }) => {
    expect(query.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });

  test.each(examples)('are valid and give rows of the sandbox: $title', async ({ query, variables = '{}' }) => {
    expect(validate(schema, parse(query))).toEqual([]);
    const ask = uploadVariables(operationOf(query)).length > 0 ? upload : gateway.query;
    const answer = await ask(query, JSON.parse(variables));
    expect(answer.errors ?? []).toEqual([]);
    for (const root of Object.values<{ id?: string; results?: object[] }>(answer.data)) {
      expect(root.results ?? [root.id ?? root]).not.toEqual([]);
    }
  });

  async function upload(query: string, variables: object): Promise<Pick<Answer, 'data' | 'errors'>> {
    const response = await gateway.upload(query, variables, new File(['%PDF-1.4'], 'invoice.pdf'));
    return (await response.json()) as Answer;
  }
});

test('headers that look like markup stay inside the page config', async () => {
  await buildIfMissing(console);
  const part = graphiql({ demoKey: '</script><img>' });
  await using open = await startGateway({ parts: [part], settings: { GRAPHIQL: 'false' } });
  const page = await (await fetch(open.url, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('{"keyHeader":"Authorization","demoKey":"\\u003c/script>\\u003cimg>"}');
});

test('the page over a real service has no demo key', async () => {
  const url = await printed(run({ UPSTREAM_URL: 'http://127.0.0.1:1/v1' }), /GraphQL and GraphiQL +(\S+)/);
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('"graphiql-config">{"keyHeader":"Authorization"}<');
});

test('the page offers the pace of the sandbox, but not in production', async () => {
  const page = async (settings: Record<string, string>) => {
    const url = await printed(run({ SANDBOX_DATA: ':memory:', ...settings }), /GraphQL and GraphiQL +(\S+)/);
    return (await fetch(url, { headers: { accept: 'text/html' } })).text();
  };
  const [plain, production] = await Promise.all([
    page({ SANDBOX_PACE: 'real' }),
    page({ NODE_ENV: 'production', SANDBOX: 'true' }),
  ]);
  expect(plain).toContain('{"keyHeader":"Authorization","demoKey":"demo-coop","pace":"real"}<');
  expect(production).toContain('{"keyHeader":"Authorization","demoKey":"demo-coop"}<');
});

describe('an asset of the page', () => {
  const assetOf = async (): Promise<URL> => {
    await buildIfMissing(console);
    const page = await (await fetch(gateway.url, { headers: { accept: 'text/html' } })).text();
    return new URL(/src="([^"]+\.js)"/.exec(page)![1]!, gateway.url);
  };

  test('is immutable, has its declared length, and gets 304 with its ETag', async () => {
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

  test.each(['br', 'gzip'])(
    'is compressed for clients that accept %s, and uncompressed for others',
    async (encoding) => {
      const asset = await assetOf();
      const ask = (accepted: string) => fetch(asset, { headers: { 'accept-encoding': accepted } });
      const [compressed, plain] = await Promise.all([ask(encoding), ask('identity')]);
      expect(compressed.headers.get('content-encoding')).toBe(encoding);
      expect(compressed.headers.get('vary')).toBe('Accept-Encoding');
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await compressed.text()).toBe(await plain.text());
    },
  );

  test('ignores Range headers, also invalid ones', async () => {
    for (const range of ['bytes=0-9', 'bytes=9-2', 'bytes=-5', 'lines=1-2']) {
      const response = await fetch(await assetOf(), { headers: { range, 'accept-encoding': 'identity' } });
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

/** The target of a symbolic link; empty if the link was deleted meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('the page', { timeout: 60_000 }, () => {
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing(console);
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
  });
  afterAll(() => browser?.close());
  afterEach(() => expect(graphiql.complaints).toEqual([]));

  test('paints at once and opens with the examples and the documentation, under a strict content security policy', async () => {
    const response = await graphiql.open();
    expect(response.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(await response.text()).toContain('Loading GraphiQL');
    const titles = await graphiql.page.locator('.graphiql-tab-button').allTextContents();
    expect(titles).toEqual(openingExamples.map(nameOf));

    await graphiql.button('Show Documentation Explorer').click();
    const explorer = graphiql.page.locator('.graphiql-doc-explorer');
    await explorer.getByRole('link', { name: 'Query', exact: true }).click();
    await explorer.getByRole('link', { name: 'productTransactions', exact: true }).waitFor();
    await explorer.getByText('Product transactions that the caller may see.').waitFor();
  });

  test('cannot load from other origins, run inline scripts, or send data away', async () => {
    await graphiql.open();
    await graphiql.page.evaluate(async () => {
      const { body } = document;
      body.append(Object.assign(new Image(), { src: 'http://elsewhere.invalid/a.png' }));
      body.append(Object.assign(document.createElement('script'), { textContent: 'complain("an inline script")' }));
      body.append(Object.assign(document.createElement('iframe'), { src: '/graphql' }));
      await fetch('http://elsewhere.invalid/').catch(() => {});
    });

    const { complaints } = graphiql;
    const forbidden = () => complaints.filter((complaint) => complaint.includes(' forbids ')).sort();
    await expect
      .poll(forbidden)
      .toEqual([
        'connect-src forbids http://elsewhere.invalid/',
        `frame-src forbids ${gateway.url}`,
        'img-src forbids http://elsewhere.invalid/a.png',
        'script-src-elem forbids inline',
      ]);
    await graphiql.leave();
    complaints.length = 0;
  });

  test('runs a typed operation, and stores it over a reload and in its history', async () => {
    await graphiql.open();
    await graphiql.typeInNewTab('query Euro { currencies(search: "EUR") { results { code } } }');
    // GraphiQL takes an edit up half a second later. An operation that runs before has the earlier text in the history.
    await graphiql.page.waitForFunction(() => localStorage.getItem('graphiql:tabState')?.includes('{ code } } }'));
    await graphiql.run();
    await graphiql.answer.getByText('"EUR"').waitFor();

    await graphiql.page.reload();
    await graphiql.tab('Euro').waitFor();
    await graphiql.button('Show History').click();
    await graphiql.page.locator('.graphiql-history-item-label', { hasText: 'Euro' }).first().waitFor();
  });

  test('shows the tab of a new operation beside all others, in a narrow window too', async () => {
    await graphiql.open({ width: 800, height: 600 });
    await graphiql.typeInNewTab('query AnotherOneWithALongName { serverTime }');
    await graphiql.typeInNewTab('query NewOne { serverTime }');
    const tab = graphiql.tab('NewOne');
    await tab.waitFor();
    const strip = graphiql.page.locator('.graphiql-tabs');
    const isInSight = async () => {
      const outer = (await strip.boundingBox())!;
      const { x, width } = (await tab.boundingBox())!;
      return x >= outer.x && x + width <= outer.x + outer.width + 1;
    };
    await expect.poll(isInSight).toBe(true);
    // The strip gets narrower.
    await graphiql.panel('Keys');
    await expect.poll(isInSight).toBe(true);
  });

  test('underlines fields that the schema lacks', async () => {
    await graphiql.open();
    await graphiql.typeInNewTab('{ currencies { cuont } }');
    await graphiql.queryEditor.locator('.squiggly-error').first().waitFor();
  });
});
