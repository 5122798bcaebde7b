import { fieldsRefused } from '@gateway/base';
import type { Endpoint, FilterCheck, ListEndpointName } from '@gateway/contract';
import { DateTime } from '@gateway/upstream';

export type Filters = Readonly<Record<string, string>>;

/** A list, as its filters leave it. */
export interface FilteredList {
  endpoint: ListEndpointName;
  filters: Filters;
}

export const noFilters: Filters = {};

/**
 * Absent filters, null, empty texts and empty lists filter nothing. Each dialect takes the times of filters in one form.
 * @throws BAD_USER_INPUT for a number whose digits are lost already, such as 1e400 or an integer beyond 2⁵³. Also for a value
 * that the service would take for several.
 */
export function filtersOf({ filterChecks }: Endpoint, args: Readonly<Record<string, unknown>>): Filters {
  const filters: Record<string, string> = {};
  for (const [name, { compares, shownBy, times = 'unix', join }] of Object.entries(filterChecks ?? {})) {
    const value = args[name];
    // A switch that is off filters nothing. An empty id is a mistake.
    const isSwitch = compares === 'adds' || (compares === 'amounts' && shownBy.length > 0);
    if (value == null || (value === false && isSwitch) || (value === '' && compares !== 'ids')) continue;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.length === 0) continue;
    if (values.some((each) => typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER)) {
      const message = 'Larger than any number that keeps its digits.';
      throw fieldsRefused('The service would get another value', [{ path: [name], message }]);
    }
    // A service that shows times without a zone takes such in its filters.
    const texts = values.map((each) => (each instanceof DateTime && times !== 'iso' ? each.in(times) : String(each)));
    if (join !== undefined && texts.some((text) => text.includes(join))) {
      const message = `Contains ${JSON.stringify(join)}, which stands between the values of this filter.`;
      throw fieldsRefused('The service would get other values', [{ path: [name], message }]);
    }
    filters[name] = texts.join(join);
  }
  return filters;
}

export function listName({ endpoint, filters }: FilteredList): string {
  return isWhole(filters) ? endpoint : JSON.stringify([endpoint, filters]);
}

/** Nothing is left out of the list, or added to it. */
export function isWhole(filters: Filters): boolean {
  for (const _ in filters) return false;
  return true;
}

export type Named = [name: string, filter: FilterCheck];

const none: readonly Named[] = [];

/** The filters that leave rows out or add some, each with how its rows are checked. Those in the path always do. */
export function filtersInUse({ filterChecks }: Endpoint, filters: Filters): readonly Named[] {
  if (!filterChecks || isWhole(filters)) return none;
  const isInUse = ([name, { inPath, reorders }]: Named) => name in filters && inPath === undefined && reorders !== true;
  return Object.entries(filterChecks).filter(isInUse);
}

/** The property that is true in the rows that a filter adds to the list. No reference leads to these rows. */
export function addedRowsShow(endpoint: Endpoint, filters: Filters): string | undefined {
  const [, filter] = filtersInUse(endpoint, filters).find(([, { compares }]) => compares === 'adds') ?? [];
  return filter?.shownBy[0];
}

/** The filters without which the list has no rows. */
export function filtersInPath({ filterChecks = {} }: Endpoint, filters: Filters): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => filterChecks[name]?.inPath !== undefined));
}

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
    if (by === true) return { by: undefined, isNewestFirst: false, movesRows: false, time: undefined };
    if (by) return { by, isNewestFirst: false, movesRows: true, time };
  }
  return { by: isNewestFirst ? time : undefined, isNewestFirst, movesRows: false, time };
}
