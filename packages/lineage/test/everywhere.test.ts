import { expect, test } from 'vitest';
import { startGateway } from '../../../test/support/harness.ts';
import { ids, purchaseOfNewFarmer } from '../../push/test/push.ts';
import { lotsOf, startLots } from './lot-service.ts';

const traced =
  '... on ProductTransaction { origin { lots { depth transaction { number } } sources { entity { name } } } }';

test('a push shows where its sale comes from', async () => {
  await using gateway = await startGateway();
  const purchase = purchaseOfNewFarmer('p');
  const bought = purchase.find(({ write }) => write.createProductTransaction)!;
  const sale = {
    key: 'sale',
    write: {
      createProductTransaction: {
        ...(bought.write.createProductTransaction as object),
        source: ids.cooperative,
        destination: 'T4GPXAH8SF',
        number: 'SALE',
        parents: ['$purchase1'],
      },
    },
  };
  const writes = [...purchase, sale];

  const { data, errors } = await gateway.query(
    `mutation ($writes: [WriteInput!]!) { push(writes: $writes) { status error { message } object { ${traced} } } }`,
    { writes },
  );

  expect(errors).toEqual([]);
  const last = data.push.at(-1);
  expect(last.error).toBeNull();
  expect(last.object.origin.lots).toMatchObject([{ depth: 0, transaction: { number: 'SALE' } }, { depth: 1 }]);
  expect(last.object.origin.sources).toHaveLength(1);
});

test('a router reads the lineage of its entities, and the trace names the fields behind each call', async () => {
  await using gateway = await startGateway({ settings: { FEDERATION: 'true' } });
  const { data: listed } = await gateway.query('{ productTransactions(limit: 100) { results { id parent_ids } } }');
  const sale = listed.productTransactions.results.find(
    ({ parent_ids }: { parent_ids: string[] }) => parent_ids.length > 1,
  );

  const { data, errors, extensions } = await gateway.query(
    `query ($of: [_Any!]!) { _entities(representations: $of) { ${traced} } }`,
    { of: [{ __typename: 'ProductTransaction', id: sale.id }] },
    { headers: { 'x-trace-upstream': 'true' } },
  );

  expect(errors).toEqual([]);
  expect(data._entities[0].origin.lots).toHaveLength(1 + sale.parent_ids.length);
  const { calls } = (extensions as { upstream: { calls: { fields: string[] }[] } }).upstream;
  const fields = new Set(calls.flatMap((call) => call.fields));
  expect(fields).toEqual(new Set(['_entities', 'ProductTransaction.origin', 'TracedParty.entity']));
});

test('the estimate counts the lots of a lineage', async () => {
  await using gateway = await startGateway();
  const expected = async (selection: string) => {
    const { extensions } = await gateway.query(
      `{ productTransaction(id: "FVK3HYZP6C") { ${selection} } }`,
      {},
      { headers: { 'x-trace-upstream': 'estimate' } },
    );
    return (extensions as { upstream: { estimate: { expected: { calls: number } } } }).upstream.estimate.expected.calls;
  };

  expect(await expected('id')).toBe(1);
  expect(await expected('origin { complete }')).toBeGreaterThan(2);
  expect(await expected('use { complete }')).toBeGreaterThan(2);
});

test('traces in traces are refused once their lots are more than an answer has room for, shown or not', async () => {
  const parents = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`L${at}`, at < 29 ? [`L${at + 1}`] : []]));
  const file = { limits: { operations: { objects: 200 } } };
  await using service = await startLots(lotsOf(parents), { file });
  const document = (field: string, id: string) =>
    `{ productTransaction(id: "${id}") { ${field}(depth: 50) { lots { transaction { ${field}(depth: 50) { complete } } } } } }`;

  for (const [field, id] of [
    ['origin', 'L0'],
    ['use', 'L29'],
  ] as const) {
    const { data, errors } = await service.query(document(field, id));

    const inside = data.productTransaction[field].lots.map(
      ({ transaction }: { transaction: Record<string, unknown> }) => transaction[field],
    );
    expect(inside).toContainEqual(null);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('limits.operations.objects'),
        extensions: expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' }),
      }),
    ]);
  }
});

test('the lots of a trace count before the operation runs, whatever it shows of them', async () => {
  await using service = await startLots(lotsOf({ A: [] }));
  const traces = Array.from({ length: 5 }, (_, at) => `t${at}: use(depth: ${at + 1}) { complete }`).join(' ');

  const { errors, calls } = await service.query(`{ productTransactions(limit: 1000) { results { ${traces} } } }`);

  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_COMPLEX']);
  expect(calls).toEqual([]);
});
