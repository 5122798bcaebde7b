import type { AccessPath, Choice } from './upstream-report.ts';

/** The choice in one line, such as "4 GETs ≈ 120 ms, instead of a page ≈ 1.3 s". Empty where there was one way only. */
export function choiceText({ chosen, others }: Choice): string {
  if (others.length === 0) return '';
  // Where the chosen way is not the fastest, its work explains the choice.
  const showsWork = others.some(({ ms }) => ms <= chosen.ms);
  const estimate = ({ ms, workMs }: AccessPath) =>
    showsWork ? `${duration(ms)} (${duration(workMs)} of work)` : duration(ms);
  const instead = others.map((other) => {
    const text = calls(other);
    const isSingle = text === '1 page' && Math.round(chosen.pages) === 0;
    return `${isSingle ? 'a page' : text} ≈ ${estimate(other)}`;
  });
  return `${calls(chosen)} ≈ ${estimate(chosen)}, instead of ${instead.join(' or ')}`;
}

function calls({ pages, gets }: AccessPath): string {
  return [counted(pages, 'page'), counted(gets, 'GET')].filter(Boolean).join(' and ') || 'no call';
}

/** Expected numbers of calls can be fractions. */
function counted(expected: number, noun: string): string {
  const number = Math.round(expected);
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Two digits, because the time is an estimate. */
function duration(ms: number): string {
  const estimate = Number(ms.toPrecision(2));
  return estimate < 1000 ? `${estimate} ms` : `${estimate / 1000} s`;
}
