/**
 * How long does the first tap of a card take, beside one look through the farmers?
 *
 *     node first-tap.ts
 *
 * The service has the real pace with four workers. Each run has a caller for whom the gateway knows nothing. The shortest
 * of five counts. Fails where a tap takes more than 1.1 times the list.
 */
import { realPace } from '../packages/sandbox/framework/pace.ts';
import { startPacedService } from './lib/paced-service.ts';
import { type Run, startPlanningGateway } from './lib/planning-gateway.ts';
import { short, table } from './lib/tables.ts';

const runs = 5;
const bar = 1.1;

const list = '{ farmers(limit: 1000) { results { entity_card { is_active card { card_id } } } } }';
const tap = '{ cardHolder(card_id: "04443304718012") { holder { ... on Farmer { name phone } } complete } }';

const service = await startPacedService();
const gateway = await startPlanningGateway(service, 'gateway', realPace);
const best = new Map<string, Run>();
// The first round teaches the gateway what calls cost.
for (let round = 0; round <= runs; round += 1) {
  for (const document of [list, tap]) {
    const run = await gateway.run(document, realPace);
    const before = best.get(document);
    if (round > 0 && (!before || run.ms < before.ms)) best.set(document, run);
  }
}
await gateway.close();
await service.close();

const [listRun, tapRun] = [best.get(list), best.get(tap)] as [Run, Run];
const ratio = tapRun.ms / listRun.ms;
const row = (name: string, { calls, ms, work }: Run) => [name, String(calls.length), short(ms), short(work)];
console.log(table(['', 'calls', 'ms', 'work'], [row('all farmers', listRun), row('first tap', tapRun)]));
console.log(`The first tap takes ${ratio.toFixed(2)} times the list.`);
process.exitCode = ratio > bar ? 1 : 0;
