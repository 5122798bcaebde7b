import { anyOf, type Json } from '@gateway/base';
import { type CallOrigin, isRow, isTooLate, type ReadScope } from '@gateway/upstream';
import { GraphQLError } from 'graphql';
import { type Choice, type PlanSetting, planSearch } from '../../plan/planner.ts';
import type { RowWork } from '../row-work.ts';
import type { ListReader, PageOptions } from './list-reader.ts';
import { timeIn } from './order.ts';
import { readUntilFit } from './reread.ts';
import { RowsSeen } from './rows-seen.ts';
import { type Progress, type ScanGoal, scan } from './scan.ts';

/** Most pages that a request reads of one list to find rows by what they refer to. */
const mostPages = 50;

/** Most milliseconds that the service works for them. */
const mostWorkMs = 10_000;

/** A search by time among rows that are known takes as long as the work on so many. */
const rowsOfSearch = 50;

/** Share of the calls that the operation may still make; the objects below the rows need the others. */
const mostCalls = 0.5;

/** Most rows that the gateway looks through, at least one page. */
export function mostRowsOf({ list, pageSize }: Pick<PlanSetting, 'list' | 'pageSize'>): number {
  const byWork = Math.floor(mostWorkMs / (list.callMs / pageSize + list.rowMs));
  return Math.max(pageSize, Math.min(mostPages * pageSize, byWork));
}

/** The bound that ends a look. */
type End = 'work' | 'calls' | 'time';

/** A search whose `next` gets the rows that there is room for. */
interface BoundedSearch {
  isDone(): boolean;
  next(room: number, progress: Progress): Choice | undefined;
  /** By default true. */
  isBounded?: boolean;
}

/** Why a look has ended before its search was done. */
export interface Ended {
  end?: End | undefined;
  failure?: Error;
}

/** The rows that have come, from the first one of the list on. */
export interface LookedAt {
  rows: readonly unknown[];
  /** The first row that may be missing or wrong. */
  firstDoubt: number;
  /** Rows of the list, as far as its pages say. */
  count: number;
  /** Made for the first search by time. */
  unique?: RowsSeen;
}

/** Rows of a list from its first one on. */
export interface Rows {
  rows: Json[];
  /** These and the earlier ones that have come. All who ask the same look get the same array. */
  all: readonly Json[];
  /** Without it, the gateway has stopped at a bound, or a row is in doubt. */
  complete: boolean;
  reason: string | null;
  /** The look went through the whole list. */
  isWhole: boolean;
}

export const noTimeLeft = 'The operation may take no longer (limits.operations.timeoutMs).';

export const noCallsLeft =
  'The operation may make no more calls (limits.operations.upstreamCalls). Ask for fewer rows or fields.';

/** One look of a request through a list, for all that seek rows there. The bounds hold for all of them together. */
export class Look {
  readonly list: ListReader;
  readonly #work: RowWork;
  #last: Promise<unknown> = Promise.resolve();
  #rowsRead = 0;
  /** The rows as the pages have shown them after so many changes, for the many searches that ask. */
  #seen: { changes: number; rows: LookedAt } | undefined;

  constructor(list: ListReader, work: RowWork) {
    this.list = list;
    this.#work = work;
  }

  /** Each search waits for the one before, to continue where that one stopped. By default it looks at all rows that have come. */
  inTurn<T>(search: (scope: ReadScope) => Promise<T>, rows?: number): Promise<T> {
    const found = this.#last
      .then(() => this.#work.before(rows ?? this.#seen?.rows.rows.length ?? 0))
      .then(() => this.list.reads.readInTime(search));
    this.#last = found.catch(() => {});
    return found;
  }

  /**
   * Rows from the first one on, up to the first one that is earlier than `time`, in unix seconds. Without it, all rows. A row that
   * comes twice counts once.
   * @throws the error of a page, for rows that may be behind it.
   */
  rows(field: string, time?: number): Promise<Rows> {
    const { pages } = this.list;
    const origin: CallOrigin = { reason: 'list scan', fields: () => [field] };
    return this.inTurn(async (scope) => {
      let least = 0;
      const isDone = () => time !== undefined && pages.prefix.length >= least && this.#hasEarlier(time);
      const next: BoundedSearch['next'] = (room, progress) =>
        time === undefined ? this.plan(this.list.setting.pageSize, room, progress, true) : this.plan(1, room, progress);
      for (;;) {
        const { end, failure } = await this.read({ isDone, next }, { origin, scope });
        const looked = await this.seen(origin);
        const { rows, firstDoubt, count } = looked;
        const all = uniqueIn(looked, this.list.order.time);
        const isWhole = rows.length >= count;
        const last = time === undefined ? undefined : all.since(time);
        const hasMore = !isWhole && !end && !failure && pages.prefix.length >= least && !pages.isWhole;
        if (last === undefined && hasMore) {
          // Rows that came meanwhile have shifted the last one behind the pages.
          least = pages.prefix.length + 1;
          continue;
        }
        if (failure && last === undefined && !isWhole) throw failure;
        const asked = last === undefined ? rows.length : (all.places[last] as number);
        const complete = (last !== undefined || isWhole) && firstDoubt >= asked;
        const reason = complete ? null : this.reason(looked, end);
        return { rows: all.rows.slice(0, last), all: all.rows, complete, reason, isWhole };
      }
    }, rowsOfSearch);
  }

  /** Some row that has come is earlier. */
  #hasEarlier(time: number): boolean {
    const { pages, order } = this.list;
    if (this.#seen?.changes === pages.changes) return uniqueIn(this.#seen.rows, order.time).since(time) !== undefined;
    return pages.rowsFrom(0).some((row) => (timeIn(order.time, row) ?? time) < time);
  }

  /** Reads pages until the search is done, or a bound is reached. */
  async read({ isDone, next, isBounded = true }: BoundedSearch, options: PageOptions): Promise<Ended> {
    const { pages } = this.list;
    let end: End | undefined;
    const goal: ScanGoal = {
      isDone,
      next: (progress) => {
        const room = this.#room(progress);
        if (room.rows >= 1 || !isBounded) return next(room.rows, progress);
        end = room.end;
        return undefined;
      },
    };
    const { rows, failure } = await scan(this.list, goal, options);
    this.#rowsRead += rows;
    return isOverBudget(failure)
      ? { end: 'calls' }
      : isTooLate(failure) && pages.prefix.length > 0
        ? { end: 'time' }
        : { end, ...(failure && { failure }) };
  }

  /** The rows that have come, whose pages fit together. */
  async seen(origin: CallOrigin): Promise<LookedAt> {
    const { pages } = this.list;
    const { changes } = pages;
    if (this.#seen?.changes === changes) return this.#seen.rows;
    const { length, count } = pages.prefix;
    if (length === 0) return { rows: [], firstDoubt: Number.POSITIVE_INFINITY, count };
    // Rows that came meanwhile have shifted the oldest ones behind the pages.
    const range = { offset: 0, limit: length >= count ? Number.POSITIVE_INFINITY : length };
    const { rows, doubts } = await readUntilFit(this.list, range, pages.come, { origin });
    const seen = { rows, firstDoubt: firstDoubtIn(rows, doubts), count };
    if (pages.changes === changes) this.#seen = { changes, rows: seen };
    return seen;
  }

  /** Why rows may be missing. */
  reason({ rows, firstDoubt, count }: LookedAt, end: End = 'work', advice: readonly string[] = []): string {
    if (firstDoubt < Number.POSITIVE_INFINITY) return this.doubt(rows[firstDoubt]);
    const { rootField, filterChecks } = this.list.described;
    const of = count < Number.POSITIVE_INFINITY ? ` of ${count.toLocaleString('en')}` : '';
    const { length } = this.list.pages.prefix;
    const place = `The gateway looked through the newest ${length.toLocaleString('en')}${of} rows of \`${rootField}\``;
    if (end === 'calls') return `${place}. ${noCallsLeft}`;
    const byCreation = filterChecks?.created_after;
    const all = byCreation && !byCreation.dialect ? [...advice, '`created_after`'] : advice;
    const why = end === 'time' ? `. ${noTimeLeft}` : ': more would take the service too long.';
    return all.length === 0 ? `${place}${why}` : `${place}${why} Ask for ${anyOf(all)}.`;
  }

  doubt(row: unknown): string {
    const { rootField } = this.list.described;
    if (row === undefined || isRow(row))
      return `Pages of \`${rootField}\` contradict each other. Rows came or went in between. Ask again.`;
    return `The service fails on a row of \`${rootField}\`, or gives it without an id. The row may belong here.`;
  }

  /** Rows of the list that have not come. Undefined where its length is not known. */
  get unread(): number | undefined {
    const { probableLength, pages } = this.list;
    return probableLength === undefined ? undefined : Math.max(1, probableLength - pages.prefix.length);
  }

  /**
   * Plans pages for rows anywhere in the list. `room`: rows that may still be read. Unless all rows are asked for, the first page
   * comes alone. Rows of a screen are mostly on it, and nobody knows how far away the others are.
   */
  plan(keys: number, room: number, { rowsOfWave }: Progress, needsAll = false): Choice {
    const { setting, pages } = this.list;
    const most = needsAll || pages.prefix.length > 0 ? room : Math.min(room, setting.pageSize);
    const unread = this.unread === undefined ? undefined : Math.min(this.unread, most);
    return planSearch({ ...setting, keys, unread, rowsOfWave });
  }

  /** Rows that may still be read, and the bound that leaves no more. A short page is hardly worth its call. */
  #room({ pages, rows: read, rowsInTime }: Progress): { rows: number; end: End } {
    const { setting } = this.list;
    const { pageSize, callsLeft } = setting;
    const rowsRead = this.#rowsRead + read;
    const byWork = mostRowsOf(setting) - rowsRead;
    const byCalls = (Math.floor(mostCalls * (callsLeft + pages)) - pages) * pageSize;
    const rows = Math.min(byWork, rowsInTime, rowsRead === 0 ? Math.max(byCalls, pageSize) : byCalls);
    if (rowsInTime < Math.min(byWork, byCalls)) return { rows: rows < pageSize ? 0 : Math.floor(rows), end: 'time' };
    return { rows: rows < pageSize ? 0 : rows, end: byCalls < byWork ? 'calls' : 'work' };
  }
}

function uniqueIn(looked: LookedAt, time: string | undefined): RowsSeen {
  looked.unique ??= new RowsSeen(looked.rows, time);
  return looked.unique;
}

/** The first row that may be missing or wrong. */
export function firstDoubtIn(rows: readonly unknown[], doubts: readonly number[] = []): number {
  const gap = rows.findIndex((row) => !isRow(row));
  return Math.min(...doubts, gap < 0 ? Number.POSITIVE_INFINITY : gap);
}

export function isOverBudget(error: unknown): boolean {
  return error instanceof GraphQLError && error.extensions.code === 'UPSTREAM_BUDGET_EXCEEDED';
}
