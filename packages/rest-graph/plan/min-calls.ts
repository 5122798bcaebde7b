import { madeOnce } from '@gateway/base';
import type { Contract, Target } from '@gateway/contract';
import type { Range } from '@gateway/upstream';
import { filtersInUse, isWhole, listName } from '../load/lists/filters.ts';
import { spansOf } from '../load/lists/lists.ts';
import type { RootCall } from './root-plan.ts';

/**
 * The fewest REST calls of an operation: the reads of its root fields, or its writes with the GETs before. Lists are taken for short, references for embedded, and no read for shared with another operation. `usesCache`: the
 * list cache may hold whole lists of kinds without a GET by id.
 */
export function minCalls(contract: Contract, calls: readonly RootCall[], { usesCache = false } = {}): number {
  const writes = calls.flatMap((call) => (call.how === 'write' ? call.chains.flat() : []));
  return writes.length + fewestForLists(contract, calls, usesCache) + fewestForIds(contract, calls, usesCache);
}

function fewestForLists(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ranges = new Map<string, Range[]>();
  for (const call of calls) {
    if (call.how !== 'list' && (call.how !== 'look' || call.mayBeKnown)) continue;
    const { filters } = call;
    const endpoint = contract.endpoint(call.endpoint);
    // An endpoint or a filter that the service lacks is refused without a call.
    if (endpoint.dialect || filtersInUse(endpoint, filters).some(([, { dialect }]) => dialect)) continue;
    if (usesCache && endpoint.isCached && isWhole(filters)) continue;
    // Any page of the list has the count, and the count decides where the end is.
    const sure = madeOnce(ranges, listName(call), () => []);
    if (call.how === 'list' && call.needsRows && !call.range.fromEnd)
      sure.push({ offset: call.range.start, limit: call.range.size });
  }
  return [...ranges.values()].reduce((sum, each) => sum + Math.max(1, spansOf(each).length), 0);
}

function fewestForIds(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ids = new Map<Target, Set<string>>();
  const add = (target: Target, id?: string) => {
    const known = ids.get(target) ?? new Set();
    ids.set(target, id === undefined ? known : known.add(id));
  };
  const gets = calls.filter((call) => call.how === 'by id');
  for (const { target, ids } of gets) if (!contract.union(target)) for (const id of ids) add(target, id);
  for (const { target, ids: sought } of gets) {
    const { kinds = [] } = contract.union(target) ?? {};
    // A page of a list may hold all of them.
    const kind = kinds.find((each) => contract.isListed(each)) ?? kinds[0];
    if (kind === undefined) continue;
    // The object may be that of the same id which another field reads.
    for (const id of sought) if (!id || !kinds.some((each) => ids.get(each)?.has(id))) add(kind, id);
  }
  const isListRead = (kind: Target) =>
    calls.some((call) => 'endpoint' in call && contract.endpoint(call.endpoint).kind === kind);
  let fewest = 0;
  for (const [kind, { size }] of ids) {
    // The service may lack the endpoint.
    if (contract.isById(kind) && !contract.isAlwaysById(kind)) continue;
    // The list cache may hold the list.
    if (contract.isListOnly(kind)) fewest += usesCache || isListRead(kind) ? 0 : 1;
    // The token may name an object that another field reads.
    else if (!contract.isListed(kind)) fewest += Math.max(1, size);
    // One page of the list may hold all of these objects.
    else if (!isListRead(kind)) fewest += 1;
  }
  return fewest;
}
