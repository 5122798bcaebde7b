import { groupBy, isObject, type Json, madeOnce } from '@gateway/base';
import type { FanOut, Memory } from '@gateway/upstream';
import type { Loaders } from '../load/loaders.ts';
import { idOf, referenceValue, referenceValues } from '../load/references.ts';
import type { ReferencePlan, TypePlan } from './plan.ts';

/** The weight of what was learnt before, beside the latest objects. */
const persistence = 0.8;

const nothing: FanOut = { objects: 0, references: 0, logReferences: 0, logOthers: 0 };

/** Keys of the objects that each place of a request has loaded, by kind. */
const loadedIn = new WeakMap<Loaders, Map<string, string[][]>>();

/** Learns what the objects of a selection led to, once all has loaded. Estimates of the caller suppose as much. */
export function learnFanOuts(loaders: Loaders, plan: TypePlan, objects: readonly Json[]): void {
  const { contract, knowledge, neededBy = [] } = loaders;
  const { fanOuts } = knowledge;
  for (const [name, places] of groupBy(plan.references, ({ name }) => name)) {
    const { field, reference } = places[0] as ReferencePlan;
    const valuesOf = reference.list ? referenceValues : referenceValue;
    const ids = objects.flatMap<Json | string>((object) => valuesOf(object, field, reference) ?? []).map(idOf);
    learn(fanOuts, name, objects.length, ids);
    if (ids.length === 0 || places.every(({ isEmbedded, plan }) => isEmbedded || plan.needsNothing)) continue;
    const { idSpace } = contract.tables(reference.to);
    const keys = [...new Set(ids)].map((id) => `${idSpace} ${id}`);
    // Kinds that are known need no load again.
    const { objects: before } = fanOuts.get(`kinds of ${name}`) ?? nothing;
    if (contract.union(idSpace))
      fanOuts.set(`kinds of ${name}`, { ...nothing, objects: Math.max(before, keys.length) });
    if (!places.every(({ plan }) => plan.kindSuffices)) learnLoads(loaders, name, keys.length, idSpace, keys);
  }
  for (const { name, key } of plan.embedded) {
    const parts = objects.flatMap((object) => object[key]).filter(isObject);
    if (name) learn(fanOuts, name, objects.length, parts);
  }
  for (const { name } of plan.derived) {
    const keys = [...neededBy].flatMap(([key, fields]) => (fields.has(name) ? key : []));
    learn(fanOuts, name, objects.length, keys);
    const bySpace = groupBy(keys, (key) => key.slice(0, key.indexOf(' ')));
    for (const [space, each] of bySpace) learnLoads(loaders, name, objects.length, space, each);
    for (const [list, pages] of scansFor(name, loaders)) learn(fanOuts, `${name} ${list}`, 1, pages);
  }
}

/** The pages that searches for a field have read, by their list. */
function scansFor(name: string, { reader: { observer } }: Loaders): ReadonlyMap<string, readonly object[]> {
  const scans = observer?.calls.filter(({ reason, fields }) => reason === 'list scan' && fields().includes(name));
  return groupBy(scans ?? [], ({ endpoint }) => endpoint);
}

/** Learns how many objects of each kind a place has loaded, among those of the keys. */
function learnLoads(loaders: Loaders, name: string, objects: number, space: string, keys: readonly string[]): void {
  const { contract, knowledge, neededBy, seen } = loaders;
  const { kinds } = contract.union(space) ?? {};
  const kindOf = (key: string) => (kinds ? seen.kindOf(space, key.slice(space.length + 1)) : space);
  // The key of a root field has no dot. The object that it loads costs the places below nothing.
  const isBelow = (key: string) => [...(neededBy?.get(key) ?? ['root'])].every((field) => field.includes('.'));
  for (const kind of kinds ?? [space]) {
    // A list that began early may have shown the objects before anything asked for them.
    const isRead = contract.isListOnly(kind) && scansFor(name, loaders).has(contract.listEndpoint(kind));
    const loaded = keys.filter((key) => (isRead || isBelow(key)) && kindOf(key) === kind);
    learn(knowledge.fanOuts, `${name} ${kind}`, objects, loaded);
    const ofKinds = madeOnce(loadedIn, loaders, () => new Map<string, string[][]>());
    const places = madeOnce(ofKinds, kind, () => []);
    places.push(loaded);
    // The place with the most shows nothing of what places share.
    const most = Math.max(...places.map(({ length }) => length));
    const further = { objects: places.flat().length - most, references: new Set(places.flat()).size - most };
    if (further.objects > 0) knowledge.fanOuts.set(kind, { ...nothing, ...further });
  }
}

function learn(fanOuts: Memory<FanOut>, name: string, objects: number, others: readonly unknown[]): void {
  const before = fanOuts.get(name) ?? nothing;
  fanOuts.set(name, {
    objects: persistence * before.objects + objects,
    references: persistence * before.references + others.length,
    logReferences: persistence * before.logReferences + Math.log(Math.max(1, others.length)),
    logOthers: persistence * before.logOthers + Math.log(Math.max(1, new Set(others).size)),
  });
}

/**
 * Different objects to which so many objects refer. They grow as a power of the references, as the words of a text with its
 * length (Heaps' law).
 */
export function othersOf(fanOut: FanOut | undefined, count: number): number | undefined {
  if (!fanOut) return undefined;
  const { objects, references, logReferences, logOthers } = fanOut;
  const all = (count * references) / objects;
  return all <= 1 || logReferences === 0 ? all : all ** (logOthers / logReferences);
}
