import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { paths } from '../support/rest-reads.ts';

const key = 'Bearer demo-coop';
/** Two purchases of which a sale is made, and two others. */
const seed = {
  farmers: [{ id: 'AMA' }],
  products: [{ id: 'COCOA' }],
  productTransactions: [
    ...['P1', 'P2', 'P3', 'P4'].map((id) => ({ id, source: 'AMA', product: 'COCOA', quantity: '10' })),
    { id: 'SALE', parents: ['P1', 'P2'], source: 'J7VY4SD9HV', destination: 'T4GPXAH8SF', product: 'COCOA' },
  ],
};

/** Deletes past the gateway, as another app does. */
async function remove(gateway: Gateway, id: string): Promise<number> {
  const url = `${gateway.sandbox.url}${paths.productTransactions}${id}/`;
  return (await fetch(url, { method: 'DELETE', headers: { authorization: key } })).status;
}

const idsIn = (list: { results: { id: string }[] }) => list.results.map(({ id }) => id).toSorted();

describe('a service that marks deleted rows', () => {
  let gateway: Gateway;
  const ask = (document: string, variables = {}) => gateway.query(document, variables, { key });

  beforeAll(async () => {
    gateway = await startGateway({ sandbox: { dialect: 'connect', seed } });
  });
  beforeEach(() => gateway.sandbox.reset(seed));
  afterAll(() => gateway.close());

  test('gives them with reverse_sync, and not without it', async () => {
    expect(await remove(gateway, 'SALE')).toBe(200);
    const { data, errors, calls } = await ask(`{
      there: productTransactions(limit: 10) { count results { id is_deleted } }
      off: productTransactions(limit: 10, reverse_sync: false) { count results { id } }
      all: productTransactions(limit: 10, reverse_sync: true) { count results { id is_deleted } }
    }`);

    expect(errors).toEqual([]);
    expect(data.there).toEqual({
      count: 4,
      results: ['P4', 'P3', 'P2', 'P1'].map((id) => ({ id, is_deleted: false })),
    });
    expect(idsIn(data.off)).toEqual(['P1', 'P2', 'P3', 'P4']);
    expect(data.all.count).toBe(5);
    expect(data.all.results.filter(({ is_deleted }: { is_deleted: boolean }) => is_deleted)).toEqual([
      { id: 'SALE', is_deleted: true },
    ]);
    expect(calls).toEqual([
      `GET ${paths.productTransactions}?filter_by=all&limit=10&offset=0`,
      `GET ${paths.productTransactions}?filter_by=all&reverse_sync=true&limit=10&offset=0`,
    ]);
  });

  test('gives what is gone since a time, for one call', async () => {
    const { data: before } = await ask('{ serverTime }');
    await remove(gateway, 'P3');
    const document = `query ($since: DateTime!) {
      productTransactions(updated_after: $since, reverse_sync: true) { count results { id is_deleted } }
    }`;
    await ask(document, { since: before.serverTime });
    const { data, calls } = await ask(document, { since: before.serverTime });

    expect(data.productTransactions).toEqual({ count: 1, results: [{ id: 'P3', is_deleted: true }] });
    expect(calls).toHaveLength(1);
  });

  test('an answer without rows is believed once a row has shown that the service marks them', async () => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect', seed } });
    const ask = (document: string) => gateway.query(document, {}, { key });
    const document = '{ productTransactions(updated_after: "2099-01-01T00:00:00Z", reverse_sync: true) { count } }';
    const first = await ask(document);
    const second = await ask(document);

    expect([first.data, first.errors]).toEqual([{ productTransactions: { count: 0 } }, []]);
    expect(first.calls.length).toBeGreaterThan(1);
    expect(second.calls).toHaveLength(1);
  });

  test('gives each row once from page to page, deleted ones too', async () => {
    await remove(gateway, 'SALE');
    await remove(gateway, 'P2');
    const document = `query ($after: String) {
      productTransactions(first: 2, after: $after, reverse_sync: true) { results { id } next }
    }`;
    const seen: string[] = [];
    for (let after = null; after !== undefined; ) {
      const { data } = await ask(document, { after });
      seen.push(...data.productTransactions.results.map(({ id }: { id: string }) => id));
      after = data.productTransactions.next ?? undefined;
    }

    expect(seen.toSorted()).toEqual(['P1', 'P2', 'P3', 'P4', 'SALE']);
  });

  test('no reference, way back or GET by id finds a row that only such a list has shown', async () => {
    await remove(gateway, 'SALE');
    const { data, errors } = await ask(`{
      all: productTransactions(limit: 10, reverse_sync: true) {
        results { id is_deleted parents { id is_deleted children { results { id } } } }
      }
      sale: productTransaction(id: "SALE") { id }
      purchase: productTransaction(id: "P1") { current_quantity children { results { id } complete } }
      farmer(id: "AMA") { productTransactions { results { id } complete } }
    }`);

    expect(codesOf({ errors })).toEqual(['NOT_FOUND']);
    expect(data.sale).toBeNull();
    expect(data.purchase).toEqual({ current_quantity: '10.000', children: { results: [], complete: true } });
    expect(idsIn(data.farmer.productTransactions)).toEqual(['P1', 'P2', 'P3', 'P4']);
    const sale = data.all.results.find(({ id }: { id: string }) => id === 'SALE');
    expect(sale.parents).toEqual(['P1', 'P2'].map((id) => ({ id, is_deleted: false, children: { results: [] } })));
  });

  test('a deleted row shows all that other rows show', async () => {
    const fields =
      'amount product { id } source { id } currency { code } transaction_payments { payment_type source_id }';
    const { data: before } = await ask(`{ productTransaction(id: "P4") { ${fields} } }`);
    await remove(gateway, 'P4');
    const { data, errors } = await ask(
      `{ productTransactions(limit: 10, reverse_sync: true) { results { id ${fields} } } }`,
    );

    expect(errors).toEqual([]);
    expect(data.productTransactions.results.find(({ id }: { id: string }) => id === 'P4')).toEqual({
      id: 'P4',
      ...before.productTransaction,
    });
  });
});

test('over a service that ignores the filter, an answer without rows is not believed', async () => {
  await using gateway = await startGateway({ sandbox: { dialect: 'connect', olderFilters: true, seed } });
  const document = '{ productTransactions(updated_after: "2099-01-01T00:00:00Z", reverse_sync: true) { count } }';
  const { data, errors } = await gateway.query(document, {}, { key });

  expect(data.productTransactions).toBeNull();
  expect(codesOf({ errors })).toEqual(['BAD_USER_INPUT']);
});

test('an older service that does not mark them refuses the filter, and shows null', async () => {
  await using gateway = await startGateway({ sandbox: { dialect: 'connect', olderFilters: true, seed } });
  const ask = (document: string) => gateway.query(document, {}, { key });
  const { data, errors } = await ask('{ productTransactions(reverse_sync: true) { results { id } } }');

  expect(data.productTransactions).toBeNull();
  expect(errors.map(({ extensions }) => extensions)).toMatchObject([
    { code: 'BAD_USER_INPUT', fields: [{ path: ['reverse_sync'] }] },
  ]);
  expect((await ask('{ productTransactions(limit: 1) { results { is_deleted } } }')).data).toEqual({
    productTransactions: { results: [{ is_deleted: null }] },
  });
});

describe('a service of the specification', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ sandbox: { seed } });
  });
  afterAll(() => gateway.close());

  test('refuses the filter without a call', async () => {
    const { errors, calls } = await gateway.query('{ productTransactions(reverse_sync: true) { count } }');

    expect(errors.map(({ extensions }) => extensions)).toMatchObject([
      { code: 'BAD_USER_INPUT', fields: [{ path: ['reverse_sync'] }] },
    ]);
    expect(calls).toEqual([]);
  });

  test('shows null for is_deleted, without a call for each row', async () => {
    const { data, errors, calls } = await gateway.query('{ productTransactions(limit: 2) { results { is_deleted } } }');

    expect(errors).toEqual([]);
    expect(data.productTransactions.results).toEqual([{ is_deleted: null }, { is_deleted: null }]);
    expect(calls).toEqual([`GET ${paths.productTransactions}?limit=2&offset=0`]);
  });

  test('gives the rows that are left', async () => {
    expect(await remove(gateway, 'SALE')).toBe(200);
    expect(await remove(gateway, 'SALE')).toBe(404);
    const { data } = await gateway.query('{ productTransactions { count results { id } } }');

    expect(idsIn(data.productTransactions)).toEqual(['P1', 'P2', 'P3', 'P4']);
    expect(data.productTransactions.count).toBe(4);
  });
});
