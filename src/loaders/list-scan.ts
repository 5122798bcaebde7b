import { endpoints, type ListEndpointName, pageSize } from '../upstream/endpoints.ts';
import type { CallOrigin, CallOrigins } from './call-origins.ts';
import type { IdentityMap } from './identity-map.ts';
import type { ListPages } from './list-pages.ts';

/** Pages in flight at once. */
const maxWidth = 16;

/**
 * Finds objects by reading their list, until it has seen them all or another way takes fewer calls. A scan continues where
 * earlier readers of the list have stopped. It reads the first page of a list of unknown length alone. Later pages come in
 * parallel: more of them for more missing objects, and twice as many each time. One object near the front
 * stays cheap, and one at the end is a few waves away.
 */
export class ListScan {
  readonly #endpoint: ListEndpointName;
  readonly #pages: ListPages;
  readonly #seen: IdentityMap;
  #size = pageSize;
  #width = 1;
  #last: Promise<Error | undefined> = Promise.resolve(undefined);
  /** Every row of the list has been read. */
  isWhole = false;

  constructor(endpoint: ListEndpointName, pages: ListPages, seen: IdentityMap) {
    this.#endpoint = endpoint;
    this.#pages = pages;
    this.#seen = seen;
  }

  /** Returns the error of a page, which ends the scan. */
  seek(ids: readonly string[], origins: CallOrigins, cost: ScanCost = atAnyCost): Promise<Error | undefined> {
    // A load of a few objects does not wait for the pages of other scans.
    if (this.#worth(ids.length, cost) < 1) return Promise.resolve(undefined);
    // Each search waits for the one before, to continue where that one stopped.
    this.#last = this.#last.then(() => this.#seek(ids, origins, cost));
    return this.#last;
  }

  /** Pages that are worth reading for this number of objects. */
  #worth(missing: number, cost: ScanCost): number {
    const { total, isCounted } = this.#pages.lengthOf(this.#endpoint);
    const { known, unknown } = cost.maxCalls(
      missing,
      total === undefined ? this.#pages.guessPages(this.#endpoint) : undefined,
    );
    if (isCounted) return known;
    // The length from an earlier request alone is no reason to scan a list, which may hide the objects.
    return total === undefined || unknown === 0 ? unknown : known;
  }

  async #seek(ids: readonly string[], origins: CallOrigins, cost: ScanCost): Promise<Error | undefined> {
    const origin: CallOrigin = { reason: 'list scan', fields: () => origins.of(ids) };
    let { length, count } = await this.#pages.prefix(this.#endpoint);
    for (;;) {
      this.isWhole = length >= count;
      const missing = ids.filter((id) => !this.#seen.get(endpoints[this.#endpoint].kind, id)?.complete).length;
      if (this.isWhole || missing === 0) return undefined;
      const { total } = this.#pages.lengthOf(this.#endpoint);
      const left = total === undefined ? 1 : Math.max(1, Math.ceil((total - length) / this.#size));
      if (left > this.#worth(missing, cost)) return undefined;

      const start = length;
      const expected = Math.max(this.#width, Math.ceil((left * (missing - 1)) / missing));
      const width = cost.firstAlone && length < this.#size ? 1 : Math.min(left, expected, maxWidth);
      const offsets = Array.from({ length: width }, (_, index) => start + index * this.#size);
      const answers = await Promise.allSettled(
        offsets.map((offset) =>
          this.#pages.page({ endpoint: this.#endpoint, filters: {}, offset, limit: this.#size, origin }),
        ),
      );
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed) return failed.reason as Error;
      this.#width *= 2;
      ({ length, count } = await this.#pages.prefix(this.#endpoint));
      // A page shorter than its limit shows the service's page size, except at the end of the list.
      if (length < count) this.#size = Math.max(1, Math.min(this.#size, length - start));
    }
  }
}

/** Most waves of parallel pages that a scan needs for this number of pages after the first. */
export function wavesOfScan(pages: number): number {
  if (pages === Number.POSITIVE_INFINITY) return pages;
  let waves = 0;
  for (let left = pages, width = 2; left > 0; left -= Math.min(width, maxWidth), width *= 2) waves += 1;
  return waves;
}

export interface ScanCost {
  /** Pages worth reading for `missing` objects, in a list of known and of unknown length. `guess`: pages it may have. */
  maxCalls(missing: number, guess?: number): { known: number; unknown: number };
  /** The scan reads the first page alone, because that page probably suffices. */
  firstAlone: boolean;
}

const atAnyCost: ScanCost = {
  maxCalls: () => ({ known: Number.POSITIVE_INFINITY, unknown: 1 }),
  firstAlone: false,
};
