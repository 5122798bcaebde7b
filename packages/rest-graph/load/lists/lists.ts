import { groupBy, madeOnce, UpstreamError } from '@gateway/base';
import type { ListEndpointName } from '@gateway/contract';
import { type CallerKnowledge, isTooLate, type ListPage, pageSize, type Range } from '@gateway/upstream';
import { type BatchSizes, type Loader, loadTogether } from '../batch.ts';
import type { IdentityMap } from '../identity-map.ts';
import type { ListReads } from '../reader.ts';
import { listName, noFilters } from './filters.ts';
import { type AskedRange, ListReader, type ListRequest } from './list-reader.ts';
import type { PageRead } from './page-fit.ts';
import { readRange } from './range.ts';

/** The lists that one request reads, each with its filters. */
export class Lists implements ListRequest {
  readonly reads: ListReads;
  readonly parallelism: number;
  readonly seen: IdentityMap;
  readonly knowledge: CallerKnowledge;
  readonly #lists = new Map<string, ListReader>();
  readonly ranges: Loader<AskedRange, ListPage>;

  /** `sizes` observes how many ranges a batch has. */
  constructor(
    reads: ListReads,
    known: Pick<ListRequest, 'seen' | 'knowledge'>,
    sizes: BatchSizes,
    parallelism = freeParallelism(reads.costs),
  ) {
    this.reads = reads;
    this.parallelism = parallelism;
    this.seen = known.seen;
    this.knowledge = known.knowledge;
    this.ranges = loadTogether(loadRanges, sizes, ({ offset, limit, list }) => `${offset} ${limit} ${list.name}`);
  }

  of(endpoint: ListEndpointName, filters = noFilters): ListReader {
    const name = listName({ endpoint, filters });
    return madeOnce(this.#lists, name, () => new ListReader({ endpoint, filters }, this));
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
  for (const ofList of groupBy(uncached, ({ list }) => list).values()) {
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
export function freeParallelism({ parallelism, inFlight }: ListReads['costs']): number {
  return Math.max(1, parallelism - inFlight);
}

/** Ranges of one list that are read as one. */
interface Span<R extends Range> extends Range {
  members: R[];
}

/** Joins ranges that overlap or adjoin, if that takes fewer pages. */
export function spansOf<R extends Range>(ranges: readonly R[]): Span<R>[] {
  const [only] = ranges;
  if (only && ranges.length === 1) return [spanOf(only)];
  const spans: Span<R>[] = [];
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const span = spans.at(-1);
    if (span && range.offset <= span.offset + span.limit) {
      span.members.push(range);
      span.limit = Math.max(span.limit, range.offset + range.limit - span.offset);
    } else spans.push(spanOf(range));
  }
  return spans.flatMap((span) => {
    const pagesApart = span.members.reduce((sum, member) => sum + pagesOf(member), 0);
    return pagesOf(span) < pagesApart ? span : span.members.map(spanOf);
  });
}

function spanOf<R extends Range>(member: R): Span<R> {
  return { offset: member.offset, limit: member.limit, members: [member] };
}

/** The failure may come from one row alone, so that a smaller range may succeed. */
function mayComeAlone(error: unknown): boolean {
  return (
    error instanceof UpstreamError && (error.code === 'UPSTREAM_ERROR' || error.code === 'UPSTREAM_INVALID_RESPONSE')
  );
}

/** Reads ranges as one. A range gets its rows even if a page of another range fails. */
function readSpan({ members, ...range }: Span<AskedRange>): [AskedRange, Promise<ListPage>][] {
  const read = (asked: AskedRange) => readRange(asked.list, asked, asked);
  const readAlone = (member: AskedRange) => read(member).then((pages) => rowsIn(pages, member));
  const [first] = members as [AskedRange];
  if (members.length === 1) return [[first, readAlone(first)]];
  const fields = () => [...new Set(members.flatMap(({ origin }) => origin.fields()))];
  const whole = read({ ...first, ...range, origin: { ...first.origin, fields } });
  return members.map((member) => {
    const alone = (error: unknown) => {
      if (mayComeAlone(error)) return readAlone(member);
      throw error;
    };
    return [member, whole.then((pages) => rowsIn(pages, member)).catch(alone)];
  });
}

/**
 * The rows of a range. Ends early where a further page did not come in time.
 * @throws the error of another page; UpstreamError for fewer rows than the service announces.
 */
function rowsIn(reading: readonly PageRead[], { offset, limit }: Range): ListPage {
  const [only] = reading;
  if (only?.page && reading.length === 1 && only.offset === offset) {
    const { count, rows } = only.page;
    if (rows.length === Math.min(limit, count - offset)) return only.page;
  }
  // Rows can disappear while the gateway reads pages, and then they are not missing.
  const counts = reading.flatMap(({ page }) => page?.count ?? []);
  const count = Math.min(...counts);
  const whole = Math.min(offset + limit, count);
  const end = Math.min(whole, ...reading.map(inTimeUpTo).filter((place) => place > offset));
  const rows: unknown[] = [];
  const doubts: number[] = [];
  for (const { page, error, ...read } of reading) {
    if (read.offset >= end || read.offset + read.limit <= offset) continue;
    if (!page) throw error;
    if (page.cut && read.offset + page.rows.length <= offset) throw page.cut;
    rows.push(...page.rows.slice(Math.max(0, offset - read.offset), end - read.offset));
    for (const at of page.doubts ?? []) if (at >= offset && at < end) doubts.push(at);
  }
  const wanted = Math.max(0, end - offset);
  if (rows.length < wanted) {
    const message = `The service announces ${wanted} rows of this list, but gives only ${rows.length}.`;
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', message);
  }
  const cut = end < whole ? cutAfter(rows.length, whole - offset) : undefined;
  return { count, rows, doubts, cut };
}

/** The place in the list of the first row of a page that did not come in time. */
function inTimeUpTo({ offset, page, error }: PageRead): number {
  if (page) return page.cut ? offset + page.rows.length : Number.POSITIVE_INFINITY;
  return isTooLate(error) ? offset : Number.POSITIVE_INFINITY;
}

function cutAfter(rows: number, wanted: number): UpstreamError {
  const message = `Only ${rows} of ${wanted} rows of this list came in time. Ask for fewer, or go on after them with \`next\`.`;
  return new UpstreamError('UPSTREAM_TIMEOUT', message);
}

function pagesOf({ limit }: Range): number {
  return Math.ceil(limit / pageSize);
}
