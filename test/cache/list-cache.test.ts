import { afterEach, expect, test, vi } from 'vitest';
import { accessSeconds } from '../../packages/sandbox/framework/tokens.ts';
import { codesOf } from '../support/client.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { expectCalls, firstRows, one, page, paths, readRows, writeRest } from '../support/rest-reads.ts';
import { bearerOf, people } from '../support/tokens.ts';

const cached = { 'cache.lists.ttlMs': '600000' };
const coop = 'J7VY4SD9HV';

let gateway: Gateway;
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
});

const now = performance.now.bind(performance);

/** Ages all that is cached. */
function age(ms: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** Creates cards past the gateway; the service lists them first. */
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
] as const)('%s cost no call within the TTL after the caller read them', async (field, path) => {
  gateway = await startGateway({ settings: cached });
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

test('references resolve from cached pages of a list, across page boundaries', async () => {
  gateway = await startGateway({ settings: cached });
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

test('a token that has expired gets nothing from the cache', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  const options = { key: bearerOf(people.abena) };
  const ask = () => gateway.query('{ currencies(limit: 10) { count } }', {}, options);
  await ask();
  const inTime = await ask();
  age(accessSeconds * 1_000);
  faked.upstream.respond = () => ({ status: 401, body: '{"detail":"Token is invalid or expired"}' });
  const late = await ask();

  expect([inTime.errors, inTime.calls]).toEqual([[], []]);
  expect(late.data).toEqual({ currencies: null });
  expect(codesOf(late)).toEqual(['UNAUTHENTICATED']);
});

test('a list that grew after its first page was cached is read again as a whole', async () => {
  gateway = await startGateway({ settings: cached });
  await gateway.query('{ cards(limit: 100) { results { id } } }');
  await writeCards(3);
  const rows = await readRows(gateway, paths.cards);

  const { data } = await gateway.query(`{ cards(limit: ${rows.length + 10}) { count results { id } } }`);

  expect(data.cards).toEqual({ count: rows.length, results: rows.map(({ id }) => ({ id })) });
});

test('`last` counts from the current end of a cached list that grew', async () => {
  gateway = await startGateway({ settings: cached });
  await gateway.query('{ cards { count } }');
  await writeCards(1);
  const rows = await readRows(gateway, paths.cards);

  const { data } = await gateway.query('{ cards(last: 2) { count results { id } pageInfo { hasNextPage } } }');

  const results = rows.slice(-2).map(({ id }) => ({ id }));
  expect(data.cards).toEqual({ count: rows.length, results, pageInfo: { hasNextPage: false } });
});

test('a request beyond a cached part reads the whole range', async () => {
  gateway = await startGateway({ settings: cached });
  await gateway.query('{ currencies { count } }');

  const answer = await gateway.query('{ currencies(limit: 150) { results { id } } }');

  expectCalls(answer, page(paths.currencies, 100), page(paths.currencies, 50, 100));
  expect((await gateway.query('{ currencies(limit: 150) { results { id } } }')).calls).toEqual([]);
});

test('a list scan starts with cached pages and reads on after them', async () => {
  gateway = await startGateway({ settings: cached });
  const [first] = (await readRows(gateway, paths.cards)).slice(-1);
  const payments = await firstRows(gateway, paths.paymentTransactions);
  const { source, destination, premium } = payments.find(({ premium }) => premium)!;
  const body = { source, destination, premium, amount: 1, card: first!.id };
  const { id } = await writeRest(gateway, paths.paymentTransactions, body);
  await gateway.query('{ cards(limit: 100) { results { id } } }');

  const answer = await gateway.query(`{ paymentTransaction(id: "${id}") { card { card_id } } }`);

  expect(answer.data.paymentTransaction.card).toEqual({ card_id: first!.card_id });
  expect(answer.calls).not.toContain(page(paths.cards, 100));
  // The last cached row comes again, to show whether rows have moved.
  expect(answer.calls).toContain(page(paths.cards, 101, 99));
});

test('references resolve from the cache beside a count of the same list', async () => {
  gateway = await startGateway({ settings: cached });
  const { id } = (await firstRows(gateway, paths.paymentTransactions)).find(({ card }) => card)!;
  await gateway.query('{ cards(limit: 1000) { results { id } } }');

  const answer = await gateway.query(`{ cards { count } paymentTransaction(id: "${id}") { card { card_id } } }`);

  expect(answer.errors).toEqual([]);
  expectCalls(answer, one(paths.paymentTransactions, id));
});

test('an invalid list is not cached', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  faked.upstream.fail(paths.currencies, { body: '{ "count": -1, "results": [] }' });
  expect((await faked.queryFailing('{ currencies { count } }')).errors).toHaveLength(1);

  faked.upstream.recover();

  expect((await faked.queryFailing('{ currencies { count } }')).data.currencies.count).toBe(150);
});

test('filtered lists and uncached kinds are read each time', async () => {
  gateway = await startGateway({ settings: cached });
  const document = '{ currencies(search: "euro") { count } products(updated_after: 0) { count } farmers { count } }';

  await gateway.query('{ currencies { count } products { count } }');
  await gateway.query(document);

  expect((await gateway.query(document)).calls).toHaveLength(3);
});

test('cached lists are never shown to another key or language', async () => {
  gateway = await startGateway({ settings: cached });
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

test('a read answered 401 drops the lists of its key', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  await faked.queryFailing('{ currencies { count } }');
  expect((await faked.queryFailing('{ currencies { count } }')).calls).toEqual([]);

  faked.upstream.fail(paths.farmers, { status: 401, body: '{}' });
  await faked.queryFailing('{ farmers { count } }');

  expect((await faked.queryFailing('{ currencies { count } }')).calls).toEqual([page(paths.currencies, 1)]);
});

test('Cache-Control: no-cache reads from the service and updates the cache', async () => {
  gateway = await startGateway({ settings: cached });
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

test('Cache-Control: no-cache counts cached lists against the call budget', async () => {
  gateway = await startGateway({ settings: { ...cached, 'limits.operations.upstreamCalls': '1' } });
  await gateway.query('{ cards { count } }');
  await gateway.query('{ currencies { count } }');
  const document = '{ cards { count } currencies { count } }';

  expect(await gateway.query(document)).toMatchObject({ status: 200, errors: [], calls: [] });
  const fresh = await gateway.query(document, {}, { headers: { 'cache-control': 'no-cache' } });

  expect(fresh).toMatchObject({ status: 400, errors: [{ extensions: { code: 'UPSTREAM_BUDGET_EXCEEDED' } }] });
});

test('a write answered 401 drops the lists of its key', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  await faked.queryFailing('{ currencies { count } }');

  faked.upstream.fail(paths.farmers, { status: 401, body: '{}' });
  const { errors } = await faked.queryFailing('mutation { createFarmer(input: { first_name: "Ama" }) { id } }');

  expect(errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
  expect((await faked.queryFailing('{ currencies { count } }')).calls).toEqual([page(paths.currencies, 1)]);
});

test('a write invalidates the lists it may change, in every language of its key, and no others', async () => {
  gateway = await startGateway({ settings: cached });
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

test('a refused write invalidates the same lists', async () => {
  gateway = await startGateway({ settings: cached });
  await gateway.query('{ cards { count } }');

  const { errors } = await gateway.query(
    'mutation { createEntityCard(input: { card: { card_id: "x" }, entity: "ZZZZZZZZZZ" }) { id } }',
  );

  expect(errors).toHaveLength(1);
  expect((await gateway.query('{ cards { count } }')).calls).toEqual([page(paths.cards, 1)]);
});

test('a read that starts before a write and ends after it is not cached', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  faked.upstream.hold();
  const before = faked.query('{ cards { count } }');
  await faked.upstream.untilArrived(1);
  await faked.query(addCard);
  faked.upstream.release();
  await before;

  await faked.query('{ cards { count } }');

  expect(faked.upstream.calls.filter((call) => call === page(paths.cards, 1))).toHaveLength(2);
});

test('a read during a write does not use lists cached before it', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  await faked.query('{ cards { count } }');
  faked.upstream.hold('writes');
  const write = faked.query(addCard);
  await faked.upstream.untilArrived(2);

  const meanwhile = await faked.query('{ cards { count } }');

  expect(meanwhile.calls).toEqual([page(paths.cards, 1)]);
  faked.upstream.release();
  await write;
});

test('a read after a write does not use lists read during it', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  faked.upstream.hold('writes');
  const write = faked.query(addCard);
  await faked.upstream.untilArrived(1);
  const { data } = await faked.query('{ cards { count } }');
  faked.upstream.release();
  expect((await write).errors).toEqual([]);

  const after = await faked.query('{ cards { count } }');

  expect(after.data.cards.count).toBe(data.cards.count + 1);
});

test('a list that a write of unknown outcome may still change is not cached', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  faked.upstream.fail(paths.entityCards, { breaks: true, times: 1 });
  const write = await faked.query(addCard);
  const { data } = await faked.query('{ cards { count } }');
  // The service makes the write later.
  await writeCards(1);

  const after = await faked.query('{ cards { count } }');

  expect(codesOf(write)).toEqual(['OUTCOME_UNKNOWN']);
  expect(after.data.cards.count).toBe(data.cards.count + 1);
});

test('a reference missing from a cached list is looked up in the current list', async () => {
  gateway = await startGateway({ settings: cached });
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

test('a stale list is served while it is refreshed', async () => {
  const faked: FakedGateway = await startFakedGateway(cached);
  gateway = faked;
  const ask = async () => (await faked.query('{ cards { count } }')).data.cards.count;
  const old = await ask();
  await writeCards(1);
  age(700_000);
  faked.upstream.hold();

  // None of these would be answered if the clients waited for the service.
  expect([await ask(), await ask(), await ask()]).toEqual([old, old, old]);
  faked.upstream.release();

  await expect.poll(ask).toBe(old + 1);
  expect(faked.upstream.calls).toEqual([page(paths.cards, 1), page(paths.cards, 1)]);
});

test('a failed refresh of a stale list is not repeated with each query', async () => {
  const faked = await startFakedGateway(cached);
  gateway = faked;
  const { calls } = faked.upstream;
  const ask = async () => (await faked.query('{ currencies { count } }')).data.currencies.count;
  await ask();
  age(700_000);
  faked.upstream.fail(paths.currencies, { status: 503, body: '{}' });

  for (let times = 0; times < 10; times += 1) expect(await ask()).toBe(150);
  expect(calls).toHaveLength(2);

  // The gateway may note the failure only after the last of those answers.
  let aged = 700_000;
  const again = async () => {
    aged += 10_000;
    age(aged);
    await ask();
    return calls.length;
  };
  await expect.poll(again).toBeGreaterThan(2);
});

test.each([
  ['bytes', { 'cache.lists.maxBytes': '2000' }],
  ['lists', { 'cache.lists.maxLists': '1' }],
  ['time', { 'cache.lists.ttlMs': '0' }],
])('the cache stays within its limit of %s', async (_what, settings) => {
  gateway = await startGateway({ settings: { ...cached, ...settings } });
  const documents = ['{ currencies(limit: 100) { results { id } } }', '{ products(limit: 100) { results { id } } }'];
  for (const document of documents) await gateway.query(document);

  for (const document of documents) expect((await gateway.query(document)).calls).toHaveLength(1);
});

test('the trace lists a cached read as saved', async () => {
  gateway = await startGateway({ settings: cached });
  await gateway.query('{ currencies(limit: 5) { results { id } } }');

  const { body } = await gateway.ask(
    '{ a: currencies(limit: 3) { results { id } } b: currencies(limit: 3) { results { code } } }',
    { headers: { 'x-trace-upstream': 'true' } },
  );

  expect(body).toMatchObject({
    extensions: {
      upstream: {
        total: 0,
        calls: [],
        saved: [
          {
            method: 'GET',
            path: '/catalogs/currencies/',
            query: { limit: 3, offset: 0 },
            by: 'cache',
            ms: 0,
            rows: 3,
            reason: 'root',
            fields: ['a', 'b'],
          },
        ],
      },
    },
  });
});
