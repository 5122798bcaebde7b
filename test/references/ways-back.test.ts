import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WayBack } from '../../packages/contract/data.ts';
import { Look } from '../../packages/rest-graph/load/lists/look.ts';
import { RowSearch } from '../../packages/rest-graph/load/lists/row-search.ts';
import type { ListReads } from '../../packages/rest-graph/load/reader.ts';
import { RowWork } from '../../packages/rest-graph/load/row-work.ts';
import { listsOf } from '../../packages/rest-graph/test/list-reads.ts';
import type { ServiceCosts } from '../../packages/upstream/service-costs.ts';
import { ChangingList, groups } from '../support/changing-list.ts';
import { flatCosts, realCosts, TableCosts } from '../support/cost-profiles.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { one, page, paths, type Row, readRows, writeRest } from '../support/rest-reads.ts';

/** The whole lists of the sandbox, newest first. */
let lists: Record<'farmers' | 'productTransactions' | 'paymentTransactions' | 'entityCards', Row[]>;
let plain: Gateway;
beforeAll(async () => {
  plain = await startGateway();
  lists = {
    farmers: await readRows(plain, paths.farmers),
    productTransactions: await readRows(plain, paths.productTransactions),
    paymentTransactions: await readRows(plain, paths.paymentTransactions),
    entityCards: await readRows(plain, paths.entityCards),
  };
});
afterAll(() => plain.close());

const idsOf = (rows: Row[]) => rows.map(({ id }) => id as string);
const ofParty = (rows: Row[], id: string) => rows.filter((row) => row.source === id || row.destination === id);
const whole = (rows: Row[]) => ({ complete: true, reason: null, results: rows.map(({ id }) => ({ id })) });
const rows = 'complete reason results { id }';

describe('a way back', () => {
  test('shows the newest rows of each farmer of a page, for one look through each list', async () => {
    const { data, errors, calls } = await plain.query(
      `{ farmers(limit: 20) { results { id productTransactions(limit: 3) { ${rows} } paymentTransactions { ${rows} } } } }`,
    );

    expect(errors).toEqual([]);
    for (const { id, productTransactions, paymentTransactions } of data.farmers.results) {
      expect(productTransactions).toEqual(whole(ofParty(lists.productTransactions, id).slice(0, 3)));
      expect(paymentTransactions).toEqual(whole(ofParty(lists.paymentTransactions, id).slice(0, 20)));
    }
    expect(new Set(calls).size).toBe(calls.length);
    const pagesOf = (list: Row[]) => Math.ceil(list.length / 100);
    expect(calls.length).toBeLessThanOrEqual(
      1 + pagesOf(lists.productTransactions) + pagesOf(lists.paymentTransactions),
    );
  });

  test('shows the rows of companies, of products and of transactions', async () => {
    const { productTransactions: transactions } = lists;
    const company = transactions.find(({ parents }) => parents.length > 0)!.source;
    const parent = transactions.find(({ parents }) => parents.length > 1)!.parents[0];
    const { data, errors } = await plain.query(
      `query ($company: ID!, $parent: ID!) {
        company(id: $company) { productTransactions(limit: 200) { ${rows} } paymentTransactions { ${rows} } }
        products { results { id productTransactions { ${rows} } } }
        productTransaction(id: $parent) { children { ${rows} } }
      }`,
      { company, parent },
    );

    expect(errors).toEqual([]);
    expect(data.company.productTransactions).toEqual(whole(ofParty(transactions, company).slice(0, 200)));
    expect(data.company.paymentTransactions).toEqual(whole(ofParty(lists.paymentTransactions, company).slice(0, 20)));
    for (const { id, productTransactions } of data.products.results) {
      expect(productTransactions).toEqual(whole(transactions.filter(({ product }) => product === id).slice(0, 20)));
    }
    const children = transactions.filter(({ parents }) => parents.includes(parent));
    expect(children.length).toBeGreaterThan(0);
    expect(data.productTransaction.children).toEqual(whole(children.slice(0, 20)));
  });

  test('shows of another company the rows that the service shows to the key, and no others', async () => {
    const { destination: buyer, source: cooperative } = lists.productTransactions[0]!;
    const { data, errors } = await plain.query(
      'query ($id: ID!) { company(id: $id) { productTransactions(limit: 500) { complete results { source_id destination_id } } } }',
      { id: cooperative },
      { key: 'demo-buyer' },
    );

    expect(errors).toEqual([]);
    const { complete, results } = data.company.productTransactions;
    expect(complete).toBe(true);
    expect(results.length).toBeLessThan(ofParty(lists.productTransactions, cooperative).length);
    expect(new Set(results.map((row: Row) => `${row.source_id} ${row.destination_id}`))).toEqual(
      new Set([`${cooperative} ${buyer}`]),
    );
  });

  test('loads what its rows refer to in one batch, and goes on from row to row', async () => {
    const parent = lists.productTransactions.find(({ parents }) => parents.length > 1)!.parents[0];
    const { data, errors, calls } = await plain.query(
      `query ($parent: ID!) {
        productTransaction(id: $parent) {
          source { ... on Farmer { productTransactions { results { product { name } children { results { id destination { name } } } } } } }
        }
      }`,
      { parent },
    );

    expect(errors).toEqual([]);
    const { productTransactions } = data.productTransaction.source;
    const { source } = lists.productTransactions.find(({ id }) => id === parent)!;
    const own = ofParty(lists.productTransactions, source).slice(0, 20);
    expect(productTransactions.results.every(({ product }: Row) => product.name)).toBe(true);
    expect(productTransactions.results.map(({ children }: Row) => idsOf(children.results))).toEqual(
      own.map(({ id }) => idsOf(lists.productTransactions.filter(({ parents }) => parents.includes(id)).slice(0, 20))),
    );
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.filter((call) => call.includes(paths.products))).toHaveLength(1);
  });

  test('goes on where the root list has stopped', async () => {
    const { calls } = await plain.query(
      '{ productTransactions(limit: 100) { results { children(limit: 1) { complete } } } }',
    );

    expect(calls.filter((call) => call.endsWith('offset=0'))).toEqual([page(paths.productTransactions, 100)]);
  });

  test('takes variables, and the filters of its list', async () => {
    const farmer = lists.productTransactions.at(-1)!.source;
    const own = ofParty(lists.productTransactions, farmer);
    const since = own[1]!.created_on;
    const document = `query ($id: ID!, $limit: Int, $since: DateTime) {
      farmer(id: $id) { productTransactions(limit: $limit, created_after: $since) { ${rows} } }
    }`;
    const ask = async (variables: object) =>
      (await plain.query(document, { id: farmer, ...variables })).data.farmer.productTransactions;
    const afterwards = own.filter(({ created_on }) => Date.parse(created_on) >= Date.parse(since));

    expect(await ask({ limit: 1 })).toEqual(whole(own.slice(0, 1)));
    expect(await ask({ limit: 2 })).toEqual(whole(own.slice(0, 2)));
    expect(await ask({ limit: 0 })).toEqual(whole([]));
    expect(await ask({ since })).toEqual(whole(afterwards.slice(0, 20)));
    // The gateway caches the tree of an operation that comes twice.
    for (const _ of [1, 2]) await ask({ since });
    expect(await ask({ since: own[0]!.created_on, limit: 3 })).toEqual(whole(afterwards.slice(0, 1)));
    expect(await ask({ since: '2100-01-01T00:00:00Z' })).toEqual(whole([]));
  });

  test.each([
    ['a negative number', -1, '`limit` of Farmer.productTransactions cannot be negative.'],
    [
      'more rows than a page may have',
      1001,
      '`limit` of Farmer.productTransactions can be 1000 at most (limits.operations.pageSize).',
    ],
  ])('refuses %s before the first call', async (_what, limit, message) => {
    const { data, errors, calls } = await plain.query(
      'query ($limit: Int) { farmers { results { productTransactions(limit: $limit) { complete } } } }',
      { limit },
    );

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message,
        extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['productTransactions', 'limit'], message }] },
      },
    ]);
    expect(calls).toEqual([]);
  });

  test('refuses too many rows below a write before the write', async () => {
    const { errors, calls } = await plain.query(
      'mutation { createFarmer(input: { first_name: "Esi" }) { productTransactions(limit: 1001) { complete } } }',
    );

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(calls).toEqual([]);
  });

  test('counts its rows, so that an operation of too many objects makes no call', async () => {
    const { errors, calls } = await plain.query(
      '{ farmers(limit: 1000) { results { productTransactions(limit: 1000) { results { id } } } } }',
    );

    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    expect(errors[0]?.message).toContain('about 1001000 objects');
    expect(calls).toEqual([]);
  });
});

test('a way back counts the rows that it gives, though pages are smaller', async () => {
  await using gateway = await startGateway({ settings: { 'limits.operations.pageSize': '5' } });
  const document = '{ farmers(limit: 5) { results { productTransactions { results { id } } } } }';
  const { extensions } = await gateway.query(document, {}, { headers: { 'x-trace-upstream': 'true' } });

  expect(extensions?.upstream).toMatchObject({ estimate: { cost: 5 * (1 + 20) } });
});

describe('a way back that has to stop', () => {
  test('names no argument that its field lacks', async () => {
    const dear = new TableCosts({ calls: { listPaymentTransactions: { callMs: 30, rowMs: 5000 } }, parallelism: 4 });
    await using gateway = await startGateway({ costs: dear, sandbox: { maxPageSize: 5 } });
    const { data } = await gateway.query('{ farmers(limit: 50) { results { paymentTransactions { reason } } } }');

    expect(data.farmers.results[0].paymentTransactions.reason).toMatch(/Ask for fewer objects or a smaller `limit`\.$/);
  });

  const costs = new TableCosts({ calls: { listProductTransactions: { callMs: 30, rowMs: 50 } }, parallelism: 4 });

  test('says at the bound of the work which rows it looked through', async () => {
    await using gateway = await startGateway({ costs });
    const { data, errors, calls } = await gateway.query(
      `{ farmers(limit: 50) { results { id productTransactions(limit: 1) { ${rows} } } } }`,
    );

    const seen = lists.productTransactions.slice(0, 100);
    for (const { id, productTransactions } of data.farmers.results) {
      const found = ofParty(seen, id).slice(0, 1);
      const isThere = found.length > 0;
      expect(productTransactions).toEqual({
        ...whole(found),
        complete: isThere,
        reason: isThere ? null : expect.any(String),
      });
    }
    const reasons = data.farmers.results.map(({ productTransactions }: Row) => productTransactions.reason);
    expect(new Set(reasons)).toEqual(
      new Set([
        null,
        `The gateway looked through the newest 100 of ${lists.productTransactions.length} rows of \`productTransactions\`: more would take the service too long. Ask for fewer objects, a smaller \`limit\`, or \`created_after\`.`,
      ]),
    );
    expect(errors).toEqual([]);
    expect(calls.filter((call) => call.includes(paths.productTransactions))).toHaveLength(1);
  });

  test('leaves calls for what its rows refer to', async () => {
    await using gateway = await startGateway({ settings: { 'limits.operations.upstreamCalls': '5' } });
    const oldest = lists.productTransactions.at(-1)!.source;
    const { data, errors } = await gateway.query(
      `query ($id: ID!) { farmer(id: $id) { productTransactions { ${rows} } } }`,
      { id: oldest },
    );

    expect(errors).toEqual([]);
    const { complete, reason } = data.farmer.productTransactions;
    expect(complete).toBe(false);
    expect(reason).toContain('The operation may make no more calls (limits.operations.upstreamCalls).');
  });

  test('makes half of the calls that are left, however many waves it reads', async () => {
    const all = groups(Array.from({ length: 4000 }, () => 1)).map((row) => ({ ...row, source: 'OTHER22222' }));
    const { found, calls } = await askFarmer(new ChangingList(paths.paymentTransactions, all), {
      field: 'paymentTransactions',
      settings: { 'limits.operations.upstreamCalls': '21' },
    });

    expect(found).toMatchObject({
      complete: false,
      reason: expect.stringContaining('the newest 1,000 of 4,000 rows of `paymentTransactions`. The operation may'),
    });
    expect(calls).toHaveLength(1 + 10);
  });

  test('gives the rows that it found in time, and what they refer to', async () => {
    await using gateway = await startFakedGateway({ 'limits.operations.timeoutMs': '5000' });
    gateway.upstream.respond = ({ path }) =>
      path.startsWith(`${paths.productTransactions}?`) && !path.endsWith('offset=0') ? { stalls: true } : undefined;
    const { source } = lists.productTransactions[0]!;
    const document = `query ($id: ID!) { entity(id: $id) { ...rows } }
      fragment rows on Company { productTransactions(limit: 300) { ${rows} } products: productTransactions(limit: 300) { results { product { name } } } }`;
    const { data, errors } = await gateway.queryFailing(document, { id: source });

    expect(errors).toEqual([]);
    const found = ofParty(lists.productTransactions.slice(0, 100), source);
    expect(data.entity.productTransactions).toEqual({
      ...whole(found),
      complete: false,
      reason: `The gateway looked through the newest 100 of ${lists.productTransactions.length} rows of \`productTransactions\`. The operation may take no longer (limits.operations.timeoutMs). Ask for fewer objects, a smaller \`limit\`, or \`created_after\`.`,
    });
    expect(data.entity.products.results).toEqual(found.map(() => ({ product: { name: expect.any(String) } })));
  });

  test('is an error where no row came in time', async () => {
    await using gateway = await startFakedGateway({ 'limits.operations.timeoutMs': '3000' });
    gateway.upstream.fail(paths.paymentTransactions, { stalls: true });
    const document = 'query ($id: ID!) { farmer(id: $id) { id paymentTransactions { complete } } }';
    const { data, errors } = await gateway.queryFailing(document, { id: lists.farmers[0]!.id });

    expect(data.farmer).toEqual({ id: lists.farmers[0]!.id, paymentTransactions: null });
    expect(errors).toMatchObject([
      { path: ['farmer', 'paymentTransactions'], extensions: { code: 'UPSTREAM_TIMEOUT' } },
    ]);
  });

  test.each([
    ['no page that would come too late at the pace of the last ones', 11_000, 100],
    ['all pages where these came fast', 100, 600],
  ])('reads %s', async (_what, pageMs, length) => {
    let left = 20_000;
    const list = Array.from({ length: 600 }, (_, at) => ({ id: `T${at}`, source: 'F1' }));
    const read: ListReads['read'] = async (_endpoint, { query = {} }) => {
      left -= pageMs;
      const offset = Number(query.offset);
      return { count: list.length, results: list.slice(offset, offset + Number(query.limit)) };
    };
    const search = new RowSearch(new Look(listsOf({ read }, () => left).of('listPaymentTransactions'), new RowWork()));
    const way: WayBack = { list: 'listPaymentTransactions', of: ['source'] };
    const [found] = await Promise.all(search.find([{ way, id: 'F1', limit: 1000, field: 'f' }]));

    expect(found!.results).toHaveLength(length);
    expect(found!.complete).toBe(length === 600);
  });

  test('gives the error of a page in place of rows that may be behind it', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) =>
      path.startsWith(`${paths.productTransactions}?`) && path.includes('offset=200') ? { status: 503 } : undefined;
    const newest = lists.productTransactions[0]!.source;
    const isOld = ({ id }: Row) => !ofParty(lists.productTransactions.slice(0, 200), id)[0];
    const oldest = lists.farmers.find(isOld)!.id;
    const { data, errors } = await gateway.queryFailing(
      `query ($newest: ID!, $oldest: ID!) {
        newest: entity(id: $newest) { ...rows }
        oldest: entity(id: $oldest) { ...rows }
      }
      fragment rows on Entity { ... on Farmer { productTransactions(limit: 1) { complete } } ... on Company { productTransactions(limit: 1) { complete } } }`,
      { newest, oldest },
    );

    expect(data.newest).toEqual({ productTransactions: { complete: true } });
    expect(data.oldest).toEqual({ productTransactions: null });
    expect(errors).toMatchObject([
      { path: ['oldest', 'productTransactions'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
  });

  test('is not complete behind a row that the service fails on', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const offset = Number(searchParams.get('offset'));
      const isHit = offset <= 0 && offset + Number(searchParams.get('limit')) > 0;
      return pathname === paths.productTransactions && isHit
        ? { status: 500, body: '<h1>Server Error</h1>' }
        : undefined;
    };
    const farmer = lists.productTransactions[1]!.source;
    const { data } = await gateway.queryFailing(
      'query ($id: ID!) { entity(id: $id) { ... on Farmer { productTransactions { complete reason } } ... on Company { productTransactions { complete reason } } } }',
      { id: farmer },
    );

    expect(data.entity.productTransactions).toEqual({
      complete: false,
      reason:
        'The service fails on a row of `productTransactions`, or gives it without an id. The row may belong here.',
    });
  });

  const farmer = 'FARMER2222';
  /** The rows of a farmer, which a list with no filter for farmers has, or with one. */
  const askFarmer = async (list: ChangingList, { field = 'paymentTransactions', settings = {} } = {}) => {
    const respond = (request: { path: string }) =>
      list.respond(request) ??
      (request.path.includes('/farmers/')
        ? { status: 200, body: JSON.stringify(envelope({ id: farmer })) }
        : { status: 404 });
    await using upstream = await startFakeUpstream({ respond });
    await using gateway = await startGateway({ upstreamUrl: upstream.url, sandbox: { dialect: 'connect' }, settings });
    const { data, errors } = await gateway.query(`{ farmer(id: "${farmer}") { ${field}(limit: 1000) { ${rows} } } }`);
    expect(errors).toEqual([]);
    return { found: data.farmer[field], calls: upstream.requests };
  };
  const envelope = (data: object) => ({ success: true, detail: 'Success', code: 200, data });
  const transactions = (sizes: number[], name = 'G', newest = 1_790_000_000) =>
    groups(sizes, { name, newest }).map((row, at) => ({
      ...row,
      source: at % 3 === 0 ? farmer : 'OTHER22222',
      destination: 'BUYER22222',
    }));
  const idsOfFarmer = (list: ChangingList) => idsOf(list.rows.filter((row) => (row as Row).source === farmer));
  const fields = ['paymentTransactions', 'productTransactions'] as const;

  test.each(fields)('finds each row of a list whose times tie: %s', async (field) => {
    const list = new ChangingList(paths[field], transactions(Array.from({ length: 60 }, () => 5)));

    const { found } = await askFarmer(list, { field });

    expect({ ...found, results: idsOf(found.results).sort() }).toEqual({
      ...{ complete: true, reason: null },
      results: idsOfFarmer(list).sort(),
    });
  });

  test.each([1, 30])('finds the oldest rows of a list to which %i rows come between its pages', async (count) => {
    const one = () => 1;
    const list = new ChangingList(paths.paymentTransactions, transactions(Array.from({ length: 200 }, one)));
    const newer = transactions(Array.from({ length: count }, one), 'N', 1_800_000_000);
    list.beforePage = (page) => {
      if (page === 1) list.rows = [...newer, ...list.rows];
    };

    const { found } = await askFarmer(list);

    expect({ ...found, results: idsOf(found.results) }).toEqual({
      ...{ complete: true, reason: null },
      results: idsOfFarmer(list),
    });
  });

  test.each(fields)('is not complete in a list whose pages go on contradicting each other: %s', async (field) => {
    const list = new ChangingList(paths[field], transactions(Array.from({ length: 300 }, () => 1)));
    list.beforePage = () => {
      list.rows = list.rows.toSpliced(3, 1);
    };

    expect((await askFarmer(list, { field })).found).toMatchObject({
      complete: false,
      reason: `Pages of \`${field}\` contradict each other. Rows came or went in between. Ask again.`,
    });
  });
});

describe('the holder of a card', () => {
  test('is the farmer or company of its active assignment, or null', async () => {
    await using gateway = await startGateway();
    const { entityCards } = lists;
    const active = entityCards.filter(({ is_active }) => is_active);
    const moved = active[0]!;
    const receiver = lists.farmers.find(({ id, entity_card }) => id !== moved.entity && !entity_card)!.id;
    const { card_id, display_id } = moved.card;
    await writeRest(gateway, paths.entityCards, { entity: receiver, card: { card_id, display_id } });
    const { data, errors } = await gateway.query(
      '{ cards(limit: 1000) { results { id holder { id ... on Farmer { name } ... on Company { name } } } } }',
    );

    expect(errors).toEqual([]);
    const now = (await readRows(gateway, paths.entityCards)).filter(({ is_active }) => is_active);
    const holderOf = (id: string) => now.find(({ card }) => card.id === id)?.entity;
    expect(holderOf(moved.card.id)).toBe(receiver);
    expect(data.cards.results.map(({ holder }: Row) => holder?.id)).toEqual(
      data.cards.results.map(({ id }: Row) => holderOf(id)),
    );
    expect(data.cards.results.some(({ holder }: Row) => holder === null)).toBe(true);
    expect(data.cards.results.every(({ holder }: Row) => holder === null || holder.name)).toBe(true);
  });

  test('costs no call for the holder where only its id is asked for', async () => {
    const { data, calls } = await plain.query('{ cards(limit: 1) { results { holder { id } } } }');

    expect(data.cards.results[0].holder.id).toBeTruthy();
    expect(calls.map((call) => call.replace(/\?.*/, ''))).toEqual([`GET ${paths.cards}`, `GET ${paths.entityCards}`]);
  });

  test('is unresolved where the gateway stopped before it found one', async () => {
    const costs = new TableCosts({ calls: { listEntityCards: { callMs: 30, rowMs: 500 } }, parallelism: 4 });
    await using gateway = await startGateway({ costs, sandbox: { maxPageSize: 5 } });
    const seen = lists.entityCards.slice(0, 5).filter(({ is_active }) => is_active);
    const { data, errors } = await gateway.query('{ cards(limit: 300) { results { id holder { id } } } }');

    const found = data.cards.results.filter(({ holder }: Row) => holder);
    expect(found.length).toBeLessThan(data.cards.results.length);
    expect(found.length).toBeGreaterThanOrEqual(seen.length);
    expect(errors.length).toBe(data.cards.results.length - found.length);
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(
        /rows of `entityCards`: more would take the service too long\. Ask for fewer objects\.$/,
      ),
      extensions: { code: 'REFERENCE_UNRESOLVED', reference: { type: 'Card' } },
    });
  });
});

describe('a service with the filter `entity`', () => {
  const startConnect = (olderFilters: boolean, { costs = realCosts as ServiceCosts, maxPageSize = 1000 } = {}) =>
    startGateway({ sandbox: { dialect: 'connect', olderFilters, shufflesTies: false, maxPageSize }, costs });
  const ask = (gateway: Gateway, document: string, variables = {}) =>
    gateway.query(document, variables, { key: 'Bearer demo-coop' });
  const listsOf = (calls: string[]) => calls.filter((call) => call.includes(`${paths.productTransactions}?`));

  test('gives the rows of one farmer in one page', async () => {
    await using gateway = await startConnect(false);
    const document = `query ($id: ID!) { farmer(id: $id) { productTransactions(limit: 3) { ${rows} } } }`;
    const farmer = lists.farmers[0]!.id;
    await ask(gateway, document, { id: farmer });
    const { data, errors, calls } = await ask(gateway, document, { id: farmer });

    expect(errors).toEqual([]);
    expect(calls).toEqual([
      one(paths.farmers, farmer),
      `GET ${paths.productTransactions}?filter_by=all&entity=${farmer}&limit=3&offset=0`,
    ]);
    expect(idsOf(data.farmer.productTransactions.results)).toEqual(
      idsOf(ofParty(lists.productTransactions, farmer).slice(0, 3)),
    );
  });

  test('gives a page for each of a few farmers, or of all rows for many, whichever costs less', async () => {
    const document = `query ($n: Int) { farmers(limit: $n) { results { id productTransactions(limit: 3) { ${rows} } } } }`;
    await using dear = await startConnect(false);
    await ask(dear, document, { n: 1 });
    const filtered = await ask(dear, document, { n: 4 });
    await using flat = await startConnect(false, { costs: flatCosts });
    await ask(flat, document, { n: 1 });
    const scanned = await ask(flat, document, { n: 100 });

    expect(listsOf(filtered.calls).every((call) => call.includes('entity='))).toBe(true);
    expect(listsOf(filtered.calls)).toHaveLength(4);
    expect(listsOf(scanned.calls).some((call) => !call.includes('entity='))).toBe(true);
    for (const { data, errors } of [filtered, scanned]) {
      expect(errors).toEqual([]);
      for (const { id, productTransactions } of data.farmers.results) {
        expect(productTransactions).toEqual(whole(ofParty(lists.productTransactions, id).slice(0, 3)));
      }
    }
  });

  test('gives the rest of the list where a page for each farmer is more work, however long the list is', async () => {
    const listProductTransactions = { callMs: 100, rowMs: 25 };
    const costs = new TableCosts({ calls: { listProductTransactions }, parallelism: 1 });
    await using gateway = await startConnect(false, { costs });
    const document = '{ farmers(limit: 100) { results { productTransactions(limit: 20) { complete } } } }';
    await ask(gateway, document);
    const { data, calls } = await ask(gateway, document);

    const pages = Math.ceil(lists.productTransactions.length / 100);
    expect(listsOf(calls).filter((call) => call.includes('entity='))).toEqual([]);
    expect(listsOf(calls)).toHaveLength(pages);
    for (const { productTransactions } of data.farmers.results) expect(productTransactions.complete).toBe(true);
  });

  test.each([100, 30])('is not believed where it ignores the filter, in pages of %i rows', async (maxPageSize) => {
    await using gateway = await startConnect(true, { maxPageSize });
    const document = `{ farmers(limit: 20) { results { id productTransactions(limit: 3) { ${rows} } } } }`;
    const first = await ask(gateway, document);
    const second = await ask(gateway, document);

    for (const { data, errors } of [first, second]) {
      expect(errors).toEqual([]);
      for (const { id, productTransactions } of data.farmers.results) {
        expect(productTransactions).toEqual(whole(ofParty(lists.productTransactions, id).slice(0, 3)));
      }
    }
    // One filtered page, and no more for the other farmers. The gateway may then check the filter once.
    expect(listsOf(first.calls).filter((call) => call.includes('entity=')).length).toBeLessThanOrEqual(2);
    expect(listsOf(second.calls).filter((call) => call.includes('entity='))).toEqual([]);
  });
});
