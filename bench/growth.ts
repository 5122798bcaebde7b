/**
 * Work and memory must not grow faster than what asks for them: rows of a list, connections, workers, and callers.
 *
 *     node growth.ts [--only rows,connections,workers,callers]
 *
 * Fails where a bar is missed.
 */
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { usedHeapMiB } from './lib/heap.ts';
import { connectInspector } from './lib/inspector.ts';
import { startLoadGenerator } from './lib/load.ts';
import { measure } from './lib/measure.ts';
import { startOpenLoadGenerator } from './lib/open-load.ts';
import { documentFor } from './lib/operations.ts';
import { peerNamed } from './lib/peers.ts';
import { cpuMilliseconds, residentMiB } from './lib/process-tree.ts';
import { writeResults } from './lib/results.ts';
import { type RunningPeer, withPeer } from './lib/running.ts';
import { median, sum } from './lib/statistics.ts';
import { short, table } from './lib/tables.ts';

const parts = {
  rows: growthOfRows,
  connections: growthOfConnections,
  workers: growthOfWorkers,
  callers: growthOfCallers,
};
type Part = keyof typeof parts;

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = (options.only?.split(',') ?? Object.keys(parts)) as Part[];
/** Turns of each measurement, in which the sizes alternate. */
const turns = 5;
const [fewRows, manyRows] = [100, 10_000];

interface Growth {
  what: string;
  from: number;
  to: number;
  /** `to` may be so many times `from`. */
  atMost: number;
}

const ours = peerNamed('ours');
const generous = { ...ours, env: { ...ours.env, CONFIG: 'generous.yaml' } };
const small = documentFor(ours, 'small');
const generator = startLoadGenerator();
const found: Growth[] = [];
for (const part of chosen) found.push(...(await parts[part]()));
generator.stop();

const rows = found.map(({ what, from, to, atMost }) => {
  const ratio = to / from;
  return [what, short(from), short(to), ratio.toFixed(2), atMost.toFixed(2), ratio <= atMost ? 'met' : 'missed'];
});
const report = table(['what', 'from', 'to', 'ratio', 'at most', 'verdict'], rows);
console.log(report);
if (!options.only) writeResults('growth', { found }, { report });
process.exitCode = rows.some((row) => row.at(-1) === 'missed') ? 1 : 0;

/** Microseconds of CPU of a row, in lists of 100 and of 10,000 rows. */
async function growthOfRows(): Promise<Growth[]> {
  const three = `{ productTransactions(limit: 100) { results {
    id number amount product { id name } source { ... on Farmer { id first_name } ... on Company { id name } } creator { id first_name }
  } } }`;
  const documents = { page: documentFor(ours, 'page'), deep: documentFor(ours, 'deep'), 'three references': three };
  return withPeer(generous, { rows: manyRows }, async (running, stub) => {
    await stub.change();
    const growths: Growth[] = [];
    for (const [name, document] of Object.entries(documents)) {
      const cost = async (count: number, requests: number) => {
        const load = { document: document.replace('limit: 100', `limit: ${count}`), concurrency: 1, requests };
        return (1_000 * (await measure(generator, running, stub, load)).cpuMs) / count;
      };
      const [from, to] = await alternately(
        () => cost(fewRows, 200),
        () => cost(manyRows, 2),
      );
      growths.push({ what: `CPU of a row, µs: ${name}, ${fewRows} and ${manyRows} rows`, from, to, atMost: 1.1 });
    }
    return growths;
  });
}

/** Microseconds of CPU of a read of one farmer, with 8 and with 500 connections. The gateway can serve the rate. */
async function growthOfConnections(): Promise<Growth[]> {
  const atRate = startOpenLoadGenerator();
  const load = { document: small, seconds: 3, deadlineMs: 5_000, perSecond: 3_000, inTurn: true };
  const [from, to] = await withPeer(ours, {}, async ({ url, pid }, stub) => {
    await stub.change();
    const cost = async (connections: number) => {
      const before = cpuMilliseconds(pid);
      const { sent, right } = await atRate.send({ ...load, url, connections });
      if (right < sent) console.error(`${sent - right} answers are wrong or late.`);
      return (1_000 * (cpuMilliseconds(pid) - before)) / sent;
    };
    return alternately(
      () => cost(8),
      () => cost(500),
    );
  });
  atRate.stop();
  return [{ what: 'CPU of a request, µs: 8 and 500 connections', from, to, atMost: 1.15 }];
}

/**
 * The same of two gateways with a process each, and of one with two workers, both under one load. On two free cores, 1.08
 * times the CPU is 1.85 times the requests.
 */
async function growthOfWorkers(): Promise<Growth[]> {
  const both = { ...ours, env: { ...ours.env, WORKERS: '2' } };
  const other = startLoadGenerator();
  const load = { document: small, concurrency: 16, requests: 10_000 };
  const growth = await withPeer(ours, {}, (first, stub) =>
    withPeer(ours, {}, (second, itsStub) =>
      withPeer(both, {}, async (two, stubOfTwo) => {
        for (const each of [stub, itsStub, stubOfTwo]) await each.change();
        const costOfTwo = async (running: [RunningPeer, RunningPeer]) => {
          const pids = new Set(running.map(({ pid }) => pid));
          const before = sum([...pids].map(cpuMilliseconds));
          await Promise.all([
            generator.send({ ...load, url: running[0].url }),
            other.send({ ...load, url: running[1].url }),
          ]);
          return (1_000 * (sum([...pids].map(cpuMilliseconds)) - before)) / (2 * load.requests);
        };
        return alternately(
          () => costOfTwo([first, second]),
          () => costOfTwo([two, two]),
        );
      }),
    ),
  );
  other.stop();
  const [from, to] = growth;
  return [{ what: 'CPU of a request, µs: two gateways, and two workers', from, to, atMost: 1.08 }];
}

/** MiB after 20,000 and after 100,000 callers, each with one read. */
async function growthOfCallers(): Promise<Growth[]> {
  const port = await freePort();
  return withPeer(ours, { nodeFlags: [`--inspect=127.0.0.1:${port}`] }, async ({ url, pid }, stub) => {
    await stub.change();
    const inspector = await connectInspector(port);
    const after = async (requests: number) => {
      await generator.send({ url, document: small, concurrency: 8, requests });
      return { heap: await usedHeapMiB(inspector), rss: residentMiB(pid, 'VmRSS') };
    };
    const few = await after(20_000);
    const many = await after(80_000);
    inspector.close();
    return [
      { what: 'Heap, MiB: 20,000 and 100,000 callers', from: few.heap, to: many.heap, atMost: 1.05 },
      { what: 'RSS, MiB: 20,000 and 100,000 callers', from: few.rss, to: many.rss, atMost: 1.05 },
    ];
  });
}

/** Medians of two costs that are measured in turn. The first turn warms up. */
async function alternately(first: () => Promise<number>, second: () => Promise<number>): Promise<[number, number]> {
  const costs: [number, number][] = [];
  for (let turn = 0; turn <= turns; turn++) costs.push([await first(), await second()]);
  const counted = costs.slice(1);
  return [median(counted.map(([cost]) => cost)), median(counted.map(([, cost]) => cost))];
}
