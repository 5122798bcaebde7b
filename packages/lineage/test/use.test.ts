import { expect, test } from 'vitest';
import { lotsOf, startLots } from './lot-service.ts';

test('use shows all generations of lots that came from a lot, for one look through the newest', async () => {
  const rows = lotsOf({ A: ['B', 'C'], B: ['D'], C: ['D', 'X'], D: ['S'], X: [], S: [], OLD: [] });
  await using service = await startLots(rows);

  const { data, errors, calls } = await service.query(
    `{ productTransaction(id: "S") { use { lots { transaction_id depth parents children } sources { entity_id } destinations { entity_id quantity } complete reason looked_back_to } } }`,
  );

  expect(errors).toEqual([]);
  expect(data.productTransaction.use).toEqual({
    lots: [
      { transaction_id: 'S', depth: 0, parents: [], children: ['D'] },
      { transaction_id: 'D', depth: 1, parents: ['S'], children: ['B', 'C'] },
      { transaction_id: 'B', depth: 2, parents: ['D'], children: ['A'] },
      { transaction_id: 'C', depth: 2, parents: ['D'], children: ['A'] },
      { transaction_id: 'A', depth: 3, parents: ['B', 'C'], children: [] },
    ],
    sources: [{ entity_id: 'Ssource' }],
    destinations: [{ entity_id: 'Adestination', quantity: '0.250' }],
    complete: true,
    reason: null,
    looked_back_to: null,
  });
  expect(calls).toHaveLength(2);
});

test('the look ends at the time of the lot, and says so', async () => {
  const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`L${at}`, at === 149 ? ['L150'] : []]));
  const rows = lotsOf(many);
  await using service = await startLots(rows);

  const { data, calls } = await service.query(
    '{ productTransaction(id: "L150") { use { lots { transaction_id } complete looked_back_to } } }',
  );

  expect(data.productTransaction.use).toEqual({
    lots: [{ transaction_id: 'L150' }, { transaction_id: 'L149' }],
    complete: true,
    looked_back_to: new Date(Number(rows[150]!.created_on) * 1000).toISOString().replace('.000', ''),
  });
  expect(calls.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(1 + 400);
});

test('a lot that was entered with an earlier time is found by an earlier created_after', async () => {
  const rows = lotsOf({ S: [], OTHER: [], BEFORE: ['S'], OLD: [] });
  await using service = await startLots([
    ...rows,
    ...lotsOf(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`L${at}`, []]))),
  ]);
  service.list.rows = service.list.rows.map((row, at) => ({ ...row, created_on: String(1_790_000_000 - at * 10) }));
  const document =
    'query ($since: DateTime) { productTransaction(id: "S") { use(created_after: $since) { lots { transaction_id } complete looked_back_to } } }';

  const usual = await service.query('{ productTransaction(id: "S") { use { lots { transaction_id } } } }');
  const { data } = await service.query(document, { since: 1_790_000_000 - 25 });

  expect(usual.data.productTransaction.use.lots).toEqual([{ transaction_id: 'S' }]);
  expect(data.productTransaction.use).toEqual({
    lots: [{ transaction_id: 'S' }, { transaction_id: 'BEFORE' }],
    complete: true,
    looked_back_to: '2026-09-21T14:12:55Z',
  });
});

test('use shares its look with the list and the ways back of the same operation', async () => {
  const rows = lotsOf(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`L${at}`, at === 3 ? ['L140'] : []])));
  await using service = await startLots(rows);

  const { data, calls } = await service.query(
    `{ productTransactions(limit: 100) { results { id } }
       productTransaction(id: "L140") { use { lots { transaction_id } } children { results { id } } } }`,
  );

  expect(data.productTransaction).toEqual({
    use: { lots: [{ transaction_id: 'L140' }, { transaction_id: 'L3' }] },
    children: { results: [{ id: 'L3' }] },
  });
  const pages = calls.filter(({ path }) => path.includes('limit='));
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  expect(pages.reduce((sum, { rows }) => sum + rows, 0)).toBe(150);
});

test('a look that stops at the bound of its work says how far it came', async () => {
  const rows = lotsOf(Object.fromEntries(Array.from({ length: 5_300 }, (_, at) => [`L${at}`, []])));
  await using service = await startLots(rows);

  const { data } = await service.query(
    '{ productTransaction(id: "L5299") { use { lots { transaction_id } complete reason looked_back_to } } }',
  );

  const { complete, reason, looked_back_to } = data.productTransaction.use;
  expect(complete).toBe(false);
  expect(reason).toBe(
    'The gateway looked through the newest 5,000 of 5,300 rows of `productTransactions`: more would take the service too long. Ask for `created_after`.',
  );
  expect(Date.parse(looked_back_to) / 1000).toBe(Number(rows[4_999]!.created_on));
});
