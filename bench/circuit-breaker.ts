/**
 * Does the circuit breaker refuse reads that would have been answered?
 *
 *     node circuit-breaker.ts [--seconds 6] [--shares 5,50,95]
 *
 * A share of the service's answers is 503, drawn by chance. Two gateways serve the same load at the same time, one of them
 * without the circuit breaker. Then the service fails for good, and comes back. Fails where a bound is missed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { documentFor } from './lib/operations.ts';
import { type Asked, startClients } from './lib/outage-clients.ts';
import { peerNamed } from './lib/peers.ts';
import { linePlot } from './lib/plot-lines.ts';
import { writeResults } from './lib/results.ts';
import { startPeer } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const allShares = '5,15,25,34,40,50,60,70,80,85,90,95';
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, shares: { type: 'string', default: allShares } },
});
const duration = Number(options.seconds) * 1_000;
const shares = options.shares.split(',').map(Number);
/** Points of per cent that the circuit breaker may cost. */
const mostLost = 2;
/** While all calls fail: calls per hundred reads, milliseconds of the slowest hundredth, and milliseconds until all is well. */
const mostSent = 2;
const longestWait = 60;
const longestRecovery = 300;

const ours = peerNamed('ours');
const documents = [documentFor(ours, 'small')];

interface Service {
  url: string;
  /** Share of the calls that fail, in per cent. */
  failing: number;
  calls: number;
  close(): void;
}

/** Answers every GET of a farmer, or fails it. */
async function startService(): Promise<Service> {
  const server = createServer(({ url }, response) => {
    service.calls += 1;
    const isFailing = 100 * Math.random() < service.failing;
    const id = url?.split('/').at(-2);
    const body = isFailing ? {} : { id, first_name: 'Ama', last_name: 'Osei', city: 'Ho', number: '1' };
    response.writeHead(isFailing ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service: Service = {
    url: `http://127.0.0.1:${port}/v1`,
    failing: 0,
    calls: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

async function startGateway(withBreaker: boolean) {
  const service = await startService();
  const env = withBreaker ? ours.env : { ...ours.env, 'circuitBreaker.calls': '0' };
  const peer = await startPeer({ ...ours, ...(env && { env }) }, service.url);
  return { service, peer };
}

const guarded = await startGateway(true);
const open = await startGateway(false);

interface Answered {
  /** All in per cent. */
  share: number;
  withBreaker: number;
  without: number;
}
const answeredAt: Answered[] = [];
for (const share of shares) {
  const [withBreaker, without] = await Promise.all([answered(guarded, share), answered(open, share)]);
  answeredAt.push({ share, withBreaker, without });
  console.error(`${share} %: ${short(withBreaker)} % answered, ${short(without)} % without`);
}
const outage = await measureOutage(guarded);
for (const { peer, service } of [guarded, open]) {
  await peer.stop();
  service.close();
}
conclude();

/** Reads that are answered, in per cent, while that share of the calls fails. */
async function answered({ service, peer }: typeof guarded, share: number): Promise<number> {
  service.failing = share;
  const clients = startClients(peer.url, documents, { count: 20 });
  await sleep(duration);
  await clients.stop();
  service.failing = 0;
  return percentage(clients.asked.filter(({ isRight }) => isRight).length, clients.asked.length);
}

interface Outage {
  reads: number;
  calls: number;
  p99: number;
  recovery: number;
}

/** A service that answers, then fails every call, and then answers again. */
async function measureOutage({ service, peer }: typeof guarded): Promise<Outage> {
  const clients = startClients(peer.url, documents, { pause: 20 });
  await sleep(1_000);
  const before = service.calls;
  service.failing = 100;
  const downAt = performance.now();
  await sleep(2 * duration);
  service.failing = 0;
  const upAt = performance.now();
  const calls = service.calls - before;
  await sleep(2_000);
  await clients.stop();
  const down = clients.since(downAt).filter(({ at }) => at < upAt);
  const wrong = clients.since(upAt).filter(({ isRight }) => !isRight);
  const recovery = Math.max(0, ...wrong.map(({ at }) => at - upAt));
  return { reads: down.length, calls, p99: quantile(waitsOf(down), 0.99), recovery };
}

function waitsOf(asked: readonly Asked[]): number[] {
  return asked.map(({ at, answered }) => answered - at).toSorted((a, b) => a - b);
}

function percentage(part: number, whole: number): number {
  return (100 * part) / whole;
}

function conclude(): void {
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
  const lost = ({ withBreaker, without }: Answered) => without - withBreaker;
  const sent = percentage(outage.calls, outage.reads);
  const isShort = sent <= mostSent && outage.p99 <= longestWait && outage.recovery <= longestRecovery;
  const report = [
    'Reads that are answered while a share of the calls fails (per cent)',
    table(
      ['failing', 'with the circuit breaker', 'without', `lost (${mostLost})`, 'verdict'],
      answeredAt.map((row) => [
        String(row.share),
        short(row.withBreaker),
        short(row.without),
        short(lost(row)),
        verdict(lost(row) <= mostLost),
      ]),
    ),
    'A service that fails every call, and then none',
    table(
      [
        'reads',
        'calls',
        `calls per 100 reads (${mostSent})`,
        `p99, ms (${longestWait})`,
        `well again after, ms (${longestRecovery})`,
        'verdict',
      ],
      [
        [
          String(outage.reads),
          String(outage.calls),
          short(sent),
          short(outage.p99),
          short(outage.recovery),
          verdict(isShort),
        ],
      ],
    ),
  ].join('\n\n');
  console.log(report);
  if (!isShort || answeredAt.some((row) => lost(row) > mostLost)) process.exitCode = 1;
  if (options.shares === allShares)
    writeResults('circuit-breaker', { duration, answeredAt, outage }, { report, plot: plot() });
}

function plot(): string {
  const line = (label: string, figure: 'withBreaker' | 'without') => ({
    label,
    points: answeredAt.map((row): [number, number] => [row.share, row[figure]]),
  });
  const lines = [line('with the circuit breaker', 'withBreaker'), line('without it', 'without')];
  const panel = { title: 'Answered reads, %', xTitle: 'failing calls, %', lines };
  return linePlot({ title: 'Answered reads while calls fail', columns: 1, panels: [panel] });
}
