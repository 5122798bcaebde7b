import { LRUCache } from 'lru-cache';

export type EntityKind = 'Farmer' | 'Company';

/**
 * The kinds of entity ids, across requests. A reference does not name its kind, and a call of the wrong endpoint is wasted.
 * Each kind is cached for its caller, and for all callers.
 */
export class EntityKindCache {
  readonly #kinds: LRUCache<string, EntityKind>;

  constructor(maxEntries = 100_000) {
    this.#kinds = new LRUCache({ max: maxEntries });
  }

  of(callerDigest: string): CallerKinds {
    return new CallerKinds(this.#kinds, callerDigest);
  }
}

/** The kinds as one caller may use them. */
export class CallerKinds {
  readonly #kinds: LRUCache<string, EntityKind>;
  readonly #callerDigest: string;

  constructor(kinds: LRUCache<string, EntityKind>, callerDigest: string) {
    this.#kinds = kinds;
    this.#callerDigest = callerDigest;
  }

  /** The kind that the service has shown to this caller. */
  get(id: string): EntityKind | undefined {
    return this.#kinds.get(this.#ownKey(id));
  }

  /** The kind that the service has shown to any caller. An answer must not depend on it, but the order of calls may. */
  guess(id: string): EntityKind | undefined {
    return this.#kinds.get(id);
  }

  /** The latest kind wins, so that the next answer corrects a wrong one. */
  learn(id: string, kind: EntityKind): void {
    const key = this.#ownKey(id);
    if (this.#kinds.get(key) === kind) return;
    this.#kinds.set(key, kind);
    this.#kinds.set(id, kind);
  }

  #ownKey(id: string): string {
    return `${this.#callerDigest} ${id}`;
  }
}
