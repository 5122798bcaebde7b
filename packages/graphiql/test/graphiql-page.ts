import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
  Response,
  ViewportSize,
} from 'playwright-core';
import { expect } from 'vitest';
import { noBrowser } from '../../../test/support/browser.ts';

// In CI a missing browser fails in launchBrowser: nobody reads there that tests were skipped.
export const skipBrowser = noBrowser !== undefined && !process.env.CI;
if (skipBrowser) console.warn(`The browser tests of GraphiQL are skipped, ${noBrowser}`);

/** GraphiQL as its user sees it: in a browser that knows nothing of earlier visits. */
export class GraphiqlPage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page, breaches of its content security policy among them, and requests to anywhere else. */
  readonly complaints: string[] = [];
  readonly #url: string;
  readonly #viewport: ViewportSize;

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.#url = url;
    this.#viewport = page.viewportSize()!;
    context.setDefaultTimeout(30_000);
    context.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    context.on('weberror', (error) => this.complaints.push(error.error().message));
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      const leavesTheGateway = protocol.startsWith('http') && origin !== new URL(url).origin;
      if (leavesTheGateway) this.complaints.push(`request to ${request.url()}`);
    });
  }

  static async new(browser: Browser, url: string, options?: BrowserContextOptions): Promise<GraphiqlPage> {
    const context = await browser.newContext(options);
    const graphiql = new GraphiqlPage(context, await context.newPage(), url);
    await context.exposeFunction('complain', (what: string) => graphiql.complaints.push(what));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        Object(window).complain(`${effectiveDirective} forbids ${blockedURI}`),
      );
    });
    return graphiql;
  }

  /** Opens the page as at a first visit. Each takes a second of CPU, because the browser keeps no compiled scripts. */
  async open(viewport: ViewportSize = this.#viewport): Promise<Response> {
    if (this.page.url() !== 'about:blank') await this.clearStorage();
    this.complaints.length = 0;
    await this.page.setViewportSize(viewport);
    await this.page.mouse.move(0, 0);
    const response = await this.page.goto(this.#url);
    await this.isReady();
    return response!;
  }

  /**
   * Leaves the page, as if this had been no visit. A page of another origin would run in a process of its own, and end that with
   * the compiled scripts.
   */
  async leave(): Promise<void> {
    await this.clearStorage();
    await this.page.unrouteAll();
    await this.page.goto(new URL('/health/live', this.#url).href);
  }

  /** Deletes all that the page has stored, and keeps it from storing more. */
  async clearStorage(): Promise<void> {
    await this.page.evaluate(() => {
      Storage.prototype.setItem = () => {};
      localStorage.clear();
      sessionStorage.clear();
    });
  }

  async isReady(): Promise<void> {
    await this.queryEditor.locator('.view-line').first().waitFor();
  }

  get queryEditor(): Locator {
    return this.page.locator('.graphiql-query-editor');
  }
  get editorTools(): Locator {
    return this.page.locator('.graphiql-editor-tool');
  }
  get answer(): Locator {
    return this.page.locator('.result-window');
  }
  /** The figures of the last run, below the run button. */
  get total(): Locator {
    return this.page.locator('.gateway-total');
  }

  /** The figures that the gateway expects of the open operation, above those of the last run. */
  get estimate(): Locator {
    return this.page.locator('.gateway-estimate');
  }

  /** The visible answer without its spaces, because the pane breaks lines at its edge. */
  async answerText(): Promise<string> {
    return (await this.answer.locator('.view-lines').innerText()).replace(/\s/g, '');
  }

  tab(operation: string): Locator {
    return this.page.locator('.graphiql-tab-button', { hasText: operation });
  }

  /** Tabs move while the name of one changes. GraphiQL takes a click meanwhile for the begin of a drag. */
  async openTab(operation: string): Promise<void> {
    const isOpen = this.page.locator('.graphiql-tab-active', { has: this.tab(operation) });
    await expect
      .poll(async () => {
        await this.tab(operation).click();
        return isOpen.isVisible();
      })
      .toBe(true);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Opens the pane of a plugin, and gives it. */
  async panel(title: string): Promise<Locator> {
    await this.button(`Show ${title}`).click();
    return this.page.getByRole('region', { name: title, exact: true });
  }

  async openExample(title: string): Promise<void> {
    const examples = this.page.getByRole('region', { name: 'Examples', exact: true });
    if (!(await examples.isVisible())) await this.panel('Examples');
    await examples.getByRole('button', { name: title, exact: true }).click();
  }

  async typeInNewTab(query: string): Promise<void> {
    await this.button('New tab').click();
    await this.queryEditor.locator('.view-lines').click();
    await this.page.keyboard.insertText(query);
  }

  async typeHeaders(headers: object): Promise<void> {
    await this.button('Headers').click();
    await this.editorTools.locator('.view-lines').nth(1).click();
    await this.page.keyboard.press('ControlOrMeta+a');
    // The editor would put brackets around a selection.
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(JSON.stringify(headers));
  }

  /** Waits until GraphiQL has stored an edit. */
  async isTakenUp(text: string): Promise<void> {
    await this.page.waitForFunction((wanted) => localStorage.getItem('graphiql:query')?.includes(wanted), text);
  }

  async run(): Promise<void> {
    await this.page.getByRole('button', { name: /^Execute query/ }).click();
  }

  /** Everything that this origin stores on disk. */
  async stored(): Promise<string> {
    return this.page.evaluate(() => JSON.stringify(localStorage));
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
