import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../src/server/concurrency-limit.ts';

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
