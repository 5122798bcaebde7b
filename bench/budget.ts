/**
 * The CPU of a small read: the steps that it must take, each measured alone. Beside them stand the gateway and the floor, by
 * folder and by function.
 *
 *     node budget.ts
 */
import { hash, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { freePort } from '../test/support/free-port.ts';
import { type CpuProfile, type ProfileNode, profileCpu } from './lib/cpu-profile.ts';
import { allocatedBytes } from './lib/heap-profile.ts';
import { startLoadGenerator } from './lib/load.ts';
import { measure } from './lib/measure.ts';
import { documentFor } from './lib/operations.ts';
import { type Peer, peerNamed } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { type RunningPeer, startPeer, startStub, withPeer } from './lib/running.ts';
import { median } from './lib/statistics.ts';
import { table } from './lib/tables.ts';

const warmUp = 20_000;
const requests = 40_000;
const concurrency = 8;
const turns = 9;
const requestsOfTurn = 4_000;
const samplingMicroseconds = 50;

const ours = peerNamed('ours');
const floor = peerNamed('floor');
const document = documentFor(ours, 'small');
const requestBody = JSON.stringify({ query: document });
const requestHeaders = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer one' };
const farmer = `/supply-chains/farmers/${/"([^"]+)"/.exec(document)![1]}/`;

const generator = startLoadGenerator();
const stub = await startStub();
await stub.change();
const answered = await answerOf(ours);
const http: Peer = {
  name: 'http',
  command: ['node', 'peers/http-alone.mjs'],
  env: { ANSWER: JSON.stringify(answered) },
  path: ours.path,
};
const whole = await costsOf([ours, floor, http]);
const steps = [
  ['read a POST and write the answer, as `node:http`', whole.http!],
  ['one GET, as `undici` alone', await costOfGet()],
  ...(await costsOfTexts()),
] as const;
await stub.stop();
const [oursWork, floorWork] = [await workOf(ours), await workOf(floor)];
generator.stop();

const µs = (value = 0) => value.toFixed(1);
const must = steps.reduce((total, [, cost]) => total + cost, 0);
const report = [
  'CPU of a read of one farmer, µs.',
  table(
    ['What it must do, each step alone', 'µs'],
    [
      ...steps.map(([name, cost]) => [name, µs(cost)]),
      ['all steps', µs(must)],
      ['floor', µs(whole.floor)],
      ['gateway', µs(whole.ours)],
    ],
  ),
  `Samples of a profile, every ${samplingMicroseconds} µs. Built-ins count for the file that calls them. The profiler itself takes time, so the sums are larger.`,
  besideFloor('Where', oursWork.profile.tally(placeOf), floorWork.profile.tally(placeOf)),
  table(
    ['Function of the gateway, with the built-ins that it calls', 'µs'],
    oursWork.profile
      .tally(ownFunctionOf)
      .slice(0, 30)
      .map(([name, time]) => [name, µs(time / requests)]),
  ),
  `A read allocates ${(oursWork.bytes / 1000).toFixed(1)} kB; that of the floor ${(floorWork.bytes / 1000).toFixed(1)} kB.`,
].join('\n\n');
console.log(report);
writeResults('budget', { steps, whole, bytes: { ours: oursWork.bytes, floor: floorWork.bytes } }, { report });

/** The head and the body of an answer, without the headers that Node adds. */
async function answerOf(peer: Peer): Promise<{ headers: object; body: string }> {
  const running = await startPeer(peer, stub.url);
  const response = await fetch(running.url, { method: 'POST', body: requestBody, headers: requestHeaders });
  const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
  const body = await response.text();
  await running.stop();
  return { headers, body };
}

/** Microseconds of CPU of a request, as the median of turns. */
async function costsOf(peers: Peer[]): Promise<Record<string, number>> {
  const running: [Peer, RunningPeer][] = [];
  for (const peer of peers) running.push([peer, await startPeer(peer, stub.url)]);
  const costs: Record<string, number[]> = Object.fromEntries(peers.map(({ name }) => [name, []]));
  for (const [, { url }] of running) await generator.send({ url, document, concurrency, requests: warmUp });
  for (let turn = 0; turn < turns; turn++) {
    for (const [{ name }, at] of running) {
      const { cpuMs } = await measure(generator, at, stub, { document, concurrency, requests: requestsOfTurn });
      costs[name]!.push(1_000 * cpuMs);
    }
  }
  for (const [, at] of running) await at.stop();
  return Object.fromEntries(Object.entries(costs).map(([name, all]) => [name, median(all)]));
}

/** Microseconds of CPU of a GET whose answer is collected and not parsed. */
async function costOfGet(): Promise<number> {
  const { origin, pathname } = new URL(stub.url);
  const pool = new Pool(origin, { connections: concurrency });
  const get = () =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      pool.dispatch(
        { method: 'GET', path: pathname + farmer, headers: { authorization: 'Bearer get' } },
        {
          onRequestStart: () => {},
          onResponseStart: () => {},
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  const gets = async (count: number) => {
    for (let i = 0; i < count; i++) await get();
  };
  const load = (count: number) => Promise.all(Array.from({ length: concurrency }, () => gets(count / concurrency)));
  await load(warmUp);
  const costs: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const before = process.cpuUsage();
    await load(requestsOfTurn);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / requestsOfTurn);
  }
  await pool.close();
  return median(costs);
}

/** Microseconds of the work on texts, each over texts that V8 has not seen. */
async function costsOfTexts(): Promise<[name: string, cost: number][]> {
  const texts = 2_000;
  const bodies = Array.from({ length: texts }, () => Buffer.from(requestBody));
  const rows: Buffer[] = [];
  for (let i = 0; i < texts; i++) {
    const response = await fetch(stub.url + farmer, { headers: { authorization: 'Bearer one' } });
    rows.push(Buffer.from(await response.arrayBuffer()));
  }
  const { data } = JSON.parse(answered.body);
  const operations = new Map([[document, true]]);
  const keys = Array.from({ length: texts }, (_, i) => `Bearer caller-${i}`);
  return [
    [
      'parse the request, find its operation',
      costOf(bodies, (bytes) => operations.get(JSON.parse(bytes.toString()).query)),
    ],
    ['parse the row', costOf(rows, (bytes) => JSON.parse(bytes.toString()))],
    ['write the answer as text', costOf(keys, () => JSON.stringify({ data }))],
    ['digest of the key', costOf(keys, (key) => hash('sha256', key, 'base64url'))],
    ['an id for the request', costOf(keys, () => randomUUID())],
  ];
}

function costOf<Item>(items: readonly Item[], use: (item: Item) => unknown): number {
  const costs: number[] = [];
  for (let turn = 0; turn < 200; turn++) {
    let results = 0;
    const startedAt = performance.now();
    // V8 may leave out work whose result nobody needs.
    for (const item of items) if (use(item)) results += 1;
    costs.push((1_000 * (performance.now() - startedAt)) / items.length);
    if (results < items.length) throw new Error('A step has no result.');
  }
  return median(costs);
}

/** A profile of a peer's work, and the bytes that a request allocates. */
async function workOf(peer: Peer): Promise<{ profile: CpuProfile; bytes: number }> {
  const inspector = await freePort();
  const profiled = { ...peer, command: peer.profiled ?? peer.command };
  return withPeer(profiled, { nodeFlags: [`--inspect=127.0.0.1:${inspector}`] }, async ({ url }, itsStub) => {
    await itsStub.change();
    const send = (count: number) => generator.send({ url, document, concurrency, requests: count });
    await send(warmUp);
    const profile = await profileCpu(inspector, () => send(requests), samplingMicroseconds);
    const bytes = (await allocatedBytes(inspector, () => send(requestsOfTurn))) / requestsOfTurn;
    return { profile, bytes };
  });
}

function besideFloor(heading: string, own: [string, number][], beside: [string, number][]): string {
  const floorTimes = new Map(beside);
  const rows = own
    .filter(([name, time]) => time / requests >= 0.3 || floorTimes.has(name))
    .map(([name, time]) => [name, µs(time / requests), µs((floorTimes.get(name) ?? 0) / requests)]);
  return table([heading, 'gateway', 'floor'], rows);
}

/** The system calls, and the folder or library of the innermost file. */
function* placeOf(stack: ProfileNode[]): Iterable<string> {
  const [{ functionName }] = stack.map(({ callFrame }) => callFrame) as [ProfileNode['callFrame']];
  if (functionName.startsWith('(')) yield functionName;
  else if (/^write/.test(functionName) && !stack[0]!.callFrame.url) yield 'writes to sockets';
  else if (functionName === 'parse' && !stack[0]!.callFrame.url) yield 'JSON.parse';
  else yield placeOfFile(stack.find(({ callFrame }) => callFrame.url)?.callFrame.url);
}

function placeOfFile(url = 'V8'): string {
  if (url.startsWith('node:')) return 'Node';
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  return library?.[1] ?? url.replace(/.*\/(?=(packages|src|peers)\/)/, '').replace(/\/[^/]*$/, '');
}

/** The innermost function of the gateway, and its file and line. */
function* ownFunctionOf(stack: ProfileNode[]): Iterable<string> {
  const own = stack.find(({ callFrame: { url } }) => /\/(src|packages)\//.test(url) && !url.includes('node_modules'));
  if (!own) return;
  const { functionName, url, lineNumber } = own.callFrame;
  yield `\`${functionName || '(anonymous)'}\` ${url.replace(/.*\/(?=(packages|src)\/)/, '')}:${lineNumber + 1}`;
}
