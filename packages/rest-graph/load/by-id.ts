import { codedError, type ErrorCode, madeOnce, UpstreamError } from '@gateway/base';
import type { Kind, Reference, Target } from '@gateway/contract';
import { isRow, usualNextPageShare } from '@gateway/upstream';
import { GraphQLError } from 'graphql';
import { type BatchSizes, beginInTurns, type Loader, loadTogether, readsPerTurn } from './batch.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { FieldsOf, IdSearch } from './lists/id-search.ts';
import type { Reader } from './reader.ts';

/** Reads an object by its id, once in a request. */
export type Get = (id: string) => Promise<Known>;

/** The GET of a kind. An object that an answer has shown whole needs no call. */
export function getOf(kind: Kind, reader: Reader, seen: IdentityMap, fieldsOf: FieldsOf): Get {
  const endpoint = reader.contract.getEndpoint(kind);
  const read = async (id: string): Promise<Known> => {
    const data = await reader.read(endpoint, { id }, { reason: 'by id', fields: () => fieldsOf([id]) });
    if (!isRow(data)) throw invalid(`The service answered a ${kind} without an id.`);
    if (data.id !== id && !reader.contract.isInternalNumber(id))
      throw invalid(`The service answered another ${kind} than the gateway asked for.`);
    seen.add(kind, data, true);
    return { data, complete: true };
  };
  const reads = new Map<string, Promise<Known>>();
  return (id) => {
    const known = seen.get(kind, id);
    if (known?.complete) return Promise.resolve(known);
    return madeOnce(reads, id, read);
  };
}

/** An object to load. */
export interface ObjectKey {
  id: string;
  /** The reference of a row; undefined for an id from the client. */
  reference: Reference | undefined;
}

/** How the gateway gets the objects of one kind. */
export interface KindSource {
  get: Get;
  /** The list of the kind, where there is one. */
  search?: () => IdSearch;
  /** One of so many GETs should show what it costs, whatever the planner prefers. */
  shouldMeasure?: (gets: number) => boolean;
}

/**
 * Loads the objects of a kind, or of a union, whose ids do not say their kind. The service has no batch endpoint. A batch is
 * one GET for each id, in parallel. The planner may prefer pages of a list for the ids that are probably of its kind.
 * Because lists hide rows, the gateway asks for missing objects by id afterwards: of the known or probable kind first.
 */
export function byIdLoader(
  target: Target,
  sources: ReadonlyMap<string, KindSource>,
  seen: IdentityMap,
  fieldsOf: FieldsOf,
  sizes: BatchSizes,
): Loader<ObjectKey, Known> {
  const kinds = [...sources.keys()];
  const knownKind = (id: string) => (kinds.length > 1 ? seen.guessKind(target, id) : kinds[0]);
  const guess = ({ id, reference }: ObjectKey, known = knownKind(id)) => known ?? reference?.probeFirst ?? kinds[0];
  /** The kinds of an id, in the order in which to ask for them. */
  const kindsOf = (key: ObjectKey): readonly string[] => {
    const known = knownKind(key.id);
    const first = guess(key, known);
    const inOrder = kinds.toSorted((a, b) => Number(b === first) - Number(a === first));
    if (known) return inOrder;
    // An id that is missing from the whole list of a kind is probably of another one.
    const isListed = (kind: string) => Number(sources.get(kind)?.search?.().isWhole ?? false);
    return inOrder.sort((a, b) => isListed(a) - isListed(b));
  };
  const getAny = async (key: ObjectKey): Promise<Known> => {
    const known = seen.get(target, key.id);
    if (known?.complete) return known;
    let failure: unknown;
    for (const kind of kindsOf(key)) {
      try {
        return await (sources.get(kind) as KindSource).get(key.id);
      } catch (error) {
        // A 404 of one endpoint proves nothing while another endpoint fails.
        if (failure === undefined || !isAbsent(error, 'NOT_FOUND')) failure = error;
        if (!isAbsent(error, 'NOT_FOUND', 'FORBIDDEN', 'REFERENCE_UNRESOLVED')) break;
      }
    }
    throw failure;
  };
  // An object of one kind takes no search among kinds, and a promise less.
  const only = kinds.length === 1 ? sources.get(target) : undefined;
  const get = only ? ({ id }: ObjectKey) => only.get(id) : getAny;
  return loadTogether(
    (keys) => {
      const guesses = keys.map((key) => guess(key));
      // Rows refer to the objects of a union on all pages of the lists.
      const referred = kinds.length === 1 ? usualNextPageShare : 0;
      const share = keys.some(({ reference }) => reference) ? referred : undefined;
      const scans = new Map<string | undefined, Promise<unknown>>();
      const measured = new Set<ObjectKey | undefined>();
      for (const [kind, { search, shouldMeasure }] of sources) {
        const ofKind = keys.filter((_, index) => guesses[index] === kind);
        const probable = ofKind.map(({ id }) => id);
        // One object is no reason to read a page of others.
        if (!search || probable.length < 2) continue;
        // A list that fails is no loss, because the service gives each object by id.
        scans.set(kind, search().seek(probable, fieldsOf, share));
        // Pages never show that GETs have become cheaper.
        if (shouldMeasure?.(probable.length)) measured.add(ofKind[0]);
      }
      const begin = keys.length > readsPerTurn ? beginInTurns(get) : get;
      return keys.map((key, index) => {
        const scan = scans.get(guesses[index]);
        if (!scan) return begin(key);
        const afterScan = () => scan.then(() => begin(key));
        if (!measured.has(key)) return afterScan();
        // The list may have an object that the service gives late by id, or not at all.
        return Promise.any([begin(key), afterScan()]).catch(({ errors }: AggregateError) => Promise.reject(errors[0]));
      });
    },
    sizes,
    ({ id }) => id,
  );
}

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
    if (missing.length === 0 || !search.list.usedCache) return failure;
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

const invalid = (message: string) => new UpstreamError('UPSTREAM_INVALID_RESPONSE', message);

/** `REFERENCE_UNRESOLVED`: the list of a kind without a GET lacks the object. */
function isAbsent(error: unknown, ...codes: ErrorCode[]): boolean {
  if (error instanceof UpstreamError) return codes.includes(error.code);
  return error instanceof GraphQLError && codes.includes(error.extensions.code as ErrorCode);
}
