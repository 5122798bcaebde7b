import { GraphQLError } from 'graphql';
import { isTooLate, UpstreamError } from '../../upstream/errors.ts';
import type { ListPage } from '../../upstream/list-page.ts';
import type { CallOrigin } from '../../upstream/request.ts';
import type { ReadScope } from '../../upstream/scope.ts';
import { type Choice, type PlanSetting, planSearch } from '../planner.ts';
import { isRow } from '../references.ts';
import type { WayBack } from '../ways-back.ts';
import { maxPages, maxPagesFor } from './id-search.ts';
import type { ListPages } from './list-reader.ts';
import type { Prefix } from './page-store.ts';
import { idsIn, RowIndex } from './row-index.ts';
import type { RowsList } from './rows-request.ts';

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

/** A scan that goes on. */
interface Progress {
  /** Rows to find. */
  missing: number;
  /** Rows that the search may still read, where nothing but the list shows them. */
  room: number;
  /** Rows that come in time if the service goes on as with the last pages. */
  rowsInTime: number;
  rowsOfWave: number;
  pagesRead: number;
  by: string | undefined;
}

interface Scan {
  end?: End;
  failure?: Error;
  others?: readonly Sought[];
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

type TimedList = RowsList & { scope: ReadScope };

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
  readonly #list: RowsList;
  readonly #pages: ListPages;
  #last: Promise<unknown> = Promise.resolve();
  #rowsRead = 0;

  constructor(list: RowsList, pages: ListPages) {
    this.#list = list;
    this.#pages = pages;
  }

  /** Each search waits for the one before, to continue where that one stopped. */
  find(all: readonly Sought[]): Promise<FoundRows>[] {
    const found = this.#last.then(() => this.#pages.inTime((scope) => this.#find(all, { ...this.#list, scope })));
    this.#last = found.catch(() => {});
    return all.map(async (sought) => (await found)(sought));
  }

  /** Returns a function that throws the error of a page for rows that may be behind it. */
  async #find(all: readonly Sought[], list: TimedList): Promise<(sought: Sought) => FoundRows> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => [...new Set(all.map(({ field }) => field))] };
    const by = await this.#filterOf(all, origin);
    const scan = await this.#scan(all, list, origin, by);
    const filtered = by === undefined ? none : await this.#readFiltered(scan.others ?? [], list, by, origin);
    // The service turned out to ignore the filter.
    const ignored = [...filtered].flatMap(([sought, page]) => (isRefused(page) ? sought : []));
    const { end, failure } = ignored.length === 0 ? scan : await this.#scan(ignored, list, origin);
    const scanned = await this.#inPrefix(all, list, { end, failure }, origin);
    return (sought) => {
      const page = filtered.get(sought);
      return page === undefined || isRefused(page) ? scanned(sought) : this.#onPage(page, sought);
    };
  }

  /** The rows among those that the scan has read. */
  async #inPrefix(
    all: readonly Sought[],
    list: TimedList,
    { end, failure }: Scan,
    origin: CallOrigin,
  ): Promise<(sought: Sought) => FoundRows> {
    const { length, count } = this.#pages.asked.prefix(list);
    // Rows that came meanwhile have shifted the oldest ones behind the pages.
    const most = length >= count ? Number.POSITIVE_INFINITY : length;
    const { rows, doubts } = length === 0 ? noRows : await this.#pages.fit(list, most, origin);
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
    return (await this.#pages.mayFilter(this.#list.endpoint, by, origin)) ? by : undefined;
  }

  /** A filtered page for each object. The first one alone may show that the service ignores the filter. */
  async #readFiltered(
    all: readonly Sought[],
    { endpoint, filters, scope }: TimedList,
    by: string,
    origin: CallOrigin,
  ): Promise<ReadonlyMap<Sought, ListPage | Error>> {
    const pages = new Map<Sought, ListPage | Error>();
    const read = async (sought: Sought) => {
      const range = { offset: 0, limit: sought.limit };
      const page = this.#pages.range({ endpoint, filters: { ...filters, [by]: sought.id }, ...range, origin, scope });
      pages.set(sought, await page.catch((error: Error) => error));
    };
    const [first, ...others] = all;
    const isShown = this.#pages.isFilterShown(endpoint, by);
    if (first && !isShown) await read(first);
    await Promise.all((isShown ? all : others).map(read));
    return pages;
  }

  /** Reads pages until all rows are found or a bound is reached. `others`: a filtered page for each is better. */
  async #scan(all: readonly Sought[], list: TimedList, origin: CallOrigin, by?: string): Promise<Scan> {
    const index = new RowIndex(this.#references, all);
    const { asked } = this.#pages;
    let pagesRead = 0;
    let rowsOfWave = 0;
    let rowsInTime = Number.POSITIVE_INFINITY;
    for (;;) {
      await asked.settled(list);
      const { length, count } = asked.prefix(list);
      index.add(asked.rowsFrom(list, index.length));
      const open = all.filter((sought) => index.of(sought).length < sought.limit);
      if (open.length === 0 || length >= count) return {};
      if (this.#pages.cachedPage(list, length, origin)) continue;
      const room = this.#room(pagesRead, rowsInTime);
      if (room.rows < 1 && by === undefined) return { end: room.end };
      const missing = open.reduce((sum, sought) => sum + sought.limit - index.of(sought).length, 0);
      const choice = this.#plan(open, length, { missing, room: room.rows, rowsInTime, rowsOfWave, pagesRead, by });
      this.#pages.note(this.#list.endpoint, choice, origin);
      const { pages, width, size } = choice.chosen;
      if (pages === 0) return { others: open };
      pagesRead += width;
      rowsOfWave = width > 1 ? width * size : 0;
      const { msLeft } = list.scope;
      const failure = await this.#pages.readSideBySide(list, length, choice.chosen, origin);
      // Pages of the service may be shorter than the gateway asks for.
      const rows = asked.prefix(list).length - length;
      this.#rowsRead += rows;
      const tookMs = msLeft - list.scope.msLeft;
      rowsInTime = tookMs > 0 ? (rows * list.scope.msLeft) / tookMs : Number.POSITIVE_INFINITY;
      if (isOverBudget(failure)) return { end: 'calls' };
      if (isTooLate(failure) && length + rows > 0) return { end: 'time' };
      if (failure) return { failure };
    }
  }

  /**
   * Rows that a scan of so many pages may still read, and the bound that leaves no more. A short page is hardly worth its call.
   */
  #room(pagesRead: number, rowsInTime: number): { rows: number; end: End } {
    const setting = this.#pages.setting(this.#list.endpoint);
    const { pageSize, callsLeft } = setting;
    const byWork = mostRowsOf(setting) - this.#rowsRead;
    const byCalls = (Math.floor(mostCalls * (callsLeft + pagesRead)) - pagesRead) * pageSize;
    const rows = Math.min(byWork, rowsInTime, this.#rowsRead === 0 ? Math.max(byCalls, pageSize) : byCalls);
    if (rowsInTime < Math.min(byWork, byCalls)) return { rows: rows < pageSize ? 0 : Math.floor(rows), end: 'time' };
    return { rows: rows < pageSize ? 0 : rows, end: byCalls < byWork ? 'calls' : 'work' };
  }

  #plan(open: readonly Sought[], length: number, progress: Progress): Choice {
    const { missing, room, rowsInTime, rowsOfWave, pagesRead, by } = progress;
    const setting = this.#pages.setting(this.#list.endpoint);
    const total = this.#total();
    const unread = total === undefined ? undefined : Math.max(1, total - length);
    const keys = open.length;
    const rows = open.reduce((sum, { limit }) => sum + limit, 0) / keys;
    const search = { ...setting, keys, rowsOfWave, nextPageShare: 0 };
    if (by === undefined) {
      // Rows of a screen are mostly on the first page, and rows that are not there may be anywhere.
      const most = length === 0 ? Math.min(room, setting.pageSize) : room;
      const within = unread === undefined ? undefined : Math.min(unread, most);
      return { ...planSearch({ ...search, keys: missing, getMs: undefined, unread: within, maxPages }), keys };
    }
    const { callMs, rowMs } = setting.list;
    const getMs = Math.ceil(rows / setting.pageSize) * callMs + rows * rowMs;
    // The bound on work does not hold here, because a filtered page for each object may be more work.
    const mostPages = Math.min(maxPagesFor(keys) - pagesRead, Math.floor(rowsInTime / setting.pageSize));
    return planSearch({ ...search, getMs, unread, maxPages: mostPages });
  }

  /** Rows of the list, as far as the gateway knows. */
  #total(): number | undefined {
    const { endpoint, filters } = this.#list;
    const { count } = this.#pages.asked.prefix(this.#list);
    if (count < Number.POSITIVE_INFINITY) return count;
    if (Object.keys(filters).length > 0) return undefined;
    return this.#pages.lengthOf(endpoint).total ?? this.#pages.guessLength(endpoint);
  }

  #stopped({ way }: Sought, { length, count, end = 'work' }: Prefix & { end: End | undefined }): string {
    const { rootField, filterChecks } = this.#endpoint;
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
    const { rootField } = this.#endpoint;
    if (row === undefined || isRow(row))
      return `Pages of \`${rootField}\` contradict each other. Rows came or went in between. Ask again.`;
    return `The service fails on a row of \`${rootField}\`, or gives it without an id. The row may belong here.`;
  }

  get #references() {
    return this.#pages.contract.references(this.#endpoint.kind);
  }

  get #endpoint() {
    return this.#pages.contract.endpoint(this.#list.endpoint);
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
