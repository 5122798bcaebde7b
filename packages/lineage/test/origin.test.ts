import { expect, test } from 'vitest';
import { flatCosts, realCosts } from '../../../test/support/cost-profiles.ts';
import { lotsOf, startLots } from './lot-service.ts';

const lots = 'lots { transaction_id depth parents children }';

test('origin shows each lot once, with the lots before and after it', async () => {
  await using service = await startLots(lotsOf({ A: ['B', 'C'], B: ['D'], C: ['D', 'E'], D: [], E: [] }));

  const { data, errors, calls, waves } = await service.query(
    `{ productTransaction(id: "A") { origin { ${lots} sources { entity_id lots quantity } destinations { entity_id lots quantity } complete reason looked_back_to } } }`,
  );

  expect(errors).toEqual([]);
  expect(data.productTransaction.origin).toEqual({
    lots: [
      { transaction_id: 'A', depth: 0, parents: ['B', 'C'], children: [] },
      { transaction_id: 'B', depth: 1, parents: ['D'], children: ['A'] },
      { transaction_id: 'C', depth: 1, parents: ['D', 'E'], children: ['A'] },
      { transaction_id: 'D', depth: 2, parents: [], children: ['B', 'C'] },
      { transaction_id: 'E', depth: 2, parents: [], children: ['C'] },
    ],
    sources: [
      { entity_id: 'Dsource', lots: ['D'], quantity: '3.250' },
      { entity_id: 'Esource', lots: ['E'], quantity: '4.250' },
    ],
    destinations: [{ entity_id: 'Adestination', lots: ['A'], quantity: '0.250' }],
    complete: true,
    reason: null,
    looked_back_to: null,
  });
  expect(waves).toBe(3);
  expect(new Set(calls.map(({ path }) => path)).size).toBe(calls.length);
});

test.each([
  ['flat', flatCosts],
  ['real', realCosts],
])('a purchase with 300 ancestors in 6 generations takes a wave for each, at %s costs', async (_profile, costs) => {
  const parents: Record<string, string[]> = {};
  const generation = (at: number) => Array.from({ length: 50 }, (_, index) => `G${at}L${index}`);
  parents.START = generation(1);
  // Each lot but those of the last generation came from two, and shares both with its neighbours.
  for (let at = 1; at <= 6; at += 1) {
    const before = generation(at + 1);
    for (const [index, id] of generation(at).entries()) {
      parents[id] = at === 6 ? [] : [before[index]!, before[(index + 1) % 50]!];
    }
  }
  await using service = await startLots(lotsOf(parents), { costs });

  const { data, errors, calls, waves } = await service.query(
    '{ productTransaction(id: "START") { origin { lots { depth } complete } } }',
  );

  expect(errors).toEqual([]);
  const { lots, complete } = data.productTransaction.origin;
  expect(complete).toBe(true);
  expect(lots).toHaveLength(301);
  expect(Math.max(...lots.map(({ depth }: { depth: number }) => depth))).toBe(6);
  expect(waves).toBeLessThanOrEqual(7);
  // At most one GET or one row for each lot, but for pages that bring what is known.
  expect(calls.length).toBeLessThanOrEqual(301);
  expect(new Set(calls.map(({ path }) => path)).size).toBe(calls.length);
});

test('lots of several origins load together', async () => {
  await using service = await startLots(lotsOf({ A: ['C', 'D'], B: ['D', 'C'], C: ['E'], D: ['E'], E: [] }));

  const { data, errors, calls, waves } = await service.query(
    `{ a: productTransaction(id: "A") { origin { complete lots { transaction_id } } }
       b: productTransaction(id: "B") { origin { complete lots { transaction_id } } } }`,
  );

  expect(errors).toEqual([]);
  expect(data.a.origin.lots).toHaveLength(4);
  expect(data.b.origin.lots).toHaveLength(4);
  expect(calls).toHaveLength(5);
  expect(waves).toBe(3);
});

test('a circle of lots ends', async () => {
  await using service = await startLots(lotsOf({ A: ['B'], B: ['C', 'B'], C: ['A'] }));

  const { data, errors } = await service.query(`{ productTransaction(id: "A") { origin { ${lots} complete } } }`);

  expect(errors).toEqual([]);
  expect(data.productTransaction.origin).toEqual({
    lots: [
      { transaction_id: 'A', depth: 0, parents: ['B'], children: ['C'] },
      { transaction_id: 'B', depth: 1, parents: ['C', 'B'], children: ['A', 'B'] },
      { transaction_id: 'C', depth: 2, parents: ['A'], children: ['B'] },
    ],
    complete: true,
  });
});

test('lots behind the depth make a trace incomplete', async () => {
  await using service = await startLots(lotsOf({ A: ['B'], B: ['C'], C: [] }));

  const { data, calls } = await service.query(
    `{ productTransaction(id: "A") { one: origin(depth: 1) { lots { transaction_id } sources { lots } complete reason } two: origin(depth: 2) { complete } } }`,
  );

  expect(data.productTransaction).toEqual({
    one: {
      lots: [{ transaction_id: 'A' }, { transaction_id: 'B' }],
      sources: [],
      complete: false,
      reason: 'More lots follow behind depth 1. Ask for a larger `depth`.',
    },
    two: { complete: true },
  });
  expect(calls).toHaveLength(3);
});

test('a lot that the service hides stands in the trace without its transaction', async () => {
  await using service = await startLots(lotsOf({ A: ['B', 'C'], B: [], C: [] }));
  service.hidden.add('B');

  const { data, errors } = await service.query(
    '{ productTransaction(id: "A") { origin { lots { transaction_id transaction { quantity } } sources { entity_id } complete reason } } }',
  );

  expect(data.productTransaction.origin).toEqual({
    lots: [
      { transaction_id: 'A', transaction: { quantity: '0.250' } },
      { transaction_id: 'B', transaction: null },
      { transaction_id: 'C', transaction: { quantity: '2.250' } },
    ],
    sources: [{ entity_id: 'Csource' }],
    complete: false,
    reason: 'The service does not show 1 lot, such as B.',
  });
  expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [['productTransaction', 'origin', 'lots', 1, 'transaction'], 'REFERENCE_NOT_FOUND'],
  ]);
});

test('a lot that the service fails on makes the trace incomplete, and says why', async () => {
  await using service = await startLots(lotsOf({ A: ['B', 'C'], B: [], C: ['D'], D: [] }));
  service.failOn(({ path }) => (path.includes('/B/') ? { status: 500, body: '{}' } : undefined));

  const { data, errors } = await service.query(
    '{ productTransaction(id: "A") { origin { lots { transaction_id } complete reason } } }',
  );

  expect(errors).toEqual([]);
  const { lots, complete, reason } = data.productTransaction.origin;
  expect(lots).toHaveLength(4);
  expect(complete).toBe(false);
  expect(reason).toMatch(/^The gateway could not read 1 lot, such as B: /);
});

test.each([
  ['0', 'must be a number from 1 to 50'],
  ['10000', 'must be a number from 1 to 50'],
  ['null', 'must be a number from 1 to 50'],
])('depth %s is refused before any call', async (depth, bound) => {
  await using service = await startLots(lotsOf({ A: [] }));

  const { errors, calls } = await service.query(
    `{ productTransaction(id: "A") { origin(depth: ${depth}) { complete } } }`,
  );

  expect(calls).toEqual([]);
  const message = `\`depth\` of ProductTransaction.origin ${bound}.`;
  expect(errors[0]!.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields: [{ path: ['origin', 'depth'], message }],
  });
});

test('a trace is not complete where a row does not say its parents, and says so', async () => {
  const rows = lotsOf({ A: ['B'], B: [], OTHER: [], C: [] });
  const without = rows.map(({ parents, ...row }) => (['B', 'OTHER'].includes(row.id) ? row : { ...row, parents }));
  await using service = await startLots(without as typeof rows);

  const { data } = await service.query(
    '{ a: productTransaction(id: "A") { origin { sources { entity_id } complete reason } } c: productTransaction(id: "C") { use { complete reason } } }',
  );

  expect(data.a.origin).toEqual({
    sources: [],
    complete: false,
    reason: 'The service does not say the `parents` of 1 lot, such as B.',
  });
  expect(data.c.use).toEqual({
    complete: false,
    reason: 'The service does not say the `parents` of 2 lots, such as B.',
  });
});
