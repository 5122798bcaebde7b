import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import { type Get, nextPageShare } from './by-id.ts';
import type { CallOrigins } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { ListScan } from './lists/id-search.ts';
import type { Reference } from './references.ts';

export interface EntityKey {
  id: string;
  /** The reference of a row; undefined for an id from the client. */
  reference: Reference | undefined;
}

type ByKind = Record<'Farmer' | 'Company', Get>;

/**
 * Loads farmers and companies by ids that do not say their kind. The planner chooses between the list of farmers and a GET
 * for each possible farmer. Without the list, the gateway asks by id: the known or probable kind first, then the other.
 */
export function entityLoader(
  byKind: ByKind,
  farmers: { scan: ListScan; getMs: number },
  seen: IdentityMap,
  origins: CallOrigins,
  sizes: BatchSizes,
): Loader<EntityKey, Known> {
  const guess = ({ id, reference }: EntityKey) => seen.guessKind(id) ?? reference?.probeFirst ?? 'Farmer';
  const get = async (key: EntityKey): Promise<Known> => {
    const known = seen.get('Entity', key.id);
    if (known?.complete) return known;
    // An id that is missing from the whole list of farmers is probably a company.
    const first = seen.guessKind(key.id) ?? (farmers.scan.isWhole ? 'Company' : guess(key));
    const second = first === 'Farmer' ? 'Company' : 'Farmer';
    try {
      return await byKind[first](key.id);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      try {
        return await byKind[second](key.id);
      } catch (secondError) {
        // A 404 of one endpoint proves nothing while the other endpoint fails.
        throw secondError instanceof UpstreamError && secondError.code === 'NOT_FOUND' ? error : secondError;
      }
    }
  };
  return loadTogether(
    (keys) => {
      const guesses = keys.map(guess);
      const maybeFarmers = keys.filter((_, index) => guesses[index] === 'Farmer').map(({ id }) => id);
      // A list that fails is no loss, because the service gives each entity by id.
      const scanned = farmers.scan.seek(maybeFarmers, origins, {
        getMs: farmers.getMs,
        // Rows refer to farmers on all pages of the list.
        nextPageShare: keys.every(({ reference }) => !reference) ? nextPageShare : 0,
      });
      return keys.map((key, index) => (guesses[index] === 'Farmer' ? scanned.then(() => get(key)) : get(key)));
    },
    ({ id }) => id,
    sizes,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof UpstreamError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN');
}
