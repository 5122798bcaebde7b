import type { ListPage, Range } from '../../upstream/list-page.ts';
import type { ListOrder } from './order.ts';

/** A limit of 0 reads the count alone. `isOnePage`: all rows of one state, where the service gives pages so large. */
export type ReadRows = (range: Range, isOnePage?: boolean) => Promise<ListPage>;

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
  readonly order: ListOrder;
  readonly #read: ReadRows;

  constructor(isBackward: boolean, order: ListOrder, read: ReadRows) {
    this.isBackward = isBackward;
    this.order = order;
    this.#read = read;
  }

  /** Reads rows `from` to `to`. `count`: rows of the list, as far as the gateway knows. */
  async look(from: number, to: number, { count, isOnePage }: { count: number; isOnePage: boolean }): Promise<View> {
    const offset = Math.max(0, this.isBackward ? count - to : from);
    const limit = Math.max(0, (this.isBackward ? count - Math.max(0, from) : to) - offset);
    return this.viewOf(await this.#read({ offset, limit }, isOnePage), offset);
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
