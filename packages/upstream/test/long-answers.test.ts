import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { MemoryShare } from '../../base/memory-budget.ts';
import type { Abortable, Signal } from '../request.ts';
import type { Upstream } from '../upstream.ts';
import { startRead, startWrite, upstreamOf } from './upstream.ts';

const maxBytes = 300_000;
const share = new MemoryShare(500_000);

/** Leaves requests open until the test answers them. */
let upstream: FakeUpstream;
let client: Upstream;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  const retries = { max: 2, baseMs: 1, capMs: 1, share: 1 };
  client = upstreamOf(upstream.url, { connections: 4, bodyLimits: { maxBytes, share }, retries });
});
afterEach(async () => {
  await upstream.close();
  await client.close();
  expect(share.bytes).toBe(0);
});

const readFarmer = (id: string) => startRead(client, 'getFarmer', { id }).answer;
const writeFarmer = () => startWrite(client, 'createFarmer', {}).answer;
const farmer = (bytes: number) => JSON.stringify({ id: 'a', description: 'x'.repeat(bytes - 27) });
const tooLong = { code: 'UPSTREAM_INVALID_RESPONSE', message: expect.stringContaining('MAX_UPSTREAM_ANSWER_BYTES') };

/** Writes the start of a call's answer, without an end or with the announced length. */
function begin(
  index: number,
  { status = 200, length, body = '' }: { status?: number; length?: number; body?: string },
) {
  const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const piece = length === undefined ? `${body.length.toString(16)}\r\n${body}\r\n` : body;
  upstream.requests[index]?.socket.write(`HTTP/1.1 ${status} Said\r\n${framing}\r\n\r\n${piece}`);
}

test.each([
  ['of an announced length at once', { length: maxBytes + 1 }],
  ['without an end when the bytes are there', { body: ' '.repeat(maxBytes + 1) }],
])('cuts a longer answer %s, and does not ask again', async (_name, answer) => {
  const read = readFarmer('a');
  await upstream.untilArrived(1);
  begin(0, answer);

  await expect(read).rejects.toMatchObject(tooLong);
  await expect.poll(() => upstream.requests[0]?.socket.destroyed).toBe(true);
  expect(upstream.calls).toHaveLength(1);
});

test.each([maxBytes, 1_000])('gives an answer of exactly the allowed length, in pieces of %i bytes', async (size) => {
  const body = farmer(maxBytes);
  const read = readFarmer('a');
  await upstream.untilArrived(1);
  begin(0, { body: body.slice(0, size) });
  for (let at = size; at < body.length; at += size) {
    const piece = body.slice(at, at + size);
    upstream.requests[0]?.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  }
  upstream.requests[0]?.socket.write('0\r\n\r\n');

  expect(await read).toEqual(JSON.parse(body));
});

test('calls a write with a longer answer OUTCOME_UNKNOWN', async () => {
  const write = writeFarmer();
  await upstream.untilArrived(1);
  begin(0, { status: 201, length: maxBytes + 1 });

  await expect(write).rejects.toMatchObject({ ...tooLong, code: 'OUTCOME_UNKNOWN' });
  expect(upstream.calls).toHaveLength(1);
});

test('reports the status of a longer answer that is an error', async () => {
  const read = readFarmer('a');
  await upstream.untilArrived(1);
  begin(0, { status: 500, length: maxBytes + 1 });

  await expect(read).rejects.toMatchObject({ code: 'UPSTREAM_ERROR', status: 500 });
});

test('cuts the answer that does not fit beside others, and answers short ones meanwhile', async () => {
  const [first, second, short] = [readFarmer('first'), readFarmer('second'), readFarmer('short')];
  await upstream.untilArrived(3);
  begin(0, { length: maxBytes, body: farmer(maxBytes).slice(0, -1) });
  await expect.poll(() => share.bytes).toBe(maxBytes);
  begin(1, { length: maxBytes, body: farmer(maxBytes).slice(0, -1) });

  await expect(second).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
  begin(2, { length: 1_000, body: farmer(1_000) });
  expect(await short).toMatchObject({ id: 'a' });
  upstream.requests[0]?.socket.write('}');
  expect(await first).toMatchObject({ id: 'a' });
  expect(upstream.calls).toHaveLength(3);
});

test('an operation lets go of each read that has ended', async () => {
  const reads = new Set<Abortable>();
  const signal: Signal = {
    due: Number.POSITIVE_INFINITY,
    add: (wait) => reads.add(wait),
    delete: (wait) => reads.delete(wait),
    sent: 0,
    hold: () => true,
  };
  const [answered, failing, left] = ['a', 'b', 'c'].map((id) => startRead(client, 'getFarmer', { id }, signal));
  await upstream.untilArrived(3);
  expect(reads.size).toBe(3);

  begin(0, { length: 1_000, body: farmer(1_000) });
  begin(1, { status: 400, length: 2, body: '{}' });
  await answered?.answer;
  await failing?.answer.catch(() => {});
  expect(reads.size).toBe(1);
  left?.leave();
  await left?.answer.catch(() => {});
  expect(reads.size).toBe(0);
});
