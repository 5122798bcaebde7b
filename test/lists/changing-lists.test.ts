import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangingList, groups, type ListRow } from '../support/changing-list.ts';
import { codesOf } from '../support/client.ts';
import { realCosts, TableCosts } from '../support/cost-profiles.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { distinct, paths, type Row } from '../support/rest-reads.ts';

const options = { sandbox: { dialect: 'connect' }, costs: realCosts } as const;

/** Asks for one range of a list, by a gateway that knows nothing of it yet. */
async function ask(list: ChangingList, field: 'productTransactions' | 'cards' = 'productTransactions') {
  await using upstream = await startFakeUpstream({ respond: list.respond });
  await using gateway = await startGateway({ ...options, upstreamUrl: upstream.url });
  const { data, errors } = await gateway.query(`{ ${field}(limit: 1000) { count results { id } } }`);
  const { count, results } = data[field];
  return { count, ids: results.map(({ id }: Row) => id) as string[], errors };
}

const transactions = (rows: ListRow[]) => new ChangingList(paths.productTransactions, rows);
const idsOf = (rows: ListRow[]) => rows.map(({ id }) => id).toSorted();
const repeat = (size: number, times: number) => Array.from({ length: times }, () => size);
const newRows = (count: number) => groups(repeat(1, count), { name: 'N', newest: 1_800_000_000 });
const without = (rows: ListRow[], ...ids: string[]) => rows.filter(({ id }) => !ids.includes(id));
const firstPages = ['0+100', '100+100', '200+100'];

const inDoubt = [
  {
    message: expect.stringMatching(/^This list may lack \d+ of its rows/),
    path: ['productTransactions'],
    extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
  },
];

test.each<[size: number, again: string[]]>([
  [1, []],
  [2, ['99+2', '199+2']],
  [3, ['98+3']],
  [4, ['97+4']],
  [5, ['98+5', '198+5']],
  [6, ['197+6']],
  [7, ['95+7']],
  [60, ['53+60', '173+60']],
  [240, ['53+240']],
])('a range gives each row once over ties of %i rows', async (size, again) => {
  const list = transactions(groups([...repeat(1, 53), ...repeat(size, 240 / size)]));

  const { count, ids, errors } = await ask(list);

  expect(errors).toEqual([]);
  expect(count).toBe(list.rows.length);
  expect(ids.toSorted()).toEqual(idsOf(list.rows));
  expect(list.pages).toEqual([...firstPages, ...again]);
});

test.each<[cap: number, size: number, rereads: number]>([
  [100, 6, 2],
  [100, 300, 21],
  [40, 6, 5],
  [40, 60, 34],
])('a range gives each row once over pages of at most %i rows and ties of %i', async (maxPageSize, size, rereads) => {
  const list = new ChangingList(paths.cards, groups(repeat(size, 300 / size)));
  list.maxPageSize = maxPageSize;

  const { ids, errors } = await ask(list, 'cards');

  expect(errors).toEqual([]);
  expect(ids.toSorted()).toEqual(idsOf(list.rows));
  expect(list.pages.length - Math.ceil(300 / maxPageSize)).toBe(rereads);
});

test.each<[change: string, page: number, (rows: ListRow[]) => ListRow[], again: string[]]>([
  ['one row comes', 1, (rows) => [...newRows(1), ...rows], ['0+1']],
  ['five rows come', 1, (rows) => [...newRows(5), ...rows], ['0+5']],
  ['one row comes after the second page', 2, (rows) => [...newRows(1), ...rows], ['0+1']],
  ['a row of an earlier time comes', 1, (rows) => [...rows, { id: 'N', created_on: '1789999950' }], ['0+1', '1+99']],
  ['one row goes', 1, (rows) => without(rows, 'G3R0'), ['0+100']],
  ['three rows go', 1, (rows) => without(rows, 'G3R0', 'G40R0', 'G150R0'), ['0+100']],
  [
    'one row goes and another comes',
    1,
    (rows) => [...newRows(1), ...without(rows, 'G240R0')],
    ['99+2', '98+2', '0+100'],
  ],
])('a range gives each row once if %s between its pages', async (_change, page, change, again) => {
  const list = transactions(groups(repeat(1, 250)));
  list.beforePage = (number) => {
    if (number === page) list.rows = change(list.rows);
  };

  const { count, ids, errors } = await ask(list);

  expect(errors).toEqual([]);
  expect(count).toBe(list.rows.length);
  expect(ids.toSorted()).toEqual(idsOf(list.rows));
  expect(list.pages).toEqual([...firstPages, ...again]);
});

test.each<[list: string, maxPageSize: number, sizes: number[], (rows: ListRow[], page: number) => ListRow[]]>([
  ['shrinks with each page', 1_000, repeat(1, 250), (rows) => rows.toSpliced(3, 1)],
  ['has a tie of many pages', 10, [300], (rows) => rows],
])('a list that %s has its rows once, and an error about the others', async (_list, maxPageSize, sizes, change) => {
  const list = transactions(groups(sizes));
  list.maxPageSize = maxPageSize;
  list.beforePage = (page) => {
    list.rows = change(list.rows, page);
  };

  const { ids, errors } = await ask(list);

  expect(errors).toMatchObject(inDoubt);
  expect(distinct(ids)).toHaveLength(ids.length);
  expect(ids.length).toBeGreaterThan(200);
  expect(list.pages.length).toBeLessThan(150);
});

test('a range of several pages gives each row once though a row comes before each of its calls', async () => {
  const list = transactions(groups(repeat(1, 250)));
  list.beforePage = (page) => {
    list.rows = [...newRow(page), ...list.rows];
  };

  const { count, ids, errors } = await ask(list);

  expect(errors).toEqual([]);
  expect(count).toBe(list.rows.length);
  expect(ids).toEqual(list.rows.map(({ id }) => id));
  expect(list.pages.length).toBeLessThanOrEqual(7);
});

/** Follows the cursors of a list in pages of 50. `grow`: rows that come before each call. */
async function readAll(direction: 'after' | 'before', size: number, grow: number) {
  const list = transactions(groups(repeat(size, 600 / size)));
  const old = idsOf(list.rows);
  list.beforePage = (page) => {
    list.rows = [...groups(repeat(1, grow), { name: `N${page}-`, newest: 1_800_000_000 + 10 * page }), ...list.rows];
  };
  await using upstream = await startFakeUpstream({ respond: list.respond });
  await using gateway = await startGateway({ ...options, upstreamUrl: upstream.url });
  const [of, next] = direction === 'after' ? ['first', 'next'] : ['last', 'previous'];
  const document = `query ($cursor: String) {
    productTransactions(${of}: 50, ${direction}: $cursor) { results { id } ${next} }
  }`;
  const read: string[] = [];
  const found: unknown[] = [];
  for (let cursor: string | null = null, turn = 0; turn === 0 || (cursor && turn < 40); turn += 1) {
    const { data, errors } = await gateway.query(document, { cursor });
    read.push(...data.productTransactions.results.map(({ id }: Row) => id));
    found.push(...errors);
    cursor = data.productTransactions[next];
  }
  return { read: read.filter((id) => old.includes(id)).toSorted(), old, errors: found, calls: list.pages.length };
}

test.each([
  ['after', 1, 1],
  ['after', 1, 3],
  ['after', 4, 1],
  ['after', 6, 2],
  ['before', 1, 1],
] as const)(
  'all pages with `%s` over ties of %i cost few calls more while %i rows come before each call',
  async (direction, size, grow) => {
    const atRest = await readAll(direction, size, 0);

    const { read, old, errors, calls } = await readAll(direction, size, grow);

    expect(errors).toEqual([]);
    expect(read).toEqual(old);
    expect(calls).toBeLessThanOrEqual(1.3 * atRest.calls);
  },
);

const newRow = (page: number) => groups([1], { name: `N${page}-`, newest: 1_800_000_000 + page });

const cheapCalls = new TableCosts({ calls: { listProductTransactions: { callMs: 1, rowMs: 20 } }, parallelism: 64 });

/** Asks for the first rows by a gateway that reads them in several pages. */
async function askFirst(list: ChangingList, rows: number, times = 1) {
  await using upstream = await startFakeUpstream({ respond: list.respond });
  await using gateway = await startGateway({ ...options, costs: cheapCalls, upstreamUrl: upstream.url });
  await gateway.query('{ productTransactions { count } }');
  list.pages.length = 0;
  const answers = [];
  for (let time = 0; time < times; time += 1) {
    answers.push(await gateway.query(`{ productTransactions(first: ${rows}) { results { id } } }`));
  }
  return answers;
}

test.each([20, 50])(
  'the first %i rows of a list that grows with each call come from one whole page at last',
  async (rows) => {
    const list = transactions(groups(repeat(1, 250)));
    list.beforePage = (page) => {
      list.rows = [...newRow(page), ...list.rows];
    };

    const [answer] = await askFirst(list, rows);

    expect(answer?.errors).toEqual([]);
    expect(answer?.data.productTransactions.results).toEqual(list.rows.slice(0, rows).map(({ id }) => ({ id })));
    expect(list.pages.length).toBeGreaterThan(2);
    expect(list.pages.at(-1)).toBe(`0+${rows}`);
  },
);

test('pages of a list that was seen to grow fast are read in one call each', async () => {
  const list = transactions(groups(repeat(1, 250)));
  list.beforePage = (page) => {
    list.rows = [...groups(repeat(1, 30), { name: `N${page}-`, newest: 1_800_000_000 + 30 * page }), ...list.rows];
  };

  const answers = await askFirst(list, 20, 3);

  expect(answers.map(({ errors }) => errors)).toEqual([[], [], []]);
  expect(list.pages.slice(-2)).toEqual(['0+20', '0+20']);
});

test('a range keeps its rows if the call that reads some again fails', async () => {
  const list = transactions(groups([...repeat(1, 95), 10, ...repeat(1, 145)]));
  await using upstream = await startFakeUpstream({
    respond: (request) => (request.path.includes('limit=100') ? list.respond(request) : { status: 500 }),
  });
  await using gateway = await startGateway({ ...options, upstreamUrl: upstream.url });

  const { data, errors } = await gateway.query('{ productTransactions(limit: 1000) { results { id } } }');

  const ids = data.productTransactions.results.map(({ id }: Row) => id);
  expect(errors).toMatchObject(inDoubt);
  expect(distinct(ids)).toHaveLength(ids.length);
  expect(ids.length).toBeGreaterThan(240);
});

describe('the last rows', () => {
  const readLast = async (change: (rows: ListRow[], page: number) => ListRow[]) => {
    const list = transactions(groups(repeat(1, 60)));
    list.beforePage = (page) => {
      list.rows = change(list.rows, page);
    };
    await using upstream = await startFakeUpstream({ respond: list.respond });
    await using gateway = await startGateway({ ...options, upstreamUrl: upstream.url });
    const { data, errors } = await gateway.query('{ productTransactions(last: 10) { results { id } next } }');
    const { results, next } = data.productTransactions;
    const ids: string[] = results.map(({ id }: Row) => id);
    return { ids, next, last: list.rows.slice(-10).map(({ id }) => id), codes: codesOf({ errors }), pages: list.pages };
  };
  const grow = (rows: ListRow[], page: number, last: number) => (page <= last ? [...newRow(page), ...rows] : rows);

  test.each([
    ['once', 1, ['0+1', '51+10', '52+11']],
    ['twice', 2, ['0+1', '51+10', '52+11']],
    ['with each call', Number.POSITIVE_INFINITY, ['0+1', '51+10', '52+11']],
  ])('are the last ones of a list that grows %s meanwhile', async (_often, lastPage, calls) => {
    const { ids, next, last, codes, pages } = await readLast((rows, page) => grow(rows, page, lastPage));

    expect([ids, next, codes]).toEqual([last, null, []]);
    expect(pages).toEqual(calls);
  });

  test('come with an error where the list grows faster than the gateway reads it', async () => {
    const newest = (page: number) => Array.from({ length: 2 ** page }, (_, at) => newRow(100 * page + at)).reverse();
    const { codes, pages } = await readLast((rows, page) => [...newest(page).flat(), ...rows]);

    expect(codes).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(pages).toHaveLength(5);
  });
});

// PROPERTY_RUNS sets the number of lists, PROPERTY_SEED chooses them. A failure prints its seed and the smallest list.
describe('ranges of a random list', () => {
  const numRuns = Number(process.env.PROPERTY_RUNS ?? 60);
  const seed = Number(process.env.PROPERTY_SEED ?? 20260701);
  let upstream: FakeUpstream;
  let gateway: Gateway;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    gateway = await startGateway({ ...options, upstreamUrl: upstream.url });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  const size = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 7 }) }, fc.integer({ min: 1, max: 150 }));
  const sizes = fc.array(size, { minLength: 20, maxLength: 90 });
  const ranges = fc.array(fc.record({ offset: fc.nat(250), limit: fc.integer({ min: 1, max: 400 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const maxPageSize = fc.constantFrom(1_000_000, 1_000_000, 100, 40);
  /** Rows that come, or go if negative, before a page, at a share of the list. */
  const changes = fc.oneof(
    fc.constant([]),
    fc.array(fc.record({ page: fc.nat(6), rows: fc.integer({ min: 1, max: 3 }), at: fc.constantFrom(0, 0, 0.3, 0.9) })),
    fc.array(fc.record({ page: fc.nat(6), rows: fc.constantFrom(-1, -2), at: fc.constantFrom(0, 0.3, 0.9) })),
  );

  test('give each row once, and all rows that were there, or say that they may not', {
    timeout: 60_000 + 400 * numRuns,
  }, async () => {
    const property = fc.asyncProperty(sizes, ranges, maxPageSize, changes, async (sizes, asked, cap, changes) => {
      const list = transactions(groups(sizes));
      list.maxPageSize = cap;
      const states = [list.rows];
      list.beforePage = (page) => {
        for (const [index, { rows, at }] of changes.filter((change) => change.page === page).entries()) {
          const place = Math.floor(at * (list.rows.length - 1));
          const { created_on } = list.rows[place] as ListRow;
          const added = Array.from({ length: Math.max(0, rows) }, (_, row) => ({
            id: `N${page}-${index}-${row}`,
            created_on,
          }));
          list.rows = list.rows.toSpliced(place, Math.max(0, -rows), ...added);
          states.push(list.rows);
        }
      };
      upstream.respond = list.respond;
      const fields = asked.map(
        ({ offset, limit }, index) =>
          `r${index}: productTransactions(offset: ${offset}, limit: ${limit}) { count results { id } }`,
      );

      const { data, errors } = await gateway.query(`{ ${fields.join(' ')} }`, {}, { key: crypto.randomUUID() });

      for (const [index, range] of asked.entries()) {
        const { count, results } = data[`r${index}`];
        const ids: string[] = results.map(({ id }: Row) => id);
        expect(distinct(ids)).toHaveLength(ids.length);
        if (errors.some(({ path }) => path?.[0] === `r${index}`)) {
          expect(changes.length > 0 || Math.max(...sizes) > Math.min(cap, 100)).toBe(true);
          continue;
        }
        expect(ids).toHaveLength(Math.max(0, Math.min(range.limit, count - range.offset)));
        const [sure = [], ...later] = states.map((rows) => inside(rows, range));
        const isSure = (id: string) => later.every((inside) => inside.includes(id));
        expect(sure.filter((id) => isSure(id) && !ids.includes(id))).toEqual([]);
      }
    });
    await fc.assert(property, { seed, numRuns, interruptAfterTimeLimit: 50_000 + 400 * numRuns });
  });

  /** Ids of the rows that are in a range however their ties are ordered. */
  function inside(rows: ListRow[], { offset, limit }: { offset: number; limit: number }): string[] {
    const times = rows.map(({ created_on }) => created_on);
    const isInside = ({ created_on }: ListRow) =>
      times.indexOf(created_on) >= offset && times.lastIndexOf(created_on) < offset + limit;
    return rows.filter(isInside).map(({ id }) => id);
  }
});
