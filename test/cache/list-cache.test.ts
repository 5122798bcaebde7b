import { afterEach, expect, test, vi } from 'vitest';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { expectCalls, firstRows, one, page, paths, readRows, writeRest } from '../support/rest-reads.ts';

const kept = { CATALOG_TTL_MS: '600000' };
const coop = 'J7VY4SD9HV';

let gateway: Gateway;
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
});

const now = performance.now.bind(performance);

/** Makes what was kept before now so many milliseconds old. */
function age(ms: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** Cards that the gateway does not know of; the service puts them first. */
async function writeCards(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await writeRest(gateway, paths.entityCards, { card: { card_id: `new-${index}` }, entity: coop });
  }
}

const addCard = `mutation { createEntityCard(input: { card: { card_id: "added" }, entity: "${coop}" }) { id } }`;

test.each([
  ['products', paths.products],
  ['cards', paths.cards],
  ['currencies', paths.currencies],
  ['entityCards', paths.entityCards],
] as const)('%s that a caller has read cost nothing for a while', async (field, path) => {
  gateway = await startGateway({ settings: kept });
  const rows = await readRows(gateway, path);
  const document = (range: string) => `{ ${field}${range} { count results { id } } }`;
  const ids = (from: number, to: number) => rows.slice(from, to).map(({ id }) => ({ id }));

  expectCalls(await gateway.query(document('(limit: 10)')), page(path, 10));
  const again = await gateway.query(document('(limit: 10)'));
  const part = await gateway.query(document('(offset: 3, limit: 4)'));
  const count = await gateway.query(`{ ${field} { count } }`);

  expect(again).toMatchObject({ calls: [], data: { [field]: { count: rows.length, results: ids(0, 10) } } });
  expect(part).toMatchObject({ calls: [], data: { [field]: { count: rows.length, results: ids(3, 7) } } });
  expect(count).toMatchObject({ calls: [], data: { [field]: { count: rows.length } } });
});

test('references are found in what is kept, across the pages of a list', async () => {
  gateway = await startGateway({ settings: kept });
  const document = `{ company(id: "${coop}") { products { name } } currencies(limit: 150) { results { name } } }`;

  const cold = await gateway.query(document);
  const warm = await gateway.query(document);
  const across = await gateway.query('{ currencies(offset: 90, limit: 20) { results { name } } }');

  expectCalls(
    cold,
    one(paths.companies, coop),
    page(paths.products, 100),
    page(paths.currencies, 100),
    page(paths.currencies, 50, 100),
  );
  expectCalls(warm, one(paths.companies, coop));
  expect(warm.data).toEqual(cold.data);
  expect(across.calls).toEqual([]);
  expect(across.data.currencies.results).toEqual(cold.data.currencies.results.slice(90, 110));
});

test('a list that has grown since its first page was kept is read anew as a whole', async () => {
  gateway = await startGateway({ settings: kept });
  await gateway.query('{ cards(limit: 100) { results { id } } }');
  await writeCards(3);
  const rows = await readRows(gateway, paths.cards);

  const { data } = await gateway.query(`{ cards(limit: ${rows.length + 10}) { count results { id } } }`);

  expect(data.cards).toEqual({ count: rows.length, results: rows.map(({ id }) => ({ id })) });
});

test('the last rows are counted from the end that the list has now', async () => {
  gateway = await startGateway({ settings: kept });
  await gateway.query('{ cards { count } }');
  await writeCards(1);
  const rows = await readRows(gateway, paths.cards);

  const { data } = await gateway.query('{ cards(last: 2) { count results { id } pageInfo { hasNextPage } } }');

  const results = rows.slice(-2).map(({ id }) => ({ id }));
  expect(data.cards).toEqual({ count: rows.length, results, pageInfo: { hasNextPage: false } });
});

test('of a list that is kept in part, all that is asked for is read', async () => {
  gateway = await startGateway({ settings: kept });
  await gateway.query('{ currencies { count } }');

  const answer = await gateway.query('{ currencies(limit: 150) { results { id } } }');

  expectCalls(answer, page(paths.currencies, 100), page(paths.currencies, 50, 100));
  expect((await gateway.query('{ currencies(limit: 150) { results { id } } }')).calls).toEqual([]);
});

test('a list that is looked through goes on where what is kept of it ends', async () => {
  gateway = await startGateway({ settings: kept });
  const [first] = (await readRows(gateway, paths.cards)).slice(-1);
  const payments = await firstRows(gateway, paths.paymentTransactions);
  const { source, destination, premium } = payments.find(({ premium }) => premium)!;
  const body = { source, destination, premium, amount: 1, card: first!.id };
  const { id } = await writeRest(gateway, paths.paymentTransactions, body);
  await gateway.query('{ cards(limit: 100) { results { id } } }');

  const answer = await gateway.query(`{ paymentTransaction(id: "${id}") { card { card_id } } }`);

  expect(answer.data.paymentTransaction.card).toEqual({ card_id: first!.card_id });
  expect(answer.calls).not.toContain(page(paths.cards, 100));
  expect(answer.calls).toContain(page(paths.cards, 100, 100));
});

test('references are found in what is kept, beside a count of it', async () => {
  gateway = await startGateway({ settings: kept });
  const { id } = (await firstRows(gateway, paths.paymentTransactions)).find(({ card }) => card)!;
  await gateway.query('{ cards(limit: 1000) { results { id } } }');

  const answer = await gateway.query(`{ cards { count } paymentTransaction(id: "${id}") { card { card_id } } }`);

  expect(answer.errors).toEqual([]);
  expectCalls(answer, one(paths.paymentTransactions, id));
});

test('an answer that is no list is not kept', async () => {
  const unreliable = await startFakedGateway(kept);
  gateway = unreliable;
  unreliable.upstream.fail(paths.currencies, { body: '{ "count": -1, "results": [] }' });
  expect((await unreliable.queryFailing('{ currencies { count } }')).errors).toHaveLength(1);

  unreliable.upstream.recover();

  expect((await unreliable.queryFailing('{ currencies { count } }')).data.currencies.count).toBe(150);
});

test('what a filter chooses, and resources that are no catalog, are read each time', async () => {
  gateway = await startGateway({ settings: kept });
  const document = '{ currencies(search: "euro") { count } products(updated_after: 0) { count } farmers { count } }';

  await gateway.query('{ currencies { count } products { count } }');
  await gateway.query(document);

  expect((await gateway.query(document)).calls).toHaveLength(3);
});

test('no key, and no language, is ever shown what was kept for another', async () => {
  gateway = await startGateway({ settings: kept });
  const document = '{ products(limit: 100) { results { id premiums } } }';

  const ofCoop = await gateway.query(document);
  const ofBuyer = await gateway.query(document, {}, { key: 'demo-buyer' });
  const inFrench = await gateway.query(document, {}, { headers: { 'accept-language': 'fr' } });
  const nobody = await gateway.query(document, {}, { key: null });
  const unknown = await gateway.query(document, {}, { key: 'demo-coop ' + 'x' });

  expect(ofBuyer.data).not.toEqual(ofCoop.data);
  for (const { calls } of [ofBuyer, inFrench, unknown]) expectCalls({ calls }, page(paths.products, 100));
  for (const { data, errors } of [nobody, unknown]) {
    expect([data, errors[0]!.extensions.code]).toEqual([{ products: null }, 'UNAUTHENTICATED']);
  }
  expect((await gateway.query(document)).data).toEqual(ofCoop.data);
  expect(await gateway.query(document, {}, { key: 'demo-buyer' })).toMatchObject({ data: ofBuyer.data, calls: [] });
});

test('a key that the service refuses loses what was kept for it', async () => {
  const unreliable = await startFakedGateway(kept);
  gateway = unreliable;
  await unreliable.queryFailing('{ currencies { count } }');
  expect((await unreliable.queryFailing('{ currencies { count } }')).calls).toEqual([]);

  unreliable.upstream.fail(paths.farmers, { status: 401, body: '{}' });
  await unreliable.queryFailing('{ farmers { count } }');

  expect((await unreliable.queryFailing('{ currencies { count } }')).calls).toEqual([page(paths.currencies, 1)]);
});

test('Cache-Control: no-cache asks the service, and what it answers is kept', async () => {
  gateway = await startGateway({ settings: kept });
  const document = '{ cards { count } }';
  const headers = { 'cache-control': 'max-age=0, no-cache' };
  const { data } = await gateway.query(document);
  await writeRest(gateway, paths.entityCards, { card: { card_id: 'brand-new' }, entity: coop });

  expect(await gateway.query(document)).toMatchObject({ data, calls: [] });
  const fresh = await gateway.query(document, {}, { headers });

  expect(fresh.calls).toEqual([page(paths.cards, 1)]);
  expect(fresh.data.cards.count).toBe(data.cards.count + 1);
  expect(await gateway.query(document)).toMatchObject({ data: fresh.data, calls: [] });
});

test('a budget that kept catalogs do without is none for a client that wants no cached answer', async () => {
  gateway = await startGateway({ settings: { ...kept, MAX_UPSTREAM_CALLS: '1' } });
  await gateway.query('{ cards { count } }');
  await gateway.query('{ currencies { count } }');
  const document = '{ cards { count } currencies { count } }';

  expect(await gateway.query(document)).toMatchObject({ status: 200, errors: [], calls: [] });
  const fresh = await gateway.query(document, {}, { headers: { 'cache-control': 'no-cache' } });

  expect(fresh).toMatchObject({ status: 400, errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }] });
});

test('a key that the service refuses for a write loses what was kept for it', async () => {
  const unreliable = await startFakedGateway(kept);
  gateway = unreliable;
  await unreliable.queryFailing('{ currencies { count } }');

  unreliable.upstream.fail(paths.farmers, { status: 401, body: '{}' });
  const { errors } = await unreliable.queryFailing('mutation { createFarmer(input: { first_name: "Ama" }) { id } }');

  expect(errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
  expect((await unreliable.queryFailing('{ currencies { count } }')).calls).toEqual([page(paths.currencies, 1)]);
});

test('a write takes with it what it may have changed, in every language of its key, and nothing else', async () => {
  gateway = await startGateway({ settings: kept });
  const document = '{ cards { count } entityCards { count } products { count } currencies { count } }';
  const french = { headers: { 'accept-language': 'fr' } };
  const before = await gateway.query(document);
  await gateway.query(document, {}, french);
  await gateway.query(document, {}, { key: 'demo-buyer' });

  await gateway.query(`mutation {
    createEntityCard(input: { card: { card_id: "brand-new" }, entity: "${coop}" }) { id }
  }`);

  const after = await gateway.query(document);
  expectCalls(after, page(paths.cards, 1), page(paths.entityCards, 1));
  expect(after.data.cards.count).toBe(before.data.cards.count + 1);
  expect(after.data.entityCards.count).toBe(before.data.entityCards.count + 1);
  expect((await gateway.query(document, {}, french)).calls).toHaveLength(2);
  expect((await gateway.query(document, {}, { key: 'demo-buyer' })).calls).toEqual([]);
});

test('a refused write takes it as well: nobody knows what it did', async () => {
  gateway = await startGateway({ settings: kept });
  await gateway.query('{ cards { count } }');

  const { errors } = await gateway.query(
    'mutation { createEntityCard(input: { card: { card_id: "x" }, entity: "ZZZZZZZZZZ" }) { id } }',
  );

  expect(errors).toHaveLength(1);
  expect((await gateway.query('{ cards { count } }')).calls).toEqual([page(paths.cards, 1)]);
});

test('what was asked before a write and comes after it is not kept', async () => {
  const gated = await startFakedGateway(kept);
  gateway = gated;
  gated.upstream.hold();
  const before = gated.query('{ cards { count } }');
  await gated.upstream.untilArrived(1);
  await gated.query(addCard);
  gated.upstream.release();
  await before;

  await gated.query('{ cards { count } }');

  expect(gated.upstream.calls.filter((call) => call === page(paths.cards, 1))).toHaveLength(2);
});

test('while a write is under way nothing from before it is shown', async () => {
  const gated = await startFakedGateway(kept);
  gateway = gated;
  await gated.query('{ cards { count } }');
  gated.upstream.hold('writes');
  const write = gated.query(addCard);
  await gated.upstream.untilArrived(2);

  const meanwhile = await gated.query('{ cards { count } }');

  expect(meanwhile.calls).toEqual([page(paths.cards, 1)]);
  gated.upstream.release();
  await write;
});

test('after a write nothing is shown that was read while it was under way', async () => {
  const gated = await startFakedGateway(kept);
  gateway = gated;
  gated.upstream.hold('writes');
  const write = gated.query(addCard);
  await gated.upstream.untilArrived(1);
  const { data } = await gated.query('{ cards { count } }');
  gated.upstream.release();
  expect((await write).errors).toEqual([]);

  const after = await gated.query('{ cards { count } }');

  expect(after.data.cards.count).toBe(data.cards.count + 1);
});

test('a reference younger than the kept list is looked for in the list as it is now', async () => {
  gateway = await startGateway({ settings: kept });
  const payments = await firstRows(gateway, paths.paymentTransactions);
  const payment = payments.find(({ premium }) => premium);
  await gateway.query('{ cards(limit: 1000) { results { id } } }');
  const { card } = await writeRest(gateway, paths.entityCards, { card: { card_id: 'brand-new' }, entity: coop });
  const { id } = await writeRest(gateway, paths.paymentTransactions, {
    source: payment!.source,
    destination: payment!.destination,
    premium: payment!.premium,
    amount: 1,
    card: card.id,
  });

  const answer = await gateway.query(`{ paymentTransaction(id: "${id}") { card { card_id } } }`);

  expect(answer).toMatchObject({ errors: [], data: { paymentTransaction: { card: { card_id: 'brand-new' } } } });
  expectCalls(answer, one(paths.paymentTransactions, id), page(paths.cards, 100));
});

test('a list that is getting old is shown while it is read anew', async () => {
  const gated: FakedGateway = await startFakedGateway(kept);
  gateway = gated;
  const ask = async () => (await gated.query('{ cards { count } }')).data.cards.count;
  const old = await ask();
  await writeCards(1);
  age(700_000);
  gated.upstream.hold();

  // Were the clients to wait for the service, none would be answered before the gate opens.
  expect([await ask(), await ask(), await ask()]).toEqual([old, old, old]);
  gated.upstream.release();

  await expect.poll(ask, { timeout: 10_000 }).toBe(old + 1);
  expect(gated.upstream.calls).toEqual([page(paths.cards, 1), page(paths.cards, 1)]);
});

test('a service that is down is not asked with every query for a list that is getting old', async () => {
  const unreliable = await startFakedGateway(kept);
  gateway = unreliable;
  const { calls } = unreliable.upstream;
  const ask = async () => (await unreliable.query('{ currencies { count } }')).data.currencies.count;
  await ask();
  age(700_000);
  unreliable.upstream.fail(paths.currencies, { status: 503, body: '{}' });

  for (let times = 0; times < 10; times += 1) expect(await ask()).toBe(150);
  expect(calls).toHaveLength(2);

  // The failure may be noted only after the last of those answers.
  let aged = 700_000;
  const again = async () => {
    aged += 10_000;
    age(aged);
    await ask();
    return calls.length;
  };
  await expect.poll(again, { timeout: 10_000 }).toBeGreaterThan(2);
});

test.each([
  ['bytes', { CATALOG_MAX_BYTES: '2000' }],
  ['lists', { CATALOG_MAX_ENTRIES: '1' }],
  ['time', { CATALOG_TTL_MS: '0' }],
])('no more is kept than there is room for: %s', async (_what, settings) => {
  gateway = await startGateway({ settings: { ...kept, ...settings } });
  const documents = ['{ currencies(limit: 100) { results { id } } }', '{ products(limit: 100) { results { id } } }'];
  for (const document of documents) await gateway.query(document);

  for (const document of documents) expect((await gateway.query(document)).calls).toHaveLength(1);
});

test('what was kept is shown as a read that cost nothing', async () => {
  gateway = await startGateway({ settings: kept });
  await gateway.query('{ currencies(limit: 5) { results { id } } }');

  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'demo-coop', 'x-trace-upstream': 'true' },
    body: JSON.stringify({
      query: '{ a: currencies(limit: 3) { results { id } } b: currencies(limit: 3) { results { code } } }',
    }),
  });

  expect(await response.json()).toMatchObject({
    extensions: {
      upstream: {
        total: 0,
        calls: [],
        saved: [
          { method: 'GET', path: '/catalogs/currencies/', by: 'cache', rows: 3, reason: 'root', fields: ['a', 'b'] },
        ],
      },
    },
  });
});
