import type { Range } from '../../upstream/list-page.ts';
import { isRow } from '../references.ts';
import { timeOf } from './order.ts';

/** Rows of one time. The parts of a page show some of them twice, and thus others not at all. */
export interface DoubledTie extends Range {
  time: number;
  /** Places whose row stands at another place too. */
  doubled: number[];
}

/** The ties of rows that stand at two places. A row that the service fails on has no time, and may be in any tie. */
export function doubledTies(rows: ReadonlyMap<number, unknown>, failing: ReadonlySet<number>): DoubledTie[] {
  const ties = new Map<number, DoubledTie>();
  const seen = new Set<string>();
  for (const place of [...rows.keys()].toSorted((a, b) => a - b)) {
    const row = rows.get(place);
    if (!isRow(row)) continue;
    const time = timeOf(row);
    if (seen.has(row.id) && time !== undefined) {
      const isIn = (other: number) => failing.has(other) || timeOf(rows.get(other)) === time;
      let [start, end] = [place, place + 1];
      while (isIn(start - 1)) start -= 1;
      while (isIn(end)) end += 1;
      const tie = ties.get(start) ?? { offset: start, limit: end - start, time, doubled: [] };
      tie.doubled.push(place);
      ties.set(start, tie);
    }
    seen.add(row.id);
  }
  return [...ties.values()];
}

/** Ranges that show rows of a tie: first all of them, then halves, each time in another order. */
export function rangesOf({ offset, limit }: Range, round: number): Range[] {
  if (round === 0) return [{ offset, limit }];
  const start = Math.max(0, offset - round);
  const middle = offset + Math.ceil(limit / 2);
  return [
    { offset: start, limit: middle - start },
    { offset: middle, limit: offset + limit + round - middle },
  ];
}

/** Puts rows that no part has shown where a row is doubled. */
export function fillTies(rows: Map<number, unknown>, ties: readonly DoubledTie[], shown: readonly unknown[]): void {
  const seen = new Set([...rows.values()].filter(isRow).map(({ id }) => id));
  for (const row of shown) {
    if (!isRow(row) || seen.has(row.id)) continue;
    const place = ties.find(({ time }) => time === timeOf(row))?.doubled.shift();
    if (place === undefined) continue;
    rows.set(place, row);
    seen.add(row.id);
  }
}

/** Places where the service failed, each after another one that may be of the same tie. */
export function maybeFailing(rows: ReadonlyMap<number, unknown>, failing: ReadonlySet<number>): Set<number> {
  const places = new Set<number>();
  let hasFailed = false;
  /** The time of the rows since the last failing one. */
  let since: number | undefined;
  for (const place of [...rows.keys(), ...failing].toSorted((a, b) => a - b)) {
    if (failing.has(place)) {
      if (hasFailed) places.add(place);
      hasFailed = true;
    } else if (hasFailed) {
      const time = timeOf(rows.get(place));
      hasFailed = since === undefined || time === since;
      since = hasFailed ? time : undefined;
    }
  }
  return places;
}
