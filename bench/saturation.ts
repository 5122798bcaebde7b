/**
 * Saturation: the share of its capacity that a service answers in time, while clients ask for more.
 *
 *     node saturation.ts [--seconds 8] [--callers 20] [--spread exponential] [--only load,change,rest]
 *
 * The service has 4 workers and needs 40 ms for a call: 100 calls a second. Each operation makes one call. Clients come at
 * random times, do not wait for each other, and leave after a second. Good is a right answer within that second.
 * Then the service becomes ten times as slow, and as fast as before again. At last, 64 clients wait for their answers.
 * Fails where fewer answers are good than the table asks for.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { peerNamed } from './lib/peers.ts';
import { start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { startPeer } from './lib/running.ts';
import { quantile, sum } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    callers: { type: 'string', default: '20' },
    spread: { type: 'string', default: 'none' },
    only: { type: 'string', default: 'load,change,rest' },
    config: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const callers = Number(options.callers);
const parts = options.only.split(',');
const patienceMs = 1_000;
const workers = 4;
const restMs = 40;
const slowMs = 400;
/** Seconds after a change until the service counts. */
const findingSeconds = 3;
const capacityOf = (callMs: number) => (1_000 * workers) / callMs;

interface Row {
  name: string;
  /** Answers a second that the service can give. */
  capacity: number;
  seconds: number;
  offered: number;
  good: number;
  refused: number;
  left: number;
  failed: number;
  p50: number;
  p99: number;
  /** The share of the capacity that must be good. */
  least: number;
  /** Calls in flight at the service at most. */
  mostInFlight: number;
}
interface Answer {
  /** Milliseconds since the start, at the end of the wait. */
  endedAt: number;
  ms: number;
  outcome: 'good' | 'refused' | 'left' | 'failed';
}

const port = await freePort();
const control = async (change: Record<string, string | number>) => {
  const query = new URLSearchParams(Object.entries(change).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`http://127.0.0.1:${port}/__control?${query}`, { method: 'POST' });
  return (await response.json()) as { mostInFlight: number };
};
const service = start('queueing-service', ['node', 'lib/queueing-service.ts', '--port', String(port)], {});
await until('The service', 20, async () => Boolean(await control({ spread: options.spread, workers, callMs: restMs })));
const ours = peerNamed('ours');
const config: Record<string, string> = options.config ? { CONFIG: options.config } : {};
const gateway = await startPeer({ ...ours, env: { ...ours.env, ...config } }, `http://127.0.0.1:${port}/v1`);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let serial = 0;
const rows: Row[] = [];

try {
  await arrivals(capacityOf(restMs) / 2, 2);
  if (parts.includes('load')) for (const load of [0.8, 1, 1.5, 2, 3]) await measureLoad(load);
  if (parts.includes('change')) await measureChange();
  if (parts.includes('rest')) await measureRest();
} finally {
  agent.destroy();
  await gateway.stop();
  await stop(service);
}
conclude();

/** The first second has answers to calls that found no queue. */
async function measureLoad(load: number): Promise<void> {
  await control({ reset: 'true' });
  const capacity = capacityOf(restMs);
  const answers = await arrivals(load * capacity, seconds);
  await add(`${load} × the capacity`, capacity, answers, 1, seconds, load < 1 ? 0.9 * load : 0.85);
  await sleep(1_000);
}

async function measureChange(): Promise<void> {
  const load = 1.5 * capacityOf(restMs);
  const timers = [
    setTimeout(control, 1_000 * seconds, { callMs: slowMs }),
    setTimeout(control, 2_000 * seconds, { callMs: restMs }),
  ];
  const answers = await arrivals(load, 3 * seconds);
  for (const timer of timers) clearTimeout(timer);
  const name = (phase: string) => `${load}/s, ${phase}, from the ${findingSeconds + 1}th second on`;
  await add(name('40 → 400 ms'), capacityOf(slowMs), answers, seconds + findingSeconds, 2 * seconds, 0.85);
  await add(name('400 → 40 ms'), capacityOf(restMs), answers, 2 * seconds + findingSeconds, 3 * seconds, 0.85);
  const bySecond = Array.from(
    { length: 3 * seconds },
    (_, second) =>
      answers.filter(({ outcome, endedAt }) => outcome === 'good' && Math.floor(endedAt / 1_000) === second).length,
  );
  console.error(`good in each second: ${bySecond.join(' ')}`);
}

async function measureRest(): Promise<void> {
  await control({ reset: 'true' });
  const startedAt = performance.now();
  const answers: Answer[] = [];
  const client = async () => {
    while (performance.now() - startedAt < 1_000 * seconds) answers.push(await send(startedAt, 60_000));
  };
  await Promise.all(Array.from({ length: 64 }, client));
  await add('64 clients that wait', capacityOf(restMs), answers, 1, seconds, 0.98);
}

async function add(
  name: string,
  capacity: number,
  all: Answer[],
  from: number,
  to: number,
  least: number,
): Promise<void> {
  const answers = all.filter(({ endedAt }) => endedAt >= 1_000 * from && endedAt < 1_000 * to);
  const count = (outcome: Answer['outcome']) => answers.filter((answer) => answer.outcome === outcome).length;
  const times = answers.flatMap(({ outcome, ms }) => (outcome === 'good' ? ms : [])).sort((a, b) => a - b);
  const { mostInFlight } = await control({});
  const outcomes = { good: count('good'), refused: count('refused'), left: count('left'), failed: count('failed') };
  rows.push({
    name,
    capacity,
    seconds: to - from,
    offered: answers.length,
    ...outcomes,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    least,
    mostInFlight,
  });
  console.error(name, JSON.stringify(outcomes), `${percent(rows.at(-1)!)}, at most ${mostInFlight} in flight`);
}

/** Sends requests at random times, so many a second on average. */
async function arrivals(perSecond: number, forSeconds: number): Promise<Answer[]> {
  const startedAt = performance.now();
  const answers: Promise<Answer>[] = [];
  let dueAt = 0;
  while (dueAt < 1_000 * forSeconds) {
    dueAt += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    const waitMs = startedAt + dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    answers.push(send(startedAt, patienceMs));
  }
  return Promise.all(answers);
}

function send(startedAt: number, leavesAfterMs: number): Promise<Answer> {
  const now = performance.now();
  serial += 1;
  const body = JSON.stringify({ query: `{ farmer(id: "F${serial}") { first_name } }` });
  const headers = { 'content-type': 'application/json', authorization: `Bearer caller-${serial % callers}` };
  return new Promise((resolve) => {
    const end = (outcome: Answer['outcome']) => {
      clearTimeout(timer);
      const endedAt = performance.now();
      resolve({ endedAt: endedAt - startedAt, ms: endedAt - now, outcome });
    };
    const sent = request(gateway.url, { method: 'POST', agent, headers });
    const timer = setTimeout(() => {
      end('left');
      sent.destroy();
    }, leavesAfterMs);
    sent.on('error', () => end('failed'));
    sent.on('response', async (response) => {
      let text = '';
      try {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
      } catch {
        return end('failed');
      }
      if (text.includes('"OVERLOADED"')) end('refused');
      else end(text.includes('"Ama"') && !text.includes('"errors"') ? 'good' : 'failed');
    });
    sent.end(body);
  });
}

function percent({ good, capacity, seconds: measured }: Row): string {
  return `${((100 * good) / (capacity * measured)).toFixed(1)} %`;
}

function conclude(): void {
  const isMet = (row: Row) => row.good >= row.least * row.capacity * row.seconds;
  const cells = rows.map((row) => [
    row.name,
    (row.offered / row.seconds).toFixed(0),
    (row.good / row.seconds).toFixed(1),
    (row.refused / row.seconds).toFixed(1),
    (row.left / row.seconds).toFixed(1),
    (row.failed / row.seconds).toFixed(1),
    percent(row),
    `${(100 * row.least).toFixed(0)} %`,
    isMet(row) ? 'met' : 'missed',
    short(row.p50),
    short(row.p99),
    String(row.mostInFlight),
  ]);
  const report = table(
    [
      'load',
      'offered/s',
      'good/s',
      'refused/s',
      'left/s',
      'failed/s',
      'of capacity',
      'at least',
      'verdict',
      'p50 ms',
      'p99 ms',
      'in flight',
    ],
    cells,
  );
  console.log(report);
  if (!rows.every(isMet)) process.exitCode = 1;
  if (sum(rows.map(({ seconds: measured }) => measured)) > 50 && options.spread === 'none')
    writeResults('saturation', { seconds, callers, rows }, { report });
}
