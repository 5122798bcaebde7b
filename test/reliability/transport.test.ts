import { afterEach, beforeEach, expect, test } from 'vitest';
import { callerOf } from '../../src/upstream/caller.ts';
import { RestClient } from '../../src/upstream/client.ts';
import type { RawResponse } from '../../src/upstream/transport.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';

/** Leaves requests open until the test answers them. */
let upstream: FakeUpstream;
let client: RestClient;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  client = clientOf({ connections: 1 });
});
afterEach(async () => {
  await upstream.close();
  await client.close();
});

function clientOf({ connections, read = 5000, write = 5000 }: { connections: number; read?: number; write?: number }) {
  const timeouts = { connect: 1000, read, write, upload: 5000 };
  return new RestClient({ url: upstream.url, dateTimes: 'iso', connections, timeouts });
}

const caller = callerOf({ authorization: 'key' });

/** A read that can be given up. */
function startReading(id: string, onStatus?: (status: number) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const answered = ({ content }: RawResponse) => resolve(content.json);
  const path = client.pathOf('getFarmer', { id });
  const exchange = client.read('getFarmer', path, caller, { onStatus, answered, failed: reject });
  return { answer: promise, giveUp: () => exchange.giveUp(new Error('left')) };
}
const readFarmer = (id: string) => startReading(id).answer;
const answer = (index: number, id: string) => upstream.requests[index]?.reply({ body: JSON.stringify({ id }) });
const socket = (index: number) => upstream.requests[index]?.socket;
const askedFor = () => upstream.requests.map(({ path }) => /farmers\/(.*)\/$/.exec(path)?.[1]);

test('a read that is given up while it waits for a connection ends at once and costs none', async () => {
  const first = readFarmer('first');
  await upstream.untilArrived(1);
  const second = startReading('second');
  const third = readFarmer('third');

  second.giveUp();
  await expect(second.answer).rejects.toThrow('left');
  answer(0, 'first');
  await upstream.untilArrived(2);
  answer(1, 'third');

  expect(await Promise.all([first, third])).toEqual([{ id: 'first' }, { id: 'third' }]);
  expect(askedFor()).toEqual(['first', 'third']);
  expect(socket(1)).toBe(socket(0));
});

test('a read that is given up on the way closes its connection, and the next one has another', async () => {
  const left = startReading('left');
  await upstream.untilArrived(1);
  // Its answer has begun.
  socket(0)?.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');

  left.giveUp();
  await expect(left.answer).rejects.toThrow('left');
  await expect.poll(() => socket(0)?.destroyed).toBe(true);

  const next = readFarmer('next');
  await upstream.untilArrived(2);
  answer(1, 'next');
  expect(await next).toEqual({ id: 'next' });
});

test('a read of a connection that breaks off fails', async () => {
  const broken = readFarmer('broken');
  await upstream.untilArrived(1);
  socket(0)?.destroy();
  await expect(broken).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});

test('each read has its own deadline, whatever is answered between them', async () => {
  client = clientOf({ connections: 4, read: 300 });
  const timesOut = (read: Promise<unknown>) => expect(read).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((id) => readFarmer(id));
  const late = [timesOut(first!), timesOut(third!)];
  await upstream.untilArrived(4);
  for (const id of ['2', '4']) answer(askedFor().indexOf(id), id);
  expect(await Promise.all([second, fourth])).toEqual([{ id: '2' }, { id: '4' }]);

  await Promise.all([...late, timesOut(readFarmer('5'))]);
  await timesOut(readFarmer('6'));
});

test('an answer is put together out of its pieces, after hints and behind a byte order mark', async () => {
  const statuses: number[] = [];
  const read = startReading('Ama', (status) => statuses.push(status)).answer;
  await upstream.untilArrived(1);
  const bytes = Buffer.from(`\u{FEFF}${JSON.stringify({ id: 'Ama', first_name: 'Amâ 🌱' })}`);
  socket(0)?.write(`HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
  await expect.poll(() => statuses).toEqual([200]);
  // Each byte by itself, so that characters are cut.
  for (const byte of bytes) await new Promise((sent) => socket(0)?.write(Buffer.of(byte), sent));

  expect(await read).toEqual({ id: 'Ama', first_name: 'Amâ 🌱' });
});

test('a write for which no connection becomes free was not sent; one that was has an unknown outcome', async () => {
  await client.close();
  client = clientOf({ connections: 1, write: 50 });
  const write = () => client.write('createFarmer', caller, { body: { first_name: 'Ana' } });
  const first = startReading('first');
  await upstream.untilArrived(1);

  await expect(write()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  first.giveUp();
  await expect(first.answer).rejects.toThrow('left');
  await expect(write()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  expect(upstream.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
});
