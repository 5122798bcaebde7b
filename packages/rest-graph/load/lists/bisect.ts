import { UpstreamError } from '@gateway/base';
import { type FailingRows, isTooLate, type ListPage, type Range } from '@gateway/upstream';
import { timeIn } from './order.ts';
import { fill, HiddenRow, idsIn, rangesOf, type Tie, tieOf, tieOfBoth, twinsIn } from './ties.ts';

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
  /** The property with the time that a tie of rows shares. */
  time: string | undefined;
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
  /** By their places in the page. An error stands for a row that the service fails on. */
  #rows: unknown[] = [];
  #counts = new Set<number>();
  /** The first place in the list that a part lacks. The service gives shorter pages, or no time is left. */
  #end = 0;
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
    this.#rows = [];
    this.#counts.clear();
    this.#end = page.offset + page.limit;
    this.#late = undefined;
    const isKnown = this.#known.placesIn(page).length > 0;
    let failed = isKnown ? await this.#read(this.#split(page)) : [page];
    if (this.#count === undefined) await this.#read([behindAllRows]);
    if (this.#count === undefined) throw this.#late ?? this.#failure;
    for (let round = 1; failed.length > 0 && !this.#late; round += 1) {
      const isInVain = this.#rows.every((row) => row instanceof UpstreamError);
      if (isInVain && round > mostRoundsInVain) throw this.#failure;
      const next = failed.slice(0, isInVain ? 1 : undefined);
      const smaller = await this.#read(next.flatMap((range) => this.#split(range)));
      failed = [...smaller, ...failed.slice(next.length)];
    }
    for (const { offset } of failed) this.#end = Math.min(this.#end, offset);
    // A page without rows would be the end of the list.
    if (this.#late && this.#end <= page.offset) throw this.#late;
    await this.#untie();
    this.#learn(this.#count);
    return this.#counts.size > 1 ? undefined : this.#result(this.#count);
  }

  /** Rows that failed before may be behind the end of a search that had no more time. */
  #learn(count: number): void {
    const page = this.#page;
    const failing = [...this.#rows.keys()].filter((at) => this.#rows[at] instanceof UpstreamError);
    const unread = this.#known.placesIn(page, count).filter((place) => place >= this.#end);
    this.#known = this.#known.with(page, [...failing.map((at) => page.offset + at), ...unread], count);
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
      if (range.limit === 1) this.#fail(range.offset - this.#page.offset);
      return range.limit > 1;
    });
  }

  /** Reads ties again of which parts have shown a row twice, and thus another one not at all. */
  async #untie(): Promise<void> {
    const rows = this.#rows;
    const { offset } = this.#page;
    const twins = twinsIn(rows);
    const ties = new Map<number, Tie>();
    for (const twin of twins) {
      const tie = tieOfBoth(rows, twin, this.#parts.time);
      if (tie) ties.set(tie.offset, tie);
    }
    for (const [, second] of twins) rows[second] = undefined;
    const seen = idsIn(rows);
    for (let round = 0; round < mostTieRounds; round += 1) {
      const open = [...ties.values()].filter((tie) => missingIn(rows, tie).length > 0);
      const ranges = open.flatMap((tie) => rangesOf({ offset: offset + tie.offset, limit: tie.limit }, round));
      const isTooMany = this.#calls + ranges.length > mostCalls || ranges.length > this.#parts.callsLeft();
      if (ranges.length === 0 || isTooMany) return;
      this.#calls += ranges.length;
      const answers = await Promise.allSettled(ranges.map((range) => this.#parts.read(range)));
      const pages = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      for (const { count } of pages) this.#counts.add(count);
      const shown = pages.flatMap(({ rows }) => rows);
      for (const tie of open) {
        const members = shown.filter((row) => timeIn(this.#parts.time, row) === tie.time);
        fill(rows, tie, members, seen);
      }
      if (round === 0) for (const [index, tie] of open.entries()) this.#addHidden(tie, answers[index]);
    }
  }

  /** The parts have hidden a row that the service fails on, because it was elsewhere in each. */
  #addHidden(tie: Tie, whole: PromiseSettledResult<ListPage> | undefined): void {
    const isKnown = this.#rows.slice(tie.offset, tie.offset + tie.limit).some((row) => row instanceof UpstreamError);
    const place = missingIn(this.#rows, tie).at(-1);
    if (isKnown || place === undefined || whole?.status !== 'rejected' || !mayBeOfRow(whole.reason)) return;
    this.#fail(place);
  }

  #fail(at: number): void {
    const { code = 'UPSTREAM_ERROR', status } = this.#failure ?? {};
    this.#rows[at] = new UpstreamError(code, `${this.#leftOut(at)} fails on it.`, { status });
  }

  #add({ offset, limit }: Range, { count, rows }: ListPage): void {
    this.#counts.add(count);
    if (rows.length < Math.min(limit, count - offset)) this.#end = Math.min(this.#end, offset + rows.length);
    for (const [index, row] of rows.slice(0, limit).entries()) this.#rows[offset - this.#page.offset + index] = row;
  }

  #result(count: number): BisectedPage {
    const length = Math.max(0, Math.min(this.#end, count) - this.#page.offset);
    const rows = Array.from({ length }, (_, at) => this.#rowAt(at));
    return { count, rows, failing: this.#known, cut: this.#late };
  }

  /** An error stands for a row that is left out. */
  #rowAt(at: number): unknown {
    const row = this.#rows[at];
    // Rows of one time come in another order on each page, so that a row on two pages hides another.
    if (row === undefined) {
      return new HiddenRow('UPSTREAM_INVALID_RESPONSE', `${this.#leftOut(at)} gave another row twice; ask again.`);
    }
    if (!(row instanceof UpstreamError && this.#parts.shufflesTies && this.#mayBeEarlier(at))) return row;
    const { code, status } = row;
    const message = `${this.#leftOut(at)} fails on it, or on another row of its time; ask again.`;
    return new HiddenRow(code, message, { status });
  }

  /** The service may have failed on an earlier row of the tie here too, in another order. A row that does not fail is then nowhere. */
  #mayBeEarlier(at: number): boolean {
    if (!(at - 1 in this.#rows)) return false;
    const { offset } = tieOf(this.#rows, at - 1, this.#parts.time);
    return this.#rows.slice(offset, at).some((row) => row instanceof UpstreamError);
  }

  #leftOut(at: number): string {
    return `The row at offset ${this.#page.offset + at} of this list is left out, because the service`;
  }
}

/** Places of the tie whose row stands elsewhere too. */
function missingIn(rows: readonly unknown[], { offset, limit }: Range): number[] {
  return Array.from({ length: limit }, (_, index) => offset + index).filter((at) => rows[at] === undefined);
}
