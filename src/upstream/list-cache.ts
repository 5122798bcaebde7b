import { LRUCache } from 'lru-cache';
import { isObject } from '../lib/json.ts';
import { counter } from '../lib/metrics.ts';
import type { Caller } from './caller.ts';
import { type EndpointName, endpoints, type ListEndpointName } from './endpoints.ts';
import type { ListPage, Range } from './list-page.ts';
import type { ResponseBody } from './parsed-body-cache.ts';
import { contentOf } from './response.ts';

/** A page as the service gave it. */
interface CachedPage extends Range {
  /** Of the whole list. */
  count: number;
  /** Of the rows that are there. */
  length: number;
  content: ResponseBody;
  /** Milliseconds of performance.now(). */
  readAt: number;
}

export interface ListCacheOptions {
  /** Milliseconds for which a page is as good as new; for as long again it is shown while it is read anew. 0: nothing is kept. */
  ttl: number;
  /** Lists; one caller has four at most. */
  maxEntries: number;
  maxBytes: number;
}

/** Of one list: requests for odd ranges must not make it slow to look through. */
const maxPages = 1_000;

/** Of one key, in ten languages: more of them must not push out what is kept for other keys. */
const maxListsPerKey = 40;

/** Writes that can change a catalog. Products and entity cards are those of the active company. */
const invalidatedBy: Partial<Record<EndpointName, readonly ListEndpointName[]>> = {
  createEntityCard: ['listEntityCards', 'listCards'],
  // A company is created or updated with its card.
  createCompany: ['listEntityCards'],
  updateCompany: ['listEntityCards'],
  // Products list the premiums of the active company.
  createPremium: ['listProducts'],
  // A new membership, or a user's default, may decide which company is the active one.
  createCompanyMember: ['listEntityCards', 'listProducts'],
  updateUser: ['listEntityCards', 'listProducts'],
};

const paths: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path));

/** Lists of what has no path of its own: whoever needs one object has to look through them, and they change seldom. */
const cachedLists: ReadonlySet<EndpointName> = new Set(
  Object.entries(endpoints)
    .filter(([, { method, path }]) => method === 'GET' && !path.includes('{hashid}') && !paths.has(`${path}{hashid}/`))
    .map(([operation]) => operation as EndpointName),
);

/** `stale`: the pages of the service in it that should be read anew. */
interface Found {
  page: ListPage;
  stale: Range[];
}

/** Catalogs that callers have read, for a while. Each caller's own; by the caller's digest and the list. */
export class ListCache {
  readonly #ttl: number;
  readonly #pages: LRUCache<string, readonly CachedPage[]>;
  /** How often a range of a catalog was asked for, and found: as good as new, or `stale` and read anew meanwhile. */
  readonly reads = counter('list_cache_reads_total', 'Ranges of cached lists by whether the cache had them.', [
    'endpoint',
    'result',
  ]);
  /** By the digest of the key: the names of its lists, the one first that was kept first. */
  readonly #names = new Map<string, Set<string>>();

  constructor({ ttl, maxEntries, maxBytes }: ListCacheOptions) {
    this.#ttl = ttl;
    this.#pages = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: (pages) => pages.reduce((bytes, { content }) => bytes + content.bytes.length, 0),
      dispose: (_pages, name, reason) => {
        if (reason !== 'set') this.#forget(name);
      },
    });
  }

  /** Lists that are kept. */
  get entries(): number {
    return this.#pages.size;
  }

  /** Of their JSON. */
  get bytes(): number {
    return this.#pages.calculatedSize;
  }

  /**
   * A range made of what is kept, all of it, and the pages of the service in it that should be read anew; undefined for a
   * miss. The count alone, from any page, for a limit of 0.
   */
  page(caller: Caller, endpoint: EndpointName, range: Range): Found | undefined {
    if (this.#ttl === 0 || !cachedLists.has(endpoint)) return undefined;
    const found = this.#find(caller, endpoint, range);
    this.reads.inc({ endpoint, result: found ? (found.stale.length > 0 ? 'stale' : 'hit') : 'miss' });
    return found;
  }

  #find(caller: Caller, endpoint: EndpointName, { offset, limit }: Range): Found | undefined {
    const now = performance.now();
    const pages = this.#pages.get(nameOf(caller, endpoint))?.filter(({ readAt }) => now - readAt < 2 * this.#ttl);
    const [newest] = pages ?? [];
    if (!pages || !newest) return undefined;
    const { count } = newest;
    const rows: unknown[] = [];
    const used: CachedPage[] = [];
    const end = Math.min(offset + limit, count);
    for (let at = offset; at < end; at = offset + rows.length) {
      const page = pages.find((page) => page.offset <= at && at < endOf(page));
      if (!page) return undefined;
      used.push(page);
      rows.push(...rowsOf(page).slice(at - page.offset, end - page.offset));
    }
    if (used.length > 1 && hasTwins(rows)) return undefined;
    if (used.length === 0) used.push(newest);
    const stale = used.filter(({ readAt }) => now - readAt >= this.#ttl);
    return { page: { count, rows }, stale: stale.map(({ offset, limit }) => ({ offset, limit })) };
  }

  /** `content`: the answer that the page was in. */
  keep(
    caller: Caller,
    endpoint: EndpointName,
    range: Range,
    { count, rows: { length } }: ListPage,
    content: ResponseBody,
  ): void {
    if (this.#ttl === 0 || !cachedLists.has(endpoint)) return;
    const name = nameOf(caller, endpoint);
    const readAt = performance.now();
    const page: CachedPage = { ...range, count, length, content, readAt };
    // Another count means that rows have come or gone: what was read before no longer fits together with it.
    const others = this.#pages
      .peek(name)
      ?.filter((other) => other.count === count && !isWithin(other, page) && readAt - other.readAt < 2 * this.#ttl);
    // The newest come first, so that of rows that were read twice the later state is shown.
    this.#pages.set(name, others ? [page, ...others].slice(0, maxPages) : [page]);
    const names = this.#names.get(caller.keyDigest) ?? new Set();
    this.#names.set(caller.keyDigest, names.add(name));
    // A list that is larger than all that may be kept is not.
    if (!this.#pages.has(name)) this.#forget(name);
    const [first] = names;
    if (names.size > maxListsPerKey) this.#pages.delete(first as string);
  }

  /** A write by this key: of no catalog that it may have changed is anything kept. */
  invalidate(keyDigest: string, endpoint: EndpointName): void {
    const lists = invalidatedBy[endpoint];
    if (!lists) return;
    for (const name of [...(this.#names.get(keyDigest) ?? [])]) {
      if (lists.some((list) => name.endsWith(` ${list}`))) this.#pages.delete(name);
    }
  }

  /** The service no longer answers this key. */
  drop(keyDigest: string): void {
    for (const name of [...(this.#names.get(keyDigest) ?? [])]) this.#pages.delete(name);
  }

  #forget(name: string): void {
    const keyDigest = name.slice(0, name.indexOf(' '));
    const names = this.#names.get(keyDigest);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(keyDigest);
  }
}

function rowsOf({ content }: CachedPage): readonly unknown[] {
  return (contentOf(content.json) as { results: unknown[] }).results;
}

/** Rows have shifted between the readings of two pages: one would be shown twice, or another one not at all. */
function hasTwins(rows: readonly unknown[]): boolean {
  const ids = rows.flatMap((row) => (isObject(row) && row.id !== undefined ? [row.id] : []));
  return new Set(ids).size < ids.length;
}

/** By the rows that are there: a service with small pages gives fewer than it was asked for. */
function isWithin(inner: CachedPage, outer: CachedPage): boolean {
  return outer.offset <= inner.offset && endOf(inner) <= endOf(outer);
}

function endOf({ offset, length }: CachedPage): number {
  return offset + length;
}

function nameOf({ digest }: Caller, endpoint: EndpointName): string {
  return `${digest} ${endpoint}`;
}
