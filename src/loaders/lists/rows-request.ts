import type { ListEndpointName } from '../../upstream/endpoints.ts';
import type { Range } from '../../upstream/list-page.ts';
import type { CallOrigin } from '../../upstream/request.ts';
import type { ReadScope } from '../../upstream/scope.ts';

export type Filters = Readonly<Record<string, string>>;

/** A range of a list; its count alone with a limit of 0. */
export interface RowsRequest extends Range {
  endpoint: ListEndpointName;
  filters: Filters;
  /** The rows refer to objects that the operation loads by id. */
  hasReferences?: boolean;
  /** All rows are of one state of the list, where the service gives pages so large. */
  isOnePage?: boolean | undefined;
  /** The service itself answers, after the pages that have come. */
  isFresh?: boolean;
  origin: CallOrigin;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
}

export type RowsList = Pick<RowsRequest, 'endpoint' | 'filters' | 'scope'>;

export function listName({ endpoint, filters }: RowsList): string {
  return isWhole(filters) ? endpoint : JSON.stringify([endpoint, filters]);
}

/** Nothing is left out of the list. */
export function isWhole(filters: Filters): boolean {
  for (const _ in filters) return false;
  return true;
}
