import type { ListOperation } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import type { Reason } from './askers.ts';
import { type Loader, loadEach } from './batch.ts';
import type { Call } from './by-id.ts';
import type { IdentityMap } from './identity-map.ts';
import { isRow, type Kind } from './references.ts';

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
  reason: Reason;
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
  /** By operation and filters. */
  readonly #asked = new Map<string, { offset: number; page: Promise<Page> }[]>();

  constructor(call: Call, seen: IdentityMap) {
    const get = async ({ operation, filters, offset, limit, reason }: PageRequest): Promise<Page> => {
      const page = pageOf(await call(operation, { query: { ...filters, limit, offset } }, reason));
      for (const row of page.rows) if (isRow(row)) seen.add(rowKinds[operation], row, true);
      return page;
    };
    this.#loader = loadEach(get, ({ operation, filters, offset, limit }) =>
      JSON.stringify([operation, filters, offset, limit]),
    );
  }

  page(operation: ListOperation, filters: Filters, offset: number, limit: number, reason: Reason): Promise<Page> {
    const page = this.#loader.load({ operation, filters, offset, limit, reason });
    this.#askedOf(operation, filters).push({ offset, page });
    return page;
  }

  /** The length of a list, from any page of it that is asked for anyway, or else from one row. */
  async count(operation: ListOperation, filters: Filters, reason: Reason): Promise<number> {
    // The fields beside this one get their turn to ask for rows of the same list.
    await Promise.resolve();
    const [asked] = this.#askedOf(operation, filters);
    return (await (asked?.page ?? this.page(operation, filters, 0, 1, reason))).count;
  }

  /** What has been read of a whole list, once the pages of it that are under way have come. */
  async prefix(operation: ListOperation): Promise<Prefix> {
    const prefix = { length: 0, count: Number.POSITIVE_INFINITY };
    const asked = this.#askedOf(operation, {}).toSorted((a, b) => a.offset - b.offset);
    const pages = await Promise.allSettled(asked.map(({ page }) => page));
    pages.forEach((page, index) => {
      if (page.status === 'rejected') return;
      const { rows, count } = page.value;
      const offset = asked[index]?.offset ?? 0;
      // A page without rows is the end, whatever the count says.
      prefix.count = Math.min(prefix.count, count, rows.length === 0 ? offset : count);
      if (offset <= prefix.length) prefix.length = Math.max(prefix.length, offset + rows.length);
    });
    return prefix;
  }

  /**
   * Rows `offset` to `offset + limit`, however small the service's pages are. The first page tells the count and the size
   * that pages really have; the others follow in parallel.
   * @throws RestError when the service announces rows that it then does not give.
   */
  async range(
    operation: ListOperation,
    filters: Filters,
    offset: number,
    limit: number,
    reason: Reason,
  ): Promise<Page> {
    const read = async (at: number, length: number): Promise<Page> => {
      const { count, rows } = await this.page(operation, filters, at, length, reason);
      // A service with larger pages than were asked for would give the rows of the next page twice.
      return { count, rows: rows.slice(0, length) };
    };
    const first = await read(offset, Math.min(limit, maxUpstreamPage));
    const { rows } = first;
    let { count } = first;
    const wanted = () => Math.min(limit, Math.max(0, count - offset));
    // A page that comes back short while more rows exist shows the largest page that the service gives.
    const size = rows.length;
    if (size > 0 && size < wanted()) {
      const offsets = [];
      for (let at = offset + size; at < offset + wanted(); at += size) offsets.push(at);
      const pages = await Promise.all(offsets.map((at) => read(at, Math.min(size, offset + limit - at))));
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

  #askedOf(operation: ListOperation, filters: Filters): { offset: number; page: Promise<Page> }[] {
    const list = JSON.stringify([operation, filters]);
    const asked = this.#asked.get(list) ?? [];
    this.#asked.set(list, asked);
    return asked;
  }
}

function pageOf(body: Json): Page {
  const { count, results } = body;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || !Array.isArray(results)) {
    throw new RestError('UPSTREAM_INVALID_RESPONSE', 'The service answered a list without `count` or `results`.');
  }
  return { count, rows: results };
}
