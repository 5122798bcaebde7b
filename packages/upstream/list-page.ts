import { isObject, type Json, type UpstreamError } from '@gateway/base';

/** Rows of a page. A row can cost a service 12 ms, so the gateway reads the pages of a list in parallel. */
export const pageSize = 100;

/** Rows `offset` to `offset + limit` of a list. */
export interface Range {
  offset: number;
  limit: number;
}

/** The pages of a range. The last one ends at `end`, because the list may have grown. */
export function pagesIn({ offset, limit }: Range, size: number, end = offset + limit): Range[] {
  const pages: Range[] = [];
  for (let at = offset; at < offset + limit; at += size) pages.push({ offset: at, limit: Math.min(size, end - at) });
  return pages;
}

export interface ListPage {
  /** Rows of the whole list. */
  count: number;
  /**
   * As the service sent them. Rows without an id stay, and so do errors of rows that failed, so that positions hold. Missing
   * rows are undefined.
   */
  rows: unknown[];
  /** Positions in the list of rows that are missing or may have gone, because pages did not fit together. */
  doubts?: readonly number[];
  /** The error of the rows after these, which did not come in time. */
  cut?: UpstreamError | undefined;
}

/** Undefined for an answer that is no page of a list. The graph shows the count as an `Int`. */
export function listPageOf({ count, results }: Json): ListPage | undefined {
  const isInt = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 2 ** 31;
  return isInt && Array.isArray(results) ? { count, rows: results } : undefined;
}

/** An object of the service. */
export type Row = Json & { id: string };

/** The value is an object with an id. A row without an id is no resource. */
export function isRow(value: unknown): value is Row {
  return isObject(value) && typeof value.id === 'string' && value.id !== '';
}

/** A row is there twice, because rows have shifted between the reads of two pages. Another row may be missing. */
export function hasTwins(rows: readonly unknown[]): boolean {
  const whole = rows.filter(isObject).filter(({ id }) => id !== undefined);
  return new Set(whole.map(({ id }) => id)).size < whole.length;
}
