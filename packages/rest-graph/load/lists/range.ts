import { hasTwins, pageSize, pagesIn, type Range, type ReadScope } from '@gateway/upstream';
import { type AccessPath, planRange } from '../../plan/planner.ts';
import { isWhole } from './filters.ts';
import type { ListReader, PageOptions, RangeOptions } from './list-reader.ts';
import type { PageRead } from './page-fit.ts';
import { isOnePage, largestPage, mostPageMs, readUntilFit, reread } from './reread.ts';

/** Share of the time that is left for pages that are read at once. */
const shareOfPages = 1 / 6;

/** Rows of the largest page that the gateway asks for, with those around the page of a client. */
export const mostRowsOfPage = 1.5 * pageSize;

/** Reads all rows of a range, whatever the size of the service's pages, and none past the known end. Rows in doubt are undefined. */
export async function readRange(list: ListReader, range: Range, options: RangeOptions): Promise<readonly PageRead[]> {
  const path = pathOf(list, range, options);
  const { width, size } = path;
  const pages: PageRead[] = [];
  const { offset, limit } = range;
  let next = pagesIn({ offset, limit: Math.min(limit, width * size) }, size, offset + limit);
  while (next.length > 0) {
    const [only] = next;
    if (only && next.length === 1) pages.push(await list.ask(only, options).end);
    else pages.push(...(await readAll(list, next, path, options)));
    pages.sort((a, b) => a.offset - b.offset);
    next = missingPages(range, size, pages);
  }
  if (pages.length < 2) return pages;
  if (isFit(pages)) {
    list.known.learnReread(0);
    return pages;
  }
  const { count, rows, doubts } = await readUntilFit(list, range, pages, options);
  const whole = doubts.length > 0 && (await readWhole(list, range, pages, options));
  if (whole) return [whole];
  const fitted = { ...(pages[0] as PageRead), offset: range.offset, limit: rows.length, page: { count, rows, doubts } };
  return [fitted, ...pages.filter(({ page }) => !page)];
}

/** The pages are of one state, and no row is on two of them. */
function isFit(pages: readonly PageRead[]): boolean {
  const come = pages.flatMap(({ page }) => page ?? []);
  if (come.length < 2) return true;
  return come.every(({ count }) => count === come[0]?.count) && !hasTwins(come.flatMap(({ rows }) => rows));
}

/** One page contradicts nothing. Undefined where the service gives no page of all the rows. */
async function readWhole(
  list: ListReader,
  range: Range,
  pages: readonly PageRead[],
  options: PageOptions,
): Promise<PageRead | undefined> {
  if (!isOnePage(range, pages)) return undefined;
  const whole = await reread(list, range, options);
  const { page } = whole;
  return page && page.rows.length >= Math.min(range.limit, page.count - range.offset) ? whole : undefined;
}

/** Pages in which to read a range. `ms`: of the plan, where there is one. */
interface Path extends Pick<AccessPath, 'pages' | 'width' | 'size'> {
  ms?: number;
}

const onePage: Path = { pages: 1, width: 1, size: pageSize };

function pathOf(list: ListReader, { offset, limit }: Range, options: RangeOptions): Path {
  const { origin, hasReferences = false, isOnePage = false } = options;
  const { known, setting } = list;
  const mostRows = Math.min(known.pageSize(mostRowsOfPage), mostPageMs / setting.list.rowMs);
  if (isOnePage && limit <= mostRows) return { ...onePage, size: limit };
  const length = isWhole(list.filters) ? list.probableLength : undefined;
  const rows = Math.min(limit, (length ?? Number.POSITIVE_INFINITY) - offset);
  if (rows <= 0) return onePage;
  const choice = planRange({
    ...setting,
    rows,
    isCounted: length !== undefined,
    mayBeShort: origin.reason === 'list scan' || !isWhole(list.filters),
    hasReferences,
    shiftShare: known.takeRereadShare(),
    changesPerMs: known.changesPerMs,
  });
  list.note(choice, origin);
  return choice.chosen;
}

/** Reads several pages. Those that do not come in time have an error. */
function readAll(list: ListReader, ranges: readonly Range[], path: Path, options: RangeOptions): Promise<PageRead[]> {
  const read = (scope = list.reads.scope) =>
    readInOrder(ranges, path, scope, (page) => list.ask(page, { ...options, scope }).end);
  return options.hasReferences && !options.scope ? list.reads.readInTime(read) : read(options.scope);
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
  const largest = Math.min(size, largestPage(pages));
  const missing: Range[] = [];
  let at = offset;
  for (const next of [...pages, { offset: offset + limit, limit: 0 }]) {
    const gap = Math.min(next.offset, end) - at;
    if (gap > 0) missing.push(...pagesIn({ offset: at, limit: gap }, largest, next.offset));
    at = Math.max(at, next.offset + next.limit);
  }
  return missing;
}

/**
 * Reads pages in their order. A service may be busier than it was. Where the pages of a path may take long, the first ones
 * come first.
 */
async function readInOrder(
  ranges: readonly Range[],
  { pages: planned, ms }: Path,
  { msLeft }: ReadScope,
  read: (range: Range) => Promise<PageRead>,
): Promise<PageRead[]> {
  const atOnce = ms === undefined ? ranges.length : Math.floor((planned * shareOfPages * msLeft) / ms);
  if (atOnce >= ranges.length) return Promise.all(ranges.map(read));
  const pages: PageRead[] = [];
  const left = ranges.values();
  const readNext = async () => {
    for (const range of left) pages.push(await read(range));
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, readNext));
  return pages;
}
