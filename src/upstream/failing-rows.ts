import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import type { Range } from './list-page.ts';

/** Rows of one list that the service fails on. */
export class FailingRows {
  /** Rows of the list when they failed. */
  readonly #count: number;
  /** Counted from the end of the list, because new rows come first. */
  readonly #fromEnd: readonly number[];

  constructor(count = 0, fromEnd: readonly number[] = []) {
    this.#count = count;
    this.#fromEnd = fromEnd;
  }

  get isEmpty(): boolean {
    return this.#fromEnd.length === 0;
  }

  /** Places in the range where these rows probably are. `count`: rows of the list, as far as the reader knows. */
  placesIn({ offset, limit }: Range, count = this.#count): number[] {
    const places = this.#fromEnd.map((fromEnd) => count - fromEnd);
    return places.filter((place) => place >= offset && place < offset + limit).toSorted((a, b) => a - b);
  }

  /** The same rows, after a search has found those in the range. */
  with(range: Range, places: readonly number[], count: number): FailingRows {
    const inside = new Set(this.placesIn(range, count));
    const outside = this.#fromEnd.filter((fromEnd) => !inside.has(count - fromEnd));
    return new FailingRows(count, [...places.map((place) => count - place), ...outside].slice(0, maxRows));
  }
}

/** Bounds the calls of the next read, which takes two more for each. */
const maxRows = 20;
const rowsTtlMs = 600_000;
/** A service that fails on everything is not searched with each read. */
const pauseAfterSearchMs = 30_000;

/** Rows that failed a while ago, by caller and list. The next read goes around them. */
export class FailingRowsCache {
  readonly #lists = new LRUCache<string, FailingRows | 'not found'>({ max: 1_000 });

  get isEmpty(): boolean {
    return this.#lists.size === 0;
  }

  /** `not found`: a search in vain was a short while ago. */
  get({ digest }: Caller, list: string): FailingRows | 'not found' | undefined {
    return this.#lists.get(`${digest} ${list}`);
  }

  set({ digest }: Caller, list: string, rows: FailingRows | 'not found'): void {
    const name = `${digest} ${list}`;
    if (rows === 'not found') this.#lists.set(name, rows, { ttl: pauseAfterSearchMs });
    else if (rows.isEmpty) this.#lists.delete(name);
    else this.#lists.set(name, rows, { ttl: rowsTtlMs });
  }
}
