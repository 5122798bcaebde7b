import { DateTime } from '../../upstream/date-time.ts';
import type { Endpoint } from '../../upstream/endpoints.ts';
import { earliestChangeFirst, type ListOrder, newestFirst, unknownOrder } from './order.ts';
import type { Filters } from './rows-request.ts';

/** Fields of a connection that show its rows. All others follow from its count. */
export const rowFields: ReadonlySet<string> = new Set(['results', 'edges']);

/** Absent filters, null and empty texts filter nothing. Time filters are unix seconds in every dialect. */
export function filtersOf({ filterChecks }: Endpoint, args: Readonly<Record<string, unknown>>): Filters {
  const filters: Record<string, string> = {};
  for (const name in filterChecks) {
    const value = args[name];
    if (value === undefined || value === null || value === false) continue;
    // An empty id is a mistake.
    if (value === '' && filterChecks[name]?.compares !== 'ids') continue;
    filters[name] = value instanceof DateTime ? value.in('unix') : String(value);
  }
  return filters;
}

/** The order in which the service gives the rows. Some filters change it. */
export function orderOf({ filterChecks, isNewestFirst }: Endpoint, filters: Filters): ListOrder {
  const isReordered = filterChecks && Object.keys(filters).some((name) => filterChecks[name]?.reorders);
  return isReordered ? earliestChangeFirst : isNewestFirst ? newestFirst : unknownOrder;
}
