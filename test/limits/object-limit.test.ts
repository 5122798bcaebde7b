import { afterAll, beforeAll, expect, test } from 'vitest';
import { summariesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { 'limits.operations.objects': '40' } });
});
afterAll(() => gateway.close());

test('a list that does not fit into the answer is null', async () => {
  const answer = await gateway.query('{ farmers(limit: 41) { count results { id } } currencies(limit: 0) { count } }');

  expect(answer.data).toEqual({ farmers: null, currencies: { count: 150 } });
  expect(summariesOf(answer)).toEqual([{ path: ['farmers'], code: 'QUERY_TOO_COMPLEX', retryable: false }]);
});

test('items that do not fit into the answer are null', async () => {
  const { data, errors } = await gateway.query('{ farmers(limit: 30) { results { creator { id } } } }');

  const creators = data.farmers.results.map(({ creator }: { creator: unknown }) => creator);
  // The connection is an object too.
  expect(creators).toEqual([...Array(9).fill({ id: expect.any(String) }), ...Array(21).fill(null)]);
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
});
