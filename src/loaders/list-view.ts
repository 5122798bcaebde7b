import type { ListPage, Range } from '../upstream/list-page.ts';

/** Rows of a list in the direction in which the client pages. */
export interface View {
  rows: unknown[];
  /** Rows before the first one, in that direction. */
  from: number;
  /** Rows of the whole list. */
  count: number;
  reachesEnd: boolean;
  /** Further rows did not come in time. */
  isCut: boolean;
}

/** A list in the direction in which the client pages: from its start with `after`, from its end with `before`. */
export class ListView {
  readonly isBackward: boolean;
  /** Rows may move in a list whose count stays as it was. */
  readonly movesRows: boolean;
  readonly #read: (range: Range) => Promise<ListPage>;

  constructor(isBackward: boolean, movesRows: boolean, read: (range: Range) => Promise<ListPage>) {
    this.isBackward = isBackward;
    this.movesRows = movesRows;
    this.#read = read;
  }

  /** Reads rows `from` to `to`. `count`: rows of the list, as far as the gateway knows. */
  async look(from: number, to: number, count: number): Promise<View> {
    const offset = Math.max(0, this.isBackward ? count - to : from);
    const limit = Math.max(0, (this.isBackward ? count - Math.max(0, from) : to) - offset);
    return this.viewOf(await this.#read({ offset, limit }), offset);
  }

  viewOf({ rows, count, cut }: ListPage, offset: number): View {
    const from = this.isBackward ? Math.max(0, count - offset - rows.length) : offset;
    return { rows: this.turn(rows), from, count, reachesEnd: from + rows.length >= count, isCut: cut !== undefined };
  }

  /** The position of a row, counted from the other end where the client pages backward. */
  at(position: number, count: number): number {
    return this.isBackward ? count - 1 - position : position;
  }

  turn<Row>(rows: Row[]): Row[] {
    return this.isBackward ? rows.toReversed() : rows;
  }
}
