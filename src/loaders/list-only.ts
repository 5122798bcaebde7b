import { codedError } from '../graphql/errors/codes.ts';
import type { Distribution } from '../lib/distribution.ts';
import type { ListOperation } from '../upstream/endpoints.ts';
import { type Loader, loadTogether } from './batch.ts';
import type { Askers } from './call-origins.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { Pages } from './list-pages.ts';
import { Sweep } from './list-scan.ts';
import type { Target } from './references.ts';

/** Kinds that the service gives only as rows of a list. */
const operations = {
  EntityCard: 'listEntityCards',
  Card: 'listCards',
  Product: 'listProducts',
  Currency: 'listCurrencies',
} as const satisfies Partial<Record<Target, ListOperation>>;

export type ListOnlyKind = keyof typeof operations;

export function isListOnly(target: Target): target is ListOnlyKind {
  return target in operations;
}

/**
 * Objects that are found in their list, or not at all. What a kept list does not hold may be younger than the list: then
 * `freshPages` are looked through as well.
 */
export function listOnlyLoader(
  kind: ListOnlyKind,
  pages: Pages,
  freshPages: () => Pages,
  seen: IdentityMap,
  askers: Askers,
  sizes: Distribution,
): Loader<string, Known> {
  const operation = operations[kind];
  const sweep = new Sweep(operation, pages, seen);
  let freshSweep: Sweep | undefined;
  const seek = async (ids: readonly string[]): Promise<Error | undefined> => {
    const failure = await sweep.seek(ids, askers);
    const missing = ids.filter((id) => !seen.get(kind, id)?.complete);
    if (missing.length === 0 || !pages.holdsKept(operation)) return failure;
    freshSweep ??= new Sweep(operation, freshPages(), seen);
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
