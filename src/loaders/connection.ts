import { codedError } from '../graphql/errors/codes.ts';
import type { Json } from '../lib/json.ts';
import type { ListPage } from '../upstream/list-page.ts';
import { isRow } from './references.ts';

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
}

const defaultPageSize = 20;

/** @throws BAD_USER_INPUT for negative or too large values, a cursor of other making, and the two styles mixed. */
export function rowRangeOf(args: PageArguments, maxPageSize: number): RowRange {
  for (const name of ['limit', 'first', 'last'] as const) checkSize(name, args[name], maxPageSize);
  checkSize('offset', args.offset, Number.MAX_SAFE_INTEGER);
  const { limit, offset, first, last } = args;
  const usual = Math.min(defaultPageSize, maxPageSize);
  const cursors = (['first', 'after', 'last', 'before'] as const).filter((name) => args[name] != null);
  if (cursors.length === 0) return { start: offset ?? 0, size: limit ?? usual, fromEnd: false };
  if (limit != null || offset != null) {
    throw refused(cursors[0] as string, '`limit` and `offset` cannot be used together with cursors.');
  }
  const start = args.after == null ? 0 : positionOf('after', args.after) + 1;
  const end = args.before == null ? undefined : positionOf('before', args.before);
  if (end === undefined && last != null) {
    if (first == null) return { start, size: last, fromEnd: true };
    throw refused('last', '`first` and `last` cannot be used together without `before`.');
  }
  const room = end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - start);
  if (first == null && end !== undefined) {
    const size = Math.min(last ?? usual, room);
    return { start: Math.max(start, end - size), size, fromEnd: false };
  }
  const size = Math.min(first ?? usual, room);
  const lastSize = last == null ? size : Math.min(last, size);
  return { start: start + size - lastSize, size: lastSize, fromEnd: false };
}

/** One list for both habits: `results` with `next` and `previous`, and `edges` with `pageInfo`. */
export class Connection<T extends Json = Json> {
  readonly count: number;
  readonly #start: number;
  readonly #length: number;
  readonly #rows: unknown[];
  #results: T[] | undefined;

  /** `range`: the rows that the client asked for, even if the gateway has read the count alone. */
  constructor(page: ListPage, range: { start: number; size: number }) {
    this.count = page.count;
    this.#start = range.start;
    this.#length = Math.max(0, Math.min(range.size, page.count - range.start));
    this.#rows = page.rows;
  }

  /** Rows with an id. */
  get results(): T[] {
    this.#results ??= (this.#rows.every(isRow) ? this.#rows : this.#rows.filter(isRow)) as unknown as T[];
    return this.#results;
  }

  get edges(): { cursor: string; node: T }[] {
    return this.#rows.flatMap((row, index) =>
      isRow(row) ? { cursor: cursorOf(this.#start + index), node: row as unknown as T } : [],
    );
  }

  get next(): string | null {
    // No cursor names the place before the first row.
    return this.#hasNext && this.#end > 0 ? cursorOf(this.#end - 1) : null;
  }

  get previous(): string | null {
    return this.#hasPrevious ? cursorOf(Math.min(this.#start, this.count)) : null;
  }

  get pageInfo() {
    const isEmpty = this.#length === 0;
    return {
      hasNextPage: this.#hasNext,
      hasPreviousPage: this.#hasPrevious,
      startCursor: isEmpty ? null : cursorOf(this.#start),
      endCursor: isEmpty ? null : cursorOf(this.#end - 1),
    };
  }

  get #end(): number {
    return this.#start + this.#length;
  }

  get #hasNext(): boolean {
    return this.#end < this.count;
  }

  get #hasPrevious(): boolean {
    return this.#start > 0 && this.count > 0;
  }
}

const cursorPrefix = 'row:';

/** Opaque to clients, so that a later release may use other cursors than positions. */
function cursorOf(position: number): string {
  return Buffer.from(cursorPrefix + position).toString('base64url');
}

function positionOf(argument: string, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = Number(text.slice(cursorPrefix.length));
  if (!Number.isSafeInteger(position) || position < 0 || cursorOf(position) !== cursor) {
    throw refused(argument, `\`${argument}\` is not a cursor of this list.`);
  }
  return position;
}

function checkSize(argument: string, value: number | null | undefined, max: number): void {
  if (value == null) return;
  if (value < 0) throw refused(argument, `\`${argument}\` cannot be negative.`);
  if (value > max) throw refused(argument, `\`${argument}\` can be ${max} at most (limits.operations.pageSize).`);
}

function refused(argument: string, message: string) {
  return codedError('BAD_USER_INPUT', message, { fields: [{ path: [argument], message }] });
}
