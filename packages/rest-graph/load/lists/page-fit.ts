import type { ListPage, Range } from '@gateway/upstream';
import { timeIn } from './order.ts';
import { fill, idsIn, type Tie, tieOfBoth, twinsIn } from './ties.ts';

/** A page that has come, or has failed. `limit`: the rows that it has, or should have had. */
export interface PageRead extends Range {
  /** Undefined for a page that failed, which has an error. */
  page: ListPage | undefined;
  error?: unknown;
  /** The rows that the gateway asked for. */
  asked: number;
  /** Milliseconds of performance.now(). */
  askedAt: number;
  answeredAt: number;
}

type GoodRead = PageRead & { page: ListPage };

/** The rows of a range that pages of several states show together, in the newest state of the list. */
export interface Fit {
  /** Rows of the whole list. */
  count: number;
  /** Undefined where no page has a row, and where the row of another page comes again. */
  rows: unknown[];
  /** Positions in the list whose row is undefined, or may have gone. */
  doubts: number[];
  /** Ranges that no page shows as it is now. */
  gaps: Range[];
  /** Ranges of pages that contradict each other. One page of all their rows is right. */
  torn: Range[];
}

/**
 * Lays pages over each other, the newest on top.
 *
 * Between the reads of two pages, new rows shift others down. The rows of a page with a smaller count therefore stand lower
 * now. A page with a larger count is of no use: rows that went may have shifted others between pages.
 * The service orders rows of one time differently on each page, but at the same positions. Each page is right by
 * itself. Pages of one state thus lack a row only if another row is there twice.
 *
 * `time`: the property with the time that a tie of rows shares. `minTie`: only among more rows of one time than these, a row
 * that is there twice shows a tie.
 */
export function fitPages(
  range: Range,
  pages: readonly PageRead[],
  ties: { time: string | undefined; minTie: number },
  misplaced: readonly PageRead[] = [],
): Fit {
  const { time, minTie } = ties;
  const good = pages.filter(isGood).toSorted((a, b) => a.askedAt - b.askedAt);
  const count = newestCount(good);
  const shiftOf = (page: PageRead) => (isGood(page) ? count - page.page.count : 0);
  const valid = good.filter((page) => shiftOf(page) >= 0 && !misplaced.includes(page));
  // A page without rows is the end, even if the count says otherwise.
  const ends = valid.filter(({ limit }) => limit === 0).map((page) => page.offset + shiftOf(page));
  // A wrong count may announce billions of rows. No operation reads a million.
  const end = range.offset + Math.min(range.limit, 1_000_000);
  const size = Math.max(0, Math.min(end, count, ...ends) - range.offset);
  const rows: unknown[] = new Array(size);
  const from: (PageRead | undefined)[] = new Array(size).fill(undefined);
  for (const page of [...pages.filter((page) => !isGood(page)), ...valid]) {
    const start = page.offset + shiftOf(page) - range.offset;
    for (let at = Math.max(0, start); at < Math.min(size, start + page.limit); at += 1) {
      from[at] = page;
      if (page.page) rows[at] = page.page.rows[at - start];
    }
  }
  // A row of a later time above a page proves that the new rows stand above it too.
  const unproven = from.find((page, at) => {
    const before = from[at - 1];
    return (
      page && before && shiftOf(before) < shiftOf(page) && !isLater(timeIn(time, rows[at - 1]), timeIn(time, rows[at]))
    );
  });
  if (unproven) return fitPages(range, pages, ties, [...misplaced, unproven]);
  const torn: Range[] = [];
  const found = new Map<number, Tie>();
  // A service that repeats a row within a page means it.
  const twins = twinsIn(rows).filter(([first, second]) => from[first] !== from[second]);
  for (const [first, second] of twins) {
    const both = [from[first], from[second]] as [GoodRead, GoodRead];
    // Rows came below the top of a page.
    const shifted = both.filter((page) => shiftOf(page) > 0);
    if (shifted.length > 0) return fitPages(range, pages, ties, [...misplaced, ...shifted]);
    const tie = tieOfBoth(rows, [first, second], time);
    if (tie && tie.limit > minTie) found.set(tie.offset, tie);
    else torn.push(...both);
  }
  for (const [, second] of twins) rows[second] = undefined;
  const seen = idsIn(rows);
  for (const tie of found.values()) {
    const members = valid.flatMap(({ page }) => page.rows).filter((row) => timeIn(time, row) === tie.time);
    const isFull = fill(rows, tie, members, seen);
    if (!isFull) torn.push({ offset: range.offset + tie.offset, limit: tie.limit });
  }
  const doubts = [...from.keys()].filter((at) => !from[at] || (rows[at] === undefined && isGood(from[at])));
  for (const { offset, page } of good.filter((each) => !valid.includes(each))) {
    fill(rows, { offset: offset - range.offset, limit: page.rows.length }, page.rows, seen);
  }
  return {
    count,
    rows: Array.from(rows),
    doubts: doubts.map((at) => range.offset + at),
    gaps: gapsIn(from, range.offset),
    torn,
  };
}

function isGood(page: PageRead): page is GoodRead {
  return page.page !== undefined;
}

/** The count of the last page. Among pages in flight together, the largest: lists seldom shrink. */
function newestCount(pages: readonly GoodRead[]): number {
  const lastAskedAt = Math.max(...pages.map(({ askedAt }) => askedAt));
  const newest = pages.filter(({ answeredAt }) => answeredAt >= lastAskedAt);
  return Math.max(...newest.map(({ page }) => page.count));
}

function gapsIn(from: readonly (PageRead | undefined)[], offset: number): Range[] {
  const gaps: Range[] = [];
  for (const [at, page] of from.entries()) {
    if (page) continue;
    const last = gaps.at(-1);
    if (last && last.offset + last.limit === offset + at) last.limit += 1;
    else gaps.push({ offset: offset + at, limit: 1 });
  }
  return gaps;
}

function isLater(time: number | undefined, other: number | undefined): boolean {
  return time !== undefined && other !== undefined && time > other;
}
