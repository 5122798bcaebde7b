import type { ListOperation } from '../rest/endpoints.ts';
import type { Askers, Reason } from './askers.ts';
import type { IdentityMap } from './identity-map.ts';
import { maxUpstreamPage, type Pages, rowKinds } from './pages.ts';

/** Pages in flight at once. */
const maxWidth = 8;

/**
 * Finds objects by reading their list, from where other readers of it have stopped, until every one has been seen or
 * another way to them takes fewer calls. The first page tells how long the list is; the pages after it are read in
 * parallel, twice as many each time, so that an object near the front stays cheap and one at the end is not far away.
 */
export class Sweep {
  readonly #operation: ListOperation;
  readonly #pages: Pages;
  readonly #seen: IdentityMap;
  #size = maxUpstreamPage;
  #width = 1;
  #turn: Promise<Error | undefined> = Promise.resolve(undefined);
  /** Every row of the list has been read. */
  isWhole = false;

  constructor(operation: ListOperation, pages: Pages, seen: IdentityMap) {
    this.#operation = operation;
    this.#pages = pages;
    this.#seen = seen;
  }

  /**
   * `maxCalls`: how many pages may be worth reading for so many ids that are still missing; by default any number.
   * Returns why it had to stop, if a page could not be read.
   */
  seek(ids: readonly string[], askers: Askers, maxCalls: MaxCalls = anyNumber): Promise<Error | undefined> {
    const { known, unknown } = maxCalls(ids.length);
    const isWorthIt = this.#pages.isCounted(this.#operation) ? known > 0 : unknown > 0;
    // Waiting for pages that others have asked for would cost those who only want a few objects the time of a call.
    if (!isWorthIt) return Promise.resolve(undefined);
    // Searches take turns, so that a later one goes on where the one before stopped.
    this.#turn = this.#turn.then(() => this.#seek(ids, askers, maxCalls));
    return this.#turn;
  }

  async #seek(ids: readonly string[], askers: Askers, maxCalls: MaxCalls): Promise<Error | undefined> {
    const reason: Reason = { rung: 'sweep', fields: () => askers.of(ids) };
    let { length, count } = await this.#pages.prefix(this.#operation);
    for (;;) {
      this.isWhole = length >= count;
      const missing = ids.filter((id) => !this.#seen.get(rowKinds[this.#operation], id)?.complete).length;
      if (this.isWhole || missing === 0) return undefined;
      const isCounted = Number.isFinite(count);
      const left = isCounted ? Math.ceil((count - length) / this.#size) : 1;
      const { known, unknown } = maxCalls(missing);
      if (left > (isCounted ? known : unknown)) return undefined;

      const start = length;
      const width = Math.min(left, this.#width);
      const offsets = Array.from({ length: width }, (_, index) => start + index * this.#size);
      const answers = await Promise.allSettled(
        offsets.map((offset) =>
          this.#pages.page({ operation: this.#operation, filters: {}, offset, limit: this.#size, reason }),
        ),
      );
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed) return failed.reason as Error;
      this.#width = Math.min(this.#width * 2, maxWidth);
      ({ length, count } = await this.#pages.prefix(this.#operation));
      // The service may give less than was asked for; a short last page says nothing about that.
      if (length < count) this.#size = Math.max(1, Math.min(this.#size, Math.ceil((length - start) / offsets.length)));
    }
  }
}

/** Pages worth reading: where the length of the list is known, and where only the first page would tell it. */
export type MaxCalls = (missing: number) => { known: number; unknown: number };

const anyNumber: MaxCalls = () => ({ known: Number.POSITIVE_INFINITY, unknown: 1 });
