import { isObject } from '@gateway/base';
import type { Endpoint } from '@gateway/contract';
import type { FilteredList, Filters } from './filters.ts';

/** The order of a list's rows, by one of their times. */
export interface ListOrder {
  /** The property with that time. Undefined for an order that follows no time. */
  readonly by: string | undefined;
  readonly isNewestFirst: boolean;
  /**
   * A row that changes moves to the end, and the count of the list stays as it was. Rows of one second keep their
   * order, because the service compares microseconds. In other lists, rows of one time come in another order on each page.
   */
  readonly movesRows: boolean;
  /** The property with the time that a tie of rows shares. */
  readonly time: string | undefined;
}

export interface OrderedList extends FilteredList {
  order: ListOrder;
}

/** The order in which the service gives the rows. Some filters change it: the earliest change comes first. */
export function orderOf({ filterChecks, isNewestFirst = false, time }: Endpoint, filters: Filters): ListOrder {
  for (const name in filters) {
    const by = filterChecks?.[name]?.reorders;
    if (by) return { by, isNewestFirst: false, movesRows: true, time };
  }
  return { by: isNewestFirst ? time : undefined, isNewestFirst, movesRows: false, time };
}

/** The time in a property of a row as unix seconds, whatever its form. */
export function timeIn(property: string | undefined, row: unknown): number | undefined {
  return property !== undefined && isObject(row) ? secondsOf(row[property]) : undefined;
}

/** Undefined for what is no time. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const seconds = Number(value);
  const time = Number.isNaN(seconds) ? Date.parse(String(value)) / 1000 : seconds;
  return Number.isNaN(time) ? undefined : time;
}

/** Rows of times that follow each other, the latest first or last. Rows that the service fails on have no time. */
export function areSorted(times: readonly (number | undefined)[], isDescending: boolean): boolean {
  let previous = isDescending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time === undefined) continue;
    if (isDescending ? time > previous : time < previous) return false;
    previous = time;
  }
  return true;
}
