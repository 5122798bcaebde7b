import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import type { Call } from '../../sandbox/server.ts';
import { buildIfMissing } from '../serve.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('the panel Upstream', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;
  let port: string;

  beforeAll(async () => {
    await buildIfMissing(console);
    port = String(await freePort());
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, `http://127.0.0.1:${port}/graphql`);
  });
  afterAll(() => browser?.close());
  // A gateway for each test, because lists that an earlier one has read would cost no call. All have one address, for which
  // the browser has the compiled scripts.
  beforeEach(async () => {
    gateway = await startGateway({
      settings: {
        PORT: port,
        FORWARD_HEADERS: 'x-sandbox-fail,x-sandbox-delay',
        'cache.lists.ttlMs': '30000',
        'retries.max': '1',
      },
    });
    await graphiql.open();
    gateway.sandbox.clearCalls();
  });
  afterEach(async () => {
    await graphiql.leave();
    await gateway.close();
    expect(graphiql.complaints).toEqual([]);
  });

  const panel = () => graphiql.page.getByRole('region', { name: 'Upstream', exact: true });
  const details = () => panel().getByRole('region', { name: 'Details of a call' });
  const lines = () => panel().locator('.gateway-waterfall tbody tr');
  /** In its row, because the browser names all buttons of the page to find one among them. */
  const farmer = (place: number) =>
    lines()
      .nth(place)
      .getByRole('button', { name: `farmers F${place}`, exact: true });

  /** The names of the calls, with the id or the rows of each. */
  const names = () => lines().getByRole('button').allInnerTexts();

  test('draws each call of a list with references on one axis, as the service got it', async () => {
    await graphiql.run();
    await graphiql.answer.getByText('"count"').waitFor();
    const calls = gateway.sandbox.calls();
    expect(calls.length).toBeGreaterThan(5);
    await graphiql.total.getByText(`${calls.length} calls`).click();
    expect((await names()).toSorted()).toEqual(calls.map(nameOf).toSorted());
    // One axis for all: the first call begins where the others have not.
    const starts = await panel()
      .locator('.gateway-call')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().left));
    expect(starts).toHaveLength(calls.length);
    expect(Math.max(...starts)).toBeGreaterThan(Math.min(...starts));
    await panel().getByRole('list', { name: 'Legend' }).getByText('by id').waitFor();

    // The page shows the trace only where the headers ask for it.
    await graphiql.typeInNewTab('query Euro { currencies(search: "EUR") { count } }');
    await graphiql.total.getByText('none yet').waitFor();
    await graphiql.run();
    await expect.poll(() => graphiql.answerText()).toMatch(/^\{"data":\{"currencies":\{"count":\d+\}\}\}$/);
    await graphiql.typeHeaders({ 'X-Trace-Upstream': 'true' });
    await graphiql.run();
    await graphiql.answer.getByText('"extensions"').waitFor();

    // Each tab has its own.
    await graphiql.openTab('TransactionsWithReferences');
    await graphiql.total.getByText(`${calls.length} calls`).waitFor();
  });

  test('says by keyboard and by pointer why each of hundreds of calls was made, and what the other ways were', async () => {
    const fields = ['ProductTransaction.source'];
    const calls = Array.from({ length: 300 }, (_, place) => ({
      ...{
        method: 'GET',
        path: '/supply-chains/farmers/{hashid}/',
        id: `F${place}`,
        status: 200,
        start: place,
        ms: 40,
      },
      ...{ queuedMs: 10, workMs: 20, rows: 1, bytes: 400, reason: 'by id', fields },
    }));
    const way = (gets: number, pages: number, ms: number, workMs: number) => ({
      gets,
      pages,
      width: pages,
      ms,
      workMs,
    });
    const choice = { path: '/supply-chains/farmers/', start: 100, fields, chosen: way(200, 0, 1500, 6000) };
    const choices = [{ ...choice, others: [way(0, 4, 1800, 7200)] }];
    const upstream = { total: 300, calls, saved: [], choices };
    await graphiql.page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query Many')
        ? route.fulfill({ json: { data: {}, extensions: { upstream } } })
        : route.fallback(),
    );
    await panelOf('query Many { farmers { count } }');
    await expect.poll(() => lines().count()).toBe(300);
    await details().getByText('arrow keys').waitFor();

    await farmer(0).focus();
    await details().getByText('GET /supply-chains/farmers/F0/').waitFor();
    await details().getByText('ProductTransaction.source').waitFor();
    // The choice came later.
    expect(await details().innerText()).not.toContain('Chosen');
    for (let place = 1; place < 20; place++) {
      await graphiql.page.keyboard.press('ArrowDown');
      await details().getByText(`GET /supply-chains/farmers/F${place}/`).waitFor();
      // The details do not cover the line.
      const [marked, below] = await Promise.all([farmer(place).boundingBox(), details().boundingBox()]);
      expect(marked!.y + marked!.height).toBeLessThanOrEqual(below!.y);
    }
    await graphiql.page.keyboard.press('End');
    await details().getByText('GET /supply-chains/farmers/F299/').waitFor();
    const said = await details().innerText();
    expect(said).toContain('299 ms to 339 ms: 10 ms until a connection was free');
    expect(said).toMatch(/Chosen\s+200 GETs ≈ 1.5 s \(6 s of work\)\s+Instead of\s+4 pages ≈ 1.8 s \(7.2 s of work\)/);
    await graphiql.page.keyboard.press('ArrowUp');
    await details().getByText('GET /supply-chains/farmers/F298/').waitFor();
    await farmer(299).hover();
    await expect.poll(() => details().innerText()).toBe(said);
  });

  test('marks retries, failed calls and reads without a call', async () => {
    await panelOf('query Both { products { results { id } } farmers { count } }', {
      'X-Sandbox-Fail': '503:/supply-chains',
    });
    await expect
      .poll(() => rowTexts(lines()))
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('products rows'),
          expect.stringMatching(/farmers row 1 503/),
          expect.stringMatching(/farmers row 1 retry 1 503/),
        ]),
      );
    await panel().getByText('2 calls failed, 1 is a retry.').waitFor();
    const colour = (bar: Locator) => bar.first().evaluate((it) => getComputedStyle(it).backgroundColor);
    const failed = lines().filter({ hasText: '503' }).locator('.gateway-call');
    const other = lines().filter({ hasText: 'products' }).locator('.gateway-call');
    expect(await colour(failed)).not.toBe(await colour(other));

    await graphiql.run();
    const cached = lines().filter({ hasText: 'cache' });
    await cached.waitFor();
    await cached.hover();
    await details().getByText('The gateway read it a short while ago.').waitFor();
    await panel().getByRole('list', { name: 'Legend' }).getByText('no call').waitFor();
  });

  test('is made wide by the drag bar of GraphiQL, also over a reload, and never scrolls sideways', async () => {
    await graphiql.run();
    await graphiql.answer.getByText('"count"').waitFor();
    await graphiql.panel('Upstream');
    const pane = graphiql.page.locator('.graphiql-plugin');
    const width = () => pane.evaluate((it) => it.clientWidth);
    const overflow = () => pane.evaluate((it) => it.scrollWidth - it.clientWidth);
    expect(await overflow()).toBe(0);
    expect(await width()).toBeGreaterThan(450);

    const { page } = graphiql;
    // Waits until the bar stands still: the panel opens with a width of its own.
    await page.locator('.graphiql-plugin + .graphiql-horizontal-drag-bar').hover();
    await page.mouse.down();
    // One move, because GraphiQL stores any width on the way that lasts.
    await page.mouse.move(900, 300);
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(800);
    expect(await overflow()).toBe(0);

    await page.waitForFunction(() => Number(localStorage.getItem('graphiql:docExplorerFlex')) > 1);
    await page.reload();
    await graphiql.isReady();
    await expect.poll(width).toBeGreaterThan(800);
  });

  test('is closed at first in a narrow window, as all panels, and readable once it is open', async () => {
    await graphiql.open({ width: 800, height: 720 });
    await graphiql.page.getByRole('heading', { name: 'Examples' }).waitFor({ state: 'detached' });
    const editor = await graphiql.queryEditor.boundingBox();
    expect(editor!.width).toBeGreaterThan(300);

    await graphiql.run();
    await graphiql.total.getByText(/call/).click();
    await lines().first().waitFor();
    const pane = graphiql.page.locator('.graphiql-plugin');
    expect(await pane.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  });

  test('shows no answer of a run that is stopped, or whose tab is left', async () => {
    await graphiql.typeInNewTab('query Slow { farmers { count } }');
    await graphiql.typeHeaders({ 'X-Sandbox-Delay': '20000' });
    await graphiql.run();
    await graphiql.page.getByRole('button', { name: /^Stop query/ }).click();
    await graphiql.total.getByText('stopped').waitFor();

    await graphiql.run();
    await graphiql.total.getByText('running').waitFor();
    await graphiql.openTab('Search');
    await graphiql.total.getByText('none yet').waitFor();
    await graphiql.openTab('Slow');
    await graphiql.total.getByText('stopped').waitFor();
    expect(await graphiql.answerText()).toBe('');
  });

  /** Runs an operation with the panel open. */
  async function panelOf(query: string, headers?: object): Promise<void> {
    await graphiql.panel('Upstream');
    await panel().getByText('Run an operation').waitFor();
    await graphiql.typeInNewTab(query);
    if (headers) await graphiql.typeHeaders(headers);
    await graphiql.run();
  }
});

/** The name that the panel gives a call of the sandbox. */
function nameOf({ path }: Call): string {
  const { pathname, searchParams } = new URL(path, 'http://service');
  const [, , endpoint, id] = pathname.split('/');
  const limit = Number(searchParams.get('limit'));
  const offset = Number(searchParams.get('offset'));
  return `${endpoint} ${id || `rows ${offset + 1}–${offset + limit}`}`;
}

async function rowTexts(rows: Locator): Promise<string[]> {
  return (await rows.locator('th').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
}
