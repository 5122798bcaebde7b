/**
 * The price of OpenTelemetry in CPU: none, the spans of 1 % of the operations, and those of all. Loads of the gateways take turns. A collector in this process takes all that they export.
 *
 *     node telemetry.ts [--ops small,page,deep] [--rounds 9] [--concurrency 8] [--with-before]
 *
 * Fails when one operation in a hundred takes more than 1.03 times the CPU. `--with-before` also measures the older commit
 * in `before/`, without OpenTelemetry.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { startLoadGenerator } from './lib/load.ts';
import { type Measurement, measure } from './lib/measure.ts';
import { documentFor } from './lib/operations.ts';
import { type Peer, peerNamed } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { type RunningPeer, type RunningStub, withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    ops: { type: 'string', default: 'small,page,deep' },
    rounds: { type: 'string', default: '9' },
    concurrency: { type: 'string', default: '8' },
    'with-before': { type: 'boolean', default: false },
  },
});
const highestRatio = 1.03;
const rounds = Number(options.rounds);
const concurrency = Number(options.concurrency);
const requests: Record<string, { warmUp: number; requests: number }> = {
  small: { warmUp: 3000, requests: 3000 },
  page: { warmUp: 200, requests: 300 },
  deep: { warmUp: 80, requests: 120 },
};

let exported = 0;
const collector = createServer((request, response) => {
  request.on('data', (piece: Buffer) => {
    exported += piece.length;
  });
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
}).listen(0, '127.0.0.1');
await new Promise((resolve) => collector.once('listening', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const ours = peerNamed('ours');
const traced = (ratio: string): Peer => ({
  ...ours,
  env: {
    ...ours.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
  },
});
const peers: Record<string, Peer> = {
  ...(options['with-before'] && { before: peerNamed('before') }),
  off: ours,
  '1 %': traced('0.01'),
  '100 %': traced('1'),
};
const names = Object.keys(peers);

const generator = startLoadGenerator();
const measured: Record<string, Measurement[]> = {};
await withPeers(names, {}, async (running) => {
  for (const operation of options.ops.split(',')) {
    const load = { document: documentFor(ours, operation), concurrency };
    const { warmUp, requests: each } = requests[operation]!;
    for (const name of names) measured[`${operation} ${name}`] = [];
    // The first round compiles the code.
    for (let round = -1; round < rounds; round += 1) {
      for (const [place] of names.entries()) {
        // Another order in each round, so that none always follows the same.
        const name = names[(place + round + 1) % names.length]!;
        const { gateway, stub } = running[name]!;
        const job = { ...load, requests: each, warmUp: round < 0 ? warmUp : 20 };
        const measurement = await measure(generator, gateway, stub, job);
        console.error(operation, name, round, measurement.cpuMs.toFixed(3), measurement.peakRssMiB);
        if (round >= 0) measured[`${operation} ${name}`]!.push(measurement);
      }
    }
  }
});
generator.stop();
collector.close();
collector.closeAllConnections();

const ratios: Record<string, number> = {};
const rows = options.ops.split(',').flatMap((operation) =>
  names.map((name) => {
    const own = measured[`${operation} ${name}`]!;
    const off = measured[`${operation} off`]!;
    // Rounds are compared in pairs: the machine changes from one to the next.
    const ratio = median(own.map(({ cpuMs }, round) => cpuMs / off[round]!.cpuMs));
    ratios[`${operation} ${name}`] = ratio;
    return [`${operation}, ${name}`, short(median(own.map(({ cpuMs }) => cpuMs))), ratio.toFixed(3)];
  }),
);
const report = `${table(['operation, spans', 'CPU ms', 'of those without'], rows)}\n\n${(exported / 2 ** 20).toFixed(0)} MiB exported.`;
console.log(report);
const errors = Object.values(measured)
  .flat()
  .some(({ errors }) => errors > 0);
const isDear = Object.entries(ratios).some(([name, ratio]) => name.endsWith(' 1 %') && ratio > highestRatio);
if (errors || isDear) process.exitCode = 1;
if (options.ops === 'small,page,deep' && rounds >= 9)
  writeResults('telemetry', { rounds, ratios, measured }, { report });

type Running = Record<string, { gateway: RunningPeer; stub: RunningStub }>;

/** Starts all gateways, each over a stub of its own, one inside the other. */
async function withPeers(names: string[], running: Running, use: (running: Running) => Promise<void>): Promise<void> {
  const [name, ...others] = names;
  if (name === undefined) return use(running);
  await withPeer(peers[name]!, {}, (gateway, stub) =>
    withPeers(others, { ...running, [name]: { gateway, stub } }, use),
  );
}
