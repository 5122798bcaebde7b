import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { exampleScreens } from '../examples.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const examples = [...new Set(exampleScreens.flatMap((screen) => screen.examples))];

test.each(examples)('a comment of an example has three lines at most: $title', ({ query }) => {
  const comments = query.match(/(?:^ *#.*\n)+/gm) ?? [];
  expect(comments.filter((comment) => comment.trimEnd().split('\n').length > 3)).toEqual([]);
});

describe.skipIf(skipBrowser)('GraphiQL', () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), launchBrowser()]);
    graphiql = await GraphiqlPage.new(browser, gateway.url);
  });
  afterEach(() => expect(graphiql.complaints).toEqual([]));
  afterAll(() => Promise.all([browser?.close(), gateway?.close()]));

  describe('in a window of 390 px', () => {
    const narrow = { width: 390, height: 844 };
    // One visit, because each takes a second of the processor. Tests begin with the editor in view.
    beforeAll(() => graphiql.open(narrow));
    beforeEach(async () => {
      await graphiql.page.setViewportSize(narrow);
      await tab('Query').click();
    });

    const tab = (name: string) => graphiql.page.getByRole('tab', { name, exact: true });
    const parts = () =>
      ({
        Query: graphiql.queryEditor,
        Answer: graphiql.answer,
        Panel: graphiql.page.locator('.graphiql-plugin'),
      }) satisfies Record<string, Locator>;

    /** One view alone is to be seen, and it lies inside of the window, above the tabs. */
    async function expectView(name: keyof ReturnType<typeof parts>): Promise<void> {
      await expect.poll(() => tab(name).getAttribute('aria-selected')).toBe('true');
      for (const [other, part] of Object.entries(parts())) {
        await expect.poll(() => part.isVisible(), { message: other }).toBe(other === name);
      }
      const box = async () => (await parts()[name].boundingBox())!;
      await expect.poll(async () => (await box()).x).toBeGreaterThanOrEqual(0);
      await expect.poll(async () => (await box()).x + (await box()).width).toBeLessThanOrEqual(390);
      const { y, width, height } = await box();
      expect(width).toBeGreaterThan(280);
      const tabs = (await graphiql.page.getByRole('tablist', { name: 'Parts of the page' }).boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(tabs.y);
      expect(tabs).toMatchObject({ x: 0, width: 390 });
      expect(tabs.y + tabs.height).toBe(844);
      expect(await graphiql.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }

    test('shows the editor first, the answer after a run, and panels on demand', async () => {
      await graphiql.open(narrow);
      await expectView('Query');
      await graphiql.page.locator('.graphiql-execute-button').click();
      await expectView('Answer');
      await expect.poll(() => graphiql.answer.textContent()).toContain('"data"');

      await tab('Panel').click();
      await expectView('Panel');
      await graphiql.page.getByRole('button', { name: 'Search', exact: false }).first().click();
      await expectView('Query');
      await graphiql.page.getByRole('button', { name: 'Upstream' }).click();
      await expectView('Panel');
      await tab('Answer').click();
      await expectView('Answer');
      await graphiql.button('Show Upstream').click();
      await expectView('Panel');
      await tab('Query').click();
      await tab('Panel').click();
      await expectView('Panel');
      expect(await graphiql.page.getByRole('region', { name: 'Upstream', exact: true }).isVisible()).toBe(true);
    });

    test('moves through its tabs by keyboard', async () => {
      await tab('Query').focus();
      for (const name of ['Answer', 'Panel', 'Query'] as const) {
        await graphiql.page.keyboard.press('ArrowRight');
        await expectView(name);
        expect(await tab(name).evaluate((element) => element === document.activeElement)).toBe(true);
      }
      await graphiql.page.keyboard.press('ArrowLeft');
      await expectView('Panel');
      await graphiql.page.keyboard.press('Home');
      await expectView('Query');
      await graphiql.page.keyboard.press('End');
      await expectView('Panel');
      const controlled = await tab('Panel').getAttribute('aria-controls');
      const part = graphiql.page.getByRole('tabpanel', { name: 'Panel', exact: true });
      expect(await part.isVisible()).toBe(true);
      expect(await part.getAttribute('id')).toBe(controlled);
    });

    test('keeps the focus of the keyboard on a tab when a run hides the editor', async () => {
      await graphiql.queryEditor.locator('.view-lines').click();
      await graphiql.page.keyboard.press('ControlOrMeta+Enter');
      await expectView('Answer');
      expect(await tab('Answer').evaluate((element) => element === document.activeElement)).toBe(true);
    });

    test('has its tabs in the colours of the theme', async () => {
      const tabs = graphiql.page.getByRole('tablist', { name: 'Parts of the page' });
      const background = () => tabs.evaluate((element) => getComputedStyle(element).backgroundColor);
      await graphiql.page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(background).toBe('rgb(255, 255, 255)');
      await graphiql.page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(background).toMatch(/^rgb\((\d\d, ){2}\d\d\)$/);
    });

    test('shows all side by side, without tabs, once the window is wide', async () => {
      await graphiql.page.setViewportSize({ width: 1280, height: 720 });
      await expect.poll(() => tab('Query').count()).toBe(0);
      await expect.poll(() => graphiql.answer.isVisible()).toBe(true);
      expect(await graphiql.queryEditor.isVisible()).toBe(true);
      expect(await graphiql.page.locator('.graphiql-response').getAttribute('role')).toBeNull();
    });
  });

  test('moves the bar between editor and answer by keyboard, and keeps its place', async () => {
    await graphiql.open();
    const bar = graphiql.page.getByRole('separator', { name: 'Width of the editor' });
    const value = async () => Number(await bar.getAttribute('aria-valuenow'));
    const widths = async () => {
      const [editor, answer] = await Promise.all([graphiql.queryEditor.boundingBox(), graphiql.answer.boundingBox()]);
      return editor!.width - answer!.width;
    };
    const [first, difference] = [await value(), await widths()];
    await bar.focus();
    for (let press = 0; press < 3; press += 1) await graphiql.page.keyboard.press('ArrowLeft');
    await expect.poll(value).toBeLessThan(first - 10);
    expect(await widths()).toBeLessThan(difference - 100);
    const moved = await value();
    await graphiql.page.reload();
    await graphiql.isReady();
    await expect.poll(value).toBe(moved);

    await bar.focus();
    await graphiql.page.keyboard.press('Home');
    await expect.poll(value).toBe(30);
    await graphiql.page.keyboard.press('End');
    await expect.poll(value).toBe(70);
  });
});
