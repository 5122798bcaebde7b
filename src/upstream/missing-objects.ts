import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { isPossibleId } from './request-path.ts';

const maxCallers = 200;
const maxOfCaller = 1_000;
const ttlMs = 60_000;

/**
 * Objects that the service did not give a caller by their ids, a short while ago. An entity is one that is neither farmer
 * nor company.
 */
export class MissingObjects {
  /** By the digest of the caller's headers. */
  readonly #ofCallers = new LRUCache<string, CallerMisses>({ max: maxCallers });

  /** Call before the reads whose misses it learns, so that it learns nothing more after a write. */
  of({ digest }: Caller): CallerMisses {
    const misses = this.#ofCallers.get(digest) ?? new CallerMisses();
    this.#ofCallers.set(digest, misses);
    return misses;
  }

  invalidate(keyDigest: string): void {
    for (const digest of [...this.#ofCallers.keys()]) if (digest.startsWith(keyDigest)) this.#ofCallers.delete(digest);
  }

  clear(): void {
    this.#ofCallers.clear();
  }
}

export class CallerMisses {
  /** By type and id: milliseconds of performance.now() until which the miss holds. */
  readonly #ends = new Map<string, number>();

  has(type: string, id: string): boolean {
    return (this.#ends.get(`${type} ${id}`) ?? 0) > performance.now();
  }

  add(type: string, id: string): void {
    if (!isPossibleId(id)) return;
    if (this.#ends.size >= maxOfCaller) this.#ends.clear();
    this.#ends.set(`${type} ${id}`, performance.now() + ttlMs);
  }
}
