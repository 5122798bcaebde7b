import type { Union } from '../contract/contract.ts';
import type { Reference } from '../contract/reference.ts';
import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import { type FieldsOf, type Get, nextPageShare } from './by-id.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { IdSearch } from './lists/id-search.ts';

export interface UnionKey {
  id: string;
  /** The reference of a row; undefined for an id from the client. */
  reference: Reference | undefined;
}

/** How the gateway gets the objects of one kind of a union. */
export interface KindSource {
  get: Get;
  /** The list of the kind, where there is one, and the milliseconds of a GET in its place. */
  list: { search: IdSearch; getMs: number } | undefined;
}

/**
 * Loads objects by ids that do not say their kind. The planner chooses between the list of a kind and GETs for the ids that
 * are probably of the kind. The gateway asks for the other ids by id: the known or probable kind first, then the others.
 */
export function unionLoader(
  { name, kinds }: Union,
  sources: ReadonlyMap<string, KindSource>,
  seen: IdentityMap,
  fieldsOf: FieldsOf,
  sizes: BatchSizes,
): Loader<UnionKey, Known> {
  const guess = ({ id, reference }: UnionKey) => seen.guessKind(id) ?? reference?.probeFirst ?? kinds[0];
  /** The kinds of an id, in the order in which to ask for them. */
  const kindsOf = (key: UnionKey): readonly string[] => {
    const first = guess(key);
    const inOrder = [...kinds].sort((a, b) => Number(b === first) - Number(a === first));
    if (seen.guessKind(key.id)) return inOrder;
    // An id that is missing from the whole list of a kind is probably of another one.
    const isListed = (kind: string) => Number(sources.get(kind)?.list?.search.isWhole ?? false);
    return inOrder.sort((a, b) => isListed(a) - isListed(b));
  };
  const get = async (key: UnionKey): Promise<Known> => {
    const known = seen.get(name, key.id);
    if (known?.complete) return known;
    let failure: unknown;
    for (const kind of kindsOf(key)) {
      try {
        return await (sources.get(kind) as KindSource).get(key.id);
      } catch (error) {
        // A 404 of one endpoint proves nothing while another endpoint fails.
        const isNotFound = error instanceof UpstreamError && error.code === 'NOT_FOUND';
        if (failure === undefined || !isNotFound) failure = error;
        if (!isAbsent(error)) break;
      }
    }
    throw failure;
  };
  return loadTogether(
    (keys) => {
      const guesses = keys.map(guess);
      const scans = new Map<string | undefined, Promise<unknown>>();
      for (const [kind, { list }] of sources) {
        const probable = keys.filter((_, index) => guesses[index] === kind).map(({ id }) => id);
        // A list that fails is no loss, because the service gives each object by id.
        const scanned = list?.search.seek(probable, fieldsOf, {
          getMs: list.getMs,
          // Rows refer to objects on all pages of the list.
          nextPageShare: keys.every(({ reference }) => !reference) ? nextPageShare : 0,
        });
        if (scanned) scans.set(kind, scanned);
      }
      return keys.map((key, index) => scans.get(guesses[index])?.then(() => get(key)) ?? get(key));
    },
    sizes,
    ({ id }) => id,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof UpstreamError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN');
}
