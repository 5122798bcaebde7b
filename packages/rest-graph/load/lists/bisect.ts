import { UpstreamError } from '@gateway/base';
import { type FailingRows, isTooLate, type ListPage, type Range } from '@gateway/upstream';
import type { ListReads } from '../reader.ts';
import type { ListOrder } from './filters.ts';
import { type Fit, fitPages, type PageRead } from './page-fit.ts';
import { PageStore } from './page-store.ts';
import { rangesOf, tieOf } from './ties.ts';

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

export interface Parts {
  /** The error of the whole page; undefined if the gateway goes around a known row at once. */
  failure: UpstreamError | undefined;
  /** Rows that failed a while ago. */
  known: FailingRows;
  order: ListOrder;
  reads: Pick<ListReads, 'budget'>;
  read(range: Range): Promise<ListPage>;
}

/** A page with an error at the place of each row that the service fails on. */
interface BisectedPage extends ListPage {
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
  const search = new Bisection(page, parts);
  const found = (await search.run()) ?? (await search.run());
  if (found) return found;
  throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The list changes while the gateway reads it; ask again.');
}

class Bisection {
  readonly #page: Range;
  readonly #parts: Parts;
  #known: FailingRows;
  #failure: UpstreamError | undefined;
  #calls = 0;
  /** The parts that were asked for. */
  #asked = new PageStore();
  /** The errors of the rows that the service fails on, by their places in the list. */
  readonly #failing = new Map<number, UpstreamError>();
  #late: UpstreamError | undefined;

  constructor(page: Range, parts: Parts) {
    this.#page = page;
    this.#parts = parts;
    this.#known = parts.known;
    this.#failure = parts.failure;
  }

  /** Undefined if the list has changed between two parts. */
  async run(): Promise<BisectedPage | undefined> {
    const page = this.#page;
    this.#asked = new PageStore();
    this.#failing.clear();
    this.#late = undefined;
    const isKnown = this.#known.placesIn(page).length > 0;
    let failed = isKnown ? await this.#read(this.#split(page)) : [page];
    if (this.#count === undefined) await this.#read([behindAllRows]);
    if (this.#count === undefined) throw this.#late ?? this.#failure;
    for (let round = 1; failed.length > 0 && !this.#late; round += 1) {
      const isInVain = this.#asked.come.every(({ limit }) => limit === 0);
      if (isInVain && round > mostRoundsInVain) throw this.#failure;
      const next = failed.slice(0, isInVain ? 1 : undefined);
      const smaller = await this.#read(next.flatMap((range) => this.#split(range)));
      failed = [...smaller, ...failed.slice(next.length)];
    }
    const { rows, doubts, gaps } = await this.#untie();
    // The service gives shorter pages, or no time is left.
    const end = gaps[0]?.offset ?? page.offset + rows.length;
    // A page without rows would be the end of the list.
    if (this.#late && end <= page.offset) throw this.#late;
    const count = this.#count;
    // Rows that failed before may be behind the end of a search that had no more time.
    const unread = this.#known.placesIn(page, count).filter((place) => place >= end);
    this.#known = this.#known.with(page, [...this.#failing.keys(), ...unread], count);
    if (this.#asked.come.some((part) => part.page?.count !== count)) return undefined;
    for (const place of this.#doubtful(rows)) {
      rows[place - page.offset] = undefined;
      doubts.push(place);
    }
    const length = Math.max(0, end - page.offset);
    return {
      count,
      rows: rows.slice(0, length),
      doubts: doubts.filter((place) => place < end),
      failing: this.#known,
      cut: this.#late,
    };
  }

  /** Rows of the list, by the latest answer. */
  get #count(): number | undefined {
    return this.#asked.come.at(-1)?.page?.count;
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

  #ask(ranges: readonly Range[]): Promise<PageRead[]> {
    this.#calls += ranges.length;
    return Promise.all(ranges.map((range) => this.#asked.add(range, this.#parts.read(range)).end));
  }

  #hasCallsFor(ranges: readonly Range[]): boolean {
    return this.#calls + ranges.length <= mostCalls && ranges.length <= this.#parts.reads.budget.left;
  }

  /** Returns the ranges of several rows that failed. */
  async #read(ranges: readonly Range[]): Promise<Range[]> {
    if (this.#failure && !this.#hasCallsFor(ranges)) throw this.#failure;
    const read = await this.#ask(ranges);
    return read.filter(({ offset, limit, page, error }) => {
      if (page) return false;
      if (isTooLate(error)) {
        this.#late = error;
        return false;
      }
      if (!mayBeOfRow(error)) throw error;
      this.#failure ??= error;
      if (limit === 1) this.#fail(offset);
      return limit > 1;
    });
  }

  #fail(place: number): void {
    const { code = 'UPSTREAM_ERROR', status } = this.#failure ?? {};
    const message = `The row at offset ${place} of this list is left out, because the service fails on it.`;
    this.#failing.set(place, new UpstreamError(code, message, { status }));
  }

  /** Reads ties again of which parts have shown a row twice, and thus another one not at all. */
  async #untie(): Promise<Fit> {
    for (let round = 0; ; round += 1) {
      const fit = this.#fit();
      const ranges = fit.torn.flatMap((tie) => rangesOf(tie, round));
      if (ranges.length === 0 || round === mostTieRounds || !this.#hasCallsFor(ranges)) return fit;
      const read = await this.#ask(ranges);
      if (round === 0) for (const whole of read) this.#addHidden(whole, fit);
    }
  }

  /** The rows that the parts show together. No part shows a row in place of one that the service fails on. */
  #fit(): Fit {
    const count = this.#count as number;
    const last = { limit: 1, asked: 1, askedAt: Number.POSITIVE_INFINITY, answeredAt: Number.POSITIVE_INFINITY };
    const failing = [...this.#failing].map(([offset, error]) => ({ ...last, offset, page: { count, rows: [error] } }));
    return fitPages(this.#page, [...this.#asked.come, ...failing], { time: this.#parts.order.time, minTie: 0 });
  }

  /** The parts have hidden a row that the service fails on, because it was elsewhere in each. */
  #addHidden({ offset, limit, error }: PageRead, { doubts }: Fit): void {
    const isInTie = (place: number) => place >= offset && place < offset + limit;
    const place = doubts.findLast(isInTie);
    if (place !== undefined && mayBeOfRow(error) && ![...this.#failing.keys()].some(isInTie)) this.#fail(place);
  }

  /**
   * Places at which the service may have failed on an earlier row of the tie too, in another order. A row that does not fail is
   * then nowhere.
   */
  #doubtful(rows: readonly unknown[]): number[] {
    const isFailing = (row: unknown) => row instanceof UpstreamError;
    const { isNewestFirst, time } = this.#parts.order;
    // Other lists give the rows of one time in one order.
    const places = isNewestFirst ? [...rows.keys()].filter((at) => at > 0 && isFailing(rows[at])) : [];
    const mayBeEarlier = (at: number) => rows.slice(tieOf(rows, at - 1, time).offset, at).some(isFailing);
    return places.filter(mayBeEarlier).map((at) => this.#page.offset + at);
  }
}
