/**
 * Does a gateway ever give one caller what it read with another caller's key?
 *
 *     node cross-caller.ts [--peers ours,textbook]
 */
import { parseArgs } from 'node:util';
import { foreignValues } from './lib/cross-caller.ts';
import { choosePeers } from './lib/peers.ts';

const { values: options } = parseArgs({ options: { peers: { type: 'string' } } });

for (const peer of choosePeers(options.peers).filter(
  ({ name, comparable }) => name !== 'floor' && comparable !== false,
)) {
  const answers = await foreignValues(peer, { rounds: 10, callers: 16 });
  const bad = answers.filter(({ foreign }) => foreign.length > 0);
  console.log(`${peer.name}: ${bad.length} of ${answers.length} answers hold what is not their caller's`);
  for (const { caller, foreign } of bad.slice(0, 3)) console.log(`  ${caller} got ${foreign.join(', ').slice(0, 300)}`);
  if (peer.name === 'ours' && bad.length > 0) process.exitCode = 1;
}
