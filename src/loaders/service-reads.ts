import type { Json } from '../lib/json.ts';
import type { ReadScope } from '../upstream/cancel-scope.ts';
import type { DialectName } from '../upstream/dialect.ts';
import type { EndpointName, ListEndpointName } from '../upstream/endpoints.ts';
import type { CallerKnowledge } from '../upstream/knowledge.ts';
import type { ListPage, Range } from '../upstream/list-page.ts';
import type { CallOrigin, Subject } from '../upstream/request.ts';
import type { ServiceCosts } from '../upstream/service-costs.ts';
import type { Choice } from './planner.ts';

export interface Read extends Subject {
  /** The service itself answers, not a cache. */
  isFresh?: boolean;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
}

/** The service as the caller of this request sees it. */
export interface ServiceReads {
  readonly costs: ServiceCosts;
  /** Calls that the operation may still make. */
  readonly callsLeft: number;
  /** The time of the operation. */
  readonly scope: ReadScope;
  /** Runs reads that leave time of the operation for the objects below their rows. */
  readInTime<T>(reads: (scope: ReadScope) => Promise<T>): Promise<T>;
  /** The knowledge of the caller. Ask before the reads that it learns from, so that it learns nothing more after a write. */
  knowledge(): CallerKnowledge;
  /** Makes a call, or joins an equal one in flight. */
  read(endpoint: EndpointName, read: Read, origin: CallOrigin): Promise<Json>;
  /** The dialect of the service. Makes a call where no answer has shown it. */
  dialect(fields: () => string[]): Promise<DialectName>;
  /** A range of a whole list from the list cache. Without the method, the service itself answers. */
  cached?(endpoint: ListEndpointName, range: Range, origin: CallOrigin): ListPage | undefined;
  /** Learns how the gateway gets a batch or a range. `endpoint`: the list, or the GET where there is no list. */
  choose?(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void;
}
