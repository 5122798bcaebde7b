import type { PlacedPage, RowRange } from './connection.ts';
import type { CursorRow } from './cursor.ts';
import type { ListReader, RangeOptions } from './list-reader.ts';
import { ListView } from './list-view.ts';
import { maxReadings, rowsAfter } from './rows-after.ts';

/** Reads the page that a client asks for, or the count alone. */
export async function readPage(
  list: ListReader,
  asked: RowRange,
  showsRows: boolean,
  options: RangeOptions,
): Promise<PlacedPage> {
  const { cursor, isBackward = false, size } = asked.beside ?? {};
  if (cursor?.row && size && showsRows) {
    return readBeside(cursor.position, cursor.row, size, new ListView(list, isBackward, options));
  }
  if (asked.fromEnd) return readLast(list, asked, showsRows, options);
  const page = await list.range({ offset: asked.start, limit: showsRows ? asked.size : 0 }, options);
  return { ...page, start: asked.start, size: page.cut ? page.rows.length : asked.size };
}

async function readBeside(position: number, row: CursorRow, size: number, view: ListView): Promise<PlacedPage> {
  const { isBackward, doubts } = view;
  const { known, order } = view.list;
  const found = await rowsAfter(position, row, size, view, known.expectedShift);
  const { count, from, passed, isUncertain } = found;
  const moved = isBackward ? count - from - position : from - position - 1;
  if (!isUncertain) known.learnShift(moved);
  // Rows that were before the cursor have changed, and stand where the client has read.
  const isPassedBy = order.movesRows && isBackward && moved < 0;
  const rows = view.turn(found.rows.slice(0, size));
  const cut = rows.length < size ? view.cut : undefined;
  if (cut && rows.length === 0) throw cut;
  return {
    count,
    rows,
    doubts,
    cut,
    start: isBackward ? Math.max(0, count - from - rows.length) : from,
    size: rows.length,
    [isBackward ? 'after' : 'before']: passed,
    isUncertain: isUncertain || isPassedBy,
  };
}

async function readLast(
  list: ListReader,
  asked: RowRange,
  showsRows: boolean,
  options: RangeOptions,
): Promise<PlacedPage> {
  const counted = await list.range({ offset: 0, limit: 0 }, options);
  let range = fromEnd(asked, counted.count);
  if (!showsRows) return { ...counted, ...range };
  let slack = list.known.expectedShift;
  for (let readings = 1; ; readings += 1) {
    const rows = { offset: range.start, limit: range.size + slack };
    const page = await list.range(rows, { ...options, isOnePage: slack > 0 });
    if (page.cut) throw page.cut;
    const now = fromEnd(asked, page.count);
    const moved = now.start - range.start;
    list.known.learnShift(moved);
    const isInside = moved === 0 || (moved > 0 && moved + now.size <= page.rows.length);
    if (isInside) return { ...page, ...now, rows: page.rows.slice(moved, moved + now.size) };
    if (readings === maxReadings) return { ...page, ...range, isUncertain: true };
    // The list grows or shrinks while the gateway reads it, and may do so once more.
    slack += Math.abs(moved);
    range = now;
  }
}

/** The range counted back from the end of a list of this length. */
function fromEnd(asked: RowRange, count: number): { start: number; size: number } {
  const end = Math.max(count, asked.start);
  const start = Math.max(asked.start, end - asked.size);
  return { start, size: Math.min(asked.size, end - start) };
}
