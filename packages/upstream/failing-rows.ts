import type { Range } from './list-page.ts';

/** Bounds the calls of the next read, which takes two more for each. */
const maxRows = 20;

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
