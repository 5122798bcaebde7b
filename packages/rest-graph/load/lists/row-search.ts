import { UpstreamError } from '@gateway/base';
import { GraphQLError } from 'graphql';
import { isTooLate } from '../../call/errors.ts';
import { isRow, type ListPage } from '../../call/list-page.ts';
import type { CallOrigin } from '../../call/request.ts';
import type { ReadScope } from '../../call/scope.ts';
import type { WayBack } from '../../contract/way-back.ts';
import { type Choice, type PlanSetting, planSearch } from '../../plan/planner.ts';
import { maxPages, maxPagesFor } from './id-search.ts';
import type { ListReader } from './list-reader.ts';
import type { Prefix } from './page-store.ts';
import { readUntilFit } from './reread.ts';
import { idsIn, RowIndex } from './row-index.ts';
import { type Progress, type Search, scan } from './scan.ts';
import type { PageOptions } from './service-list.ts';

/** Most pages that a request reads of one list to find rows by what they refer to. */
const mostPages = 50;

/** Most milliseconds that the service works for them. */
const mostWorkMs = 10_000;

/** Share of the calls that the operation may still make; the objects below the rows need the others. */
const mostCalls = 0.5;

/** Most rows that the gateway looks through, at least one page. */
export function mostRowsOf({ list, pageSize }: Pick<PlanSetting, 'list' | 'pageSize'>): number {
  const byWork = Math.floor(mostWorkMs / (list.callMs / pageSize + list.rowMs));
  return Math.max(pageSize, Math.min(mostPages * pageSize, byWork));
}

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

/** The bound that ends a search. */
type End = 'work' | 'calls' | 'time';

/** The end of a search. `others`: a filtered page for each of these is better. */
interface Scanned {
  end?: End | undefined;
  failure?: Error;
  others?: readonly Sought[];
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

const none: ReadonlyMap<Sought, ListPage | Error> = new Map();
const noRows = { rows: [], doubts: [] };

const noTimeLeft = 'The operation may take no longer (limits.operations.timeoutMs).';

const noCallsLeft =
  'The operation may make no more calls (limits.operations.upstreamCalls). Ask for fewer rows or fields.';

/**
 * Finds rows of a list by the objects that they refer to. One look through the list serves all objects of a request. It
 * ends when each of them has its rows, or at a bound.
 */
export class RowSearch {
  readonly #list: ListReader;
  #last: Promise<unknown> = Promise.resolve();
  #rowsRead = 0;

  constructor(list: ListReader) {
    this.#list = list;
  }

  /** Each search waits for the one before, to continue where that one stopped. */
  find(all: readonly Sought[]): Promise<FoundRows>[] {
    const found = this.#last.then(() => this.#list.inTime((scope) => this.#find(all, scope)));
    this.#last = found.catch(() => {});
    return all.map(async (sought) => (await found)(sought));
  }

  /** Returns a function that throws the error of a page for rows that may be behind it. */
  async #find(all: readonly Sought[], scope: ReadScope): Promise<(sought: Sought) => FoundRows> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => [...new Set(all.map(({ field }) => field))] };
    const options: PageOptions = { origin, scope };
    const by = await this.#filterOf(all, origin);
    const scan = this.#isInPath(by) ? { others: all } : await this.#scan(all, options, by);
    const filtered = by === undefined ? none : await this.#readFiltered(scan.others ?? [], options, by);
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
    const { pages } = this.#list;
    const { length, count } = pages.prefix;
    // Rows that came meanwhile have shifted the oldest ones behind the pages.
    const range = { offset: 0, limit: length >= count ? Number.POSITIVE_INFINITY : length };
    const { rows, doubts } = length === 0 ? noRows : await readUntilFit(this.#list, range, pages.come, { origin });
    const index = new RowIndex(this.#references, all);
    index.add(rows);
    const firstDoubt = firstDoubtIn(rows, doubts);
    const isWhole = length >= count && firstDoubt === Number.POSITIVE_INFINITY;
    return (sought) => {
      const places = index.of(sought).slice(0, sought.limit);
      const isFull = places.length === sought.limit;
      const complete = isFull ? (places.at(-1) ?? 0) < firstDoubt : isWhole;
      if (failure && !complete) throw failure;
      const isDoubtful = firstDoubt < Number.POSITIVE_INFINITY;
      const reason = isDoubtful ? this.#doubt(rows[firstDoubt]) : this.#stopped(sought, { length, count, end });
      return { results: places.map((at) => rows[at]), complete, reason: complete ? null : reason };
    };
  }

  /** @throws the error of the page, unless no call was left for it. */
  #onPage(page: ListPage | Error, { way, id }: Sought): FoundRows {
    if (isOverBudget(page)) return { results: [], complete: false, reason: noCallsLeft };
    if (page instanceof Error) throw page;
    const firstDoubt = firstDoubtIn(page.rows, page.doubts);
    const complete = firstDoubt === Number.POSITIVE_INFINITY && !page.cut;
    const results = page.rows.filter((row) => isRow(row) && idsIn(row, this.#references, way).has(id));
    if (page.cut) return { results, complete, reason: noTimeLeft };
    return { results, complete, reason: complete ? null : this.#doubt(page.rows[firstDoubt]) };
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
      const page = list.range({ offset: 0, limit: sought.limit }, options);
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
    const index = new RowIndex(this.#references, all);
    let open = all;
    let end: End | undefined;
    const search: Search = {
      isDone: () => {
        index.add(pages.rowsFrom(index.length));
        open = all.filter((sought) => index.of(sought).length < sought.limit);
        return open.length === 0;
      },
      next: (progress) => {
        const room = this.#room(progress);
        if (room.rows < 1 && by === undefined) {
          end = room.end;
          return undefined;
        }
        if (by !== undefined) return this.#planFiltered(open, progress);
        const missing = open.reduce((sum, sought) => sum + sought.limit - index.of(sought).length, 0);
        return { ...this.#planScan(missing, room.rows, progress), keys: open.length };
      },
    };
    const { rows, failure } = await scan(this.#list, search, options);
    this.#rowsRead += rows;
    if (isOverBudget(failure)) return { end: 'calls' };
    if (isTooLate(failure) && pages.prefix.length > 0) return { end: 'time' };
    if (failure) return { failure };
    return end || open.length === 0 || pages.isWhole ? { end } : { others: open };
  }

  /** Rows that a scan may still read, and the bound that leaves no more. A short page is hardly worth its call. */
  #room({ pages, rows: read, rowsInTime }: Progress): { rows: number; end: End } {
    const { setting } = this.#list;
    const { pageSize, callsLeft } = setting;
    const rowsRead = this.#rowsRead + read;
    const byWork = mostRowsOf(setting) - rowsRead;
    const byCalls = (Math.floor(mostCalls * (callsLeft + pages)) - pages) * pageSize;
    const rows = Math.min(byWork, rowsInTime, rowsRead === 0 ? Math.max(byCalls, pageSize) : byCalls);
    if (rowsInTime < Math.min(byWork, byCalls)) return { rows: rows < pageSize ? 0 : Math.floor(rows), end: 'time' };
    return { rows: rows < pageSize ? 0 : rows, end: byCalls < byWork ? 'calls' : 'work' };
  }

  /** `missing`: rows to find. `room`: rows that the scan may still read. */
  #planScan(missing: number, room: number, { rowsOfWave }: Progress): Choice {
    const { setting, pages } = this.#list;
    // Rows of a screen are mostly on the first page, and rows that are not there may be anywhere.
    const most = pages.prefix.length === 0 ? Math.min(room, setting.pageSize) : room;
    const unread = this.#unread === undefined ? undefined : Math.min(this.#unread, most);
    return planSearch({ ...setting, keys: missing, getMs: undefined, unread, rowsOfWave, nextPageShare: 0, maxPages });
  }

  /** The bound on work does not hold here, because a filtered page for each object may be more work. */
  #planFiltered(open: readonly Sought[], { pages, rowsOfWave, rowsInTime }: Progress): Choice {
    const { setting } = this.#list;
    const keys = open.length;
    const rows = open.reduce((sum, { limit }) => sum + limit, 0) / keys;
    const { callMs, rowMs } = setting.list;
    const getMs = Math.ceil(rows / setting.pageSize) * callMs + rows * rowMs;
    const maxPages = Math.min(maxPagesFor(keys) - pages, Math.floor(rowsInTime / setting.pageSize));
    return planSearch({ ...setting, keys, getMs, unread: this.#unread, rowsOfWave, nextPageShare: 0, maxPages });
  }

  get #references() {
    return this.#list.references;
  }

  get #unread(): number | undefined {
    const { probableLength, pages } = this.#list;
    return probableLength === undefined ? undefined : Math.max(1, probableLength - pages.prefix.length);
  }

  #stopped({ way }: Sought, { length, count, end = 'work' }: Prefix & { end: End | undefined }): string {
    const { rootField, filterChecks } = this.#list.described;
    const of = count < Number.POSITIVE_INFINITY ? ` of ${count.toLocaleString('en')}` : '';
    const place = `The gateway looked through the newest ${length.toLocaleString('en')}${of} rows of \`${rootField}\``;
    if (end === 'calls') return `${place}. ${noCallsLeft}`;
    const advice = ['fewer objects'];
    if (way.gives === undefined) advice.push('a smaller `limit`');
    const byCreation = filterChecks?.created_after;
    if (byCreation && !byCreation.dialect) advice.push('`created_after`');
    const why = end === 'time' ? `. ${noTimeLeft}` : ': more would take the service too long.';
    return `${place}${why} Ask for ${anyOf.format(advice)}.`;
  }

  #doubt(row: unknown): string {
    const { rootField } = this.#list.described;
    if (row === undefined || isRow(row))
      return `Pages of \`${rootField}\` contradict each other. Rows came or went in between. Ask again.`;
    return `The service fails on a row of \`${rootField}\`, or gives it without an id. The row may belong here.`;
  }
}

/** The first row that may be missing or wrong. */
function firstDoubtIn(rows: readonly unknown[], doubts: readonly number[] = []): number {
  const gap = rows.findIndex((row) => !isRow(row));
  return Math.min(...doubts, gap < 0 ? Number.POSITIVE_INFINITY : gap);
}

function isRefused(page: ListPage | Error): boolean {
  return page instanceof UpstreamError && page.code === 'BAD_USER_INPUT';
}

function isOverBudget(page: ListPage | Error | undefined): boolean {
  return page instanceof GraphQLError && page.extensions.code === 'UPSTREAM_BUDGET_EXCEEDED';
}
