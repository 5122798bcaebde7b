import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callerOf } from '../../../test/support/caller.ts';
import { type FakeUpstream, type Reply, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import type { Caller } from '../../base/callers/caller.ts';
import type { EndpointName } from '../../contract/endpoint.ts';
import type { Upstream, UpstreamOptions } from '../upstream.ts';
import { startRead, upstreamOf } from './upstream.ts';

const calls = 6;
const down: Reply = { status: 503, body: '{}' };
const up: Reply = { body: '{"id":"A"}' };
const unavailable = { code: 'UPSTREAM_UNAVAILABLE', retryAfter: 1 };

let service: FakeUpstream;
let client: Upstream;
let serial = 0;
/** Endpoints whose circuit has opened, and the number of times that circuits closed. */
let opened: EndpointName[];
let closed: number;

/** No probe comes by itself in a test's time. Reads wait for a probe as long as it takes. */
const never = 600_000;

function connect(options: Partial<UpstreamOptions['circuitBreaker']> = {}, timeouts = {}): void {
  client = upstreamOf(service.url, {
    timeouts,
    connections: 500,
    circuitBreaker: { calls, probeIntervalMs: never, probeWaitMs: never, ...options },
  });
  client.events.on('circuitOpen', (endpoint) => opened.push(endpoint));
  client.events.on('circuitClose', () => {
    closed += 1;
  });
}

beforeEach(async () => {
  service = await startFakeUpstream();
  [opened, closed] = [[], 0];
  connect();
});
afterEach(async () => {
  await service.close();
  await client.close();
});

const keyed = (authorization: string): Caller => callerOf({ authorization });
const signal = { due: Number.POSITIVE_INFINITY, sent: 0, add() {}, hold: () => true };
/** Reads another farmer each time, so that no read joins another. */
const read = (by = keyed('key'), endpoint: EndpointName = 'getFarmer') =>
  startRead(client, endpoint, { id: `A${serial++}` }, signal, by).answer;
const outcomes = async (reads: Promise<unknown>[]) => (await Promise.allSettled(reads)).map(({ status }) => status);
/** The outcomes of reads, one after the other. */
async function readEach(replies: Reply[], by?: Caller, endpoint?: EndpointName): Promise<string[]> {
  const statuses = [];
  for (const reply of replies) {
    service.respond = () => reply;
    statuses.push(...(await outcomes([read(by, endpoint)])));
  }
  service.respond = undefined;
  return statuses;
}
const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe('the circuit of an endpoint', () => {
  test('opens after a run of failures, and not while one call of the run is answered', async () => {
    await readEach(times(20, [...times(calls - 1, down), up]).flat());
    expect(service.calls).toHaveLength(20 * calls);
    expect(opened).toEqual([]);

    await readEach(times(calls, down));
    expect(opened).toEqual(['getFarmer']);
    service.clear();
    await expect(read()).rejects.toMatchObject(unavailable);
    expect(service.calls).toEqual([]);
  });

  test('counts no failure of a call that was sent before the last answer', async () => {
    const early = Array.from({ length: calls }, () => read());
    await service.untilArrived(calls);
    await readEach([up]);
    for (const request of service.requests.slice(0, calls)) request.reply(down);
    expect(await outcomes(early)).toEqual(times(calls, 'rejected'));
    expect(opened).toEqual([]);
  });

  test('opens after its first failure when the calls of other endpoints fail too', async () => {
    await readEach(times(calls - 1, down));
    await readEach([down], keyed('key'), 'getUser');
    expect(opened).toEqual(['getUser']);

    service.clear();
    await expect(read(keyed('key'), 'getUser')).rejects.toMatchObject(unavailable);
    expect(service.calls).toEqual([]);
    // The gateway calls an endpoint without a failure, and its answer ends the run.
    for (const endpoint of ['getCompany', 'getUser'] as const) {
      expect(await readEach([up], keyed('key'), endpoint)).toEqual(['fulfilled']);
    }
  });

  test('opens to the caller alone whose calls fail', async () => {
    await readEach(times(calls, down), keyed('made up'));
    await expect(read(keyed('made up'))).rejects.toMatchObject(unavailable);

    expect(await readEach([up], keyed('other'))).toEqual(['fulfilled']);
    expect(closed, 'an answer closes it').toBe(1);
    expect(await readEach([up], keyed('made up'))).toEqual(['fulfilled']);
  });

  test('opens to all callers when the calls of three fail', async () => {
    for (const key of ['a', 'b']) await readEach(times(calls - 1, down), keyed(key));
    expect(opened).toEqual([]);
    await readEach(times(calls / 3, down), keyed('c'));
    expect(opened).toEqual(['getFarmer']);
    service.clear();
    await expect(read(keyed('other'))).rejects.toMatchObject(unavailable);
    expect(service.calls).toEqual([]);
  });

  test('opens to all callers when each call has another key', async () => {
    for (let key = 0; key < calls; key += 1) await readEach([down], keyed(`made up ${key}`));
    expect(opened).toEqual(['getFarmer']);
    await expect(read(keyed('other'))).rejects.toMatchObject(unavailable);
  });

  test('opens after fewer calls if they run out of time', async () => {
    await client.close();
    connect({ calls: 150 }, { readMs: 100 });
    expect(await outcomes(Array.from({ length: 15 }, () => read()))).toEqual(times(15, 'rejected'));
    expect(opened).toEqual(['getFarmer']);
  });

  test('is closed after a while without a call', async () => {
    await client.close();
    connect({}, { readMs: 500 });
    await readEach(times(calls, down));
    expect(opened).toEqual(['getFarmer']);
    const isOpen = () => Object.fromEntries(client.circuits.states()).getFarmer;
    await expect.poll(isOpen).toBe(false);

    expect(await outcomes(Array.from({ length: 2 }, () => readEach([up])))).toEqual(times(2, 'fulfilled'));
    expect(service.calls).toHaveLength(calls + 2);
  });
});

describe('an open circuit', () => {
  beforeEach(async () => {
    await readEach(times(calls, down));
    await readEach(times(calls, down), keyed('key'), 'getUser');
    expect(opened).toEqual(['getFarmer', 'getUser']);
    service.clear();
  });

  /** Under a high load a probe comes after so many refused calls, whatever the time. */
  const refuse = async () => expect(await outcomes(Array.from({ length: 200 }, () => read()))).toContain('rejected');

  test('sends one probe, and refuses the reads that waited when it fails', async () => {
    await refuse();
    expect(service.calls).toEqual([]);
    const waiting = Array.from({ length: 20 }, () => read());
    await service.untilArrived(1);
    service.requests[0]?.reply(down);
    expect(await outcomes(waiting)).toEqual(times(20, 'rejected'));
    expect(service.calls).toHaveLength(1);
  });

  test('sends the reads that waited when a probe is answered, and closes all circuits', async () => {
    await refuse();
    const waiting = Array.from({ length: 20 }, () => read());
    await service.untilArrived(1);
    service.respond = () => up;
    service.requests[0]?.reply(up);
    expect(await outcomes(waiting)).toEqual(times(20, 'fulfilled'));
    expect(service.calls).toHaveLength(1 + 20);
    expect([closed, [...client.circuits.states()].filter(([, isOpen]) => isOpen)]).toEqual([1, []]);
    expect(await readEach([up], keyed('key'), 'getUser')).toEqual(['fulfilled']);
  });

  test('lets a read that waits for a probe leave', async () => {
    await refuse();
    const { answer, leave } = startRead(client, 'getFarmer', { id: 'leaving' });
    await service.untilArrived(1);
    leave();
    await expect(answer).rejects.toThrow('left');
  });
});

test('a read waits for a probe for a moment only, and a probe as long as any read', async () => {
  await client.close();
  connect({ probeIntervalMs: 1, probeWaitMs: 1 });
  await readEach(times(calls, down));
  service.clear();
  // A probe is due a millisecond later.
  await expect.poll(() => outcomes([read()]).then(() => service.calls.length)).toBeGreaterThan(0);

  service.requests[0]?.reply(up);
  await expect.poll(() => closed).toBe(1);
  expect(await readEach([up])).toEqual(['fulfilled']);
});
