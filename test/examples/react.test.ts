import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorCodes } from '../../packages/base/errors/codes.ts';
import { executableSchema } from '../../packages/rest-graph/graph/schema.ts';
import { traceability } from '../../src/app.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { openExample } from '../support/example.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { bearerOf, callerClaims, people } from '../support/tokens.ts';

const example = openExample('react');

beforeAll(async () => {
  if (!example.skip) await example.script('check');
}, 120_000);

test('examples/react has a text for each error code', async () => {
  const { failureTexts }: { failureTexts: object } = await import(join(example.folder, 'src/failure-texts.ts'));

  expect(Object.keys(failureTexts).sort()).toEqual(['NO_ANSWER', ...Object.keys(errorCodes)].sort());
});

test('examples/react keeps the lists of its cache by the recipe of examples/clients', () => {
  const fileOf = (...path: string[]) => readFileSync(join(example.folder, ...path), 'utf8');

  for (const file of ['apollo.ts', 'cards.ts', 'lists.ts']) {
    expect(fileOf('src/cache', file)).toBe(fileOf('../clients/caches', file));
  }
});

describe('the guide examples/react/README.md', () => {
  const guide = readFileSync(join(example.folder, 'README.md'), 'utf8');

  test('contains valid operations', () => {
    const documents = [...guide.matchAll(/graphql\(`([^`]+)`\)/g)].map(([, document = '']) => document);

    expect(documents).not.toEqual([]);
    expect(documents.flatMap((document) => validate(executableSchema(traceability), parse(document)))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [...guide.matchAll(/`([\w-]+(?:\/[\w-]+)*\.[jt]sx?)`/g)].map(([, path = '']) => path);

    expect(named).not.toEqual([]);
    expect(named.filter((path) => !existsSync(join(example.folder, path)))).toEqual([]);
  });
});

test.skipIf(example.skip)(
  'examples/react passes the tests that it comes with',
  () =>
    example.run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], { NODE_ENV: 'test', NODE_OPTIONS: '' }),
  180_000,
);

const skip = example.skip || (noBrowser !== undefined && !process.env.CI);
if (noBrowser && skip) console.warn(`The page of examples/react is not tested, ${noBrowser}`);

describe.skipIf(skip)('the page of examples/react', () => {
  let service: FakeUpstream;
  let gateway: Gateway;
  let server: PreviewServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Idempotency keys of the mutations that the page sent, in order. */
  let keys: string[];

  const calls = () => gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
  const farmers = () => page.getByRole('list', { name: 'Farmers' }).getByRole('listitem');
  const transactions = () => page.getByRole('list', { name: 'Transactions' }).locator('> li');
  const alert = () => page.getByRole('alert');
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const failAt = (path: string) => page.setExtraHTTPHeaders({ 'x-sandbox-fail': `503:${path}` });
  const failNoMore = () => page.setExtraHTTPHeaders({});

  beforeAll(async () => {
    const overProxy = async (url: string) => {
      service = await startFakeUpstream({ target: url });
      return service.url;
    };
    [browser, gateway] = await Promise.all([
      launchBrowser(),
      startGateway({
        settings: { FORWARD_HEADERS: 'x-sandbox-fail', CALLER_CLAIMS: callerClaims },
        upstreamUrl: overProxy,
      }),
      // A build for users, in an environment that vitest has marked as a test.
      example.run('node_modules/.bin/vite', ['build'], { NODE_ENV: 'production' }),
    ]);
    server = await preview({
      root: example.folder,
      preview: { host: '127.0.0.1', port: 0, proxy: { '/graphql': new URL(gateway.url).origin } },
    });
    // One for all tests: a new one takes as much CPU again, because it compiles the page anew.
    context = await browser.newContext();
    context.setDefaultTimeout(30_000);
    context.on('request', (request) => {
      const { 'idempotency-key': key } = request.headers();
      if (key) keys.push(key);
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await gateway?.close();
    await service?.close();
  });

  beforeEach(async () => {
    keys = [];
    gateway.sandbox.clearCalls();
    page = await openPage({ isFirst: true });
    await page.getByText(/^\d+ farmers$/).waitFor();
  });
  afterEach(async () => {
    service.respond = undefined;
    await context.setOffline(false);
    const [first, ...others] = context.pages();
    for (const tab of others) await tab.close();
    await first?.unrouteAll();
    await first?.setExtraHTTPHeaders({});
    await first?.evaluate(() => sessionStorage.clear());
  });

  /** A tab with all that its forms offer. `isFirst`: of a device that has stored nothing but the page. */
  async function openPage({ isFirst = false } = {}): Promise<Page> {
    const [open] = context.pages();
    const tab = isFirst && open ? open : await context.newPage();
    await tab.goto(server.resolvedUrls!.local[0]!);
    if (isFirst) await tab.evaluate(clearStorage);
    await signIn('demo-coop', tab);
    await tab.getByText('Ready for work without a network').waitFor();
    return tab;
  }

  async function clearStorage(): Promise<void> {
    localStorage.clear();
    for (const { name } of await indexedDB.databases()) {
      await new Promise((resolve, reject) => {
        const deletion = indexedDB.deleteDatabase(name!);
        deletion.onsuccess = resolve;
        deletion.onerror = reject;
      });
    }
  }

  async function signIn(key: string, tab = page): Promise<void> {
    await tab.getByLabel('API key').fill(key);
    await tab.getByRole('button', { name: 'Sign in' }).click();
  }

  test('copies the transactions to the device, and drops what the service has deleted', async () => {
    const heading = { authorization: 'demo-coop' };
    const url = `${gateway.sandbox.url}/transactions/product-transactions/`;
    const { count, results } = await (await fetch(`${url}?limit=100`, { headers: heading })).json();
    await page.getByRole('link', { name: 'On this device' }).click();
    await click('Sync');
    await page.getByText(`${count} transactions.`).waitFor();

    const parents = new Set(results.flatMap((row: { parents: string[] }) => row.parents));
    const { id } = results.find((row: { id: string }) => !parents.has(row.id));
    expect((await fetch(`${url}${id}/`, { method: 'DELETE', headers: heading })).status).toBe(200);
    await click('Sync');
    await page.getByText(`${count - 1} transactions.`).waitFor();
    await context.setOffline(true);
    await expect
      .poll(() => page.getByRole('list', { name: 'Transactions on this device' }).getByRole('listitem').count())
      .toBe(50);
  });

  test('lists farmers, loads more on scrolling, and searches', async () => {
    await expect.poll(() => farmers().count()).toBe(30);
    await failAt('/supply-chains/farmers');
    await farmers().last().scrollIntoViewIfNeeded();
    await expect.poll(() => alert().textContent()).toContain('The service is not available now.');
    await failNoMore();
    await click('Show more');
    await expect.poll(() => farmers().count()).toBe(60);
    await page.getByLabel('First name contains').fill('vest');
    await expect.poll(() => farmers().count()).toBe(4);

    const pages = calls().filter((call) => call.includes('farmers/?') && !call.includes('limit=1&'));
    expect(pages).toEqual([
      'GET /supply-chains/farmers/?limit=30&offset=0',
      'GET /supply-chains/farmers/?limit=31&offset=29',
      'GET /supply-chains/farmers/?limit=31&offset=29',
      'GET /supply-chains/farmers/?first_name=vest&limit=30&offset=0',
    ]);
  });

  test('shows a farmer without its failed buyer, and tries again', async () => {
    await failAt('/supply-chains/companies');
    await page.getByRole('link', { name: 'Immaculée Uwimana' }).click();
    await page.getByRole('heading', { name: 'Immaculée Uwimana' }).waitFor();
    await expect.poll(() => alert().textContent()).toContain('Missing here: buyer. The service is not available now.');

    await failNoMore();
    await click('Try again');
    await page.getByText('Sankofa Growers Cooperative Union').waitFor();
    expect(await alert().count()).toBe(0);
  });

  test('finds the transactions of a farmer in the list of all, page by page', async () => {
    await page.getByRole('link', { name: 'Kwaku Osei' }).click();
    await page.getByText('Looked through 100 of').waitFor();
    expect(await transactions().count()).toBe(0);
    await click('Look through 100 more');
    await page.getByText('Looked through 200 of').waitFor();

    const { data } = await gateway.query('{ productTransactions(first: 200) { results { source_id number } } }');
    const theirs = data.productTransactions.results.filter(
      ({ source_id }: { source_id: string }) => source_id === page.url().split('/').at(-1),
    );
    expect(theirs).not.toEqual([]);
    expect(await transactions().allTextContents()).toEqual(
      theirs.map(({ number }: { number: string }) => expect.stringContaining(number)),
    );
  });

  /** Lets requests through, and cuts their answers. */
  function loseAnswers(): Promise<unknown> {
    return page.route('**/graphql', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
  }

  async function openBuyForm(): Promise<void> {
    await page.getByRole('link', { name: 'Syafruddin Siregar' }).click();
    await page.getByText('Looked through 100 of').waitFor();
    await page.getByRole('option', { name: 'USD US Dollar' }).waitFor({ state: 'attached' });
    await page.getByLabel('Quantity').fill('12.5');
    await page.getByLabel('Amount', { exact: true }).fill('90071992547409931.25');
    gateway.sandbox.clearCalls();
  }

  test('lists a purchase and its invoice without reading them again', async () => {
    await openBuyForm();
    await page.getByLabel('Premium', { exact: true }).selectOption({ label: 'Quality bonus' });
    await page.getByLabel('Amount of the premium').fill('1.5');
    await click('Buy');
    await page.getByText(/^Recorded as number/).waitFor();
    const row = transactions().first();
    expect(await row.textContent()).toContain('12.500');
    expect(await row.textContent()).toContain('90071992547409931.250 USD');

    const invoice = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') };
    await page.getByLabel('Attach an invoice').setInputFiles(invoice);
    await click('Upload');
    await page.getByRole('link', { name: /invoice\.pdf$/ }).waitFor();
    await row.getByText(/^Payment:/).click();
    await row.getByRole('link', { name: /invoice\.pdf$/ }).waitFor();

    const payment = expect.stringMatching(/^GET \/transactions\/payment-transactions\/\w+\/$/);
    const upload = expect.stringMatching(/^PATCH \/transactions\/payment-transactions\/\w+\/invoice\/$/);
    expect(calls()).toEqual([
      'POST /transactions/product-transactions/',
      'GET /catalogs/products/?limit=100&offset=0',
      payment,
      upload,
    ]);
    expect(gateway.sandbox.calls().at(-1)?.file).toMatchObject({ name: 'invoice.pdf', bytes: 9 });
    expect(new Set(keys).size).toBe(2);
  });

  test('shows a violation at its field, and takes a new key after a change', async () => {
    await openBuyForm();
    await page.getByLabel('Quantity').fill('a sack');
    await click('Buy');
    await expect.poll(() => page.getByLabel('Quantity').getAttribute('aria-invalid')).toBe('true');
    const described = await page.getByLabel('Quantity').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toContain('Decimal must be a number');
    expect(calls()).toEqual([]);

    await page.getByLabel('Quantity').fill('60.125');
    await click('Buy');
    await page.getByText(/^Recorded as number/).waitFor();
    expect(new Set(keys).size).toBe(2);
  });

  test('buys once if the user sends again after a lost answer', async () => {
    await openBuyForm();
    const listed = await transactions().count();
    await loseAnswers();
    await click('Buy');
    await expect.poll(() => alert().textContent()).toContain('No answer arrived.');
    expect(await page.getByLabel('Quantity').isDisabled()).toBe(true);

    await page.unroute('**/graphql');
    await click('Send again');
    await page.getByText(/^Recorded as number/).waitFor();

    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(calls().filter((call) => call.startsWith('POST'))).toEqual(['POST /transactions/product-transactions/']);
    expect(await transactions().count()).toBe(listed + 1);
  });

  test('offers a look at the list, and a new record, if the outcome is unknown', async () => {
    await openBuyForm();
    service.respond = ({ method }) => (method === 'POST' ? { breaks: true } : undefined);
    await click('Buy');
    await expect.poll(() => alert().textContent()).toContain('This may have happened or not');
    service.respond = undefined;

    await click('Look at the transactions');
    await expect.poll(calls).toContain('GET /transactions/product-transactions/?limit=100&offset=0');
    await click('Record it again');
    await page.getByText(/^Recorded as number/).waitFor();
    expect(new Set(keys).size).toBe(2);
  });

  describe('the outbox', () => {
    const entries = () => page.getByRole('list', { name: 'Outbox' }).locator('> li');
    const states = () => entries().evaluateAll((rows) => rows.map((row) => row.getAttribute('data-state')));
    const posts = () => calls().filter((call) => call.startsWith('POST'));
    const chain = [
      'POST /supply-chains/farmers/',
      'POST /supply-chains/entity-cards/',
      'POST /transactions/product-transactions/',
      'POST /transactions/payment-transactions/',
    ];
    const pushes: { key: string }[][] = [];

    beforeAll(() => {
      context.on('request', (request) => {
        const { variables } = request.postDataJSON() ?? {};
        if (variables?.writes) pushes.push(variables.writes);
      });
    });
    beforeEach(() => {
      pushes.length = 0;
      gateway.sandbox.clearCalls();
    });

    /** Fills the form and looks at the outbox. */
    async function saveOffline(first_name: string): Promise<void> {
      await context.setOffline(true);
      await page.getByRole('link', { name: 'New farmer' }).click();
      // The list of farmers has a field of this name too.
      await page.getByRole('heading', { name: 'New farmer' }).waitFor();
      await page.getByLabel('First name').fill(first_name);
      await page.getByLabel('Card').fill(`card of ${first_name}`);
      await page.getByLabel('Quantity').fill('12.5');
      await page.getByLabel('Amount', { exact: true }).fill('90071992547409931.25');
      await page.getByLabel('Premium', { exact: true }).selectOption({ label: 'Quality bonus' });
      await page.getByLabel('Amount of the premium').fill('1.5');
      await click('Save');
      await page.getByText('Saved on this device').waitFor();
      await page.getByRole('link', { name: 'Outbox' }).click();
      await expect.poll(() => page.getByRole('status').textContent()).toContain('No network.');
    }

    const untilDone = () => expect.poll(states).toEqual(['done', 'done', 'done', 'done']);

    test('survives a crash of the page offline, and sends each write once', async () => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await saveOffline('Adwoa');
      await page.close();
      page = await openPage();
      await page.getByRole('link', { name: 'Outbox' }).click();
      await expect.poll(states).toEqual(['pending', 'pending', 'pending', 'pending']);
      await context.setOffline(false);
      await untilDone();

      expect(posts()).toEqual(chain);
      const [farmer, card, purchase, premium] = gateway.sandbox
        .calls()
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => body as Record<string, string>);
      expect(farmer).toMatchObject({ first_name: 'Adwoa' });
      expect([card?.entity, premium?.destination]).toEqual([purchase?.source, purchase?.source]);
      await page.getByRole('link', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Adwoa' }).waitFor();
    });

    test('shows what it has sent in the lists that were read before', async () => {
      const counted = page.getByText(/^Looked through \d+ of \d+ transactions\.$/);
      const countOf = async () => Number(/of (\d+)/.exec((await counted.textContent()) ?? '')?.[1]);
      await page.getByRole('link', { name: 'Kwaku Osei' }).click();
      const before = await countOf();
      await saveOffline('Akosua');
      gateway.sandbox.clearCalls();
      await context.setOffline(false);
      await untilDone();
      await page.getByRole('link', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Akosua' }).waitFor();

      expect(await countOf()).toBe(before + 1);
      expect(await transactions().first().textContent()).toContain('12.500');
      const listReads = calls().filter((call) => /^GET .*(farmers|product-transactions)\/\?/.test(call));
      expect(listReads).toEqual([]);
    });

    test('sends the same writes again after a refused key and a lost answer, and no row comes twice', async () => {
      service.respond = () => ({ status: 401, body: '{}' });
      await saveOffline('Akua');
      await context.setOffline(false);
      await expect.poll(() => alert().textContent()).toContain('The API key is not accepted.');
      service.respond = undefined;
      await loseAnswers();
      await click('Send now');
      await expect.poll(() => alert().textContent()).toContain('No answer arrived.');
      expect(await states()).toEqual(['pending', 'pending', 'pending', 'pending']);
      expect(await entries().first().textContent()).toContain('Sent, not answered');

      await page.unroute('**/graphql');
      await click('Send now');
      await untilDone();
      expect(posts()).toEqual(chain);
      expect(pushes.length).toBeGreaterThanOrEqual(3);
      expect(new Set(pushes.map((writes) => JSON.stringify(writes))).size).toBe(1);
    });

    test('sends the writes of an earlier token under the next one, and no row comes twice', async () => {
      await click('Sign out');
      await signIn(bearerOf(people.abena));
      await page.getByText('Ready for work without a network').waitFor();
      await saveOffline('Serwaa');
      await loseAnswers();
      await context.setOffline(false);
      await expect.poll(() => alert().textContent()).toContain('No answer arrived.');
      await click('Sign out');
      await page.unroute('**/graphql');
      await signIn(bearerOf(people.abena));
      await untilDone();

      expect(posts()).toEqual(chain);
      expect(pushes.length).toBeGreaterThanOrEqual(2);
    });

    test('shows a refused write with its message, and sends the corrected one under a new key', async () => {
      const body = JSON.stringify({ first_name: ['This name is taken.'] });
      service.respond = ({ method, path }) =>
        method === 'POST' && path.startsWith('/supply-chains/farmers') ? { status: 400, body } : undefined;
      await saveOffline('Yaa');
      await context.setOffline(false);
      await expect.poll(states).toEqual(['refused', 'pending', 'pending', 'pending']);
      expect(await entries().nth(1).textContent()).toContain('Waits for: Farmer Yaa');
      const field = page.getByLabel('first name');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await entries().first().textContent()).toContain('This name is taken.');

      service.respond = undefined;
      await field.fill('Yaa Asantewaa');
      await click('Send again');
      await untilDone();
      expect(posts()).toEqual(chain);
      const [first, second] = pushes;
      expect(second?.[0]?.key).not.toBe(first?.[0]?.key);
      expect(second?.slice(1).map(({ key }) => key)).toEqual(first?.slice(1).map(({ key }) => key));
    });

    test('sends a write of unknown outcome again only if the user has not found it', async () => {
      service.respond = ({ method, path }) =>
        method === 'POST' && path.startsWith('/transactions/product') ? { breaks: true } : undefined;
      await saveOffline('Afia');
      await context.setOffline(false);
      await expect.poll(states).toEqual(['done', 'done', 'unknown', 'pending']);
      expect(await entries().nth(2).textContent()).toContain('look before you send it again');

      service.respond = undefined;
      await click('It is not there: send it again');
      await untilDone();
      expect(posts()).toEqual(chain);
      const bought = await gateway.query('{ productTransactions(first: 1) { results { card { card_id } } } }');
      expect(bought.data.productTransactions.results).toEqual([{ card: { card_id: 'card of Afia' } }]);
    });

    test('assigns a card of unknown outcome again, because no page shows its id', async () => {
      service.respond = ({ method, path }) =>
        method === 'POST' && path.startsWith('/supply-chains/entity-cards') ? { breaks: true } : undefined;
      await saveOffline('Ama');
      await context.setOffline(false);
      await expect.poll(states).toEqual(['done', 'unknown', 'pending', 'pending']);
      expect(await page.getByRole('button', { name: 'It is there' }).count()).toBe(0);

      service.respond = undefined;
      await click('Assign the card again');
      await untilDone();
      expect(posts()).toEqual(chain);
    });

    test('takes the id of a write that the user has found', async () => {
      service.respond = ({ method, path }) =>
        method === 'POST' && path.startsWith('/supply-chains/farmers') ? { breaks: true } : undefined;
      await saveOffline('Esi');
      await context.setOffline(false);
      await expect.poll(states).toEqual(['unknown', 'pending', 'pending', 'pending']);
      const { data } = await gateway.query('{ farmers(first: 1) { results { id } } }');
      gateway.sandbox.clearCalls();

      const [{ id }] = data.farmers.results;
      await page.getByLabel('Its id').fill(id);
      await click('It is there');
      await untilDone();
      expect(posts()).toEqual(chain.slice(1));
      expect(gateway.sandbox.calls().find(({ method }) => method === 'POST')?.body).toMatchObject({ entity: id });
    });

    test('sends the other writes if one has a value of a wrong type', async () => {
      await saveOffline('Efua');
      await page.getByRole('link', { name: 'New farmer' }).click();
      await page.getByLabel('First name').fill('Kofi');
      const quantity = page.getByLabel('Quantity');
      await quantity.evaluate((input) => input.removeAttribute('pattern'));
      await quantity.fill('a sack');
      await page.getByLabel('Amount', { exact: true }).fill('10');
      await click('Save');
      await page.getByText('Saved on this device').waitFor();
      await page.getByRole('link', { name: 'Outbox' }).click();
      await context.setOffline(false);
      await expect.poll(states).toEqual(['done', 'done', 'done', 'done', 'done', 'refused']);
      await page.getByLabel('quantity').fill('60.125');
      await click('Send again');
      await expect.poll(states).toEqual(Array(6).fill('done'));
    });

    test('sends from one tab at a time', async () => {
      const other = await openPage();
      await other.getByRole('link', { name: 'Outbox' }).click();
      await page.bringToFront();
      await saveOffline('Araba');
      service.hold('writes');
      await context.setOffline(false);
      await expect.poll(() => service.pending).toBe(1);
      await other.getByRole('button', { name: 'Send now' }).click();
      service.release();
      await untilDone();
      await other.locator('li[data-state=done]').nth(3).waitFor();
      expect(posts()).toEqual(chain);
      expect(pushes).toHaveLength(1);
    });

    test('shows the writes of a caller to no other, and drops one with those that need it', async () => {
      await saveOffline('Adjoa');
      await click('Sign out');
      await signIn('demo-buyer');
      await page.getByRole('heading', { name: 'Outbox' }).waitFor();
      expect(await states()).toEqual([]);
      await click('Sign out');
      await signIn('demo-coop');
      await expect.poll(states).toEqual(['pending', 'pending', 'pending', 'pending']);

      await click('Drop, with 3 that need it');
      await expect.poll(states).toEqual([]);
      await context.setOffline(false);
      expect(pushes).toEqual([]);
    });
  });
});
