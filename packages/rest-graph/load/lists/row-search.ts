import { isObject, type Json, madeOnce, UpstreamError } from '@gateway/base';
import type { Reference, WayBack } from '@gateway/contract';
import { type CallOrigin, isRow, type ListPage, type ReadScope } from '@gateway/upstream';
import { type Choice, planSearch } from '../../plan/planner.ts';
import { idOf, referenceValue, referenceValues, targetIn } from '../references.ts';
import { maxPagesFor } from './id-search.ts';
import type { ListReader, PageOptions } from './list-reader.ts';
import { type Ended, firstDoubtIn, isOverBudget, type Look, mostRowsOf, noCallsLeft, noTimeLeft } from './look.ts';
import type { Progress } from './scan.ts';

/** The rows to find of one object. */
export interface Sought {
  way: WayBack;
  id: string;
  /** The newest so many. */
  limit: number;
  /** The field of the operation that shows them. */
  field: string;
}

/** Rows that refer to an object, as the graph shows them. */
export interface FoundRows<Row = unknown> {
  results: Row[];
  complete: boolean;
  reason: string | null;
}

/** The end of a scan. `others`: a filtered page for each of these is better. */
interface Scanned extends Ended {
  others?: readonly Sought[];
}

const tooMany = 'More rows of the object would take the service too long.';

/**
 * Finds rows of a list by the objects that they refer to. One look through the list serves all objects of a request. It
 * ends when each of them has its rows, or at a bound.
 */
export class RowSearch {
  readonly #look: Look;

  constructor(look: Look) {
    this.#look = look;
  }

  find(all: readonly Sought[]): Promise<FoundRows>[] {
    const found = this.#look.inTurn((scope) => this.#find(all, scope));
    return all.map(async (sought) => (await found)(sought));
  }

  /** Returns a function that throws the error of a page for rows that may be behind it. */
  async #find(all: readonly Sought[], scope: ReadScope): Promise<(sought: Sought) => FoundRows> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => [...new Set(all.map(({ field }) => field))] };
    const options: PageOptions = { origin, scope };
    const by = await this.#filterOf(all, origin);
    const scan = this.#isInPath(by) ? { others: all } : await this.#scan(all, options, by);
    const filtered = by ? await this.#readFiltered(scan.others ?? [], options, by) : new Map<Sought, ListPage>();
    // The service turned out to ignore the filter.
    const ignored = [...filtered].flatMap(([sought, page]) => (isRefused(page) ? sought : []));
    const last = ignored.length === 0 ? scan : await this.#scan(ignored, options);
    const scanned = await this.#inPrefix(all, last, origin);
    return (sought) => {
      const page = filtered.get(sought);
      return page === undefined || isRefused(page) ? scanned(sought) : this.#onPage(page, sought);
    };
  }

  /** The rows among those that the scan has read. */
  async #inPrefix(
    all: readonly Sought[],
    { end, failure }: Scanned,
    origin: CallOrigin,
  ): Promise<(sought: Sought) => FoundRows> {
    const seen = await this.#look.seen(origin);
    const { rows, firstDoubt, count } = seen;
    const index = new RowIndex(this.#list.references, all);
    index.add(rows);
    const isWhole = rows.length >= count && firstDoubt === Number.POSITIVE_INFINITY;
    return (sought) => {
      const places = index.of(sought).slice(0, sought.limit);
      const isFull = places.length === sought.limit;
      const complete = isFull ? (places.at(-1) ?? 0) < firstDoubt : isWhole;
      if (failure && !complete) throw failure;
      const advice = ['fewer objects', ...(sought.way.gives === undefined ? ['a smaller `limit`'] : [])];
      const reason = complete ? null : this.#look.reason(seen, end, advice);
      return { results: places.map((at) => rows[at]), complete, reason };
    };
  }

  /** @throws the error of the page, unless no call was left for it. */
  #onPage(page: ListPage | Error, sought: Sought): FoundRows {
    if (isOverBudget(page)) return { results: [], complete: false, reason: noCallsLeft };
    if (page instanceof Error) throw page;
    const firstDoubt = firstDoubtIn(page.rows, page.doubts);
    const doubt = firstDoubt < Number.POSITIVE_INFINITY ? this.#look.doubt(page.rows[firstDoubt]) : null;
    const reason = page.cut ? noTimeLeft : (doubt ?? (this.#lacks(page, sought) ? tooMany : null));
    return { results: this.#counting(page, sought).slice(0, sought.limit), complete: reason === null, reason };
  }

  /** The rows of a filtered page that count. Others have ended, or refer to another kind by the same id. */
  #counting({ rows }: ListPage, { way, id }: Sought): unknown[] {
    return rows.filter((row) => isRow(row) && idsIn(row, this.#list.references, way).has(id));
  }

  /** Rows that count may stand behind others. */
  #lacks(page: ListPage, sought: Sought): boolean {
    const { length } = this.#counting(page, sought);
    return length < Math.min(sought.limit, page.rows.filter(isRow).length) && page.rows.length < page.count;
  }

  /** The parameter that asks for the rows of each object, where all of them have it. */
  async #filterOf(all: readonly Sought[], origin: CallOrigin): Promise<string | undefined> {
    const { by } = (all[0] as Sought).way;
    if (by === undefined || all.some(({ way }) => way.by !== by)) return undefined;
    return (await this.#list.mayFilter(by, origin)) ? by : undefined;
  }

  /** There is no list without the filter, so that nothing can be scanned. */
  #isInPath(by: string | undefined): boolean {
    return by !== undefined && this.#list.described.filterChecks?.[by]?.inPath !== undefined;
  }

  /** A filtered page for each object. The first one alone may show that the service ignores the filter. */
  async #readFiltered(
    all: readonly Sought[],
    options: PageOptions,
    by: string,
  ): Promise<ReadonlyMap<Sought, ListPage | Error>> {
    const pages = new Map<Sought, ListPage | Error>();
    const read = async (sought: Sought) => {
      const list = this.#list.with({ [by]: sought.id });
      const newest = (limit: number) => list.range({ offset: 0, limit }, options);
      const page = newest(sought.limit).then((page) =>
        this.#lacks(page, sought) ? newest(Math.min(page.count, mostRowsOf(list.setting))) : page,
      );
      pages.set(sought, await page.catch((error: Error) => error));
    };
    const [first, ...others] = all;
    const isShown = this.#isInPath(by) || this.#list.known.isFilterApplied(by) !== undefined;
    if (first && !isShown) await read(first);
    await Promise.all((isShown ? all : others).map(read));
    return pages;
  }

  /** Reads pages until all rows are found or a bound is reached. */
  async #scan(all: readonly Sought[], options: PageOptions, by?: string): Promise<Scanned> {
    const { pages } = this.#list;
    const newIndex = () => new RowIndex(this.#list.references, all);
    let index = newIndex();
    let open = all;
    const isDone = () => {
      // Cached pages may have been dropped.
      if (pages.prefix.length < index.length) index = newIndex();
      index.add(pages.rowsFrom(index.length));
      open = all.filter((sought) => index.of(sought).length < sought.limit);
      return open.length === 0;
    };
    const next = (room: number, progress: Progress): Choice => {
      if (by !== undefined) return this.#planFiltered(open, progress);
      const missing = open.reduce((sum, sought) => sum + sought.limit - index.of(sought).length, 0);
      return { ...this.#look.plan(missing, room, progress), keys: open.length };
    };
    const ended = await this.#look.read({ isDone, next, isBounded: by === undefined }, options);
    const { end, failure } = ended;
    return end || failure || open.length === 0 || pages.isWhole ? ended : { others: open };
  }

  /** The bound on work does not hold here, because a filtered page for each object may be more work. */
  #planFiltered(open: readonly Sought[], { pages, rowsOfWave, rowsInTime }: Progress): Choice {
    const { setting } = this.#list;
    const keys = open.length;
    const rows = open.reduce((sum, { limit }) => sum + limit, 0) / keys;
    const { callMs, rowMs } = setting.list;
    const getMs = Math.ceil(rows / setting.pageSize) * callMs + rows * rowMs;
    const maxPages = Math.min(maxPagesFor(keys) - pages, Math.floor(rowsInTime / setting.pageSize));
    return planSearch({ ...setting, keys, getMs, unread: this.#look.unread, rowsOfWave, maxPages });
  }

  get #list(): ListReader {
    return this.#look.list;
  }
}

function isRefused(page: ListPage | Error): boolean {
  return page instanceof UpstreamError && page.code === 'BAD_USER_INPUT';
}

type References = Readonly<Record<string, Reference>>;

/** Rows of a list by the objects that they refer to. A row that comes twice counts once. */
class RowIndex {
  /** Rows that were added. */
  length = 0;
  readonly #references: References;
  readonly #seen = new Set<string>();
  readonly #places = new Map<WayBack, Map<string, number[]>>();

  /** `references`: those of a row. */
  constructor(references: References, sought: readonly Sought[]) {
    this.#references = references;
    for (const { way } of sought) this.#places.set(way, new Map());
  }

  add(rows: readonly unknown[]): void {
    for (const row of rows) {
      const at = this.length;
      this.length += 1;
      if (!isRow(row) || this.#seen.has(row.id)) continue;
      this.#seen.add(row.id);
      for (const [way, byId] of this.#places) {
        for (const id of idsIn(row, this.#references, way)) {
          madeOnce(byId, id, newPlaces).push(at);
        }
      }
    }
  }

  /** Positions of the rows that refer to an object, in the order of the list. */
  of({ way, id }: Sought): readonly number[] {
    return this.#places.get(way)?.get(id) ?? [];
  }
}

/** Ids of the objects that a row refers to; none for a row that does not count. */
function idsIn(row: Json, references: References, { of, where, kind }: WayBack): ReadonlySet<string> {
  const ids = new Set<string>();
  if (where !== undefined && row[where] === false) return ids;
  for (const field of of) {
    const reference = references[field];
    const embedded = row[field];
    // A row that names no kind may refer to an object of each.
    if (kind && reference && ![kind, reference.to].includes(targetIn(row, reference))) continue;
    if (reference?.list) {
      for (const value of referenceValues(row, field, reference) ?? []) ids.add(idOf(value));
    } else if (reference) {
      const value = referenceValue(row, field, reference);
      if (value !== null) ids.add(idOf(value));
    } else if (isObject(embedded) && typeof embedded.id === 'string') ids.add(embedded.id);
  }
  return ids;
}

const newPlaces = () => [];
