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

/** The index after the last row that has the time of the row at `begin`. */
export function endOfTie(rows: readonly unknown[], begin: number): number {
  const time = timeOf(rows[begin]);
  let end = begin + 1;
  while (time !== undefined && end < rows.length && timeOf(rows[end]) === time) end += 1;
  return end;
}

/** A number for the id of a row, so that a cursor can name many rows. */
export function digestOf(row: unknown): number {
  return crc32(isRow(row) ? row.id : '');
}
