import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { isPossibleId } from './request-path.ts';

const maxKeys = 200;
const maxOfKey = 1_000;
const ttlMs = 60_000;

/** Ids that the service gave a caller neither as farmer nor as company, a short while ago. */
export class MissingEntities {
  /** By the digest of the caller's key: milliseconds of performance.now() at which a miss ends, by caller and id. */
  readonly #ofKeys = new LRUCache<string, Map<string, number>>({ max: maxKeys });

  /** Call before the reads whose misses it learns. A write of the caller makes it learn in vain. */
  of({ digest, keyDigest }: Caller): CallerMisses {
    const ends = this.#ofKeys.get(keyDigest) ?? new Map();
    this.#ofKeys.set(keyDigest, ends);
    return new CallerMisses(ends, digest);
  }

  invalidate(keyDigest: string): void {
    this.#ofKeys.delete(keyDigest);
  }
}

/** The misses as one request of a caller may use them. */
export class CallerMisses {
  readonly #ends: Map<string, number>;
  readonly #digest: string;

  constructor(ends: Map<string, number>, digest: string) {
    this.#ends = ends;
    this.#digest = digest;
  }

  has(id: string): boolean {
    return (this.#ends.get(`${this.#digest} ${id}`) ?? 0) > performance.now();
  }

  add(id: string): void {
    if (!isPossibleId(id)) return;
    if (this.#ends.size >= maxOfKey) this.#ends.clear();
    this.#ends.set(`${this.#digest} ${id}`, performance.now() + ttlMs);
  }
}
