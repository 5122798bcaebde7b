import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { GraphQLError } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import { newcomers, strangers } from '../../base/callers/caller.ts';
import { EventLoop } from '../../base/event-loop.ts';
import { ConcurrencyLimit, type ConcurrencyLimitOptions, type Place } from '../http/concurrency-limit.ts';

/** Keeps the event loop from its next turn, as work does. */
function block(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

const responses: ServerResponse[] = [];
function response(): ServerResponse {
  const made = new ServerResponse(new IncomingMessage(new Socket()));
  responses.push(made);
  return made;
}
afterEach(() => {
  for (const each of responses.splice(0)) each.emit('close');
});

const bounds = { running: 100, queued: 100, perCaller: 1_000, queueTimeoutMs: 60_000 };

test('requests that come in one turn of the event loop start over several turns, in the order of their arrival', async () => {
  const limit = new ConcurrencyLimit({ ...bounds, queued: 0 });
  const started: number[] = [];
  const entered = Array.from({ length: 20 }, (_, index) => {
    const place = limit.enter(response(), 'a');
    if (!(place instanceof Promise)) started.push(index);
    return Promise.resolve(place).then((taken) => {
      if (place instanceof Promise && taken) started.push(index);
    });
  });
  expect(started).toHaveLength(8);
  expect(limit.waiting).toBe(12);
  await Promise.all(entered);
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(limit.waiting).toBe(0);
});

/** Takes nine places in one turn: eight requests start, and one waits. Then no turn begins for longer than it may wait. */
function waitLong(isBusy: boolean) {
  const limit = new ConcurrencyLimit(bounds, { isBusy: () => isBusy });
  const entered = Array.from({ length: 9 }, () => limit.enter(response(), 'a'));
  expect(limit.waiting).toBe(1);
  block(30);
  return { limit, entered };
}

test('a busy event loop refuses further requests while one has waited for long, and takes them again afterwards', async () => {
  const { limit, entered } = waitLong(true);
  expect(limit.refuse('a')).toMatchObject({ code: 'OVERLOADED', reason: 'busy' });
  await expect(limit.enter(response(), 'a')).rejects.toMatchObject({ extensions: { code: 'OVERLOADED' } });
  expect(limit.refuse('b')).toBeUndefined();
  expect((await Promise.all(entered)).filter(Boolean)).toHaveLength(9);
  expect(limit).toMatchObject({ waiting: 0, isFree: true });
});

test('a busy event loop refuses every caller while callers with one operation each have waited for long', async () => {
  const limit = new ConcurrencyLimit(bounds, { isBusy: () => true });
  const entered = Array.from({ length: 9 }, (_, caller) => limit.enter(response(), String(caller)));
  block(30);
  expect(limit.refuse('another')).toMatchObject({ reason: 'busy' });
  const strange = limit.enter(response(), strangers);
  await expect(strange).rejects.toMatchObject({ extensions: { code: 'OVERLOADED' } });
  await Promise.all(entered);
});

test('a busy event loop refuses callers with one operation each, also while one request comes without Authorization', async () => {
  const limit = new ConcurrencyLimit(bounds, { isBusy: () => true });
  const entered = Array.from({ length: 50 }, (_, caller) => limit.enter(response(), String(caller)));
  entered.push(limit.enter(response(), strangers));
  block(30);
  expect(limit.refuse('another')).toMatchObject({ reason: 'busy' });
  await Promise.all(entered);
});

test('an event loop that has been idle lately takes further requests, however long one has waited', async () => {
  const { limit, entered } = waitLong(false);
  expect(limit.refuse('a')).toBeUndefined();
  expect((await Promise.all([...entered, limit.enter(response(), 'a')])).filter(Boolean)).toHaveLength(10);
});

test('an event loop is busy after work without a pause, and no longer busy after a pause', async () => {
  const loop = new EventLoop();
  block(510);
  expect(loop.isBusy(performance.now())).toBe(true);
  await expect.poll(() => loop.isBusy(performance.now())).toBe(false);
});

/** Takes places for callers. `ended` gives the place of a caller back. */
function placesFor(limits: Partial<ConcurrencyLimitOptions>) {
  const limit = new ConcurrencyLimit({ ...bounds, ...limits }, { isBusy: () => false });
  const running: string[] = [];
  const places: Place[] = [];
  const refused: [string, unknown][] = [];
  const enter = async (caller: string) => {
    try {
      const place = await limit.enter(response(), caller);
      if (!place) return;
      running.push(caller);
      places.push(place);
    } catch (error) {
      refused.push([caller, (error as GraphQLError).extensions.code]);
    }
  };
  const callers = (names: string) => Promise.all(names.split('').map((name) => Promise.race([enter(name), inTurn()])));
  /** Gives the places back, in the order in which they were taken, and shows who runs then. */
  async function next(): Promise<string> {
    const place = places.shift();
    if (place) limit.leave(place);
    await inTurn();
    return running.join('');
  }
  return { limit, running, refused, callers, next };
}
const inTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test('callers that wait get places in turn, however many operations one of them has', async () => {
  const { callers, next, running } = placesFor({ running: 1 });
  await callers('aaaaabbc');
  expect(running.join('')).toBe('a');
  for (let ended = 0; ended < 7; ended++) await next();
  expect(running.join('')).toBe('abcabaaa');
});

test('strangers get half as many turns as a caller', async () => {
  const { limit, callers, next, running } = placesFor({ running: 1 });
  await callers('a');
  const strange = Array.from({ length: 4 }, async () => {
    limit.leave((await limit.enter(response(), strangers)) as Place);
    running.push('s');
  });
  await callers('aaaabbbb');
  for (let ended = 0; ended < 9; ended++) await next();
  await Promise.all(strange);
  expect(running.join('')).toBe('ababasbabsass');
});

test('one caller leaves an eighth of the places to others', async () => {
  const { callers, running, limit } = placesFor({ running: 16 });
  await callers('a'.repeat(20));
  expect(running).toHaveLength(14);
  await callers('bb');
  expect(running.join('')).toBe(`${'a'.repeat(14)}bb`);
  expect(limit.waiting).toBe(6);
});

test('a caller with MAX_OPERATIONS_PER_CALLER operations is RATE_LIMITED, and no other one is', async () => {
  const { limit, callers, refused, running } = placesFor({ running: 4, perCaller: 3 });
  await callers('aaaa');
  expect(refused).toEqual([['a', 'RATE_LIMITED']]);
  expect(limit.refuse('a')).toMatchObject({ code: 'RATE_LIMITED', status: 429, reason: 'caller' });
  expect(limit.refuse('b')).toBeUndefined();
  await callers('b');
  expect(running.join('')).toBe('aaab');
});

test('requests without Authorization are OVERLOADED together, because none of them may be the cause', async () => {
  const { limit } = placesFor({ running: 4, perCaller: 3 });
  for (let i = 0; i < 3; i++) limit.enter(response(), strangers);
  expect(limit.refuse(strangers)).toMatchObject({ code: 'OVERLOADED', reason: 'caller' });
});

test('keys that the service has not accepted get half of the places, and wait until the queue is full', async () => {
  const { limit } = placesFor({ running: 4, queued: 6, perCaller: 1 });
  const entered = Array.from({ length: 10 }, () => limit.enter(response(), newcomers));
  expect(entered.filter((place) => !(place instanceof Promise))).toHaveLength(2);
  expect(limit.refuse(newcomers)).toMatchObject({ code: 'OVERLOADED', reason: 'queue' });
  expect(limit.refuse('a')).toBeUndefined();
});

test('a full queue gives the last place of the caller with most operations to a caller with fewer', async () => {
  const { limit, callers, refused } = placesFor({ running: 1, queued: 6 });
  await callers('aaaaabb');
  expect(limit.refuse('a')).toMatchObject({ code: 'OVERLOADED', reason: 'queue' });
  await callers('ccb');
  expect(refused.map(String).sort()).toEqual(['a,OVERLOADED', 'a,OVERLOADED', 'b,OVERLOADED']);
  expect(limit.waiting).toBe(6);
});

test('a full queue refuses strangers first', async () => {
  const { limit, callers } = placesFor({ running: 1, queued: 3 });
  await callers('aaa');
  const strange = Promise.resolve(limit.enter(response(), strangers));
  const refusal = expect(strange).rejects.toMatchObject({ extensions: { code: 'OVERLOADED' } });
  expect(limit.refuse(strangers)).toMatchObject({ reason: 'queue' });
  await callers('a');
  await refusal;
});
