/** Sends load, in a process of its own. Each line of stdin is a job as JSON, each line of stdout its outcome. */
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import type { Job, Outcome } from './load.ts';
import { quantile } from './statistics.ts';

/** Counts the requests of all jobs, so that each request of a run can have another caller. */
let serial = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await run(JSON.parse(line)).catch((error: unknown) => ({ failed: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function run({ url, document, requests, concurrency, callers, accepts }: Job): Promise<Outcome> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections: concurrency,
    pipelining: 1,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });
  const milliseconds = new Float64Array(requests);
  const outcome = { errors: 0, firstError: '', bytes: 0 };
  let sent = 0;

  async function send(index: number): Promise<void> {
    const number = serial++;
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({
      path: pathname,
      method: 'POST',
      body: JSON.stringify({ query: document }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: callers ? callers[number % callers.length]! : `Bearer caller-${process.pid}-${number}`,
        ...(accepts && { 'accept-encoding': accepts }),
      },
    });
    const answer = Buffer.from(await body.arrayBuffer());
    milliseconds[index] = performance.now() - startedAt;
    outcome.bytes += answer.byteLength;
    // The errors of GraphQL come with 200; to look for them in a long answer would slow the generator.
    if (statusCode === 200 && (answer.byteLength > 4096 || !answer.includes('"errors"'))) return;
    outcome.errors++;
    outcome.firstError ||= answer.toString('utf8', 0, 300);
  }
  async function sendUntilDone(): Promise<void> {
    while (sent < requests) await send(sent++);
  }

  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sendUntilDone));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  milliseconds.sort();
  return {
    ...outcome,
    bytes: outcome.bytes / requests,
    perSecond: requests / seconds,
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
  };
}
