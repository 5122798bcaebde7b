/**
 * Does the gateway protect its clients and a service that is down, and recover soon?
 *
 *     node outage.ts [--seconds 5]
 *
 * The service refuses connections, answers 503 to every call, or is silent, and then serves again. Afterwards one caller
 * sends as much as it can, and another one a little. Fails where a bound is missed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { documentFor } from './lib/operations.ts';
import { type Clients, codes, startClients, waits } from './lib/outage-clients.ts';
import { peerNamed } from './lib/peers.ts';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { startPeer } from './lib/running.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const duration = Number(options.seconds) * 1_000;
/** Milliseconds: for an answer while the service is down, and until all are right again when it is back. */
const longestWait = 250;
const longestRecovery = 1_000;
/** Reads that the gateway sends, as a multiple of the reads that clients asked for. */
const mostSent = 1.25;
/** The most that one caller may slow another one down, as a factor. */
const mostDelay = 5;
/** Milliseconds that the gateway gives a read here: a service that says nothing is seen to be down after that. */
const readTimeout = 2_000;

/** Allows one operation to be greedy. */
const unlimited = {
  'limits.documents.rootFields': '1000',
  'limits.documents.aliases': '1000',
  'limits.documents.tokens': '10000',
};

const ours = peerNamed('ours');
const port = await freePort();
const url = `http://127.0.0.1:${port}/v1`;
/** Each asks the service for one thing first, which is all that it asks while that fails. */
const documents = ['small', 'catalog', 'page'].map((name) => documentFor(ours, name));

function startService(latency = 0) {
  const args = ['stub/upstream.ts', '--port', String(port), '--latency', String(latency)];
  return start('outage-service', ['node', ...args], {});
}
const isThere = () => until('The service', 20, async () => (await fetch(`${url}/`)).status > 0);

interface Outage {
  kind: string;
  clients: number;
  longest: number;
  middle: number;
  codes: string;
  /** Undefined without a counter. */
  sentPerAsked: number | undefined;
  recovery: number;
}
const outages: Outage[] = [];

let service = startService();
await isThere();
const gateway = await startPeer(
  { ...ours, env: { ...ours.env, 'upstream.timeouts.readMs': String(readTimeout) } },
  url,
);
await during('connections are refused', async () => {
  await stop(service);
  return async () => {
    service = startService();
    await isThere();
    return undefined;
  };
});
await during('answers 503', async () => {
  await stop(service);
  let sent = 0;
  const failing = createServer((_, response) => {
    sent += 1;
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"detail":"Down."}');
  }).listen(port, '127.0.0.1');
  await once(failing, 'listening');
  return async () => {
    failing.closeAllConnections();
    await new Promise((closed) => failing.close(closed));
    service = startService();
    await isThere();
    return sent;
  };
});
await during(
  'says nothing',
  async () => {
    service.kill('SIGSTOP');
    return async () => {
      service.kill('SIGCONT');
      return undefined;
    };
  },
  // Until the first reads have run out of their time.
  2 * readTimeout,
);
await gateway.stop();
await stop(service);
const fairness = await measureFairness();
conclude();

/** `fail` makes the service fail. Its result restores the service, and may return how many reads that has got meanwhile. */
async function during(kind: string, fail: () => Promise<() => Promise<number | undefined>>, unseen = 0): Promise<void> {
  const clients: Clients = startClients(gateway.url, documents);
  await sleep(1_000);
  const before = clients.asked.length;
  if (clients.asked.some(({ isRight }) => !isRight)) throw new Error(`Before: ${codes(clients.asked)}.`);
  const restore = await fail();
  const downAt = performance.now();
  await sleep(unseen + duration);
  // Wait for the clients that sent a request during the outage.
  const upFrom = performance.now();
  const sent = await restore();
  const upAt = performance.now();
  await sleep(3_000);
  await clients.stop();
  const down = clients.since(downAt + unseen).filter(({ at }) => at < upFrom);
  const wrongAfter = clients.since(upAt).filter(({ isRight }) => !isRight);
  const recovery = Math.max(0, ...wrongAfter.map(({ at }) => at - upAt));
  const asked = clients.asked.length - before;
  outages.push({
    kind,
    clients: down.length,
    ...waits(down),
    codes: codes(down),
    sentPerAsked: sent === undefined ? undefined : sent / clients.since(downAt).filter(({ at }) => at < upAt).length,
    recovery,
  });
  console.error(`${kind}: ${asked} asked, recovery ${short(recovery)} ms`);
}

interface Fairness {
  alone: number;
  beside: number;
}

/** Milliseconds of a small operation: alone, and beside a caller with ten operations of 500 users each. */
async function measureFairness(): Promise<Fairness> {
  service = startService(20);
  await isThere();
  const peer = await startPeer(
    {
      ...ours,
      env: { ...ours.env, 'upstream.connections': '64', 'upstream.connectionsPerCaller': '32', ...unlimited },
    },
    url,
  );
  const alone = startClients(peer.url, [documents[0]!], { count: 1 });
  await sleep(duration);
  await alone.stop();
  let isOver = false;
  const fields = Array.from({ length: 400 }, (_, index) => `u${index}: user(id: "none-${index}") { email }`);
  const body = JSON.stringify({ query: `{ ${fields.join(' ')} }` });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer greedy' };
  const greedy = Array.from({ length: 10 }, async () => {
    while (!isOver) await (await fetch(peer.url, { method: 'POST', headers, body })).text();
  });
  await sleep(500);
  const beside = startClients(peer.url, [documents[0]!], { count: 1 });
  await sleep(duration);
  await beside.stop();
  isOver = true;
  await Promise.all(greedy);
  await peer.stop();
  await stop(service);
  return { alone: waits(alone.asked).middle, beside: waits(beside.asked).middle };
}

function conclude(): void {
  const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
  const isMet = ({ longest, sentPerAsked = 0, recovery }: Outage) =>
    longest <= longestWait && sentPerAsked <= mostSent && recovery <= longestRecovery;
  const isFair = fairness.beside <= mostDelay * fairness.alone;
  const report = [
    'A service that is down, and fifty clients who go on asking (milliseconds)',
    table(
      [
        'the service',
        'asked',
        'answered with',
        'p50',
        `longest (${longestWait})`,
        `sent per asked (${mostSent})`,
        `well again after (${longestRecovery})`,
        'verdict',
      ],
      outages.map((outage) => [
        outage.kind,
        String(outage.clients),
        outage.codes,
        short(outage.middle),
        short(outage.longest),
        short(outage.sentPerAsked),
        short(outage.recovery),
        verdict(isMet(outage)),
      ]),
    ),
    'A small operation, 20 ms upstream, by itself and beside a caller who asks for 4,000 users at a time (p50, milliseconds)',
    table(
      ['alone', 'beside', `ratio (${mostDelay})`, 'verdict'],
      [[short(fairness.alone), short(fairness.beside), short(fairness.beside / fairness.alone), verdict(isFair)]],
    ),
  ].join('\n\n');
  console.log(report);
  if (!outages.every(isMet) || !isFair) process.exitCode = 1;
  writeResults('outage', { duration, readTimeout, outages, fairness }, { report });
}
