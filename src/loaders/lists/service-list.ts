import type { Json } from '../../lib/json.ts';
import type { ListEndpointName } from '../../upstream/endpoints.ts';
import { UpstreamError } from '../../upstream/errors.ts';
import { FailingRows } from '../../upstream/failing-rows.ts';
import type { CallerKnowledge } from '../../upstream/knowledge.ts';
import { type ListPage, listPageOf } from '../../upstream/list-page.ts';
import type { CallOrigin } from '../../upstream/request.ts';
import type { ListReads } from '../reader.ts';
import { bisect, mayBeOfRow } from './bisect.ts';
import { orderOf } from './filters.ts';
import { isWhole, listName, type RowsList, type RowsRequest } from './rows-request.ts';

/** Reads pages from the service. An error stands at the place of a row that the service fails on. */
export class ServicePages {
  readonly #reads: ListReads;
  readonly #known: { readonly knowledge: CallerKnowledge };
  readonly #learn: (list: RowsList, page: ListPage) => ListPage;
  readonly #failures = new Map<ListEndpointName, UpstreamError>();
  #lastSearch: Promise<unknown> = Promise.resolve();

  /** `learn` gets each page that has come, and returns it. */
  constructor(
    reads: ListReads,
    known: { readonly knowledge: CallerKnowledge },
    learn: (list: RowsList, page: ListPage) => ListPage,
  ) {
    this.#reads = reads;
    this.#known = known;
    this.#learn = learn;
  }

  /** The error of a row of the whole list that the service fails on. */
  failureIn(endpoint: ListEndpointName): UpstreamError | undefined {
    return this.#failures.get(endpoint);
  }

  /** @throws the error of a page that fails as a whole. */
  async read(request: RowsRequest): Promise<ListPage> {
    const known = this.#failingRows(request);
    if (known instanceof FailingRows && known.placesIn(request).length > 0) return this.#bisect(request, known);
    try {
      return this.#learn(request, pageIn(await this.#ask(request, request.origin)));
    } catch (error) {
      if (!mayBeOfRow(error)) throw error;
      // One search after the other, because the first one may show that the service fails on everything.
      const search = this.#lastSearch.then(() => this.#search(request, error));
      this.#lastSearch = search.catch(() => {});
      return search;
    }
  }

  #search(request: RowsRequest, failure: UpstreamError): Promise<ListPage> {
    const known = this.#failingRows(request);
    if (known === 'not found') throw failure;
    return this.#bisect(request, known ?? new FailingRows(), failure);
  }

  async #bisect(request: RowsRequest, known: FailingRows, failure?: UpstreamError): Promise<ListPage> {
    const origin: CallOrigin = { ...request.origin, reason: 'bisect' };
    try {
      const { failing, ...page } = await this.#reads.readInTime((part) =>
        bisect(request, {
          failure,
          known,
          shufflesTies: orderOf(this.#reads.contract.endpoint(request.endpoint), request.filters).by === 'created_on',
          callsLeft: () => this.#reads.callsLeft,
          read: async (range) => {
            const scope = request.scope ?? part;
            return this.#learn(request, pageIn(await this.#ask({ ...request, ...range, scope }, origin)));
          },
        }),
      );
      this.#known.knowledge.learnFailingRows(listName(request), failing);
      const [first] = page.rows.filter((row) => row instanceof UpstreamError);
      if (first && isWhole(request.filters)) this.#failures.set(request.endpoint, first);
      return page;
    } catch (error) {
      if (mayBeOfRow(error)) this.#known.knowledge.learnFailingRows(listName(request), 'not found');
      throw error;
    }
  }

  #failingRows(list: RowsList): FailingRows | 'not found' | undefined {
    return this.#known.knowledge.failingRows(listName(list));
  }

  #ask({ endpoint, filters, offset, limit, isFresh = false, scope }: RowsRequest, origin: CallOrigin): Promise<Json> {
    return this.#reads.read(endpoint, { query: { ...filters, limit, offset }, isFresh, scope }, origin);
  }
}

function pageIn(answer: Json): ListPage {
  const page = listPageOf(answer);
  if (page) return page;
  throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The service answered a list without `count` or `results`.');
}
