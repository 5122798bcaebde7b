import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { withPositions } from '../support/reference-executor/connection.ts';
import { expectCalls, firstRows, page, paths, type Row, readRows } from '../support/rest-reads.ts';

let gateway: Gateway;
let ids: string[];

beforeAll(async () => {
  gateway = await startGateway();
  ids = (await readRows(gateway, paths.farmers)).map(({ id }) => id);
});
afterAll(() => gateway.close());

const connection = `
  count
  results { id }
  next
  previous
  edges { cursor node { id } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** Asks for a page of farmers, arguments as written in a document. */
async function list(args: string, at: Gateway = gateway) {
  const answer = await at.query(`{ farmers${args && `(${args})`} { ${connection} } }`);
  expect(answer.errors).toEqual([]);
  const { farmers } = answer.data;
  return { ...answer, farmers, ids: farmers.results.map(({ id }: Row) => id) as string[] };
}

/** The cursor of a row, as a list gives it. */
async function cursorOf(row: number): Promise<string> {
  const { farmers } = await list(`limit: 1, offset: ${row}`);
  return JSON.stringify(farmers.edges[0].cursor);
}

test('results and edges hold the same rows, and pageInfo the cursors of the first and last', async () => {
  const { farmers, calls } = await list('limit: 5, offset: 10');

  const { results, edges, count, next, previous, pageInfo } = farmers;
  expect(results).toEqual(ids.slice(10, 15).map((id) => ({ id })));
  expect(edges.map(({ node }: Row) => node)).toEqual(results);
  expect(count).toBe(ids.length);
  expect(pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: true,
    startCursor: edges[0].cursor,
    endCursor: edges[4].cursor,
  });
  expect({ next, previous }).toEqual({ next: pageInfo.endCursor, previous: pageInfo.startCursor });
  expect(calls).toEqual([page(paths.farmers, 5, 10)]);
});

describe('the rows and the calls of a list with arguments', () => {
  test.each<[args: string, rows: [from: number, to: number], ...calls: [limit: number, offset: number][]]>([
    ['', [0, 20], [20, 0]],
    ['limit: 3', [0, 3], [3, 0]],
    ['offset: 230', [230, 240], [20, 230]],
    ['limit: 50, offset: 200', [200, 240], [50, 200]],
    ['first: 3', [0, 3], [3, 0]],
    ['after: $9', [10, 30], [21, 9]],
    ['first: 3, after: $9', [10, 13], [4, 9]],
    ['first: 50, after: $229', [230, 240], [51, 229]],
    ['before: $30', [10, 30], [21, 10]],
    ['before: $5', [0, 5], [6, 0]],
    ['last: 3, before: $30', [27, 30], [4, 27]],
    ['last: 30, before: $5', [0, 5], [6, 0]],
    ['first: 3, before: $30', [0, 3], [3, 0]],
    ['after: $9, before: $15', [10, 15], [6, 10]],
    ['first: 2, after: $9, before: $15', [10, 12], [3, 9]],
    ['last: 2, after: $9, before: $15', [13, 15], [3, 13]],
    ['first: 4, last: 2, after: $9, before: $30', [12, 14], [2, 12]],
    ['last: 3', [237, 240], [1, 0], [3, 237]],
    ['last: 500', [0, 240], [1, 0], [100, 0], [100, 100], [40, 200]],
    ['last: 500, after: $229', [230, 240], [1, 0], [10, 230]],
    ['limit: 250', [0, 240], [100, 0], [100, 100], [50, 200]],
    ['limit: null, offset: null, first: null, after: null', [0, 20], [20, 0]],
  ])('(%s) are as REST has them', async (args, [from, to], ...calls) => {
    let written = args;
    for (const [cursor, row] of args.matchAll(/\$(\d+)/g))
      written = written.replace(cursor, await cursorOf(Number(row)));

    const answer = await list(written);

    expect(answer.ids).toEqual(ids.slice(from, to));
    const { hasNextPage, hasPreviousPage } = answer.farmers.pageInfo;
    expect({ hasNextPage, hasPreviousPage }).toEqual({ hasNextPage: to < ids.length, hasPreviousPage: from > 0 });
    expectCalls(answer, ...calls.map(([limit, offset]) => page(paths.farmers, limit, offset)));
  });
});

test('following `next` gives each row of the list once', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { farmers, ids: rows } = await list(cursor === null ? 'first: 37' : `first: 37, after: "${cursor}"`);
    seen.push(...rows);
    cursor = farmers.next;
  } while (cursor !== null && seen.length <= ids.length);

  expect(seen).toEqual(ids);
});

test('following `previous` gives each row of the list once', async () => {
  const seen: string[] = [];
  let { farmers, ids: rows } = await list('last: 37');
  seen.unshift(...rows);
  while (farmers.previous !== null && seen.length <= ids.length) {
    ({ farmers, ids: rows } = await list(`last: 37, before: "${farmers.previous}"`));
    seen.unshift(...rows);
  }

  expect(seen).toEqual(ids);
});

test('going to the next page and back gives the same page', async () => {
  const here = await list('limit: 20, offset: 40');
  const after = await list(`after: "${here.farmers.next}"`);
  const back = await list(`before: "${after.farmers.previous}"`);

  expect(after.ids).toEqual(ids.slice(60, 80));
  expect(back.farmers).toEqual(here.farmers);
});

test('each edge has its own cursor', async () => {
  const { farmers } = await list('limit: 4');
  const following = await Promise.all(
    farmers.edges.map(({ cursor }: Row) => list(`first: 1, after: "${cursor}"`).then((answer) => answer.ids[0])),
  );

  expect(following).toEqual(ids.slice(1, 5));
});

describe('a list query without rows', () => {
  test('that selects only count asks for one row', async () => {
    const answer = await gateway.query('{ farmers { count } }');

    expect(answer).toMatchObject({ data: { farmers: { count: ids.length } }, errors: [] });
    expectCalls(answer, page(paths.farmers, 1));
  });

  test('does not ask for rows that @skip leaves out', async () => {
    const answer = await gateway.query(
      'query ($no: Boolean!) { farmers { count results @include(if: $no) { id } edges @skip(if: true) { cursor } } }',
      { no: false },
    );

    expect(answer).toMatchObject({ data: { farmers: { count: ids.length } }, errors: [] });
    expectCalls(answer, page(paths.farmers, 1));
  });

  test('that selects only pageInfo, next and previous asks for one row, and gives the positions of the same rows', async () => {
    const selection = 'count next previous pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
    const answer = await gateway.query(`{ farmers(limit: 30, offset: 60) { ${selection} } }`);

    const { results: _results, edges: _edges, ...rest } = (await list('limit: 30, offset: 60')).farmers;
    expect(answer).toMatchObject({ data: { farmers: withPositions(rest) }, errors: [] });
    expectCalls(answer, page(paths.farmers, 1));
  });

  test.each(['limit: 0', 'first: 0', 'limit: 0, offset: 10', 'last: 0'])('with (%s) gives the count', async (args) => {
    const answer = await list(args);

    expect(answer.farmers).toMatchObject({
      count: ids.length,
      results: [],
      edges: [],
      pageInfo: { startCursor: null, endCursor: null },
    });
    expectCalls(answer, page(paths.farmers, 1));
  });

  test('past the end has a `previous` that leads to the last page', async () => {
    const answer = await list('limit: 10, offset: 1000');

    expect(answer.farmers).toMatchObject({
      count: ids.length,
      results: [],
      edges: [],
      next: null,
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
    expectCalls(answer, page(paths.farmers, 10, 1000));
    expect((await list(`last: 10, before: "${answer.farmers.previous}"`)).ids).toEqual(ids.slice(230));
  });

  test.each(['limit: 0', 'first: 0', 'last: 0', 'limit: 0, offset: 10'])(
    'with (%s) has cursors that can be followed',
    async (args) => {
      const { next, previous } = (await list(args)).farmers;
      const offset = Number(args.split('offset: ')[1] ?? (args === 'last: 0' ? ids.length : 0));

      if (next !== null) expect((await list(`after: "${next}", first: 1`)).ids).toEqual([ids[offset]]);
      if (previous !== null) expect((await list(`before: "${previous}", last: 1`)).ids).toEqual([ids[offset - 1]]);
    },
  );

  test.each(['', ', offset: 5'])('with (%s) and a filter that nothing passes has no cursors', async (offset) => {
    const answer = await list(`first_name: "nobody"${offset}`);

    expect(answer.farmers).toEqual({
      count: 0,
      results: [],
      next: null,
      previous: null,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });
});

test.each(['limit: 2, first: 2', 'limit: 2, after: "A"', 'offset: 2, last: 2'])(
  'a list with (%s) is refused, and the error names the arguments of both styles',
  async (args) => {
    const { errors, calls } = await gateway.query(`{ farmers(${args}) { count } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors[0]?.message).toContain('`first`, `after`, `last` and `before`');
    expect(calls).toEqual([]);
  },
);

describe('limits.operations.pageSize', () => {
  let small: Gateway;
  beforeAll(async () => {
    small = await startGateway({ settings: { 'limits.operations.pageSize': '8' } });
  });
  afterAll(() => small.close());

  test('is the most rows that a page can have', async () => {
    expect((await list('limit: 8', small)).ids).toEqual(ids.slice(0, 8));
    expect((await list('first: 8', small)).ids).toEqual(ids.slice(0, 8));
    expect((await list('last: 8', small)).ids).toEqual(ids.slice(-8));
  });

  test('bounds lists without a size argument too', async () => {
    expect((await list('', small)).ids).toEqual(ids.slice(0, 8));
  });

  test.each(['limit', 'first', 'last'])('is the most that `%s` may ask for', async (argument) => {
    const answer = await small.query(`{ farmers(${argument}: 9) { results { id } } }`);

    expect(answer).toMatchObject({
      data: { farmers: null },
      errors: [{ path: ['farmers'], extensions: { code: 'BAD_USER_INPUT', fields: [{ path: [argument] }] } }],
    });
    expect(answer.calls).toEqual([]);
  });

  test('is 1,000 unless set', async () => {
    expect((await list('limit: 1000')).ids).toEqual(ids);
    const answer = await gateway.query('{ farmers(limit: 1001) { count } }');
    expect(answer.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

describe('a service that caps pages at seven rows', () => {
  let capped: Gateway;
  beforeAll(async () => {
    capped = await startGateway({ sandbox: { maxPageSize: 7 } });
    // The first page shows how many rows the service gives.
    await list('limit: 100', capped);
  });
  afterAll(() => capped.close());

  test('gets further calls until all rows are there', async () => {
    const answer = await list('limit: 20, offset: 100', capped);

    expect(answer.ids).toEqual(ids.slice(100, 120));
    expectCalls(answer, page(paths.farmers, 7, 100), page(paths.farmers, 7, 107), page(paths.farmers, 6, 114));
  });

  test('gets calls for the whole list in such pages', async () => {
    const answer = await list('limit: 250', capped);

    expect(answer.ids).toEqual(ids);
    expect(answer.calls).toHaveLength(Math.ceil(ids.length / 7));
  });

  test('gives the last page as any other', async () => {
    const answer = await list('last: 10', capped);

    expect(answer.ids).toEqual(ids.slice(-10));
    expectCalls(answer, page(paths.farmers, 1), page(paths.farmers, 7, 230), page(paths.farmers, 3, 237));
  });
});

test('a long list is read in parallel pages of 100 rows', async () => {
  const rows = await firstRows(gateway, paths.productTransactions, 267);

  const answer = await gateway.query('{ productTransactions(limit: 250, offset: 17) { results { id number } } }');

  expect(answer.errors).toEqual([]);
  expect(answer.data.productTransactions.results).toEqual(rows.slice(17).map(({ id, number }) => ({ id, number })));
  expectCalls(
    answer,
    page(paths.productTransactions, 100, 17),
    page(paths.productTransactions, 100, 117),
    page(paths.productTransactions, 50, 217),
  );
});
