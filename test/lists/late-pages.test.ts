import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListReads } from '../../packages/rest-graph/load/reader.ts';
import { listsOf, noKnowledge } from '../../packages/rest-graph/test/list-reads.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { paths, type Row, readRows } from '../support/rest-reads.ts';

describe('a list whose pages do not all come in time', () => {
  let gateway: FakedGateway;
  let ids: string[];
  /** Pages from this row on get no answer. */
  let slowFrom = 0;
  beforeAll(async () => {
    gateway = await startFakedGateway({ 'limits.operations.timeoutMs': '5000' });
    ids = (await readRows(gateway, paths.productTransactions)).map(({ id }) => id);
    gateway.upstream.respond = ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const isSlow = Number(searchParams.get('offset')) + Number(searchParams.get('limit')) > slowFrom;
      return pathname === paths.productTransactions && isSlow ? { stalls: true } : undefined;
    };
  });
  afterAll(() => gateway.close());

  const read = (variables: { first?: number; after?: string; last?: number }, row = 'id') =>
    gateway.queryFailing(
      `query ($first: Int, $after: String, $last: Int) {
        productTransactions(first: $first, after: $after, last: $last) { count next pageInfo { hasNextPage } results { ${row} } }
      }`,
      variables,
    );
  const late = (rows: number, wanted: number) => [
    {
      path: ['productTransactions', 'results'],
      message: `Only ${rows} of ${wanted} rows of this list came in time. Ask for fewer, or go on after them with \`next\`.`,
      extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true },
    },
  ];

  test('shows the rows before the first that is missing, with one error, and goes on after them', async () => {
    slowFrom = 300;
    const { data, errors } = await read({ first: 500 }, 'id product { name }');

    const { results, count, next, pageInfo } = data.productTransactions;
    expect(results).toEqual(ids.slice(0, 300).map((id) => ({ id, product: { name: expect.any(String) } })));
    expect([count, pageInfo.hasNextPage]).toEqual([ids.length, true]);
    expect(errors).toMatchObject(late(300, 500));

    slowFrom = 420;
    const following = await read({ first: 250, after: next });
    const shown = following.data.productTransactions.results.map(({ id }: Row) => id);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(ids.slice(300, 300 + shown.length));
    expect(following.errors).toMatchObject(late(shown.length, 250));

    slowFrom = 1000;
    const last = await read({ first: 500, after: following.data.productTransactions.next });
    expect(last.errors).toEqual([]);
    expect(last.data.productTransactions.results.map(({ id }: Row) => id)).toEqual(ids.slice(300 + shown.length));
  });

  test.each([
    ['its first page did not come', { first: 300 }, 0],
    ['the client asks for its last rows', { last: 300 }, 550],
  ])('is an error where %s', async (_what, page, from) => {
    slowFrom = from;
    const { data, errors } = await read(page);

    expect(data.productTransactions).toBeNull();
    expect(errors).toMatchObject([{ path: ['productTransactions'], extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
  });
});

test.each([
  ['at once where there is time', 1_000_000, 10],
  ['in order where they may take all of it', 4_000, 1],
])('pages are read %s', async (_what, msLeft, expected) => {
  const offsets: number[] = [];
  let [running, most] = [0, 0];
  const read: ListReads['read'] = async (_endpoint, { query = {} }) => {
    offsets.push(Number(query.offset));
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return { count: 1000, results: Array.from({ length: 100 }, (_, at) => ({ id: `T${Number(query.offset) + at}` })) };
  };
  const knowledge = noKnowledge();
  knowledge.learnLength('listProductTransactions', { count: 1000, at: 0 });
  const list = listsOf({ read }, () => msLeft, knowledge).of('listProductTransactions');
  const { rows } = await list.range({ offset: 0, limit: 1000 }, { origin: { reason: 'root', fields: () => [] } });

  expect(rows).toHaveLength(1000);
  expect(most).toBe(expected);
  expect(offsets).toEqual(Array.from({ length: 10 }, (_, page) => page * 100));
});
