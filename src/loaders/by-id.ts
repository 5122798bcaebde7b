import type { Json } from '../lib/json.ts';
import { type EndpointName, endpoints, type ListEndpointName } from '../upstream/endpoints.ts';
import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import type { CallOrigin, CallOrigins } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import { type ByIdKind, getEndpoint, type ListedKind, listEndpoint } from './kinds.ts';
import type { ListScan, ScanCost } from './list-scan.ts';
import { isRow } from './references.ts';

export interface Read {
  id?: string;
  query?: Readonly<Record<string, string | number>>;
  /** The service itself is to answer: not what was kept of an earlier answer. */
  isFresh?: boolean;
}

/** The service as the caller of this request sees it. */
export interface ServiceReads {
  /** One call, or an equal one that is under way. */
  read(endpoint: EndpointName, read: Read, origin: CallOrigin): Promise<Json>;
  /** How long a list was in an earlier request. */
  lengthOf(endpoint: ListEndpointName): number | undefined;
  /** How long a list may be of which no earlier request has told; the next answer may be another one. */
  guessLength(endpoint: ListEndpointName): number | undefined;
}

/** Longer lists are not looked through for what can be had by id: thousands of rows cost more than the calls they save. */
export const maxPages = 10;

/**
 * The cost model of references that can be had both ways: calls first, so pages are read only while there are fewer of
 * them left than objects missing; then rows, so of two ways with as many calls the GETs are taken.
 */
export function cheaperThanGets(kind: ListedKind): ScanCost {
  return {
    maxCalls: (missing, guess = 0) => ({
      known: Math.min(missing - 1, maxPages),
      unknown: missing > supposedPages(kind) && guess <= maxPages ? 1 : 0,
    }),
    // Lists of transactions are newest first, and what refers to each other is about as old; ids that a client has are
    // mostly out of one page of its own.
    firstAlone: true,
  };
}

/**
 * How many pages a list of unknown length is taken for, at least. A page that only tells that the list is long is a call
 * lost, and a hundred product transactions cost the real service two seconds, farmers less than one.
 */
function supposedPages(kind: ListedKind): number {
  return endpoints[listEndpoint(kind)].cost?.supposedPages ?? 3;
}

/**
 * The service has no batch endpoint: a batch is one GET for each distinct id, all in parallel, or pages of the list where
 * that takes fewer calls. What the list does not hold is asked for by id all the same: lists hide rows.
 */
export function byIdLoader(
  kind: ByIdKind,
  service: ServiceReads,
  seen: IdentityMap,
  askers: CallOrigins,
  sizes: BatchSizes,
  list?: { sweep: ListScan; cost: ScanCost },
): Loader<string, Known> {
  const get = async (id: string): Promise<Known> => {
    const known = seen.get(kind, id);
    if (known?.complete) return known;
    const data = await service.read(getEndpoint(kind), { id }, { reason: 'by id', fields: () => askers.of([id]) });
    if (!isRow(data)) {
      throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', `The service answered a ${kind} without an id.`);
    }
    seen.add(kind, data, true);
    return { data, complete: true };
  };
  return loadTogether(
    (ids) => {
      if (!list) return ids.map(get);
      // A list that cannot be read is no loss: everything in it can be asked for by id.
      const swept = list.sweep.seek(ids, askers, list.cost);
      return ids.map((id) => swept.then(() => get(id)));
    },
    (id) => id,
    sizes,
  );
}
