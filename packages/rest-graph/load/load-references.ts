import { type Field, inTurn, isObject, type Json, madeOnce, UpstreamError } from '@gateway/base';
import type { Reference, Target } from '@gateway/contract';
import { isRow, noSuchResource, type Row } from '@gateway/upstream';
import { learnFanOuts } from '../plan/fan-out.ts';
import type { DerivedPlan, Plan, ReferencePlan, TypePlan } from '../plan/plan.ts';
import { covers } from '../plan/selection-plan.ts';
import { type Known, rowsPerTurn } from './identity-map.ts';
import type { Loaded, Loaders } from './loaders.ts';
import { idOf, referenceValue, referenceValues, targetIn } from './references.ts';

type Level = readonly { object: Json; plan: TypePlan | undefined }[];

/** Ids to load, by the place in the operation that refers to them, and objects with a derived field. */
interface Wanted {
  references: Map<ReferencePlan, string[]>;
  derived: Map<DerivedPlan, Row[]>;
  /** Rows that lack some of the selection. */
  rows: { object: Row; plan: TypePlan }[];
}

/** Loads of one place that begin in one turn of the event loop. They are one batch. */
const idsPerTurn = 2_000;

/**
 * Loads every reference that a selection needs, before any resolver runs. It visits the rows of a level once and collects
 * their ids. All ids of one place in the operation are one batch. References of a batch load when that batch has come,
 * without waiting for other batches.
 */
export class ReferenceLoader {
  readonly #loaders: Loaders;
  readonly #loaded: Loaded<Plan, Json> = new Map();
  readonly #derived: Loaded<Field, object> = new Map();
  /** The objects of each selection that is not a leaf. Undefined where no trace learns from them. */
  readonly #collected: Map<TypePlan, Json[]> | undefined;
  #failed: { place: ReferencePlan; id: string }[] = [];

  constructor(loaders: Loaders) {
    this.#loaders = loaders;
    this.#collected = loaders.neededBy && new Map();
  }

  /** Resolves after all loads. The loaders store each object that a reference shows, and the error of each load that failed. */
  async resolveAll(objects: Level): Promise<void> {
    for (let level = objects; level.length > 0; level = this.#seenElsewhere()) await this.#resolveLevel(level);
    for (const [plan, objects] of this.#collected ?? []) learnFanOuts(this.#loaders, plan, objects);
    // Root fields that share a fragment share its plan. Each waits for its own loads, so that none reads half of them.
    publish(this.#loaded, this.#loaders.references);
    publish(this.#derived, this.#loaders.derived);
  }

  async #resolveLevel(level: Level): Promise<void> {
    const wanted: Wanted = { references: new Map(), derived: new Map(), rows: [] };
    if (level.length > rowsPerTurn) {
      const targets = [...new Set(level.map(({ plan }) => plan))].flatMap(targetsOf);
      for (const target of new Set(targets)) await this.#loaders.seen.search(target);
    }
    for (const [index, { object, plan }] of level.entries()) {
      if (plan && !plan.isLeaf) this.#collect(object, plan, wanted);
      if (index % rowsPerTurn === rowsPerTurn - 1) await new Promise<void>(inTurn);
    }
    if (wanted.references.size + wanted.derived.size + wanted.rows.length === 0) return;
    const derived = [...wanted.derived].map(([place, objects]) => this.#derive(place, objects));
    const loaded = new Map<ReferencePlan, Promise<Level>>();
    const places = [...wanted.references].toSorted(([a], [b]) => Number(isLate(a)) - Number(isLate(b)));
    for (const [place, ids] of places) {
      const before = [...loaded].filter(([other]) => place.reference.loadAfter?.includes(other.field));
      const load = () => this.#load(place, ids);
      loaded.set(place, before.length > 0 ? Promise.all(before.map(([, level]) => level)).then(load) : load());
    }
    const rows = wanted.rows.map((row) => this.#complete(row));
    await Promise.all([...loaded.values(), ...derived, ...rows].map(async (below) => this.#resolveLevel(await below)));
  }

  /** Returns the objects that have loaded. */
  async #load(place: ReferencePlan, ids: readonly string[]): Promise<Level> {
    const { name, reference, plan } = place;
    const level: Level[number][] = [];
    const load = async (id: string) => {
      try {
        const known = reference.loadAfter && this.#loaders.seen.get(reference.to, id);
        const isThere = known && this.#coversItself(known.data, reference, plan);
        const { data } = isThere ? known : await this.#loaders.load(reference.to, id, name, reference);
        valuesAt(this.#loaded, place.plan).set(id, data);
        level.push({ object: data, plan: planFor(plan, reference, data) });
      } catch (error) {
        const isMissing = error instanceof UpstreamError && error.code === 'NOT_FOUND';
        if (isMissing && this.#remembersMiss(place)) this.#loaders.knowledge.learnMissing(reference.to, id);
        valuesAt(this.#loaded, place.plan).set(id, error as Error);
        this.#failed.push({ place, id });
      }
    };
    const loads: Promise<void>[] = [];
    for (const id of ids) if (loads.push(load(id)) % idsPerTurn === 0) await new Promise<void>(inTurn);
    await Promise.all(loads);
    return level;
  }

  /** Loads what a row lacks. Returns the whole object, or the row. Other callers may share the row, so it stays as it is. */
  async #complete({ object, plan }: Wanted['rows'][number]): Promise<Level> {
    const { lacking: kind = '' } = plan;
    const whole = await this.#loaders.load(kind, object.id, kind).then(
      ({ data }) => ({ ...data, ...object }),
      (error: Error) => error,
    );
    this.#loaders.wholes.set(object, whole);
    if (whole instanceof Error) return [{ object, plan }];
    this.#loaders.wholes.set(whole, whole);
    return [{ object: whole, plan }];
  }

  /** Returns the objects in the values of a field. */
  async #derive(place: DerivedPlan, objects: readonly Row[]): Promise<Level> {
    const values = valuesAt(this.#derived, place.field);
    const levels = objects.map(async (object) => {
      try {
        const { value, objects } = await place.load(object, this.#loaders);
        values.set(object.id, value);
        return objects;
      } catch (error) {
        values.set(object.id, error as Error);
        return [];
      }
    });
    return (await Promise.all(levels)).flat();
  }

  /** Returns the objects whose load failed, but which another answer has shown meanwhile. */
  #seenElsewhere(): Level {
    const level: Level[number][] = [];
    this.#failed = this.#failed.filter(({ place, id }) => {
      const { reference, plan } = place;
      const known = this.#loaders.seen.get(reference.to, id);
      if (!known || !this.#isEnough(known, id, place)) return true;
      valuesAt(this.#loaded, place.plan).set(id, known.data);
      level.push({ object: known.data, plan: planFor(plan, reference, known.data) });
      return false;
    });
    return level;
  }

  #collect(row: Json, plan: TypePlan, wanted: Wanted): void {
    const whole = plan.lacking === undefined ? row : this.#loaders.wholes.get(row);
    const object = whole && !(whole instanceof Error) ? whole : row;
    if (!whole && isRow(object) && !covers({ data: object, complete: false }, plan, this.#loaders.reader.dialectName)) {
      wanted.rows.push({ object, plan });
      return;
    }
    if (this.#collected) madeOnce(this.#collected, plan, newList).push(object);
    for (const { key, plan: child } of plan.embedded) {
      const value = object[key];
      const [childPlan] = child.byType.values();
      if (!childPlan || childPlan.isLeaf) continue;
      if (Array.isArray(value)) {
        for (const item of value) if (isObject(item)) this.#collect(item, childPlan, wanted);
      } else if (isObject(value)) {
        this.#collect(value, childPlan, wanted);
      }
    }
    for (const place of plan.derived) this.#want(place, object, wanted);
    for (const each of plan.references) {
      const place = each.byKind?.get(targetIn(object, each.reference)) ?? each;
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
    const loaded = valuesAt(this.#loaded, place.plan);
    if (loaded.has(id)) return;
    const { reference, plan } = place;
    if (isObject(value) && reference.kindBy && plan.byType.has(reference.to)) value.__typename = reference.to;
    if (isObject(value) && this.#coversItself(value, reference, plan)) {
      loaded.set(id, value);
      this.#collect(value, plan.byType.get(reference.to) as TypePlan, wanted);
      return;
    }
    const { seen } = this.#loaders;
    if (isObject(value) && !seen.get(reference.to, id)) seen.add(reference.to, value, false);
    const known = seen.get(reference.to, id) ?? this.#knownKind(reference, id);
    if (known && this.#isEnough(known, value, place)) {
      loaded.set(id, known.data);
      this.#collect(known.data, planFor(plan, reference, known.data) as TypePlan, wanted);
      return;
    }
    if (this.#remembersMiss(place) && this.#loaders.knowledge.isMissing(reference.to, id)) {
      loaded.set(id, missing);
      this.#failed.push({ place, id });
      return;
    }
    loaded.set(id, undefined);
    madeOnce(wanted.references, place, newList).push(id);
  }

  #want(place: DerivedPlan, object: Json, wanted: Wanted): void {
    const values = valuesAt(this.#derived, place.field);
    if (!isRow(object) || values.has(object.id)) return;
    values.set(object.id, undefined);
    madeOnce(wanted.derived, place, newList).push(object);
  }

  /** The embedded object has all properties that the selection needs. One of a union does not name its kind. */
  #coversItself(value: Json, { to }: Pick<Reference, 'to'>, plan: Plan): boolean {
    const typePlan = plan.byType.get(to);
    return (
      typePlan !== undefined && covers({ data: value, complete: false }, typePlan, this.#loaders.reader.dialectName)
    );
  }

  /** The selection needs no more than is known of the object, or the service gives no more. */
  #isEnough(known: Known, value: Json | string, { reference, plan }: ReferencePlan): boolean {
    const typePlan = planFor(plan, reference, known.data);
    if (
      !typePlan ||
      (plan.kindMatters && known.data.__typename === this.#loaders.contract.union(reference.to)?.unknown)
    )
      return false;
    return covers(known, typePlan, this.#loaders.reader.dialectName) || this.#isFinal(value, reference);
  }

  /** A miss of an earlier request answers this one too. A miss of a union answers only what the kind answers. */
  #remembersMiss({ reference: { to }, plan }: ReferencePlan): boolean {
    return this.#loaders.contract.union(to) ? plan.kindSuffices : this.#loaders.givesById(to);
  }

  /** The service gives no more of the object: a row embeds it, and no GET by id gives it. */
  #isFinal(value: Json | string, { to }: Reference): boolean {
    return (
      !this.#loaders.contract.union(to) &&
      !this.#loaders.givesById(to) &&
      (isObject(value) || !this.#loaders.contract.isListOnly(to))
    );
  }

  /** A selection may need only the kind of an object, which an earlier request of the caller may have shown. */
  #knownKind({ to }: Reference, id: string): Known | undefined {
    if (!this.#loaders.contract.union(to)) return undefined;
    const kind = this.#loaders.seen.kindOf(to, id);
    return kind === undefined ? undefined : { data: { id, __typename: kind }, complete: false };
  }
}

/** Types of the objects that a selection refers to, in embedded objects too. */
function targetsOf(plan: TypePlan | undefined): Target[] {
  const embedded = plan?.embedded.flatMap(({ plan: { byType } }) => [...byType.values()].flatMap(targetsOf)) ?? [];
  return [
    ...embedded,
    ...(plan?.references.flatMap(({ reference, plan }) => (plan.needsNothing ? [] : reference.to)) ?? []),
  ];
}

function valuesAt<Place, Value>(loaded: Loaded<Place, Value>, place: Place): Map<string, Value | Error | undefined> {
  return madeOnce(loaded, place, newMap);
}

const newList = () => [];
const newMap = () => new Map();

function publish<Place, Value>(loaded: Loaded<Place, Value>, all: Loaded<Place, Value>): void {
  for (const [place, values] of loaded) {
    const published = all.get(place) ?? values;
    all.set(place, published);
    if (published === values) continue;
    // An object that is published has everything below it.
    for (const [id, value] of values)
      if (published.get(id) instanceof Error || !published.has(id)) published.set(id, value);
  }
}

/** The outcome of an earlier load. */
const missing = noSuchResource();

function planFor(plan: Plan, reference: Reference, data: Json): TypePlan | undefined {
  return plan.byType.get(reference.to) ?? plan.byType.get(String(data.__typename));
}

/** Other references may embed the object. */
function isLate({ reference }: ReferencePlan): boolean {
  return reference.loadAfter !== undefined;
}
