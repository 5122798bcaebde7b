import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import type { Upstream } from '../upstream.ts';
import { startRead, startWrite, upstreamOf } from './upstream.ts';

/** Leaves requests open until the test answers them. */
let upstream: FakeUpstream;
let client: Upstream;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  client = upstreamOf(upstream.url, { connections: 1 });
});
afterEach(async () => {
  await upstream.close();
  await client.close();
});

const startReading = (id: string) => startRead(client, 'getFarmer', { id });
const readFarmer = (id: string) => startReading(id).answer;
const answer = (index: number, id: string) => upstream.requests[index]?.reply({ body: JSON.stringify({ id }) });
const socket = (index: number) => upstream.requests[index]?.socket;
const askedFor = () => upstream.requests.map(({ path }) => /farmers\/(.*)\/$/.exec(path)?.[1]);

test('a read aborted while it waits for a connection ends at once and takes none', async () => {
  const first = readFarmer('first');
  await upstream.untilArrived(1);
  const second = startReading('second');
  const third = readFarmer('third');

  second.leave();
  await expect(second.answer).rejects.toThrow('left');
  answer(0, 'first');
  await upstream.untilArrived(2);
  answer(1, 'third');

  expect(await Promise.all([first, third])).toEqual([{ id: 'first' }, { id: 'third' }]);
  expect(askedFor()).toEqual(['first', 'third']);
  expect(socket(1)).toBe(socket(0));
});

test('a read aborted during its answer closes its connection, and the next read opens another', async () => {
  const left = startReading('left');
  await upstream.untilArrived(1);
  // The answer has begun.
  socket(0)?.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');

  left.leave();
  await expect(left.answer).rejects.toThrow('left');
  await expect.poll(() => socket(0)?.destroyed).toBe(true);

  const next = readFarmer('next');
  await upstream.untilArrived(2);
  answer(1, 'next');
  expect(await next).toEqual({ id: 'next' });
});

test('reads share a connection that the service closes after two idle seconds', async () => {
  for (const [index, id] of ['first', 'second'].entries()) {
    const read = readFarmer(id);
    await upstream.untilArrived(index + 1);
    const headers = { 'keep-alive': 'timeout=2' };
    upstream.requests[index]?.reply({ headers, body: JSON.stringify({ id }) });
    expect(await read).toEqual({ id });
  }
  expect(socket(1)).toBe(socket(0));
});

test('a read whose connection breaks off fails', async () => {
  const cut = readFarmer('cut');
  await upstream.untilArrived(1);
  socket(0)?.destroy();
  await expect(cut).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});

test('each read has its own deadline, whatever is answered in between', async () => {
  const readMs = 100;
  client = upstreamOf(upstream.url, { connections: 4, timeouts: { readMs } });
  const clock = stopClock();
  const timesOut = (read: Promise<unknown>) => expect(read).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((id) => readFarmer(id));
  const late = [timesOut(first!), timesOut(third!)];
  await upstream.untilArrived(4);
  for (const id of ['2', '4']) answer(askedFor().indexOf(id), id);
  expect(await Promise.all([second, fourth])).toEqual([{ id: '2' }, { id: '4' }]);

  clock.pass(readMs - 1);
  const fifth = timesOut(readFarmer('5'));
  clock.pass(1);
  await Promise.all(late);
  clock.pass(readMs);
  await fifth;
  const sixth = timesOut(readFarmer('6'));
  clock.pass(readMs);
  await sixth;
});

test('an answer is assembled from its chunks, after early hints and behind a byte order mark', async () => {
  const { answer: read, status } = startReading('Ama');
  await upstream.untilArrived(1);
  const bytes = Buffer.from(`\u{FEFF}${JSON.stringify({ id: 'Ama', first_name: 'Amâ 🌱' })}`);
  socket(0)?.write(`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
  await expect.poll(status).toBe(200);
  // Each byte by itself, so that characters are cut.
  for (const byte of bytes) await new Promise((sent) => socket(0)?.write(Buffer.of(byte), sent));

  expect(await read).toEqual({ id: 'Ama', first_name: 'Amâ 🌱' });
});

test('a write without a free connection is not sent, and a sent one that times out is OUTCOME_UNKNOWN', async () => {
  await client.close();
  // On a busy machine too, the service has the write before its time is over.
  const writeMs = 2_000;
  client = upstreamOf(upstream.url, { connections: 1, timeouts: { writeMs } });
  const writeFarmer = () => startWrite(client, 'createFarmer', { first_name: 'Ana' }).answer;
  const first = startReading('first');
  await upstream.untilArrived(1);

  await expect(writeFarmer()).rejects.toMatchObject({ code: 'OVERLOADED' });
  first.leave();
  await expect(first.answer).rejects.toThrow('left');
  const late = expect(writeFarmer()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await upstream.untilArrived(2);
  await late;
  expect(upstream.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
});

test('a client that leaves after its write timed out does not end the write again', async () => {
  await client.close();
  client = upstreamOf(upstream.url, { connections: 1, timeouts: { writeMs: 50 } });
  const read = startReading('first');
  await upstream.untilArrived(1);
  const { leave, answer } = startWrite(client, 'createFarmer', {});

  await expect(answer).rejects.toMatchObject({ code: 'OVERLOADED' });
  leave();
  expect(client.calls.inFlight).toBe(1);
  read.leave();
  await expect(read.answer).rejects.toThrow('left');
  expect(client.calls.inFlight).toBe(0);
});

test('a read has its answer though a subscriber throws, and the exception is uncaught', async () => {
  const uncaught: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(error));
  const error = new Error('a mistake of the subscriber');
  const fail = () => {
    throw error;
  };
  try {
    client.events.on('callBegin', fail).on('callEnd', fail);
    const reading = readFarmer('first');
    await upstream.untilArrived(1);
    answer(0, 'first');

    expect(await reading).toEqual({ id: 'first' });
    expect(uncaught).toEqual([error, error]);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
});
