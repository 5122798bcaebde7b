import { crc32 } from 'node:zlib';
import { isObject } from '../lib/json.ts';
import type { TiedRows } from './cursor.ts';
import { isRow } from './references.ts';

/** Rows of a page's first or last time that other pages have shown. */
export interface TieOutside extends TiedRows {
  time: number;
}

/** `created_on` as unix seconds, whatever its form. */
export function timeOf(row: unknown): number | undefined {
  return isObject(row) ? secondsOf(row.created_on) : undefined;
}

/** Undefined for what is no time. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const seconds = Number(value);
  const time = Number.isNaN(seconds) ? Date.parse(String(value)) / 1000 : seconds;
  return Number.isNaN(time) ? undefined : time;
}

/** The newest rows come first, or last where the client pages backward. */
export function isInOrder(rows: readonly unknown[], isBackward: boolean): boolean {
  let previous = isBackward ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const time = timeOf(row) ?? previous;
    if (isBackward ? time < previous : time > previous) return false;
    previous = time;
  }
  return true;
}

/**
 * The rows of one time around a row. A row that the service fails on has no time, and may change places with
 * the rows on both sides. It belongs to the ties of both.
 */
export function tieAround(rows: readonly unknown[], index: number): { begin: number; end: number } {
  const time = timeOf(rows[index]);
  const isIn = (row: unknown) => (timeOf(row) ?? time) === time;
  let [begin, end] = [index, index + 1];
  while (begin > 0 && isIn(rows[begin - 1])) begin -= 1;
  while (end < rows.length && isIn(rows[end])) end += 1;
  return { begin, end };
}

/** The digest of each row that the service fails on. */
export const failingRow = crc32('');

/** A number for the id of a row, so that a cursor can name many rows. */
export function digestOf(row: unknown): number {
  return isRow(row) ? crc32(row.id) : failingRow;
}
