import type { Json } from '../lib/json.ts';
import type { ReadScope } from '../upstream/cancel-scope.ts';
import type { DialectName } from '../upstream/dialect.ts';
import type { EndpointName, ListEndpointName } from '../upstream/endpoints.ts';
import type { FailingRows } from '../upstream/failing-rows.ts';
import type { FilterSupport } from '../upstream/filter-support.ts';
import type { ListPage, Range } from '../upstream/list-page.ts';
import type { ListShifts } from '../upstream/list-shifts.ts';
import type { CallerMisses } from '../upstream/missing-objects.ts';
import type { CallOrigin, Subject } from '../upstream/request.ts';
import type { ServiceCosts } from '../upstream/service-costs.ts';
import type { Choice } from './planner.ts';
import type { RowsList } from './rows-request.ts';

export interface Read extends Subject {
  /** The service itself answers, not a cache. */
  isFresh?: boolean;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
}

/** The service as the caller of this request sees it. */
export interface ServiceReads {
  readonly costs: ServiceCosts;
  readonly shifts: ListShifts;
  readonly filterSupport: FilterSupport;
  /** Calls that the operation may still make. */
  readonly callsLeft: number;
  /** The time of the operation. */
  readonly scope: ReadScope;
  /** Runs reads that leave time of the operation for the objects below their rows. */
  readInTime<T>(reads: (scope: ReadScope) => Promise<T>): Promise<T>;
  /** The service is known to lack an endpoint, which not every service has. */
  lacks(endpoint: EndpointName): boolean;
  /** Makes a call, or joins an equal one in flight. */
  read(endpoint: EndpointName, read: Read, origin: CallOrigin): Promise<Json>;
  /** The dialect of the service. Makes a call where no answer has shown it. */
  dialect(fields: () => string[]): Promise<DialectName>;
  /** A range of a whole list from the list cache. Without the method, the service itself answers. */
  cached?(endpoint: ListEndpointName, range: Range, origin: CallOrigin): ListPage | undefined;
  /** Rows of the largest page that the service gives of a list. */
  pageSizeOf(endpoint: ListEndpointName, most?: number): number;
  /** Rows of a list in an earlier request of the caller. */
  lengthOf(endpoint: ListEndpointName): number | undefined;
  /** Rows that a list may have, by requests of other callers. Two calls may differ. */
  guessLength(endpoint: ListEndpointName): number | undefined;
  /** Objects that the service does not give by their ids. Call before the reads whose misses it learns. */
  missingObjects(): CallerMisses;
  /** Rows of the list that the service failed on a while ago; `not found` after a search for them in vain. */
  failingRows(list: RowsList): FailingRows | 'not found' | undefined;
  learnFailingRows(list: RowsList, rows: FailingRows | 'not found'): void;
  /** Learns how the gateway gets a batch or a range. `endpoint`: the list, or the GET where there is no list. */
  choose?(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void;
}
