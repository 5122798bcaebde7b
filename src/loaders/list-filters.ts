import { DateTime } from '../upstream/date-time.ts';
import { endpoints, type ListEndpointName } from '../upstream/endpoints.ts';
import type { Filters } from './rows-request.ts';

/** Fields of a connection that show its rows. All others follow from its count. */
export const rowFields: ReadonlySet<string> = new Set(['results', 'edges']);

/** Absent filters, null and empty texts filter nothing. Time filters are unix seconds in every dialect. */
export function filtersOf(endpoint: ListEndpointName, args: Readonly<Record<string, unknown>>): Filters {
  const filters: Record<string, string> = {};
  const { filterChecks } = endpoints[endpoint];
  for (const name in filterChecks) {
    const value = args[name];
    if (value === undefined || value === null || value === false) continue;
    // An empty id is a mistake.
    if (value === '' && filterChecks[name]?.compares !== 'ids') continue;
    filters[name] = value instanceof DateTime ? value.in('unix') : String(value);
  }
  return filters;
}

/** The rows are in order of `created_on`. Some filters change the order. */
export function isNewestFirst(endpoint: ListEndpointName, filters: Filters): boolean {
  return (endpoints[endpoint].isNewestFirst ?? false) && !movesRows(endpoint, filters);
}

/** The filters order the rows by their last changes. A row that changes moves, and the count of the list stays as it was. */
export function movesRows(endpoint: ListEndpointName, filters: Filters): boolean {
  const { filterChecks } = endpoints[endpoint];
  return filterChecks !== undefined && Object.keys(filters).some((name) => filterChecks[name]?.reorders);
}
