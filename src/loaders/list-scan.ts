import { endpoints, type ListEndpointName, pageSize } from '../upstream/endpoints.ts';
import type { CallOrigin, CallOrigins } from './call-origins.ts';
import type { IdentityMap } from './identity-map.ts';
import type { ListPages } from './list-pages.ts';

/** Pages in flight at once. */
const maxWidth = 16;

/**
 * Finds objects by reading their list, from where other readers of it have stopped, until every one has been seen or
 * another way to them takes fewer calls. While nobody knows how long the list is, its first page is read alone. The pages
 * after it are read in parallel: the more objects are missing, the more of them at once, and twice as many each time, so
 * that one object near the front stays cheap and one at the end is not far.
 */
export class ListScan {
  readonly #operation: ListEndpointName;
  readonly #pages: ListPages;
  readonly #seen: IdentityMap;
  #size = pageSize;
  #width = 1;
  #turn: Promise<Error | undefined> = Promise.resolve(undefined);
  /** Every row of the list has been read. */
  isWhole = false;

  constructor(endpoint: ListEndpointName, pages: ListPages, seen: IdentityMap) {
    this.#operation = endpoint;
    this.#pages = pages;
    this.#seen = seen;
  }

  /** Returns why it had to stop, if a page could not be read. */
  seek(ids: readonly string[], askers: CallOrigins, cost: ScanCost = atAnyCost): Promise<Error | undefined> {
    // Waiting for pages that others have asked for would cost those who only want a few objects the time of a call.
    if (this.#worth(ids.length, cost) < 1) return Promise.resolve(undefined);
    // Searches take turns, so that a later one goes on where the one before stopped.
    this.#turn = this.#turn.then(() => this.#seek(ids, askers, cost));
    return this.#turn;
  }

  /** Pages that are worth reading for so many objects, as far as the length of the list is known. */
  #worth(missing: number, cost: ScanCost): number {
    const { total, isCounted } = this.#pages.lengthOf(this.#operation);
    const { known, unknown } = cost.maxCalls(
      missing,
      total === undefined ? this.#pages.guessPages(this.#operation) : undefined,
    );
    if (isCounted) return known;
    // A remembered length is no reason to look through a list for what it may hide.
    return total === undefined || unknown === 0 ? unknown : known;
  }

  async #seek(ids: readonly string[], askers: CallOrigins, cost: ScanCost): Promise<Error | undefined> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => askers.of(ids) };
    let { length, count } = await this.#pages.prefix(this.#operation);
    for (;;) {
      this.isWhole = length >= count;
      const missing = ids.filter((id) => !this.#seen.get(endpoints[this.#operation].kind, id)?.complete).length;
      if (this.isWhole || missing === 0) return undefined;
      const { total } = this.#pages.lengthOf(this.#operation);
      const left = total === undefined ? 1 : Math.max(1, Math.ceil((total - length) / this.#size));
      if (left > this.#worth(missing, cost)) return undefined;

      const start = length;
      const likely = Math.max(this.#width, Math.ceil((left * (missing - 1)) / missing));
      const width = cost.firstAlone && length < this.#size ? 1 : Math.min(left, likely, maxWidth);
      const offsets = Array.from({ length: width }, (_, index) => start + index * this.#size);
      const answers = await Promise.allSettled(
        offsets.map((offset) =>
          this.#pages.page({ endpoint: this.#operation, filters: {}, offset, limit: this.#size, origin: origin }),
        ),
      );
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed) return failed.reason as Error;
      this.#width *= 2;
      ({ length, count } = await this.#pages.prefix(this.#operation));
      // The service may give less than was asked for; a short last page says nothing about that.
      if (length < count) this.#size = Math.max(1, Math.min(this.#size, length - start));
    }
  }
}

/** How often, at most, pages are waited for until so many have been read after the first one. */
export function wavesOfScan(pages: number): number {
  if (pages === Number.POSITIVE_INFINITY) return pages;
  let waves = 0;
  for (let left = pages, width = 2; left > 0; left -= Math.min(width, maxWidth), width *= 2) waves += 1;
  return waves;
}

export interface ScanCost {
  /**
   * Pages worth reading for so many objects: where the length of the list is known, and where only a page would tell it.
   * `guess`: how many pages it may have.
   */
  maxCalls(missing: number, guess?: number): { known: number; unknown: number };
  /** The first page is read alone: there is a good chance that it makes the others needless. */
  firstAlone: boolean;
}

const atAnyCost: ScanCost = {
  maxCalls: () => ({ known: Number.POSITIVE_INFINITY, unknown: 1 }),
  firstAlone: false,
};
