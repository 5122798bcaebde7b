import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { type ListedRow, type ListField, ListService } from '../support/list-service.ts';
import type { Row } from '../support/rest-reads.ts';

// PROPERTY_RUNS sets the number of lists, PROPERTY_SEED chooses them. A failure prints its seed and smallest list.
const seed = Number(process.env.PROPERTY_SEED ?? 20260801);
const numRuns = Number(process.env.PROPERTY_RUNS ?? 12);

let service: ListService;
beforeAll(async () => {
  service = await ListService.start();
});
afterAll(() => service[Symbol.asyncDispose]());

const longAgo = 1_700_000_000;
let created = 0;
beforeEach(() => {
  created = 0;
});

function newRow(created_on: number, updated_on = created_on): ListedRow {
  created += 1;
  return { id: `R${(created * 7919) % 100_003}`, created_on, updated_on, name: 'first' };
}

interface Change {
  how: 'insert' | 'update';
  /** Rows that change at once. */
  rows: number;
  /** The place in the list, as a share of its length. */
  place: number;
  isNow: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom('insert', 'update'),
  rows: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 150 })),
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  isNow: fc.boolean(),
});

/** The sizes of groups of rows that share a second. */
const groups = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 7 }) }, fc.integer({ min: 1, max: 80 })),
  { maxLength: 25 },
);
const field = fc.constantFrom<ListField[]>('farmers', 'products', 'productTransactions');
const pageSize = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }));

function fill(list: ListField, sizes: number[]): ListedRow[] {
  const rows = sizes.flatMap((size, second) => Array.from({ length: size }, () => newRow(longAgo + second)));
  service.rows[list] = [...rows];
  return rows;
}

function apply(list: ListField, { how, rows, place, isNow }: Change): void {
  const now = Math.floor(Date.now() / 1000);
  const all = service.rows[list];
  const at = Math.floor(place * all.length);
  if (how === 'insert') {
    const created_on = isNow || all.length === 0 ? now : all[Math.min(at, all.length - 1)]!.created_on;
    all.push(...Array.from({ length: rows }, () => newRow(created_on, now)));
  } else {
    for (const row of all.slice(at, at + rows)) Object.assign(row, { updated_on: now, name: `${row.name}+` });
  }
}

test.each(['forward', 'backward'] as const)(
  'a client that pages %s gets each row of a growing list once',
  async (direction) => {
    const [size, cursor, link] = direction === 'forward' ? ['first', 'after', 'next'] : ['last', 'before', 'previous'];
    const property = fc.asyncProperty(
      field,
      groups,
      pageSize,
      fc.array(fc.option(change), { maxLength: 30 }),
      fc.boolean(),
      async (list, sizes, rows, changes, takesEdges) => {
        const before = fill(list, sizes).map(({ id }) => id);
        const document = `query ($cursor: String) {
      ${list}(${size}: ${rows}, ${cursor}: $cursor) { results { id } ${link} edges { cursor } pageInfo { startCursor endCursor } }
    }`;
        const seen: string[] = [];
        let at: string | null = null;
        for (let page = 0; page === 0 || at !== null; page += 1) {
          const { data, errors } = await service.gateway.query(document, { cursor: at });
          expect(errors).toEqual([]);
          const { results, edges } = data[list];
          seen.push(...results.map(({ id }: Row) => id));
          at = data[list][link!];
          if (at !== null && takesEdges) at = (direction === 'forward' ? edges.at(-1) : edges.at(0)).cursor;
          const next = changes[page];
          if (next) apply(list, next);
          if (page > 2_000) throw new Error('The pages do not end.');
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(before.filter((id) => !seen.includes(id))).toEqual([]);
      },
    );
    await fc.assert(property, { seed, numRuns });
  },
  60_000 + numRuns * 300,
);

/** Rows that leave, and as many that come. The cursors of long ties do not see that. */
interface Swap {
  rows: number;
  /** The places in the list, as shares of its length. */
  from: number;
  to: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const swaps: fc.Arbitrary<Swap> = fc.record({ rows: fc.integer({ min: 1, max: 20 }), from: share, to: share });
const shortGroups = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 60 });

function swap(list: ListField, { rows, from, to }: Swap): void {
  const all = service.rows[list];
  const { created_on } = all[Math.min(Math.floor(to * all.length), all.length - 1)]!;
  const gone = all.splice(Math.floor(from * all.length), rows);
  // A new row would make a tie longer.
  all.push(...gone.map((_, index) => newRow(created_on + (index + 1) / 1_000)));
}

test.each(['forward', 'backward'] as const)(
  'a client that pages %s gets each row that stays where as many come as leave, or an error',
  async (direction) => {
    const [size, cursor, link] = direction === 'forward' ? ['first', 'after', 'next'] : ['last', 'before', 'previous'];
    let whole = 0;
    const property = fc.asyncProperty(
      field,
      shortGroups,
      pageSize,
      fc.array(fc.option(swaps), { maxLength: 30 }),
      async (list, sizes, rows, changes) => {
        const before = fill(list, sizes).map(({ id }) => id);
        const document = `query ($cursor: String) { ${list}(${size}: ${rows}, ${cursor}: $cursor) { results { id } ${link} } }`;
        const seen: string[] = [];
        let at: string | null = null;
        for (let page = 0; page === 0 || at !== null; page += 1) {
          const { data, errors } = await service.gateway.query(document, { cursor: at });
          if (errors.length > 0) {
            expect(codesOf({ errors })).toEqual(['UPSTREAM_INVALID_RESPONSE']);
            return;
          }
          seen.push(...data[list].results.map(({ id }: Row) => id));
          at = data[list][link!];
          const next = changes[page];
          if (next) swap(list, next);
          if (page > 2_000) throw new Error('The pages do not end.');
        }
        whole += 1;
        expect(new Set(seen).size).toBe(seen.length);
        const staying = service.rows[list].map(({ id }) => id);
        expect(before.filter((id) => staying.includes(id) && !seen.includes(id))).toEqual([]);
      },
    );
    await fc.assert(property, { seed, numRuns });
    expect(whole).toBeGreaterThan(numRuns / 4);
  },
  60_000 + numRuns * 300,
);

/** The sync of docs/lists-and-sync.md, by a client that some answers do not reach. */
async function sync(
  list: ListField,
  size: number,
  {
    copy,
    since,
    losesAnswer,
    between,
  }: { copy: Map<string, string>; since?: string; losesAnswer(): boolean; between(): void },
): Promise<string> {
  const document = `query ($after: String, $since: DateTime) {
    serverTime
    ${list}(first: ${size}, after: $after, updated_after: $since) { results { id text: ${list === 'products' ? 'name' : 'number'} } next }
  }`;
  let serverTime: string | undefined;
  let after: string | null = null;
  do {
    const { data, errors } = await service.gateway.query(document, { after, since });
    expect(errors).toEqual([]);
    between();
    if (losesAnswer()) continue;
    serverTime ??= data.serverTime as string;
    for (const { id, text } of data[list].results) copy.set(id, text);
    after = data[list].next;
  } while (after !== null || serverTime === undefined);
  return serverTime;
}

test(
  'the sync gives a client all rows of a service that changes while it runs',
  async () => {
    const property = fc.asyncProperty(
      field,
      groups,
      pageSize,
      fc.array(fc.option(change), { maxLength: 40 }),
      fc.array(fc.boolean(), { maxLength: 40 }),
      async (list, sizes, size, changes, lost) => {
        fill(list, sizes);
        const copy = new Map<string, string>();
        const between = () => {
          const next = changes.shift();
          if (next) apply(list, next);
        };
        const losesAnswer = () => lost.shift() === true;
        let since: string | undefined;
        do {
          since = await sync(list, size, { copy, ...(since && { since }), losesAnswer, between });
        } while (changes.length > 0);
        await sync(list, size, { copy, since, losesAnswer, between });
        const rows = service.rows[list].map(({ id, name }): [string, string] => [id, name]);
        expect([...copy].toSorted()).toEqual(rows.toSorted());
      },
    );
    await fc.assert(property, { seed, numRuns });
  },
  60_000 + numRuns * 300,
);
