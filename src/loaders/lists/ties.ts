import { crc32 } from 'node:zlib';
import { UpstreamError } from '../../upstream/errors.ts';
import { isRow } from '../references.ts';
import type { TiedRows } from './cursor.ts';
import { type ListOrder, timeIn } from './order.ts';

/** Rows of a page's first or last time that other pages have shown. */
export interface TieOutside extends TiedRows {
  time: number;
}

/**
 * The rows of one time around a row. A row that the service fails on has no time, and may change places with
 * the rows on both sides. It belongs to the ties of both.
 */
export function tieAround(rows: readonly unknown[], index: number, order: ListOrder): { begin: number; end: number } {
  const time = timeIn(order, rows[index]);
  const isIn = (row: unknown) => (timeIn(order, row) ?? time) === time;
  let [begin, end] = [index, index + 1];
  while (begin > 0 && isIn(rows[begin - 1])) begin -= 1;
  while (end < rows.length && isIn(rows[end])) end += 1;
  return { begin, end };
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
