import type { UpstreamError } from '@gateway/base';
import type { PlacedPage, RowRange } from './connection.ts';
import type { CursorRow } from './cursor.ts';
import type { ListReader, RangeOptions } from './list-reader.ts';
import { maxReadings, rowsAfter } from './rows-after.ts';

/** Reads the page that a client asks for, or the count alone. */
export function readPage(
  list: ListReader,
  asked: RowRange,
  showsRows: boolean,
  options: RangeOptions,
): Promise<PlacedPage> {
  const { cursor, isBackward = false, size } = asked.beside ?? {};
  if (cursor?.row && size && showsRows) {
    return readBeside(cursor.position, cursor.row, size, new ListView(list, isBackward, options));
  }
  return (asked.fromEnd ? readLast : readFirst)(list, asked, showsRows, options);
}

async function readBeside(position: number, row: CursorRow, size: number, view: ListView): Promise<PlacedPage> {
  const { isBackward, doubts } = view;
  const { known, order } = view.list;
  const found = await rowsAfter(position, row, size, view, known.expectedShift);
  const { count, from, passed, isUncertain } = found;
  const moved = isBackward ? count - from - position : from - position - 1;
  if (!isUncertain) known.learnShift(moved);
  // Rows that were before the cursor have changed, and stand where the client has read.
  const isPassedBy = order.movesRows && isBackward && moved < 0;
  const rows = view.turn(found.rows.slice(0, size));
  const cut = rows.length < size ? view.cut : undefined;
  if (cut && rows.length === 0) throw cut;
  return {
    count,
    rows,
    doubts,
    cut,
    start: isBackward ? Math.max(0, count - from - rows.length) : from,
    size: rows.length,
    [isBackward ? 'after' : 'before']: passed,
    isUncertain: isUncertain || isPassedBy,
  };
}

async function readFirst(
  list: ListReader,
  { start, size }: RowRange,
  showsRows: boolean,
  options: RangeOptions,
): Promise<PlacedPage> {
  const page = await list.range({ offset: start, limit: showsRows ? size : 0 }, options);
  return { ...page, start, size: page.cut ? page.rows.length : size };
}

async function readLast(
  list: ListReader,
  asked: RowRange,
  showsRows: boolean,
  options: RangeOptions,
): Promise<PlacedPage> {
  const counted = await list.range({ offset: 0, limit: 0 }, options);
  let range = fromEnd(asked, counted.count);
  if (!showsRows) return { ...counted, ...range };
  let slack = list.known.expectedShift;
  for (let readings = 1; ; readings += 1) {
    const rows = { offset: range.start, limit: range.size + slack };
    const page = await list.range(rows, { ...options, isOnePage: slack > 0 });
    if (page.cut) throw page.cut;
    const now = fromEnd(asked, page.count);
    const moved = now.start - range.start;
    list.known.learnShift(moved);
    const isInside = moved === 0 || (moved > 0 && moved + now.size <= page.rows.length);
    if (isInside) return { ...page, ...now, rows: page.rows.slice(moved, moved + now.size) };
    if (readings === maxReadings) return { ...page, ...range, isUncertain: true };
    // The list grows or shrinks while the gateway reads it, and may do so once more.
    slack += Math.abs(moved);
    range = now;
  }
}

/** The range counted back from the end of a list of this length. */
function fromEnd(asked: RowRange, count: number): { start: number; size: number } {
  const end = Math.max(count, asked.start);
  const start = Math.max(asked.start, end - asked.size);
  return { start, size: Math.min(asked.size, end - start) };
}

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
  readonly list: ListReader;
  readonly isBackward: boolean;
  /** Positions in the list whose rows may be missing, of all rows that the gateway has looked at. */
  readonly doubts: number[] = [];
  /** The error of further rows, which did not come in time. */
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
    return { rows: this.turn(page.rows), from: start, count: page.count, reachesEnd, isCut: page.cut !== undefined };
  }

  /** The position of a row, counted from the other end where the client pages backward. */
  at(position: number, count: number): number {
    return this.isBackward ? count - 1 - position : position;
  }

  turn<Row>(rows: Row[]): Row[] {
    return this.isBackward ? rows.toReversed() : rows;
  }
}
