import { LRUCache } from 'lru-cache';
import type { ListOperation, Operation } from '../rest/endpoints.ts';
import type { Json } from '../rest/json.ts';

export interface PageQuery {
  offset: number;
  limit: number;
}

/** A page as the service gave it. */
interface KeptPage extends PageQuery {
  rows: readonly unknown[];
  count: number;
  /** Of its JSON text. */
  bytes: number;
  /** Milliseconds of performance.now(). */
  readAt: number;
}

export interface CatalogOptions {
  /** Milliseconds for which a page is as good as new; for as long again it is shown while it is read anew. 0: nothing is kept. */
  ttl: number;
  /** Lists; one caller has four at most. */
  maxEntries: number;
  maxBytes: number;
}

/** Lists that change seldom and are referred to everywhere. None of them has a GET by id. */
const catalogs: ReadonlySet<Operation> = new Set<ListOperation>([
  'listEntityCards',
  'listCards',
  'listProducts',
  'listCurrencies',
]);

/** Of one list: requests for odd ranges must not make it slow to look through. */
const maxPages = 1_000;

/** Writes that can change a catalog. */
const changedBy: Partial<Record<Operation, readonly ListOperation[]>> = {
  createEntityCard: ['listEntityCards', 'listCards'],
  // A company is created or updated with its card.
  createCompany: ['listEntityCards'],
  updateCompany: ['listEntityCards'],
  // Products list the premiums of the active company.
  createPremium: ['listProducts'],
  // Products and entity cards are those of the active company, which a user's default may decide.
  updateUser: ['listEntityCards', 'listProducts'],
};

/** The range of rows, if the read is one of a whole list: what a filter chooses is not remembered. */
export function pageOf(query: Readonly<Record<string, unknown>> = {}): PageQuery | undefined {
  const { offset, limit } = query;
  if (Object.keys(query).length !== 2 || typeof offset !== 'number' || typeof limit !== 'number') return undefined;
  return { offset, limit };
}

/** Catalogs that callers have read, for a while. Each caller's own; by the caller's digest and the list. */
export class Catalogs {
  readonly #ttl: number;
  readonly #pages: LRUCache<string, readonly KeptPage[]>;

  constructor({ ttl, maxEntries, maxBytes }: CatalogOptions) {
    this.#ttl = ttl;
    this.#pages = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: (pages) => pages.reduce((bytes, page) => bytes + page.bytes, 0),
    });
  }

  /** A page made of what is kept, and the pages of the service in it that should be read anew; undefined for a miss. */
  page(digest: string, operation: Operation, query: PageQuery): { body: Json; stale: PageQuery[] } | undefined {
    const now = performance.now();
    const pages = this.#pages.get(nameOf(digest, operation))?.filter(({ readAt }) => now - readAt < 2 * this.#ttl);
    const count = pages?.[0]?.count;
    if (!pages || count === undefined) return undefined;
    const rows: unknown[] = [];
    const used: KeptPage[] = [];
    const end = Math.min(query.offset + query.limit, count);
    for (let at = query.offset; at < end; at = query.offset + rows.length) {
      const page = pages.find(({ offset, rows }) => offset <= at && at < offset + rows.length);
      if (!page) return undefined;
      used.push(page);
      rows.push(...page.rows.slice(at - page.offset, end - page.offset));
    }
    if (used.length === 0) used.push(...pages.slice(0, 1));
    const stale = used.filter(({ readAt }) => now - readAt >= this.#ttl);
    return {
      body: { count, results: rows, kept: true },
      stale: stale.map(({ offset, limit }) => ({ offset, limit })),
    };
  }

  keep(digest: string, operation: Operation, query: PageQuery, { count, results }: Json): void {
    if (!catalogs.has(operation) || this.#ttl === 0 || typeof count !== 'number' || !Array.isArray(results)) return;
    const readAt = performance.now();
    const page: KeptPage = { ...query, rows: results, count, bytes: JSON.stringify(results).length + 1, readAt };
    // Another count means that rows have come or gone: what was read before no longer fits together with it.
    const others = (this.#pages.peek(nameOf(digest, operation)) ?? []).filter(
      (other) => other.count === count && !isWithin(other, page) && readAt - other.readAt < 2 * this.#ttl,
    );
    // The newest come first, so that of rows that were read twice the later state is shown.
    this.#pages.set(nameOf(digest, operation), [page, ...others].slice(0, maxPages));
  }

  /** A write by this key: of no catalog that it may have changed is anything kept. */
  dropChanged(keyDigest: string, operation: Operation): void {
    for (const list of changedBy[operation] ?? []) this.#drop(keyDigest, (name) => name.endsWith(` ${list}`));
  }

  /** The service no longer answers this key. */
  drop(keyDigest: string): void {
    this.#drop(keyDigest, () => true);
  }

  #drop(keyDigest: string, isMeant: (name: string) => boolean): void {
    for (const name of this.#pages.keys()) {
      if (name.startsWith(keyDigest) && isMeant(name)) this.#pages.delete(name);
    }
  }
}

function isWithin(inner: PageQuery, outer: PageQuery): boolean {
  return outer.offset <= inner.offset && inner.offset + inner.limit <= outer.offset + outer.limit;
}

function nameOf(digest: string, operation: Operation): string {
  return `${digest} ${operation}`;
}
