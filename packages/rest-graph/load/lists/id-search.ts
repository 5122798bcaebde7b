import { UpstreamError } from '@gateway/base';
import { type CallOrigin, isRow } from '@gateway/upstream';
import { type AccessPath, type Choice, planSearch, type Search } from '../../plan/planner.ts';
import type { IdentityMap } from '../identity-map.ts';
import type { ListReader } from './list-reader.ts';
import { readUntilFit } from './reread.ts';
import { type Progress, scan } from './scan.ts';

/** Most pages that a search reads for objects with a GET by id, each instead of a GET. */
const maxPages = 16;

/** Share of the work of GETs by id that the length of the list may add to it. */
const mostForLength = 0.02;

/** The fields of the operation that need the objects of these ids, so that the trace can explain each call. */
export type FieldsOf = (ids: readonly string[]) => string[];

/**
 * Finds objects by their ids in their list, until it has seen them all or GETs by id are better. The planner chooses the
 * next pages anew with each answer.
 */
export class IdSearch {
  readonly list: ListReader;
  readonly #seen: IdentityMap;
  readonly #getMs: number | undefined;
  #last: Promise<Error | undefined> = Promise.resolve(undefined);
  /** The search reads up to this row of the list now. */
  #end = 0;
  /** Every row of the list has been read. */
  isWhole = false;
  /** The list changed while the scan read it, so that it may hold rows that the scan has not seen. */
  isInDoubt = false;

  /** `getMs`: milliseconds of a GET by id, the other way to the objects. Undefined where only the list gives them. */
  constructor(list: ListReader, seen: IdentityMap, getMs?: number) {
    this.list = list;
    this.#seen = seen;
    this.#getMs = getMs;
  }

  /**
   * Returns the error of a page, which ends the scan, or of a row that may be a missing object. `nextPageShare`: share of the
   * objects that the next page probably holds, however long the list is. By default as other searches have shown it.
   */
  seek(ids: readonly string[], fieldsOf: FieldsOf, nextPageShare?: number): Promise<Error | undefined> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => fieldsOf(ids) };
    const share = nextPageShare ?? this.list.known.takeNextPageShare();
    if (this.#getMs !== undefined) {
      // Objects that come by id do not wait for the pages of another search, unless these hold many of them.
      const coming = this.#end - this.list.pages.prefix.length;
      const choice = this.#plan(ids.length, share, maxPagesFor(ids.length), { coming });
      if (choice.chosen.gets === ids.length) {
        this.list.note(choice, origin);
        if (this.#lacksLength(choice.chosen)) this.list.askLength(origin);
        return Promise.resolve(undefined);
      }
    }
    // Each search waits for the one before, to continue where that one stopped.
    this.#last = this.#last.then(() => this.#seek(ids, origin, share, nextPageShare === undefined));
    return this.#last;
  }

  /** Beside so many GETs the length costs little. It shows the next search whether pages are better. */
  #lacksLength({ gets, workMs }: AccessPath): boolean {
    const { list, unpaged, callsLeft } = this.list.setting;
    const isCheap = !unpaged && 2 * gets < callsLeft && list.callMs + list.rowMs < mostForLength * workMs;
    return isCheap && this.list.probableLength === undefined;
  }

  async #seek(ids: readonly string[], origin: CallOrigin, share: number, learns: boolean): Promise<Error | undefined> {
    const { list } = this;
    let missing = ids.length;
    let isFirstWave = true;
    const search = {
      isDone: ({ pages }: Progress) => {
        missing = ids.filter((id) => !this.#seen.get(list.described.kind, id)?.complete).length;
        if (learns && isFirstWave && pages > 0) list.known.learnNextPageShare((1 - missing / ids.length) / pages);
        isFirstWave = pages === 0;
        return missing === 0;
      },
      // Behind the first pages, the objects are not all near each other.
      next: ({ pages, rowsOfWave }: Progress) => {
        const choice = this.#plan(missing, pages === 0 ? share : 0, maxPagesFor(ids.length) - pages, { rowsOfWave });
        this.#end = list.pages.prefix.length + choice.chosen.width * choice.chosen.size;
        return choice;
      },
    };
    const { failure } = await scan(list, search, { origin });
    this.#end = 0;
    this.isWhole = list.pages.isWhole;
    if (failure || missing === 0 || !this.isWhole) return failure;
    // Objects with a GET come by id. After cached pages, the gateway scans the list anew.
    if (this.#getMs === undefined && !list.usedCache) {
      const whole = { offset: 0, limit: Number.POSITIVE_INFINITY };
      const { rows, doubts } = await readUntilFit(list, whole, list.pages.come, { origin });
      this.isInDoubt = doubts.length > 0 || !rows.every(isRow);
    }
    // A row that the service fails on may be any object that the others are not.
    return list.pages.rowsFrom(0).find((row) => row instanceof UpstreamError);
  }

  #plan(keys: number, nextPageShare: number, maxPages: number, more: Partial<Search>): Choice {
    const { setting, pages, length, probableLength } = this.list;
    const getMs = this.#getMs;
    const total = getMs === undefined ? length : probableLength;
    const unread = total === undefined ? undefined : Math.max(1, total - pages.prefix.length);
    return planSearch({ ...setting, keys, getMs, unread, nextPageShare, maxPages, ...more });
  }
}

/** A page is read instead of at least one GET. */
export function maxPagesFor(keys: number): number {
  return Math.min(maxPages, keys - 1);
}
