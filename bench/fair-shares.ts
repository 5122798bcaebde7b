/**
 * Fair shares: 20 modest callers beside somebody with 500 connections.
 *
 *     node fair-shares.ts [--seconds 10]
 *
 * Each modest caller sends 5 operations a second, whatever becomes of them, and counts right answers within two seconds.
 * They are alone first. Then comes one greedy caller, then 500 connections without Authorization, and then
 * 500 with another made-up key in each request. These send the next request as soon as one is answered or refused. Fails where the
 * modest callers get less than 95 % of the answers that they get alone.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { GreedyJob } from './lib/greedy-thread.ts';
import { peerNamed } from './lib/peers.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { quantile } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } });
const seconds = Number(options.seconds);
const callers = 20;
const perCaller = 5;
const connections = 500;
const latency = 50;
const deadlineMs = 2_000;
const least = 0.95;
const modest = '{ farmers(limit: 1, offset: __N__) { results { id } } }';
const slow =
  '{ productTransactions(limit: 20, offset: __N__) { results { id source { ... on Farmer { id city } } } } }';

interface Row {
  beside: string;
  sent: number;
  right: number;
  p50: number;
  p99: number;
  /** Answers to the others, by status. */
  others: Record<string, number>;
}

const agent = new Agent({ keepAlive: true });
let serial = 0;
const rows = await withPeer(peerNamed('ours'), { latency }, async ({ url }) => {
  await measure(url, 'warm-up');
  return [
    await measure(url, 'nobody'),
    await measure(url, 'one greedy caller', { url, connections, key: 'one', document: slow }),
    await measure(url, 'no Authorization', { url, connections, key: 'none', document: slow }),
    await measure(url, 'made-up keys', { url, connections, key: 'made-up', document: slow }),
    await measure(url, 'nobody again'),
  ];
});
agent.destroy();

const alone = rows[0]!.right;
const cells = rows.map(({ beside, sent, right, p50, p99, others }) => [
  beside,
  String(sent),
  String(right),
  `${((100 * right) / alone).toFixed(1)} %`,
  short(p50),
  short(p99),
  Object.entries(others)
    .map(([status, count]) => `${status}: ${Math.round(count / seconds)}/s`)
    .join(', ') || '-',
]);
const headings = ['beside', 'sent', 'right', 'of alone', 'p50 ms', 'p99 ms', 'answers to the others'];
const report = `${callers} modest callers, each ${perCaller} operations a second for ${seconds} s; ${connections} greedy connections; ${latency} ms for each call\n\n${table(headings, cells)}`;
console.log(report);
const isFair = rows.every(({ right }) => right >= least * alone);
if (seconds >= 10) writeResults('fair-shares', { seconds, rows }, { report });
if (!isFair) throw new Error(`The modest callers got less than ${100 * least} % of what they get alone.`);

async function measure(url: string, beside: string, job?: GreedyJob): Promise<Row> {
  const greedy = job && new Worker(new URL('lib/greedy-thread.ts', import.meta.url), { workerData: job });
  if (greedy) await new Promise((resolve) => setTimeout(resolve, 1_000));
  const row: Row = { beside, sent: 0, right: 0, p50: 0, p99: 0, others: {} };
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + 1_000 * seconds;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = Math.min(performance.now(), endsAt);
      const due = ((now - startedAt) / 1_000) * callers * perCaller;
      for (; row.sent < due; row.sent += 1) pending.push(sendOne(url, `Bearer modest ${row.sent % callers}`, times));
      if (now < endsAt) return;
      clearInterval(timer);
      resolve();
    }, 2);
  });
  await Promise.all(pending);
  if (greedy) {
    greedy.postMessage('stop');
    [row.others] = await once(greedy, 'message');
    await greedy.terminate();
    // The gateway ends what it has begun.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  times.sort((a, b) => a - b);
  return { ...row, right: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Adds the time of a right answer to `times`. */
function sendOne(url: string, authorization: string, times: number[]): Promise<void> {
  const sentAt = performance.now();
  serial += 1;
  const body = JSON.stringify({ query: modest.replace('__N__', String(serial % 200)) });
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization };
    const sent = request(url, { method: 'POST', agent, headers, signal: AbortSignal.timeout(deadlineMs) });
    sent.on('response', async (response) => {
      let text = '';
      try {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
      } catch {
        return resolve();
      }
      if (response.statusCode === 200 && !text.includes('"errors"')) times.push(performance.now() - sentAt);
      resolve();
    });
    sent.on('error', () => resolve());
    sent.end(body);
  });
}
