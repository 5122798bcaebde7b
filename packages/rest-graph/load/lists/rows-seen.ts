import type { Json } from '@gateway/base';
import { isRow } from '@gateway/upstream';
import { timeIn } from './order.ts';

/** The rows of a list, each once, for the many that ask for those since a time. */
export class RowsSeen {
  readonly rows: Json[];
  /** The place of each row in the list. */
  readonly places: number[] = [];
  /** The earliest time up to each row, in unix seconds. */
  readonly #earliest: number[] = [];

  /** `time`: the property with the time of a row. */
  constructor(all: readonly unknown[], time: string | undefined) {
    const unique = new Map<unknown, Json>();
    for (const [place, row] of all.entries()) {
      if (!isRow(row)) continue;
      if (!unique.has(row.id)) {
        const earliest = this.#earliest.at(-1) ?? Number.POSITIVE_INFINITY;
        this.places.push(place);
        this.#earliest.push(Math.min(earliest, timeIn(time, row) ?? earliest));
      }
      unique.set(row.id, row);
    }
    this.rows = [...unique.values()];
  }

  /** The number of rows before the first one that is earlier; undefined where none is. */
  since(time: number): number | undefined {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#earliest[middle] as number) < time) high = middle;
      else low = middle + 1;
    }
    return low < this.rows.length ? low : undefined;
  }
}
