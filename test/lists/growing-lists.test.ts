import { describe, expect, test } from 'vitest';
import { ChangingList, groups } from '../support/changing-list.ts';
import { rowsInDoubt } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import { get } from '../support/rest.ts';
import { distinct, paths, type Row } from '../support/rest-reads.ts';

const key = 'Bearer demo-coop';
const crash = { status: 500, body: '<h1>Server Error (500)</h1>' };

const lists = {
  transactions: { field: 'productTransactions', by: 'created_on', filter: '' },
  cards: { field: 'entityCards', by: 'updated_on', filter: ', updated_after: 5' },
} as const;
type ListName = keyof typeof lists;

interface Setting {
  list: ListName;
  way: 'after' | 'before';
  size: number;
  /** Rows of each time. */
  tie?: number;
  /** Name of the rows, which decides the order of each tie on each page. */
  name?: string;
  /** The row that the service fails on. */
  failing?: string;
  /** Rows of the service's largest page. */
  maxPageSize?: number;
}

/** Follows the cursors of a list of some pages to its end. A row comes before each call, or after each page. */
async function readAll(setting: Setting, grows: 'never' | 'with each call' | 'with each page') {
  const { way, size, tie = 1, name = 'G', failing, maxPageSize } = setting;
  const { field, by, filter } = lists[setting.list];
  const count = failing ? 600 : Math.max(200, 6 * size);
  const rows = groups(
    Array.from({ length: count / tie }, () => tie),
    { name },
  );
  const list = new ChangingList(paths[field], rows.toReversed(), by);
  if (maxPageSize) list.maxPageSize = maxPageSize;
  const grow = (call: number) => {
    list.rows.push(...groups([1], { name: `N${call}-`, newest: 1_800_000_000 + call }));
  };
  list.beforePage = (call) => {
    if (grows === 'with each call' && call > 0) grow(call);
  };
  const respond: typeof list.respond = (request) => {
    const reply = list.respond(request);
    return failing && reply?.body?.includes(`"${failing}"`) ? crash : reply;
  };
  await using upstream = await startFakeUpstream({ respond });
  await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, upstreamUrl: upstream.url });
  const [of, next] = way === 'after' ? ['first', 'next'] : ['last', 'previous'];
  const document = `query ($cursor: String) {
    ${field}(${of}: ${size}, ${way}: $cursor${filter}) { results { id } ${next} }
  }`;
  const read: string[] = [];
  const messages: string[] = [];
  let page = 0;
  for (let cursor: string | null = null; page === 0 || (cursor && page < 130); page += 1) {
    const { data, errors } = await gateway.query(document, { cursor });
    messages.push(...errors.map(({ message }) => message));
    read.push(...data[field].results.map(({ id }: Row) => id));
    cursor = data[field][next];
    if (grows === 'with each page') grow(page);
  }
  const lost = rows.filter(({ id }) => id !== failing && !read.includes(id)).map(({ id }) => id);
  return { lost, twice: read.length - distinct(read).length, messages, calls: upstream.calls.length, pages: page };
}

describe.each(Object.keys(lists) as ListName[])('a list of %s that grows with each call', (list) => {
  describe.each(['after', 'before'] as const)('is whole in pages with `%s`', (way) => {
    test.each([20, 100])('and takes few calls more: pages of %i rows', async (size) => {
      for (const tie of [1, 6]) {
        const atRest = await readAll({ list, way, size, tie }, 'never');
        const growing = await readAll({ list, way, size, tie }, 'with each call');

        for (const { lost, twice, messages } of [atRest, growing]) {
          expect({ lost, twice, messages }).toEqual({ lost: [], twice: 0, messages: [] });
        }
        expect(growing.calls).toBeLessThanOrEqual(1.3 * atRest.calls);
      }
    });
  });
});

test.each(['after', 'before'] as const)('pages of 80 rows need no larger pages of the service: `%s`', async (way) => {
  const setting = { list: 'transactions', way, size: 80, tie: 6, maxPageSize: 100 } as const;
  const atRest = await readAll(setting, 'never');

  const { lost, twice, messages, calls } = await readAll(setting, 'with each call');

  expect({ lost, twice, messages }).toEqual({ lost: [], twice: 0, messages: [] });
  expect(calls).toBeLessThanOrEqual(1.3 * atRest.calls);
});

test.each([
  ['after', 10, 60, 'O2G', 2],
  ['before', 10, 60, 'O7G', 2],
  ['before', 20, 6, 'O16G', 47],
] as const)(
  'a page with `%s` of %i rows says what a failing row hides among %i of its time: %s',
  async (way, size, tie, name, group) => {
    const setting: Setting = { list: 'transactions', way, size, tie, name, failing: `${name}${group}R0` };

    const { lost, twice, messages, pages } = await readAll(setting, 'with each page');

    expect(twice).toBe(0);
    expect(lost.length).toBeLessThanOrEqual(rowsInDoubt(messages));
    expect(messages).not.toEqual([]);
    expect(pages).toBeLessThan(100);
  },
);

describe('a sync of five lists beside writers', () => {
  const fields = ['farmers', 'products', 'productTransactions', 'paymentTransactions', 'entityCards'] as const;
  const since = '2001-01-01T00:00:00Z';
  /** Reads the next page of each list that has one. */
  const documentOf = (left: readonly string[]) => `query (${left.map((field) => `$${field}: String`).join(', ')}) {
    ${left.map((field) => `${field}(first: 100, after: $${field}, updated_after: "${since}") { results { id } next }`).join(' ')}
  }`;

  test('ends with each row once, and takes few calls more', async () => {
    await using faked = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    const { url } = faked.sandbox;
    const headers = { authorization: key, 'content-type': 'application/json' };
    const post = async (path: string, body: object) => {
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([path, answer.status]).toEqual([path, 201]);
      return ((await answer.json()) as Row).data;
    };
    const [farmer] = (await get(faked.sandbox, `${paths.farmers}?limit=1`, key)).results;
    const [product] = (await get(faked.sandbox, `${paths.products}?limit=1`, key)).results;
    const [currency] = (await get(faked.sandbox, `${paths.currencies}?limit=1`, key)).results;
    const ends = { source: farmer.id, destination: farmer.buyer, currency: currency.id };
    let written = 0;
    const writers = [
      () => post(paths.farmers, { first_name: 'Ama', country: 'Ghana', province: 'Volta' }),
      () => post(paths.productTransactions, { ...ends, product: product.id, amount: '2' }),
      () => post(paths.entityCards, { card: { card_id: `NEW-${written}` }, entity: farmer.buyer }),
    ];
    const sync = async (grows: boolean) => {
      faked.upstream.clear();
      faked.upstream.respond = async () => {
        written += 1;
        if (grows) await Promise.all(writers.map((write) => write()));
        return undefined;
      };
      const rows = Object.fromEntries(fields.map((field) => [field, [] as string[]]));
      let cursors: Record<string, string | null> = {};
      for (let left: string[] = [...fields]; left.length > 0; left = left.filter((field) => cursors[field] !== null)) {
        const { data, errors } = await faked.query(documentOf(left), cursors, { key });
        expect(errors).toEqual([]);
        for (const field of left) rows[field]?.push(...data[field].results.map(({ id }: Row) => id));
        cursors = Object.fromEntries(left.map((field) => [field, data[field].next]));
      }
      return { rows, calls: faked.upstream.calls.length };
    };

    const atRest = await sync(false);
    const growing = await sync(true);

    for (const field of fields) {
      const ids = growing.rows[field] ?? [];
      expect(distinct(ids)).toHaveLength(ids.length);
      expect((atRest.rows[field] ?? []).filter((id) => !ids.includes(id))).toEqual([]);
    }
    expect(growing.calls).toBeLessThanOrEqual(1.3 * atRest.calls);
  });
});
