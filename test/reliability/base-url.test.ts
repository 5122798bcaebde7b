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

test('PRODUCT_TRANSACTIONS_FILTER_BY=all lists all transactions of the company', async () => {
  const sandbox = { dialect: 'connect' } as const;
  await using own = await startGateway({ sandbox });
  await using all = await startGateway({ sandbox, settings: { PRODUCT_TRANSACTIONS_FILTER_BY: 'all' } });
  const document = '{ productTransactions(limit: 1) { count results { id } } }';

  const [mine, ours] = await Promise.all([own.query(document), all.query(document)]);

  expect(mine.data.productTransactions.count).toBeLessThan(ours.data.productTransactions.count);
  expect(ours.data.productTransactions.count).toBe(600);
  expect(ours.calls).toEqual(['GET /transactions/product-transactions/?filter_by=all&limit=1&offset=0']);
});
