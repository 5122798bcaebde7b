import type { UpstreamError } from '../../upstream/errors.ts';
import type { Range } from '../../upstream/list-page.ts';
import type { PlacedPage, RowRange } from './connection.ts';
import type { CursorRow } from './cursor.ts';
import { ListView, type ReadRows } from './list-view.ts';
import type { ListOrder } from './order.ts';
import { rowsAfter } from './rows-after.ts';

/** How a client sees a list. */
export interface PageReader {
  read: ReadRows;
  showsRows: boolean;
  order: ListOrder;
  shift: ShiftMemory;
}

/** How far rows move between two pages of a client, as it was seen of late. */
export interface ShiftMemory {
  /** Rows. */
  expected: number;
  /** Negative where rows went. */
  learn(rows: number): void;
}

type ReadPage = PlacedPage & { isUncertain?: boolean };

/** Reads the page that a client asks for. `isUncertain`: rows may be missing, or come twice. */
export function readPage(asked: RowRange, reader: PageReader): Promise<ReadPage> {
  const { cursor, isBackward = false, size } = asked.beside ?? {};
  if (!cursor?.row || !size || !reader.showsRows) return readRange(asked, reader);
  return readBeside(cursor.position, cursor.row, isBackward, size, reader);
}

async function readBeside(
  position: number,
  row: CursorRow,
  isBackward: boolean,
  size: number,
  reader: PageReader,
): Promise<ReadPage> {
  const doubts: number[] = [];
  let cut: UpstreamError | undefined;
  const read = async (range: Range, isOnePage?: boolean) => {
    const page = await reader.read(range, isOnePage);
    doubts.push(...(page.doubts ?? []));
    cut = page.cut;
    // The rows next to the cursor are missing.
    if (cut && isBackward) throw cut;
    return page;
  };
  const { order, shift } = reader;
  const list = new ListView(isBackward, order, read);
  const { count, from, passed, isUncertain, ...found } = await rowsAfter(position, row, size, list, shift.expected);
  const moved = isBackward ? count - from - position : from - position - 1;
  if (!isUncertain) shift.learn(moved);
  // Rows that were before the cursor have changed, and stand where the client has read.
  const isPassedBy = order.movesRows && isBackward && moved < 0;
  const rows = list.turn(found.rows.slice(0, size));
  if (cut && rows.length === 0) throw cut;
  const start = isBackward ? Math.max(0, count - from - rows.length) : from;
  const place = { start, size: rows.length, [isBackward ? 'after' : 'before']: passed };
  return {
    count,
    rows,
    doubts,
    cut: rows.length < size ? cut : undefined,
    ...place,
    isUncertain: isUncertain || isPassedBy,
  };
}

/** Readings of the last rows, at most. */
const maxReadings = 4;

async function readRange(asked: RowRange, { read, showsRows, shift }: PageReader): Promise<ReadPage> {
  const { start, size } = asked;
  if (!asked.fromEnd) {
    const page = await read({ offset: start, limit: showsRows ? size : 0 });
    return { ...page, start, size: page.cut ? page.rows.length : size };
  }
  const counted = await read({ offset: 0, limit: 0 });
  let range = fromEnd(asked, counted.count);
  if (!showsRows) return { ...counted, start: range.start, size: range.size };
  let slack = shift.expected;
  for (let readings = 1; ; readings += 1) {
    const page = await read({ offset: range.start, limit: range.size + slack }, slack > 0);
    if (page.cut) throw page.cut;
    const now = fromEnd(asked, page.count);
    const moved = now.start - range.start;
    shift.learn(moved);
    const isInside = moved === 0 || (moved > 0 && moved + now.size <= page.rows.length);
    if (isInside) return { ...page, rows: page.rows.slice(moved, moved + now.size), start: now.start, size: now.size };
    if (readings === maxReadings) return { ...page, start: range.start, size: range.size, isUncertain: true };
    // The list grows or shrinks while the gateway reads it, and may do so once more.
    slack += Math.abs(moved);
    range = now;
  }
}

/** The range counted back from the end of a list of this length. */
function fromEnd(asked: RowRange, count: number): RowRange {
  const end = Math.max(count, asked.start);
  const start = Math.max(asked.start, end - asked.size);
  return { start, size: Math.min(asked.size, end - start), fromEnd: true };
}
