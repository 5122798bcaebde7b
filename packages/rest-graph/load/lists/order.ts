import { isObject } from '@gateway/base';

/** The time in a property of a row as unix seconds, whatever its form. */
export function timeIn(property: string | undefined, row: unknown): number | undefined {
  return property !== undefined && isObject(row) ? secondsOf(row[property]) : undefined;
}

/** Undefined for what is no time. A time without a zone is of UTC, wherever the gateway runs. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return seconds;
  const time = Date.parse(String(value).replace(/\d[T ]\d\d:[\d:.]+$/, '$&Z')) / 1000;
  return Number.isNaN(time) ? undefined : time;
}

/** Rows of times that follow each other, the latest first or last. Rows that the service fails on have no time. */
export function areSorted(times: readonly (number | undefined)[], isDescending: boolean): boolean {
  let previous = isDescending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time === undefined) continue;
    if (isDescending ? time > previous : time < previous) return false;
    previous = time;
  }
  return true;
}
