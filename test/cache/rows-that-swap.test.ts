import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { page, paths } from '../support/rest-reads.ts';

/** The list of entity cards, in the order of the service. */
let rows: { id: string; card: { id: string }; entity: string; is_active: boolean; created_on?: string }[];
/** Rows that the service counts, and never gives. */
let hidden: number;
/** The list of cards. */
let soughtCards: string[];
let gateway: FakedGateway;

beforeEach(async () => {
  gateway = await startFakedGateway({ 'cache.lists.ttlMs': '600000' });
  rows = Array.from({ length: 150 }, (_, index) => assignment(index));
  hidden = 0;
  gateway.upstream.respond = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const isRows = pathname === paths.entityCards;
    const list = isRows ? rows : pathname === paths.cards ? soughtCards.map((id) => ({ id })) : undefined;
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const results = list?.slice(offset, offset + limit);
    const count = (list?.length ?? 0) + (isRows ? hidden : 0);
    return list && { body: JSON.stringify({ count, next: null, previous: null, results }) };
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
});

function assignment(index: number, card = `C${index}`) {
  return { id: `A${index}`, card: { id: card }, entity: `E${index}`, is_active: true };
}

/** One row leaves, and another one comes at the end, so that all rows between them move up. */
function swap(index: number): void {
  rows = [...rows.toSpliced(index, 1), { ...rows[index]!, ...assignment(1_000 + index) }];
}

const ids = () => rows.map(({ id }) => id);
const ask = (range: string, options = {}) =>
  gateway.queryFailing(`{ entityCards${range} { count results { id } next } }`, {}, options);
const idsIn = ({ data }: Awaited<ReturnType<typeof ask>>) =>
  data.entityCards.results.map(({ id }: { id: string }) => id);

test('no range joins cached pages between which one row left and another came', async () => {
  await ask('(limit: 50)');
  swap(3);
  await ask('(offset: 50, limit: 50)');
  const both = await ask('(limit: 100)');

  expect(idsIn(both)).toEqual(ids().slice(0, 100));
});

test('a cursor leads to no page that was cached before the page of the cursor', async () => {
  await ask('(offset: 50, limit: 50)');
  rows = [assignment(-1), ...rows.toSpliced(120, 1)];
  const first = await ask('(first: 50)');
  const second = await ask(`(first: 50, after: "${first.data.entityCards.next}")`);

  expect([...idsIn(first), ...idsIn(second)]).toEqual(ids().slice(0, 100));
});

test('the stale pages of a range are renewed together, and fit together again', async () => {
  await ask('(limit: 150)');
  swap(3);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 700_000);
  const stale = await ask('(limit: 150)');
  await gateway.upstream.untilArrived(2);
  await expect.poll(() => gateway.upstream.pending).toBe(0);
  const { calls } = gateway.upstream;
  expect(calls).toEqual([page(paths.entityCards, 100), page(paths.entityCards, 50, 100)]);
  const renewed = await ask('(limit: 150)');

  expect(idsIn(stale)).not.toEqual(ids());
  expect([idsIn(renewed), renewed.calls]).toEqual([ids(), []]);
});

test('no operation renews stale pages while another one renews pages of the list', async () => {
  await ask('(limit: 150)');
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 700_000);
  gateway.upstream.hold();
  await ask('(limit: 150)');
  await gateway.upstream.untilArrived(2);
  const [first] = gateway.upstream.requests;
  const results = rows.slice(0, 100);
  first?.reply({ body: JSON.stringify({ count: rows.length, next: null, previous: null, results }) });
  await expect.poll(() => gateway.upstream.pending).toBe(1);
  for (let times = 0; times < 3; times += 1) await gateway.query('{ entityCards(limit: 150) { results { id } } }');
  gateway.upstream.release();
  await expect.poll(() => gateway.upstream.pending).toBe(0);

  expect(gateway.upstream.calls).toEqual([page(paths.entityCards, 100), page(paths.entityCards, 50, 100)]);
  expect((await ask('(limit: 150)')).calls).toEqual([]);
});

describe('a look through the list that goes on from cached pages', () => {
  const seek = async (...cards: string[]) => {
    soughtCards = cards;
    const { data, errors, calls } = await gateway.queryFailing('{ cards { results { holder { id } } } }');
    const holders = data.cards.results.map(({ holder }: { holder: { id: string } | null }) => holder?.id);
    return { holders, errors, calls: calls.filter((call) => call.includes('entity-cards')) };
  };

  test('goes on from them where nothing has moved, and reads their last row again', async () => {
    await ask('(limit: 100)');

    expect(await seek('C100')).toEqual({ holders: ['E100'], errors: [], calls: [page(paths.entityCards, 101, 99)] });
  });

  test('begins anew, past the cache, where a row left and another came', async () => {
    await ask('(limit: 100)');
    swap(3);

    expect(await seek('C100')).toEqual({
      holders: ['E100'],
      errors: [],
      calls: [page(paths.entityCards, 101, 99), page(paths.entityCards, 100)],
    });
  });

  test('finds a row that new rows have moved down', async () => {
    await ask('(limit: 100)');
    rows = [assignment(-1), ...rows];

    expect(await seek('C100')).toMatchObject({ holders: ['E100'] });
  });

  test('finds a row that moved up between cached pages of two operations', async () => {
    await ask('(limit: 50)');
    swap(3);
    await ask('(offset: 50, limit: 100)');

    expect(await seek('C50')).toMatchObject({ holders: ['E50'] });
  });

  test('joins cached pages of two operations where nothing has moved', async () => {
    await ask('(limit: 150)');
    await ask('(limit: 50)');
    await seek('C140');

    expect(await seek('C140')).toEqual({ holders: ['E140'], errors: [], calls: [] });
  });

  test('begins anew where another row has come into the tie at the end of the cached page', async () => {
    rows = rows.map((row) => ({ ...row, created_on: '1790000000' }));
    await ask('(limit: 100)');
    swap(3);

    expect(await seek('C99', 'C149')).toEqual({
      holders: ['E99', 'E149'],
      errors: [],
      calls: [page(paths.entityCards, 101, 99), page(paths.entityCards, 100)],
    });
  });

  test('ends after the cached page where the rows behind it have left', async () => {
    await ask('(limit: 100)');
    rows = rows.slice(0, 100);

    expect(await seek('C0', 'C500')).toMatchObject({ holders: ['E0', undefined], errors: [] });
  });

  test('ends after the cached page where the service counts more rows than it gives, and pages stay large', async () => {
    rows = rows.slice(0, 100);
    hidden = 3;
    await ask('(limit: 100)');

    expect(await seek('C500')).toEqual({
      holders: [undefined],
      errors: [],
      calls: [page(paths.entityCards, 101, 99), page(paths.entityCards, 100, 100)],
    });
    const again = await ask('(limit: 100)', { headers: { 'cache-control': 'no-cache' } });
    expect(again.calls).toEqual([page(paths.entityCards, 100)]);
  });
});
