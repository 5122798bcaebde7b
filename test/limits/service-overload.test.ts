import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { extensionsOf, type RawAnswer, RawConnection, rawPost } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

let gateway: FakedGateway;
const connections: RawConnection[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  await gateway.close();
});

/** Each page differs, so that no two operations share a call. */
async function send(document: string): Promise<RawConnection> {
  const connection = new RawConnection(gateway.url);
  connections.push(connection);
  await connection.send(rawPost(JSON.stringify({ query: document })));
  return connection;
}
const page = (offset: number) => `{ farmers(offset: ${offset}) { results { id } } }`;
const offsets = () => gateway.upstream.calls.map((call) => Number(/offset=(\d+)/.exec(call)?.[1]));
const waiting = async () => valuesOf(await scrape(gateway.url), 'upstream_calls_waiting')[''];
const untilWaiting = (count: number) => expect.poll(waiting).toBe(count);

describe('calls that wait until the service can work on them', () => {
  test('are OVERLOADED and never sent where no call of their operation begins in time', async () => {
    gateway = await startFakedGateway({ 'upstream.connections': '1', 'limits.operations.queueTimeoutMs': '100' });
    gateway.upstream.hold();
    const first = await send(page(1));
    await gateway.upstream.untilArrived(1);
    const answer = await (await send(page(2))).answer();

    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
    expect(extensionsOf(answer)).toMatchObject({ code: 'OVERLOADED', retryable: true });
    const notSent = valuesOf(await scrape(gateway.url), 'upstream_not_sent_total');
    expect(notSent).toEqual({ 'listFarmers OVERLOADED': 1 });
    gateway.upstream.release();
    expect((await first.answer())?.status).toBe(200);
    expect(offsets()).toEqual([1]);
  });

  test('stay where the service has worked for their operation', async () => {
    gateway = await startFakedGateway({ 'upstream.connections': '1', 'limits.operations.queueTimeoutMs': '100' });
    gateway.upstream.hold();
    const both = await send('{ farmers(offset: 1) { results { id } } productTransactions { results { id } } }');
    await untilWaiting(1);
    await sleep(200);
    gateway.upstream.release();
    const answer = await both.answer();
    expect(answer?.status).toBe(200);
    expect(JSON.parse(answer!.body).errors).toBeUndefined();
    expect(gateway.upstream.calls).toHaveLength(2);
  });

  test('leave the queue with their client, and the newest is sent first from then on', async () => {
    gateway = await startFakedGateway({ 'upstream.connections': '1' });
    gateway.upstream.hold();
    const clock = stopClock();
    const sent = [await send(page(1))];
    await gateway.upstream.untilArrived(1);
    for (const offset of [2, 3, 4, 5]) {
      sent.push(await send(page(offset)));
      await untilWaiting(offset - 1);
    }
    clock.pass(150);
    sent[1]?.close();
    await untilWaiting(3);
    gateway.upstream.release();
    const answers = await Promise.all(sent.filter((_, index) => index !== 1).map((each) => each.answer()));
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 200]);
    expect(offsets()).toEqual([1, 5, 4, 3]);
  });
});

/** Two calls at a time, of 20 ms each. */
const pace = { workers: 2, default: { callMs: 20 } };
const clients = 40;
const limit = async () => valuesOf(await scrape(gateway.url), 'upstream_concurrency_limit')['']!;

describe('a service that has been seen to have more calls than it works on', () => {
  test('gets no more than the limit; the others are OVERLOADED, and all are served after the load', async () => {
    gateway = await startFakedGateway(
      { 'limits.operations.queueTimeoutMs': '500' },
      { sandbox: { pace }, learnsConcurrency: true },
    );
    const ask = (offset: number) => gateway.post(page(offset));
    // Calls of one after the other show the time at rest.
    for (let offset = 0; offset < 4; offset += 1) await ask(offset);
    const learn = async (round: number) => {
      await Promise.all(Array.from({ length: clients }, (_, client) => ask(round * clients + client)));
      return limit();
    };
    let round = 1;
    while ((await learn(round)) >= clients && round < 20) round += 1;
    const most = await limit();
    expect(most).toBeLessThan(clients);

    gateway.upstream.clear();
    gateway.upstream.hold();
    const sent = await Promise.all(Array.from({ length: clients }, (_, client) => send(page(10_000 + client))));
    const answers: (RawAnswer | undefined)[] = [];
    const all = Promise.all(sent.map(async (connection) => answers.push(await connection.answer())));
    await expect.poll(() => answers.length).toBe(clients - most);
    expect(gateway.upstream.pending).toBe(most);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
      expect(extensionsOf(answer)).toMatchObject({ code: 'OVERLOADED', retryable: true });
    }
    gateway.upstream.release();
    await all;
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(most);
    expect(gateway.upstream.calls).toHaveLength(most);
    expect((await ask(1)).status).toBe(200);
  });
});
