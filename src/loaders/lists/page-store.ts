import type { ListPage, Range } from '../../upstream/list-page.ts';
import type { PageRead } from './page-fit.ts';
import { listName, type RowsList, type RowsRequest } from './rows-request.ts';

/** The rows of a list, from the first one on, that this request has read. */
export interface Prefix {
  length: number;
  count: number;
}

interface AskedPage {
  offset: number;
  page: Promise<ListPage>;
  /** Undefined until the page has come. */
  read: PageRead | undefined;
}

type List = Pick<RowsList, 'endpoint' | 'filters'>;

/** The pages that this request has asked for, by list. */
export class AskedPages {
  readonly #pages = new Map<string, AskedPage[]>();

  add(request: RowsRequest, page: Promise<ListPage>): void {
    const asked: AskedPage = { offset: request.offset, page, read: undefined };
    this.#of(request).push(asked);
    const askedAt = performance.now();
    const note = (value: ListPage) => {
      asked.read = pageRead(request, askedAt, { status: 'fulfilled', value });
    };
    page.then(note, () => {});
  }

  first(list: List): Promise<ListPage> | undefined {
    return this.#of(list)[0]?.page;
  }

  /** The pages that have come. */
  come(list: List): PageRead[] {
    return this.#of(list).flatMap(({ read }) => read ?? []);
  }

  /** Resolves when the pages of the list that are in flight have come. */
  async settled(list: List): Promise<void> {
    await Promise.allSettled(this.#of(list).map(({ page }) => page));
  }

  /** The rows that have come. */
  prefix(list: List): Prefix {
    const prefix = { length: 0, count: Number.POSITIVE_INFINITY };
    for (const { offset, rows, count } of this.#inOrder(list)) {
      // A page without rows is the end, even if the count says otherwise.
      prefix.count = Math.min(prefix.count, count, rows.length === 0 ? offset : count);
      if (offset <= prefix.length) prefix.length = Math.max(prefix.length, offset + rows.length);
    }
    return prefix;
  }

  /** The rows of the prefix from an offset on, as the pages show them. */
  rowsFrom(list: List, start: number): unknown[] {
    const found: unknown[] = [];
    for (const { offset, rows } of this.#inOrder(list)) {
      const end = start + found.length;
      if (offset <= end) found.push(...rows.slice(end - offset));
    }
    return found;
  }

  /** Pages that have come, without those that failed. */
  #inOrder(list: List): (ListPage & { offset: number })[] {
    return this.come(list)
      .flatMap(({ offset, answer }) => (answer.status === 'fulfilled' ? [{ offset, ...answer.value }] : []))
      .sort((a, b) => a.offset - b.offset);
  }

  #of(list: List): AskedPage[] {
    const name = listName(list);
    const asked = this.#pages.get(name) ?? [];
    this.#pages.set(name, asked);
    return asked;
  }
}

/** A page that has come in one way or the other, with the rows that it should have. */
export function pageRead({ offset, limit }: Range, askedAt: number, answer: PromiseSettledResult<ListPage>): PageRead {
  const read: PageRead = { offset, limit, asked: limit, answer, askedAt, answeredAt: performance.now() };
  if (answer.status === 'rejected') return read;
  const { count, rows, cut } = answer.value;
  if (cut) return read;
  // Rows above the limit would come twice, with the next page.
  if (rows.length > limit) return { ...read, answer: { ...answer, value: { count, rows: rows.slice(0, limit) } } };
  return { ...read, limit: rows.length };
}
