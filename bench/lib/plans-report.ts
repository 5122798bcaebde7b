import type { Compared } from './compare-plans.ts';
import { short, table } from './tables.ts';

const strategies = ['gets', 'pages', 'gateway'] as const;
/** Milliseconds to the answer, and milliseconds of work of the service. */
const figures = ['ms', 'work'] as const;
type Strategy = (typeof strategies)[number];
type Figure = (typeof figures)[number];

/** The most that the gateway may take, as a multiple of the better of the two other strategies. */
const mostInOne = { warm: 1.1, cold: 1.15 };
const mostInAll = 0.95;
/** Timers of Node fire on whole milliseconds, and some of them late. */
const slack = { ms: 3, work: 0 };

const better = ({ gets, pages }: Record<'gets' | 'pages', Record<Figure, number>>, figure: Figure) =>
  Math.min(gets[figure], pages[figure]);

function sum(operations: Compared[], figureOf: (operation: Compared) => number): number {
  return operations.reduce((total, operation) => total + figureOf(operation), 0);
}

/** The figures of all operations together. */
function totals(operations: Compared[]) {
  const total = (strategy: Strategy) => ({
    calls: sum(operations, (operation) => operation[strategy].calls.length),
    ms: sum(operations, (operation) => operation[strategy].ms),
    work: sum(operations, (operation) => operation[strategy].work),
  });
  return { gets: total('gets'), pages: total('pages'), gateway: total('gateway') };
}

export function comparisonTable(pace: string, operations: Compared[]): string {
  const cells = (calls: number, { ms, work }: Record<Figure, number>) => `${calls} / ${short(ms)} / ${short(work)}`;
  const all = totals(operations);
  const ofBest = (figure: Figure) => all.gateway[figure] / sum(operations, (operation) => better(operation, figure));
  const rows = [
    ...operations.map((operation) => [
      operation.name,
      ...strategies.map((strategy) => cells(operation[strategy].calls.length, operation[strategy])),
      ...figures.map((figure) => (operation.gateway[figure] / better(operation, figure)).toFixed(2)),
    ]),
    [
      'all',
      ...strategies.map((strategy) => cells(all[strategy].calls, all[strategy])),
      ...figures.map((figure) => (all.gateway[figure] / better(all, figure)).toFixed(2)),
    ],
    ['all, beside the better for each', '', '', '', ...figures.map((figure) => ofBest(figure).toFixed(2))],
  ];
  return table([`${pace}: calls / ms / work`, 'GETs only', 'pages only', 'gateway', 'ms ×', 'work ×'], rows);
}

/** A sentence for each bar that the gateway misses. */
export function missedBars(pace: string, operations: Compared[], isCold: boolean): string[] {
  const most = isCold ? mostInOne.cold : mostInOne.warm;
  const all = totals(operations);
  return figures.flatMap((figure) => {
    const sentence = (name: string, is: number, base: number) =>
      `${pace}, ${name}: ${(is / base).toFixed(2)} times the ${figure}.`;
    const missed = operations
      .filter((operation) => operation.gateway[figure] > most * better(operation, figure) + slack[figure])
      .map((operation) => sentence(operation.name, operation.gateway[figure], better(operation, figure)));
    const isAllMissed = !isCold && all.gateway[figure] > mostInAll * better(all, figure);
    return isAllMissed ? [...missed, sentence('all operations', all.gateway[figure], better(all, figure))] : missed;
  });
}
