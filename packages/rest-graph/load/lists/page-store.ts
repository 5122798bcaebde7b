import { isRow, type ListPage, type Range } from '@gateway/upstream';
import { timeIn } from './order.ts';
import type { PageRead } from './page-fit.ts';
import { idsIn } from './ties.ts';

/** A page that this request has asked for. */
export interface AskedPage extends Range {
  page: Promise<ListPage>;
  /** Resolves when the page has come, or has failed. */
  end: Promise<PageRead>;
  /** Undefined until the page has come. */
  come: PageRead | undefined;
  /** An earlier request has read the page. */
  isCached: boolean;
}

/** The pages of one list that a request has asked for. */
export class PageStore {
  #asked: AskedPage[] = [];
  /** Counts the pages that have come or were dropped, so that readers see a change. */
  changes = 0;

  /** The first page that was asked for, whether it comes or not. */
  get first(): Promise<ListPage> | undefined {
    return this.#asked[0]?.page;
  }

  /** The latest page of the service with these rows. */
  find({ offset, limit }: Range): AskedPage | undefined {
    return this.#asked.findLast((asked) => asked.offset === offset && asked.limit === limit && !asked.isCached);
  }

  add({ offset, limit }: Range, page: Promise<ListPage>, isCached = false): AskedPage {
    const askedAt = performance.now();
    const end = page.then(
      (value) => {
        asked.come = pageRead({ offset, limit }, askedAt, value);
        this.changes += 1;
        return asked.come;
      },
      (error) => ({ ...pageRead({ offset, limit }, askedAt), error }),
    );
    const asked: AskedPage = { offset, limit, page, end, come: undefined, isCached };
    this.#asked.push(asked);
    return asked;
  }

  /** The pages that have come. */
  get come(): PageRead[] {
    return this.#asked.flatMap(({ come }) => come ?? []);
  }

  /** Resolves when the pages in flight have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#asked.map(({ end }) => end));
  }

  /**
   * A cached page contradicts another one that overlaps it. As many rows may have come since as have left, and the count is the
   * same. `time`: the property that rows of a tie share, which change places.
   */
  hasOutdatedPage(time: string | undefined): boolean {
    const pages = this.#inOrder;
    const count = Math.max(...pages.map((page) => page.count));
    let last: PlacedPage | undefined;
    for (const page of pages) {
      // New rows stand above all others.
      const next = { ...page, offset: page.offset + count - page.count };
      if (last && (last.isCached || next.isCached) && contradicts(last, next, time)) return true;
      if (!last || endOf(next) > endOf(last)) last = next;
    }
    return false;
  }

  dropCached(): void {
    this.#asked = this.#asked.filter(({ isCached }) => !isCached);
    this.changes += 1;
  }

  /**
   * The rows that have come, from the first one of the list on, and the count of the list. A cached page joins others only where it
   * overlaps them, because rows may have moved since. `isCached`: the last page is cached.
   */
  get prefix(): { length: number; count: number; isCached: boolean } {
    let [length, count, isCached] = [0, Number.POSITIVE_INFINITY, false];
    for (const page of this.#inOrder) {
      // A page without rows is the end, even if the count says otherwise.
      count = Math.min(count, page.rows.length === 0 ? page.offset : page.count);
      const overlap = page.offset === 0 || !(isCached || page.isCached) ? 0 : 1;
      if (page.offset + overlap > length) continue;
      if (endOf(page) >= length) ({ isCached } = page);
      length = Math.max(length, endOf(page));
    }
    return { length, count, isCached };
  }

  /** Every row of the list has come. */
  get isWhole(): boolean {
    const { length, count } = this.prefix;
    return length >= count;
  }

  /** The rows of the prefix from an offset on, as the pages show them. */
  rowsFrom(start: number): unknown[] {
    const found: unknown[] = [];
    for (const { offset, rows } of this.#inOrder) {
      const end = start + found.length;
      if (offset <= end) found.push(...rows.slice(end - offset));
    }
    return found.slice(0, Math.max(0, this.prefix.length - start));
  }

  get #inOrder(): PlacedPage[] {
    const placed = ({ come, isCached }: AskedPage) =>
      come?.page ? { offset: come.offset, ...come.page, isCached } : [];
    return this.#asked.flatMap(placed).sort((a, b) => a.offset - b.offset);
  }
}

/** A page that has come, at its place in the list. */
type PlacedPage = ListPage & Pick<AskedPage, 'offset' | 'isCached'>;

function endOf({ offset, rows }: PlacedPage): number {
  return offset + rows.length;
}

/** The last place that both pages show has another row on each, and a tie does not explain that. */
function contradicts(page: PlacedPage, next: PlacedPage, time: string | undefined): boolean {
  const at = Math.min(endOf(page), endOf(next)) - 1;
  const [row, other] = [page.rows[at - page.offset], next.rows[at - next.offset]];
  if (!isRow(row) || !isRow(other) || row.id === other.id) return false;
  if ((timeIn(time, row) ?? Number.NaN) !== timeIn(time, other)) return true;
  // Rows of a tie change places. Where the pages show more rows than places, one has left and another has come.
  return idsIn([...page.rows, ...next.rows]).size > Math.max(endOf(page), endOf(next)) - page.offset;
}

/** A page with the rows that it has, or should have. */
function pageRead({ offset, limit }: Range, askedAt: number, page?: ListPage): PageRead {
  const read: PageRead = { offset, limit, asked: limit, page, askedAt, answeredAt: performance.now() };
  if (!page || page.cut) return read;
  const { count, rows } = page;
  // Rows above the limit would come twice, with the next page.
  return rows.length > limit
    ? { ...read, page: { count, rows: rows.slice(0, limit) } }
    : { ...read, limit: rows.length };
}
