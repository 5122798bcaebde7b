import { groupBy, isObject, type Json, madeOnce } from '@gateway/base';
import type { FanOut, Memory } from '@gateway/upstream';
import type { Loaders } from '../load/loaders.ts';
import { idOf, referenceValue, referenceValues } from '../load/references.ts';
import type { ReferencePlan, TypePlan } from './plan.ts';

/** The weight of what was learnt before, beside the latest objects. */
const persistence = 0.8;

/** Objects that the places of a request have loaded, by kind. `all` counts each place, and `most` is that of one place. */
const loadedIn = new WeakMap<Loaders, Map<string, { all: number; most: number; keys: Set<string> }>>();

/** Learns what the objects of a selection led to, once all has loaded. Estimates of the caller suppose as much. */
export function learnFanOuts(loaders: Loaders, plan: TypePlan, objects: readonly Json[]): void {
  const { contract, neededBy = [] } = loaders;
  const [{ fanOuts }, { observer }] = [loaders.knowledge, loaders.reader];
  for (const [name, places] of groupBy(plan.references, ({ name }) => name)) {
    const { field, reference } = places[0] as ReferencePlan;
    const valuesOf = reference.list ? referenceValues : referenceValue;
    const ids = objects.flatMap<Json | string>((object) => valuesOf(object, field, reference) ?? []).map(idOf);
    learn(fanOuts, name, objects.length, ids);
    if (ids.length === 0 || places.every(({ isEmbedded, plan }) => isEmbedded || plan.needsNothing)) continue;
    const { idSpace } = contract.tables(reference.to);
    const keys = [...new Set(ids)].map((id) => `${idSpace} ${id}`);
    learnLoads(loaders, name, keys.length, idSpace, keys);
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
    const scans = observer?.calls.filter(({ reason, fields }) => reason === 'list scan' && fields().includes(name));
    const byList = groupBy(scans ?? [], ({ endpoint }) => endpoint);
    for (const [list, pages] of byList) learn(fanOuts, `${name} ${list}`, 1, pages);
  }
}

/** Learns how many objects of each kind a place has loaded, among those of the keys. */
function learnLoads(loaders: Loaders, name: string, objects: number, space: string, keys: readonly string[]): void {
  const { contract, knowledge, neededBy, seen } = loaders;
  const { kinds } = contract.union(space) ?? {};
  const kindOf = (key: string) => (kinds ? seen.kindOf(space, key.slice(space.length + 1)) : space);
  // The key of a root field has no dot. The object that it loads costs the places below nothing.
  const isBelow = (key: string) => [...(neededBy?.get(key) ?? ['root'])].every((field) => field.includes('.'));
  for (const kind of kinds ?? [space]) {
    const loaded = keys.filter((key) => isBelow(key) && kindOf(key) === kind);
    learn(knowledge.fanOuts, `${name} ${kind}`, objects, loaded);
    const ofKinds = madeOnce(loadedIn, loaders, () => new Map());
    const total = madeOnce(ofKinds, kind, () => ({ all: 0, most: 0, keys: new Set() }));
    total.all += loaded.length;
    total.most = Math.max(total.most, loaded.length);
    for (const key of loaded) total.keys.add(key);
    // The place with the most shows nothing of what places share.
    const further = { objects: total.all - total.most, references: total.keys.size - total.most };
    if (further.objects > 0) knowledge.fanOuts.set(kind, { ...further, logReferences: 0, logOthers: 0 });
  }
}

function learn(fanOuts: Memory<FanOut>, name: string, objects: number, others: readonly unknown[]): void {
  const before = fanOuts.get(name) ?? { objects: 0, references: 0, logReferences: 0, logOthers: 0 };
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
export function othersOf({ objects, references, logReferences, logOthers }: FanOut, count: number): number {
  const all = (count * references) / objects;
  return all <= 1 || logReferences === 0 ? all : all ** (logOthers / logReferences);
}
