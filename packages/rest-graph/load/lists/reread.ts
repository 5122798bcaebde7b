import { type CallCost, pageSize, pagesIn, type Range } from '@gateway/upstream';
import type { ListReader, PageOptions } from './list-reader.ts';
import { type Fit, fitPages, type PageRead } from './page-fit.ts';

/** Rounds of calls, of which each waits for the one before. */
const maxRounds = 8;

/** From this round on, one page has shown each tie that fits into a page. Several pages show longer ones alone. */
const maxTieRounds = 2;

/** A range of one page is then read whole, in one call. */
const maxRoundsOfPage = 2;

/** The most work of the service, by the work of the range. Cheap ranges may take these milliseconds. */
const mostWork = 3;
const mostWorkMs = 3_000;

/** The most work of a page, which has to come before the deadline of a call. */
export const mostPageMs = 3_000;

/**
 * Reads again what does not fit together, until each row is there once. Ends early when that takes too much work, or when a
 * call fails. Rows in doubt are then undefined.
 */
export async function readUntilFit(
  list: ListReader,
  range: Range,
  read: readonly PageRead[],
  options: PageOptions,
): Promise<Fit> {
  const { known, order } = list;
  const { list: cost } = list.setting;
  const { callMs, rowMs } = cost;
  const workOf = (pages: readonly Range[]) => pages.reduce((sum, { limit }) => sum + callMs + limit * rowMs, 0);
  const pages = [...read];
  let fit = fitPages(range, pages, { time: order.time, minTie: 0 });
  let workLeft = Math.max(mostWorkMs, mostWork * workOf(pages));
  let rows = 0;
  // Rows that came in the last round; as many will come in this one.
  let coming = 0;
  const lastRound = isOnePage(range, pages) ? maxRoundsOfPage : maxRounds;
  for (let round = 1; round <= lastRound && fit.gaps.length + fit.torn.length > 0; round += 1) {
    const largest = largestPage(pages);
    const next = nextPages(fit, largest, round, cost, 2 * coming);
    workLeft -= workOf(next);
    if (workLeft < 0) break;
    rows += next.reduce((sum, { limit }) => sum + limit, 0);
    const answers = await Promise.all(next.map((page) => reread(list, page, options)));
    pages.push(...answers.filter(({ page }) => page));
    // A tie that one page has shown contradicts no other page.
    const { count } = fit;
    fit = fitPages(range, pages, { time: order.time, minTie: round < maxTieRounds ? 0 : largest });
    coming = Math.max(0, fit.count - count);
    if (answers.some(({ page }) => !page)) break;
  }
  known.learnReread(Math.min(1, rows / Math.max(1, fit.rows.length)));
  return fit;
}

/** Reads a page that the service gives now. */
export function reread(list: ListReader, range: Range, options: PageOptions): Promise<PageRead> {
  return list.ask(range, { ...options, origin: { ...options.origin, reason: 'reread' }, isFresh: true }).end;
}

function nextPages({ gaps, torn }: Fit, largest: number, round: number, cost: CallCost, coming: number): Range[] {
  const missing = gaps.flatMap(({ offset, limit }) =>
    pagesIn({ offset, limit: limit + coming }, Math.min(pageSize, largest)),
  );
  const most = Math.min(largest, Math.max(1, Math.floor(mostPageMs / cost.rowMs)));
  // Other pages show other rows of a tie that is longer than a page.
  const first = most - Math.floor((most * (round - 1)) / maxRounds);
  const whole = together(torn, cost, most).flatMap(({ offset, limit }) =>
    limit <= most
      ? { offset, limit }
      : [{ offset, limit: first }, ...pagesIn({ offset: offset + first, limit: limit - first }, most)],
  );
  return [...missing, ...whole];
}

/** Joins ranges that overlap, and those for which another call takes longer than the rows between them. */
function together(ranges: readonly Range[], { callMs, rowMs }: CallCost, most: number): Range[] {
  const joined: Range[] = [];
  for (const { offset, limit } of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const last = joined.at(-1) ?? { offset: Number.NEGATIVE_INFINITY, limit: 0 };
    const between = offset - last.offset - last.limit;
    const length = Math.max(last.limit, offset + limit - last.offset);
    if (between < 0 || (between * rowMs <= callMs && length <= most)) last.limit = length;
    else joined.push({ offset, limit });
  }
  return joined;
}

/** The service gives the range as one page, as far as its pages show. */
export function isOnePage({ limit }: Range, pages: readonly PageRead[]): boolean {
  return limit <= Math.min(pageSize, largestPage(pages));
}

/** Rows of the pages that end early, but not with the list: the service gives no larger ones. */
export function largestPage(pages: readonly PageRead[]): number {
  const short = pages.flatMap(({ offset, limit, asked, page }) =>
    page && limit > 0 && limit < asked && offset + limit < page.count ? limit : [],
  );
  return Math.min(Number.POSITIVE_INFINITY, ...short);
}
