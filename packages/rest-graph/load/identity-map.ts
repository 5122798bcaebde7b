import { inTurn, isObject, type Json, madeOnce } from '@gateway/base';
import { anyUnion, type Contract, type EmbeddedTypes, type Target, type TypeTables } from '@gateway/contract';
import { type CallerKnowledge, isRow } from '@gateway/upstream';
import { passOn, referenceValue, referenceValues, targetIn } from './references.ts';

/** Rows whose references are searched or collected in one turn of the event loop: some milliseconds. */
export const rowsPerTurn = 500;

export interface Known {
  data: Json;
  /** The object is a row of a list, or the answer to a GET by id. No other answer has more keys. */
  complete: boolean;
}

/** Objects of one answer. */
interface Batch {
  type: Target;
  objects: readonly unknown[];
  complete: boolean;
}

/**
 * The objects that one request has seen: rows of lists, objects embedded in them, and answers to GETs by id. Ids are unique
 * inside one id space. The map searches rows for an id space when a loader first asks for one of its objects. Most
 * answers are never searched.
 */
export class IdentityMap {
  readonly #contract: Contract;
  readonly #byType = new Map<string, Map<string, Known>>();
  readonly #batches: Batch[] = [];
  /** Batches that were searched, by the id space that was sought. */
  readonly #read = new Map<string, number>();
  readonly #kinds: { readonly knowledge: CallerKnowledge };
  readonly #supposed = new Map<string, string>();
  /** Ids of evidence that counts for one id alone, by the kind. */
  readonly #alone = new Map<string, Set<string>>();
  #hidden: WeakSet<object> | undefined;

  /** Many requests have no use for kinds, so their knowledge is found on first use. */
  constructor(contract: Contract, kinds: { readonly knowledge: CallerKnowledge }) {
    this.#contract = contract;
    this.#kinds = kinds;
  }

  /** The known properties of an object. For a union: those of the object of any of its kinds. */
  get(target: Target, id: string): Known | undefined {
    const { idSpace, union } = this.#contract.tables(target);
    this.#readFor(idSpace);
    if (union?.name !== target) return this.#at(target, id);
    // A cached kind may turn out wrong. Later answers of the service count.
    let found: Known | undefined;
    for (const kind of union.kinds) {
      const known = this.#at(kind, id);
      if (known?.complete) return known;
      found ??= known;
    }
    const known = this.#at(target, id);
    return known?.complete ? known : (found ?? known);
  }

  /** The kind, or the probable kind, of an id of a union. */
  guessKind(union: Target, id: string): string | undefined {
    const { knowledge } = this.#kinds;
    const kind =
      this.kindOf(union, id) ??
      knowledge.guessKind(union, id) ??
      this.#supposed.get(this.#contract.idInUnion(union, id));
    const isAlone = (ids?: ReadonlySet<string>) => ids?.size === 1 && ids.has(id);
    return kind ?? this.#contract.union(union)?.kinds.find((each) => isAlone(this.#alone.get(each)));
  }

  /** The kind of an id of a union, if an answer to this caller has shown the kind. */
  kindOf(union: string, id: string): string | undefined {
    const kind = this.#kinds.knowledge.kindOf(union, id);
    if (kind) return kind;
    this.#readFor(anyUnion);
    return this.#kinds.knowledge.kindOf(union, id);
  }

  /** Notes a probable kind, which no answer has shown yet. */
  suppose(id: string, kind: string): void {
    this.#supposed.set(this.#contract.idInUnion(kind, id), kind);
  }

  /** Adds an object of the service, with all objects that it embeds. */
  add(type: Target, data: Json, complete: boolean): void {
    if (this.#contract.union(type)) this.kindOf(type, String(data.id));
    this.addAll(type, [data], complete);
  }

  /** Adds many objects of one type. Values without an id are ignored. */
  addAll(type: Target, objects: readonly unknown[], complete: boolean): void {
    this.#batches.push({ type, objects, complete });
    const tables = this.#contract.tables(type);
    const { union, evidence, heirs } = tables;
    if (!union && evidence.length + heirs.length === 0) return;
    for (const data of objects) {
      if (!isRow(data)) continue;
      // An object of a kind of the union shows its own kind, which helps other requests.
      if (union) this.#identify(tables, data, complete);
      if (heirs.length > 0) passOn(data, heirs);
      if (evidence.length > 0) this.#learnKinds(evidence, data);
    }
  }

  /** Objects in which the property is true: a list shows them, and the service gives them nowhere else. */
  hide(objects: readonly unknown[], property: string): void {
    this.#hidden ??= new WeakSet();
    for (const data of objects) if (isRow(data) && data[property] === true) this.#hidden.add(data);
  }

  #identify({ name, union }: TypeTables, data: Json, complete: boolean): void {
    if (this.#hidden?.has(data)) return;
    // Nobody looks for an object of a type that no reference leads to, such as a line of an order.
    const isFound = complete || this.#contract.referable.has(name);
    if (!isFound || typeof data.id !== 'string') return;
    const kind = union?.name === name ? (this.#kinds.knowledge.kindOf(name, data.id) ?? name) : name;
    let named = data;
    if (union) {
      const isKnown = kind !== union.name;
      const __typename = isKnown ? kind : union.unknown;
      data.__typename ??= __typename;
      // Callers share the object, and each knows other kinds.
      if (data.__typename !== __typename) named = { ...data, __typename };
      if (isKnown) this.#kinds.knowledge.learnKind(data.id, kind);
    }
    this.#merge(kind, data.id, { data: named, complete });
  }

  #learnKinds(evidence: TypeTables['evidence'], data: Json): void {
    for (const { field, is, where, equals, probable } of evidence) {
      const id = data[field];
      if (typeof id !== 'string' || id === '') continue;
      if (where !== undefined && !holds(data[where], equals)) continue;
      if (probable === undefined) this.#kinds.knowledge.learnKind(id, is);
      else if (probable === 'each') this.suppose(id, is);
      else madeOnce(this.#alone, is, () => new Set()).add(id);
    }
  }

  /** Searches all rows for objects of this id space in turns of the event loop, before many ask for one. */
  async search(target: Target): Promise<void> {
    const { idSpace } = this.#contract.tables(target);
    while (!this.#readFor(idSpace, rowsPerTurn)) await new Promise<void>(inTurn);
  }

  /** Returns whether it has read all rows, and not only about so many. */
  #readFor(idSpace: string, most = Number.POSITIVE_INFINITY): boolean {
    let index = this.#read.get(idSpace) ?? 0;
    if (index === this.#batches.length) return true;
    for (let rows = 0; index < this.#batches.length && rows < most; index += 1) {
      const { type, objects, complete } = this.#batches[index] as Batch;
      const tables = this.#contract.tables(type);
      // Objects of a union's kinds are identified when they are added.
      const areSought = !tables.union && tables.idSpace === idSpace;
      const mayEmbed = tables.below.has(idSpace);
      if (!areSought && !mayEmbed) continue;
      const ways = tables.waysTo(idSpace);
      rows += objects.length;
      for (const data of objects) {
        if (!isRow(data)) continue;
        if (areSought) this.#identify(tables, data, complete);
        if (mayEmbed) this.#readBelow(ways, data, idSpace);
      }
    }
    this.#read.set(idSpace, index);
    return index === this.#batches.length;
  }

  #readBelow({ embedded: children, references: fields }: EmbeddedTypes, data: Json, idSpace: string): void {
    for (const { key, type: childType } of children) this.#readObjects(childType, data[key], idSpace);
    for (const { field, reference } of fields) {
      const target = targetIn(data, reference);
      // Objects of two kinds may have one id, and the object around this one does not name its kind.
      if (reference.kindBy && target === reference.to) continue;
      const valuesOf = reference.list ? referenceValues : referenceValue;
      this.#readObjects(target, valuesOf(data, field, reference), idSpace);
    }
  }

  /** Reads an object, or each of a list. */
  #readObjects(type: Target, value: unknown, idSpace: string): void {
    if (Array.isArray(value)) for (const item of value) this.#readObjects(type, item, idSpace);
    if (!isObject(value)) return;
    const tables = this.#contract.tables(type);
    if (tables.idSpace === idSpace) this.#identify(tables, value, false);
    if (idSpace === anyUnion) this.#learnKinds(tables.evidence, value);
    this.#readBelow(tables.waysTo(idSpace), value, idSpace);
  }

  #at(type: string, id: string): Known | undefined {
    return this.#byType.get(type)?.get(id);
  }

  #merge(type: string, id: string, object: Known): void {
    const byId = madeOnce(this.#byType, type, noObjects);
    const known = byId.get(id);
    if (object.complete || !known) byId.set(id, object);
    else if (!known.complete) byId.set(id, { data: { ...known.data, ...object.data }, complete: false });
  }
}

const noObjects = () => new Map<string, Known>();

/** The value is the expected one, or a list with items where none is expected. */
function holds(value: unknown, expected: string | undefined): boolean {
  return expected === undefined ? Array.isArray(value) && value.length > 0 : value === expected;
}
