import { LRUCache } from 'lru-cache';

type EntityKind = 'Farmer' | 'Company';

/**
 * The kinds of entity ids, across requests. A reference does not name its kind, and a call of the wrong endpoint is wasted.
 * Contains kinds only, so that no data of one caller can reach another.
 */
export class EntityKindCache {
  readonly #kinds: LRUCache<string, EntityKind>;

  constructor(maxEntries = 100_000) {
    this.#kinds = new LRUCache({ max: maxEntries });
  }

  get(id: string): EntityKind | undefined {
    return this.#kinds.get(id);
  }

  /** The latest kind wins, so that the next answer corrects a wrong one. */
  learn(id: string, kind: EntityKind): void {
    this.#kinds.set(id, kind);
  }
}
