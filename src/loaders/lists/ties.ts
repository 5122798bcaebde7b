import { crc32 } from 'node:zlib';
import { UpstreamError } from '../../upstream/errors.ts';
import type { Range } from '../../upstream/list-page.ts';
import { isRow } from '../references.ts';
import type { TiedRows } from './cursor.ts';
import { type ListOrder, timeIn, timeOf } from './order.ts';

/*
 * A tie is the rows of one time, which the service gives in another order on each page. A row that the service fails on
 * has no time, and may change places with the rows on both sides. It belongs to the ties of both.
 */

/** Rows of a page's first or last time that other pages have shown. */
export interface TieOutside extends TiedRows {
  time: number;
}

/** Rows of one time. Pages show some of them twice, and thus others not at all. */
export interface DoubledTie extends Range {
  time: number;
  /** Places whose row stands at another place too. */
  doubled: number[];
}

/** Places around one of them, as long as each is of the tie. */
function tieAround(place: number, isIn: (place: number) => boolean): Range {
  let [offset, end] = [place, place + 1];
  while (isIn(offset - 1)) offset -= 1;
  while (isIn(end)) end += 1;
  return { offset, limit: end - offset };
}

/** The tie of a row among those of a page, with the rows that the service fails on. */
export function tieOf(rows: readonly unknown[], index: number, order: ListOrder): Range {
  const time = timeIn(order, rows[index]);
  return tieAround(index, (at) => at in rows && (timeIn(order, rows[at]) ?? time) === time);
}

/** The tie that holds two rows. Undefined if a row between them has another time. */
export function tieOfBoth(rows: readonly unknown[], first: number, second: number): Range | undefined {
  const time = timeOf(rows[first]);
  if (time === undefined) return undefined;
  const tie = tieAround(first, (at) => timeOf(rows[at]) === time);
  return tie.offset + tie.limit > second ? tie : undefined;
}

/** The ties of rows that stand at two places, by their places in the list. */
export function doubledTies(rows: ReadonlyMap<number, unknown>, failing: ReadonlySet<number>): DoubledTie[] {
  const ties = new Map<number, DoubledTie>();
  const seen = new Set<string>();
  for (const [place, row] of [...rows].toSorted(([a], [b]) => a - b)) {
    if (!isRow(row)) continue;
    const time = timeOf(row);
    if (seen.has(row.id) && time !== undefined) {
      const range = tieAround(place, (at) => failing.has(at) || timeOf(rows.get(at)) === time);
      const tie = ties.get(range.offset) ?? { ...range, time, doubled: [] };
      tie.doubled.push(place);
      ties.set(range.offset, tie);
    }
    seen.add(row.id);
  }
  return [...ties.values()];
}

/** Ranges that show rows of a tie: first all of them, then halves, each time in another order. */
export function rangesOf({ offset, limit }: Range, round: number): Range[] {
  if (round === 0) return [{ offset, limit }];
  const start = Math.max(0, offset - round);
  const middle = offset + Math.ceil(limit / 2);
  return [
    { offset: start, limit: middle - start },
    { offset: middle, limit: offset + limit + round - middle },
  ];
}

/** Puts rows that no page has shown where a row is doubled. */
export function fillTies(rows: Map<number, unknown>, ties: readonly DoubledTie[], shown: readonly unknown[]): void {
  const seen = new Set([...rows.values()].filter(isRow).map(({ id }) => id));
  for (const row of shown) {
    if (!isRow(row) || seen.has(row.id)) continue;
    const place = ties.find(({ time }) => time === timeOf(row))?.doubled.shift();
    if (place === undefined) continue;
    rows.set(place, row);
    seen.add(row.id);
  }
}

/** Places where the service failed, each after another one that may be of the same tie. */
export function maybeFailing(rows: ReadonlyMap<number, unknown>, failing: ReadonlySet<number>): Set<number> {
  const places = [...failing].filter((place) => {
    const time = timeOf(rows.get(place - 1));
    const isIn = (at: number) => failing.has(at) || (rows.has(at) && timeOf(rows.get(at)) === time);
    const { offset } = tieAround(place, isIn);
    return [...failing].some((other) => other >= offset && other < place);
  });
  return new Set(places);
}

/** Stands at the place of a row that the service gives elsewhere. No page has shown the row that belongs here. */
export class HiddenRow extends UpstreamError {}

/** The digest of each row that the service fails on. */
export const failingRow = crc32('');
const hiddenRow = crc32('hidden row');

/** A number for the id of a row, so that a cursor can name many rows. */
export function digestOf(row: unknown): number {
  if (isRow(row)) return crc32(row.id);
  return row instanceof HiddenRow ? hiddenRow : failingRow;
}
