import { isTooLate, UpstreamError } from '../../upstream/errors.ts';
import type { FailingRows } from '../../upstream/failing-rows.ts';
import type { ListPage, Range } from '../../upstream/list-page.ts';
import { isRow } from '../references.ts';
import { type DoubledTie, doubledTies, fillTies, HiddenRow, maybeFailing, rangesOf } from './ties.ts';

/** Quarters take about as many calls as halves, for half the rounds and two thirds of the rows. */
const partsOfRange = 4;

/** Calls of one search. A single failing row among 100 takes 15. */
const mostCalls = 48;

/** Rounds of calls for rows of one time that parts show twice. Each shows about half of those that are missing. */
const mostTieRounds = 6;

/** Rounds of calls without any row, after which the service counts as failing on everything. */
const mostRoundsInVain = 2;

/** A page behind all rows costs the service none, and shows whether it answers the list at all. */
const behindAllRows: Range = { offset: 1_000_000_000, limit: 1 };

const noPlaces: ReadonlySet<number> = new Set();

export interface Parts {
  /** The error of the whole page; undefined if the gateway goes around a known row at once. */
  failure: UpstreamError | undefined;
  /** Rows that failed a while ago. */
  known: FailingRows;
  /** Rows of one time come in another order on each page. */
  shufflesTies: boolean;
  /** Calls that the operation may still make. */
  callsLeft(): number;
  read(range: Range): Promise<ListPage>;
}

/** A page with an error at the place of each row that the service fails on. */
export interface BisectedPage extends ListPage {
  /** The rows of the list that fail, as far as the gateway knows now. */
  failing: FailingRows;
}

/** The service may have failed on one row of the page alone. */
export function mayBeOfRow(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError)) return false;
  const { code, status = 0 } = error;
  return (code === 'UPSTREAM_ERROR' && status >= 500) || (code === 'UPSTREAM_INVALID_RESPONSE' && status === 200);
}

/**
 * Reads a page in parts, and failed parts in smaller parts, down to the rows that the service fails on. Where the time is over
 * before, the page ends before the first row that no part has shown.
 * @throws the error of the page where the service fails on everything, or the search takes too many calls.
 */
export async function bisect(page: Range, parts: Parts): Promise<BisectedPage> {
  const search = new Bisection(parts);
  const found = (await search.run(page)) ?? (await search.run(page));
  if (found) return found;
  throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The list changes while the gateway reads it; ask again.');
}

class Bisection {
  readonly #parts: Parts;
  #known: FailingRows;
  #failure: UpstreamError | undefined;
  #calls = 0;
  /** By their places in the list. */
  #rows = new Map<number, unknown>();
  #failing = new Set<number>();
  #counts = new Set<number>();
  /** The first place that a part lacks, because the service gives shorter pages, or because no time is left. */
  #end = 0;
  #late: UpstreamError | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#known = parts.known;
    this.#failure = parts.failure;
  }

  /** Undefined if the list has changed between two parts. */
  async run(page: Range): Promise<BisectedPage | undefined> {
    for (const earlier of [this.#rows, this.#failing, this.#counts]) earlier.clear();
    this.#end = page.offset + page.limit;
    this.#late = undefined;
    const isKnown = this.#known.placesIn(page).length > 0;
    let failed = isKnown ? await this.#read(this.#split(page)) : [page];
    if (this.#count === undefined) await this.#read([behindAllRows]);
    if (this.#count === undefined) throw this.#late ?? this.#failure;
    for (let round = 1; failed.length > 0 && !this.#late; round += 1) {
      const isInVain = this.#rows.size === 0;
      if (isInVain && round > mostRoundsInVain) throw this.#failure;
      const next = failed.slice(0, isInVain ? 1 : undefined);
      const smaller = await this.#read(next.flatMap((range) => this.#split(range)));
      failed = [...smaller, ...failed.slice(next.length)];
    }
    for (const { offset } of failed) this.#end = Math.min(this.#end, offset);
    // A page without rows would be the end of the list.
    if (this.#late && this.#end <= page.offset) throw this.#late;
    await this.#untie();
    this.#learn(page, this.#count);
    return this.#counts.size > 1 ? undefined : this.#result(page, this.#count);
  }

  /** Rows that failed before may be behind the end of a search that had no more time. */
  #learn(page: Range, count: number): void {
    const unread = this.#known.placesIn(page, count).filter((place) => place >= this.#end);
    this.#known = this.#known.with(page, [...this.#failing, ...unread], count);
  }

  /** Rows of the list, by the latest answer. */
  get #count(): number | undefined {
    return [...this.#counts].at(-1);
  }

  /** Parts around the known rows of the range, or else its quarters. */
  #split({ offset, limit }: Range): Range[] {
    const end = Math.min(offset + limit, this.#count ?? Number.POSITIVE_INFINITY);
    const known = this.#known.placesIn({ offset, limit }, this.#count).flatMap((place) => [place, place + 1]);
    const quarter = (end - offset) / partsOfRange;
    const borders = known.length > 0 ? known : [1, 2, 3].map((index) => offset + Math.ceil(index * quarter));
    const starts = [...new Set([offset, ...borders])].filter((start) => start < end);
    return starts.map((start, index) => ({ offset: start, limit: (starts[index + 1] ?? end) - start }));
  }

  /** Returns the ranges of several rows that failed. */
  async #read(ranges: readonly Range[]): Promise<Range[]> {
    this.#calls += ranges.length;
    const isTooMany = this.#calls > mostCalls || ranges.length > this.#parts.callsLeft();
    if (isTooMany && this.#failure) throw this.#failure;
    const answers = await Promise.allSettled(ranges.map((range) => this.#parts.read(range)));
    return ranges.filter((range, index) => {
      const answer = answers[index] as PromiseSettledResult<ListPage>;
      if (answer.status === 'fulfilled') {
        this.#add(range, answer.value);
        return false;
      }
      if (isTooLate(answer.reason)) {
        this.#late = answer.reason;
        this.#end = Math.min(this.#end, range.offset);
        return false;
      }
      if (!mayBeOfRow(answer.reason)) throw answer.reason;
      this.#failure ??= answer.reason;
      if (range.limit === 1) this.#failing.add(range.offset);
      return range.limit > 1;
    });
  }

  /** Reads ties again of which parts have shown a row twice, and thus another one not at all. */
  async #untie(): Promise<void> {
    for (let round = 0; round < mostTieRounds; round += 1) {
      const ties = doubledTies(this.#rows, this.#failing);
      const ranges = ties.flatMap((tie) => rangesOf(tie, round));
      const isTooMany = this.#calls + ranges.length > mostCalls || ranges.length > this.#parts.callsLeft();
      if (ranges.length === 0 || isTooMany) return;
      this.#calls += ranges.length;
      const answers = await Promise.allSettled(ranges.map((range) => this.#parts.read(range)));
      const pages = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      for (const { count } of pages) this.#counts.add(count);
      fillTies(
        this.#rows,
        ties,
        pages.flatMap(({ rows }) => rows),
      );
      if (round === 0) for (const [index, tie] of ties.entries()) this.#addHidden(tie, answers[index]);
    }
  }

  /** The parts have hidden a row that the service fails on, because it was elsewhere in each. */
  #addHidden({ offset, limit, doubled }: DoubledTie, whole: PromiseSettledResult<ListPage> | undefined): void {
    const isKnown = [...this.#failing].some((place) => place >= offset && place < offset + limit);
    const place = doubled.at(-1);
    if (isKnown || place === undefined || whole?.status !== 'rejected' || !mayBeOfRow(whole.reason)) return;
    this.#failing.add(place);
    this.#rows.delete(place);
  }

  #add({ offset, limit }: Range, { count, rows }: ListPage): void {
    this.#counts.add(count);
    if (rows.length < Math.min(limit, count - offset)) this.#end = Math.min(this.#end, offset + rows.length);
    for (const [index, row] of rows.slice(0, limit).entries()) this.#rows.set(offset + index, row);
  }

  #result({ offset }: Range, count: number): BisectedPage {
    const shown = new Set<string>();
    const { code = 'UPSTREAM_ERROR', status } = this.#failure ?? {};
    const statusOf = status === undefined ? {} : { status };
    const maybe = this.#parts.shufflesTies ? maybeFailing(this.#rows, this.#failing) : noPlaces;
    const rowAt = (place: number) => {
      const leftOut = `The row at offset ${place} of this list is left out, because the service`;
      // One row may have failed at both places, in another order. A row that does not fail is then nowhere.
      if (maybe.has(place)) {
        return new HiddenRow(code, `${leftOut} fails on it, or on another row of its time; ask again.`, statusOf);
      }
      if (this.#failing.has(place)) return new UpstreamError(code, `${leftOut} fails on it.`, statusOf);
      const row = this.#rows.get(place);
      if (!isRow(row)) return row;
      // Rows of one time come in another order on each page, so that a row on two pages hides another.
      if (shown.has(row.id)) {
        return new HiddenRow('UPSTREAM_INVALID_RESPONSE', `${leftOut} gave another row twice; ask again.`);
      }
      shown.add(row.id);
      return row;
    };
    const length = Math.max(0, Math.min(this.#end, count) - offset);
    const rows = Array.from({ length }, (_, index) => rowAt(offset + index));
    return { count, rows, failing: this.#known, cut: this.#late };
  }
}
