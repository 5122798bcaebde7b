import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LotRow, startLots } from './lot-service.ts';

/** The lots of a trace, nearest first, found by hand among all rows. */
function lotsByHand(
  rows: readonly LotRow[],
  start: string,
  next: (row: LotRow) => readonly string[],
  depth: number,
): string[][] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const seen = new Set([start]);
  const generations = [[start]];
  while (generations.length <= depth) {
    const found = generations.at(-1)!.flatMap((id) => (byId.has(id) ? next(byId.get(id)!) : []));
    const fresh = [...new Set(found)].filter((id) => !seen.has(id));
    if (fresh.length === 0) break;
    for (const id of fresh) seen.add(id);
    generations.push(fresh);
  }
  return generations.map((ids) => ids.toSorted());
}

/** Lots whose parents are any others, so that there are circles, diamonds, and parents that are younger than their children. */
const lots = fc
  .array(fc.record({ parents: fc.uniqueArray(fc.oneof(fc.nat(79), fc.nat(5)), { maxLength: 3 }), second: fc.nat(4) }), {
    minLength: 1,
    maxLength: 80,
  })
  .map((drawn) =>
    drawn.map(
      ({ parents, second }, at): LotRow => ({
        id: `L${at}`,
        // Some lots have one time.
        created_on: String(1_790_000_000 + second),
        parents: parents.filter((parent) => parent < drawn.length).map((parent) => `L${parent}`),
        source: `S${at % 7}`,
        destination: `D${at % 5}`,
        quantity: `${at}.5`,
      }),
    ),
  );

const cases = fc.record({
  rows: lots,
  depth: fc.integer({ min: 1, max: 6 }),
  hidden: fc.uniqueArray(fc.nat(79), { maxLength: 4 }),
  grows: fc.boolean(),
  maxPageSize: fc.integer({ min: 5, max: 100 }),
});

let service: Awaited<ReturnType<typeof startLots>>;
beforeAll(async () => {
  service = await startLots([]);
});
afterAll(() => service[Symbol.asyncDispose]());

test('traces have the lots that are found by hand', { timeout: 120_000 }, async () => {
  const fields = 'lots { transaction_id depth parents children } complete reason';
  const property = fc.asyncProperty(cases, async ({ rows, depth, hidden, grows, maxPageSize }) => {
    service.list.rows = [...rows];
    service.list.maxPageSize = maxPageSize;
    service.hidden.clear();
    // The first lot is asked for by its id.
    for (const at of hidden) if (at > 0) service.hidden.add(`L${at}`);
    service.list.beforePage = (page) => {
      if (grows) service.list.rows = [newLot(page), ...service.list.rows];
    };

    const { data, errors } = await service.query(
      `{ productTransaction(id: "L0") { origin(depth: ${depth}) { ${fields} } use(depth: ${depth}) { ${fields} } } }`,
    );

    expect(errors).toEqual([]);
    const { origin, use } = data.productTransaction;
    const [start] = rows as [LotRow];
    const back = lotsByHand(rows, 'L0', ({ parents }) => parents, depth);
    const young = rows.filter(({ created_on }) => Number(created_on) >= Number(start.created_on));
    const children = ({ id }: LotRow) => young.filter(({ parents }) => parents.includes(id)).map((row) => row.id);
    // A lot that is hidden is listed nevertheless, and has its parents when a page has shown it.
    if (origin.reason === null) expect(generationsOf(origin)).toEqual(back);
    if (service.hidden.size === 0) expect(origin.complete).toBe(isEnd(rows, back, ({ parents }) => parents));
    const forward = lotsByHand(rows, 'L0', children, depth);
    // Pages of a list that grows may contradict each other to the end, and the trace says so.
    if (!grows || use.complete) {
      expect(generationsOf(use)).toEqual(forward);
      expect(use.complete).toBe(isEnd(rows, forward, children));
    }
    if (!use.complete) expect(use.reason).not.toBeNull();
    for (const trace of [origin, use]) expectEdges(trace, rows);
  });
  await fc.assert(property, { numRuns: 80 });
});

interface Traced {
  lots: { transaction_id: string; depth: number; parents: string[]; children: string[] }[];
}

function generationsOf({ lots }: Traced): string[][] {
  const found: string[][] = [];
  for (const { transaction_id, depth } of lots) found[depth] = [...(found[depth] ?? []), transaction_id];
  return found.map((ids) => ids.toSorted());
}

/** No lot follows behind the last generation. */
function isEnd(rows: readonly LotRow[], generations: string[][], next: (row: LotRow) => readonly string[]): boolean {
  const seen = new Set(generations.flat());
  return rows.every((row) => !seen.has(row.id) || next(row).every((id) => seen.has(id)));
}

/** Both ends of an edge know of it, and each edge is one of the rows. */
function expectEdges({ lots }: Traced, rows: readonly LotRow[]): void {
  const byId = new Map(lots.map((lot) => [lot.transaction_id, lot]));
  for (const { transaction_id, parents, children } of lots) {
    for (const parent of parents) expect(byId.get(parent)!.children).toContain(transaction_id);
    for (const child of children) {
      expect(byId.get(child)!.parents).toContain(transaction_id);
      expect(rows.find(({ id }) => id === child)!.parents).toContain(transaction_id);
    }
  }
}

function newLot(page: number): LotRow {
  return {
    id: `NEW${page}`,
    created_on: String(1_790_001_000 + page),
    parents: [],
    source: 'S0',
    destination: 'D0',
    quantity: '1',
  };
}
