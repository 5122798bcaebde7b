import { codedError } from '@gateway/base';
import type { Kind, Target } from '@gateway/contract';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import type { FieldsOf } from './by-id.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { IdSearch } from './lists/id-search.ts';

/**
 * Loads objects of kinds without a GET by id from their list. An object that a cached list lacks may be younger than the
 * cache. The gateway then scans the list of the service too.
 */
export function listOnlyLoader(
  kind: Kind,
  search: IdSearch,
  newUncached: () => IdSearch,
  seen: IdentityMap,
  fieldsOf: FieldsOf,
  sizes: BatchSizes,
): Loader<string, Known> {
  let uncached: IdSearch | undefined;
  const seek = async (ids: readonly string[]): Promise<Error | undefined> => {
    const failure = await search.seek(ids, fieldsOf);
    const missing = ids.filter((id) => !seen.get(kind, id)?.complete);
    if (missing.length === 0 || !search.usedCache) return failure;
    uncached ??= newUncached();
    return uncached.seek(missing, fieldsOf);
  };
  return loadTogether((ids) => {
    const sought = seek(ids);
    return ids.map(async (id) => {
      const failure = await sought;
      // Pages before the failed one may contain the object.
      const known = seen.get(kind, id);
      if (known?.complete) return known;
      throw failure ?? unresolved(kind, id, (uncached ?? search).isInDoubt);
    });
  }, sizes);
}

/**
 * The list lacks the object, which proves nothing: the caller may see another part of the list than its owner. `isInDoubt`: the gateway has not
 * seen all rows of the list.
 */
export function unresolved(kind: Target, id: string, isInDoubt = false): Error {
  const message = isInDoubt
    ? `The list that may hold this ${kind} changed while the gateway read it. Ask again.`
    : `The service shows no ${kind} of this id to this key.`;
  return codedError('REFERENCE_UNRESOLVED', message, { reference: { type: kind, id } });
}
