import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { startPacedService } from './paced-service.ts';
import { type PlanningGateway, type Run, type Strategy, startPlanningGateway } from './planning-gateway.ts';
import { planOperations } from './plans-operations.ts';
import { barsOf, mayBeDisturbed } from './plans-report.ts';

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
  /** Milliseconds of repetitions, the shortest of which counts: other processes disturb some. */
  repeatMs: number;
}

/** One operation in a gateway of each strategy. */
export interface Compared extends Record<'gets' | 'pages' | 'gateway', Run> {
  name: string;
}

const warmUp = 20;
/** Most further turns of repetitions for an operation that misses a bar in time or CPU. */
const furtherTurns = 6;

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
  if (!isCold) for (const document of [...operations.values()].slice(0, warmUp)) await learning.run(document, pace);
  const runCold = async (strategy: Strategy, document: string) => {
    const fresh = await start(strategy);
    const run = await fresh.run(document, pace, callers);
    await fresh.close();
    return run;
  };
  const compared: Compared[] = [];
  for (const [name, document] of operations) {
    if (only && !only.includes(name)) continue;
    const strategies = {
      gets: () => (isCold ? runCold('gets', document) : gets.run(document, pace, callers)),
      pages: () => (isCold ? runCold('pages', document) : pages.run(document, pace, callers)),
      gateway: () => (isCold ? runCold('gateway', document) : learning.run(document, pace, callers)),
    };
    let runs = await shortestRuns(repeatMs, strategies);
    for (let turn = 0; turn < furtherTurns && mayBeDisturbed({ name, ...runs }, barsOf(paceName, isCold)); turn += 1)
      runs = await shortestRuns(repeatMs, strategies, runs);
    const answers = new Set(Object.values(runs).map(({ answer }) => answer));
    if (answers.size > 1) throw new Error(`The answers of "${name}" differ:\n${[...answers].join('\n')}`);
    compared.push({ name, ...runs });
  }
  await closeAll([compiling, gets, pages, learning]);
  await service.close();
  return compared;
}

/** Runs the strategies in turn, so that another process disturbs all of them alike. */
async function shortestRuns<Name extends string>(
  repeatMs: number,
  run: Record<Name, () => Promise<Run>>,
  before?: Record<Name, Run>,
): Promise<Record<Name, Run>> {
  const best: Partial<Record<Name, Run>> = { ...before };
  const spentMs = new Map<Name, number>();
  for (let round = 0; round < repeatMs / 50; round++) {
    for (const name of Object.keys(run) as Name[]) {
      const spent = spentMs.get(name) ?? 0;
      if (spent >= repeatMs) continue;
      const next = await run[name]();
      spentMs.set(name, spent + next.ms);
      const shortest = best[name] ?? next;
      best[name] = { ...(next.ms < shortest.ms ? next : shortest), cpu: Math.min(next.cpu, shortest.cpu) };
    }
  }
  return best as Record<Name, Run>;
}

export async function closeAll(gateways: PlanningGateway[]): Promise<void> {
  for (const gateway of gateways) await gateway.close();
}
