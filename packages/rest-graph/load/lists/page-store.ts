import type { ListPage, Range } from '@gateway/upstream';
import type { PageRead } from './page-fit.ts';

/** A page that this request has asked for. */
export interface AskedPage extends Range {
  page: Promise<ListPage>;
  /** Resolves when the page has come, or has failed. */
  end: Promise<PageRead>;
  /** Undefined until the page has come. */
  come: PageRead | undefined;
}

/** The pages of one list that a request has asked for. */
export class PageStore {
  readonly #asked: AskedPage[] = [];

  /** The first page that was asked for, whether it comes or not. */
  get first(): Promise<ListPage> | undefined {
    return this.#asked[0]?.page;
  }

  /** The latest page of these rows. */
  find({ offset, limit }: Range): AskedPage | undefined {
    return this.#asked.findLast((asked) => asked.offset === offset && asked.limit === limit);
  }

  add({ offset, limit }: Range, page: Promise<ListPage>): AskedPage {
    const askedAt = performance.now();
    const end = page.then(
      (value) => {
        asked.come = pageRead({ offset, limit }, askedAt, value);
        return asked.come;
      },
      (error) => ({ ...pageRead({ offset, limit }, askedAt), error }),
    );
    const asked: AskedPage = { offset, limit, page, end, come: undefined };
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

  /** The rows that have come, from the first one of the list on, and the count of the list. */
  get prefix(): { length: number; count: number } {
    const prefix = { length: 0, count: Number.POSITIVE_INFINITY };
    for (const { offset, rows, count } of this.#inOrder) {
      // A page without rows is the end, even if the count says otherwise.
      prefix.count = Math.min(prefix.count, count, rows.length === 0 ? offset : count);
      if (offset <= prefix.length) prefix.length = Math.max(prefix.length, offset + rows.length);
    }
    return prefix;
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
    return found;
  }

  get #inOrder(): (ListPage & { offset: number })[] {
    const pages = this.come.flatMap(({ offset, page }) => (page ? [{ offset, ...page }] : []));
    return pages.sort((a, b) => a.offset - b.offset);
  }
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
