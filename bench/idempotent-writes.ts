/**
 * The price of an Idempotency-Key: CPU of the gateway for a mutation with a key beside one without. Loads of both take
 * turns, at 50 requests at a time, with the records in a SQLite file.
 *
 *     node idempotent-writes.ts [--peer ours] [--rounds 7] [--requests 2000] [--latency 5]
 *
 * Fails when a mutation with a key takes more than 1.3 times the CPU.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { peerNamed } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    peer: { type: 'string', default: 'ours' },
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '2000' },
    latency: { type: 'string', default: '5' },
  },
});
const highestRatio = 1.3;
const document = 'mutation { createFarmer(input: { first_name: "Ama", last_name: "Owusu" }) { id name } }';

const folder = mkdtempSync(join(tmpdir(), 'idempotent-writes-'));
const chosen = peerNamed(options.peer);
const peer = { ...chosen, env: { ...chosen.env, IDEMPOTENCY_FILE: join(folder, 'idempotency.db') } };
const generator = startLoadGenerator();
const load = { document, concurrency: 50, callers: 10, requests: Number(options.requests), warmUp: 300 };
const without: Measurement[] = [];
const withKey: Measurement[] = [];
await withPeer(peer, { latency: Number(options.latency) }, async (running, stub) => {
  // The first loads compile the code of both.
  for (let round = -1; round < Number(options.rounds); round += 1) {
    const plain = await measure(generator, running, stub, load);
    const keyed = await measure(generator, running, stub, { ...load, hasKeys: true });
    if (round < 0) continue;
    without.push(plain);
    withKey.push(keyed);
  }
});
generator.stop();
rmSync(folder, { recursive: true });

const of = (measurements: Measurement[], figure: 'cpuMs' | 'p50' | 'p99') =>
  median(measurements.map((measurement) => measurement[figure]));
const row = (name: string, measurements: Measurement[]) => [
  name,
  short(of(measurements, 'cpuMs')),
  short(of(measurements, 'p50')),
  short(of(measurements, 'p99')),
];
const ratio = median(withKey.map(({ cpuMs }, round) => cpuMs / without[round]!.cpuMs));
const rows = [row('without a key', without), row('with a key', withKey)];
const verdict = `With a key a mutation takes ${ratio.toFixed(2)} times the CPU; ${highestRatio} is the highest allowed.`;
const report = `${table(['mutations', 'CPU ms', 'p50 ms', 'p99 ms'], rows)}\n\n${verdict}`;
console.log(report);
if (ratio > highestRatio || [...without, ...withKey].some(({ errors }) => errors > 0)) process.exitCode = 1;
if (options.peer === 'ours' && options.rounds === '7') {
  writeResults('idempotent-writes', { ratio, without, withKey }, { report });
}
