import { pageSize } from '../upstream/endpoints.ts';
import { hasTwins, type ListPage, type Range } from '../upstream/list-page.ts';
import type { AccessPath } from './planner.ts';

/** A page of a range and its answer. `limit`: the rows that it has, or should have had. */
export type PageRead = Range & { answer: PromiseSettledResult<ListPage> };

/** The pages of a range, in order. The gateway reads no page past the end of the list. */
export type Reading = readonly PageRead[];

export interface RangeSource {
  /** Rows of the list; undefined where the gateway does not know. */
  length: number | undefined;
  /** The pages in which to read this number of rows. `isCounted`: the list has them. */
  plan(rows: number, isCounted: boolean): AccessPath;
  read(range: Range): Promise<ListPage>;
  /** Pages of one range did not fit together, or did. */
  learn(hasShifted: boolean): void;
}

/** Reads all rows of a range, whatever the size of the service's pages. */
export async function readRange(range: Range, source: RangeSource): Promise<Reading> {
  const path = pathOf(range, source);
  const pages = await readPages(range, path, source);
  if (path.pages === 1 || range.limit > pageSize) return pages;
  if (pages.some(({ answer }) => answer.status === 'rejected')) return pages;
  const hasShifted = !fitTogether(pages);
  source.learn(hasShifted);
  return hasShifted ? readPages(range, onePage, source) : pages;
}

type Pages = Pick<AccessPath, 'pages' | 'width' | 'size'>;

const onePage: Pages = { pages: 1, width: 1, size: pageSize };

function pathOf({ offset, limit }: Range, { length, plan }: RangeSource): Pages {
  const rows = Math.min(limit, (length ?? Number.POSITIVE_INFINITY) - offset);
  if (rows <= 0) return onePage;
  const path = plan(rows, length !== undefined);
  // The list may have grown, so that the page has more rows.
  return path.pages === 1 ? onePage : path;
}

async function readPages(range: Range, { width, size }: Pages, source: RangeSource): Promise<Reading> {
  const pages: PageRead[] = [];
  const { offset, limit } = range;
  let next = pagesIn({ offset, limit: Math.min(limit, width * size) }, size, offset + limit);
  while (next.length > 0) {
    pages.push(...(await Promise.all(next.map((page) => readPage(page, source)))));
    pages.sort((a, b) => a.offset - b.offset);
    next = missingPages(range, size, pages);
  }
  return pages;
}

async function readPage({ offset, limit }: Range, { read }: RangeSource): Promise<PageRead> {
  const [answer] = await Promise.allSettled([read({ offset, limit })]);
  if (answer.status === 'rejected') return { offset, limit, answer };
  const { count, rows } = answer.value;
  // Rows above the limit would come twice, with the next page.
  if (rows.length > limit)
    return { offset, limit, answer: { ...answer, value: { count, rows: rows.slice(0, limit) } } };
  return { offset, limit: rows.length, answer };
}

/** The pages of the rows that the list has, and that no page has brought. */
function missingPages({ offset, limit }: Range, size: number, pages: Reading): Range[] {
  const answers = pages.flatMap(({ answer }) => (answer.status === 'fulfilled' ? answer.value : []));
  const count = Math.min(...answers.map(({ count }) => count));
  // A page without rows is the end, even if the count says otherwise.
  const empty = pages.find((page) => page.answer.status === 'fulfilled' && page.limit === 0);
  const end = Math.min(offset + limit, answers.length === 0 ? offset : count, empty?.offset ?? count);
  // A short page before the end of the list shows the largest page of the service.
  const largest = Math.min(size, Math.max(...answers.map(({ rows }) => rows.length)));
  const missing: Range[] = [];
  let at = offset;
  for (const next of [...pages, { offset: offset + limit, limit: 0 }]) {
    const gap = Math.min(next.offset, end) - at;
    if (gap > 0) missing.push(...pagesIn({ offset: at, limit: gap }, largest, next.offset));
    at = Math.max(at, next.offset + next.limit);
  }
  return missing;
}

/** The last page ends at `end`, because the list may have grown. */
function pagesIn({ offset, limit }: Range, size: number, end: number): Range[] {
  return Array.from({ length: Math.ceil(limit / size) }, (_, index) => {
    const at = offset + index * size;
    return { offset: at, limit: Math.min(size, end - at) };
  });
}

/** No row came or went between the reads of the pages, and the service ordered all pages alike. */
function fitTogether(pages: Reading): boolean {
  const answers = pages.flatMap(({ answer }) => (answer.status === 'fulfilled' ? answer.value : []));
  return new Set(answers.map(({ count }) => count)).size === 1 && !hasTwins(answers.flatMap(({ rows }) => rows));
}
