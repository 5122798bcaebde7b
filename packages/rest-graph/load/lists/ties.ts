import { crc32 } from 'node:zlib';
import { isRow, type Range } from '@gateway/upstream';
import type { TiedRows } from './cursor.ts';
import { timeIn } from './order.ts';

/*
 * A tie is the rows of one time, which the service gives in another order on each page. A row that the service fails on
 * has no time, and may change places with the rows on both sides. It belongs to the ties of both.
 */

/** Rows of a page's first or last time that other pages have shown. */
export interface TieOutside extends TiedRows {
  time: number;
}

/** Rows of one time. */
export interface Tie extends Range {
  time: number;
}

/** The tie of a row. `property`: has the time. Rows beside it without a time, such as those that the service fails on, may belong to it. */
export function tieOf(rows: readonly unknown[], index: number, property: string | undefined): Range {
  const time = timeIn(property, rows[index]);
  const isIn = (at: number) => at in rows && (timeIn(property, rows[at]) ?? time) === time;
  let [offset, end] = [index, index + 1];
  while (isIn(offset - 1)) offset -= 1;
  while (isIn(end)) end += 1;
  return { offset, limit: end - offset };
}

/** The tie that holds two rows. Undefined if a row between them has another time. */
export function tieOfBoth(
  rows: readonly unknown[],
  [first, second]: readonly [number, number],
  property: string | undefined,
): Tie | undefined {
  const time = timeIn(property, rows[first]);
  if (time === undefined) return undefined;
  const tie = tieOf(rows, first, property);
  return tie.offset + tie.limit > second ? { ...tie, time } : undefined;
}

/** The two places of each row that comes twice. */
export function twinsIn(rows: readonly unknown[]): [first: number, second: number][] {
  const twins: [number, number][] = [];
  const places = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    if (!isRow(row)) continue;
    const first = places.get(row.id);
    if (first === undefined) places.set(row.id, at);
    else twins.push([first, at]);
  }
  return twins;
}

/** Puts candidates that are not seen where a row is missing. Returns whether none is missing any more. */
export function fill(
  rows: unknown[],
  { offset, limit }: Range,
  candidates: readonly unknown[],
  seen: Set<string>,
): boolean {
  const spare = candidates.filter(isRow);
  for (let at = Math.max(0, offset); at < Math.min(rows.length, offset + limit); at += 1) {
    if (rows[at] !== undefined) continue;
    const row = spare.find(({ id }) => !seen.has(id));
    if (!row) return false;
    rows[at] = row;
    seen.add(row.id);
  }
  return true;
}

export function idsIn(rows: readonly unknown[]): Set<string> {
  return new Set(rows.filter(isRow).map(({ id }) => id));
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

/** The digest of each row that the service fails on. */
export const failingRow = crc32('');
/** That of each row that no page has shown, because another one came twice. */
const hiddenRow = crc32('hidden row');

/** A number for the id of a row, so that a cursor can name many rows. */
export function digestOf(row: unknown): number {
  if (isRow(row)) return crc32(row.id);
  return row === undefined ? hiddenRow : failingRow;
}
