import { expect, test } from 'vitest';
import { startFakedGateway } from '../support/harness.ts';
import { expectCalls, page, paths } from '../support/rest-reads.ts';

const products = page(paths.products, 100);
const document = '{ productTransactions(limit: 2) { results { product { name } } } }';

test('a list that rows will refer to is read beside the rows', async () => {
  await using gateway = await startFakedGateway();
  const { upstream } = gateway;
  upstream.hold();

  const answer = gateway.query(document);
  await expect.poll(() => upstream.calls.length).toBe(2);
  upstream.release();

  const { data, errors } = await answer;
  expect(errors).toEqual([]);
  expect(data.productTransactions.results[0].product.name).toBeTypeOf('string');
  expect(upstream.calls.toSorted()).toEqual([products, page(paths.productTransactions, 2)].toSorted());
});

test('a list is not read beside rows that usually refer to nothing', async () => {
  await using gateway = await startFakedGateway();
  const { upstream } = gateway;
  upstream.fail(paths.productTransactions, {
    edit({ results }) {
      for (const row of results) row.product = null;
    },
  });

  await gateway.queryFailing(document);
  const second = await gateway.queryFailing(document);
  expectCalls(second, page(paths.productTransactions, 2));

  upstream.recover();
  const third = await gateway.queryFailing(document);
  expect(third.errors).toEqual([]);
  expectCalls(third, page(paths.productTransactions, 2), products);
});

test('an early list that fails is an error of the references alone', async () => {
  await using gateway = await startFakedGateway();
  gateway.upstream.fail(paths.products, { status: 500, body: '{}' });

  const { data, errors, calls } = await gateway.queryFailing(document);

  expect(data.productTransactions.results).toEqual([{ product: null }, { product: null }]);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UPSTREAM_ERROR', 'UPSTREAM_ERROR']);
  expect(calls.filter((call) => call === products)).toHaveLength(1);
});
