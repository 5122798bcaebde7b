import { crc32 } from 'node:zlib';
import { jsonOrUndefined } from '@gateway/base';
import { type FilteredList, listName } from './filters.ts';

/** The place of a row in a list. Clients keep cursors, so an older form stays valid. */
export interface Cursor {
  position: number;
  /** Absent in a cursor that knows the position alone. */
  row?: CursorRow;
}

export interface CursorRow {
  /** Names the list and its filters. */
  list: string;
  /** Rows of the list when the gateway gave the cursor. */
  count: number;
  id: string;
  /** The time of the row as unix seconds, in a list that is in order of it. */
  time?: number | undefined;
  /** Other rows of that time, which the service gives in another order on each page. */
  before?: TiedRows | undefined;
  after?: TiedRows | undefined;
}

/** Rows of one time that pages have shown. */
export interface TiedRows {
  count: number;
  /** Digests of their ids; absent where a cursor would become too long. */
  digests?: readonly number[] | undefined;
}

/** Other rows of its time that the cursor of any row names. Each takes five characters of every edge. */
export const fewNamed = 7;

/** Rows on one side that the first and the last cursor of a page name. They make a cursor of 1,600 characters. */
export const mostNamed = 300;

const positionPrefix = 'row:';

export function encodeCursor({ position, row }: Cursor): string {
  if (!row) return base64url(positionPrefix + position);
  const { list, count, id, time, before, after } = row;
  const values = [list, position, count, id];
  if (time === undefined) return base64url(JSON.stringify(values));
  if (!before && !after) return base64url(JSON.stringify([...values, time]));
  const text = base64url(JSON.stringify([...values, time, signedSize(before), signedSize(after)]));
  const digests = Uint32Array.from([...(before?.digests ?? []), ...(after?.digests ?? [])]);
  return digests.length === 0 ? text : `${text}.${Buffer.from(digests.buffer).toString('base64url')}`;
}

/** Undefined for a text that is no cursor. */
export function decodeCursor(cursor: string): Cursor | undefined {
  const [encoded = '', encodedDigests = ''] = cursor.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  const decoded = text.startsWith(positionPrefix)
    ? { position: Number(text.slice(positionPrefix.length)) }
    : rowCursor(jsonOrUndefined(text), Buffer.from(encodedDigests, 'base64url'));
  return decoded && isSize(decoded.position) && encodeCursor(decoded) === cursor ? decoded : undefined;
}

/** Equal for ranges of one list with equal filters. */
export function listDigest(list: FilteredList): string {
  return crc32(listName(list)).toString(36);
}

function rowCursor(values: unknown, bytes: Buffer): Cursor | undefined {
  if (!Array.isArray(values)) return undefined;
  const [list, position, count, id, time, ...sizes] = values;
  if (typeof list !== 'string' || !isSize(count) || position >= count || typeof id !== 'string') return undefined;
  if (time !== undefined && !Number.isFinite(time)) return undefined;
  const digests = Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(4 * index));
  const [before, after] = sizes.map((size) => tiedRows(size, digests));
  return { position, row: { list, count, id, time, before, after } };
}

/** Negative where the rows have no digests. */
function signedSize({ count, digests }: TiedRows = { count: 0 }): number {
  return digests ? count : -count;
}

/** Takes the rows' digests from the start of the list. */
function tiedRows(size: unknown, digests: number[]): TiedRows | undefined {
  if (!Number.isSafeInteger(size) || size === 0) return undefined;
  const count = Math.abs(size as number);
  return size === count ? { count, digests: digests.splice(0, count) } : { count };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
