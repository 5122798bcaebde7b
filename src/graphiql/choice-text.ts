import { aboutMs } from './figures.ts';
import type { AccessPath, Choice } from './upstream-report.ts';

/**
 * The chosen way and the fastest other one: "4 GETs ≈ 120 ms, instead of a page ≈ 1.3 s". Empty where there was one way
 * only.
 */
export function choiceText({ chosen, others: [other] }: Choice): string {
  if (!other) return '';
  // Where the chosen way is not the fastest, its work explains the choice.
  const showsWork = other.ms <= chosen.ms && other.workMs > chosen.workMs;
  const estimate = ({ ms, workMs }: AccessPath) =>
    showsWork ? `≈ ${aboutMs(ms)} (${aboutMs(workMs)} of work)` : `≈ ${aboutMs(ms)}`;
  const instead = chosen.pages === 0 ? callsOf(other).replace(/^1 page$/, 'a page') : callsOf(other);
  return `${callsOf(chosen)} ${estimate(chosen)}, instead of ${instead} ${estimate(other)}`;
}

function callsOf({ pages, width, gets }: AccessPath): string {
  const first = counted(width, 'page');
  const later = [counted(pages - width, 'more page'), counted(gets, 'GET')].filter(Boolean).join(' and ');
  return [first, later].filter(Boolean).join(' and then ');
}

/** Empty for none. Expected numbers of calls can be fractions. */
function counted(expected: number, noun: string): string {
  const number = Math.round(expected);
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}
