import { isObject, type Json } from '../lib/json.ts';
import type { CallerKnowledge, EntityKind } from '../upstream/knowledge.ts';
import { type EmbeddedTypes, embeddedIn, embeddedTypesOf, kindTable, tableOf, waysTo } from './embedded-types.ts';
import { heirsOf, passOn } from './inheritance.ts';
import type { Target } from './kinds.ts';
import { isRow, references, referenceValue, referenceValues } from './references.ts';

export interface Known {
  data: Json;
  /** The object is a row of a list, or the answer to a GET by id. No other answer has more keys. */
  complete: boolean;
}

/** Objects of one answer. */
interface Batch {
  objects: readonly unknown[];
  complete: boolean;
}

/** Types that a reference can lead to. */
const identifiable: ReadonlySet<string> = new Set([
  ...['Farmer', 'Company'],
  ...Object.values(references).flatMap((fields) => Object.values(fields).map(({ to }) => to)),
]);

/**
 * The objects that one request has seen: rows of lists, objects embedded in them, and answers to GETs by id. Ids are unique
 * inside one table of the service. The map searches rows for a table when a loader first asks for one of its objects. Most
 * answers are never searched.
 */
export class IdentityMap {
  readonly #byType = new Map<string, Map<string, Known>>();
  readonly #batches = new Map<Target, Batch[]>();
  /** Numbers of batches at the last search for a table: of all types, and of each. */
  readonly #read = new Map<string, { all: number; of: Map<Target, number> }>();
  #count = 0;
  readonly #kinds: { readonly knowledge: CallerKnowledge };
  readonly #supposed = new Map<string, EntityKind>();
  /** Destinations of incoming payments. */
  readonly #payees = new Set<string>();

  /** Many requests have no use for kinds, so their knowledge is found on first use. */
  constructor(kinds: { readonly knowledge: CallerKnowledge }) {
    this.#kinds = kinds;
  }

  /** The known properties of an object. For an Entity: those of the farmer or company of that id. */
  get(target: Target, id: string): Known | undefined {
    this.#readFor(tableOf(target));
    if (target !== 'Entity') return this.#at(target, id);
    const farmer = this.#at('Farmer', id);
    if (farmer?.complete) return farmer;
    const company = this.#at('Company', id);
    // A cached kind may turn out wrong. Later answers of the service count.
    if (company?.complete) return company;
    const entity = this.#at('Entity', id);
    return entity?.complete ? entity : (farmer ?? company ?? entity);
  }

  /** The kind, or the probable kind, of an Entity's id. */
  guessKind(id: string): EntityKind | undefined {
    const kind = this.kindOf(id) ?? this.#kinds.knowledge.guessKind(id) ?? this.#supposed.get(id);
    if (kind) return kind;
    // A payment is incoming unless the caller's company is its source. Mostly that company is then the destination.
    return this.#payees.size === 1 && this.#payees.has(id) ? 'Company' : undefined;
  }

  /** The kind of an Entity's id, if an answer to this caller has shown the kind. */
  kindOf(id: string): EntityKind | undefined {
    const kind = this.#kinds.knowledge.kindOf(id);
    if (kind) return kind;
    this.#readFor(kindTable);
    return this.#kinds.knowledge.kindOf(id);
  }

  /** Notes a probable kind, which no answer has shown yet. */
  suppose(id: string, kind: EntityKind): void {
    this.#supposed.set(id, kind);
  }

  /** Adds an object of the service, with all objects that it embeds. */
  add(type: Target, data: Json, complete: boolean): void {
    if (type === 'Entity') this.kindOf(String(data.id));
    this.addAll(type, [data], complete);
  }

  /** Adds many objects of one type. Values without an id are ignored. */
  addAll(type: Target, objects: readonly unknown[], complete: boolean): void {
    const batches = this.#batches.get(type);
    if (batches) batches.push({ objects, complete });
    else this.#batches.set(type, [{ objects, complete }]);
    this.#count += 1;
    const isEntity = tableOf(type) === 'Entity';
    const { companies, hasParties } = embeddedTypesOf(type);
    const heirs = heirsOf(type);
    if (!isEntity && !hasParties && companies.length + heirs.length === 0) return;
    for (const data of objects) {
      if (!isRow(data)) continue;
      // A farmer or company shows its own kind, which helps other requests.
      if (isEntity) this.#identify(type, data, complete);
      if (heirs.length > 0) passOn(data, heirs);
      if (hasParties) this.#addParties(type, data);
      if (companies.length > 0) this.#learnCompanies(companies, data);
    }
  }

  #identify(type: Target, data: Json, complete: boolean): void {
    // A payment inside a transaction is neither: the service does not know it by id.
    const isFound = identifiable.has(type) || complete;
    if (!isFound || typeof data.id !== 'string') return;
    const kind = type === 'Entity' ? (this.#kinds.knowledge.kindOf(data.id) ?? type) : type;
    if (kind === 'Farmer' || kind === 'Company') {
      data.__typename = kind;
      this.#kinds.knowledge.learnKind(data.id, kind);
    } else if (kind === 'Entity') {
      data.__typename = 'UnknownEntity';
    }
    this.#merge(kind, data.id, { data, complete });
  }

  #addParties(type: Target, { type: direction, source, destination, parents }: Json): void {
    // The source of an outgoing transaction is the caller's company.
    if (direction === 'OUTGOING' && typeof source === 'string') this.#kinds.knowledge.learnKind(source, 'Company');
    if (type === 'PaymentTransaction' && direction === 'INCOMING' && typeof destination === 'string') {
      this.#payees.add(destination);
    }
    // A product with parents was bought before, so its source is no farmer.
    if (Array.isArray(parents) && parents.length > 0 && typeof source === 'string') this.suppose(source, 'Company');
  }

  #learnCompanies(fields: readonly string[], data: Json): void {
    for (const field of fields) {
      const value = data[field];
      if (typeof value === 'string' && value !== '') this.#kinds.knowledge.learnKind(value, 'Company');
    }
  }

  #readFor(table: string): void {
    let read = this.#read.get(table);
    if ((read?.all ?? 0) === this.#count) return;
    if (!read) {
      read = { all: 0, of: new Map() };
      this.#read.set(table, read);
    }
    read.all = this.#count;
    for (const [type, batches] of this.#batches) {
      const areSought = table !== 'Entity' && table === type;
      const mayEmbed = embeddedIn(type).has(table);
      if (!areSought && !mayEmbed) continue;
      const from = read.of.get(type) ?? 0;
      read.of.set(type, batches.length);
      const ways = waysTo(table, type);
      for (let index = from; index < batches.length; index += 1) {
        const { objects, complete } = batches[index] as Batch;
        for (const data of objects) {
          if (!isRow(data)) continue;
          if (areSought) this.#identify(type, data, complete);
          if (mayEmbed) this.#readBelow(ways, data, table);
        }
      }
    }
  }

  #readBelow({ embedded: children, references: fields }: EmbeddedTypes, data: Json, table: string): void {
    for (const { key, type: childType } of children) {
      const child = data[key];
      if (Array.isArray(child)) for (const item of child) this.#readObject(childType, item, table);
      else this.#readObject(childType, child, table);
    }
    for (const { field, reference } of fields) {
      if (reference.list) {
        for (const value of referenceValues(data, field, reference) ?? []) this.#readObject(reference.to, value, table);
      } else {
        this.#readObject(reference.to, referenceValue(data, field, reference), table);
      }
    }
  }

  #readObject(type: Target, value: unknown, table: string): void {
    if (!isObject(value)) return;
    if (tableOf(type) === table) this.#identify(type, value, false);
    if (table === kindTable) {
      const { companies, hasParties } = embeddedTypesOf(type);
      if (hasParties) this.#addParties(type, value);
      this.#learnCompanies(companies, value);
    }
    this.#readBelow(waysTo(table, type), value, table);
  }

  #at(type: string, id: string): Known | undefined {
    return this.#byType.get(type)?.get(id);
  }

  #merge(type: string, id: string, object: Known): void {
    let byId = this.#byType.get(type);
    if (!byId) {
      byId = new Map();
      this.#byType.set(type, byId);
    }
    const known = byId.get(id);
    if (object.complete || !known) byId.set(id, object);
    else if (!known.complete) byId.set(id, { data: { ...known.data, ...object.data }, complete: false });
  }
}
