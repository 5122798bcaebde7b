import { isObject } from '@gateway/base';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { FilteredList, Filters } from './filters.ts';

/** The order of a list's rows, by one of their times. */
export interface ListOrder {
  /** Undefined for an order that follows no time. */
  readonly by: 'created_on' | 'updated_on' | undefined;
  readonly isNewestFirst: boolean;
  /**
   * A row that changes moves to the end, and the count of the list stays as it was. Rows of one second keep their
   * order, because the service compares microseconds. In other lists, rows of one time come in another order on each page.
   */
  readonly movesRows: boolean;
}

export interface OrderedList extends FilteredList {
  order: ListOrder;
}

export const newestFirst: ListOrder = { by: 'created_on', isNewestFirst: true, movesRows: false };
const earliestChangeFirst: ListOrder = { by: 'updated_on', isNewestFirst: false, movesRows: true };
const unknownOrder: ListOrder = { by: undefined, isNewestFirst: false, movesRows: false };

/** The order in which the service gives the rows. Some filters change it. */
export function orderOf({ filterChecks, isNewestFirst }: Endpoint, filters: Filters): ListOrder {
  const isReordered = filterChecks && Object.keys(filters).some((name) => filterChecks[name]?.reorders);
  return isReordered ? earliestChangeFirst : isNewestFirst ? newestFirst : unknownOrder;
}

/** The time by which the list is in order, as unix seconds, whatever its form. */
export function timeIn({ by }: ListOrder, row: unknown): number | undefined {
  return by !== undefined && isObject(row) ? secondsOf(row[by]) : undefined;
}

/** The time by which most lists are in order, as unix seconds. */
export function timeOf(row: unknown): number | undefined {
  return timeIn(newestFirst, row);
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
