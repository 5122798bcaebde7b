import { isObject, type Json } from '../lib/json.ts';
import { anyTable, embeddedIn, embeddedTypesOf, leadsTo, tableOf } from './embedded-types.ts';
import type { EntityKindCache } from './entity-kind-cache.ts';
import type { Target } from './kinds.ts';
import { isRow, references, referenceValue, referenceValues } from './references.ts';

export interface Known {
  data: Json;
  /** The service sent all that it has: a key that is missing here is missing everywhere. */
  complete: boolean;
}

/** Types that a reference can lead to, however their objects came. */
const identifiable: ReadonlySet<string> = new Set([
  ...['Farmer', 'Company'],
  ...Object.values(references).flatMap((fields) => Object.values(fields).map(({ to }) => to)),
]);

/**
 * The objects that one request has seen, however they came: as a row, embedded in one, or asked for by id.
 * Ids are unique only inside one table of the service, so objects are kept by type and id. Rows are put in their place,
 * and looked through for what is embedded in them, when somebody asks for an object of such a table: of most answers
 * nobody does.
 */
export class IdentityMap {
  readonly #byType = new Map<string, Map<string, Known>>();
  readonly #rows = new Map<Target, Known[]>();
  /** By table: how many rows of all types there were when they were last looked through for it, and how many of each. */
  readonly #read = new Map<string, { all: number; of: Map<Target, number> }>();
  #count = 0;
  readonly #kinds: EntityKindCache;
  readonly #likely = new Map<string, 'Farmer' | 'Company'>();
  /** Who gets the payments that come in. */
  readonly #payees = new Set<string>();

  constructor(kinds: EntityKindCache) {
    this.#kinds = kinds;
  }

  /** What is known of a resource. Of an Entity: the farmer or company of that id. */
  get(target: Target, id: string): Known | undefined {
    this.#readFor(tableOf(target));
    if (target !== 'Entity') return this.#at(target, id);
    const farmer = this.#at('Farmer', id);
    if (farmer?.complete) return farmer;
    const company = this.#at('Company', id);
    // A remembered kind may turn out wrong: what the service has sent since then counts.
    if (company?.complete) return company;
    const entity = this.#at('Entity', id);
    return entity?.complete ? entity : (farmer ?? company ?? entity);
  }

  /** What an id of an Entity is, or most likely is, as far as this request has seen. */
  kindOf(id: string): 'Farmer' | 'Company' | undefined {
    const kind = this.#kinds.get(id);
    if (kind) return kind;
    this.#readFor(anyTable);
    const isOnlyPayee = this.#payees.size === 1 && this.#payees.has(id);
    // Incoming is what does not go out of the caller's own company: mostly it goes into it, but an administrator's may not.
    return this.#kinds.get(id) ?? this.#likely.get(id) ?? (isOnlyPayee ? 'Company' : undefined);
  }

  /** Something other than an answer says what an id probably is. */
  suppose(id: string, kind: 'Farmer' | 'Company'): void {
    this.#likely.set(id, kind);
  }

  /** Remembers an object of the service and all that is embedded in it. `complete`: it is a row of a list or a GET by id. */
  add(type: Target, data: Json, complete: boolean): void {
    if (type === 'Entity') this.kindOf(String(data.id));
    this.addAll(type, [data], complete);
  }

  /** The same for many of one type; what has no id is none. */
  addAll(type: Target, objects: readonly unknown[], complete: boolean): void {
    const rows = this.#rows.get(type) ?? [];
    this.#rows.set(type, rows);
    const isEntity = tableOf(type) === 'Entity';
    const hasParties = type === 'ProductTransaction' || type === 'PaymentTransaction';
    const { companies } = embeddedTypesOf(type);
    for (const data of objects) {
      if (!isRow(data)) continue;
      const known = { data, complete };
      rows.push(known);
      // What is an entity says so itself, and other requests are glad to know.
      if (isEntity) this.#identify(type, known);
      if (type === 'ProductTransaction') completePayments(data);
      if (hasParties) this.#addParties(type, data);
      if (companies.length > 0) this.#learnCompanies(companies, data);
      this.#count += 1;
    }
  }

  #identify(type: Target, known: Known): void {
    const { data, complete } = known;
    // The service does not know payments inside a transaction by id.
    const isFound = identifiable.has(type) || complete;
    if (!isFound || typeof data.id !== 'string') return;
    const kind = type === 'Entity' ? (this.#kinds.get(data.id) ?? type) : type;
    if (kind === 'Farmer' || kind === 'Company') {
      data.__typename = kind;
      this.#kinds.learn(data.id, kind);
    } else if (kind === 'Entity') {
      data.__typename = 'UnknownEntity';
    }
    this.#merge(kind, data.id, known);
  }

  #addParties(type: Target, { type: direction, source, destination, parents }: Json): void {
    // Outgoing is what the caller's own company gives away.
    if (direction === 'OUTGOING' && typeof source === 'string') this.#kinds.learn(source, 'Company');
    if (type === 'PaymentTransaction' && direction === 'INCOMING' && typeof destination === 'string') {
      this.#payees.add(destination);
    }
    // What has been bought before is no longer the farmer's.
    if (Array.isArray(parents) && parents.length > 0 && typeof source === 'string') this.suppose(source, 'Company');
  }

  #learnCompanies(fields: readonly string[], data: Json): void {
    for (const field of fields) {
      const value = data[field];
      if (typeof value === 'string' && value !== '') this.#kinds.learn(value, 'Company');
    }
  }

  #readFor(table: string): void {
    let read = this.#read.get(table);
    if (read?.all === this.#count) return;
    if (!read) {
      read = { all: 0, of: new Map() };
      this.#read.set(table, read);
    }
    read.all = this.#count;
    for (const [type, rows] of this.#rows) {
      const areSought = table !== 'Entity' && table === type;
      const mayEmbed = table === anyTable || embeddedIn(type).has(table);
      if (!areSought && !mayEmbed) continue;
      const from = read.of.get(type) ?? 0;
      read.of.set(type, rows.length);
      for (let index = from; index < rows.length; index += 1) {
        const known = rows[index] as Known;
        if (areSought) this.#identify(type, known);
        if (mayEmbed) this.#readBelow(type, known.data, table);
      }
    }
  }

  #readBelow(type: Target, data: Json, table: string): void {
    const { embedded: children, references: fields } = embeddedTypesOf(type);
    for (const { key, type: childType } of children) {
      if (!leadsTo(childType, table)) continue;
      const child = data[key];
      if (Array.isArray(child)) for (const item of child) this.#readObject(childType, item, table);
      else this.#readObject(childType, child, table);
    }
    for (const { field, reference } of fields) {
      if (!leadsTo(reference.to, table)) continue;
      if (reference.list) {
        for (const value of referenceValues(data, field, reference) ?? []) this.#readObject(reference.to, value, table);
      } else {
        this.#readObject(reference.to, referenceValue(data, field, reference), table);
      }
    }
  }

  #readObject(type: Target, value: unknown, table: string): void {
    if (!isObject(value)) return;
    if (tableOf(type) === table) this.#identify(type, { data: value, complete: false });
    if (table === anyTable) {
      this.#addParties(type, value);
      this.#learnCompanies(embeddedTypesOf(type).companies, value);
    }
    this.#readBelow(type, value, table);
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

/**
 * Payments come inside their transaction without what they share with it, and cannot be asked for by id.
 * A payment goes the other way than the product.
 */
function completePayments(transaction: Json): void {
  if (!Array.isArray(transaction.transaction_payments)) return;
  for (const payment of transaction.transaction_payments) {
    if (!isObject(payment)) continue;
    inherit(payment, 'transaction', transaction, 'id');
    inherit(payment, 'source', transaction, 'destination');
    inherit(payment, 'destination', transaction, 'source');
    inherit(payment, 'currency', transaction, 'currency');
    inherit(payment, 'currency_details', transaction, 'currency_details');
  }
}

function inherit(child: Json, key: string, parent: Json, parentKey: string): void {
  if (!(key in child) && parentKey in parent) child[key] = parent[parentKey];
}
