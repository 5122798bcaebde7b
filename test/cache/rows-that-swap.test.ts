import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { page, paths } from '../support/rest-reads.ts';

/** The list of entity cards, in the order of the service. Its count stays, while rows leave and come. */
let rows: { id: string; card: { id: string }; entity: string; is_active: boolean }[];
let gateway: FakedGateway;

beforeEach(async () => {
  gateway = await startFakedGateway({ 'cache.lists.ttlMs': '600000' });
  rows = Array.from({ length: 150 }, (_, index) => assignment(index));
  gateway.upstream.respond = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== paths.entityCards) return undefined;
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const results = rows.slice(offset, offset + limit);
    return { body: JSON.stringify({ count: rows.length, next: null, previous: null, results }) };
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
  rows = [...rows.toSpliced(index, 1), assignment(1_000 + index)];
}

const ids = () => rows.map(({ id }) => id);
const ask = (range: string) => gateway.queryFailing(`{ entityCards${range} { count results { id } next } }`);
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
