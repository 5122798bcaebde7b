import { LRUCache } from 'lru-cache';
import { atMost } from '../lib/at-most.ts';
import type { Caller } from './caller.ts';
import { type EndpointName, pageSize } from './endpoints.ts';
import type { ListPage, Range } from './list-page.ts';
import type { ListShifts } from './list-shifts.ts';

interface SeenLength {
  count: number;
  /** Milliseconds of performance.now(). */
  at: number;
}

/** Guesses about one list, before the gateway reads its size again. */
const maxGuesses = 50;

/**
 * Sizes of lists, from the pages that a caller has read. A request that knows the size need not read one
 * page to learn whether the others are worth reading. A wrong size costs a call, never a row.
 */
export class ListSizeCache {
  readonly #lengths = new LRUCache<string, SeenLength>(atMost(10_000));
  readonly #shifts: ListShifts;
  /** A page may also be short because rows went while the service read it. */
  readonly #pageSizes = new LRUCache<EndpointName, number>({ max: 100, ttl: 600_000 });
  readonly #usual = new Map<EndpointName, { length: number; guesses: number }>();

  /** `shifts` learns how fast the lists change. */
  constructor(shifts: ListShifts) {
    this.#shifts = shifts;
  }

  /** Rows of the largest page that the service gives of a list, as far as the gateway knows; `most` otherwise. */
  pageSizeOf(endpoint: EndpointName, most = pageSize): number {
    return Math.min(most, this.#pageSizes.get(endpoint) ?? most);
  }

  get({ digest }: Caller, endpoint: EndpointName): number | undefined {
    return this.#lengths.get(`${digest} ${endpoint}`)?.count;
  }

  /**
   * The shortest size that other callers have seen, for a caller who has seen none. Ends after some guesses, so that the
   * gateway notices when lists change.
   */
  guess(endpoint: EndpointName): number | undefined {
    const usual = this.#usual.get(endpoint);
    if (!usual) return undefined;
    usual.guesses += 1;
    if (usual.guesses > maxGuesses) this.#usual.delete(endpoint);
    return usual.guesses > maxGuesses ? undefined : usual.length;
  }

  learn({ digest }: Caller, endpoint: EndpointName, { offset, limit }: Range, { count, rows }: ListPage): void {
    const expected = Math.max(0, Math.min(limit, count - offset));
    // A short page before the end comes from a service with smaller pages.
    if (rows.length > 0 && rows.length < expected) this.#pageSizes.set(endpoint, rows.length);
    if (rows.length < expected) return;
    const name = `${digest} ${endpoint}`;
    const at = performance.now();
    const before = this.#lengths.get(name);
    if (before) this.#shifts.pass(endpoint, Math.abs(count - before.count), at - before.at);
    this.#lengths.set(name, { count, at });
    const usual = this.#usual.get(endpoint);
    if (usual) usual.length = Math.min(usual.length, count);
    else this.#usual.set(endpoint, { length: count, guesses: 0 });
  }
}
