/**
 * The slowest answers at 70 % of the load that the floor can serve, beside those of the floor.
 *
 *     node tail.ts [--peers floor,ours] [--ops small,page,deep,catalog,idonly] [--turns 8] [--seconds 4] [--share 0.7] [--latency 20]
 *
 * Requests come at a fixed rate, whatever becomes of those before. Time counts from when a request is due. No two answers
 * of the service are alike. The peers take turns, and are compared turn by turn.
 * Fails where the p99 of our gateway is more than 1.1 times that of the floor.
 */
import { parseArgs } from 'node:util';
import { type OpenOutcome, startOpenLoadGenerator } from './lib/open-load.ts';
import { documentFor, operationNames } from './lib/operations.ts';
import { choosePeers, type Peer } from './lib/peers.ts';
import { cpuMilliseconds } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { type RunningPeer, type RunningStub, startPeer, startStub } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const usual = {
  peers: 'floor,ours',
  ops: operationNames.join(),
  turns: '8',
  seconds: '4',
  share: '0.7',
  latency: '20',
};
const { values: options } = parseArgs({
  options: Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  ),
});
const highestRatio = 1.1;
const latency = Number(options.latency);
const seconds = Number(options.seconds);
const operations = options.ops!.split(',');
const peers = choosePeers(options.peers);
const warmUpSeconds = 8;
/** Users who wait for their answers, enough of them to keep the peer busy. */
const waiting: Record<string, number> = { small: 192, page: 48, deep: 24, catalog: 128, idonly: 48 };

interface Started {
  peer: Peer;
  running: RunningPeer;
  stub: RunningStub;
}
interface Row extends OpenOutcome {
  operation: string;
  peer: string;
  turn: number;
  /** Cores that were busy with the peer, with the generator and with the stub. */
  cores: number[];
}
const rows: Row[] = [];
const rates: Record<string, number> = {};

const generator = startOpenLoadGenerator();
const started = await Promise.all(peers.map(startOver));
try {
  for (const operation of operations) await measureInTurn(operation);
} finally {
  for (const { running, stub } of started) await Promise.all([running.stop(), stub.stop()]);
  generator.stop();
}
conclude();

async function startOver(peer: Peer): Promise<Started> {
  const stub = await startStub({ latency });
  const running = await startPeer(peer, stub.url);
  await stub.change();
  return { peer, running, stub };
}

async function measureInTurn(operation: string): Promise<void> {
  for (const each of started) {
    const { perSecond } = await send(each, operation, { seconds: warmUpSeconds, concurrency: waiting[operation]! });
    console.error(`${each.peer.name} answers ${perSecond.toFixed(0)} ${operation} a second, to users who wait.`);
  }
  const { perSecond: capacity } = await send(started[0]!, operation, { seconds, concurrency: waiting[operation]! });
  const perSecond = capacity * Number(options.share);
  rates[operation] = perSecond;
  for (let turn = 0; turn < Number(options.turns); turn++) {
    for (const each of turn % 2 ? started.toReversed() : started) {
      const pids = [each.running, generator, each.stub].map(({ pid }) => pid);
      const before = pids.map(cpuMilliseconds);
      const outcome = await send(each, operation, { seconds, perSecond, connections: waiting[operation]! });
      const cores = pids.map((pid, i) => (cpuMilliseconds(pid) - before[i]!) / seconds / 1_000);
      rows.push({ operation, peer: each.peer.name, turn, cores, ...outcome });
    }
  }
}

function send({ peer, running }: Started, operation: string, load: { seconds: number; [name: string]: number }) {
  return generator.send({ url: running.url, document: documentFor(peer, operation), deadlineMs: 30_000, ...load });
}

function conclude(): void {
  const figures = ['firstByteP50', 'firstByteP99', 'p50', 'p99'] as const;
  const [base] = peers.map(({ name }) => name);
  const measured = (operation: string, peer: string) =>
    rows.filter((row) => row.operation === operation && row.peer === peer);
  const ratioOf = (operation: string, peer: string, figure: (typeof figures)[number]) => {
    const others = measured(operation, base!);
    return median(measured(operation, peer).map((row, turn) => row[figure] / others[turn]![figure]));
  };
  const cells = operations.flatMap((operation) =>
    peers.map(({ name: peer }) => {
      const own = measured(operation, peer);
      return [
        `${operation}, ${peer}`,
        rates[operation]!.toFixed(0),
        ...figures.map(
          (figure) =>
            `${short(median(own.map((row) => row[figure])))} (${ratioOf(operation, peer, figure).toFixed(2)})`,
        ),
        String(own.reduce((lost, { sent, right }) => lost + sent - right, 0)),
        ...[0, 1, 2].map((i) => median(own.map(({ cores }) => cores[i]!)).toFixed(2)),
      ];
    }),
  );
  const headings = ['first byte p50', 'first byte p99', 'p50', 'p99', 'unanswered', 'cores', 'generator', 'stub'];
  const heading = `Upstream latency ${latency} ms, ${Number(options.share) * 100} % of what ${base} serves, medians of ${options.turns} turns of ${seconds} s. Milliseconds, and beside them the ratio to ${base}.`;
  const report = `${heading}\n\n${table(['operation, peer', 'requests/s', ...headings], cells)}`;
  console.log(report);
  const isMissed = (operation: string) => ratioOf(operation, 'ours', 'p99') > highestRatio;
  if (peers.some(({ name }) => name === 'ours') && operations.some(isMissed)) process.exitCode = 1;
  const isUsual = Object.entries(usual).every(([name, value]) => options[name] === value);
  if (isUsual) writeResults('tail', { seconds, latency, rates, rows }, { report });
}
