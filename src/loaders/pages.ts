import type { ListOperation } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import { type Loader, loadEach } from './batch.ts';
import type { Call } from './by-id.ts';
import type { IdentityMap } from './identity-map.ts';
import { isObject, type Json, type Kind } from './references.ts';

export const rowKinds = {
  listFarmers: 'Farmer',
  listEntityCards: 'EntityCard',
  listProducts: 'Product',
  listCards: 'Card',
  listCurrencies: 'Currency',
  listProductTransactions: 'ProductTransaction',
  listPaymentTransactions: 'PaymentTransaction',
} as const satisfies Record<ListOperation, Kind>;

/** A row of a product transaction costs the real service 20 ms, so long lists are read in pages of this size, in parallel. */
export const maxUpstreamPage = 100;

export type Filters = Readonly<Record<string, string>>;

interface PageRequest {
  operation: ListOperation;
  filters: Filters;
  offset: number;
  limit: number;
}

export interface Page {
  count: number;
  /** As the service sent them: those without an id too, so that positions hold. */
  rows: unknown[];
}

/** The rows of a whole list, from the first one on, that this request has read. */
export interface Prefix {
  length: number;
  count: number;
}

/** Reads lists page by page. A page is asked for once in a request, whoever needs it. */
export class Pages {
  readonly #loader: Loader<PageRequest, Page>;
  readonly #underWay = new Map<ListOperation, Set<Promise<Page>>>();
  readonly #read = new Map<ListOperation, { offset: number; length: number; count: number }[]>();

  constructor(call: Call, seen: IdentityMap) {
    const get = async ({ operation, filters, offset, limit }: PageRequest): Promise<Page> => {
      const page = pageOf(await call(operation, { query: { ...filters, limit, offset } }));
      for (const row of page.rows) if (isRow(row)) seen.add(rowKinds[operation], row, true);
      if (isUnfiltered(filters)) this.#note(operation, { offset, length: page.rows.length, count: page.count });
      return page;
    };
    this.#loader = loadEach(get, (request) => JSON.stringify(request));
  }

  page(operation: ListOperation, filters: Filters, offset: number, limit: number): Promise<Page> {
    const page = this.#loader.load({ operation, filters, offset, limit });
    if (isUnfiltered(filters)) this.#follow(operation, page);
    return page;
  }

  /** What has been read of a list, once the pages of it that are under way have come. */
  async prefix(operation: ListOperation): Promise<Prefix> {
    await Promise.allSettled(this.#underWay.get(operation) ?? []);
    const prefix = { length: 0, count: Number.POSITIVE_INFINITY };
    const pages = this.#read.get(operation) ?? [];
    for (const { offset, length, count } of pages.toSorted((a, b) => a.offset - b.offset)) {
      // A page without rows is the end, whatever the count says.
      prefix.count = Math.min(prefix.count, count, length === 0 ? offset : count);
      if (offset <= prefix.length) prefix.length = Math.max(prefix.length, offset + length);
    }
    return prefix;
  }

  /**
   * Rows `offset` to `offset + limit`, however small the service's pages are. The first page tells the count and the size
   * that pages really have; the others follow in parallel.
   * @throws RestError when the service announces rows that it then does not give.
   */
  async window(operation: ListOperation, filters: Filters, offset: number, limit: number): Promise<Page> {
    const first = await this.page(operation, filters, offset, Math.min(limit, maxUpstreamPage));
    const rows = first.rows.slice(0, limit);
    let count = first.count;
    const wanted = () => Math.min(limit, Math.max(0, count - offset));
    // A page that comes back short while more rows exist shows the largest page that the service gives.
    const size = Math.min(rows.length, maxUpstreamPage);
    if (size > 0 && rows.length < wanted()) {
      const offsets = [];
      for (let at = offset + size; at < offset + wanted(); at += size) offsets.push(at);
      const pages = await Promise.all(
        offsets.map((at) => this.page(operation, filters, at, Math.min(size, offset + limit - at))),
      );
      for (const page of pages) {
        rows.push(...page.rows);
        count = page.count;
      }
    }
    if (rows.length < wanted()) {
      const message = `The service announces ${wanted()} rows of this list, but gives only ${rows.length}.`;
      throw new RestError('UPSTREAM_INVALID_RESPONSE', message);
    }
    return { count, rows };
  }

  #follow(operation: ListOperation, page: Promise<Page>): void {
    const underWay = this.#underWay.get(operation) ?? new Set();
    this.#underWay.set(operation, underWay.add(page));
    const leave = () => underWay.delete(page);
    page.then(leave, leave);
  }

  #note(operation: ListOperation, page: { offset: number; length: number; count: number }): void {
    const pages = this.#read.get(operation);
    if (pages) pages.push(page);
    else this.#read.set(operation, [page]);
  }
}

function isUnfiltered(filters: Filters): boolean {
  return Object.keys(filters).length === 0;
}

/** Without an id a row is no resource: nothing could refer to it or write to it. */
export function isRow(value: unknown): value is Json & { id: string } {
  return isObject(value) && typeof value.id === 'string' && value.id !== '';
}

function pageOf(body: Json): Page {
  const { count, results } = body;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || !Array.isArray(results)) {
    throw new RestError('UPSTREAM_INVALID_RESPONSE', 'The service answered a list without `count` or `results`.');
  }
  return { count, rows: results };
}
