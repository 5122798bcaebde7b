import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import { cheaperThanGets } from './by-id.ts';
import type { CallOrigins } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { ListScan } from './list-scan.ts';
import type { Reference } from './references.ts';

export interface EntityKey {
  id: string;
  /** Of a row; absent where a client names the id. */
  reference: Reference | undefined;
}

type ByKind = Record<'Farmer' | 'Company', Loader<string, Known>>;

/**
 * Farmers and companies by ids that do not say which: as rows of the list of farmers where that takes fewer calls than a
 * GET for each that is or may be one; otherwise by id, the known or likelier kind first, then the other one.
 */
export function entityLoader(
  byKind: ByKind,
  farmers: ListScan,
  seen: IdentityMap,
  askers: CallOrigins,
  sizes: BatchSizes,
): Loader<EntityKey, Known> {
  const guess = ({ id, reference }: EntityKey) => seen.kindOf(id) ?? reference?.probeFirst ?? 'Farmer';
  const get = async (key: EntityKey): Promise<Known> => {
    const known = seen.get('Entity', key.id);
    if (known?.complete) return known;
    // What the whole list of farmers does not hold is more likely a company.
    const first = seen.kindOf(key.id) ?? (farmers.isWhole ? 'Company' : guess(key));
    const second = first === 'Farmer' ? 'Company' : 'Farmer';
    try {
      return await byKind[first].load(key.id);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      try {
        return await byKind[second].load(key.id);
      } catch (secondError) {
        // Not found at one endpoint proves nothing while the other one refuses to say.
        throw secondError instanceof UpstreamError && secondError.code === 'NOT_FOUND' ? error : secondError;
      }
    }
  };
  return loadTogether(
    (keys) => {
      const maybeFarmers = keys.filter((key) => guess(key) === 'Farmer').map(({ id }) => id);
      // A list that cannot be read is no loss: every entity can be asked for by id.
      const cost = cheaperThanGets('Farmer');
      // Rows refer to farmers all over their list.
      const firstAlone = cost.firstAlone && keys.every(({ reference }) => !reference);
      const swept = farmers.seek(maybeFarmers, askers, { ...cost, firstAlone });
      return keys.map((key) => (guess(key) === 'Farmer' ? swept.then(() => get(key)) : get(key)));
    },
    ({ id }) => id,
    sizes,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof UpstreamError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN');
}
