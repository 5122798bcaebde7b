import { endpoints } from '../upstream/endpoints.ts';
import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import type { CallOrigins } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import { type ByIdKind, getEndpoint, type ListedKind, listEndpoint } from './kinds.ts';
import type { ListScan, ScanCost } from './list-scan.ts';
import { isInternalNumber, isRow } from './references.ts';
import type { ServiceReads } from './service-reads.ts';

/** The gateway scans no longer list for a kind with a GET by id. Thousands of rows cost more than the calls they save. */
export const maxPages = 10;

/**
 * Cost of finding objects in their list instead of by id. Calls count first: the gateway reads pages while fewer pages are
 * left than objects are missing. Rows count second: for the same number of calls the gateway takes the GETs.
 */
export function cheaperThanGets(kind: ListedKind): ScanCost {
  return {
    maxCalls: (missing, guess = 0) => ({
      known: Math.min(missing - 1, maxPages),
      unknown: missing > supposedPages(kind) && guess <= maxPages ? 1 : 0,
    }),
    // Lists of transactions are newest first, and transactions that refer to each other are about as old. Ids that a
    // client sends come mostly from one page.
    firstAlone: true,
  };
}

/** Fewest pages that the gateway supposes in a list of unknown length. A page of a list that turns out long is wasted. */
function supposedPages(kind: ListedKind): number {
  return endpoints[listEndpoint(kind)].cost?.supposedPages ?? 3;
}

/**
 * Loads objects by id. The service has no batch endpoint. A batch is one GET for each id, in parallel, or pages of the
 * list if those are fewer calls. Because lists hide rows, the gateway reads missing objects by id afterwards.
 */
export function byIdLoader(
  kind: ByIdKind,
  service: ServiceReads,
  seen: IdentityMap,
  origins: CallOrigins,
  sizes: BatchSizes,
  list?: { scan: ListScan; cost: ScanCost },
): Loader<string, Known> {
  const get = async (id: string): Promise<Known> => {
    const known = seen.get(kind, id);
    if (known?.complete) return known;
    const data = await service.read(getEndpoint(kind), { id }, { reason: 'by id', fields: () => origins.of([id]) });
    if (!isRow(data)) {
      throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', `The service answered a ${kind} without an id.`);
    }
    if (data.id !== id && !isInternalNumber(id)) {
      throw new UpstreamError(
        'UPSTREAM_INVALID_RESPONSE',
        `The service answered another ${kind} than the gateway asked for.`,
      );
    }
    seen.add(kind, data, true);
    return { data, complete: true };
  };
  return loadTogether(
    (ids) => {
      if (!list) return ids.map(get);
      // A list that fails is no loss, because the service gives each of its objects by id.
      const scanned = list.scan.seek(ids, origins, list.cost);
      return ids.map((id) => scanned.then(() => get(id)));
    },
    (id) => id,
    sizes,
  );
}
