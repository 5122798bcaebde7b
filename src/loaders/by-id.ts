import type { Kind } from '../contract/kind.ts';
import { UpstreamError } from '../upstream/errors.ts';
import { type BatchSizes, type Loader, loadTogether } from './batch.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import type { IdSearch } from './lists/id-search.ts';
import type { Reader } from './reader.ts';
import { isInternalNumber, isRow } from './references.ts';

/**
 * Most lists are newest first, and objects that refer to each other are about as old. Ids that a client sends come mostly
 * from one page.
 */
export const nextPageShare = 0.5;

/** The fields of the operation that need the objects of these ids, so that the trace can explain each call. */
export type FieldsOf = (ids: readonly string[]) => string[];

/** Reads an object by its id, once in a request. */
export type Get = (id: string) => Promise<Known>;

/** The GET of a kind. An object that an answer has shown whole needs no call. */
export function getOf(kind: Kind, reader: Reader, seen: IdentityMap, fieldsOf: FieldsOf): Get {
  const endpoint = reader.contract.getEndpoint(kind);
  const read = async (id: string): Promise<Known> => {
    const data = await reader.read(endpoint, { id }, { reason: 'by id', fields: () => fieldsOf([id]) });
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
  const reads = new Map<string, Promise<Known>>();
  return (id) => {
    const known = seen.get(kind, id);
    if (known?.complete) return Promise.resolve(known);
    const answer = reads.get(id) ?? read(id);
    reads.set(id, answer);
    return answer;
  };
}

/**
 * Loads objects by id. The service has no batch endpoint. A batch is one GET for each id, in parallel, or pages of the
 * list if the planner prefers those. Because lists hide rows, the gateway reads missing objects by id afterwards.
 */
export function byIdLoader(
  get: Get,
  fieldsOf: FieldsOf,
  sizes: BatchSizes,
  list?: () => { search: IdSearch; getMs: number },
): Loader<string, Known> {
  return loadTogether((ids) => {
    // One object is no reason to read a page of others.
    if (!list || ids.length === 1) return ids.map(get);
    const { search, getMs } = list();
    // A list that fails is no loss, because the service gives each of its objects by id.
    const scanned = search.seek(ids, fieldsOf, { getMs, nextPageShare });
    return ids.map((id) => scanned.then(() => get(id)));
  }, sizes);
}
