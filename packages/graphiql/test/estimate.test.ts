import type { Browser, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import { estimateText } from '../estimate-text.ts';
import { byteText, exactMs } from '../figures.ts';
import { buildIfMissing } from '../serve.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

test('bytes and times are as short as a toolbar is narrow', () => {
  expect([0, 999, 1_000, 3_149, 999_949, 999_950, 20_000_000].map(byteText)).toEqual([
    ...['0 B', '999 B', '1.0 kB', '3.1 kB', '999.9 kB', '1.0 MB', '20.0 MB'],
  ]);
  expect([0.4, 98.5, 999, 1_234, 12_345].map(exactMs)).toEqual(['0 ms', '99 ms', '999 ms', '1.23 s', '12.3 s']);
});

describe('the sentence of an estimate', () => {
  const expected = { calls: 12, ms: 412, workMs: 1_260 };

  test('has the expected and the fewest calls, the time and the work', () => {
    expect(estimateText({ least: 1, expected })).toBe(
      'Estimate without caches: about 12 calls (at least 1), 410 ms until the answer, 1.3 s of the service’s work.',
    );
  });

  test('gives one number where the fewest calls are the expected ones', () => {
    expect(estimateText({ least: 1, expected: { ...expected, calls: 1 } })).toContain('caches: 1 call, 410 ms');
    expect(estimateText({ least: 0, expected: { calls: 0, ms: 0, workMs: 0 } })).toBe(
      'Estimate: no call of the service.',
    );
  });
});

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('GraphiQL', { timeout: 60_000 }, () => {
  let gateway: Gateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing(console);
    gateway = await startGateway({ file: { limits: { operations: { cost: 2_000 } } } });
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
    await graphiql.open();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(() => gateway.sandbox.clearCalls());
  afterEach(() => expect(graphiql.complaints).toEqual([]));

  test('shows the estimate before a run below its run button, and time, calls and bytes after it', async () => {
    await graphiql.typeInNewTab('query Some { farmers(limit: 100) { results { name phone } } }');
    // A call takes 50 ms here, and a row nothing.
    await expect.poll(() => graphiql.estimate.innerText()).toMatch(/estimate\s+≈ 51 ms\s+≈ 1 call\s+50 ms work/);
    expect(gateway.sandbox.calls()).toEqual([]);
    await graphiql.total.getByText('none yet').waitFor();

    const answered = graphiql.page.waitForEvent('response', (response) => isRun(response));
    await graphiql.run();
    const { responseBodySize: wireBytes } = await (await answered).request().sizes();
    const text = await (await answered).text();
    const { extensions: _trace, ...shown } = JSON.parse(text);
    expect(wireBytes).toBeLessThan(text.length / 2);
    await graphiql.total.getByText('1 call').waitFor();
    await expect.poll(() => graphiql.total.getAttribute('title')).toContain('as they came');
    const [, ms, calls, bytes] = (await graphiql.total.innerText()).split(/\s*\n\s*/);
    expect(ms).toMatch(/^\d+ ms$|^[\d.]+ s$/);
    expect(calls).toBe('1 call');
    // Other clients do not get the trace.
    expect(bytes).toBe(byteText(Math.round((wireBytes * JSON.stringify(shown).length) / text.length)));

    await graphiql.total.click();
    await graphiql.page
      .getByRole('region', { name: 'Upstream' })
      .getByText('Estimate without caches: 1 call')
      .waitFor();
  });

  test('shows the refusal that a run would meet, and nothing for an operation that is not valid', async () => {
    await graphiql.typeInNewTab('query Huge { farmers(limit: 1000) { results { buyer { creator { id } } } } }');
    await graphiql.estimate.getByText('refused').waitFor();
    expect(await graphiql.estimate.getAttribute('title')).toContain('limits.operations.cost');
    // The browser notes the refusal too.
    for (const complaint of graphiql.complaints.splice(0)) expect(complaint).toContain('400');
    await graphiql.run();
    await graphiql.total.getByText('1 error').waitFor();
    for (const complaint of graphiql.complaints.splice(0)) expect(complaint).toContain('400');
    await graphiql.typeInNewTab('query Wrong { farmers { nothing } }');
    await expect.poll(() => graphiql.estimate.count()).toBe(0);
  });

  test('asks for the estimate of a mutation without a key', async () => {
    const asked = graphiql.page.waitForRequest(
      (request) =>
        request.headers()['x-trace-upstream'] === 'estimate' && Boolean(request.postData()?.includes('Register')),
    );
    await graphiql.typeInNewTab('mutation Register { createFarmer(input: { first_name: "Esi" }) { id } }');
    const { authorization } = (await asked).headers();
    expect(authorization).toBeUndefined();
    await graphiql.estimate.getByText('≈ 1 call').waitFor();
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test('changes the pace of the sandbox for all callers, and the estimate with it', async () => {
    await using slow = await startGateway({ switchesPace: true, costs: 'learnt' });
    const page = await GraphiqlPage.new(browser, slow.url);
    await page.open();
    await page.typeInNewTab('query Some { farmers(limit: 10) { results { name } } }');
    const pace = page.page.getByLabel('Sandbox');
    expect(await pace.inputValue()).toBe('none');
    await expect.poll(() => page.estimate.innerText()).toMatch(/≈ 1 ms/);
    await pace.selectOption('real');
    await expect.poll(() => page.estimate.innerText()).toMatch(/≈ 90 ms/);
    const { calls } = await slow.query('{ farmers(limit: 10) { results { name } } }');
    expect(calls).toHaveLength(1);
    expect(slow.sandbox.calls()[0]?.workMs).toBe(90);

    // Costs that were learnt at one pace are not those of another.
    await pace.selectOption('50ms');
    await expect.poll(() => page.estimate.innerText()).toMatch(/≈ 50 ms/);
    await slow.query('{ farmers(limit: 10) { results { name } } }');
    expect(slow.sandbox.calls()[0]?.workMs).toBe(50);
    // The sandbox works on these at once.
    const companies = Array.from({ length: 16 }, (_, place) => `c${place}: company(id: "C${place}") { name }`);
    const { extensions } = await slow.query(`{ ${companies} }`, {}, { headers: { 'x-trace-upstream': 'estimate' } });
    expect(extensions).toMatchObject({ upstream: { estimate: { expected: { calls: 16, ms: 52, workMs: 800 } } } });
    await pace.selectOption({ label: 'instant' });
    await expect.poll(() => page.estimate.innerText()).toMatch(/≈ 1 ms/);
    await page.page.reload();
    await page.isReady();
    expect(await pace.inputValue()).toBe('none');

    // Another page changes it.
    await fetch(new URL('/graphiql/pace/real', slow.url), { method: 'PUT' });
    await page.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.page.getByText('is “real” now: another page has changed it').waitFor();
    expect(await pace.inputValue()).toBe('real');
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('offers no pace where the gateway has none to change', async () => {
    expect(await graphiql.page.getByLabel('Sandbox').count()).toBe(0);
    const answer = await fetch(new URL('/graphiql/pace/real', gateway.url), { method: 'PUT' });
    expect(answer.status).toBe(404);
  });

  const isRun = (response: Response) => response.request().headers()['x-trace-upstream'] === 'true';
});
