import type { Range } from '../../upstream/list-page.ts';
import { pageSize } from '../../upstream/page-size.ts';
import type { ReadScope } from '../../upstream/scope.ts';
import type { AccessPath } from '../planner.ts';
import { isFit, type PageRead } from './page-fit.ts';
import { isOnePage, type RereadSource, readUntilFit } from './reread.ts';

export interface RangeSource extends RereadSource {
  /** Rows of the list; undefined where the gateway does not know. */
  length: number | undefined;
  /** The rows are read as one page. */
  isOnePage: boolean;
  /** The pages in which to read this number of rows. `isCounted`: the list has them. */
  plan(rows: number, isCounted: boolean): AccessPath;
  read(range: Range): Promise<PageRead>;
  /** Reads several pages. Those that do not come in time have an error. */
  readAll(ranges: readonly Range[]): Promise<PageRead[]>;
}

/** Share of the time that is left for pages that are read at once. */
const shareOfPages = 1 / 6;

/** Reads all rows of a range, whatever the size of the service's pages, and none past the known end. Rows in doubt are undefined. */
export async function readRange(range: Range, source: RangeSource): Promise<readonly PageRead[]> {
  const { width, size } = pathOf(range, source);
  const pages: PageRead[] = [];
  const { offset, limit } = range;
  let next = pagesIn({ offset, limit: Math.min(limit, width * size) }, size, offset + limit);
  while (next.length > 0) {
    const [only] = next;
    if (only && next.length === 1) pages.push(await source.read(only));
    else pages.push(...(await source.readAll(next)));
    pages.sort((a, b) => a.offset - b.offset);
    next = missingPages(range, size, pages);
  }
  if (isFit(pages)) {
    if (pages.length > 1) source.learn(0);
    return pages;
  }
  const { count, rows, doubts } = await readUntilFit(range, pages, source);
  const whole = doubts.length > 0 && (await readWhole(range, pages, source));
  if (whole) return [whole];
  const fitted = { ...(pages[0] as PageRead), offset: range.offset, limit: rows.length, page: { count, rows, doubts } };
  return [fitted, ...pages.filter(({ page }) => !page)];
}

const nothing = { count: Number.POSITIVE_INFINITY, rows: [] };

/** One page contradicts nothing. Undefined where the service gives no page of all the rows. */
async function readWhole(range: Range, pages: readonly PageRead[], source: RangeSource): Promise<PageRead | undefined> {
  if (!isOnePage(range, pages)) return undefined;
  const whole = await source.reread(range);
  const { count, rows } = whole.page ?? nothing;
  return rows.length >= Math.min(range.limit, count - range.offset) ? whole : undefined;
}

type Pages = Pick<AccessPath, 'pages' | 'width' | 'size'>;

const onePage: Pages = { pages: 1, width: 1, size: pageSize };

function pathOf({ offset, limit }: Range, { length, isOnePage, plan }: RangeSource): Pages {
  if (isOnePage) return { pages: 1, width: 1, size: limit };
  const rows = Math.min(limit, (length ?? Number.POSITIVE_INFINITY) - offset);
  if (rows <= 0) return onePage;
  const path = plan(rows, length !== undefined);
  // The list may have grown, so that the page has more rows.
  return path.pages === 1 ? onePage : path;
}

/** The pages of the rows that the list has, and that no page has brought. */
function missingPages({ offset, limit }: Range, size: number, pages: readonly PageRead[]): Range[] {
  const [only] = pages;
  if (only && pages.length === 1 && only.offset === offset && only.limit === limit) return [];
  const answers = pages.flatMap(({ page }) => page ?? []);
  const count = Math.min(...answers.map(({ count }) => count));
  // A page without rows is the end, even if the count says otherwise.
  const empty = pages.find(({ page, limit }) => page && limit === 0);
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
  const pages: Range[] = [];
  for (let at = offset; at < offset + limit; at += size) pages.push({ offset: at, limit: Math.min(size, end - at) });
  return pages;
}

/**
 * Reads pages in their order. A service may be busier than it was. Where the pages of a path may take long, the first ones
 * come first.
 */
export async function readInOrder(
  ranges: readonly Range[],
  path: AccessPath | undefined,
  { msLeft }: ReadScope,
  read: (range: Range) => Promise<PageRead>,
): Promise<PageRead[]> {
  const atOnce = path ? Math.floor((path.pages * shareOfPages * msLeft) / path.ms) : ranges.length;
  if (atOnce >= ranges.length) return Promise.all(ranges.map(read));
  const pages: PageRead[] = [];
  const left = ranges.values();
  const readNext = async () => {
    for (const range of left) pages.push(await read(range));
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, readNext));
  return pages;
}
