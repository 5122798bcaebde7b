/**
 * How long each peer takes from the start of its process to its first answer: the median of five starts.
 *
 *     node startup.ts [--peers a,b]
 */
import { parseArgs } from 'node:util';
import { choosePeers } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { startPeer, startStub } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { peers: { type: 'string' } } });
const peers = choosePeers(options.peers);
const rounds = 5;

const stub = await startStub();
const starts: { peer: string; milliseconds: number }[] = [];
for (let round = 0; round < rounds; round++) {
  for (const peer of peers) {
    const running = await startPeer(peer, stub.url);
    starts.push({ peer: peer.name, milliseconds: running.startMs });
    await running.stop();
  }
}
await stub.stop();

const summary = peers.map(({ name }) => {
  const all = starts.filter(({ peer }) => peer === name).map(({ milliseconds }) => milliseconds);
  return { peer: name, median: median(all), lowest: Math.min(...all), highest: Math.max(...all) };
});
const rows = summary.map(({ peer, ...figures }) => [peer, ...Object.values(figures).map((value) => value.toFixed(0))]);
const title = `Start to first answer, ms, ${rounds} starts`;
const report = `${title}\n\n${table(['peer', 'median', 'lowest', 'highest'], rows)}`;
console.log(report);
if (!options.peers) writeResults('startup', { rounds, summary }, { report });
