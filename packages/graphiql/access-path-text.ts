import { aboutMs, counted } from './figures.ts';
import type { AccessPath } from './upstream-report.ts';

/** Calls, time and work, as expected: "4 GETs ≈ 120 ms (480 ms of work)". */
export function accessPathText(path: AccessPath): string {
  return `${callsOf(path)} ≈ ${aboutMs(path.ms)} (${aboutMs(path.workMs)} of work)`;
}

/** "2 pages and then 3 GETs". Expected numbers of calls can be fractions. */
export function callsOf({ pages, width, gets }: AccessPath): string {
  const first = some(width, 'page');
  const later = [some(pages - width, 'more page'), some(gets, 'GET')].filter(Boolean).join(' and ');
  return [first, later].filter(Boolean).join(' and then ');
}

/** Empty for none. */
function some(expected: number, noun: string): string {
  const number = Math.round(expected);
  return number === 0 ? '' : counted(number, noun);
}
