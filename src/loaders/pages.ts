import { type ListOperation, pageSize } from '../rest/endpoints.ts';
import { RestError } from '../rest/errors.ts';
import type { Json } from '../rest/json.ts';
import { Askers, type Reason } from './askers.ts';
import { type Loader, loadTogether } from './batch.ts';
import type { ServiceReads } from './by-id.ts';
import type { IdentityMap } from './identity-map.ts';
import { rangesTogether } from './ranges.ts';
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

export type Filters = Readonly<Record<string, string>>;

/** Rows `offset` to `offset + limit` of a list; its count alone with a limit of 0. */
export interface RowsRequest {
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
  readonly #reads: ServiceReads;
  readonly #pages: Loader<RowsRequest, Page>;
  readonly #ranges: Loader<RowsRequest, Page>;
  readonly #asked = new Map<string, { offset: number; page: Promise<Page> }[]>();
  readonly #askers = new Askers();
  readonly #kept = new Set<ListOperation>();
  readonly #lengths = new Map<ListOperation, number>();

  constructor(reads: ServiceReads, seen: IdentityMap) {
    this.#reads = reads;
    const get = async (request: RowsRequest): Promise<Page> => {
      const { operation, filters, offset, limit, reason } = request;
      const body = await reads.read(operation, { query: { ...filters, limit, offset } }, reason);
      if (body.kept === true) this.#kept.add(operation);
      const page = pageOf(body);
      if (Object.keys(filters).length === 0) this.#lengths.set(operation, page.count);
      for (const row of page.rows) if (isRow(row)) seen.add(rowKinds[operation], row, true);
      return page;
    };
    this.#pages = loadTogether((requests) => requests.map(get), nameOf);
    this.#ranges = loadTogether((requests) => rangesTogether(requests, (request) => this.#read(request)), nameOf);
  }

  /** One page as the service gives it: it may be shorter than was asked for. */
  page(request: RowsRequest): Promise<Page> {
    const page = this.#pages.load(request);
    this.#askedOf(request).push({ offset: request.offset, page });
    return page;
  }

  /**
   * The rows of a range, however small the service's pages are, and the count of the list. Ranges of one list that are
   * asked for in the same tick and that overlap or adjoin are read as one.
   * @throws RestError when the service announces rows that it then does not give.
   */
  range(request: RowsRequest): Promise<Page> {
    const name = nameOf(request);
    for (const field of request.reason.fields()) this.#askers.note(name, field);
    const reason: Reason = { rung: request.reason.rung, fields: () => this.#askers.of([name]) };
    return this.#ranges.load({ ...request, reason });
  }

  /** Some of what this request has read of the list was kept from an earlier one. */
  holdsKept(operation: ListOperation): boolean {
    return this.#kept.has(operation);
  }

  /** How long the whole list is: counted by a page of it that has come, or about, from an earlier request. */
  lengthOf(operation: ListOperation): { total: number | undefined; isCounted: boolean } {
    const counted = this.#lengths.get(operation);
    return { total: counted ?? this.#reads.lengthOf(operation), isCounted: counted !== undefined };
  }

  /** What has been read of a whole list, once the pages of it that are under way have come. */
  async prefix(operation: ListOperation): Promise<Prefix> {
    const prefix = { length: 0, count: Number.POSITIVE_INFINITY };
    const asked = this.#askedOf({ operation, filters: {} }).toSorted((a, b) => a.offset - b.offset);
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

  /** The first page tells the count and the size that pages really have; the others follow in parallel. */
  async #read(range: RowsRequest): Promise<Page> {
    const { offset, limit } = range;
    if (limit === 0) return { count: await this.#count(range), rows: [] };
    const read = async (at: number, length: number): Promise<Page> => {
      const { count, rows } = await this.page({ ...range, offset: at, limit: length });
      // A service with larger pages than were asked for would give the rows of the next page twice.
      return { count, rows: rows.slice(0, length) };
    };
    const first = await read(offset, Math.min(limit, pageSize));
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

  /** From any page of the list that is asked for anyway, or else from one row. */
  async #count(list: RowsRequest): Promise<number> {
    const [asked] = this.#askedOf(list);
    const ask = () => this.page({ ...list, offset: 0, limit: 1 });
    return (await (asked ? asked.page.catch(ask) : ask())).count;
  }

  #askedOf(list: Pick<RowsRequest, 'operation' | 'filters'>): { offset: number; page: Promise<Page> }[] {
    const name = listName(list);
    const asked = this.#asked.get(name) ?? [];
    this.#asked.set(name, asked);
    return asked;
  }
}

function nameOf({ offset, limit, ...list }: RowsRequest): string {
  return `${offset} ${limit} ${listName(list)}`;
}

export function listName({ operation, filters }: Pick<RowsRequest, 'operation' | 'filters'>): string {
  return JSON.stringify([operation, filters]);
}

function pageOf(body: Json): Page {
  const { count, results } = body;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || !Array.isArray(results)) {
    throw new RestError('UPSTREAM_INVALID_RESPONSE', 'The service answered a list without `count` or `results`.');
  }
  return { count, rows: results };
}
