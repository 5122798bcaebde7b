/**
 * Do upstream calls end when their clients leave, and only then?
 *
 *     node cancellation.ts
 *
 * 50 clients leave in the middle of `deep`, over a slow service. After 300 ms no GET may be in flight. Then come 10,000
 * POSTs whose clients stay. No call may be cut, made twice or answered with an error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoadGenerator } from './lib/load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { sum } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const clients = 50;
/** Enough clients to take all connections of the gateway, so that others wait. */
const readsInFlight = 1_000;
/** Milliseconds after the clients have left. */
const grace = 300;
/** Milliseconds for each upstream call: by itself none would end within the grace. */
const latency = 3_000;
const posts = 10_000;
const ours = peerNamed('ours');

const left = await measureLeaving();
const normal = await measureNormal();
conclude();

interface Leaving {
  /** GETs that the service had in flight when the clients left, and after the grace. */
  before: number;
  after: number;
  /** GETs that the service got between the two counts. */
  begun: number;
}

function measureLeaving(): Promise<Leaving> {
  return withPeer(ours, { latency, watched: true }, async ({ url }, stub) => {
    const query = documentFor(ours, 'deep');
    const leaving = new AbortController();
    const answers = Array.from({ length: clients }, (_, client) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer client-${client}` },
        body: JSON.stringify({ query }),
        signal: leaving.signal,
      }),
    );
    await until('The middle', 60, async () => (await stub.traffic()).inFlight >= readsInFlight);
    const { inFlight: before } = await stub.traffic();
    await stub.takeCalls();
    leaving.abort();
    await Promise.allSettled(answers);
    await sleep(grace);
    const { inFlight: after } = await stub.traffic();
    return { before, after, begun: sum(Object.values(await stub.takeCalls())) };
  });
}

interface Normal {
  /** Calls that the service got, and those that were cut before their answer. */
  calls: number;
  cut: number;
  /** Answers that are not 200 or hold errors. */
  errors: number;
}

function measureNormal(): Promise<Normal> {
  return withPeer(ours, { watched: true }, async ({ url }, stub) => {
    const generator = startLoadGenerator();
    await stub.takeCalls();
    const documents = [
      documentFor(ours, 'small'),
      'mutation { createFarmer(input: { first_name: "Farmer __N__" }) { id first_name } }',
    ];
    const outcomes = [];
    for (const document of documents) {
      outcomes.push(await generator.send({ url, document, requests: posts / documents.length, concurrency: clients }));
    }
    generator.stop();
    const { cut } = await stub.traffic();
    const calls = sum(Object.values(await stub.takeCalls()));
    return { calls, cut, errors: sum(outcomes.map(({ errors }) => errors)) };
  });
}

function conclude(): void {
  const report = [
    `${clients} clients leave in the middle of \`deep\``,
    table(
      ['GETs in flight when they leave', `${grace} ms later`, 'begun meanwhile', 'verdict'],
      [[left.before, left.after, left.begun, verdictOf(left.after === 0)].map(String)],
    ),
    `${posts.toLocaleString('en')} POSTs that nobody leaves, half of them mutations`,
    table(
      ['upstream calls', 'cut before their answer', 'errors', 'verdict'],
      [[normal.calls, normal.cut, normal.errors, verdictOf(isNormal())].map(String)],
    ),
  ].join('\n\n');
  console.log(report);
  if (left.after > 0 || !isNormal()) process.exitCode = 1;
  writeResults('cancellation', { clients, grace, latency, posts, left, normal }, { report });
}

function isNormal(): boolean {
  return normal.calls === posts && normal.cut === 0 && normal.errors === 0;
}

function verdictOf(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}
