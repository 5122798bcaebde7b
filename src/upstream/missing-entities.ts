import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { isPossibleId } from './request-path.ts';

const maxCallers = 200;
const maxOfCaller = 1_000;
const ttlMs = 60_000;

/** Ids that the service gave a caller neither as farmer nor as company, a short while ago. */
export class MissingEntities {
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
  /** By id: milliseconds of performance.now() until which the miss holds. */
  readonly #ends = new Map<string, number>();

  has(id: string): boolean {
    return (this.#ends.get(id) ?? 0) > performance.now();
  }

  add(id: string): void {
    if (!isPossibleId(id)) return;
    if (this.#ends.size >= maxOfCaller) this.#ends.clear();
    this.#ends.set(id, performance.now() + ttlMs);
  }
}
