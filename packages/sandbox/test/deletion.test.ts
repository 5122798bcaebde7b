import { afterEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../server.ts';
import { clientOf } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of the service
type Json = any;

const transactions = '/transactions/product-transactions/';
const payments = '/transactions/payment-transactions/';
const seed = {
  products: [{ id: 'COCOA' }],
  farmers: [{ id: 'AMA' }],
  productTransactions: [
    { id: 'P1', source: 'AMA', product: 'COCOA', quantity: '10' },
    { id: 'P2', source: 'AMA', product: 'COCOA', quantity: '5' },
    { id: 'SALE', parents: ['P1'], source: 'J7VY4SD9HV', destination: 'T4GPXAH8SF', product: 'COCOA' },
  ],
};

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const remove = (id: string, key: string) =>
  fetch(`${sandbox.url}${transactions}${id}/`, { method: 'DELETE', headers: { authorization: key } });

test.each(['spec', 'connect'] as const)(
  'in %s, a deleted transaction is in no list, and no write may name it',
  async (dialect) => {
    sandbox = await startSandbox({ dialect, seed });
    const key = 'Bearer demo-coop';
    const { get, post }: Json = clientOf(sandbox, key);
    const dataOf = ({ body }: { body: Json }) => (dialect === 'connect' ? body.data : body);
    const idsOf = async (path: string) =>
      dataOf(await get(path))
        .results.map(({ id }: { id: string }) => id)
        .toSorted();

    expect((await remove('P1', key)).status, 'it has a child').toBe(400);
    expect((await remove('SALE', key)).status).toBe(200);
    expect((await remove('SALE', key)).status).toBe(404);
    expect((await get(`${transactions}SALE/`)).status).toBe(404);
    expect(await idsOf(`${transactions}?filter_by=all`)).toEqual(['P1', 'P2']);
    expect(dataOf(await get(`${transactions}P1/?filter_by=all`)).current_quantity, 'the goods are back').toBe('10.000');
    const paid = dataOf(await get(payments)).results.map(({ transaction }: Json) => transaction);
    expect(paid).not.toContain('SALE');

    const sale = {
      amount: '1',
      source: 'J7VY4SD9HV',
      destination: 'T4GPXAH8SF',
      product: 'COCOA',
      currency: '5BND77JEZS',
    };
    expect((await post(transactions, { ...sale, parents: ['SALE'] })).status).toBe(400);
  },
);

test('in connect, lists and GETs by id show it with reverse_sync, at the time of its deletion', async () => {
  sandbox = await startSandbox({ dialect: 'connect', seed });
  const { get }: Json = clientOf(sandbox, 'Bearer demo-coop');
  const before = Math.floor(Date.now() / 1000);
  await remove('SALE', 'Bearer demo-coop');
  const since = `${transactions}?filter_by=all&updated_after=${before}`;

  expect((await get(since)).body.data.count).toBe(0);
  expect((await get(`${since}&reverse_sync=true`)).body.data.results).toMatchObject([{ id: 'SALE', is_deleted: true }]);
  expect((await get(`${transactions}SALE/?filter_by=all&reverse_sync=true`)).body.data.is_deleted).toBe(true);
});

test('the older version in connect does not mark deleted rows', async () => {
  sandbox = await startSandbox({ dialect: 'connect', olderFilters: true, seed });
  const { get }: Json = clientOf(sandbox, 'Bearer demo-coop');
  await remove('SALE', 'Bearer demo-coop');
  const { results } = (await get(`${transactions}?filter_by=all&reverse_sync=true`)).body.data;

  expect(results.map(({ id }: { id: string }) => id).toSorted()).toEqual(['P1', 'P2']);
  expect(results[0]).not.toHaveProperty('is_deleted');
});
