import { type ListPage, pageSize, type Range } from './list-page.ts';
import { Memory } from './memory.ts';

/** The weight of the latest range. */
const gain = 0.2;

/** The same of a search, which asks for many objects at once. */
const gainOfSearch = 1 / 3;

/**
 * Share of the objects of a search that the next page probably holds, before any search. Most lists are newest first, and
 * objects that refer to each other are about as old. Ids that a client sends come mostly from one page.
 */
export const usualNextPageShare = 0.5;

/** The gateway tries smaller pages of a list again after some ranges. */
const forgetting = 0.95;

/** A list counts as quiet for so long before its first read. One new row is then no flood. */
const quietMs = 10_000;
/** Changes count for about so long: pushes of an outbox take seconds to minutes. */
const memoryMs = 60_000;

/** The most rows before and after a page that the gateway reads because rows of the list move. */
export const mostSlack = 16;

/** Guesses about one list, before the gateway reads its length again. */
const maxGuesses = 50;

/** The service may be updated while the gateway runs. A page may also be short because rows went while the service read it. */
const shownForMs = 600_000;

/** The same for what the service lacks. Users wait for that after an update. */
export const lackingForMs = 60_000;

/** A list as the answers to all callers have shown it. A wrong figure costs a call, never a row. */
export class KnownList {
  /**
   * Rows of pages. `longest`: of any page. `most`: of a short page, the first or the longest. `taken`: of a first page that had as
   * many as it was asked for. `doubted`: of one that was not where the sizes of pages put it.
   */
  readonly #shown = new Memory<number>({ ttlMs: shownForMs });
  readonly #largest: number | undefined;
  #appliedFilters = new Memory<boolean>({ max: 100, ttlMs: shownForMs });
  /** The parameters by which the service applied filters the last time. */
  readonly #filterNames = new Map<string, string>();
  #usual: { length: number; guesses: number } | undefined;
  #rereadShare = 0;
  #nextPageShare = usualNextPageShare;
  /** Rows that came or went, and the milliseconds in which they did. */
  #changes = { rows: 0, ms: quietMs };
  #expectedShift = 0;

  /** `largest`: rows of the largest page, where the contract declares it. */
  constructor(largest?: number) {
    this.#largest = largest;
  }

  /** Rows of the largest page that the service gives, as far as the gateway knows; `most` otherwise. */
  pageSize(most = pageSize): number {
    return Math.min(most, this.#largest ?? most, this.#shown.get('most') ?? most);
  }

  /** The service gives pages of so many rows, as the contract declares or a first page has shown. */
  takesPages(rows: number): boolean {
    const isDeclared = this.#largest !== undefined && this.#shown.get('doubted') === undefined;
    return rows <= ((isDeclared ? this.#largest : this.#shown.get('taken')) ?? 0);
  }

  /** The service gives other pages than were known. A first page has to show their size again. */
  doubtPages(): void {
    this.#shown.delete('taken');
    this.#shown.set('doubted', 0);
  }

  /** Learns from the first page of a list, or of its filtered rows, which size of pages the service takes. */
  learnFirstPage(limit: number, { count, rows }: ListPage): void {
    this.learnPage({ offset: 0, limit }, { count, rows });
    const isWhole = rows.length < limit && rows.length >= count;
    if (isWhole || rows.length === 0) return;
    const taken = this.#shown.get('taken') ?? 0;
    this.#shown.set('taken', rows.length < limit ? rows.length : Math.max(taken, limit));
  }

  /** Returns whether the page is as long as its count says. */
  learnPage({ offset, limit }: Range, { count, rows }: ListPage): boolean {
    const expected = Math.max(0, Math.min(limit, count - offset));
    const longest = this.#shown.get('longest') ?? 1;
    if (rows.length >= longest) this.#shown.set('longest', rows.length);
    // A short page before the end comes from a service with smaller pages. Some count rows that they never give.
    const isSmaller = rows.length > 0 && (offset === 0 || rows.length >= longest);
    if (isSmaller && rows.length < expected) this.#shown.set('most', rows.length);
    return rows.length >= expected;
  }

  /**
   * The shortest length that other callers have seen, for a caller who has seen none. Ends after some guesses, so that the
   * gateway notices when lists change.
   */
  guessLength(): number | undefined {
    if (!this.#usual) return undefined;
    this.#usual.guesses += 1;
    if (this.#usual.guesses > maxGuesses) this.#usual = undefined;
    return this.#usual?.length;
  }

  learnLength(rows: number): void {
    if (this.#usual) this.#usual.length = Math.min(this.#usual.length, rows);
    else this.#usual = { length: rows, guesses: 0 };
  }

  /**
   * Share of the rows of the latest ranges that the gateway read again: 0 to 1. Their pages did not fit together. Rows came
   * and went in between, or the service orders rows of one time differently on each page.
   */
  takeRereadShare(): number {
    const share = this.#rereadShare;
    this.#rereadShare *= forgetting;
    return share;
  }

  learnReread(share: number): void {
    this.#rereadShare += gain * (share - this.#rereadShare);
  }

  /** Share of the objects whose ids a client sent that the next page probably holds: 0 to 1. */
  takeNextPageShare(): number {
    const share = this.#nextPageShare;
    this.#nextPageShare = usualNextPageShare + forgetting * (share - usualNextPageShare);
    return share;
  }

  learnNextPageShare(share: number): void {
    this.#nextPageShare += gainOfSearch * (share - this.#nextPageShare);
  }

  /** A caller has seen so many rows come or go in this time. */
  learnChanges(rows: number, ms: number): void {
    const weight = Math.exp(-ms / memoryMs);
    this.#changes = { rows: this.#changes.rows * weight + rows, ms: this.#changes.ms * weight + ms };
  }

  /** Rows that come or go in a millisecond, by the counts of the latest pages. */
  get changesPerMs(): number {
    return this.#changes.rows / this.#changes.ms;
  }

  /** Rows by which a row has probably moved between two pages of a client, up to `mostSlack`. */
  get expectedShift(): number {
    return Math.round(this.#expectedShift);
  }

  /** A client's next page has shown by how many rows those before it have moved since; negative where rows went. */
  learnShift(moved: number): void {
    const rows = Math.min(Math.abs(moved), mostSlack);
    // More rows than expected cost another reading, and rows for nothing cost little.
    this.#expectedShift = Math.max(rows, this.#expectedShift + gain * (rows - this.#expectedShift));
  }

  /** Whether the service applies a filter beside others, or ignores it. Undefined where no answer has shown it of late. */
  isFilterApplied(filter: string): boolean | undefined {
    return this.#appliedFilters.get(filter);
  }

  /** `isApplied` is undefined where an answer contradicts what the service has shown. */
  learnFilter(filter: string, isApplied: boolean | undefined): void {
    if (this.#appliedFilters.isFull) this.#appliedFilters = this.#appliedFilters.anew();
    if (isApplied === undefined) this.#appliedFilters.delete(filter);
    else this.#appliedFilters.set(filter, isApplied, isApplied ? shownForMs : lackingForMs);
  }

  filterName(filter: string): string {
    return this.#filterNames.get(filter) ?? filter;
  }

  learnFilterName(filter: string, name: string): void {
    this.#filterNames.set(filter, name);
  }
}
