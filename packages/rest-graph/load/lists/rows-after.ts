import { isRow, mostSlack, pageSize } from '@gateway/upstream';
import { type CursorRow, fewNamed, mostNamed, type TiedRows } from './cursor.ts';
import type { ListOrder } from './filters.ts';
import type { ListView, View } from './list-view.ts';
import { areSorted, timeIn } from './order.ts';
import { mostRowsOfPage } from './range.ts';
import { digestOf, failingRow, type TieOutside } from './ties.ts';

/** The rows after a cursor. */
interface Found extends View {
  /** The cursor's row, and the rows of its time that earlier pages have shown. */
  passed?: TieOutside | undefined;
  /** Rows may be missing, or come twice. */
  isUncertain: boolean;
  /** The gateway has read the list from a row before the cursor's tie on, or from the cursor's row on. */
  isProven: boolean;
  /** The rows that the gateway has read show the position of the cursor's row, or of its tie. */
  isLocated: boolean;
  /** The gateway knows how many rows of the cursor's tie are still there. */
  isCounted: boolean;
  /** Rows that earlier pages have shown. */
  passedRows: number;
}

/** Readings for one page, at most. A list that moves with each of them moves too fast, and the page says so. */
export const maxReadings = 4;

/** Rows that the gateway reads to find one, at most: ten pages. */
const mostShift = 1_000;

/**
 * Reads the rows after a cursor: `size` of them or more, or all up to the end. The position of the cursor holds while the
 * list stays as it was. Otherwise the time and the id of its row show where to go on. `slack`: rows by which the cursor's
 * row has probably moved.
 */
export async function rowsAfter(
  position: number,
  row: CursorRow,
  size: number,
  view: ListView,
  slack: number,
): Promise<Found> {
  const place = new CursorPlace(row, view);
  const { ties } = place;
  let { count } = row;
  let at = view.at(position, count);
  let latest = count;
  let first: Found | undefined;
  const { movesRows } = view.list.order;
  // As many rows may have come as have left, and the count is the same. A short tie shows its position without a further call.
  const { known, reads } = view.list;
  // A page with a number may need twice the rows to cover others.
  const room = known.pageSize(mostRowsOfPage) / (reads.contract.wire.numbersPages ? 2 : 1);
  const readsTie = ties <= 1 + fewNamed && (ties > 1 || size < room);
  // Where rows move, the cursor's row alone shows its position.
  const begin = movesRows ? at : readsTie ? at + 1 - ties : at + 1;
  // Some rows before and after the page show where its rows have moved. They take no further call.
  const windows: [number, number][] = [slack > 0 ? [begin - slack - 1, at + 1 + size + slack] : [begin, at + 1 + size]];
  for (const [from, to] of windows) {
    // Pages of a list that changes contradict each other.
    const seen = await view.look(from, to, {
      count: latest,
      isOnePage: slack > 0 || windows.length > 1 || to - from > pageSize,
    });
    latest = seen.count;
    const shift = latest - count;
    const found = place.find(seen, at);
    first ??= found;
    // A list that grows with each call will have moved further.
    const further = Math.min(Math.abs(shift), mostSlack);
    const isEnough = found.rows.length >= size || seen.reachesEnd || view.cut !== undefined;
    const isCertain = found.isCounted || latest >= row.count;
    if (isEnough && isCertain && (found.isProven || place.holds(seen, found, at, shift))) return found;
    if (windows.length > maxReadings) break;
    if (isEnough && found.isProven) {
      const start = found.from - ties;
      // As many rows of a tie as a cursor can name.
      windows.push([start - 1, start + ties + Math.max(size, mostNamed)]);
    } else if (found.isLocated) {
      at = found.from - 1;
      count = latest;
      windows.push([at + 1 - ties - further, at + 1 + size + further]);
    } else if (movesRows || (readsTie && shift === 0)) {
      const reach = [mostSlack, pageSize, mostShift][windows.length - 1];
      if (reach !== undefined) windows.push([at - reach, at + 1 + size + reach]);
    } else if (windows.length === 1 || found.isProven) {
      for (const [least, most] of possibleShifts(shift)) {
        // A row before the tie proves that the gateway reads the tie from its start.
        windows.push([at + least - ties - further, at + most + 1 + size + further]);
      }
    }
  }
  return { ...(first as Found), isUncertain: true };
}

/** How far the cursor's row may have moved in a list that has so many more rows. New rows are seldom on both sides. */
function possibleShifts(shift: number): [least: number, most: number][] {
  const all: [number, number] = [Math.min(0, shift), Math.max(0, shift)];
  if (Math.abs(shift) <= pageSize) return [all];
  return [[shift, shift], [0, 0], ...(Math.abs(shift) <= mostShift ? [all] : [])];
}

/** The place of a cursor's row, as the cursor knows it. */
class CursorPlace {
  /** Rows of the cursor's time up to its row. */
  readonly ties: number;
  readonly #row: CursorRow;
  readonly #isBackward: boolean;
  readonly #order: ListOrder;
  /** Digests of these rows. */
  readonly #names: readonly number[] | undefined;
  readonly #digests: ReadonlySet<number> | undefined;
  /** Rows that the service failed on, of those up to the cursor's row. */
  readonly #failing: number;

  constructor(row: CursorRow, { isBackward, list: { order } }: ListView) {
    this.#row = row;
    this.#isBackward = isBackward;
    this.#order = order;
    const { count, digests }: TiedRows = (isBackward ? row.after : row.before) ?? { count: 0, digests: [] };
    this.ties = count + 1;
    this.#names = digests && [...digests, digestOf(row)];
    this.#digests = this.#names && new Set(this.#names);
    this.#failing = digests?.filter((digest) => digest === failingRow).length ?? 0;
  }

  /** Finds the rows after the cursor. `at`: the position of the cursor, unless the rows prove another. */
  find(view: View, at: number): Found {
    const { time } = this.#row;
    const { rows, from } = view;
    const { isNewestFirst, movesRows } = this.#order;
    const isDescending = isNewestFirst !== this.#isBackward;
    // Rows that the service fails on have no time.
    const times = rows.map((row) => timeIn(this.#order.by, row));
    if (time === undefined || !areSorted(times, isDescending)) return this.#findRow(view, at);
    const isBefore = (other = time) => (isDescending ? other > time : other < time);
    const begin = times.findLastIndex(isBefore) + 1;
    const digests = this.#digests ?? new Set([digestOf(this.#row)]);
    let end = Math.max(begin, times.lastIndexOf(time) + 1);
    // Rows that the service fails on have one digest together.
    let failing = this.#failing;
    const isSeen = (row: unknown) => (isRow(row) ? digests.has(digestOf(row)) : row !== undefined && failing-- > 0);
    const seen = rows.slice(begin, end).map(isSeen);
    const inOrder = movesRows ? seen.lastIndexOf(true) + 1 : 0;
    const unseen = rows.slice(begin, end).filter((_, index) => !seen[index] && index >= inOrder);
    while (end < rows.length && !isRow(rows[end]) && isSeen(rows[end])) end += 1;
    const tie = rows.slice(begin, end);
    const seenTies = tie.length - unseen.length;
    const isProven = begin > 0 || from === 0 || (movesRows && seenTies > 0);
    // In a tie that the gateway has read to its end, no row that earlier pages have shown lies elsewhere.
    const isWhole = isProven && (view.reachesEnd || times.findLastIndex((other) => other !== undefined) >= end);
    // Rows that have left the list are no longer before the next page. Those that the service fails on may hide others,
    // also one that ends the tie.
    const isLeft = isWhole && seenTies < this.ties && rows.slice(begin, end + 1).every(isRow);
    const passed = isLeft ? this.#digests && tie.map(digestOf).filter((digest) => digests.has(digest)) : this.#names;
    const passedTies = isWhole || movesRows ? seenTies : Math.max(this.ties, seenTies);
    return {
      ...view,
      rows: [...unseen, ...rows.slice(end)],
      from: isProven ? from + begin + passedTies : at + 1,
      passed: { time, count: passed?.length ?? this.ties, digests: passed },
      isProven,
      isLocated: isProven && begin < rows.length,
      isCounted: isWhole || movesRows || seenTies >= this.ties,
      passedRows: end - unseen.length,
      // Two rows may have one digest, and without digests no row of the tie is known.
      isUncertain: seenTies > this.ties || (this.#digests === undefined && unseen.length > 0),
    };
  }

  /** Finds the rows after the cursor in a list that is in order of no time. */
  #findRow(view: View, at: number): Found {
    const { rows, from } = view;
    const index = rows.findIndex((row) => isRow(row) && row.id === this.#row.id);
    const isProven = index >= 0 && !(this.#order.movesRows && this.#isNewer(from + index, at));
    const passedRows = isProven ? index + 1 : 0;
    return {
      ...view,
      rows: rows.slice(passedRows),
      from: isProven ? from + passedRows : at + 1,
      isProven,
      isLocated: isProven,
      isCounted: true,
      passedRows,
      isUncertain: false,
    };
  }

  /** The rows follow the cursor if no row has left the list since. */
  holds(view: View, { passed, passedRows }: Found, at: number, shift: number): boolean {
    if (shift < 0 || this.#order.movesRows) return false;
    if (view.from <= at + 1 - this.ties) return passed !== undefined && passedRows >= this.ties;
    const isNear = passed !== undefined || shift <= view.rows.length || view.reachesEnd;
    return view.from === at + 1 && passedRows === 0 && isNear;
  }

  /** The row is nearer to the last change than it was, so that it has changed itself. Changes of others put it further off. */
  #isNewer(place: number, at: number): boolean {
    return this.#isBackward ? place < at : place > at;
  }
}
