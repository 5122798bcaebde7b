import type { ListEndpointName } from '../../contract/endpoint.ts';
import type { CallerKnowledge } from '../../upstream/knowledge.ts';
import type { ListPage } from '../../upstream/list-page.ts';
import type { ServiceCosts } from '../../upstream/service-costs.ts';
import { type BatchSizes, type Loader, loadTogether } from '../batch.ts';
import type { IdentityMap } from '../identity-map.ts';
import type { ListReads } from '../reader.ts';
import { listName, noFilters } from './filters.ts';
import { type AskedRange, ListReader, type ListRequest, rangeName } from './list-reader.ts';

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
    this.#ranges = loadTogether(loadRanges, (range) => `${rangeName(range)} ${range.list.name}`, sizes);
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

function loadRanges(ranges: readonly AskedRange[]): Promise<ListPage>[] {
  const pages = new Map<AskedRange, Promise<ListPage>>();
  const ofRows = ranges.filter(({ limit }) => limit > 0);
  for (const [list, asked] of Map.groupBy(ofRows, ({ list }) => list)) {
    for (const [range, page] of list.readTogether(asked)) pages.set(range, page);
  }
  // Counts come last, so that a page of rows can give them.
  return ranges.map((range) => pages.get(range) ?? range.list.readCount(range));
}

/** Other operations keep the service busy, so that less of its parallelism is left. */
export function freeParallelism({ parallelism, inFlight }: ServiceCosts): number {
  return Math.max(1, parallelism - inFlight);
}
