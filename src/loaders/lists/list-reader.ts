import type { Contract } from '../../contract/contract.ts';
import { type ListEndpointName, pageSize } from '../../upstream/endpoints.ts';
import type { UpstreamError } from '../../upstream/errors.ts';
import type { CallerKnowledge } from '../../upstream/knowledge.ts';
import type { KnownList } from '../../upstream/known-list.ts';
import type { ListPage, Range } from '../../upstream/list-page.ts';
import type { CallOrigin } from '../../upstream/request.ts';
import type { ReadScope } from '../../upstream/scope.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import { type BatchSizes, type Loader, loadTogether } from '../batch.ts';
import type { IdentityMap } from '../identity-map.ts';
import { type AccessPath, type Choice, type PlanSetting, planRange } from '../planner.ts';
import type { ListReads } from '../reader.ts';
import { type FilterSource, filtersInUse, mayApply, readFiltered } from './filter-checks.ts';
import { mayComeAlone, rangesTogether } from './joined-ranges.ts';
import type { Fit, PageRead } from './page-fit.ts';
import { AskedPages, pageRead } from './page-store.ts';
import { type Reading, readInOrder, readRange } from './range.ts';
import { mostPageMs, type RereadSource, readUntilFit } from './reread.ts';
import { type Filters, isWhole, listName, type RowsList, type RowsRequest } from './rows-request.ts';
import { ServicePages } from './service-list.ts';

/** Share of the time that is left for pages that are read at once. */
const shareOfPages = 1 / 6;

/** Rows of the largest page that the gateway asks for, with those around the page of a client. */
const mostRowsOfPage = 1.5 * pageSize;

interface NamedRequest extends RowsRequest {
  name: string;
}

/** Objects and figures that are known before a read. */
interface Known {
  readonly seen: IdentityMap;
  readonly knowledge: CallerKnowledge;
}

/** Reads lists page by page. A request reads each page once, for all fields that need it. */
export class ListPages {
  readonly asked = new AskedPages();
  readonly #reads: ListReads;
  readonly #known: Known;
  readonly #pages = new Map<string, Promise<ListPage>>();
  /** First rows of lists with filters that are checked. */
  readonly #checks = new Map<string, Promise<ListPage>>();
  readonly #ranges: Loader<NamedRequest, ListPage>;
  /** The fields that need a range, by its name. */
  readonly #fields = new Map<string, CallOrigin['fields'][]>();
  readonly #cachedLists = new Set<ListEndpointName>();
  readonly #lengths = new Map<ListEndpointName, number>();
  readonly #parallelism: number;
  readonly #service: ServicePages;
  readonly #guesses = new Map<ListEndpointName, number | undefined>();

  /** `sizes` observes how many ranges a batch has. */
  constructor(reads: ListReads, known: Known, sizes: BatchSizes, parallelism = freeParallelism(reads.costs)) {
    this.#reads = reads;
    this.#known = known;
    this.#service = new ServicePages(reads, known, (list, page) => this.#learn(list, page));
    this.#parallelism = parallelism;
    this.#ranges = loadTogether(
      (requests) => this.#load(requests),
      ({ name }) => name,
      sizes,
    );
  }

  get contract(): Contract {
    return this.#reads.contract;
  }

  /** One page, from the cache or the service. A page of the service may be shorter than its limit. */
  page(request: RowsRequest): Promise<ListPage> {
    return this.#cachedRange(request) ?? this.#servicePage(request);
  }

  /**
   * The rows of a range, whatever the size of the service's pages, and the count of the list. They come all from the cache
   * or all from the service, because rows may have shifted in between. Ranges of the same list and tick are read as one
   * range if that takes fewer calls.
   * @throws UpstreamError for fewer rows than the service announces, and for a filter that it lacks.
   */
  range(request: RowsRequest): Promise<ListPage> {
    const name = nameOf(request);
    const all = this.#fields.get(name) ?? [];
    this.#fields.set(name, all);
    all.push(request.origin.fields);
    const fields = () => [...new Set(all.flatMap((each) => each()))];
    return this.#ranges.load({ ...request, name, origin: { reason: request.origin.reason, fields } });
  }

  /** Whether the service may apply a filter of the list. Without an answer that shows the dialect, it may not. */
  async mayFilter(endpoint: ListEndpointName, name: string, origin: CallOrigin): Promise<boolean> {
    const source = this.#filterSource({ endpoint, origin });
    return mayApply(endpoint, name, source).catch(() => false);
  }

  /** An answer has shown of late whether the service applies a filter. */
  isFilterShown(endpoint: ListEndpointName, name: string): boolean {
    return this.#list(endpoint).isFilterApplied(name) !== undefined;
  }

  #filterSource({ endpoint, origin: { fields }, scope }: Omit<RowsRequest, 'filters' | keyof Range>): FilterSource {
    const origin: CallOrigin = { reason: 'filter check', fields };
    return {
      known: this.#list(endpoint),
      dialect: () => this.#reads.dialect(fields),
      firstRow: (filters) => {
        const first: RowsRequest = { endpoint, filters, offset: 0, limit: 1, origin, scope };
        if (isWhole(filters)) return this.page(first);
        const name = nameOf(first);
        const known = this.#checks.get(name) ?? this.#service.read(first);
        this.#checks.set(name, known);
        return known;
      },
    };
  }

  /** The figures that a plan for the list needs. */
  setting(endpoint: ListEndpointName): PlanSetting {
    const { costs, callsLeft } = this.#reads;
    const pageSize = this.#list(endpoint).pageSize();
    return { list: costs.of(endpoint), pageSize, parallelism: this.#parallelism, scarce: costs.scarce, callsLeft };
  }

  /** The planner has chosen for a search of the list. */
  note(endpoint: ListEndpointName, choice: Choice, origin: CallOrigin): void {
    if (choice.others.length > 0) this.#reads.choose(endpoint, choice, origin);
  }

  /** This request has read some of the list from the cache. */
  usedCache(endpoint: ListEndpointName): boolean {
    return this.#cachedLists.has(endpoint);
  }

  /** Rows of the whole list: the count of a page that has come, or an estimate from an earlier request. */
  lengthOf(endpoint: ListEndpointName): { total: number | undefined; isCounted: boolean } {
    const counted = this.#lengths.get(endpoint);
    return { total: counted ?? this.#known.knowledge.lengthOf(endpoint), isCounted: counted !== undefined };
  }

  /** Rows that the list may have, by requests of other callers. One guess serves the whole request. */
  guessLength(endpoint: ListEndpointName): number | undefined {
    if (!this.#guesses.has(endpoint)) this.#guesses.set(endpoint, this.#list(endpoint).guessLength());
    return this.#guesses.get(endpoint);
  }

  /** The error of a row of the whole list that the service fails on. The row may be any object that the others are not. */
  failureIn(endpoint: ListEndpointName): UpstreamError | undefined {
    return this.#service.failureIn(endpoint);
  }

  /** Reads again what does not fit together of the pages that have come, up to a number of rows. */
  fit(list: RowsList, limit: number, origin: CallOrigin): Promise<Fit> {
    const range: RowsRequest = { ...list, offset: 0, limit, origin };
    return readUntilFit(range, this.asked.come(list), this.#rereadSource(range));
  }

  /** Rows from an offset on, up to a full page, if the list cache has them. */
  cachedPage(list: RowsList, offset: number, origin: CallOrigin): Promise<ListPage> | undefined {
    return this.#cachedRange({ ...list, offset, limit: pageSize, origin });
  }

  /** Runs reads that leave time of the operation for the objects below their rows. */
  inTime<T>(reads: (scope: ReadScope) => Promise<T>): Promise<T> {
    return this.#reads.readInTime(reads);
  }

  /** Reads pages side by side. Returns the error of the first that failed. */
  async readSideBySide(
    list: RowsList,
    start: number,
    { width, size }: Pick<AccessPath, 'width' | 'size'>,
    origin: CallOrigin,
  ): Promise<Error | undefined> {
    const offsets = Array.from({ length: width }, (_, index) => start + index * size);
    const answers = await Promise.allSettled(
      offsets.map((offset) => this.page({ ...list, offset, limit: size, origin })),
    );
    return answers.find((answer) => answer.status === 'rejected')?.reason as Error | undefined;
  }

  #load(requests: readonly RowsRequest[]): Promise<ListPage>[] {
    const cached = requests.map((request) => (request.limit > 0 ? this.#cachedRange(request) : undefined));
    const uncached = requests.filter(({ limit }, index) => limit > 0 && !cached[index]);
    const read = rangesTogether(uncached, (range) => this.#read(range));
    // Counts come last, so that a page of rows can give them.
    return requests.map((request, index) => cached[index] ?? read.get(request) ?? this.#count(request));
  }

  #read(request: RowsRequest): Promise<Reading> {
    const { endpoint, filters, limit, hasReferences = false, isOnePage = false, origin } = request;
    const setting = this.setting(endpoint);
    let path: AccessPath | undefined;
    const read = (range: Range, scope?: ReadScope) =>
      settledRead(range, this.#servicePage({ ...request, ...range, scope }));
    return readRange(request, {
      ...this.#rereadSource(request),
      isOnePage: isOnePage && limit <= this.#mostRows(endpoint),
      length: isWhole(filters) ? (this.lengthOf(endpoint).total ?? this.guessLength(endpoint)) : undefined,
      plan: (rows, isCounted) => {
        const known = this.#list(endpoint);
        const moves = { shiftShare: known.takeRereadShare(), changesPerMs: known.changesPerMs };
        const mayBeShort = origin.reason === 'list scan' || !isWhole(filters);
        const choice = planRange({ ...setting, rows, isCounted, mayBeShort, hasReferences, ...moves });
        this.note(endpoint, choice, origin);
        path = choice.chosen;
        return path;
      },
      read: (range) => read(range, request.scope),
      readAll: (ranges) => {
        const all = (scope = this.#reads.scope) =>
          readInOrder(ranges, pagesAtOnce(path, scope), (range) => read(range, scope));
        return hasReferences && !request.scope ? this.inTime(all) : all(request.scope);
      },
    });
  }

  /** Rows of the largest page that the service gives in time, as far as the gateway knows. */
  #mostRows(endpoint: ListEndpointName): number {
    const { rowMs } = this.#reads.costs.of(endpoint);
    return Math.min(this.#list(endpoint).pageSize(mostRowsOfPage), mostPageMs / rowMs);
  }

  #rereadSource(list: RowsRequest): RereadSource {
    const { endpoint } = list;
    const origin: CallOrigin = { ...list.origin, reason: 'reread' };
    return {
      cost: this.#reads.costs.of(endpoint),
      reread: (range) => settledRead(range, this.#newPage({ ...list, ...range, origin, isFresh: true })),
      learn: (share) => this.#list(endpoint).learnReread(share),
    };
  }

  /** The count from a page in flight, from the cache, or from a page of one row. */
  async #count(list: RowsRequest): Promise<ListPage> {
    const ask = () => this.#servicePage({ ...list, offset: 0, limit: 1 });
    const other = this.asked.first(list)?.catch((error) => {
      if (mayComeAlone(error)) return ask();
      throw error;
    });
    const { count } = await (other ?? this.#cachedRange(list) ?? ask());
    return { count, rows: [] };
  }

  #cachedRange(request: RowsRequest): Promise<ListPage> | undefined {
    const { endpoint, filters, offset, limit, origin } = request;
    if (!isWhole(filters)) return undefined;
    const page = this.#reads.cached(endpoint, { offset, limit }, origin);
    if (!page) return undefined;
    this.#cachedLists.add(endpoint);
    const known = Promise.resolve(this.#learn(request, page));
    // A noted page without rows would look like the end of the list.
    return limit > 0 ? this.#note(request, known) : known;
  }

  #servicePage(request: RowsRequest): Promise<ListPage> {
    const name = nameOf(request);
    return this.#pages.get(name) ?? this.#newPage(request, name);
  }

  #newPage(request: RowsRequest, name = nameOf(request)): Promise<ListPage> {
    const page = this.#note(request, this.#fetch(request));
    this.#pages.set(name, page);
    return page;
  }

  /** A page of the service, whose rows match the filters. */
  #fetch(request: RowsRequest): Promise<ListPage> {
    const filters = filtersInUse(request);
    if (filters.length === 0) return this.#service.read(request);
    const read = (query: Filters) => this.#service.read({ ...request, filters: query });
    return readFiltered(request, filters, read, this.#filterSource(request));
  }

  #note(request: RowsRequest, page: Promise<ListPage>): Promise<ListPage> {
    this.asked.add(request, page);
    return page;
  }

  #list(endpoint: ListEndpointName): KnownList {
    return this.#known.knowledge.service.list(endpoint);
  }

  #learn({ endpoint, filters }: RowsList, page: ListPage): ListPage {
    if (isWhole(filters)) this.#lengths.set(endpoint, page.count);
    this.#known.seen.addAll(this.contract.endpoint(endpoint).kind, page.rows, true);
    return page;
  }
}

/** Other operations keep the service busy, so that less of its parallelism is left. */
export function freeParallelism({ parallelism, inFlight }: ServiceCosts): number {
  return Math.max(1, parallelism - inFlight);
}

/** A service may be busier than it was. Where its pages may take long, the first ones come first. */
function pagesAtOnce(path: AccessPath | undefined, { msLeft }: ReadScope): number {
  return path ? Math.floor((path.pages * shareOfPages * msLeft) / path.ms) : Number.POSITIVE_INFINITY;
}

function settledRead(range: Range, page: Promise<ListPage>): Promise<PageRead> {
  const askedAt = performance.now();
  return page.then(
    (value) => pageRead(range, askedAt, { status: 'fulfilled', value }),
    (reason) => pageRead(range, askedAt, { status: 'rejected', reason }),
  );
}

function nameOf({ offset, limit, ...list }: RowsRequest): string {
  return `${offset} ${limit} ${listName(list)}`;
}
