import { http } from 'msw';
import { setupServer } from 'msw/node';
import { startGateway, type TestGateway } from 'traceability-graphql-gateway/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

let gateway: TestGateway;
const server = setupServer(http.all('*/graphql', ({ request }) => gateway.fetch(request)));

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' });
  gateway = await startGateway();
});
afterEach(() => gateway.reset());
afterAll(() => gateway.stop());
beforeEach(() => expect(gateway.calls()).resolves.toEqual([]));
afterAll(() => server.close());

/** As an app sends it, to the origin of its page. */
async function ask(body: BodyInit, headers: HeadersInit = { 'content-type': 'application/json' }) {
  const response = await fetch('https://app.example/graphql', {
    method: 'POST',
    headers: { authorization: 'demo-coop', ...headers },
    body,
  });
  return (await response.json()) as { data: Record<string, { id: string; invoice: string; count: number }> };
}

test('MSW passes requests of the app to the gateway', async () => {
  const { data } = await ask(JSON.stringify({ query: '{ farmers { count } }' }));

  expect(data.farmers?.count).toBe(240);
  await expect(gateway).toCostAtMost({ calls: 1, ms: 100 });
});

test('MSW passes uploads of the app to the gateway', async () => {
  const payments = await gateway.graphql('{ paymentTransactions(limit: 1) { results { id } } }');
  const form = new FormData();
  const query =
    'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { invoice } }';
  const { id } = payments.data.paymentTransactions.results[0];
  form.set('operations', JSON.stringify({ query, variables: { id, file: null } }));
  form.set('map', JSON.stringify({ 0: ['variables.file'] }));
  form.set('0', new File(['%PDF'], 'invoice.pdf', { type: 'application/pdf' }));

  const { data } = await ask(form, { 'apollo-require-preflight': 'true' });

  expect(data.uploadInvoice?.invoice).toMatch(/^http/);
});

test('requests by GET and a stub of fetch reach the gateway', async () => {
  const answer = await gateway.fetch(`/graphql?query=${encodeURIComponent('{ farmers { count } }')}`, {
    headers: { authorization: 'demo-coop', 'apollo-require-preflight': 'true' },
  });

  expect(await answer.json()).toEqual({ data: { farmers: { count: 240 } } });
});
