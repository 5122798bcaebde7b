import { madeOnce, UpstreamError } from '@gateway/base';
import type { Endpoint, ListEndpointName } from '@gateway/contract';
import {
  type CallerKnowledge,
  type CallOrigin,
  FailingRows,
  type KnownList,
  type ListPage,
  listPageOf,
  type Range,
  type ReadScope,
} from '@gateway/upstream';
import type { Choice, PlanSetting } from '../../plan/planner.ts';
import type { Loader } from '../batch.ts';
import type { IdentityMap } from '../identity-map.ts';
import type { ListReads } from '../reader.ts';
import { bisect, mayBeOfRow } from './bisect.ts';
import { mayApply, readFiltered } from './filter-checks.ts';
import type { FilterSource } from './filter-probe.ts';
import {
  addedRowsShow,
  type FilteredList,
  type Filters,
  filtersInPath,
  filtersInUse,
  isWhole,
  type ListOrder,
  listName,
  orderOf,
} from './filters.ts';
import { readByNumber } from './numbered-pages.ts';
import { type AskedPage, PageStore } from './page-store.ts';
import { UnpagedAnswers } from './unpaged.ts';

/** How a page is read. */
export interface PageOptions {
  origin: CallOrigin;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
  /** The service itself answers, after the pages that have come. */
  isFresh?: boolean;
}

/** How the rows of a range are read. */
export interface RangeOptions extends PageOptions {
  /** The rows refer to objects that the operation loads by id. */
  hasReferences?: boolean;
  /** All rows are of one state of the list, where the service gives pages so large. */
  isOnePage?: boolean | undefined;
}

/** A range of one list, among those of one tick. */
export interface AskedRange extends Range, RangeOptions {
  list: ListReader;
}

/** The request that reads a list. Its lists share what they learn. */
export interface ListRequest {
  readonly reads: ListReads;
  readonly knowledge: CallerKnowledge;
  readonly seen: IdentityMap;
  /** Calls that the service works on side by side, less those of other operations. */
  readonly parallelism: number;
  /** Reads ranges of one tick together. */
  readonly ranges: Loader<AskedRange, ListPage>;
  of(endpoint: ListEndpointName, filters: Filters): ListReader;
}

/**
 * One list as one request reads it. A page is read once, for all fields that need it. Ranges, scans and searches all find
 * the pages that have come.
 */
export class ListReader implements FilteredList {
  readonly endpoint: ListEndpointName;
  readonly filters: Filters;
  readonly name: string;
  /** The list in the contract. */
  readonly described: Endpoint;
  readonly order: ListOrder;
  readonly reads: ListReads;
  readonly pages = new PageStore();
  /** This request shows rows of the list from the cache. */
  usedCache = false;
  #hasLeftCache = false;
  readonly #request: ListRequest;
  /** The fields that need a range, by its name. */
  readonly #fields = new Map<string, CallOrigin['fields'][]>();
  /** The property of rows that a filter adds to the list. */
  readonly #added: string | undefined;
  readonly #unpaged: UnpagedAnswers | undefined;
  #count: number | undefined;
  #guess: { length: number | undefined } | undefined;
  #firstRow: Promise<ListPage> | undefined;
  #lastSearch: Promise<unknown> = Promise.resolve();

  constructor({ endpoint, filters }: FilteredList, request: ListRequest) {
    this.endpoint = endpoint;
    this.filters = filters;
    this.name = listName(this);
    this.described = request.reads.contract.endpoint(endpoint);
    this.order = orderOf(this.described, filters);
    this.#added = addedRowsShow(this.described, filters);
    this.reads = request.reads;
    this.#request = request;
    this.#unpaged = this.described.unpaged && new UnpagedAnswers();
  }

  /** References of a row. */
  get references() {
    return this.reads.contract.references(this.described.kind);
  }

  get known(): KnownList {
    return this.#request.knowledge.service.list(this.endpoint);
  }

  /**
   * The rows of a range, whatever the size of the service's pages, and the count of the list. They come all from the cache
   * or all from the service, because rows may have shifted in between. Ranges of one tick are read as one if that takes
   * fewer calls. A limit of 0 reads the count alone.
   * @throws UpstreamError for fewer rows than the service announces, and for a filter that it lacks.
   */
  range({ offset, limit }: Range, { origin, ...options }: RangeOptions): Promise<ListPage> {
    const all = madeOnce(this.#fields, `${offset} ${limit}`, noFields);
    all.push(origin.fields);
    const fields = () => [...new Set(all.flatMap((each) => each()))];
    return this.#request.ranges.load({ list: this, offset, limit, ...options, origin: { ...origin, fields } });
  }

  /** One page, from the cache or the service. A page of the service may be shorter than its limit. */
  page(range: Range, options: PageOptions): Promise<ListPage> {
    return this.cached(range, options.origin) ?? this.ask(range, options).page;
  }

  /** Rows of the list: the count of the latest page, or an estimate from an earlier request. */
  get length(): number | undefined {
    return this.#count ?? (isWhole(this.filters) ? this.#request.knowledge.lengthOf(this.endpoint) : undefined);
  }

  /** Rows of the list, or a guess by requests of other callers. One guess serves the whole request. */
  get probableLength(): number | undefined {
    const { length } = this;
    if (length !== undefined || !isWhole(this.filters)) return length;
    this.#guess ??= { length: this.known.guessLength() };
    return this.#guess.length;
  }

  /** Learns the length, unless the service has refused it to the caller of late. */
  askLength(origin: CallOrigin): void {
    const { knowledge } = this.#request;
    if (!knowledge.mayShowLength(this.endpoint)) return;
    this.range({ offset: 0, limit: 0 }, { origin }).catch((error) => {
      // A client that leaves shows nothing of the list.
      if (error instanceof UpstreamError) knowledge.refuseLength(this.endpoint);
    });
  }

  /** The figures that a plan for the list needs. */
  get setting(): PlanSetting {
    const { costs, budget } = this.reads;
    return {
      list: costs.of(this.endpoint),
      pageSize: this.known.pageSize(),
      unpaged: this.described.unpaged,
      parallelism: this.#request.parallelism,
      scarce: costs.scarce,
      callsLeft: budget.left,
    };
  }

  /** The planner has chosen for a search of the list. */
  note(choice: Choice, origin: CallOrigin): void {
    if (choice.others.length > 0) this.reads.observer?.choose(this.endpoint, choice, origin);
  }

  /** The list with further filters. */
  with(filters: Filters): ListReader {
    return this.#request.of(this.endpoint, { ...this.filters, ...filters });
  }

  /** Whether the service may apply a filter of the list. Without an answer that shows the dialect, it may not. */
  mayFilter(name: string, origin: CallOrigin): Promise<boolean> {
    return mayApply(name, this.#filterSource({ origin })).catch(() => false);
  }

  /** A range of the list cache. */
  cached({ offset, limit }: Range, origin: CallOrigin): Promise<ListPage> | undefined {
    if (!isWhole(this.filters) || this.#hasLeftCache) return undefined;
    const page = this.reads.cached(this.endpoint, { offset, limit }, origin);
    if (!page) return undefined;
    this.usedCache = true;
    this.#learn(page);
    // A page without rows would look like the end of the list.
    return limit > 0 ? this.pages.add({ offset, limit }, Promise.resolve(page), true).page : Promise.resolve(page);
  }

  /** Goes on without the cache. */
  leaveCache(): void {
    this.pages.dropCached();
    this.usedCache = false;
    this.#hasLeftCache = true;
  }

  /** A page of the service, which the request asks for once. */
  ask(range: Range, options: PageOptions): AskedPage {
    const asked = options.isFresh ? undefined : this.pages.find(range);
    return asked ?? this.pages.add(range, this.#fetch(range, options));
  }

  /** A page of the service, whose rows match the filters. */
  #fetch(range: Range, options: PageOptions): Promise<ListPage> {
    const filters = filtersInUse(this.described, this.filters);
    if (filters.length === 0) return this.#read(range, this.filters, options);
    const read = (query: Filters) => this.#read(range, query, options);
    return readFiltered(filters, read, this.#filterSource(options));
  }

  #filterSource({ origin: { fields }, scope }: PageOptions): FilterSource {
    const options: PageOptions = { origin: { reason: 'filter check', fields }, scope };
    const { endpoint, filters, described, known } = this;
    const inPath = filtersInPath(described, filters);
    return {
      endpoint,
      filters,
      described,
      known,
      contract: this.reads.contract,
      dialect: () => this.reads.dialect(fields),
      firstRow: (query, isFresh = false) =>
        this.#request.of(endpoint, { ...inPath, ...query }).#readFirstRow({ ...options, isFresh }),
    };
  }

  /** The first row of the list, whether it matches the filters or not. */
  #readFirstRow(options: PageOptions): Promise<ListPage> {
    const first: Range = { offset: 0, limit: 1 };
    if (options.isFresh) return this.#read(first, this.filters, options);
    if (isWhole(this.filters)) return this.ask(first, options).page;
    this.#firstRow ??= this.#read(first, this.filters, options);
    return this.#firstRow;
  }

  /**
   * A page of the service, with an error at the place of each row that the service fails on. `query`: the filters by the names that
   * the service knows.
   * @throws the error of a page that fails as a whole.
   */
  async #read(range: Range, query: Filters, options: PageOptions): Promise<ListPage> {
    const { knowledge } = this.#request;
    const known = knowledge.failingRows(this.name);
    if (known instanceof FailingRows && known.placesIn(range).length > 0) {
      return this.#bisect(range, query, options, known);
    }
    try {
      return await this.#readRange(range, query, options);
    } catch (error) {
      if (!mayBeOfRow(error)) throw error;
      // One search after the other, because the first one may show that the service fails on everything.
      const search = this.#lastSearch.then(() => {
        const known = knowledge.failingRows(this.name);
        if (known === 'not found') throw error;
        return this.#bisect(range, query, options, known ?? new FailingRows(), error);
      });
      this.#lastSearch = search.catch(() => {});
      return search;
    }
  }

  async #bisect(
    range: Range,
    query: Filters,
    options: PageOptions,
    known: FailingRows,
    failure?: UpstreamError,
  ): Promise<ListPage> {
    const { reads } = this;
    const { knowledge } = this.#request;
    const origin: CallOrigin = { ...options.origin, reason: 'bisect' };
    try {
      const { failing, ...page } = await reads.readInTime((part) =>
        bisect(range, {
          failure,
          known,
          order: this.order,
          reads,
          read: (range) => this.#readRange(range, query, { ...options, origin, scope: options.scope ?? part }),
        }),
      );
      knowledge.learnFailingRows(this.name, failing);
      return page;
    } catch (error) {
      if (mayBeOfRow(error)) knowledge.learnFailingRows(this.name, 'not found');
      throw error;
    }
  }

  async #readRange(range: Range, query: Filters, options: PageOptions): Promise<ListPage> {
    const read = (part: Range) => this.#readPage(part, query, options);
    const isNumbered = this.reads.contract.wire.numbersPages;
    const readPaged = () => (isNumbered ? readByNumber(range, this.known, read) : read(range));
    const page = await (this.#unpaged?.range(range, { query, isFresh: options.isFresh }, read) ?? readPaged());
    this.#learn(page);
    return page;
  }

  async #readPage(
    { offset, limit }: Range,
    query: Filters,
    { origin, scope, isFresh = false }: PageOptions,
  ): Promise<ListPage> {
    const { reads } = this;
    const read = { query: { ...query, limit, offset }, isFresh, scope };
    const answer = await reads.read(this.endpoint, read, origin);
    const page = listPageOf(answer);
    if (page) return page;
    const { count, rows, countHeader } = reads.contract.data.wire.page;
    const places = countHeader === undefined ? `\`${count}\`` : `\`${count}\` or the header ${countHeader}`;
    const missing = Array.isArray(answer.results) ? `count in ${places}` : `rows in \`${rows}\``;
    const advice = 'Compare x-wire.page of the contract with the answer, and check UPSTREAM_URL.';
    const message = `The service answered \`${this.endpoint}\` with no ${missing}. ${advice}`;
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', message);
  }

  #learn({ count, rows }: ListPage): void {
    this.#count = count;
    if (this.#added) this.#request.seen.hide(rows, this.#added);
    this.#request.seen.addAll(this.described.kind, rows, !this.described.lacks);
  }
}

const noFields = () => [];
