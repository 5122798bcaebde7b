/**
 * Does the sandbox lose anything when it is killed?
 *
 *     node kill-sandbox.ts [--kills 20]
 *
 * 12 clients write farmers and transactions, four upload invoices. Meanwhile the sandbox gets SIGKILL and starts again over
 * the same folder. Fails unless each write with an answer of success is there, whole, after each start.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { kill, lostIn, type Promised, runSandbox, writeUntilKilled } from '../test/sandbox/kill.ts';
import { track } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { kills: { type: 'string', default: '20' } } });
const kills = Number(options.kills);
const folder = mkdtempSync(join(tmpdir(), 'kill-sandbox-'));
const totals = { farmers: 0, transactions: 0, invoices: 0 };
const lost: string[] = [];
const running = async () => {
  const sandbox = await runSandbox(folder);
  track(sandbox.child);
  return sandbox;
};

let sandbox = await running();
for (let count = 0; count < kills; count += 1) {
  const promised: Promised = { farmers: new Map(), transactions: new Map(), invoices: new Map() };
  const writing = writeUntilKilled(sandbox, promised);
  await sleep(200 + Math.random() * 600);
  await kill(sandbox);
  await writing;
  sandbox = await running();
  lost.push(...(await lostIn(sandbox, promised)));
  totals.farmers += promised.farmers.size;
  totals.transactions += promised.transactions.size;
  totals.invoices += promised.invoices.size;
}
await kill(sandbox);
rmSync(folder, { recursive: true });

const rows = Object.entries(totals).map(([what, count]) => [what, String(count)]);
const verdict = lost.length === 0 ? 'All of them were there after the kill, whole.' : lost.join('\n');
const report = `${kills} times kill -9 of the sandbox\n\n${table(['answered with success', 'looked for'], rows)}\n\n${verdict}`;
console.log(report);
if (lost.length > 0) process.exitCode = 1;
if (options.kills === '20') writeResults('kill-sandbox', { kills, totals, lost }, { report });
