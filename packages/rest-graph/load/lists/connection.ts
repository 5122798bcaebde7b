import { codedError, type Json } from '@gateway/base';
import { isRow, type ListPage, type Range } from '@gateway/upstream';
import {
  type Cursor,
  type CursorRow,
  decodeCursor,
  encodeCursor,
  fewNamed,
  listDigest,
  mostNamed,
  type TiedRows,
} from './cursor.ts';
import type { OrderedList } from './filters.ts';
import { areSorted, timeIn } from './order.ts';
import { digestOf, type TieOutside, tieOf } from './ties.ts';

export interface PageArguments {
  limit?: number | null;
  offset?: number | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Rows `start` to `start + size` of a list. `fromEnd`: the last rows, so that the gateway reads the count first. */
export interface RowRange {
  start: number;
  size: number;
  fromEnd: boolean;
  /** The rows follow the row of a cursor, or come before it. The list may have changed since it gave the cursor. */
  beside?: { cursor: Cursor; isBackward: boolean; size: number };
}

/** Rows of a page whose arguments name no size: about a screen. */
export const defaultPageSize = 20;

/** Fields of a connection that show its rows. All others follow from its count. */
export const rowFields: ReadonlySet<string> = new Set(['results', 'edges']);

/**
 * `list`: digest of the list and its filters.
 * @throws BAD_USER_INPUT for negative or too large values, a cursor of other making, and the two styles mixed.
 */
export function rowRangeOf(args: PageArguments, maxPageSize: number, list: () => string): RowRange {
  for (const name of ['limit', 'first', 'last'] as const) checkSize(name, args[name], maxPageSize);
  checkSize('offset', args.offset, Number.MAX_SAFE_INTEGER);
  const { limit, offset, first, last } = args;
  const usual = Math.min(defaultPageSize, maxPageSize);
  const cursors = (['first', 'after', 'last', 'before'] as const).filter((name) => args[name] != null);
  if (cursors.length === 0) return { start: offset ?? 0, size: limit ?? usual, fromEnd: false };
  if (limit != null || offset != null) {
    const names = '`first`, `after`, `last` and `before`';
    throw refused(cursors[0] as string, `Give either \`limit\` and \`offset\`, or some of ${names}.`);
  }
  const after = args.after == null ? undefined : cursorIn('after', args.after, list);
  const before = args.before == null ? undefined : cursorIn('before', args.before, list);
  const start = after ? after.position + 1 : 0;
  if (!before && last != null) {
    if (first == null) return { start, size: last, fromEnd: true };
    throw refused('last', '`first` and `last` cannot be used together without `before`.');
  }
  const room = before ? Math.max(0, before.position - start) : Number.POSITIVE_INFINITY;
  if (first == null && before) {
    const size = Math.min(last ?? usual, room);
    // Rows may have come before the first row since.
    const beside = { cursor: before, isBackward: true, size: after ? size : (last ?? usual) };
    return { start: Math.max(start, before.position - size), size, fromEnd: false, beside };
  }
  const size = Math.min(first ?? usual, room);
  const lastSize = last == null ? size : Math.min(last, size);
  const range = { start: start + size - lastSize, size: lastSize, fromEnd: false };
  return after && last == null ? { ...range, beside: { cursor: after, isBackward: false, size } } : range;
}

/** A page and its place in the list. */
export interface PlacedPage extends ListPage {
  start: number;
  /** The rows that the page has, even if the gateway has read the count alone. */
  size: number;
  /** Rows of the page's first and last time that lie outside of it. */
  before?: TieOutside | undefined;
  after?: TieOutside | undefined;
  /** Rows may be missing, or come twice. */
  isUncertain?: boolean;
}

/** One list for both habits: `results` with `next` and `previous`, and `edges` with `pageInfo`. */
export class Connection<T extends Json = Json> {
  readonly count: number;
  readonly #page: PlacedPage;
  readonly #length: number;
  readonly #list: OrderedList;
  #digest: string | undefined;
  #tie: Range = { offset: 0, limit: 0 };
  #results: T[] | undefined;
  #edges: Edge<T>[] | undefined;

  constructor(page: PlacedPage, list: OrderedList) {
    this.count = page.count;
    this.#page = page;
    this.#length = Math.max(0, Math.min(page.size, page.count - page.start));
    this.#list = list;
  }

  /** Rows with an id. */
  get results(): T[] {
    const { rows } = this.#page;
    this.#results ??= (rows.every(isRow) ? rows : rows.filter(isRow)) as unknown as T[];
    return this.#results;
  }

  get edges(): Edge<T>[] {
    this.#edges ??= this.#page.rows.flatMap((row, index) =>
      isRow(row) ? new Edge(row as unknown as T, () => this.#cursorAt(index)) : [],
    );
    return this.#edges;
  }

  get next(): string | null {
    // No cursor names the place before the first row.
    return this.#hasNext && this.#end > 0 ? this.#cursorAt(this.#length - 1) : null;
  }

  get previous(): string | null {
    return this.#hasPrevious ? this.#cursorAt(Math.min(0, this.count - this.#page.start)) : null;
  }

  get pageInfo() {
    const isEmpty = this.#length === 0;
    return {
      hasNextPage: this.#hasNext,
      hasPreviousPage: this.#hasPrevious,
      startCursor: isEmpty ? null : this.#cursorAt(0),
      endCursor: isEmpty ? null : this.#cursorAt(this.#length - 1),
    };
  }

  get #end(): number {
    return this.#page.start + this.#length;
  }

  get #hasNext(): boolean {
    return this.#end < this.count;
  }

  get #hasPrevious(): boolean {
    return this.#page.start > 0 && this.count > 0;
  }

  /** The cursor of a place. Without a row that the gateway has read, it has its position alone. */
  #cursorAt(index: number): string {
    const position = this.#page.start + index;
    const place = this.#namedPlace(index);
    const row = this.#page.rows[place];
    if (!isRow(row) || position >= this.count) return encodeCursor({ position });
    this.#digest ??= listDigest(this.#list);
    const { id } = row;
    const times = this.#timeAt(index, place);
    return encodeCursor({ position, row: { list: this.#digest, count: this.count, id, ...times } });
  }

  /**
   * The place of the row that the cursor of a place names. A row that the service fails on has no id. At the ends of the page,
   * the nearest row with one stands for it.
   */
  #namedPlace(index: number): number {
    const rows = this.#page.rows;
    if (isRow(rows[index]) || !this.#list.order.by) return index;
    return index === 0 ? rows.findIndex(isRow) : rows.findLastIndex((row, place) => place < index && isRow(row));
  }

  /** `place`: of the row that the cursor names, in place of the one at `index`. */
  #timeAt(index: number, place: number): Pick<CursorRow, 'time' | 'before' | 'after'> {
    const rows = this.#page.rows;
    const { order } = this.#list;
    const time = timeIn(order.by, rows[place]);
    if (time === undefined) return {};
    const [previous = time, next = time] = [timeIn(order.by, rows[place - 1]), timeIn(order.by, rows[place + 1])];
    // A service of another order has no times in its cursors.
    if (!areSorted([previous, time, next], order.isNewestFirst)) return {};
    const isFirst = index === 0;
    const isLast = index === rows.length - 1;
    if (previous !== time && next !== time && !isFirst && !isLast) return { time };
    const { offset: begin, limit } = this.#tieAt(place);
    const end = begin + limit;
    const [first, last] = [this.#page.before, this.#page.after];
    const border = index > place ? index + 1 : index;
    const earlier = {
      rows: rows.slice(begin, border).toSpliced(place - begin, place < border ? 1 : 0),
      outside: begin === 0 && first?.time === time ? first : undefined,
    };
    const later = {
      rows: rows.slice(border, end).toSpliced(place - border, place < border ? 0 : 1),
      outside: end === rows.length && last?.time === time ? last : undefined,
    };
    const isShort = sizeOf(earlier) + sizeOf(later) <= fewNamed;
    return {
      time,
      // Clients go on from the ends of a page. Many names in the cursor of each edge would be too long.
      before: this.#named(earlier, isShort ? fewNamed : isLast ? mostNamed : 0),
      after: this.#named(later, isShort ? fewNamed : isFirst ? mostNamed : 0),
    };
  }

  #tieAt(index: number): Range {
    const { offset, limit } = this.#tie;
    if (index < offset || index >= offset + limit) this.#tie = tieOf(this.#page.rows, index, this.#list.order.by);
    return this.#tie;
  }

  #named(ties: Ties, most: number): TiedRows | undefined {
    const count = sizeOf(ties);
    if (count === 0) return undefined;
    const { rows, outside } = ties;
    if (count > most || (outside && !outside.digests)) return { count };
    return { count, digests: [...(outside?.digests ?? []), ...rows.map(digestOf)] };
  }
}

/** Rows of one time on one side of a row. */
interface Ties {
  rows: readonly unknown[];
  outside: TieOutside | undefined;
}

function sizeOf({ rows, outside }: Ties): number {
  return rows.length + (outside?.count ?? 0);
}

/** A row with its cursor, which is made when the answer shows it. */
class Edge<T> {
  readonly node: T;
  readonly #cursor: () => string;

  constructor(node: T, cursor: () => string) {
    this.node = node;
    this.#cursor = cursor;
  }

  get cursor(): string {
    return this.#cursor();
  }
}

const ofPages = 'give `next`, `previous` or a `cursor` of one of its pages';

function cursorIn(argument: string, text: string, list: () => string): Cursor {
  const cursor = decodeCursor(text);
  if (!cursor) throw refused(argument, `\`${argument}\` is not a cursor of this list: ${ofPages}.`);
  if (cursor.row && cursor.row.list !== list()) {
    const message = `\`${argument}\` is a cursor of another list, or of this list with other filters: ${ofPages}.`;
    throw refused(argument, message);
  }
  return cursor;
}

function checkSize(argument: string, value: number | null | undefined, max: number): void {
  if (value == null) return;
  if (value < 0) throw refused(argument, `\`${argument}\` cannot be negative.`);
  if (value > max) throw refused(argument, `\`${argument}\` can be ${max} at most (limits.operations.pageSize).`);
}

function refused(argument: string, message: string) {
  return codedError('BAD_USER_INPUT', message, { fields: [{ path: [argument], message }] });
}
