import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { buildIfMissing } from '../serve.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('a fragment with @defer in GraphiQL', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing({ info() {}, warn() {} });
    gateway = await startGateway();
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
    await graphiql.open();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('shows the first part while the service works on the rest, and then all of it', async () => {
    const release = gateway.sandbox.delay('getCompany', Number.POSITIVE_INFINITY);
    await graphiql.typeInNewTab(
      'query Late { farmer(id: "3Z4CSTM722") { id ... @defer(label: "buyer") { buyer { country } } } }',
    );
    await graphiql.page.getByTitle(/until the first part/).waitFor();
    await graphiql.run();

    await graphiql.answer.getByText('"3Z4CSTM722"').waitFor();
    expect(await graphiql.answer.textContent()).not.toContain('country');
    release();
    await graphiql.answer.getByText('"country"').waitFor();

    const panel = await graphiql.panel('Upstream');
    await panel.getByText(/buyer came after \d/).waitFor();
    expect(await graphiql.answer.textContent()).not.toContain('upstream');
    expect(graphiql.complaints).toEqual([]);
  });
});
