import { isObject, type Json } from '../lib/json.ts';
import type { Known } from './identity-map.ts';
import { isById, isListOnly } from './kinds.ts';
import type { Loaders } from './loaders.ts';
import { covers, type Plan, type ReferencePlan, type TypePlan } from './plan.ts';
import { idOf, type Reference, referenceValue, referenceValues } from './references.ts';

type Level = { object: Json; plan: TypePlan | undefined }[];

/** Ids to load, by the place in the operation that refers to them. */
type Wanted = Map<ReferencePlan, Set<string>>;

/**
 * Loads every reference that a selection needs, before any resolver runs. It visits the rows of a level once and collects
 * their ids. All ids of one place in the operation are one batch. References of a batch load when that batch has come,
 * without waiting for other batches.
 */
export class ReferenceLoader {
  readonly #loaders: Loaders;
  readonly #visited = new Map<ReferencePlan, Set<string>>();

  constructor(loaders: Loaders) {
    this.#loaders = loaders;
  }

  /** Resolves after all loads. The loaders store the error of each load that failed. */
  async resolve(object: Json, type: string, plan: Plan): Promise<void> {
    await this.#resolveAll([{ object, plan: plan.byType.get(type) }]);
  }

  async #resolveAll(level: Level): Promise<void> {
    const wanted: Wanted = new Map();
    for (const { object, plan } of level) if (plan) this.#collect(object, plan, wanted);
    if (wanted.size === 0) return;
    const loaded = new Map<ReferencePlan, Promise<Level>>();
    const places = [...wanted].toSorted(([a], [b]) => Number(isLate(a)) - Number(isLate(b)));
    for (const [place, ids] of places) {
      const before = [...loaded].filter(([other]) => place.reference.loadAfter?.includes(other.field));
      const load = () => this.#load(place, ids);
      loaded.set(place, before.length > 0 ? Promise.all(before.map(([, level]) => level)).then(load) : load());
    }
    await Promise.all([...loaded.values()].map(async (below) => this.#resolveAll(await below)));
  }

  /** Returns the objects that have loaded. */
  async #load({ name, reference, plan }: ReferencePlan, ids: ReadonlySet<string>): Promise<Level> {
    const level: Level = [];
    const load = async (id: string) => {
      try {
        const known = reference.loadAfter && this.#loaders.seen.get(reference.to, id);
        const isThere = known && coversItself(known.data, reference, plan);
        const { data } = isThere ? known : await this.#loaders.load(reference.to, id, name, reference);
        level.push({ object: data, plan: planFor(plan, reference, data) });
      } catch (error) {
        this.#loaders.fail(reference.to, id, error as Error);
      }
    };
    await Promise.all([...ids].map(load));
    return level;
  }

  #collect(object: Json, plan: TypePlan, wanted: Wanted): void {
    for (const { key, plan: child } of plan.embedded) {
      const value = object[key];
      const [childPlan] = child.byType.values();
      if (!childPlan || childPlan.references.length + childPlan.embedded.length === 0) continue;
      if (Array.isArray(value)) {
        for (const item of value) if (isObject(item)) this.#collect(item, childPlan, wanted);
      } else if (isObject(value)) {
        this.#collect(value, childPlan, wanted);
      }
    }
    for (const place of plan.references) {
      if (place.plan.needsNothing) continue;
      const { field, reference } = place;
      if (reference.list) {
        for (const value of referenceValues(object, field, reference) ?? []) this.#follow(place, value, wanted);
      } else {
        const value = referenceValue(object, field, reference);
        if (value !== null) this.#follow(place, value, wanted);
      }
    }
  }

  #follow(place: ReferencePlan, value: Json | string, wanted: Wanted): void {
    const id = idOf(value);
    if (!addTo(this.#visited, place, id)) return;
    const { reference, plan } = place;
    if (isObject(value) && coversItself(value, reference, plan)) {
      this.#collect(value, plan.byType.get(reference.to) as TypePlan, wanted);
      return;
    }
    const { seen } = this.#loaders;
    if (isObject(value) && !seen.get(reference.to, id)) seen.add(reference.to, value, false);
    const known = seen.get(reference.to, id) ?? this.#knownKind(reference, id);
    const typePlan = known && planFor(plan, reference, known.data);
    const isEnough =
      typePlan &&
      (covers(known, typePlan) || isFinal(value, reference)) &&
      !(plan.kindMatters && isUnknown(known.data));
    if (isEnough) {
      this.#collect(known.data, typePlan, wanted);
    } else {
      addTo(wanted, place, id);
    }
  }

  /** A selection may need only the kind of an entity, which another request may have learnt. */
  #knownKind({ to }: Reference, id: string): Known | undefined {
    if (to !== 'Entity') return undefined;
    this.#loaders.seen.add('Entity', { id }, false);
    return this.#loaders.seen.get('Entity', id);
  }
}

/** The embedded object has all properties that the selection needs. An entity does not name its kind. */
export function coversItself(value: Json, { to }: Pick<Reference, 'to'>, plan: Plan): boolean {
  const typePlan = to === 'Entity' ? undefined : plan.byType.get(to);
  return typePlan !== undefined && covers({ data: value, complete: false }, typePlan);
}

function planFor(plan: Plan, reference: Reference, data: Json): TypePlan | undefined {
  return plan.byType.get(reference.to === 'Entity' ? String(data.__typename) : reference.to);
}

/** The service gives no more of the object: a row embeds it, and no GET by id gives it. */
function isFinal(value: Json | string, { to }: Reference): boolean {
  return to !== 'Entity' && !isById(to) && (isObject(value) || !isListOnly(to));
}

function isUnknown(data: Json): boolean {
  return data.__typename === 'UnknownEntity';
}

/** Other references may embed the object. */
function isLate({ reference }: ReferencePlan): boolean {
  return reference.loadAfter !== undefined;
}

/** Returns false where the place has the id already. */
function addTo(places: Map<ReferencePlan, Set<string>>, place: ReferencePlan, id: string): boolean {
  let ids = places.get(place);
  if (!ids) {
    ids = new Set();
    places.set(place, ids);
  }
  return ids.size !== ids.add(id).size;
}
