/**
 * Does the gateway refuse or answer hostile documents and bodies at once, without a call?
 *
 *     node hostile-documents.ts [--requests 50]
 *
 * Sends each of them to a warm gateway, one request after the other. Fails where a request takes 20 ms of the gateway's
 * CPU or calls the service. Also fails where an answer has the wrong code, or a status of 500 or more.
 */
import { parseArgs } from 'node:util';
import { type Attack, attacks } from './lib/hostile-documents.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { cpuMilliseconds } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { withPeer } from './lib/running.ts';
import { quantile, sum } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const { values: options } = parseArgs({ options: { requests: { type: 'string', default: '50' } } });
const requests = Number(options.requests);
/** Requests before the first attack, and attacks before each measurement. */
const warmUp = { usual: 500, attack: 10 };
const mostMs = 20;
const ours = peerNamed('ours');

interface Outcome {
  name: string;
  expected: string | undefined;
  /** Each that came, once. */
  statuses: number[];
  codes: (string | undefined)[];
  p50: number;
  max: number;
  /** CPU of the gateway for one request. */
  cpuMs: number;
  calls: number;
}

const outcomes = await withPeer(ours, {}, async ({ url, pid }, stub) => {
  const usual = JSON.stringify({ query: documentFor(ours, 'small') });
  for (let sent = 0; sent < warmUp.usual; sent++) await post(url, { body: usual, headers: {} });
  const outcomes: Outcome[] = [];
  for (const attack of attacks) {
    for (let sent = 0; sent < warmUp.attack; sent++) await post(url, attack);
    await stub.takeCalls();
    const cpuBefore = cpuMilliseconds(pid);
    const answers = [];
    while (answers.length < requests) answers.push(await post(url, attack));
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    outcomes.push({
      name: attack.name,
      expected: attack.code,
      statuses: [...new Set(answers.map(({ status }) => status))],
      codes: [...new Set(answers.map(({ code }) => code))],
      p50: quantile(times, 0.5),
      max: times.at(-1) ?? Number.NaN,
      cpuMs: (cpuMilliseconds(pid) - cpuBefore) / requests,
      calls: sum(Object.values(await stub.takeCalls())),
    });
  }
  return outcomes;
});
conclude();

async function post(url: string, { body, headers }: Pick<Attack, 'body' | 'headers'>) {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer hostile', ...headers },
    body,
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const { errors } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] };
  return { ms, status: response.status, code: errors?.[0]?.extensions.code };
}

function conclude(): void {
  const missed = outcomes.filter((outcome) => !isMet(outcome));
  const rows = outcomes.map(({ name, statuses, codes, p50, max, cpuMs, calls }) => [
    name,
    statuses.join(),
    codes.map((code) => code ?? '-').join(),
    ...[p50, max, cpuMs].map(short),
    String(calls),
  ]);
  const [slowest, busiest] = [
    Math.max(...outcomes.map(({ p50 }) => p50)),
    Math.max(...outcomes.map(({ cpuMs }) => cpuMs)),
  ];
  const report = [
    `${attacks.length} attacks, ${requests} times each: at most ${short(busiest)} ms of CPU (allowed: ${mostMs}) and ${short(slowest)} ms in the median; ${missed.length} missed`,
    table(['attack', 'status', 'code', 'p50 ms', 'max ms', 'CPU ms', 'upstream calls'], rows),
    ...missed.map(({ name, expected }) => `Missed: ${name}, which should be ${expected ?? 'answered'}.`),
  ].join('\n\n');
  console.log(report);
  if (missed.length > 0) process.exitCode = 1;
  writeResults('hostile-documents', { requests, mostMs, outcomes }, { report });
}

function isMet({ expected, statuses, codes, cpuMs, calls }: Outcome): boolean {
  return cpuMs < mostMs && statuses.every((status) => status < 500) && calls === 0 && codes.join() === (expected ?? '');
}
