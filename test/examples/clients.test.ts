import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { App, Page } from '../../examples/clients/caches/app.ts';
import { createFarmer, ids } from '../../packages/push/test/push.ts';
import { openExample } from '../support/example.ts';
import { type FakedGateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { scrape } from '../support/scrape.ts';

const example = openExample('clients');

/** The names that the code on the page examples/clients/caches/README.md uses. */
const prelude = `
import { ApolloClient, HttpLink } from '@apollo/client';
import { cacheExchange } from '@urql/exchange-graphcache';
import relay, { type GraphQLTaggedNode, type INetwork } from 'relay-runtime';
import { createCache, placeCreated } from '../../caches/apollo.ts';
import { getDataID, shownLists } from '../../caches/relay.ts';
import { cacheOptions } from '../../caches/urql.ts';
const { commitMutation, Environment, RecordSource, Store } = relay;
declare const possibleTypes: Record<string, string[]>;
declare const network: INetwork;
declare const mutation: GraphQLTaggedNode;
declare const variables: Record<string, unknown>;
declare const data: { farmers: { __id: string } };
declare const first_name: string;
declare function useEffect(effect: () => void, dependencies: unknown[]): void;
`;

if (!example.skip) {
  // Writes the files of Relay's compiler, and checks types, those of the code on the page too.
  beforeAll(async () => {
    const page = readFileSync(join(example.folder, 'caches/README.md'), 'utf8');
    const code = [...page.matchAll(/```ts\n([^`]+)```/g)].map(([, block]) => block);
    mkdirSync(join(example.folder, 'relay/__generated__'), { recursive: true });
    writeFileSync(join(example.folder, 'relay/__generated__/client-caches.ts'), [prelude, ...code].join('\n'));
    await example.script('check');
  }, 120_000);
}

describe.skipIf(example.skip)('the programs of examples/clients', () => {
  /** Runs a program over a gateway of its own, and returns its output and its REST calls. */
  async function run(program: string) {
    await using gateway = await startGateway({ file: { graphql: { countedElements: 'all' } } });
    const printed = await example.run(process.execPath, [program], { GATEWAY_URL: gateway.url });
    const calls = gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
    const counted = await scrape(gateway.url, 'gateway_element_uses_total');
    const clients = [...new Set(counted.map(({ labels }) => labels.client))];
    return { answer: JSON.parse(printed), calls, clients };
  }

  const names = ['Ɔbaa Yaa Osei', 'Immaculée Uwimana', 'Syafruddin Siregar', 'Yaa Adjei'];
  const twoPages = ['GET /supply-chains/farmers/?limit=2&offset=0', 'GET /supply-chains/farmers/?limit=3&offset=1'];

  test.concurrent.each(['fetch.ts', 'graphql-request.ts'])(
    '%s pages through a list, repeats a mutation, and reads the codes of errors',
    async (program) => {
      expect(await run(program)).toEqual({
        answer: { names, created: 'Esi', createdOnce: true, refused: ['BAD_USER_INPUT'] },
        calls: [...twoPages, 'POST /supply-chains/farmers/'],
        clients: ['examples'],
      });
    },
  );

  test.concurrent.each([
    ['apollo.ts', ['NOT_FOUND'], 'apollo-example'],
    ['urql.ts', ['NOT_FOUND'], 'examples'],
    // Relay shows the data alone.
    ['relay.ts', null, 'examples'],
  ])(
    '%s joins pages to one list, shows the answers of mutations without another request, and takes an error beside data',
    async (program, missing, client) => {
      const { answer, calls, clients } = await run(program);

      expect(clients).toEqual([client]);

      expect(answer).toMatchObject({
        names,
        before: {
          current_quantity: '327.452',
          destination: { __typename: 'Company', name: 'Sankofa Growers Cooperative Union' },
        },
        now: { current_quantity: '0.000', destination: { __typename: 'Company', name: 'Sankofa' } },
        missing,
      });
      expect(calls).toEqual([
        ...twoPages,
        'GET /transactions/product-transactions/Q24C3ANSD8/',
        'GET /supply-chains/companies/J7VY4SD9HV/',
        'PATCH /supply-chains/companies/J7VY4SD9HV/',
        'POST /transactions/product-transactions/',
        // The mutation asks for the remaining quantity.
        'GET /transactions/product-transactions/Q24C3ANSD8/',
        'GET /transactions/product-transactions/NOSUCHIDXX/',
      ]);
    },
  );

  test('relay-types.ts reads what the schema promises without a test for null, and throws where the answer has an error', async () => {
    expect(await run('relay-types.ts')).toMatchObject({
      answer: { purchase: '884.120 USD from Dewi Siregar', missing: expect.stringContaining('Relay') },
      clients: ['examples'],
    });
  });
});

interface Row {
  id: string;
  name?: string;
  current_quantity?: string;
}
interface List {
  count: number;
  edges?: { node: Row }[];
  results?: Row[];
}

/** The one list of a page. */
function listOf(page: Page): { count: number; rows: Row[] } {
  const [{ count, edges, results }] = Object.values(page.data() as Record<string, List>) as [List];
  return { count, rows: edges?.map(({ node }) => node) ?? results ?? [] };
}
const namesOf = (page: Page) => listOf(page).rows.map(({ name }) => name);
const idsOf = (page: Page) => listOf(page).rows.map(({ id }) => id);

const farmerOf = (first_name: string) => ({ input: { first_name, province: 'Ashanti', country: 'Ghana' } });
const purchaseOf = (input: object = {}) => ({
  input: {
    source: ids.farmer,
    destination: ids.cooperative,
    product: ids.coffee,
    currency: ids.dollar,
    quantity: '12.5',
    amount: '80',
    ...input,
  },
});

describe.skipIf(example.skip).each(['apollo', 'urql', 'relay'])('the cache of the example for %s', (client) => {
  let gateway: FakedGateway;
  let app: App;
  /** The requests of the client to the gateway. */
  let sent: MockInstance<typeof fetch>;

  beforeAll(async () => {
    gateway = await startFakedGateway({ 'cache.lists.ttlMs': '60000' });
  });
  afterAll(() => gateway.close());

  beforeEach(() => {
    sent = vi.spyOn(globalThis, 'fetch');
  });
  afterEach(() => {
    gateway.upstream.respond = undefined;
    gateway.upstream.release();
    sent.mockRestore();
  });

  async function open<Pages extends Parameters<App['open']>[]>(...pages: Pages) {
    const { startApp } = await import(join(example.folder, `caches/${client}-app.ts`));
    app = startApp(gateway.url);
    const opened = await Promise.all(pages.map((page) => app.open(...page)));
    gateway.upstream.clear();
    sent.mockClear();
    return opened as { [Index in keyof Pages]: Page };
  }

  /** Fails if the client has sent more than its writes, or if the gateway has read a list. */
  function expectNoListRead(writes = 1): void {
    expect(sent.mock.calls.filter(([url]) => url === gateway.url)).toHaveLength(writes);
    expect(gateway.upstream.calls.filter((call) => call.includes('?'))).toEqual([]);
  }

  test('shows a new farmer at the end of a loaded list, and counts it where the end is not loaded', async () => {
    const [all, found, other, lastPage] = await open(
      ['farmers', { first: 3 }],
      ['farmers', { first: 30, first_name: 'VEST' }],
      ['farmers', { first: 30, first_name: 'kwaku' }],
      ['farmerTable', { limit: 100, offset: 230 }],
    );
    const before = { all: listOf(all), found: listOf(found), other: listOf(other), lastPage: listOf(lastPage) };
    await app.write('createFarmer', farmerOf('Sylvester'));

    expect(namesOf(found)).toEqual([...before.found.rows.map(({ name }) => name), 'Sylvester']);
    expect(listOf(found).count).toBe(before.found.count + 1);
    expect(listOf(all)).toEqual({ count: before.all.count + 1, rows: before.all.rows });
    expect(listOf(other)).toEqual(before.other);
    expect(listOf(lastPage).count).toBe(before.lastPage.count + 1);
    expect(listOf(lastPage).rows.at(-1)).toMatchObject({ name: 'Sylvester', buyer: { name: expect.any(String) } });
    expectNoListRead();
  });

  test('shows a farmer once if the answer comes twice under one Idempotency-Key', async () => {
    const [all, found] = await open(['farmers', { first: 3 }], ['farmers', { first: 50, first_name: 'abla' }]);
    const { count } = listOf(all);
    const idempotencyKey = randomUUID();
    await app.write('createFarmer', farmerOf(`Abla of ${client}`), { idempotencyKey });
    await app.write('createFarmer', farmerOf(`Abla of ${client}`), { idempotencyKey });

    expect(namesOf(found).filter((name) => name === `Abla of ${client}`)).toHaveLength(1);
    expect(listOf(found).count).toBe(listOf(found).rows.length);
    expect(listOf(all).count).toBe(count + 1);
    expectNoListRead(2);

    // Another start of the app has read the row before the answer comes again.
    const [listed] = await open(['farmers', { first: 50, first_name: 'abla' }]);
    const before = listOf(listed);
    await app.write('createFarmer', farmerOf(`Abla of ${client}`), { idempotencyKey });
    expect(listOf(listed)).toEqual(before);
  });

  test('shows a farmer on a page that was closed when the farmer came', async () => {
    const first_name = `Akua of ${client}`;
    const [page] = await open(['farmers', { first: 50, first_name: 'akua' }]);
    const { count } = listOf(page);
    page.close();
    await app.write('createFarmer', farmerOf(first_name));

    const again = await app.open('farmers', { first: 50, first_name: 'akua' });
    await expect.poll(() => namesOf(again)).toContain(first_name);
    expect(listOf(again).count).toBe(count + 1);
    expectNoListRead();
  });

  test('stores a company and a user of the same id as two objects', async () => {
    const [page] = await open(['company', { id: ids.cooperative }]);

    expect(page.data()).toMatchObject({
      company: {
        id: ids.cooperative,
        email: 'office@sankofa.example',
        creator: { id: ids.cooperative, email: 'abena@sankofa.example' },
      },
    });
  });

  test('shows a farmer under a temporary id until the service answers, and then once', async () => {
    const { temporaryId } = await import(join(example.folder, 'caches/lists.ts'));
    const [found] = await open(['farmers', { first: 50, first_name: 'afua' }]);
    const before = idsOf(found);
    const first_name = `Afua of ${client}`;
    const farmer = { __typename: 'Farmer', id: temporaryId(), name: first_name, first_name, buyer: null };
    gateway.upstream.hold('writes');
    const written = app.write('createFarmer', farmerOf(first_name), { optimistic: { createFarmer: farmer } });
    await expect.poll(() => idsOf(found)).toEqual([...before, farmer.id]);
    gateway.upstream.release();
    await written;

    expect(idsOf(found)).toEqual([...before, expect.stringMatching(/^[A-Z0-9]{10}$/)]);
    expect(listOf(found).count).toBe(before.length + 1);
    expectNoListRead();
  });

  test('shows a farmer whose answer has an error beside the data', async () => {
    // The service stores another place than was sent.
    gateway.upstream.respond = ({ method }) =>
      method === 'POST' ? { edit: (farmer) => void Object.assign(farmer, { province: 'Central' }) } : undefined;
    const { input } = farmerOf('Esi');
    const document = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
    const { errors } = await gateway.query(document, { input });
    expect(errors).toMatchObject([{ extensions: { code: 'INPUT_NOT_STORED' } }]);

    const [found] = await open(['farmers', { first: 50, first_name: 'esi' }]);
    const before = idsOf(found);
    await app.write('createFarmer', { input });
    expect(idsOf(found)).toHaveLength(before.length + 1);
    expectNoListRead();
  });

  test('takes a farmer back whom the service refuses', async () => {
    const { temporaryId } = await import(join(example.folder, 'caches/lists.ts'));
    const [found] = await open(['farmers', { first: 50, first_name: 'afua' }]);
    const before = listOf(found);
    const farmer = { __typename: 'Farmer', id: temporaryId(), name: 'Afua', first_name: 'Afua', buyer: null };
    gateway.upstream.respond = () => ({ status: 400, body: JSON.stringify({ first_name: ['Taken.'] }) });
    await app.write('createFarmer', farmerOf('Afua'), { optimistic: { createFarmer: farmer } }).catch(() => undefined);

    expect(listOf(found)).toEqual(before);
    expectNoListRead();
  });

  test('shows a purchase on top with its references, and no row twice after the next page', async () => {
    const [all] = await open(['purchases', { first: 3 }]);
    const before = listOf(all);
    await app.write('createProductTransaction', purchaseOf());

    const [top, ...others] = listOf(all).rows;
    expect(top).toMatchObject({ source: { name: 'Vestine Niyonzima' }, product: { name: expect.any(String) } });
    expect(others).toEqual(before.rows);
    expect(listOf(all).count).toBe(before.count + 1);
    expectNoListRead();

    await all.more();
    await expect.poll(() => idsOf(all).length).toBe(7);
    expect(new Set(idsOf(all)).size).toBe(7);

    await app.write('createProductTransaction', purchaseOf());
    expect(idsOf(all).length).toBe(8);
    await all.more();
    await expect.poll(() => idsOf(all).length).toBe(11);
    expect(new Set(idsOf(all)).size).toBe(11);
    expect(listOf(all).count).toBe(before.count + 2);
  });

  test('shows a purchase on the first page of a table, and the moved rows on the second', async () => {
    const [first] = await open(['purchaseTable', { limit: 3 }], ['purchaseTable', { limit: 3, offset: 3 }]);
    const { count, rows } = listOf(first);
    await app.write('createProductTransaction', purchaseOf());

    expect(listOf(first)).toEqual({ count: count + 1, rows: [expect.anything(), ...rows.slice(0, 2)] });
    const second = await app.open('purchaseTable', { limit: 3, offset: 3 });
    await expect.poll(() => idsOf(second)[0]).toBe(rows[2]?.id);
  });

  test('shows a purchase on the page of its farmer alone', async () => {
    const [seller, other] = await open(['farmerTrade', { id: ids.farmer }], ['farmerTrade', { id: '3Z4CSTM722' }]);
    const rowsOf = (page: Page) =>
      (page.data() as { farmer: { productTransactions: { results: Row[] } } }).farmer.productTransactions.results;
    const before = { seller: rowsOf(seller), other: rowsOf(other) };
    await app.write('createProductTransaction', purchaseOf());

    const [top, ...others] = rowsOf(seller);
    expect(top).toMatchObject({ source: { name: 'Vestine Niyonzima' }, current_quantity: '12.500' });
    expect(others).toEqual(before.seller.slice(0, 3));
    expect(rowsOf(other)).toEqual(before.other);
    expectNoListRead();
  });

  test('shows a purchase of an earlier time at its place, or on the next page', async () => {
    const [all] = await open(['purchases', { first: 3 }]);
    const { rows, count } = listOf(all);
    const [, second, third] = rows as (Row & { created_on: string })[];
    const before = (row = second) => new Date(Date.parse(row?.created_on ?? '') - 1).toISOString();
    await app.write('createProductTransaction', purchaseOf({ created_on: before(second) }));
    const [first, , placed] = idsOf(all);
    await app.write('createProductTransaction', purchaseOf({ created_on: before(third) }));

    expect(idsOf(all)).toEqual([first, second?.id, placed, third?.id]);
    expect(listOf(all).count).toBe(count + 2);
    expectNoListRead(2);

    await all.more();
    await expect.poll(() => idsOf(all).length).toBe(7);
    expect(new Set(idsOf(all)).size).toBe(7);
  });

  test('takes goods that are passed on from the list of available ones', async () => {
    const [stock, all] = await open(
      ['purchases', { first: 5, quantity_available: true }],
      ['purchases', { first: 20 }],
    );
    const before = listOf(stock);
    const [parent, ...others] = before.rows;
    const sale = { source: ids.cooperative, destination: 'T4GPXAH8SF', quantity: parent?.current_quantity };
    await app.write('createProductTransaction', purchaseOf({ ...sale, parents: [parent?.id] }));

    expect(listOf(stock)).toEqual({ count: before.count - 1, rows: others });
    expect(listOf(all).rows.find(({ id }) => id === parent?.id)).toMatchObject({ current_quantity: '0.000' });
    expectNoListRead();

    await app.write('createProductTransaction', purchaseOf());
    expect(listOf(stock).count).toBe(before.count);
    expect(idsOf(stock)[0]).toBe(idsOf(all)[0]);
    await stock.more();
    await expect.poll(() => idsOf(stock).length).toBe(10);
    expect(new Set(idsOf(stock)).size).toBe(10);
  });

  test('shows after a sync what a sale made elsewhere has left of the goods', async () => {
    const [stock] = await open(['purchases', { first: 5, quantity_available: true }]);
    const { rows } = listOf(stock);
    const [parent] = rows;
    expect(Number(parent?.current_quantity)).toBeGreaterThan(0);
    const { serverTime: since } = (await gateway.query('{ serverTime }')).data;
    const sale = { source: ids.cooperative, destination: 'T4GPXAH8SF', parents: [parent?.id] };
    const document =
      'mutation ($input: CreateProductTransactionInput!) { createProductTransaction(input: $input) { id } }';
    expect((await gateway.query(document, purchaseOf(sale))).errors).toEqual([]);
    await app.open('sync', { since });

    const left = () => listOf(stock).rows.map(({ current_quantity }) => current_quantity);
    await expect.poll(left).toEqual(['0.000', ...rows.slice(1).map(({ current_quantity }) => current_quantity)]);
  });

  test('reads a full page of available goods of a company again where a sale takes one of them', async () => {
    const [trade] = await open(['companyStock', { id: ids.cooperative }]);
    const idsOfPage = () =>
      (
        trade.data() as { company: { productTransactions: { results: Row[] } } }
      ).company?.productTransactions?.results.map(({ id }) => id);
    const [parent, ...others] = idsOfPage() as string[];
    const sale = { source: ids.cooperative, destination: 'T4GPXAH8SF', parents: [parent] };
    await app.write('createProductTransaction', purchaseOf(sale));
    const again = await app.open('companyStock', { id: ids.cooperative });
    const shown = () =>
      (
        again.data() as { company?: { productTransactions?: { results: Row[] } } }
      ).company?.productTransactions?.results.map(({ id }) => id);

    await expect.poll(shown).toEqual([...others, expect.any(String)]);
    expect(shown()).toHaveLength(4);
  });

  test('shows a payment in its list, or in its transaction, and its invoice in both', async () => {
    const [payments, purchases] = await open(['payments', { first: 3 }], ['purchases', { first: 3 }]);
    const before = listOf(payments);
    const transaction = idsOf(purchases)[0];
    const payment = { source: ids.cooperative, destination: ids.farmer, premium: 'J7VY4SD9HV', currency: ids.dollar };
    await app.write('createPaymentTransaction', { input: { ...payment, amount: 1.5 } });
    await app.write('createPaymentTransaction', { input: { ...payment, amount: 2.5, transaction } });

    const [top, ...others] = listOf(payments).rows;
    expect(top).toMatchObject({ amount: 1.5, payment_type: 'PREMIUM' });
    expect(others).toEqual(before.rows);
    expect(listOf(payments).count).toBe(before.count + 1);
    expect(listOf(purchases).rows[0]).toMatchObject({
      transaction_payments: expect.arrayContaining([expect.objectContaining({ amount: 2.5 })]),
    });

    const invoice = new File(['%PDF-1.7'], 'invoice.pdf', { type: 'application/pdf' });
    await app.write('uploadInvoice', { payment: top?.id, invoice });
    expect(listOf(payments).rows[0]).toMatchObject({ invoice: expect.stringContaining('invoice.pdf') });
    expect(listOf(payments).count).toBe(before.count + 1);
    expectNoListRead(3);
  });

  test('ends the earlier assignments of a card and of its new holder', async () => {
    const [cards] = await open(['cards', { first: 5 }]);
    const [assigned, other] = listOf(cards).rows as (Row & { entity_id: string; card: { card_id: string } })[];
    const farmerPages = await open(
      ['cards', { first: 5 }],
      ['farmer', { id: assigned?.entity_id }],
      ['farmer', { id: other?.entity_id }],
    );
    const [list, former, holder] = farmerPages;
    const { count } = listOf(list);
    const { card_id } = assigned?.card ?? {};
    await app.write('createEntityCard', { input: { card: { card_id }, entity: other?.entity_id } });

    expect(listOf(list).count).toBe(count + 1);
    expect(listOf(list).rows.slice(0, 3)).toMatchObject([
      { card: { card_id }, is_active: true },
      { id: assigned?.id, is_active: false },
      { id: other?.id, is_active: false },
    ]);
    expect(former.data()).toMatchObject({ farmer: { entity_card: null } });
    expect(holder.data()).toMatchObject({ farmer: { entity_card: { card: { card_id } } } });
    expectNoListRead();
  });

  test('shows what belongs to a company, and its new name, where the company is', async () => {
    const [company, purchases] = await open(['company', { id: ids.cooperative }], ['purchases', { first: 30 }]);
    const before = (company.data() as { company: Record<string, unknown[]> }).company;
    await app.write('createCompanyMember', {
      input: { company: ids.cooperative, user: { first_name: 'Yaw', email: `${client}@example.org` } },
    });
    await app.write('createForm', { input: { owner: ids.cooperative, fields: [] } });
    await app.write('createPremium', { input: { owner: ids.cooperative, name: 'Harvest' } });
    await app.write('updateCompany', { id: ids.cooperative, input: { name: `Union of ${client}` } });

    expect(company.data()).toMatchObject({
      company: {
        name: `Union of ${client}`,
        member_ids: { length: (before.member_ids?.length ?? 0) + 1 },
        forms: { length: (before.forms?.length ?? 0) + 1 },
        owned_premiums: { length: (before.owned_premiums?.length ?? 0) + 1 },
      },
    });
    const sources = listOf(purchases).rows.map((row) => (row as { source?: Row }).source);
    expect(sources.filter((source) => source?.id === ids.cooperative)).toContainEqual(
      expect.objectContaining({ name: `Union of ${client}` }),
    );
    expectNoListRead(4);
  });

  test('shows what a push has made, once, and nothing of writes without an object', async () => {
    const [farmers, purchases] = await open(
      ['farmers', { first: 50, first_name: 'kofi' }],
      ['purchases', { first: 3 }],
    );
    const before = { farmers: listOf(farmers), purchases: listOf(purchases) };
    gateway.upstream.respond = ({ body }) => (body.includes('Kofi Lost') ? { breaks: true } : undefined);
    const purchase = { ...purchaseOf({ source: '$farmer1' }).input };
    const writes = [
      { ...createFarmer(randomUUID(), { first_name: 'Kofi' }, 'farmer1') },
      { key: randomUUID(), write: { createProductTransaction: purchase } },
      createFarmer(randomUUID(), { first_name: 'Kofi Lost' }),
      createFarmer(randomUUID(), { first_name: 'Kofi', phone: 'x', number: 'more than ten characters' }),
    ];
    await app.write('push', { writes });
    await app.write('push', { writes });

    expect(namesOf(farmers)).toEqual([...before.farmers.rows.map(({ name }) => name), 'Kofi']);
    expect(listOf(farmers).count).toBe(before.farmers.count + 1);
    const [top, ...others] = listOf(purchases).rows;
    expect(top).toMatchObject({ source: { id: idsOf(farmers).at(-1), name: 'Kofi' } });
    expect(others).toEqual(before.purchases.rows);
    expect(listOf(purchases).count).toBe(before.purchases.count + 1);
    expectNoListRead(2);
  });
});
