import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../src/server/concurrency-limit.ts';
import { EventLoop } from '../../src/server/event-loop.ts';

/** Keeps the event loop from its next turn, as work does. */
function block(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

test('requests that come in one turn of the event loop start over several turns, in the order of their arrival', async () => {
  const limit = new ConcurrencyLimit({ running: 100, queued: 0, queueTimeoutMs: 60_000 });
  const started: number[] = [];
  const entered = Array.from({ length: 20 }, (_, index) => {
    const place = limit.enter(response());
    if (place === true) started.push(index);
    return Promise.resolve(place).then((isAdmitted) => {
      if (place !== true && isAdmitted) started.push(index);
    });
  });
  expect(started).toHaveLength(8);
  expect(limit.waiting).toBe(12);
  await Promise.all(entered);
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(limit.waiting).toBe(0);
});

/** Takes nine places in one turn: eight requests start, and one waits. Then no turn begins for longer than it may wait. */
function waitLong(isBusy: boolean): { limit: ConcurrencyLimit; entered: (boolean | Promise<boolean>)[] } {
  const limit = new ConcurrencyLimit({ running: 100, queued: 100, queueTimeoutMs: 60_000 }, { isBusy: () => isBusy });
  const entered = Array.from({ length: 9 }, () => limit.enter(response()));
  expect(limit.waiting).toBe(1);
  block(30);
  return { limit, entered };
}

test('a busy event loop refuses further requests while one has waited for long, and takes them again afterwards', async () => {
  const { limit, entered } = waitLong(true);
  expect(limit.isFull).toBe(true);
  await expect(limit.enter(response())).rejects.toMatchObject({ extensions: { code: 'OVERLOADED' } });
  expect(await Promise.all(entered)).toEqual(Array.from({ length: 9 }, () => true));
  expect(limit).toMatchObject({ waiting: 0, isFull: false });
});

test('an event loop that has been idle lately takes further requests, however long one has waited', async () => {
  const { limit, entered } = waitLong(false);
  expect(limit.isFull).toBe(false);
  expect(await Promise.all([...entered, limit.enter(response())])).toEqual(Array.from({ length: 10 }, () => true));
});

test('an event loop is busy after work without a pause, and no longer busy after a pause', async () => {
  const loop = new EventLoop();
  block(510);
  expect(loop.isBusy(performance.now())).toBe(true);
  await expect.poll(() => loop.isBusy(performance.now())).toBe(false);
});
