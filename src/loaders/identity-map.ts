import { isObject, type Json } from '../rest/json.ts';
import type { KindMemory } from './kind-memory.ts';
import { embedded, held, heldList, type Kind, references, type Target } from './references.ts';

export interface Known {
  data: Json;
  /** The service sent all that it has: a key that is missing here is missing everywhere. */
  complete: boolean;
}

/** Types that can be found again by id, however they came. */
const identifiable: ReadonlySet<string> = new Set<Target>([
  'Farmer',
  'Company',
  'Entity',
  'User',
  'EntityCard',
  'Card',
  'Product',
  'Currency',
  'Premium',
  'PremiumOption',
  'Form',
  'FormField',
  'ProductTransaction',
]);

/**
 * The objects that one request has seen, however they came: as a row, embedded in one, or asked for by id.
 * Ids are unique only inside one table of the service, so objects are kept by type and id.
 */
export class IdentityMap {
  readonly #byType = new Map<string, Map<string, Known>>();
  readonly #kinds: KindMemory;
  readonly #likely = new Map<string, 'Farmer' | 'Company'>();
  /** Who gets the payments that come in. */
  readonly #payees = new Set<string>();

  constructor(kinds: KindMemory) {
    this.#kinds = kinds;
  }

  /** What is known of a resource. Of an Entity: the farmer or company of that id. */
  get(target: Target, id: string): Known | undefined {
    if (target !== 'Entity') return this.#at(target, id);
    const found = [this.#at('Farmer', id), this.#at('Company', id), this.#at('Entity', id)];
    // A remembered kind may turn out wrong: what the service has sent since then counts.
    return found.find((known) => known?.complete) ?? found.find((known) => known);
  }

  /** What an id of an Entity is, or most likely is, as far as this request has seen. */
  kindOf(id: string): 'Farmer' | 'Company' | undefined {
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
    // The service does not know payments inside a transaction by id.
    const isFound = identifiable.has(type) || (type === 'PaymentTransaction' && complete);
    if (isFound && typeof data.id === 'string') {
      if (type === 'Entity') type = this.#kinds.get(data.id) ?? 'Entity';
      if (type === 'Farmer' || type === 'Company') {
        data.__typename = type;
        this.#kinds.learn(data.id, type);
      } else if (type === 'Entity') {
        data.__typename ??= 'UnknownEntity';
      }
      this.#merge(type, data.id, data, complete);
    }
    if (type === 'ProductTransaction') completePayments(data);
    this.#addParties(type, data);
    this.#addEmbedded(type, data);
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

  #addEmbedded(type: string, data: Json): void {
    for (const [key, childType] of Object.entries(embedded[type] ?? {})) {
      const child = data[key];
      for (const object of Array.isArray(child) ? child : [child]) {
        if (isObject(object)) this.add(childType as Kind, object, false);
      }
    }
    for (const [field, reference] of Object.entries(references[type] ?? {})) {
      const values = reference.list ? (heldList(data, field, reference) ?? []) : [held(data, field, reference)];
      for (const value of values) {
        if (isObject(value)) this.add(reference.to, value, false);
        else if (value !== null && reference.to === 'Company') this.#kinds.learn(value, 'Company');
      }
    }
  }

  #at(type: string, id: string): Known | undefined {
    return this.#byType.get(type)?.get(id);
  }

  #merge(type: string, id: string, data: Json, complete: boolean): void {
    let byId = this.#byType.get(type);
    if (!byId) {
      byId = new Map();
      this.#byType.set(type, byId);
    }
    const known = byId.get(id);
    if (complete || !known) byId.set(id, { data, complete });
    else if (!known.complete) byId.set(id, { data: { ...known.data, ...data }, complete: false });
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
