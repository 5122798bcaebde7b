import { UpstreamError } from '@gateway/base';
import {
  type CallerKnowledge,
  type CallOrigin,
  FailingRows,
  type ListPage,
  listPageOf,
  type Range,
  type ReadScope,
} from '@gateway/upstream';
import type { ListReads } from '../reader.ts';
import { bisect, mayBeOfRow } from './bisect.ts';
import type { Filters } from './filters.ts';
import { readByNumber } from './numbered-pages.ts';
import type { OrderedList } from './order.ts';

/** How a page is read. */
export interface PageOptions {
  origin: CallOrigin;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
  /** The service itself answers, after the pages that have come. */
  isFresh?: boolean;
}

/** The request that reads a list. */
export interface ServiceRequest {
  readonly reads: ListReads;
  readonly knowledge: CallerKnowledge;
}

/** Reads pages of one list from the service. An error stands at the place of a row that the service fails on. */
export class ServiceList {
  readonly #list: OrderedList & { name: string };
  readonly #request: ServiceRequest;
  readonly #learn: (page: ListPage) => void;
  #lastSearch: Promise<unknown> = Promise.resolve();
  /** The error of a row that the service fails on. The row may be any object that the others are not. */
  failure: UpstreamError | undefined;

  /** `learn` gets each page that has come. */
  constructor(list: OrderedList & { name: string }, request: ServiceRequest, learn: (page: ListPage) => void) {
    this.#list = list;
    this.#request = request;
    this.#learn = learn;
  }

  /**
   * `query`: the filters by the names that the service knows.
   * @throws the error of a page that fails as a whole.
   */
  async read(range: Range, query: Filters, options: PageOptions): Promise<ListPage> {
    const known = this.#request.knowledge.failingRows(this.#list.name);
    if (known instanceof FailingRows && known.placesIn(range).length > 0) {
      return this.#bisect(range, query, options, known);
    }
    try {
      return await this.#ask(range, query, options);
    } catch (error) {
      if (!mayBeOfRow(error)) throw error;
      // One search after the other, because the first one may show that the service fails on everything.
      const search = this.#lastSearch.then(() => {
        const known = this.#request.knowledge.failingRows(this.#list.name);
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
    const { knowledge } = this.#request;
    const origin: CallOrigin = { ...options.origin, reason: 'bisect' };
    try {
      const { failing, ...page } = await this.#request.reads.readInTime((part) =>
        bisect(range, {
          failure,
          known,
          time: this.#list.order.time,
          shufflesTies: this.#list.order.isNewestFirst,
          callsLeft: () => this.#request.reads.callsLeft,
          read: (range) => this.#ask(range, query, { ...options, origin, scope: options.scope ?? part }),
        }),
      );
      knowledge.learnFailingRows(this.#list.name, failing);
      this.failure = page.rows.find((row) => row instanceof UpstreamError) ?? this.failure;
      return page;
    } catch (error) {
      if (mayBeOfRow(error)) knowledge.learnFailingRows(this.#list.name, 'not found');
      throw error;
    }
  }

  async #ask(range: Range, query: Filters, options: PageOptions): Promise<ListPage> {
    const { reads, knowledge } = this.#request;
    const read = (part: Range) => this.#readPage(part, query, options);
    const page = reads.contract.wire.numbersPages
      ? await readByNumber(range, knowledge.service.list(this.#list.endpoint), read)
      : await read(range);
    this.#learn(page);
    return page;
  }

  async #readPage(
    { offset, limit }: Range,
    query: Filters,
    { origin, scope, isFresh }: PageOptions,
  ): Promise<ListPage> {
    const { reads } = this.#request;
    const read = { query: { ...query, limit, offset }, isFresh: isFresh ?? false, scope };
    const page = listPageOf(await reads.read(this.#list.endpoint, read, origin));
    if (page) return page;
    const { count, rows } = reads.contract.data.wire.page;
    throw new UpstreamError(
      'UPSTREAM_INVALID_RESPONSE',
      `The service answered a list without \`${count}\` or \`${rows}\`.`,
    );
  }
}
