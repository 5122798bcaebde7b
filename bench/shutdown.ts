/**
 * Does the gateway answer all requests in flight after SIGTERM, and end at once after the last?
 *
 *     node shutdown.ts [--seconds 14]
 *
 * 20 requests take 14 s each, a mutation and an upload among them. Other clients repeat short requests over connections
 * of their own, and others are silent. Runs with one worker and with two. Fails unless the gateway closes its port at once
 * and answers all requests. It has to end with 0 within half a second of the last answer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, start, stop, until } from './lib/processes.ts';
import { writeResults } from './lib/results.ts';
import { ask } from './lib/running.ts';
import { table } from './lib/tables.ts';
import { contentType, file, form, operationOf } from './lib/upload-form.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '14' } } });
const delayMs = Number(options.seconds) * 1_000;
const reads = 18;
const pollers = 8;
const silent = 8;
/** Milliseconds from the last answer to the end of the process. */
const grace = 500;
/** A payment of the sandbox. */
const payment = 'GSXFJUYP6Y';

interface Stop {
  workers: number;
  answered: number;
  /** Milliseconds: from the signal to the first refused connection, and from the last answer to the end. */
  refusedMs: number;
  endMs: number;
  code: number | null;
  /** The outcomes of requests after the signal, and how often each came. */
  late: Record<string, number>;
}

const stops: Stop[] = [];
for (const workers of [1, 2]) stops.push(await measure(workers));
conclude();

async function measure(workers: number): Promise<Stop> {
  const folder = mkdtempSync(join(tmpdir(), 'shutdown-'));
  const port = await freePort();
  const sandboxPort = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}/graphql`;
  const child = start(`shutdown-${workers}`, ['node', '../src/main.ts'], {
    PORT: String(port),
    SANDBOX: 'true',
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_DATA: ':memory:',
    IDEMPOTENCY_FILE: join(folder, 'idempotency.db'),
    WORKERS: String(workers),
  });
  try {
    await until('The gateway', 30, async () => (await ask(url, '{ __typename }', 'demo-coop')).status === 200);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const quiet = Array.from({ length: silent }, () => connect(port, '127.0.0.1').on('error', () => {}));

    const slow = { authorization: 'demo-coop', 'x-sandbox-delay': String(delayMs) };
    const send = async (headers: Record<string, string>, body: string | Buffer<ArrayBuffer>) => {
      const response = await fetch(url, { method: 'POST', headers: { ...slow, ...headers }, body });
      return { response: await response.json(), at: performance.now() };
    };
    const json = { 'content-type': 'application/json' };
    const query = (text: string) => send(json, JSON.stringify({ query: text }));
    const requests = [
      ...Array.from({ length: reads }, (_, row) => query(`{ farmers(limit: 1, offset: ${row}) { results { id } } }`)),
      query('mutation { createFarmer(input: { first_name: "Late" }) { id } }'),
      send(
        { 'content-type': contentType, 'apollo-require-preflight': 'true' },
        Buffer.from(form([...operationOf(payment), file('an invoice')])),
      ),
    ];
    const underWay = Promise.allSettled(requests);
    const callsOf = `http://127.0.0.1:${sandboxPort}/__sandbox/calls`;
    await until('All', 20, async () => (await (await fetch(callsOf)).json()).count >= requests.length);

    const late: Record<string, number> = {};
    let isOver = false;
    const signalledAt = performance.now();
    child.kill('SIGTERM');
    const polling = Promise.all(Array.from({ length: pollers }, poll));
    const refusedAt = await refused(origin);
    const answers = await underWay;
    const code = await exited;
    const endedAt = performance.now();
    isOver = true;
    await polling;
    for (const socket of quiet) socket.destroy();

    const whole = answers.filter(isWhole);
    const lastAt = Math.max(...whole.map(({ value }) => value.at));
    const times = { refusedMs: Math.round(refusedAt - signalledAt), endMs: Math.round(endedAt - lastAt) };
    return { workers, answered: whole.length, ...times, code, late };

    /** A client that keeps its connection, and asks again as soon as it is answered. */
    async function poll(): Promise<void> {
      while (!isOver) {
        const { status } = await ask(url, '{ __typename }', 'demo-coop').catch(() => ({ status: 'no connection' }));
        if (isOver) return;
        late[status] = (late[status] ?? 0) + 1;
        await sleep(50);
      }
    }
  } finally {
    await stop(child);
    rmSync(folder, { recursive: true });
  }
}

async function refused(origin: string): Promise<number> {
  await until('The port to be closed', 5, async () => {
    const ready = fetch(`${origin}/health/ready`, { headers: { connection: 'close' } });
    return ready.then(
      () => false,
      () => true,
    );
  });
  return performance.now();
}

type Answered = PromiseFulfilledResult<{ response: { errors?: unknown }; at: number }>;

function isWhole(answer: PromiseSettledResult<Answered['value']>): answer is Answered {
  return answer.status === 'fulfilled' && answer.value.response.errors === undefined;
}

function isMet({ answered, endMs, code }: Stop): boolean {
  return answered === reads + 2 && endMs <= grace && code === 0;
}

function conclude(): void {
  const rows = stops.map((each) => [
    String(each.workers),
    `${each.answered} of ${reads + 2}`,
    `${each.refusedMs} ms`,
    `${each.endMs} ms`,
    String(each.code),
    Object.entries(each.late)
      .map(([status, count]) => `${status} × ${count}`)
      .join(', '),
    isMet(each) ? 'met' : 'missed',
  ]);
  const heading = [
    'workers',
    'answered',
    'refuses after',
    'end after the last',
    'exit code',
    'who came late',
    'verdict',
  ];
  const report = `SIGTERM while ${reads + 2} requests of ${options.seconds} s each are under way\n\n${table(heading, rows)}`;
  console.log(report);
  if (!stops.every(isMet)) process.exitCode = 1;
  if (options.seconds === '14') writeResults('shutdown', { stops }, { report });
}
