import { atMost, type Caller, counter, groupBy, madeOnce } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import { LRUCache } from 'lru-cache';
import type { InFlightReads } from './dedupe.ts';
import type { UpstreamEvents } from './events.ts';
import type { Knowledge } from './knowledge.ts';
import { hasTwins, type ListPage, listPageOf, type Range } from './list-page.ts';
import type { ResponseBody } from './parsed-body-cache.ts';
import type { Subject } from './request.ts';

/** Caches the pages of whole lists, and learns the lengths of the lists. `reads`: no page of a read before a write is cached. */
export function learnLists(pages: ListCache, knowledge: Knowledge, reads: InFlightReads, events: UpstreamEvents): void {
  events.on('callEnd', ({ request }, error, response) => {
    if (error !== undefined || !response?.data) return;
    const { caller, endpoint, origin, subject } = request;
    // The operation goes on as another caller, that of the claims. Nobody would read this page again.
    const range = origin.reason === 'token' ? undefined : wholeListRange(subject);
    if (!range || !reads.isLatest(request)) return;
    const page = listPageOf(response.data);
    if (!page) return;
    pages.set(caller, endpoint, range, { ...page, by: request.budget }, response.body);
    knowledge.learnPage(caller, endpoint, range, page);
  });
}

/** Undefined where a filter chooses the rows. */
function wholeListRange({ query }: Subject): Range | undefined {
  if (!query || Object.keys(query).length !== 2) return undefined;
  const { offset, limit } = query;
  return typeof offset === 'number' && typeof limit === 'number' ? { offset, limit } : undefined;
}

/** A page of the service. */
interface CachedPage extends Range {
  /** Rows of the whole list. */
  count: number;
  /** Rows of this page. */
  length: number;
  body: ResponseBody;
  /** The budget of the operation, or of the renewal, that has read the page. */
  by: object | undefined;
  /** Milliseconds of performance.now(). */
  readAt: number;
}

/** Pages of one list, the newest first. */
interface CachedList {
  keyDigest: string;
  pages: readonly CachedPage[];
}

export interface ListCacheOptions {
  /** The fresh time of a page. For as long again the page is stale: shown, and read anew. 0: no cache. */
  ttlMs: number;
  /** One caller has at most four. */
  maxLists: number;
  maxBytes: number;
}

/** Pages of one list: requests for odd ranges must not make the list slow to search. */
const maxPages = 1_000;

/** Four lists in ten languages: one key with more must not push out the lists of other keys. */
const maxListsPerKey = 40;

/** `stale`: the pages of the service in the range that should be read anew. */
interface CachedRange {
  page: ListPage;
  stale: Range[];
}

/** Pages of lists that a caller has read a short while ago, for that caller alone. */
export class ListCache {
  readonly maxBytes: number;
  readonly #contract: Contract;
  readonly #ttlMs: number;
  readonly #lists: LRUCache<string, CachedList>;
  readonly reads = counter('list_cache_reads_total', 'Ranges of cached lists by whether the cache had them.', [
    'endpoint',
    'result',
  ]);
  /** The names of a key's lists, by the digest of the key; the oldest first. */
  readonly #names = new Map<string, Set<string>>();
  /** Writes that the service may still make, by key and endpoint, and the lists that they change. After the time it never will. */
  readonly #unsettled = new LRUCache<string, true>({ ...atMost(10_000), ttl: 60_000 });

  constructor(contract: Contract, { ttlMs, maxLists, maxBytes }: ListCacheOptions) {
    this.#contract = contract;
    this.maxBytes = maxBytes;
    this.#ttlMs = ttlMs;
    this.#lists = new LRUCache({
      max: maxLists,
      maxSize: maxBytes,
      sizeCalculation: ({ pages }) => pages.reduce((bytes, { body }) => bytes + body.bytes.length, 0),
      dispose: ({ keyDigest }, name, reason) => {
        if (reason !== 'set') this.#deleteName(keyDigest, name);
      },
    });
  }

  get isEnabled(): boolean {
    return this.#ttlMs > 0;
  }

  /** Cached lists. */
  get entries(): number {
    return this.#lists.size;
  }

  /** Bytes of the JSON of all cached lists. */
  get bytes(): number {
    return this.#lists.calculatedSize;
  }

  /** The service may still make a write to the endpoint, or change the list. */
  isUnsettled({ keyDigest }: Caller, endpoint: EndpointName): boolean {
    return this.#unsettled.has(`${keyDigest} ${endpoint}`);
  }

  caches(endpoint: EndpointName): boolean {
    return this.#ttlMs > 0 && this.#contract.endpoint(endpoint).isCached === true;
  }

  /** A range that one operation has read; undefined where a row is missing. For a limit of 0 any page gives the count. */
  page(caller: Caller, endpoint: EndpointName, range: Range): CachedRange | undefined {
    const found = this.#find(caller, endpoint, range);
    this.reads.inc({ endpoint, result: found ? (found.stale.length > 0 ? 'stale' : 'hit') : 'miss' });
    return found;
  }

  #find(caller: Caller, endpoint: EndpointName, range: Range): CachedRange | undefined {
    const now = performance.now();
    const { pages = [] } = this.#lists.get(nameOf(caller, endpoint)) ?? {};
    const fresh = pages.filter(({ readAt }) => now - readAt < 2 * this.#ttlMs);
    // Between two operations, one row may go and another one come. A third is then on neither page, and the count is the same.
    for (const together of groupBy(fresh, ({ by }) => by).values()) {
      const found = this.#join(endpoint, range, together, now);
      if (found) return found;
    }
    return undefined;
  }

  #join(endpoint: EndpointName, range: Range, pages: readonly CachedPage[], now: number): CachedRange | undefined {
    const { offset, limit } = range;
    const [newest] = pages as [CachedPage];
    const { count } = newest;
    const rows: unknown[] = [];
    const used: CachedPage[] = [];
    const end = Math.min(offset + limit, count);
    for (let at = offset; at < end; at = offset + rows.length) {
      const index = pages.findIndex((page) => page.offset <= at && at < endOf(page));
      const page = pages[index];
      if (!page) return undefined;
      used.push(page);
      // A newer page shows which rows of one time stand where.
      const newer = pages.slice(0, index).filter(({ offset }) => offset > at);
      const until = Math.min(end, ...newer.map(({ offset }) => offset));
      rows.push(...this.#rowsOf(endpoint, page).slice(at - page.offset, until - page.offset));
    }
    if (used.length > 1 && hasTwins(rows)) return undefined;
    if (used.length === 0) used.push(newest);
    const isStale = used.some(({ readAt }) => now - readAt >= this.#ttlMs);
    return { page: { count, rows }, stale: isStale ? used.map(({ offset, limit }) => ({ offset, limit })) : [] };
  }

  /** Caches a page. `body`: the answer that contains the page. */
  set(
    caller: Caller,
    endpoint: EndpointName,
    range: Range,
    { count, rows: { length }, by }: ListPage & { by?: object },
    body: ResponseBody,
  ): void {
    if (!this.caches(endpoint) || this.isUnsettled(caller, endpoint)) return;
    const name = nameOf(caller, endpoint);
    const readAt = performance.now();
    const page: CachedPage = { ...range, count, length, body, by, readAt };
    const { pages = [] } = this.#lists.peek(name) ?? {};
    // After another count, rows have come or gone, and earlier pages no longer fit.
    const fitting = pages.filter((other) => other.count === count && readAt - other.readAt < 2 * this.#ttlMs);
    const own = fitting.filter((other) => other.by === by && !isWithin(other, page));
    const isReplaced = (other: CachedPage) => [page, ...own].some((newer) => isWithin(other, newer));
    // The pages of an operation stay together, because they show together that no row has moved since.
    const others = [...groupBy(fitting, (other) => other.by)].flatMap(([other, together]) =>
      other === by ? own : together.every(isReplaced) ? [] : together,
    );
    // The newest page comes first, so that a row on two pages shows its later state.
    const { keyDigest } = caller;
    this.#lists.set(name, { keyDigest, pages: [page, ...others].slice(0, maxPages) });
    // The LRU cache does not take a list that is larger than `maxBytes`.
    if (this.#lists.has(name)) this.#addName(keyDigest, name);
    else this.#deleteName(keyDigest, name);
  }

  /**
   * Deletes the lists of the key that a write to the endpoint may have changed. Without an endpoint, deletes all of them. The
   * empty digest stands for all callers.
   */
  invalidate(keyDigest: string, endpoint?: EndpointName, isUnknown = false): void {
    if (keyDigest === '') this.#lists.clear();
    const lists = endpoint && (this.#contract.endpoint(endpoint).invalidates ?? []);
    if (isUnknown) for (const name of [endpoint, ...(lists || [])]) this.#unsettled.set(`${keyDigest} ${name}`, true);
    for (const name of this.#names.get(keyDigest) ?? []) {
      if (!lists || lists.some((list) => name.endsWith(` ${list}`))) this.#lists.delete(name);
    }
  }

  #addName(keyDigest: string, name: string): void {
    const names = madeOnce(this.#names, keyDigest, newNames).add(name);
    const [oldest = name] = names;
    if (names.size > maxListsPerKey) this.#lists.delete(oldest);
  }

  #rowsOf(endpoint: EndpointName, { body }: CachedPage): readonly unknown[] {
    return (this.#contract.dataOf(endpoint, body.parse()) as { results: unknown[] }).results;
  }

  #deleteName(keyDigest: string, name: string): void {
    const names = this.#names.get(keyDigest);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(keyDigest);
  }
}

const newNames = () => new Set<string>();

/** Compares rows, not limits: a service with small pages gives fewer rows than the gateway asked for. */
function isWithin(inner: CachedPage, outer: CachedPage): boolean {
  return outer.offset <= inner.offset && endOf(inner) <= endOf(outer);
}

function endOf({ offset, length }: CachedPage): number {
  return offset + length;
}

function nameOf({ digest }: Caller, endpoint: EndpointName): string {
  return `${digest} ${endpoint}`;
}
