import type { Contract } from '../../contract/contract.ts';
import type { Target } from '../../loaders/kinds.ts';
import { optionalFiltersOf } from '../../loaders/lists/filter-checks.ts';
import { listName } from '../../loaders/lists/filters.ts';
import { spansOf } from '../../loaders/lists/joined-ranges.ts';
import type { RootCall } from '../../loaders/root-plan.ts';
import type { Range } from '../../upstream/list-page.ts';

/**
 * The fewest REST calls that an operation can do with: its writes, or the reads of its root fields. Lists are taken for
 * short, references for embedded, and no read for shared with another operation. `usesCache`: the list cache may hold
 * whole lists of kinds without a GET by id.
 */
export function minCalls(contract: Contract, calls: readonly RootCall[], { usesCache = false } = {}): number {
  const writes = calls.flatMap((call) => (call.how === 'write' ? call.chains.flat() : []));
  return writes.length + fewestForLists(contract, calls, usesCache) + fewestForIds(contract, calls, usesCache);
}

function fewestForLists(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ranges = new Map<string, Range[]>();
  for (const call of calls) {
    if (call.how !== 'list') continue;
    const { endpoint, filters, range, needsRows } = call;
    // An endpoint or a filter that the service lacks is refused without a call.
    const described = contract.endpoint(endpoint);
    if (described.dialect || optionalFiltersOf(described, filters).length > 0) continue;
    const isWhole = Object.keys(filters).length === 0;
    if (usesCache && described.isCached && isWhole) continue;
    // Any page of the list has the count, and the count decides where the end is.
    const isSure = needsRows && !range.fromEnd;
    const sure = ranges.get(listName(call)) ?? [];
    if (isSure) sure.push({ offset: range.start, limit: range.size });
    ranges.set(listName(call), sure);
  }
  return [...ranges.values()].reduce((sum, each) => sum + Math.max(1, spansOf(each).length), 0);
}

function fewestForIds(contract: Contract, calls: readonly RootCall[], usesCache: boolean): number {
  const ids = new Map<Target, Set<string>>();
  const add = (target: Target, id?: string) => {
    const known = ids.get(target) ?? new Set();
    ids.set(target, id === undefined ? known : known.add(id));
  };
  for (const call of calls) {
    if (call.how === 'by id' && !contract.union(call.target)) for (const id of call.ids) add(call.target, id);
  }
  // The id of a union may be of another kind, which another field reads. The same id of the first kind is another object.
  for (const call of calls) {
    const [first, ...others] = (call.how === 'by id' && contract.union(call.target)?.kinds) || [];
    if (call.how !== 'by id' || !first) continue;
    for (const id of call.ids) if (!(id && others.some((kind) => ids.get(kind)?.has(id)))) add(first, id);
  }
  const isListRead = (kind: Target) =>
    calls.some((call) => call.how === 'list' && contract.endpoint(call.endpoint).kind === kind);
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
