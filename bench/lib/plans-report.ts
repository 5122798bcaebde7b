import type { Run } from './planning-gateway.ts';
import { short, table } from './tables.ts';

export const strategies = ['gets', 'pages', 'gateway'] as const;
/** Milliseconds to the answer, of work of the service, and of the processor for the gateway. */
const figures = ['ms', 'work', 'cpu'] as const;
type Strategy = (typeof strategies)[number];
type Figure = (typeof figures)[number];

/** One run of each strategy, one after another: what disturbs one of them disturbs the others. */
export type Round = Record<Strategy, Run>;

/** One operation in a gateway of each strategy, by the medians of the rounds. */
export interface Compared extends Round {
  name: string;
  rounds: readonly Round[];
  /** A gateway that knows the costs, where an operation misses a bar. Where it misses too, learning is not the cause. */
  informed?: Run;
}

export interface Bars {
  /** The most for one operation, as a multiple of the better of the two other strategies. */
  inOne: Partial<Record<Figure, number>>;
  /** The same of all operations together. */
  inAll?: number;
}

const warm: Bars = { inOne: { ms: 1.1, work: 1.1 }, inAll: 0.95 };
const cold: Bars = { inOne: { ms: 1.15, work: 1.15 } };
/** Over a service that has room for every call, only clients and the gateway wait. The processor is compared with GETs. */
const unlimited: Bars = { inOne: { ms: 1.05, cpu: 1.1 } };

/** Timers of Node fire on whole milliseconds, and some of them late. */
const slack = { ms: 3, work: 0, cpu: 0.5 };

type Figures = Record<Figure, number>;

/** The figure of the better strategy. Equal calls are one strategy, measured twice. */
function base({ gets, pages }: Compared, figure: Figure): number {
  const isOne = pages.calls.join() === gets.calls.join();
  return isOne || figure === 'cpu' ? gets[figure] : Math.min(gets[figure], pages[figure]);
}

function baseOfAll({ gets, pages }: Record<'gets' | 'pages', Figures>, figure: Figure): number {
  return figure === 'cpu' ? gets.cpu : Math.min(gets[figure], pages[figure]);
}

function sum(operations: Compared[], figureOf: (operation: Compared) => number): number {
  return operations.reduce((total, operation) => total + figureOf(operation), 0);
}

/** The figures of all operations together. */
function totals(operations: Compared[]) {
  const total = (strategy: Strategy) => ({
    calls: sum(operations, (operation) => operation[strategy].calls.length),
    ms: sum(operations, (operation) => operation[strategy].ms),
    work: sum(operations, (operation) => operation[strategy].work),
    cpu: sum(operations, (operation) => operation[strategy].cpu),
  });
  return { gets: total('gets'), pages: total('pages'), gateway: total('gateway') };
}

export function comparisonTable(pace: string, operations: Compared[]): string {
  const cells = (calls: number, figuresOf: Figures) =>
    [calls, ...figures.map((figure) => short(figuresOf[figure]))].join(' / ');
  const all = totals(operations);
  const ofBest = (figure: Figure) => all.gateway[figure] / sum(operations, (operation) => base(operation, figure));
  const rows = [
    ...operations.map((operation) => [
      operation.name,
      ...strategies.map((strategy) => cells(operation[strategy].calls.length, operation[strategy])),
      ...figures.map((figure) => (operation.gateway[figure] / base(operation, figure)).toFixed(2)),
    ]),
    [
      'all',
      ...strategies.map((strategy) => cells(all[strategy].calls, all[strategy])),
      ...figures.map((figure) => (all.gateway[figure] / baseOfAll(all, figure)).toFixed(2)),
    ],
    ['all, beside the better for each', '', '', '', ...figures.map((figure) => ofBest(figure).toFixed(2))],
  ];
  const times = figures.map((figure) => `${figure} ×`);
  return table([`${pace}: calls / ${figures.join(' / ')}`, 'GETs only', 'pages only', 'gateway', ...times], rows);
}

/** `pace`: its name. */
export function barsOf(pace: string, isCold: boolean): Bars {
  if (pace.startsWith('unlimited')) return unlimited;
  return isCold ? cold : warm;
}

function isMissed({ inOne }: Bars, operation: Compared, figure: Figure, strategy: Strategy = 'gateway'): boolean {
  const most = inOne[figure];
  return most !== undefined && operation[strategy][figure] > most * base(operation, figure) + slack[figure];
}

/**
 * The figures in which an operation misses its bars. The faster strategy may have too much work. Then neither meets the bars of
 * both, and the gateway has to meet one of them.
 */
export function missedFigures(bars: Bars, operation: Compared): Figure[] {
  const missedBy = (strategy: Strategy) => figures.filter((figure) => isMissed(bars, operation, figure, strategy));
  const missed = missedBy('gateway');
  const isTrade = [missedBy('gets'), missedBy('pages')].every((its) => its.includes('ms') || its.includes('work'));
  const isMet = isTrade && !(missed.includes('ms') && missed.includes('work'));
  return isMet ? missed.filter((figure) => figure === 'cpu') : missed;
}

/** Misses a bar that other processes of the machine can have caused. They add no work to the service. */
export function mayBeDisturbed(operation: Compared, bars: Bars): boolean {
  return missedFigures(bars, operation).some((figure) => figure !== 'work');
}

/** A sentence for each bar that the gateway misses. */
export function missedBars(pace: string, operations: Compared[], isCold: boolean): string[] {
  const bars = barsOf(pace, isCold);
  const { inOne, inAll } = bars;
  const all = totals(operations);
  return figures.flatMap((figure) => {
    if (inOne[figure] === undefined) return [];
    const sentence = (name: string, is: number, than: number) =>
      `${pace}, ${name}: ${(is / than).toFixed(2)} times the ${figure}.`;
    const missed = operations
      .filter((operation) => missedFigures(bars, operation).includes(figure))
      .map((operation) => {
        const than = base(operation, figure);
        const informed = operation.informed && ` Knowing the costs: ${(operation.informed[figure] / than).toFixed(2)}.`;
        return sentence(operation.name, operation.gateway[figure], than) + (informed ?? '');
      });
    const isAllMissed = inAll !== undefined && all.gateway[figure] > inAll * baseOfAll(all, figure);
    return isAllMissed ? [...missed, sentence('all operations', all.gateway[figure], baseOfAll(all, figure))] : missed;
  });
}
