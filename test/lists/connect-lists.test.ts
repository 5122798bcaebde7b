import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { distinct, paths, type Row } from '../support/rest-reads.ts';

let connect: ConnectGateway;
beforeAll(async () => {
  connect = await startConnectGateway();
});
afterAll(() => connect.gateway.close());

async function post(path: string, body: object): Promise<void> {
  const headers = { authorization: connect.key, 'content-type': 'application/json' };
  const answer = await fetch(connect.gateway.sandbox.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(201);
}

const first = 1_790_000_000;
const since = new Date(first * 1000).toISOString();

test('a long range has each of 291 transactions, of which 180 are six to a second', async () => {
  const { ids } = connect;
  const delivery = { source: ids.farmer, destination: ids.company, product: ids.product, currency: ids.dollar };
  const times = [
    ...Array.from({ length: 53 }, (_, index) => first + 1_000 - index),
    ...Array.from({ length: 180 }, (_, index) => first + 500 - Math.floor(index / 6)),
    ...Array.from({ length: 58 }, (_, index) => first + 100 - index),
  ];
  for (const created_on of times)
    await post(paths.productTransactions, { ...delivery, amount: 1, quantity: 1, created_on });

  const { data, errors, calls } = await connect.query(
    'query ($since: DateTime) { productTransactions(limit: 1000, created_after: $since) { count results { id } } }',
    { since },
  );

  const { count, results } = data.productTransactions;
  expect(errors).toEqual([]);
  expect(count).toBe(291);
  expect(distinct(results.map(({ id }: Row) => id))).toHaveLength(291);
  expect(calls.length).toBeGreaterThan(3);
});

test('a long range has each of 300 cards of one second', async () => {
  for (let index = 0; index < 300; index += 1) {
    const card = { card_id: `tied-${index}`, created_on: first };
    await post(paths.entityCards, { card, entity: connect.ids.company });
  }

  const { data, errors } = await connect.query('{ cards(limit: 1000) { count results { card_id } } }');

  const { count, results } = data.cards;
  expect(errors).toEqual([]);
  expect(distinct(results.map(({ card_id }: Row) => card_id))).toHaveLength(count);
  expect(count).toBeGreaterThan(300);
});
