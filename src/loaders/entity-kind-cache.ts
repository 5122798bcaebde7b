import { LRUCache } from 'lru-cache';
import { atMost } from '../lib/at-most.ts';

export type EntityKind = 'Farmer' | 'Company';

/** Callers whose kinds are cached. */
const maxCallers = 200;

/** Kinds of one caller. A caller with more learns anew with the next request, because requests that run need theirs. */
const maxOfCaller = 1_000;

/**
 * The kinds of entity ids, across requests. A reference does not name its kind, and a call of the wrong endpoint is wasted.
 * Each kind is cached for its caller, and for all callers.
 */
export class EntityKindCache {
  readonly #ofAll: LRUCache<string, EntityKind>;
  /** By the digest of the caller's headers. Maps without an order of use are cheap: an operation learns hundreds of kinds. */
  readonly #ofCallers = new LRUCache<string, Map<string, EntityKind>>({ max: maxCallers });

  constructor(maxEntries = 100_000) {
    this.#ofAll = new LRUCache(atMost(maxEntries));
  }

  /** Many requests have no use for kinds, so the kinds of the caller are found on first use. */
  of(callerDigest: string): CallerKinds {
    return new CallerKinds(this.#ofAll, () => {
      let kinds = this.#ofCallers.get(callerDigest);
      if (!kinds || kinds.size > maxOfCaller) {
        kinds = new Map();
        this.#ofCallers.set(callerDigest, kinds);
      }
      return kinds;
    });
  }
}

/** The kinds as one request of a caller may use them. */
export class CallerKinds {
  readonly #ofAll: LRUCache<string, EntityKind>;
  readonly #find: () => Map<string, EntityKind>;
  #found: Map<string, EntityKind> | undefined;

  constructor(ofAll: LRUCache<string, EntityKind>, find: () => Map<string, EntityKind>) {
    this.#ofAll = ofAll;
    this.#find = find;
  }

  /** The kind that the service has shown to this caller. */
  get(id: string): EntityKind | undefined {
    return this.#ofCaller.get(id);
  }

  /** The kind that the service has shown to any caller. An answer must not depend on it, but the order of calls may. */
  guess(id: string): EntityKind | undefined {
    return this.#ofAll.get(id);
  }

  get #ofCaller(): Map<string, EntityKind> {
    this.#found ??= this.#find();
    return this.#found;
  }

  /** The latest kind wins, so that the next answer corrects a wrong one. */
  learn(id: string, kind: EntityKind): void {
    const ofCaller = this.#ofCaller;
    if (ofCaller.get(id) === kind) return;
    ofCaller.set(id, kind);
    if (this.#ofAll.get(id) !== kind) this.#ofAll.set(id, kind);
  }
}
