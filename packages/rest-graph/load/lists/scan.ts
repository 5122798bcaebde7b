import { pageSize, pagesIn, type Range } from '@gateway/upstream';
import type { AccessPath, Choice } from '../../plan/planner.ts';
import type { ListReader, PageOptions } from './list-reader.ts';
import { mostRowsOfPage } from './range.ts';

/** The goal of a scan: when it is reached, and the pages that lead there. */
export interface ScanGoal {
  /** Looks at the rows that have come, and says whether it needs no more. */
  isDone(progress: Progress): boolean;
  /** The pages to read next. Undefined ends the scan. */
  next(progress: Progress): Choice | undefined;
}

/** A scan that goes on. */
export interface Progress {
  /** Pages and rows that the scan has read. */
  pages: number;
  rows: number;
  /** Rows of the waves that the scan reads; 0 before the first. */
  rowsOfWave: number;
  /** Rows that come in the time that is left, if the service goes on as with the last pages. */
  rowsInTime: number;
}

/**
 * Reads pages from where earlier readers of the list have stopped, until the goal is reached or the list ends. Returns the
 * rows that it has read, and the error of the first page that failed.
 */
export async function scan(
  list: ListReader,
  goal: ScanGoal,
  options: PageOptions,
): Promise<{ rows: number; failure?: Error }> {
  const { pages } = list;
  const { origin, scope = list.reads.scope } = options;
  const progress: Progress = { pages: 0, rows: 0, rowsOfWave: 0, rowsInTime: Number.POSITIVE_INFINITY };
  for (;;) {
    await pages.settled();
    if (list.usedCache && pages.hasOutdatedPage(list.order.time)) list.leaveCache();
    if (goal.isDone(progress) || pages.isWhole) return { rows: progress.rows };
    const { length, isCached } = pages.prefix;
    // Beside cached pages, a row comes again. It shows whether rows have moved since.
    const again = Math.min(1, length);
    if (list.cached({ offset: length - again, limit: pageSize + again }, origin)) continue;
    const choice = goal.next(progress);
    if (choice) list.note(choice, origin);
    if (!choice?.chosen.pages) return { rows: progress.rows };
    const { width, size } = choice.chosen;
    const { msLeft } = scope;
    const next = pagesOf(choice.chosen, length, isCached ? again : 0, list);
    const read = await Promise.allSettled(next.map((range) => list.ask(range, options).page));
    // Pages of the service may be shorter than the gateway asks for.
    const rows = pages.prefix.length - length;
    const ms = msLeft - scope.msLeft;
    progress.pages += width;
    progress.rows += rows;
    progress.rowsOfWave = width > 1 ? width * size : 0;
    // A row that came again alone shows no pace.
    progress.rowsInTime = ms > 0 && rows > 0 ? (rows * scope.msLeft) / ms : Number.POSITIVE_INFINITY;
    const failed = read.find((answer) => answer.status === 'rejected');
    if (failed) return { rows: progress.rows, failure: failed.reason };
  }
}

/** The pages of a wave. `again`: rows before it that come once more. */
function pagesOf({ width, size }: AccessPath, length: number, again: number, { known, reads }: ListReader): Range[] {
  const isOneCall = size + again <= known.pageSize(mostRowsOfPage);
  // Pages with numbers begin at multiples of their size.
  const limit = isOneCall || reads.contract.wire.numbersPages ? size + again : size;
  const first: Range = { offset: length - again, limit };
  return [first, ...pagesIn({ offset: first.offset + limit, limit: (width - 1) * size }, size)];
}
