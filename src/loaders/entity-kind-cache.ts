import { LRUCache } from 'lru-cache';

export type EntityKind = 'Farmer' | 'Company';

type Kinds = LRUCache<string, EntityKind>;

/** Begins the keys of kinds that any caller has seen. Other keys begin with the number of a caller. */
const anyCaller = '0 ';

/**
 * The kinds of entity ids, across requests. A reference does not name its kind, and a call of the wrong endpoint is wasted.
 * Each kind is cached for its caller, and for all callers.
 */
export class EntityKindCache {
  readonly #kinds: Kinds;
  /** Short keys cost less than keys with the digest. */
  readonly #numbers = new LRUCache<string, number>({ max: 10_000 });
  #callers = 0;

  constructor(maxEntries = 100_000) {
    this.#kinds = new LRUCache({ max: maxEntries });
  }

  of(callerDigest: string): CallerKinds {
    let number = this.#numbers.get(callerDigest);
    if (number === undefined) {
      this.#callers += 1;
      number = this.#callers;
      this.#numbers.set(callerDigest, number);
    }
    return new CallerKinds(this.#kinds, `${number} `);
  }
}

/** The kinds as one request of a caller may use them. */
export class CallerKinds {
  readonly #kinds: Kinds;
  readonly #caller: string;
  readonly #learnt = new Map<string, EntityKind>();

  constructor(kinds: Kinds, caller: string) {
    this.#kinds = kinds;
    this.#caller = caller;
  }

  /** The kind that the service has shown to this caller. */
  get(id: string): EntityKind | undefined {
    return this.#learnt.get(id) ?? this.#kinds.get(this.#caller + id);
  }

  /** The kind that the service has shown to any caller. An answer must not depend on it, but the order of calls may. */
  guess(id: string): EntityKind | undefined {
    return this.#kinds.get(anyCaller + id);
  }

  /** The latest kind wins, so that the next answer corrects a wrong one. */
  learn(id: string, kind: EntityKind): void {
    if (this.#learnt.get(id) === kind) return;
    this.#learnt.set(id, kind);
    const key = this.#caller + id;
    if (this.#kinds.get(key) === kind) return;
    this.#kinds.set(key, kind);
    this.#kinds.set(anyCaller + id, kind);
  }
}
