import { isObject, type Json } from '@gateway/base';
import type { FanOut, Memory } from '@gateway/upstream';
import { idOf, referenceValue, referenceValues } from '../load/references.ts';
import type { TypePlan } from './plan.ts';

/** The weight of what was learnt before, beside the latest objects. */
const persistence = 0.8;

/** Learns how many others the objects at each place of a selection hold or refer to. Estimates of the caller suppose as many. */
export function learnFanOuts(fanOuts: Memory<FanOut>, plan: TypePlan, objects: readonly Json[]): void {
  for (const { name, field, reference } of plan.references) {
    const valuesOf = (object: Json) =>
      (reference.list ? referenceValues : referenceValue)(object, field, reference) ?? [];
    const ids = objects.flatMap<Json | string>(valuesOf).map(idOf);
    learn(fanOuts, name, { objects: objects.length, references: ids.length, others: new Set(ids).size });
  }
  for (const { name, key, plan: child } of plan.embedded) {
    const parts = objects.flatMap((object) => object[key]).filter(isObject);
    const { length } = parts;
    if (name) learn(fanOuts, name, { objects: objects.length, references: length, others: length });
    const [childPlan] = child.byType.values();
    if (childPlan && length > 0) learnFanOuts(fanOuts, childPlan, parts);
  }
}

function learn(fanOuts: Memory<FanOut>, place: string, seen: { objects: number; references: number; others: number }) {
  const { objects, references, others } = seen;
  const before = fanOuts.get(place) ?? { objects: 0, references: 0, logReferences: 0, logOthers: 0 };
  fanOuts.set(place, {
    objects: persistence * before.objects + objects,
    references: persistence * before.references + references,
    logReferences: persistence * before.logReferences + Math.log(Math.max(1, references)),
    logOthers: persistence * before.logOthers + Math.log(Math.max(1, others)),
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
