import type { ListEndpointName } from '../../contract/endpoint.ts';
import type { CallerKnowledge } from '../../upstream/knowledge.ts';
import type { ListPage } from '../../upstream/list-page.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import { type BatchSizes, type Loader, loadTogether } from '../batch.ts';
import type { IdentityMap } from '../identity-map.ts';
import type { ListReads } from '../reader.ts';
import { listName, noFilters } from './filters.ts';
import { mayComeAlone, readSpan, spansOf } from './joined-ranges.ts';
import { type AskedRange, ListReader, type ListRequest } from './list-reader.ts';

/** The lists that one request reads, each with its filters. */
export class Lists implements ListRequest {
  readonly reads: ListReads;
  readonly parallelism: number;
  readonly #known: Pick<ListRequest, 'seen' | 'knowledge'>;
  readonly #lists = new Map<string, ListReader>();
  readonly #ranges: Loader<AskedRange, ListPage>;

  /** `sizes` observes how many ranges a batch has. */
  constructor(
    reads: ListReads,
    known: Pick<ListRequest, 'seen' | 'knowledge'>,
    sizes: BatchSizes,
    parallelism = freeParallelism(reads.costs),
  ) {
    this.reads = reads;
    this.parallelism = parallelism;
    this.#known = known;
    this.#ranges = loadTogether(loadRanges, sizes, ({ offset, limit, list }) => `${offset} ${limit} ${list.name}`);
  }

  get seen(): IdentityMap {
    return this.#known.seen;
  }

  get knowledge(): CallerKnowledge {
    return this.#known.knowledge;
  }

  of(endpoint: ListEndpointName, filters = noFilters): ListReader {
    const name = listName({ endpoint, filters });
    const list = this.#lists.get(name) ?? new ListReader({ endpoint, filters }, this);
    this.#lists.set(name, list);
    return list;
  }

  loadRange(range: AskedRange): Promise<ListPage> {
    return this.#ranges.load(range);
  }
}

/** Ranges come from the cache, or else from the service together. */
function loadRanges(ranges: readonly AskedRange[]): Promise<ListPage>[] {
  const pages = new Map<AskedRange, Promise<ListPage>>();
  const uncached = ranges.filter((range) => {
    const page = range.limit > 0 && range.list.cached(range, range.origin);
    if (page) pages.set(range, page);
    return range.limit > 0 && !page;
  });
  for (const ofList of Map.groupBy(uncached, ({ list }) => list).values()) {
    for (const span of spansOf(ofList)) for (const [range, page] of readSpan(span)) pages.set(range, page);
  }
  // Counts come last, so that a page of rows can give them.
  return ranges.map((range) => pages.get(range) ?? readCount(range));
}

/** The count from a page in flight, from the cache, or from a page of one row. */
async function readCount({ list, ...options }: AskedRange): Promise<ListPage> {
  const ask = () => list.ask({ offset: 0, limit: 1 }, options).page;
  const other = list.pages.first?.catch((error) => {
    if (mayComeAlone(error)) return ask();
    throw error;
  });
  const { count } = await (other ?? list.cached({ offset: 0, limit: 0 }, options.origin) ?? ask());
  return { count, rows: [] };
}

/** Other operations keep the service busy, so that less of its parallelism is left. */
export function freeParallelism({ parallelism, inFlight }: ServiceCosts): number {
  return Math.max(1, parallelism - inFlight);
}
