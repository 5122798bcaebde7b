import { expect, test } from 'vitest';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';

test('a 404 of a list says to check UPSTREAM_URL, a 404 by id is NOT_FOUND', async () => {
  await using proxy = await startFakeUpstream({ target: 'http://127.0.0.1:1/v1' });
  proxy.respond = () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' });
  await using gateway = await startGateway({ upstreamUrl: proxy.url });

  const answer = await gateway.query('{ farmers { count } farmer(id: "A") { id } }');

  expect(answer.data).toEqual({ farmers: null, farmer: null });
  expect(answer.errors.map(({ path, extensions: { code } }) => [path?.[0], code]).toSorted()).toEqual([
    ['farmer', 'NOT_FOUND'],
    ['farmers', 'UPSTREAM_INVALID_RESPONSE'],
  ]);
  expect(JSON.stringify(answer.errors)).toContain('check UPSTREAM_URL');
});

test('a page of HTML in place of an answer says to check UPSTREAM_URL', async () => {
  await using proxy = await startFakeUpstream({ target: 'http://127.0.0.1:1/v1' });
  proxy.respond = () => ({ headers: { 'content-type': 'text/html' }, body: '\n<!doctype html><h1>Welcome</h1>' });
  await using gateway = await startGateway({ upstreamUrl: proxy.url });

  const { errors } = await gateway.query('{ farmers { count } farmer(id: "A") { id } }');

  const message = 'The service answered 200 with a page of HTML; check UPSTREAM_URL.';
  const extensions = { code: 'UPSTREAM_INVALID_RESPONSE' };
  expect(errors).toMatchObject([
    { message, extensions },
    { message, extensions },
  ]);
});

test('the log says once a minute that the service answers with pages of another server', async () => {
  await using proxy = await startFakeUpstream({ target: 'http://127.0.0.1:1/v1' });
  proxy.respond = () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Sign in, secret-7</h1>' });
  const lines: string[] = [];
  const settings = { LOG_LEVEL: 'warn' };
  await using gateway = await startGateway({ upstreamUrl: proxy.url, settings, log: (line) => lines.push(line) });

  for (let time = 0; time < 3; time += 1) await gateway.query('{ farmers { count } }');

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { endpoint: 'listFarmers', upstream_status: 200, msg: expect.stringContaining('check UPSTREAM_URL') },
  ]);
  expect(lines.join()).not.toContain('secret-7');
});

test.each([
  ['by default', {}, 600, 'filter_by=all&'],
  ['with PRODUCT_TRANSACTIONS_FILTER_BY=user', { PRODUCT_TRANSACTIONS_FILTER_BY: 'user' }, 427, 'filter_by=user&'],
  ['with an empty PRODUCT_TRANSACTIONS_FILTER_BY', { PRODUCT_TRANSACTIONS_FILTER_BY: '' }, 427, ''],
])('a gateway over a real deployment reads product transactions %s', async (_how, settings, count, parameter) => {
  await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, settings });

  const { data, calls } = await gateway.query('{ productTransactions(limit: 1) { count results { id } } }');
  const [{ id }] = data.productTransactions.results;
  const byId = await gateway.query('query ($id: ID!) { productTransaction(id: $id) { id } }', { id });

  expect(data.productTransactions.count).toBe(count);
  expect(calls).toEqual([`GET /transactions/product-transactions/?${parameter}limit=1&offset=0`]);
  const query = parameter && `?${parameter.slice(0, -1)}`;
  expect(byId.calls).toEqual([`GET /transactions/product-transactions/${id}/${query}`]);
});
