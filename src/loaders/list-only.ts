import { codedError } from '../graphql/errors/codes.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import type { CallOrigins } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import { type ListOnlyKind, listEndpoint, type Target } from './kinds.ts';
import type { ListPages } from './list-pages.ts';
import { ListScan } from './list-scan.ts';

/**
 * Objects that are found in their list, or not at all. What a kept list does not hold may be younger than the list: then
 * `freshPages` are looked through as well.
 */
export function listOnlyLoader(
  kind: ListOnlyKind,
  pages: ListPages,
  freshPages: () => ListPages,
  seen: IdentityMap,
  askers: CallOrigins,
  sizes: BatchSizes,
): Loader<string, Known> {
  const endpoint = listEndpoint(kind);
  const sweep = new ListScan(endpoint, pages, seen);
  let freshSweep: ListScan | undefined;
  const seek = async (ids: readonly string[]): Promise<Error | undefined> => {
    const failure = await sweep.seek(ids, askers);
    const missing = ids.filter((id) => !seen.get(kind, id)?.complete);
    if (missing.length === 0 || !pages.usedCache(endpoint)) return failure;
    freshSweep ??= new ListScan(endpoint, freshPages(), seen);
    return freshSweep.seek(missing, askers);
  };
  return loadTogether(
    (ids) => {
      const sought = seek(ids);
      return ids.map(async (id) => {
        const failure = await sought;
        // What was found before a page failed is found all the same.
        const known = seen.get(kind, id);
        if (known?.complete) return known;
        throw failure ?? unresolved(kind, id);
      });
    },
    (id) => id,
    sizes,
  );
}

/** Not in the list, which proves nothing: it may be one of another company. */
export function unresolved(kind: Target, id: string): Error {
  return codedError('REFERENCE_UNRESOLVED', `The service shows no ${kind} of this id to this key.`, {
    reference: { type: kind, id },
  });
}
