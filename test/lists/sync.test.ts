import { afterEach, expect, test, vi } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';

let gateway: Gateway;
let proxy: FakeUpstream | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await gateway.close();
  await proxy?.close();
  proxy = undefined;
});

const page = `query ($after: String, $since: DateTime) {
  serverTime
  farmers(first: 100, after: $after, updated_after: $since) { results { id city } next }
}`;

/** Reads all pages, as a phone does that keeps what it has; `serverTime` is that of the first. */
async function sync(since?: string): Promise<{ rows: Map<string, string>; serverTime: string }> {
  const rows = new Map<string, string>();
  let serverTime: string | undefined;
  let after: string | null | undefined;
  do {
    const { data, errors } = await gateway.query(page, { after, since });
    expect(errors).toEqual([]);
    serverTime ??= data.serverTime as string;
    for (const { id, city } of data.farmers.results) rows.set(id, city);
    after = data.farmers.next;
  } while (after);
  return { rows, serverTime };
}

test('a first sync gives each row, and the next one the changes since it began', async () => {
  gateway = await startGateway();
  const first = await sync();
  expect(first.rows.size).toBe(240);
  expect(Math.abs(Date.parse(first.serverTime) - Date.now())).toBeLessThan(60_000);

  await gateway.query('mutation { createFarmer(input: { first_name: "Ama", city: "Ho" }) { id } }');
  const next = await sync(first.serverTime);

  expect([...next.rows.values()]).toEqual(['Ho']);
});

test.each([
  ['spec', 'demo-coop'],
  ['connect', 'Bearer demo-coop'],
] as const)('a sync shows a sale made elsewhere, and what it has left of the goods: %s', async (dialect, key) => {
  gateway = await startGateway({ sandbox: { dialect } });
  const document = `query ($after: String, $since: DateTime) {
    serverTime
    productTransactions(first: 100, after: $after, updated_after: $since) {
      results { id type quantity current_quantity parents { id current_quantity } }
      next
    }
  }`;
  const stock = new Map<string, string>();
  const syncStock = async (since?: string) => {
    let [after, serverTime]: (string | undefined)[] = [];
    const brought: string[] = [];
    do {
      const { data, errors } = await gateway.query(document, { after, since }, { key });
      expect(errors).toEqual([]);
      serverTime ??= data.serverTime;
      for (const row of data.productTransactions.results) {
        brought.push(row.id);
        for (const { id, current_quantity } of [row, ...row.parents]) stock.set(id, current_quantity);
      }
      after = data.productTransactions.next;
    } while (after);
    return { serverTime, brought };
  };
  const { serverTime } = await syncStock();
  const available =
    '{ productTransactions(quantity_available: true) { results { id current_quantity destination_id product_id currency_id } } }';
  const { results } = (await gateway.query(available, {}, { key })).data.productTransactions;
  const [sold] = results;
  expect(stock.get(sold.id)).toBe(sold.current_quantity);

  const sale = await gateway.query(
    'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }',
    {
      input: {
        source: sold.destination_id,
        destination: 'T4GPXAH8SF',
        product: sold.product_id,
        currency: sold.currency_id,
        amount: '10',
        quantity: sold.current_quantity,
        parents: [sold.id],
      },
    },
    { key },
  );
  expect(sale.errors).toEqual([]);
  const { brought } = await syncStock(serverTime);

  expect(brought).toContain(sale.data.createProductTransaction.id);
  expect(brought).not.toContain(sold.id);
  expect(Number(stock.get(sold.id))).toBe(0);
});

test.each([
  ['spec', 'demo-coop'],
  ['connect', 'Bearer demo-coop'],
] as const)('a sync shows who has got a card, and not who has lost it: %s', async (dialect, key) => {
  gateway = await startGateway({ sandbox: { dialect } });
  const document = `query ($since: DateTime) {
    serverTime
    farmers(limit: 1000, updated_after: $since) { results { id entity_card { updated_on card { card_id } } } }
  }`;
  const copy = new Map<string, { id: string; time: string; card: string }>();
  const syncCards = async (since?: string) => {
    const { data, errors } = await gateway.query(document, { since }, { key });
    expect(errors).toEqual([]);
    for (const { id, entity_card } of data.farmers.results) {
      if (entity_card) copy.set(id, { id, time: entity_card.updated_on, card: entity_card.card.card_id });
    }
    return { serverTime: data.serverTime, ids: data.farmers.results.map(({ id }: { id: string }) => id) };
  };
  const { serverTime } = await syncCards();
  const [loser, winner] = [...copy.values()].map(({ id }) => id) as [string, string];
  const { card } = copy.get(loser)!;
  const write = `mutation { createEntityCard(input: { card: { card_id: "${card}" }, entity: "${winner}" }) { id } }`;
  expect((await gateway.query(write, {}, { key })).errors).toEqual([]);

  expect((await syncCards(serverTime)).ids).toEqual([winner]);
  const holders = [...copy.values()].filter((each) => each.card === card);
  expect(holders.toSorted((a, b) => (a.time > b.time ? -1 : 1)).map(({ id }) => id)).toEqual([winner, loser]);
});

test('rows read before the returned time are never shown with it', async () => {
  gateway = await startGateway({ settings: { 'cache.lists.ttlMs': '60000' } });
  const products = 'products(limit: 3) { results { name } }';
  expect((await gateway.query(`{ ${products} }`)).calls).toHaveLength(1);
  expect((await gateway.query(`{ ${products} }`)).calls).toHaveLength(0);
  expect((await gateway.query(`{ serverTime ${products} }`)).calls).toHaveLength(1);
});

test('the time needs no call and no key', async () => {
  gateway = await startGateway();
  const { data, errors, calls } = await gateway.query('{ serverTime }', {}, { key: null });
  expect({ errors, calls }).toEqual({ errors: [], calls: [] });
  expect(data.serverTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('the time is that of a service whose clock is %s, from before the reads', async (_how, skew) => {
  proxy = await startFakeUpstream();
  const serviceTime = () => Math.floor((Date.now() + skew) / 1000) * 1000;
  proxy.respond = () => ({
    status: 200,
    headers: { date: new Date(serviceTime()).toUTCString() },
    body: '{"id":"U","email":"a@example.org"}',
  });
  gateway = await startGateway({ upstreamUrl: proxy.url });
  const document = '{ serverTime user(id: "U") { email } }';
  const before = Date.now() + skew;

  const { data } = await gateway.query(document);

  const time = Date.parse(data.serverTime);
  expect(time).toBeLessThanOrEqual(before);
  expect(time).toBeGreaterThan(before - 20_000);
});

test('one query syncs payments and entity cards too, where the service filters them', async () => {
  gateway = await startGateway({ sandbox: { dialect: 'connect' } });
  const options = { key: 'Bearer demo-coop' };
  const document = `query ($payments: String, $cards: String, $since: DateTime) {
    serverTime
    paymentTransactions(first: 3, after: $payments, updated_after: $since) { results { id amount } next }
    entityCards(first: 3, after: $cards, updated_after: $since) { results { id is_active } next }
  }`;
  const syncAll = async (since?: string) => {
    const rows = new Map<string, object>();
    let [payments, cards, serverTime]: (string | null | undefined)[] = [];
    for (let isWhole = false; !isWhole; ) {
      const { data, errors } = await gateway.query(document, { payments, cards, since }, options);
      expect(errors).toEqual([]);
      serverTime ??= data.serverTime as string;
      for (const { id, ...row } of [...data.paymentTransactions.results, ...data.entityCards.results])
        rows.set(id, row);
      payments = data.paymentTransactions.next ?? payments;
      cards = data.entityCards.next ?? cards;
      isWhole = !data.paymentTransactions.next && !data.entityCards.next;
    }
    return { rows, serverTime };
  };
  const write = async (mutation: string) => {
    const { data, errors } = await gateway.query(`mutation { made: ${mutation} }`, {}, options);
    expect(errors).toEqual([]);
    return data.made as { id: string };
  };
  const { data } = await gateway.query('{ farmers(limit: 1) { results { id buyer_id } } }', {}, options);
  const { id: farmer, buyer_id: company } = data.farmers.results[0];
  const { id: premium } = await write('createPremium(input: { name: "P" }) { id }');
  const assign = (card: string) =>
    write(`createEntityCard(input: { card: { card_id: "${card}" }, entity: "${company}" }) { id }`);
  const old = await assign('OLD-1');
  const first = await syncAll();
  expect(first.rows.get(old.id)).toEqual({ is_active: true });

  const paid = await write(
    `createPaymentTransaction(input: { source: "${company}", destination: "${farmer}", premium: "${premium}", amount: 7 }) { id }`,
  );
  const assigned = await assign('NEW-2');
  const next = await syncAll(first.serverTime);

  expect(next.rows.get(paid.id)).toEqual({ amount: 7 });
  expect(next.rows.get(assigned.id)).toEqual({ is_active: true });
  expect(next.rows.get(old.id)).toEqual({ is_active: false });
  expect(next.rows.size).toBeLessThan(first.rows.size);
});
