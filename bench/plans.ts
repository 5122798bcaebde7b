/**
 * Does the gateway choose between GETs and pages of lists as it should, whatever calls and rows cost the service?
 *
 *     node plans.ts [--paces real-4,unlimited-20,pace.yaml | --random 6 [--seed 1]] [--ops "20 payments,one payment"]
 *                   [--callers 8] [--repeat-ms 400] [--cold | --informed | --change | --derived]
 *
 * Compares the gateway with one that makes only GETs where it can, and with one that reads only pages. Each operation runs
 * with nothing cached, after a warm-up of 20. Fails where a bar is missed.
 *
 * - `--callers`: so many send it at the same time.
 * - `--repeat-ms`: the medians of the repetitions in this time count, because other processes disturb some. An operation
 *   that misses a bar in time or CPU is repeated up to ten times as often again.
 * - `--random`: over so many drawn paces. Another `--seed` draws others.
 * - `--cold`: each operation runs in a gateway that has learnt nothing.
 * - `--informed`: the gateway knows the costs and learns none.
 * - `--change`: rows become ten times as dear while the gateway runs.
 * - `--derived`: compares derived fields with the reads that they are made of.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Pace } from '../packages/sandbox/framework/options.ts';
import { readPace, realPace } from '../packages/sandbox/framework/pace.ts';
import { compareDerived } from './lib/compare-derived.ts';
import { compareOrigin } from './lib/compare-origin.ts';
import { type ComparisonOptions, closeAll } from './lib/compare-plans.ts';
import { startPacedService } from './lib/paced-service.ts';
import { type Run, startPlanningGateway } from './lib/planning-gateway.ts';
import { planOperations } from './lib/plans-operations.ts';
import { type Compared, comparisonTable, missedBars } from './lib/plans-report.ts';
import { randomPaces } from './lib/random-paces.ts';
import { writeResults } from './lib/results.ts';

const { values: options } = parseArgs({
  options: {
    paces: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
    ops: { type: 'string' },
    callers: { type: 'string', default: '1' },
    cold: { type: 'boolean', default: false },
    change: { type: 'boolean', default: false },
    derived: { type: 'boolean', default: false },
    informed: { type: 'boolean', default: false },
    'repeat-ms': { type: 'string', default: '400' },
  },
});

const paces: Record<string, Pace> = {
  'real-2': { ...realPace, workers: 2 },
  'real-4': realPace,
  'real-8': { ...realPace, workers: 8 },
  flat: { default: { callMs: 50 } },
  quick: { default: { callMs: 5, rowMs: 1 } },
  // Many services look like this from outside: no call makes another one slower.
  ...Object.fromEntries([5, 20, 60].map((callMs) => [`unlimited-${callMs}`, { workers: 1_000, default: { callMs } }])),
};
const drawn = randomPaces(Number(options.random ?? 0), Number(options.seed));
Object.assign(paces, drawn);
const chosen = options.paces?.split(',');
/** Those beside each other run at the same time: over them everything waits, and takes little of the processor. */
const turns = chosen?.map((name) => [name]) ??
  drawnTurns() ?? [['real-2', 'real-4', 'real-8'], ...(options.cold ? [] : [['flat'], ['quick']])];
const only = options.ops?.split(',');

/** Three at a time. */
function drawnTurns(): string[][] | undefined {
  if (!options.random) return undefined;
  const names = Object.keys(drawn);
  return names.flatMap((_, at) => (at % 3 === 0 ? [names.slice(at, at + 3)] : []));
}

if (options.change) await checkChange();
else if (options.derived) await checkDerived();
else await compareAll();

async function compareAll(): Promise<void> {
  const sections: string[] = [];
  const missed: string[] = [];
  const results: Record<string, object> = {};
  for (const names of turns) {
    const compared = await Promise.all(
      names.map((name) =>
        comparisonIn({
          paceName: name,
          pace: paces[name] ?? readPace(name) ?? {},
          callers: Number(options.callers),
          isCold: options.cold,
          isInformed: options.informed,
          only,
          repeatMs: Number(options['repeat-ms']),
        }),
      ),
    );
    for (const [n, name] of names.entries()) {
      const operations = compared[n]!;
      sections.push(comparisonTable(name, operations));
      console.log(`${sections.at(-1)}\n`);
      missed.push(...missedBars(name, operations, options.cold));
      results[name] = operations.map(({ name: operation, gets, pages, gateway }) => ({
        operation,
        gets: figuresOf(gets),
        pages: figuresOf(pages),
        gateway: figuresOf(gateway),
      }));
      // The calls explain the figures of single operations.
      if (only) for (const operation of operations) console.log(callsOf(operation));
    }
  }
  console.log(missed.join('\n') || 'No bar is missed.');
  const report = [...sections, missed.join('\n') || 'No bar is missed.'].join('\n\n');
  const name = ['plans', options.random && 'random', options.cold && 'cold'].filter(Boolean).join('-');
  if (!chosen && !only && !options.informed) writeResults(name, { paces: results }, { report });
  process.exitCode = missed.length > 0 ? 1 : 0;
}

function figuresOf({ calls, ms, work, cpu }: Run) {
  return { calls: calls.length, ms: Math.round(ms * 10) / 10, work, cpu: Math.round(cpu * 10) / 10 };
}

function callsOf({ name, gets, pages, gateway }: Compared): string {
  return Object.entries({ gets, pages, gateway })
    .map(([strategy, { calls }]) => `${name}, ${strategy}:\n  ${calls.join('\n  ')}\n`)
    .join('');
}

async function comparisonIn(workerData: ComparisonOptions): Promise<Compared[]> {
  const worker = new Worker(new URL('lib/compare-plans-thread.ts', import.meta.url), { workerData });
  const [compared] = await once(worker, 'message');
  await worker.terminate();
  return compared;
}

/** Fifty reads after the change, the gateway has to plan like one that knows the new costs. */
async function checkChange(): Promise<void> {
  const before: Pace = { default: { callMs: 10, rowMs: 0.3 } };
  const after: Pace = { default: { callMs: 10, rowMs: 3 } };
  const service = await startPacedService();
  const operations = [...planOperations(service.samples)].filter(([name]) => only?.includes(name) ?? true);
  const gateway = await startPlanningGateway(service, 'gateway', before);
  const informed = await startPlanningGateway(service, 'informed', after);
  for (const [, document] of operations) await gateway.run(document, before);
  let reads = 0;
  for (const [, document] of operations) {
    if (reads < 50) reads += (await gateway.run(document, after)).calls.length;
  }
  const missed: string[] = [];
  for (const [name, document] of operations) {
    const [run, expected] = [await gateway.run(document, after), await informed.run(document, after)];
    const ratio = run.work / expected.work;
    const isSame = run.calls.join() === expected.calls.join();
    console.log(`${name}: ${isSame ? 'the same calls' : `${ratio.toFixed(2)} times the work`}`);
    if (ratio > 1.1) missed.push(name);
  }
  await closeAll([gateway, informed]);
  await service.close();
  process.exitCode = missed.length > 0 ? 1 : 0;
}

/** At the real pace, unless others are asked for. */
async function checkDerived(): Promise<void> {
  const missed: string[] = [];
  for (const name of chosen ?? ['real-4']) {
    const pace = paces[name] ?? readPace(name) ?? {};
    for (const compare of [compareDerived, compareOrigin])
      missed.push(...(await compare(name, pace, Number(options['repeat-ms']))));
  }
  console.log(missed.join('\n') || 'No bar is missed.');
  process.exitCode = missed.length > 0 ? 1 : 0;
}
