import { paths, type Row, unixSeconds } from '../rest-reads.ts';
import type { Page, RestReader } from './rest-reader.ts';

export type Arguments = Record<string, unknown>;

/** Thrown for arguments that no list takes. */
export class Refused extends Error {}

export const cursorOf = (position: number) => Buffer.from(`row:${position}`).toString('base64url');
const positionOf = (cursor: string) => Number(Buffer.from(cursor, 'base64url').toString().replace(/^row:/, ''));
const isCursor = (text: string) => positionOf(text) >= 0 && cursorOf(positionOf(text)) === text;

/** The answer with positions alone in its cursors. Those of the gateway also name the row and its list. */
export function withPositions<Value>(answer: Value): Value {
  return JSON.parse(JSON.stringify(answer), (_key, value) => (typeof value === 'string' ? positionIn(value) : value));
}

function positionIn(text: string): string {
  // Each cursor of a row is an array in JSON.
  if (!/^Wy[IJ]/.test(text)) return text;
  const [row = ''] = text.split('.');
  const [, position] = JSON.parse(Buffer.from(row, 'base64url').toString());
  return cursorOf(position);
}

/** A list by `limit` and `offset` or by cursors; 20 rows by default. */
export async function readConnection(service: RestReader, path: string, args: Arguments) {
  refuseNonsense(args);
  if (!service.isConnect && isOnlyInConnect(path, args)) throw new Refused();
  const filters = filtersOf(args);
  const { start, end } = await rangeOf(args, async () => (await service.rows(path, filters, 0, 1)).count);
  const page =
    end > start
      ? await service.rows(path, filters, start, end - start)
      : { ...(await service.rows(path, filters, 0, 1)), results: [] };
  return connectionOf(page, start);
}

/** Filters of real services that the specification lacks. */
const onlyInConnect: Record<string, string[]> = {
  [paths.farmers]: ['reference_number', 'entity'],
  [paths.entityCards]: ['card_id', 'updated_after', 'created_after'],
  [paths.currencies]: ['code'],
  [paths.productTransactions]: ['entity', 'reverse_sync'],
  [paths.paymentTransactions]: ['payment_type', 'updated_after', 'created_after'],
};

/** Empty texts filter nothing, but an empty id is refused. */
function isOnlyInConnect(path: string, args: Arguments): boolean {
  const isGiven = (name: string) =>
    args[name] != null && args[name] !== false && (args[name] !== '' || name === 'entity');
  return (onlyInConnect[path] ?? []).some(isGiven);
}

function refuseNonsense({ limit, offset, first, after, last, before }: Arguments): void {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  for (const size of [limit, first, last]) if (isGiven(size) && !((size as number) <= 1000)) throw new Refused();
  for (const number of [limit, offset, first, last])
    if (isGiven(number) && !((number as number) >= 0)) throw new Refused();
  if ([limit, offset].some(isGiven) && [first, after, last, before].some(isGiven)) throw new Refused();
  // Relay: `first` and `last` together make no sense, but for a range that ends somewhere.
  if (isGiven(first) && isGiven(last) && !isGiven(before)) throw new Refused();
  for (const cursor of [after, before]) {
    if (isGiven(cursor) && !isCursor(cursor as string)) throw new Refused();
  }
}

/** The rows from position `start` up to, not including, `end`. */
async function rangeOf(args: Arguments, count: () => Promise<number>): Promise<{ start: number; end: number }> {
  const number = (name: string) => (args[name] ?? undefined) as number | undefined;
  const cursor = (name: string) => (typeof args[name] === 'string' ? positionOf(args[name]) : undefined);
  const [first, last, after, before] = [number('first'), number('last'), cursor('after'), cursor('before')];
  if ([first, last, after, before].every((value) => value === undefined)) {
    const start = number('offset') ?? 0;
    return { start, end: start + (number('limit') ?? 20) };
  }
  let start = after === undefined ? 0 : after + 1;
  let end = before ?? Number.POSITIVE_INFINITY;
  if (first !== undefined) end = Math.min(end, start + first);
  if (last !== undefined) {
    if (end === Number.POSITIVE_INFINITY) end = await count();
    start = Math.max(start, end - last);
  }
  if (first === undefined && last === undefined) {
    if (before === undefined) end = start + 20;
    else start = Math.max(start, end - 20);
  }
  return { start, end };
}

function connectionOf({ count, results }: Page, start: number) {
  const end = start + results.length;
  const hasNextPage = end < count;
  const hasPreviousPage = start > 0 && count > 0;
  const isEmpty = results.length === 0;
  return {
    count,
    results,
    edges: results.map((node: Row, index) => ({ cursor: cursorOf(start + index), node })),
    // The next page follows the last row before it, the previous one ends before the first row of this one.
    next: hasNextPage && end > 0 ? cursorOf(end - 1) : null,
    previous: hasPreviousPage ? cursorOf(Math.min(start, count)) : null,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: isEmpty ? null : cursorOf(start),
      endCursor: isEmpty ? null : cursorOf(end - 1),
    },
  };
}

const pageArguments = new Set(['limit', 'offset', 'first', 'after', 'last', 'before']);

/** Filters under the names of the service, times as unix seconds. Null, and false of a switch, filter nothing. */
function filtersOf(args: Arguments): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (pageArguments.has(name) || value === null || value === undefined || value === false) continue;
    if (name === 'quantity_available') filters.only_quantity_available = 'true';
    else if (/_(after|before)$/.test(name)) filters[name] = secondsOf(String(value));
    else filters[name] = String(value);
  }
  return filters;
}

const secondsOf = (time: string) => (/^\d+(\.\d+)?$/.test(time) ? time : unixSeconds(time));
