import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { get } from '../../../test/support/rest.ts';
import { operationOf, uploadVariables } from '../operation.ts';
import { buildIfMissing } from '../serve.ts';
import { choose, uploadOf } from '../upload.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const maxUploadBytes = 10_000;

describe('an operation of the editor', () => {
  const query = 'mutation ($a: Upload, $b: Upload!, $note: String, $all: [Upload!]) { __typename }';
  const uploads = uploadVariables(operationOf(query));
  const label = choose(new File(['a'], 'a.pdf', { lastModified: 0 }));

  test('takes files in its variables of type Upload, as the multipart specification says', () => {
    expect(label).toBe('a.pdf (1 byte, changed 1970-01-01 00:00:00)');
    expect(uploads).toEqual(['a', 'b']);
    const form = [...uploadOf({ query, variables: { b: label, note: label } }, uploads)!.form];
    expect(form.map(([name]) => name)).toEqual(['operations', 'map', '0']);
    expect(JSON.parse(String(form[0]![1]))).toEqual({ query, variables: { b: null, note: label } });
    expect(form[1]![1]).toBe('{"0":["variables.b"]}');
    expect(form[2]![1]).toMatchObject({ name: 'a.pdf', size: 1 });
  });

  test('sends no file without a variable for it, and only files of this tab', () => {
    expect(uploadOf({ variables: { a: null, note: label } }, uploads)).toBeUndefined();
    expect(() => uploadOf({ variables: { a: label, b: label } }, uploads)).toThrow('one file for each request');
    expect(() => uploadOf({ variables: { a: 'b.pdf' } }, uploads)).toThrow('The file of $a is not at hand');
  });
});

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('in GraphiQL', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing(console);
    gateway = await startGateway({
      settings: {
        'limits.uploads.fileBytes': String(maxUploadBytes),
      },
    });
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    await graphiql.open();
    gateway.sandbox.clearCalls();
  });
  afterEach(() => expect(graphiql.complaints).toEqual([]));

  test('by keyboard alone: an example is opened and run, and its payments are made once', async () => {
    const { page } = graphiql;
    await graphiql.button('Show Keys').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: /Idempotency-Key/ }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Show Keys');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const example = page.getByRole('button', { name: 'Record a purchase with its payments' });
    // Past the sidebar, and past the examples before it.
    for (let presses = 0; presses < 40 && !(await example.evaluate((it) => it === document.activeElement)); presses++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const sent = page.waitForRequest((request) => request.headers()['idempotency-key'] !== undefined);
    await page.keyboard.press('ControlOrMeta+Enter');

    await graphiql.answer.getByText('"TRANSACTION_PREMIUM"').waitFor();
    expect((await sent).headers()['idempotency-key']).toMatch(/^[\da-f]{32}$/);
    const [write] = gateway.sandbox.calls();
    expect(write).toMatchObject({ method: 'POST', body: { transaction_payments: [{ amount: 36.15 }] } });
  });

  test('Files: a PDF is uploaded, by the tab that names it and no other', async () => {
    const content = Buffer.from('%PDF-1.4 an invoice');
    const file = (buffer: Buffer) => ({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer });
    const files = await graphiql.panel('Files');
    await files.getByText('no variable of type Upload').waitFor();
    await graphiql.openExample('Upload an invoice');
    await graphiql.panel('Files');
    const field = files.getByLabel('File for $invoice');
    await field.setInputFiles(file(content));
    await files.getByText(/^invoice.pdf \(19 bytes/).waitFor();
    await files.getByRole('button', { name: 'Run with the file' }).click();

    await files.getByText('was sent').waitFor();
    const { invoice } = await get(gateway.sandbox, `/transactions/payment-transactions/GSXFJUYP6Y/`);
    expect(invoice).toMatch(/_invoice\.pdf$/);
    await expect.poll(() => graphiql.answerText()).toContain(`"invoice":"${invoice}"`);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(gateway.sandbox.calls()[0]).toMatchObject({
      method: 'PATCH',
      status: 200,
      file: { type: 'application/pdf', sha256 },
    });

    // The file stays with its tab.
    gateway.sandbox.clearCalls();
    await graphiql.openTab('Search');
    await graphiql.run();
    await graphiql.answer.getByText('Vestine').first().waitFor();
    expect(gateway.sandbox.calls().filter((call) => call.file)).toEqual([]);

    await graphiql.openTab('UploadInvoice');
    await field.setInputFiles(file(Buffer.alloc(maxUploadBytes + 1)));
    await files.getByRole('button', { name: 'Run with the file' }).click();
    await files.getByText('is larger than the gateway takes').waitFor();
    await graphiql.answer.getByText('PAYLOAD_TOO_LARGE').waitFor();
    // The browser notes the refusal too.
    for (const complaint of graphiql.complaints.splice(0)) expect(complaint).toContain('413');

    const two = await graphiql.page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      for (const name of ['a.pdf', 'b.pdf']) transfer.items.add(new File(['a'], name));
      return transfer;
    });
    await files.locator('.gateway-drop').dispatchEvent('drop', { dataTransfer: two });
    await files.getByRole('alert').getByText('takes one file for each request').waitFor();
  });

  test('Keys holds a key for the browser tab, and writes it nowhere', async () => {
    const key = 'Bearer demo-buyer';
    const keysSent = () => new Set(gateway.sandbox.calls().map(({ headers }) => headers.authorization));
    const keys = await graphiql.panel('Keys');
    const field = keys.getByLabel('Authorization', { exact: true });
    expect(await field.inputValue()).toBe('demo-coop');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill(key);
    await graphiql.typeInNewTab('query Mine { currencies(search: "EUR") { count } }');
    await graphiql.run();
    await graphiql.answer.getByText('"count"').waitFor();
    expect(keysSent()).toEqual(new Set([key]));

    gateway.sandbox.clearCalls();
    await graphiql.typeInNewTab('query Theirs { currencies(search: "RWF") { count } }');
    await graphiql.typeHeaders({ Authorization: 'demo-coop' });
    await keys.getByText('that one is sent').waitFor();
    await graphiql.run();
    await expect.poll(keysSent).toEqual(new Set(['demo-coop']));

    // Tabs are written half a second after an edit, and the history when something is run.
    const isWritten = (key: string) => localStorage.getItem(key)?.includes('query Theirs');
    await graphiql.page.waitForFunction(isWritten, 'graphiql:tabState');
    await graphiql.page.waitForFunction(isWritten, 'graphiql:queries');
    for (const text of [await graphiql.stored(), graphiql.page.url()]) expect(text).not.toMatch(/demo-(coop|buyer)/);
    await graphiql.page.reload();
    await graphiql.isReady();
    expect(await field.inputValue()).toBe(key);

    await keys.getByRole('button', { name: 'Clear' }).click();
    await graphiql.run();
    await graphiql.answer.getByText('UNAUTHENTICATED').waitFor();
    await graphiql.page.reload();
    await graphiql.isReady();
    expect(await field.inputValue()).toBe('');
  });

  test('the answer says that the gateway has stopped, without the stack of the page', async () => {
    await graphiql.page.route('**/graphql', (route) => route.abort());
    await graphiql.typeInNewTab('{ farmers { count } }');
    await graphiql.run();
    await graphiql.answer.getByText('is it running?').waitFor();
    expect(await graphiql.answerText()).toMatch(/^{"errors":\[{"message":"Thegatewaydoesnotanswer[^"]*"}\]}$/);
    expect(graphiql.complaints).toContainEqual(expect.stringContaining('net::ERR_FAILED'));
    graphiql.complaints.length = 0;
    await graphiql.page.unrouteAll();
  });

  test('Explorer: a click on a field puts it into the operation', async () => {
    await graphiql.button('Show GraphiQL Explorer').click();
    const explorer = graphiql.page.locator('.graphiql-explorer-root');
    await explorer.getByText('previous', { exact: true }).click();
    await graphiql.isTakenUp('previous');
  });
});
