import { afterAll, beforeAll, expect, test } from 'vitest';
import { summariesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { writeDeadEnds } from '../support/random-documents/world.ts';
import { firstRows, one, paths, pick, type Row, readRows } from '../support/rest-reads.ts';

const keys = ['demo-coop', 'demo-buyer'];

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

test('two callers with overlapping requests see only their own rows', async () => {
  const document = `query ($farmer: ID!, $shipment: ID!) {
    farmers(limit: 50) { count results { id first_name buyer { name } } }
    products(limit: 50) { results { id premiums } }
    own: farmer(id: $farmer) { first_name }
    entity(id: $farmer) { name }
    productTransaction(id: $shipment) { number type product { name } }
  }`;
  const worlds = await Promise.all(
    keys.map(async (key) => ({
      key,
      farmers: await readRows(gateway, paths.farmers, key),
      products: await readRows(gateway, paths.products, key),
    })),
  );
  const [coop, buyer] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
  const transactions = await firstRows(gateway, paths.productTransactions);
  const shipment = transactions.find(({ type }) => type === 'OUTGOING')!;
  const [coopFarmer, buyerFarmer] = [coop.farmers[0]!, buyer.farmers[0]!];

  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, turn) => {
      const world = worlds[turn % 2]!;
      // Every other pair asks for the other company's farmer.
      const farmer = turn % 4 < 2 ? coopFarmer : buyerFarmer;
      const answer = await gateway.query(document, { farmer: farmer.id, shipment: shipment.id }, { key: world.key });
      return { world, farmer, answer };
    }),
  );

  for (const { world, farmer, answer } of answers) {
    const { data, errors } = answer;
    const isOwn = world.farmers.some(({ id }) => id === farmer.id);
    expect(data.farmers.count).toBe(world.farmers.length);
    expect(pick(data.farmers.results, 'id', 'first_name')).toEqual(
      pick(world.farmers.slice(0, 50), 'id', 'first_name'),
    );
    expect(new Set(data.farmers.results.map(({ buyer }: Row) => buyer.name)).size).toBe(1);
    expect(data.products.results).toEqual(pick(world.products, 'id', 'premiums'));
    expect(data.own).toEqual(isOwn ? { first_name: farmer.first_name } : null);
    expect(data.entity === null).toBe(!isOwn);
    expect(data.productTransaction).toMatchObject({
      number: shipment.number,
      type: world === coop ? 'OUTGOING' : 'INCOMING',
    });
    expect(errors.map(({ path, extensions }) => [path?.[0], extensions.code])).toEqual(
      isOwn
        ? []
        : [
            ['own', 'NOT_FOUND'],
            ['entity', 'NOT_FOUND'],
          ],
    );
  }
});

test('a caller learns the kind of a hidden entity from no other caller', async () => {
  await using gateway = await startGateway();
  await writeDeadEnds(gateway.sandbox.url, 'demo-coop', 'demo-buyer');
  const [{ source }] = (await firstRows(gateway, paths.productTransactions, 1)) as [Row];
  const document = '{ productTransactions(limit: 1) { results { source { __typename id ... on Farmer { id } } } } }';
  const ask = () => gateway.query(document, {}, { key: 'demo-coop' });
  const before = await ask();
  expect(before.data.productTransactions.results[0].source).toEqual({ __typename: 'UnknownEntity', id: source });

  const shown = await gateway.query(`{ entity(id: "${source}") { __typename } }`, {}, { key: 'demo-buyer' });
  expect(shown.data.entity).toEqual({ __typename: 'Farmer' });

  const after = await ask();
  expect(after.data).toEqual(before.data);
  expect(summariesOf(after)).toEqual(summariesOf(before));
});

test('a caller learns the kind of an entity once', async () => {
  await using gateway = await startGateway();
  const transactions = await firstRows(gateway, paths.productTransactions, 20);
  const { source } = transactions.find(({ type }) => type === 'INCOMING') as Row;
  await gateway.query(`{ entity(id: "${source}") { name } }`);

  const answer = await gateway.query('{ productTransactions { results { source { __typename id } } } }');

  expect(answer.errors).toEqual([]);
  expect(answer.calls).not.toContain(one(paths.farmers, source));
});

test('a caller without a key, or with an unknown one, sees nothing', async () => {
  const document = '{ farmers { count } currencies { count } }';

  const anonymous = await gateway.query(document, {}, { key: null });
  const unknown = await gateway.query(document, {}, { key: 'nobody' });

  for (const answer of [anonymous, unknown]) {
    expect(answer).toMatchObject({ status: 200, data: { farmers: null, currencies: null } });
    expect(answer.errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['farmers'], 'UNAUTHENTICATED'],
      [['currencies'], 'UNAUTHENTICATED'],
    ]);
  }
  expect(anonymous.calls).toEqual([]);
});
