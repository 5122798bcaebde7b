import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../test/support/browser.ts';
import { type FakedGateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { callerClaims } from '../../../test/support/tokens.ts';
import { buildIfMissing } from '../serve.ts';
import { GraphiqlPage, skipBrowser } from './graphiql-page.ts';

const refusal = {
  status: 401,
  body: '{"success":false,"message":{"detail":"Token is invalid"},"detail":"","code":401,"data":{}}',
};

// Megabytes of script take their time where many tests run at once.
describe.skipIf(skipBrowser)('signing in with GraphiQL', { timeout: 60_000 }, () => {
  let gateway: FakedGateway;
  let browser: Browser;
  let graphiql: GraphiqlPage;

  beforeAll(async () => {
    await buildIfMissing({ info() {}, warn() {} });
    gateway = await startFakedGateway({ CALLER_CLAIMS: callerClaims }, { sandbox: { dialect: 'connect' } });
    browser = await launchBrowser();
    graphiql = await GraphiqlPage.new(browser, gateway.url);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    gateway.upstream.respond = undefined;
    gateway.upstream.clear();
    await graphiql.open();
  });
  afterEach(() => {
    expect(graphiql.complaints).toEqual([]);
  });

  /** The keys of the reads of farmers. */
  const keys = () =>
    gateway.upstream.requests
      .filter(({ path }) => path.includes('farmers'))
      .map(({ headers }) => headers.authorization);
  const refreshes = () => gateway.upstream.calls.filter((call) => call === 'POST /auth/token/refresh/').length;

  async function signIn(password = 'sandbox') {
    const panel = await graphiql.panel('Keys');
    const form = panel.getByRole('group', { name: 'Sign in', exact: true });
    await form.getByLabel('User').fill('abena@sankofa.example');
    await form.getByLabel('Password').fill(password);
    await form.getByLabel('Password').press('Enter');
    await form.getByText(password === 'sandbox' ? 'Signed in as' : 'does not accept').waitFor();
    return form;
  }

  async function count(name: string) {
    await graphiql.typeInNewTab(`query ${name} { farmers(first_name: "${name}") { count } }`);
    await graphiql.run();
    await graphiql.answer.getByText('"count"').waitFor();
  }

  test('sends the token of the user in place of the key, and writes it nowhere', async () => {
    const form = await signIn();
    expect(await form.getByRole('status').innerText()).toBe('Signed in as abena@sankofa.example');
    expect(await form.getByLabel('Password').count()).toBe(0);

    await count('Osei');

    const [token = ''] = keys();
    expect(token).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    for (const text of [await graphiql.stored(), graphiql.page.url(), await graphiql.page.content()]) {
      expect(text).not.toContain(token.slice('Bearer '.length));
    }

    await form.getByRole('button', { name: 'Sign out' }).press('Enter');
    await expect.poll(() => form.getByLabel('User').evaluate((field) => field === document.activeElement)).toBe(true);
    await graphiql.run();
    await expect.poll(() => keys().at(-1)).toBe('demo-coop');
  });

  test('refreshes a token that ends, and sends the query again', async () => {
    await signIn();
    await count('Osei');
    const [first] = keys();
    gateway.upstream.respond = ({ headers }) => (headers.authorization === first ? refusal : undefined);

    await count('Adjei');

    expect(refreshes()).toBe(1);
    expect(keys().at(-1)).not.toBe(first);
  });

  test('signs the user out where the service refuses the refresh', async () => {
    const form = await signIn();
    await count('Osei');
    gateway.upstream.respond = () => refusal;

    await graphiql.typeInNewTab('query Adjei { farmers(first_name: "Adjei") { count } }');
    await graphiql.run();

    await graphiql.answer.getByText('sign in again').first().waitFor();
    await form.getByLabel('User').waitFor();
    // The browser notes the refusal too.
    for (const complaint of graphiql.complaints.splice(0)) expect(complaint).toContain('401');
  });

  test('says that the password is wrong, and holds it no longer', async () => {
    const form = await signIn('wrong');

    await form.getByRole('alert').getByText('does not accept this user name and password').waitFor();
    expect(await form.getByLabel('Password').inputValue()).toBe('');
    expect(await form.getByLabel('User').inputValue()).toBe('abena@sankofa.example');
    for (const complaint of graphiql.complaints.splice(0)) expect(complaint).toContain('401');
  });

  test('is not there over a service that gives no tokens', async () => {
    await using spec = await startGateway();
    const page = await GraphiqlPage.new(browser, spec.url);
    await page.open();

    const panel = await page.panel('Keys');

    await panel.getByLabel('Authorization', { exact: true }).waitFor();
    expect(await panel.getByLabel('Password').count()).toBe(0);
    await page.context.close();
  });
});
