import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { codesOf } from '../support/client.ts';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import type { Gateway } from '../support/harness.ts';
import { type ListedRow, type ListField, ListService } from '../support/list-service.ts';
import { listPaths } from '../support/rest-endpoints.ts';
import type { Row } from '../support/rest-reads.ts';

const directions = {
  forward: { size: 'first', cursor: 'after', link: 'next' },
  backward: { size: 'last', cursor: 'before', link: 'previous' },
} as const;
type Direction = keyof typeof directions;

interface Paging {
  ids: string[];
  errors: Answer['errors'];
  cursors: string[];
}

/** Follows `next` or `previous` to the end of a list. `between` runs after each page. */
async function pageThrough(
  ask: Gateway['query'],
  {
    field,
    size,
    direction = 'forward',
    filter = '',
  }: { field: string; size: number; direction?: Direction; filter?: string },
  between: (page: number) => unknown = () => {},
): Promise<Paging> {
  const names = directions[direction];
  const document = `query ($cursor: String) {
    ${field}(${names.size}: ${size}, ${names.cursor}: $cursor ${filter}) { results { id } ${names.link} }
  }`;
  const paging: Paging = { ids: [], errors: [], cursors: [] };
  let cursor: string | null = null;
  do {
    const { data, errors } = await ask(document, { cursor });
    paging.ids.push(...data[field].results.map(({ id }: Row) => id));
    paging.errors.push(...errors);
    cursor = data[field][names.link];
    if (cursor !== null) paging.cursors.push(cursor);
    await between(paging.cursors.length);
  } while (cursor !== null && paging.cursors.length < 1_000);
  return paging;
}

describe('paging through 291 transactions, 180 of them six to a second', () => {
  const since = 1_790_000_000;
  const path = listPaths.productTransactions;
  let connect: ConnectGateway;
  let all: string[];

  beforeAll(async () => {
    connect = await startConnectGateway();
    const { ids, key, gateway, rest } = connect;
    const { farmer: source, company: destination, product, dollar: currency } = ids;
    for (let index = 0; index < 291; index += 1) {
      const created_on = since + (index < 180 ? Math.floor(index / 6) : index);
      const body = JSON.stringify({ source, destination, product, currency, amount: '2', created_on });
      const headers = { authorization: key, 'content-type': 'application/json' };
      const { status } = await fetch(gateway.sandbox.url + path, { method: 'POST', headers, body });
      expect(status).toBe(201);
    }
    all = (await rest(`${path}?limit=1000&created_after=${since}`)).results.map(({ id }: Row) => id).toSorted();
    expect(all).toHaveLength(291);
  });
  afterAll(() => connect.gateway.close());

  test.each([
    [20, 'forward'],
    [50, 'forward'],
    [100, 'forward'],
    [7, 'forward'],
    [20, 'backward'],
    [50, 'backward'],
    [100, 'backward'],
  ] as const)('in pages of %i %s gives each row once', async (size, direction) => {
    const filter = `, created_after: ${since}`;
    const { ids, errors } = await pageThrough(connect.query, { field: 'productTransactions', size, direction, filter });
    expect(errors).toEqual([]);
    expect(ids.toSorted()).toEqual(all);
  });
});

const longAgo = 1_700_000_000;

/** Rows with the given distances in seconds from a time long ago. */
function rowsAt(seconds: readonly number[], prefix = 'R'): ListedRow[] {
  return seconds.map((second, index) => ({
    id: `${prefix}${(index * 7_919) % 100_003}`,
    created_on: longAgo + second,
    updated_on: longAgo + second,
    name: 'A row',
  }));
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted();

describe('a cursor', () => {
  let service: ListService;
  let query: Gateway['query'];
  beforeAll(async () => {
    service = await ListService.start();
    query = async (...args) => {
      service.clear();
      const answer = await service.gateway.query(...args);
      return { ...answer, calls: [...service.calls] };
    };
  });
  afterAll(() => service[Symbol.asyncDispose]());

  function list(field: ListField, seconds: readonly number[]): ListedRow[] {
    service.rows[field] = rowsAt(seconds);
    return [...service.rows[field]];
  }

  test.each(['farmers', 'products', 'productTransactions'] as const)(
    'costs no call and one row in a list of %s where no times tie',
    async (field) => {
      // The gateway of other tests has seen rows of one time.
      await using untied = await ListService.start();
      untied.rows[field] = rowsAt(upTo(60));
      const { cursors } = await pageThrough(untied.gateway.query, { field, size: 20 });
      const pages = ['limit=20&offset=0', 'limit=21&offset=19', 'limit=21&offset=39'];
      expect(untied.calls).toEqual(pages.map((page) => `GET ${listPaths[field]}?${page}`));
      for (const cursor of cursors) expect(cursor.length).toBeLessThan(100);
    },
  );

  test.each([
    [20, 300, 'forward'],
    [100, 300, 'forward'],
    [100, 300, 'backward'],
    [20, 90, 'backward'],
    [1, 30, 'forward'],
  ] as const)(
    'leads in pages of %i through %i rows of one second %s, and stays short',
    async (size, ties, direction) => {
      const rows = list('products', [0, 1, ...upTo(ties).map(() => 2), 3, 4]);
      const { ids, errors, cursors } = await pageThrough(query, { field: 'products', size, direction });
      expect(errors).toEqual([]);
      expect(ids.toSorted()).toEqual(idsOf(rows));
      for (const cursor of cursors) expect(cursor.length).toBeLessThan(1_700);
    },
  );

  test.each([
    ['a tie that it names', 8],
    ['a tie that is too large to name, or says so', 30],
  ])('leads from each edge to the rows after it inside %s', async (_name, size) => {
    const rows = list('products', [0, ...upTo(size).map(() => 1), 2]);
    const { data } = await query(`{ products(first: ${size}) { edges { cursor node { id } } } }`);
    const { edges } = data.products;
    const document = 'query ($after: String) { products(first: 100, after: $after) { results { id } } }';
    for (const [index, { cursor }] of edges.entries()) {
      const next = await query(document, { after: cursor });
      const shown = edges.slice(0, index + 1).map(({ node }: Row) => node);
      const isWhole = idsOf([...shown, ...next.data.products.results]).join() === idsOf(rows).join();
      const isEnd = size === 8 || index === 0 || index === size - 1;
      if (isEnd) expect({ isWhole, errors: next.errors }).toEqual({ isWhole: true, errors: [] });
      else if (!isWhole) expect(codesOf(next)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    }
  });

  test('leads back to the same rows, also where a tie spans two pages', async () => {
    list('productTransactions', [0, 1, ...upTo(6).map(() => 2), 3, 4]);
    const page = (args: string) => query(`{ productTransactions(${args}) { results { id } next previous } }`);
    const first = (await page('first: 5')).data.productTransactions;
    const second = (await page(`first: 5, after: "${first.next}"`)).data.productTransactions;
    const back = (await page(`last: 5, before: "${second.previous}"`)).data.productTransactions;
    expect(idsOf(back.results)).toEqual(idsOf(first.results));
  });

  test.each([
    ['the next page holds', 3],
    ['a page holds', 20],
    ['two pages hold', 60],
  ])('goes on after its row when more rows came than %s', async (_name, count) => {
    const rows = list('productTransactions', upTo(60));
    const { ids, errors } = await pageThrough(query, { field: 'productTransactions', size: 20 }, (page) => {
      if (page === 1)
        service.rows.productTransactions.push(
          ...rowsAt(
            upTo(count).map((second) => 100 + second),
            'N',
          ),
        );
    });
    expect(errors).toEqual([]);
    expect(ids.toSorted()).toEqual(idsOf(rows));
  });

  test.each([
    [1, 'forward'],
    [1, 'backward'],
    [2, 'forward'],
    [5, 'backward'],
  ] as const)('leads in pages of %i through a tie that most rows leave, %s', async (size, direction) => {
    const rows = list('products', [0, ...upTo(55).map(() => 1), 2]);
    const { ids, errors } = await pageThrough(query, { field: 'products', size, direction }, (page) => {
      if (page === 4) service.rows.products = [rows[0] as ListedRow, ...rows.slice(40)];
    });
    expect(errors).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(service.rows.products).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(['farmers', 'products'] as const)(
    'goes on after its row in %s where a row that was shown left, and another came at the end',
    async (field) => {
      const [first, ...others] = list(field, upTo(40).reverse());
      const { ids, errors } = await pageThrough(query, { field, size: 10 }, (page) => {
        if (page === 1) service.rows[field] = [...others, ...rowsAt([-1], 'N')];
      });
      expect(errors).toEqual([]);
      expect(ids.toSorted()).toEqual(idsOf([first as ListedRow, ...service.rows[field]]));
    },
  );

  test('goes on inside a tie when a row came before the tie', async () => {
    const rows = list('products', [0, 1, 1]);
    const { ids, errors } = await pageThrough(query, { field: 'products', size: 1 }, (page) => {
      if (page === 1) service.rows.products.push(...rowsAt([100], 'N'));
    });
    expect(errors).toEqual([]);
    expect(ids.toSorted()).toEqual(idsOf(rows));
  });

  test('finds rows that came before the first page', async () => {
    list('productTransactions', upTo(30));
    const field = 'productTransactions';
    const { data } = await query(
      `{ ${field}(first: 10) { pageInfo { startCursor } } results: ${field} { count results { id } pageInfo { startCursor } } }`,
    );
    const news = rowsAt([100, 101], 'N');
    service.rows.productTransactions.push(...news);
    const document = `query ($before: String) { ${field}(last: 10, before: $before) { results { id } } }`;
    const answer = await query(document, { before: data.results.pageInfo.startCursor });
    expect(idsOf(answer.data[field].results)).toEqual(idsOf(news));
  });

  test.each(['forward', 'backward'] as const)('loses no row %s when others are removed', async (direction) => {
    const rows = list('productTransactions', upTo(60));
    const removed = new Set(
      [rows[59], rows[58], rows[41], rows[40], rows[22], rows[20], rows[3]].map((row) => row?.id),
    );
    const size = 20;
    const { ids, errors } = await pageThrough(query, { field: 'productTransactions', size, direction }, (page) => {
      if (page === 1) service.rows.productTransactions = rows.filter(({ id }) => !removed.has(id));
    });
    expect(errors).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(rows.filter(({ id }) => !removed.has(id) && !ids.includes(id))).toEqual([]);
  });

  test('puts an error beside the rows when its row has left a list without times', async () => {
    const rows = list('farmers', upTo(60));
    const { data } = await query('{ farmers(first: 20) { results { id } next } }');
    service.rows.farmers = rows.slice(20);
    const answer = await query('query ($after: String) { farmers(first: 20, after: $after) { results { id } } }', {
      after: data.farmers.next,
    });
    expect(answer.data.farmers.results.length).toBeGreaterThan(0);
    expect(answer.errors).toMatchObject([{ path: ['farmers'], extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
  });

  test('that knows the position alone stays valid', async () => {
    const rows = list('farmers', upTo(30));
    const after = Buffer.from('row:19').toString('base64url');
    const { data, errors } = await query(`{ farmers(after: "${after}") { results { id } } }`);
    expect(errors).toEqual([]);
    expect(data.farmers.results).toEqual(rows.slice(20).map(({ id }) => ({ id })));
  });

  test.each([
    ['no cursor', () => 'abc', 'is not a cursor of this list'],
    ['an array that no list gives', () => Buffer.from('["a",-1,5,"b"]').toString('base64url'), 'is not a cursor'],
    ['a cursor with more characters', (next: string) => `${next}A`, 'is not a cursor'],
    ['a cursor of another list', (next: string) => next, 'another list'],
  ])('is refused where it is %s', async (_name, cursorOf, message) => {
    list('farmers', upTo(30));
    list('products', upTo(30));
    const { data } = await query('{ farmers { results { id } next } }');
    for (const argument of ['after', 'before']) {
      const { errors, calls } = await query(`{ products(${argument}: "${cursorOf(data.farmers.next)}") { count } }`);
      expect(calls).toEqual([]);
      expect(codesOf({ errors })).toEqual(['BAD_USER_INPUT']);
      expect(errors[0]).toMatchObject({ extensions: { fields: [{ path: [argument] }] } });
      expect(errors[0]?.message).toContain(message);
      expect(errors[0]?.message).toContain('give `next`, `previous` or a `cursor`');
    }
  });

  test('is refused where the list has other filters', async () => {
    list('farmers', upTo(30));
    const { data } = await query('{ farmers { results { id } next } }');
    const { errors } = await query(`{ farmers(after: "${data.farmers.next}", updated_after: 5) { count } }`);
    expect(codesOf({ errors })).toEqual(['BAD_USER_INPUT']);
  });
});

test('a client gets each row of a cached list once, also when the list is read anew between its pages', async () => {
  await using service = await ListService.start({ 'cache.lists.ttlMs': '600000' });
  const rows = rowsAt(upTo(60).map((index) => Math.floor(index / 6)));
  service.rows.products = [...rows];
  const invalidate = () =>
    service.gateway.ask({ query: '{ products { count } }' }, { headers: { 'cache-control': 'no-cache' } });
  for (const size of [7, 20]) {
    const { ids, errors } = await pageThrough(service.gateway.query, { field: 'products', size }, invalidate);
    expect(errors).toEqual([]);
    expect(ids.toSorted()).toEqual(idsOf(rows));
  }
});
