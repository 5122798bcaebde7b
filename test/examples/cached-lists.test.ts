import { expect, test } from 'vitest';
import { assignCard } from '../../examples/clients/caches/cards.ts';
import { type Args, afterWrite, type CachedList, lists, type Row } from '../../examples/clients/caches/lists.ts';

type Node = Row & { created_on?: string };

function written(__typename: string, row: Row, args: Args, list: CachedList<Node>) {
  const rule = lists[__typename]!;
  const read = (node: Node, field: 'id' | 'created_on' | 'entity_id') => node[field];
  return afterWrite({ row: { __typename, ...row }, rule }, args, list, { node: row, read });
}

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));

test('a list of which an app reads the count alone gets no rows', () => {
  expect(written('Farmer', { id: 'new' }, {}, { count: 3 })).toEqual({ count: 4 });
});

test('a list without pageInfo gets a farmer at its end only if all rows are loaded', () => {
  const edges = rowsOf('a', 'b').map((node) => ({ node }));

  expect(written('Farmer', { id: 'new' }, { first: 2 }, { count: 3, edges })).toEqual({ count: 4, edges });
  expect(written('Farmer', { id: 'new' }, { first: 9 }, { count: 2, edges })?.edges).toHaveLength(3);
});

test('a table of available goods is read again where a row leaves it and others move up', () => {
  const sale = { id: 'new', type: 'OUTGOING', parents: [{ id: 'a', current_quantity: '0.000' }] };
  const wanted = { quantity_available: true, limit: 2 };

  expect(written('ProductTransaction', sale, wanted, { count: 5, results: rowsOf('a', 'b') })).toBeUndefined();
  expect(
    written('ProductTransaction', sale, { ...wanted, offset: 2 }, { count: 5, results: rowsOf('c', 'd') }),
  ).toBeUndefined();
  expect(written('ProductTransaction', sale, wanted, { count: 2, results: rowsOf('a', 'b') })).toEqual({
    count: 1,
    results: rowsOf('b'),
  });
});

test('a way back of available goods is read again where a full page loses a row', () => {
  const sale = { id: 'new', type: 'OUTGOING', source_id: 'C', parents: [{ id: 'a', current_quantity: '0.000' }] };
  const left = (limit: number | undefined, list: Node[], entity = 'C') =>
    written('ProductTransaction', sale, { entity, quantity_available: true, limit }, { results: list });

  expect(left(2, rowsOf('a', 'b'))).toBeUndefined();
  expect(left(3, rowsOf('a', 'b'))).toEqual({ results: rowsOf('b') });
  expect(left(undefined, rowsOf('a', 'b'))).toEqual({ results: rowsOf('b') });
  expect(left(2, rowsOf('c', 'd'))).toEqual({ results: rowsOf('c', 'd') });
  expect(left(3, rowsOf('a', 'b'), 'the former owner')).toEqual({ results: rowsOf('b') });
});

test('an assignment is in the list of its holder alone, and in one of several holders', () => {
  const row = { id: 'new', entity_id: 'F' };
  const countIn = (...holders: string[]) => {
    const results = holders.map((entity_id, at) => ({ id: `${at}`, entity_id }));
    return written('EntityCard', row, {}, { count: holders.length, results })?.count;
  };

  // A real service lists the assignments of the active company alone.
  expect([countIn('C', 'C'), countIn(), countIn('F'), countIn('C', 'G')]).toEqual([2, 0, 2, 3]);
});

test.each(['ProductTransaction', 'PaymentTransaction'])(
  'the list of a %s that belongs to a farmer or a company gets only their rows',
  (type) => {
    const row = { id: 'new', source_id: 'F', destination_id: 'C', payment_type: 'PREMIUM' };
    const idsFor = (entity: string) => written(type, row, { entity }, { results: [] })?.results?.map(({ id }) => id);

    expect([idsFor('F'), idsFor('C'), idsFor('other')]).toEqual([['new'], ['new'], []]);
  },
);

test('the list of a product or of a parent gets only their rows', () => {
  const row = { id: 'new', product_id: 'P', parents: [{ id: 'T' }] };
  const isIn = (args: Args) => written('ProductTransaction', row, args, { results: [] })?.results?.length === 1;

  expect([{ product: 'P' }, { product: 'Q' }, { parent: 'T' }, { parent: 'U' }].map(isIn)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('an assignment whose answer lacks card and holder ends no other', () => {
  const cache: Record<string, Record<string, unknown>> = {
    'EntityCard:old': { __typename: 'EntityCard', is_active: true },
    'EntityCard:new': { __typename: 'EntityCard' },
  };
  const ended: string[] = [];
  const objects = {
    keys: () => Object.keys(cache),
    read: (key: string, field: string) => cache[key]?.[field],
    end: (key: string) => void ended.push(key),
    link: () => {},
  };
  assignCard(objects, 'EntityCard:new', { id: 'new' });

  expect(ended).toEqual([]);
});
