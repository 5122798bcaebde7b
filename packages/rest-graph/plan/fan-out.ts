import { groupBy, isObject, type Json } from '@gateway/base';
import type { Contract, Kind, Target } from '@gateway/contract';
import type { FanOut, Memory } from '@gateway/upstream';
import { idOf, referenceValue, referenceValues } from '../load/references.ts';
import type { ReferencePlan, TypePlan } from './plan.ts';

/** The weight of what was learnt before, beside the latest objects. */
const persistence = 0.8;

/** Most ids of a union are of its first kind. */
export function firstKind(contract: Contract, target: Target): Kind {
  return contract.union(target)?.kinds[0] ?? target;
}

/** References of one row by the kind that they load. They may lead to the same objects. Embedded ones load none. */
export function loadedTogether(contract: Contract, references: readonly ReferencePlan[]) {
  const wanted = references.filter(({ plan }) => !plan.needsNothing);
  const kindOf = ({ isEmbedded, reference: { to, probeFirst } }: ReferencePlan) =>
    isEmbedded ? undefined : (probeFirst ?? firstKind(contract, to));
  const groups = groupBy(wanted, (place) => kindOf(place) ?? place);
  return [...groups.values()].map((places) => {
    const names = new Set(places.map(({ name }) => name));
    return { name: [...names].sort().join(), kind: kindOf(places[0] as ReferencePlan), places };
  });
}

/** Learns how many others the objects at each place of a selection hold or refer to. Estimates of the caller suppose as many. */
export function learnFanOuts(
  contract: Contract,
  fanOuts: Memory<FanOut>,
  plan: TypePlan,
  objects: readonly Json[],
): void {
  const alone = plan.references.map((place) => ({ name: place.name, places: [place] }));
  // A group of one reference has its name, and counts once.
  const groups = new Map([...loadedTogether(contract, plan.references), ...alone].map((group) => [group.name, group]));
  for (const { name, places } of groups.values()) {
    const valuesAt = ({ field, reference }: ReferencePlan) => {
      const valuesOf = reference.list ? referenceValues : referenceValue;
      return objects.flatMap<Json | string>((object) => valuesOf(object, field, reference) ?? []);
    };
    learn(fanOuts, name, objects.length, places.flatMap(valuesAt).map(idOf));
  }
  for (const { name, key, plan: child } of plan.embedded) {
    const parts = objects.flatMap((object) => object[key]).filter(isObject);
    if (name) learn(fanOuts, name, objects.length, parts);
    const [childPlan] = child.byType.values();
    if (childPlan && parts.length > 0) learnFanOuts(contract, fanOuts, childPlan, parts);
  }
}

function learn(fanOuts: Memory<FanOut>, place: string, objects: number, others: readonly unknown[]): void {
  const before = fanOuts.get(place) ?? { objects: 0, references: 0, logReferences: 0, logOthers: 0 };
  fanOuts.set(place, {
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
