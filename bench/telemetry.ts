/**
 * The price of OpenTelemetry in CPU: none, the spans of 1 % of the operations, and those of all. Loads of the gateways,
 * which are in one process, take turns. A collector in this process takes all that they export, twice a second.
 *
 *     node telemetry.ts [--ops small,page,deep] [--rounds 20] [--concurrency 8]
 *
 * Fails when 1 % takes more than 1.03 times the CPU.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLoadGenerator } from './lib/load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { root, track } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { startStub } from './lib/running.ts';
import { median, sum } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    ops: { type: 'string', default: 'small,page,deep' },
    rounds: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '8' },
  },
});
const highestRatio = 1.03;
/** The exports of a load end before the next load. Each costs a millisecond, and comes every 5 s by default. */
const exportMs = 500;
const rounds = Number(options.rounds);
const concurrency = Number(options.concurrency);
const operations = options.ops.split(',');
const requests: Record<string, { warmUp: number; load: number }> = {
  small: { warmUp: 6000, load: 1500 },
  page: { warmUp: 300, load: 120 },
  deep: { warmUp: 100, load: 40 },
};
/** Gateways by name, with their ratio of samples. */
const samples = { off: [], '1 %': ['0.01'], '100 %': ['1'] };
const names = Object.keys(samples);

let exported = 0;
const collector = createServer((request, response) => {
  request.on('data', (piece: Buffer) => {
    exported += piece.length;
  });
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const stub = await startStub();
await stub.change();
const args = Object.entries(samples).map(([name, ratio]) => [name, ...ratio].join('='));
const gateways = track(fork(`${root}lib/telemetry-gateways.ts`, [stub.url, collectorUrl, String(exportMs), ...args]));
const [urls] = (await once(gateways, 'message')) as [Record<string, string>];
const generator = startLoadGenerator();

/** Milliseconds of CPU for a request, by operation and gateway. */
const measured: Record<string, number[]> = {};
for (const operation of operations) {
  const { warmUp, load } = requests[operation]!;
  const job = { document: documentFor(peerNamed('ours'), operation), concurrency };
  for (const name of names) {
    measured[`${operation}, ${name}`] = [];
    await generator.send({ ...job, url: urls[name]!, requests: warmUp });
  }
  for (let round = 0; round < rounds; round += 1) {
    // Another order in each round, so that none always follows the same.
    const rotated = names.map((_, place) => names[(place + round) % names.length]!);
    for (const name of round % 2 === 0 ? rotated : rotated.toReversed()) {
      const before = await cpuMs();
      const { errors } = await generator.send({ ...job, url: urls[name]!, requests: load });
      if (errors > 0) throw new Error(`${errors} answers of ${operation}, ${name} are errors.`);
      await sleep(exportMs + 100);
      measured[`${operation}, ${name}`]!.push(((await cpuMs()) - before) / load);
    }
  }
}
generator.stop();
gateways.kill();
collector.close();
collector.closeAllConnections();
await stub.stop();

const ratios: Record<string, number> = {};
const rows = Object.entries(measured).map(([name, own]) => {
  const off = measured[name.replace(/, .*/, ', off')]!;
  ratios[name] = median(own.map((ms, round) => ms / off[round]!));
  const all = sum(own) / sum(off);
  return [name, short(median(own)), ratios[name].toFixed(3), all.toFixed(3)];
});
const headings = ['operation, spans', 'CPU ms', 'of those without, median', 'of those without, all'];
const report = `${table(headings, rows)}\n\n${rounds} rounds; ${(exported / 2 ** 20).toFixed(0)} MiB exported.`;
console.log(report);
if (Object.entries(ratios).some(([name, ratio]) => name.endsWith(' 1 %') && ratio > highestRatio)) process.exitCode = 1;
if (options.ops === 'small,page,deep' && rounds >= 20)
  writeResults('telemetry', { rounds, ratios, measured }, { report });

async function cpuMs(): Promise<number> {
  gateways.send('cpu');
  const [ms] = (await once(gateways, 'message')) as [number];
  return ms;
}
