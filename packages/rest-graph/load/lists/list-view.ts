import type { UpstreamError } from '@gateway/base';
import type { ListReader, RangeOptions } from './list-reader.ts';

/** Rows of a list in the direction in which the client pages. */
export interface View {
  rows: unknown[];
  /** Rows before the first one, in that direction. */
  from: number;
  /** Rows of the whole list. */
  count: number;
  reachesEnd: boolean;
}

/** A list in the direction in which the client pages: from its start with `after`, from its end with `before`. */
export class ListView {
  readonly list: ListReader;
  readonly isBackward: boolean;
  /** Positions in the list whose rows may be missing, of all rows that the gateway has looked at. */
  readonly doubts: number[] = [];
  /** The error of rows behind the latest ones, which did not come in time. */
  cut: UpstreamError | undefined;
  readonly #options: RangeOptions;

  constructor(list: ListReader, isBackward: boolean, options: RangeOptions) {
    this.list = list;
    this.isBackward = isBackward;
    this.#options = options;
  }

  /** Reads rows `from` to `to`. `count`: rows of the list, as far as the gateway knows. */
  async look(from: number, to: number, { count, isOnePage }: { count: number; isOnePage: boolean }): Promise<View> {
    const offset = Math.max(0, this.isBackward ? count - to : from);
    const limit = Math.max(0, (this.isBackward ? count - Math.max(0, from) : to) - offset);
    const page = await this.list.range({ offset, limit }, { ...this.#options, isOnePage });
    this.doubts.push(...(page.doubts ?? []));
    this.cut = page.cut;
    // The rows next to the cursor are missing.
    if (page.cut && this.isBackward) throw page.cut;
    const start = this.isBackward ? Math.max(0, page.count - offset - page.rows.length) : offset;
    const reachesEnd = start + page.rows.length >= page.count;
    return { rows: this.turn(page.rows), from: start, count: page.count, reachesEnd };
  }

  /** The position of a row, counted from the other end where the client pages backward. */
  at(position: number, count: number): number {
    return this.isBackward ? count - 1 - position : position;
  }

  turn<Row>(rows: Row[]): Row[] {
    return this.isBackward ? rows.toReversed() : rows;
  }
}
