import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import type { Browser, Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/graphql/errors/codes.ts';
import { executableSchema } from '../../src/graphql/schema.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { openExample } from '../support/example.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

const example = openExample('react');

test('examples/react has a text for each error code', async () => {
  const { failureTexts }: { failureTexts: object } = await import(join(example.folder, 'src/failure-texts.ts'));

  expect(Object.keys(failureTexts).sort()).toEqual(['NO_ANSWER', ...Object.keys(errorCodes)].sort());
});

describe('the guide examples/react/README.md', () => {
  const guide = readFileSync(join(example.folder, 'README.md'), 'utf8');

  test('contains valid operations', () => {
    const documents = [...guide.matchAll(/graphql\(`([^`]+)`\)/g)].map(([, document = '']) => document);

    expect(documents).not.toEqual([]);
    expect(documents.flatMap((document) => validate(executableSchema(), parse(document)))).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [...guide.matchAll(/`((?:src\/)?[\w-]+\.tsx?)`/g)].map(([, path = '']) => path);

    expect(named).not.toEqual([]);
    expect(named.filter((path) => !existsSync(join(example.folder, path)))).toEqual([]);
  });
});

const skip = example.skip || (noBrowser !== undefined && !process.env.CI);
if (noBrowser && skip) console.warn(`The page of examples/react is not tested, ${noBrowser}`);

describe.skipIf(skip)('the page of examples/react', () => {
  let service: FakeUpstream;
  let gateway: Gateway;
  let server: PreviewServer;
  let browser: Browser;
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
      startGateway({ settings: { FORWARD_HEADERS: 'x-sandbox-fail' }, upstreamUrl: overProxy }),
      example.run('npm', ['run', 'build']),
    ]);
    server = await preview({
      root: example.folder,
      preview: { host: '127.0.0.1', port: 0, proxy: { '/graphql': new URL(gateway.url).origin } },
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await gateway?.close();
    await service?.close();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    keys = [];
    page.on('request', (request) => {
      const { 'idempotency-key': key } = request.headers();
      if (key) keys.push(key);
    });
    gateway.sandbox.clearCalls();
    await page.goto(server.resolvedUrls!.local[0]!);
    await page.getByLabel('API key').fill('demo-coop');
    await click('Sign in');
    await page.getByText('240 farmers').waitFor();
  });
  afterEach(async () => {
    service.respond = undefined;
    await page.close();
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

    expect(calls()).toEqual([
      'GET /supply-chains/farmers/?limit=30&offset=0',
      'GET /supply-chains/farmers/?limit=30&offset=30',
      'GET /supply-chains/farmers/?limit=30&offset=30',
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
    await page.route('**/graphql', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
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
});
