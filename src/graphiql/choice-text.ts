import { aboutMs } from './figures.ts';
import type { AccessPath } from './upstream-report.ts';

/** One way to the objects or rows, as expected: "4 GETs ≈ 120 ms (480 ms of work)". */
export function wayText(way: AccessPath): string {
  return `${callsOf(way)} ≈ ${aboutMs(way.ms)} (${aboutMs(way.workMs)} of work)`;
}

/** "2 pages and then 3 GETs". Expected numbers of calls can be fractions. */
export function callsOf({ pages, width, gets }: AccessPath): string {
  const first = counted(width, 'page');
  const later = [counted(pages - width, 'more page'), counted(gets, 'GET')].filter(Boolean).join(' and ');
  return [first, later].filter(Boolean).join(' and then ');
}

/** Empty for none. */
function counted(expected: number, noun: string): string {
  const number = Math.round(expected);
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}
