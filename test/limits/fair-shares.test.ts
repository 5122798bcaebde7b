import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newcomers, strangers } from '../../packages/base/callers/caller.ts';
import { Callers } from '../../packages/upstream/callers.ts';
import { UpstreamClock } from '../../packages/upstream/clock.ts';
import { serviceContract } from '../../src/service-contract.ts';
import { callerOf } from '../support/caller.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { extensionsOf, RawConnection, rawPost, sendRaw } from '../support/raw-http.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { bearerOf, people } from '../support/tokens.ts';

let gateway: FakedGateway;
const connections: RawConnection[] = [];

beforeAll(async () => {
  gateway = await startFakedGateway({ 'limits.operations.running': '1', 'limits.operations.queued': '8' });
  for (const key of ['demo-coop', 'demo-buyer']) await gateway.query('{ farmers { count } }', {}, { key });
  gateway.upstream.clear();
});
// A client that leaves after a long wait makes the newest operation the first for a while.
beforeEach(() => void stopClock());
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  gateway.upstream.release();
  await expect.poll(async () => valuesOf(await scrape(gateway.url), 'operations_in_flight')).toEqual({ '': 0 });
  gateway.upstream.clear();
});
afterAll(() => gateway.close());

/** Sends an operation whose call names the offset. Resolves when the gateway has read the operation. */
async function send(key: string, offset: number, padding = 0): Promise<RawConnection> {
  const connection = new RawConnection(gateway.url);
  connections.push(connection);
  const body = JSON.stringify({ query: `{ farmers(offset: ${offset}) { results { id } } }` });
  await connection.send(rawPost(body + ' '.repeat(padding), { Authorization: key }));
  for (let i = 0; i < 3; i++) await sendRaw(gateway.url, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
  return connection;
}

/** Answers all calls, one after the other. Gives the offsets in the order of the calls. */
async function answerAll(sent: RawConnection[]): Promise<number[]> {
  gateway.upstream.release();
  await Promise.all(sent.map((connection) => connection.answer()));
  return gateway.upstream.calls.map((call) => Number(/offset=(\d+)/.exec(call)?.[1]));
}

const refused = async () => valuesOf(await scrape(gateway.url), 'operations_refused_total');

test('an operation of a modest caller begins after one of the caller with many', async () => {
  gateway.upstream.hold();
  const sent = [];
  for (const offset of [1, 2, 3, 4]) sent.push(await send('demo-coop', offset));
  sent.push(await send('demo-buyer', 11), await send('demo-buyer', 12));
  expect(await answerAll(sent)).toEqual([1, 11, 2, 12, 3, 4]);
});

test('a caller with MAX_OPERATIONS_PER_CALLER operations gets 429, with a long body too, and others are served', async () => {
  gateway.upstream.hold();
  const sent = [];
  for (const offset of [1, 2, 3, 4, 5]) sent.push(await send('demo-coop', offset));
  const before = (await refused()).caller ?? 0;
  for (const padding of [0, 20_000]) {
    const answer = await (await send('demo-coop', 6, padding)).answer();
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } });
    expect(JSON.parse(answer!.body).errors[0].message).toContain('5 operations');
    expect(extensionsOf(answer)).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
  }
  expect((await refused()).caller).toBe(before + 2);
  sent.push(await send('demo-buyer', 11));
  expect(await answerAll(sent)).toHaveLength(6);
});

test('made-up keys take turns as one caller, for places and for connections', async () => {
  gateway.upstream.hold();
  const sent = [];
  for (const offset of [1, 2, 3, 4]) sent.push(await send(`made-up ${offset}`, offset));
  sent.push(await send('demo-buyer', 11), await send('demo-buyer', 12));
  expect(await answerAll(sent)).toEqual([1, 11, 2, 12, 3, 4]);

  await using narrow = await startFakedGateway({ 'upstream.connections': '1' });
  await narrow.query('{ farmers { count } }', {}, { key: 'demo-buyer' });
  narrow.upstream.clear();
  narrow.upstream.hold();
  const ask = (key: string, offset: number) =>
    narrow.query(`{ farmers(offset: ${offset}) { results { id } } }`, {}, { key });
  const asked = [ask('made-up 1', 1)];
  await narrow.upstream.untilArrived(1);
  for (const offset of [2, 3, 4]) {
    asked.push(ask(`made-up ${offset}`, offset));
    await expect
      .poll(async () => valuesOf(await scrape(narrow.url), 'upstream_calls_waiting'))
      .toEqual({ '': offset - 1 });
  }
  asked.push(ask('demo-buyer', 11));
  await expect.poll(async () => valuesOf(await scrape(narrow.url), 'upstream_calls_waiting')).toEqual({ '': 4 });
  narrow.upstream.release();
  await Promise.all(asked);
  expect(narrow.upstream.calls.map((call) => Number(/offset=(\d+)/.exec(call)?.[1]))).toEqual([1, 2, 11, 3, 4]);
});

test('a full queue refuses requests without Authorization first', async () => {
  gateway.upstream.hold();
  const sent = [await send('demo-coop', 1)];
  const strange = [];
  for (let i = 0; i < 5; i++) strange.push(await send('', 20 + i));
  for (const offset of [2, 3, 4]) sent.push(await send('demo-coop', offset));
  for (const offset of [11, 12]) sent.push(await send('demo-buyer', offset));
  const [, , , , last] = strange;
  expect(await last?.answer()).toMatchObject({ status: 503 });
  expect((await refused()).displaced).toBeGreaterThan(0);
  expect(await answerAll(sent)).toHaveLength(6);
});

test('a key has a share of its own after the service accepts it, until the service refuses it', () => {
  for (const paths of [[], ['sub']]) {
    const callers = new Callers(serviceContract, paths, new UpstreamClock(), new EventEmitter());
    const now = () => callers.known(callerOf({ authorization: 'a key' }));
    expect(callers.known(callerOf({})).share).toBe(strangers);
    expect(now().share).toBe(newcomers);
    callers.remember(now(), performance.now(), 'token');
    expect(now().share).toBe(now().keyDigest);
    callers.refuse(now().tokenDigest);
    expect(now().share).toBe(strangers);
    callers.remember(now(), performance.now(), 'token');
    expect(now().share).toBe(now().keyDigest);
  }
});

describe('where claims make callers', () => {
  const callers = new Callers(serviceContract, ['user_id'], new UpstreamClock(), new EventEmitter());
  const from = (user_id: string, headers: object = {}) =>
    callers.known(callerOf({ authorization: bearerOf(people.abena, { claims: { user_id } }), ...headers }));
  callers.proof.holds = true;
  const first = from('a');
  callers.remember(first, performance.now(), 'token');
  const { keyDigest } = callers.known(first);

  test('a new token of a known caller waits neither with made-up keys nor with the other tokens of the caller', () => {
    const [one, other] = [from('a'), from('a')];
    expect(one.isUnknown).toBe(true);
    expect(one.share).toBe(other.share);
    expect([newcomers, strangers, keyDigest]).not.toContain(one.share);
    expect(from('b').share).toBe(newcomers);
  });

  test('an accepted token with other headers is checked again, and has a share of its own meanwhile', () => {
    const { headers, tokenDigest } = first;
    const now = () => callers.known(callerOf({ ...headers, 'accept-language': 'fr' }));
    expect(now()).toMatchObject({ isUnknown: true, share: tokenDigest });
    callers.remember(now(), performance.now(), 'token');
    expect(now()).toMatchObject({ isUnknown: false, share: keyDigest });
  });
});
