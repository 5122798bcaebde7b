import type { Pace } from '../../packages/sandbox/framework/options.ts';
import { closeAll } from './compare-plans.ts';
import { derivedOperations } from './derived-operations.ts';
import { startPacedService } from './paced-service.ts';
import { type Run, startPlanningGateway } from './planning-gateway.ts';
import { short, table } from './tables.ts';

/** Compares derived fields with the reads that they are made of. Returns a sentence for each bar that is missed. */
export async function compareDerived(name: string, pace: Pace, repeatMs: number): Promise<string[]> {
  const service = await startPacedService({ hasTrade: false });
  const gateway = await startPlanningGateway(service, 'gateway', pace);
  const missed: string[] = [];
  const rows: string[][] = [];
  for (const [operation, { document, reads, most }] of derivedOperations) {
    for (const each of [reads, document]) await gateway.run(each, pace);
    let [read, derived] = [await gateway.run(reads, pace), await gateway.run(document, pace)];
    // Other processes disturb some of the runs.
    for (let spent = read.ms + derived.ms; spent < repeatMs; spent += read.ms + derived.ms) {
      read = shorter(read, await gateway.run(reads, pace));
      derived = shorter(derived, await gateway.run(document, pace));
    }
    if (!derived.answer.includes('"complete":true')) throw new Error(`${operation} is not complete.`);
    const ratio = derived.ms / read.ms;
    rows.push([
      operation,
      ...[read, derived].map(({ calls, ms, work }) => [calls.length, short(ms), short(work)].join(' / ')),
      ratio.toFixed(2),
    ]);
    if (ratio > most) missed.push(`${name}, ${operation}: ${ratio.toFixed(2)} times the ms of its reads.`);
  }
  console.log(`${table([`${name}: calls / ms / work`, 'reads', 'derived', 'ms ×'], rows)}\n`);
  await closeAll([gateway]);
  await service.close();
  return missed;
}

function shorter(one: Run, other: Run): Run {
  return other.ms < one.ms ? other : one;
}
