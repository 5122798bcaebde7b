/**
 * How long a start takes to its first answer: each peer over the stub, and `npm start` with the sandbox. Then the memory
 * of our gateway over a service, after half a minute without a request.
 *
 *     node startup.ts [--peers a,b]
 *
 * Fails where a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { choosePeers, peerNamed } from './lib/peers.ts';
import { residentMiB } from './lib/process-tree.ts';
import { start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask, startPeer, startStub } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { peers: { type: 'string' } } });
const peers = choosePeers(options.peers);
const rounds = 5;
const restMs = 30_000;
/** For `npm start` on two free cores, and for a gateway over a service. */
const bars = { npmStartMs: 1_200, restMiB: 90 };

const stub = await startStub();
const sandboxData = mkdtempSync(join(tmpdir(), 'startup-'));
const starts: Record<string, number[]> = {};
// The first start fills the sandbox and the cache of compiled modules.
await npmStart();
for (let round = 0; round < rounds; round++) {
  for (const { name } of peers) {
    const running = await startPeer(peerNamed(name), stub.url);
    note(name, running.startMs);
    await running.stop();
  }
  note('npm start', await npmStart());
}
const resting = await startPeer(peerNamed('ours'), stub.url);
await sleep(restMs);
const restMiB = residentMiB(resting.pid, 'VmRSS');
await resting.stop();
await stub.stop();
rmSync(sandboxData, { recursive: true });

const summary = Object.entries(starts).map(([peer, all]) => {
  return { peer, median: median(all), lowest: Math.min(...all), highest: Math.max(...all) };
});
const rows = summary.map(({ peer, ...figures }) => [peer, ...Object.values(figures).map((value) => value.toFixed(0))]);
const npmStartMs = median(starts['npm start']!);
const verdictOf = (isMet: boolean) => (isMet ? 'met' : 'missed');
const report = [
  `Start to first answer, ms, ${rounds} starts\n\n${table(['start', 'median', 'lowest', 'highest'], rows)}`,
  `\`npm start\` may take ${bars.npmStartMs} ms on two free cores: ${verdictOf(npmStartMs <= bars.npmStartMs)}.`,
  `Our gateway over a service has ${restMiB.toFixed(0)} MiB RSS after ${restMs / 1000} s without a request; ${bars.restMiB} are allowed: ${verdictOf(restMiB <= bars.restMiB)}.`,
].join('\n\n');
console.log(report);
if (npmStartMs > bars.npmStartMs || restMiB > bars.restMiB) process.exitCode = 1;
if (!options.peers) writeResults('startup', { rounds, summary, restMiB }, { report });

function note(name: string, ms: number): void {
  starts[name] ??= [];
  starts[name].push(ms);
}

/** Milliseconds from the command to the first answer, npm's own start included. */
async function npmStart(): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const env = { NODE_ENV: 'development', PORT: String(port), SANDBOX_DATA: sandboxData };
  const child = start('npm-start', ['npm', 'start', '--prefix', '..'], env);
  const url = `http://127.0.0.1:${port}/graphql`;
  await until('npm start', 30, async () => {
    const { status } = await ask(url, '{ currencies(limit: 1) { count } }', 'demo-coop');
    return status === 200;
  });
  const ms = performance.now() - startedAt;
  await stop(child);
  return ms;
}
