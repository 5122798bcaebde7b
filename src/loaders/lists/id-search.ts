import { endpoints, type ListEndpointName } from '../../upstream/endpoints.ts';
import type { CallOrigin } from '../../upstream/request.ts';
import type { CallOrigins } from '../call-origins.ts';
import type { IdentityMap } from '../identity-map.ts';
import { type Choice, planSearch } from '../planner.ts';
import { isRow } from '../references.ts';
import type { ListPages } from './list-reader.ts';
import type { RowsList } from './rows-request.ts';

/** Most pages that a search reads for objects with a GET by id, each instead of a GET. */
export const maxPages = 16;

/** The other way to the objects of a search. */
export interface ById {
  /** Milliseconds of a GET. */
  getMs: number;
  /** Share of the objects that the next page probably holds, however long the list is: 0 to 1. */
  nextPageShare: number;
}

/**
 * Finds objects by reading their list, until it has seen them all or GETs by id are better. A scan continues where earlier
 * readers of the list have stopped. The planner chooses its next pages anew with each answer.
 */
export class ListScan {
  readonly #endpoint: ListEndpointName;
  readonly #list: RowsList;
  readonly #pages: ListPages;
  readonly #seen: IdentityMap;
  #last: Promise<Error | undefined> = Promise.resolve(undefined);
  /** Every row of the list has been read. */
  isWhole = false;
  /** The list changed while the scan read it, so that it may hold rows that the scan has not seen. */
  isInDoubt = false;

  constructor(endpoint: ListEndpointName, pages: ListPages, seen: IdentityMap) {
    this.#endpoint = endpoint;
    this.#list = { endpoint, filters: {} };
    this.#pages = pages;
    this.#seen = seen;
  }

  /** Returns the error of a page, which ends the scan, or of a row that may be a missing object. Without `byId`, only the list gives the objects. */
  seek(ids: readonly string[], origins: CallOrigins, byId?: ById): Promise<Error | undefined> {
    if (ids.length === 0 || (byId && ids.length === 1)) return nothingRead;
    const origin: CallOrigin = { reason: 'list scan', fields: () => origins.of(ids) };
    if (byId) {
      // Objects that come by id do not wait for the pages of other scans.
      const choice = this.#plan(ids.length, byId, byId.nextPageShare, maxPagesFor(ids.length));
      if (choice.chosen.pages === 0) {
        this.#pages.note(this.#endpoint, choice, origin);
        return nothingRead;
      }
    }
    // Each search waits for the one before, to continue where that one stopped.
    this.#last = this.#last.then(() => this.#seek(ids, origin, byId));
    return this.#last;
  }

  async #seek(ids: readonly string[], origin: CallOrigin, byId: ById | undefined): Promise<Error | undefined> {
    const mostPages = byId ? maxPagesFor(ids.length) : Number.POSITIVE_INFINITY;
    let pagesRead = 0;
    let nextPageShare = byId?.nextPageShare ?? 0;
    let rowsOfWave = 0;
    for (;;) {
      await this.#pages.asked.settled(this.#list);
      const { length, count } = this.#pages.asked.prefix(this.#list);
      this.isWhole = length >= count;
      const missing = ids.filter((id) => !this.#seen.get(endpoints[this.#endpoint].kind, id)?.complete).length;
      if (missing === 0) return undefined;
      if (this.isWhole) {
        // Objects with a GET come by id. After cached pages, the gateway scans the list anew.
        if (!byId && !this.#pages.usedCache(this.#endpoint)) {
          const { rows, doubts } = await this.#pages.fit(this.#list, Number.POSITIVE_INFINITY, origin);
          this.isInDoubt = doubts.length > 0 || !rows.every(isRow);
        }
        return this.#pages.failureIn(this.#endpoint);
      }
      if (this.#pages.cachedPage(this.#list, length, origin)) continue;

      // The objects are not all near each other.
      if (pagesRead > 0) nextPageShare = 0;
      const choice = this.#plan(missing, byId, nextPageShare, mostPages - pagesRead, rowsOfWave);
      this.#pages.note(this.#endpoint, choice, origin);
      const { pages, width, size } = choice.chosen;
      rowsOfWave = width > 1 ? width * size : 0;
      if (pages === 0) return undefined;
      pagesRead += width;
      const failed = await this.#pages.readSideBySide(this.#list, length, choice.chosen, origin);
      if (failed) return failed;
    }
  }

  #plan(keys: number, byId: ById | undefined, nextPageShare: number, maxPages: number, rowsOfWave = 0): Choice {
    const total = this.#pages.lengthOf(this.#endpoint).total ?? (byId && this.#pages.guessLength(this.#endpoint));
    const { length } = this.#pages.asked.prefix(this.#list);
    return planSearch({
      ...this.#pages.setting(this.#endpoint),
      keys,
      getMs: byId?.getMs,
      unread: total === undefined ? undefined : Math.max(1, total - length),
      rowsOfWave,
      nextPageShare,
      maxPages,
    });
  }
}

const nothingRead = Promise.resolve(undefined);

/** A page is read instead of at least one GET. */
export function maxPagesFor(keys: number): number {
  return Math.min(maxPages, keys - 1);
}
