import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { startPacedService } from './paced-service.ts';
import { type PlanningGateway, type Run, type Strategy, startPlanningGateway } from './planning-gateway.ts';
import { planOperations } from './plans-operations.ts';
import { barsOf, type Compared, mayBeDisturbed, missedFigures, type Round, strategies } from './plans-report.ts';
import { median } from './statistics.ts';

export interface ComparisonOptions {
  /** The bars depend on it. */
  paceName: string;
  pace: Pace;
  /** Callers that send each operation at the same time. */
  callers: number;
  /** Every operation runs in gateways that have learnt nothing. */
  isCold: boolean;
  /** The gateway knows the costs of the pace. */
  isInformed: boolean;
  /** Names of operations; undefined for all. */
  only: string[] | undefined;
  /** Milliseconds of repetitions: other processes disturb some. */
  repeatMs: number;
}

const warmUp = 20;
/** Runs of the gateway that knows the costs. */
const informedRuns = 3;
/** Most further turns of repetitions for an operation that misses a bar in time or CPU. */
const furtherTurns = 10;

/** Runs each operation in three gateways over one service. Their answers must be equal. */
export async function comparePlans({
  paceName,
  pace,
  callers,
  isCold,
  isInformed,
  only,
  repeatMs,
}: ComparisonOptions): Promise<Compared[]> {
  const service = await startPacedService();
  const start = (strategy: Strategy) => startPlanningGateway(service, strategy, pace);
  const operations = planOperations(service.samples);
  // The first run of a function is slower than the later ones.
  const compiling = await start('gets');
  for (const document of [...operations.values(), ...operations.values()]) await compiling.run(document, {});
  const [gets, pages, learning] = [
    await start('gets'),
    await start('pages'),
    await start(isInformed ? 'informed' : 'gateway'),
  ];
  const informed = await start('informed');
  if (!isCold) for (const document of [...operations.values()].slice(0, warmUp)) await learning.run(document, pace);
  const runCold = async (strategy: Strategy, document: string) => {
    const fresh = await start(strategy);
    const run = await fresh.run(document, pace, callers);
    await fresh.close();
    return run;
  };
  const results: Compared[] = [];
  for (const [name, document] of operations) {
    if (only && !only.includes(name)) continue;
    const run = {
      gets: () => (isCold ? runCold('gets', document) : gets.run(document, pace, callers)),
      pages: () => (isCold ? runCold('pages', document) : pages.run(document, pace, callers)),
      gateway: () => (isCold ? runCold('gateway', document) : learning.run(document, pace, callers)),
    };
    const rounds: Round[] = [];
    await addRounds(rounds, repeatMs, run);
    let result = compare(name, rounds);
    for (let turn = 0; turn < furtherTurns && mayBeDisturbed(result, barsOf(paceName, isCold)); turn += 1) {
      await addRounds(rounds, repeatMs, run);
      result = compare(name, rounds);
    }
    const answers = new Set(rounds.flatMap((round) => strategies.map((strategy) => round[strategy].answer)));
    if (answers.size > 1) throw new Error(`The answers of "${name}" differ:\n${[...answers].join('\n')}`);
    if (missedFigures(barsOf(paceName, isCold), result).length > 0) {
      const runs: Run[] = [];
      for (let count = 0; count < informedRuns; count += 1)
        runs.push(await (isCold ? runCold('informed', document) : informed.run(document, pace, callers)));
      result.informed = typicalOf(runs);
    }
    results.push(result);
  }
  await closeAll([compiling, gets, pages, learning, informed]);
  await service.close();
  return results;
}

/** Adds up to four rounds. Each begins with another strategy. */
async function addRounds(
  rounds: Round[],
  repeatMs: number,
  run: Record<keyof Round, () => Promise<Run>>,
): Promise<void> {
  for (let count = 0, spentMs = 0; count < 4 && spentMs < repeatMs; count += 1) {
    const round: Partial<Round> = {};
    for (const at of strategies.keys()) {
      const strategy = strategies[(rounds.length + at) % strategies.length]!;
      round[strategy] = await run[strategy]();
    }
    rounds.push(round as Round);
    spentMs += Math.max(...Object.values(round).map(({ ms }) => ms));
  }
}

function compare(name: string, rounds: readonly Round[]): Compared {
  const [gets, pages, gateway] = strategies.map((strategy) => typicalOf(rounds.map((round) => round[strategy])));
  return { name, rounds, gets: gets!, pages: pages!, gateway: gateway! };
}

/** The run in the middle by time. Its work and CPU are the medians. */
function typicalOf(runs: readonly Run[]): Run {
  const middle = runs.toSorted((a, b) => a.ms - b.ms)[Math.floor(runs.length / 2)]!;
  return { ...middle, work: median(runs.map(({ work }) => work)), cpu: median(runs.map(({ cpu }) => cpu)) };
}

export async function closeAll(gateways: PlanningGateway[]): Promise<void> {
  for (const gateway of gateways) await gateway.close();
}
