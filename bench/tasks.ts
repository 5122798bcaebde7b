/**
 * How much longer do two tasks of field apps take than the service itself needs?
 *
 *     node tasks.ts [--rows 5000]
 *
 * The first tap of a card stands beside one look through the farmers. Its caller is one for whom the gateway knows
 * nothing, and the shortest of five runs counts. An import by `POST /push` stands beside four clients of the service alone.
 * The service has the real pace with four workers. Fails where a task takes more than 1.1 times as long, or writes another
 * number of rows.
 */
import { parseArgs } from 'node:util';
import { realPace } from '../packages/sandbox/framework/pace.ts';
import { startPacedService } from './lib/paced-service.ts';
import { type Run, startPlanningGateway } from './lib/planning-gateway.ts';
import { short, table } from './lib/tables.ts';

const bar = 1.1;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '5000' } } });
const rows = Number(values.rows);
const authorization = 'demo-coop';

const list = '{ farmers(limit: 1000) { results { entity_card { is_active card { card_id } } } } }';
const tap = '{ cardHolder(card_id: "04443304718012") { holder { ... on Farmer { name phone } } complete } }';

const service = await startPacedService();
const gateway = await startPlanningGateway(service, 'gateway', realPace);
// An import adds farmers, and so it comes last.
const ratios = [await firstTap(), await importOfRows()];
await gateway.close();
await service.close();
if (ratios.some((ratio) => ratio > bar)) process.exitCode = 1;

async function firstTap(): Promise<number> {
  const best = new Map<string, Run>();
  // The first round teaches the gateway what calls cost.
  for (let round = 0; round <= 5; round += 1) {
    for (const document of [list, tap]) {
      const run = await gateway.run(document, realPace);
      const before = best.get(document);
      if (round > 0 && (!before || run.ms < before.ms)) best.set(document, run);
    }
  }
  const [listRun, tapRun] = [best.get(list), best.get(tap)] as [Run, Run];
  const row = (name: string, { calls, ms, work }: Run) => [name, String(calls.length), short(ms), short(work)];
  console.log(table(['', 'calls', 'ms', 'work'], [row('all farmers', listRun), row('first tap', tapRun)]));
  const ratio = tapRun.ms / listRun.ms;
  console.log(`The first tap takes ${ratio.toFixed(2)} times the list.\n`);
  return ratio;
}

async function importOfRows(): Promise<number> {
  const alone = await timed(async () => {
    let next = 0;
    const write = async () => {
      while (next < rows) {
        const response = await fetch(`${service.url}/supply-chains/farmers/`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ first_name: `Alone ${next++}` }),
        });
        await response.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: realPace.workers ?? 1 }, write));
  });
  const pushed = await timed(async () => {
    const lines = Array.from({ length: rows }, (_, row) =>
      JSON.stringify({ key: `bench-${row}`, write: { createFarmer: { first_name: `Pushed ${row}` } } }),
    );
    const response = await fetch(new URL('/push', gateway.url), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/jsonl' },
      body: lines.join('\n'),
    });
    const last = (await response.text()).trim().split('\n').at(-1) ?? '';
    if (JSON.parse(last).$end?.DONE !== rows) throw new Error(`The gateway has not written all rows: ${last}`);
  });
  if (pushed.writes !== rows) throw new Error(`The gateway has made ${pushed.writes} writes for ${rows} rows.`);
  const row = (name: string, { ms, writes }: typeof alone) => [name, (ms / 1_000).toFixed(1), String(writes)];
  console.log(table(['', 'seconds', 'writes'], [row('the service alone', alone), row('by POST /push', pushed)]));
  const ratio = pushed.ms / alone.ms;
  console.log(`By the gateway the import takes ${ratio.toFixed(3)} times as long.`);
  return ratio;
}

/** Milliseconds, and the writes that the service has taken meanwhile. */
async function timed(work: () => Promise<void>): Promise<{ ms: number; writes: number }> {
  await service.start(realPace);
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const writes = (await service.calls()).filter(({ method }) => method === 'POST').length;
  return { ms, writes };
}
