import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Deadlines } from '../../packages/base/deadlines.ts';
import { MemoryShare } from '../../packages/base/memory-budget.ts';
import { Scope } from '../../packages/upstream/scope.ts';
import { startRead, upstreamOf } from '../../packages/upstream/test/upstream.ts';
import { summariesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { knownIds } from '../support/rest.ts';
import { distinct, expectCalls, firstRows, one, page, paths, pick, type Row, readRows } from '../support/rest-reads.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

/** An operation's time, by a clock that stands until the test lets it pass. The timers that look at it are short. */
const timeoutMs = 200;
const short = { 'limits.operations.timeoutMs': String(timeoutMs) };
let clock: ReturnType<typeof stopClock>;

/** Lets the time of operations pass when so many calls have come, and the service owes so many answers. */
async function passTime({ upstream, url }: FakedGateway, arrived: number, owed: number): Promise<void> {
  await upstream.untilArrived(arrived);
  await expect.poll(async () => valuesOf(await scrape(url), 'upstream_calls_in_flight')['']).toBe(owed);
  clock.pass(timeoutMs);
}

const timedOut = { code: 'UPSTREAM_TIMEOUT', retryable: true };

describe('an operation past its deadline', () => {
  let gateway: FakedGateway;
  let farmers: Row[];
  beforeAll(async () => {
    gateway = await startFakedGateway(short);
    farmers = await readRows(gateway, paths.farmers);
    // A gateway that does not know how long a list is reads one page alone first.
    await gateway.query('{ farmers { count } }');
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    clock = stopClock();
    gateway.upstream.recover();
  });

  test('gives what has come, and an error at each missing place', async () => {
    const rows = farmers.slice(0, 5);
    const lost = rows[1]!.creator;
    gateway.upstream.fail(`${paths.users}${lost}/`, { stalls: true });
    gateway.upstream.fail(paths.currencies, { stalls: true });

    const asked = gateway.queryFailing(
      '{ farmers(limit: 5) { results { id creator_id creator { id email } } } currencies { count } }',
    );
    const creators = distinct(rows.map(({ creator }) => creator));
    await passTime(gateway, 2 + creators.length, 2);
    const answer = await asked;

    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      farmers: {
        results: rows.map(({ id, creator }) => ({
          id,
          creator_id: creator,
          creator: creator === lost ? null : { id: creator, email: expect.any(String) },
        })),
      },
      currencies: null,
    });
    const reference = { type: 'User', id: lost };
    const lostRows = rows.flatMap(({ creator }, index) => (creator === lost ? [index] : []));
    expect(summariesOf(answer)).toEqual(
      expect.arrayContaining([
        { path: ['currencies'], ...timedOut },
        ...lostRows.map((index) => ({ path: ['farmers', 'results', index, 'creator'], ...timedOut, reference })),
      ]),
    );
    expect(answer.errors).toHaveLength(1 + lostRows.length);
    expectCalls(
      answer,
      page(paths.farmers, 5),
      page(paths.currencies, 1),
      ...creators.map((id) => one(paths.users, id)),
    );
  });

  test('stops a list scan, and does not look up the rest by id', async () => {
    gateway.upstream.fail(paths.farmers, { stalls: true });

    const asked = gateway.queryFailing('{ entityCards(limit: 20) { results { id entity { name } } } }');
    // A page of cards, and the scan of three pages of farmers.
    await passTime(gateway, 4, 3);
    const answer = await asked;

    const cards = await firstRows(gateway, paths.entityCards, 20);
    expect(pick(answer.data.entityCards.results, 'id')).toEqual(pick(cards, 'id'));
    expect(answer.errors).toHaveLength(20);
    expect(answer.errors[0]).toMatchObject({ extensions: { ...timedOut, reference: { id: cards[0]!.entity } } });
    expect(answer.calls[0]).toBe(page(paths.entityCards, 20));
    expect(answer.calls.filter((call) => !call.includes('?'))).toEqual([]);
  });
});

describe('a mutation past its deadline', () => {
  let gateway: FakedGateway;
  beforeEach(async () => {
    clock = stopClock();
    gateway = await startFakedGateway(short);
    gateway.upstream.hold('reads', 'writes');
  });
  afterEach(() => gateway.close());

  /** Outlasts the deadline with an operation that begins later. */
  async function untilTimeIsOver(): Promise<void> {
    const late = gateway.query('{ farmers { count } }');
    await passTime(gateway, 2, 2);
    const { errors } = await late;
    expect(errors).toMatchObject([{ extensions: timedOut }]);
  }

  test('completes the write that was sent, and sends no other', async () => {
    const mutation = gateway.query(`mutation {
      first: createFarmer(input: { first_name: "Ama" }) { first_name creator { email } }
      second: createFarmer(input: { first_name: "Esi" }) { first_name }
    }`);
    await gateway.upstream.untilArrived(1);
    await untilTimeIsOver();
    gateway.upstream.release();

    const { data, errors } = await mutation;

    expect(data).toEqual({ first: { first_name: 'Ama', creator: null }, second: null });
    expect(errors).toMatchObject([
      { path: ['first', 'creator'], extensions: timedOut },
      { path: ['second'], extensions: timedOut, message: expect.stringContaining('not sent') },
    ]);
    expect(gateway.upstream.calls).toEqual([`POST ${paths.farmers}`, page(paths.farmers, 1)]);
  });

  test('does not send a write that still waits for a connection', async () => {
    await using narrow = await startFakedGateway({ ...short, 'upstream.connections': '1' });
    narrow.upstream.hold('writes');
    const create = (name: string) => narrow.query(`mutation { createFarmer(input: { first_name: "${name}" }) { id } }`);
    const first = create('Ama');
    await narrow.upstream.untilArrived(1);
    const second = create('Esi');
    await expect.poll(async () => valuesOf(await scrape(narrow.url), 'upstream_calls_waiting')['']).toBe(1);
    clock.pass(timeoutMs);
    const late = await second;
    narrow.upstream.release();
    const done = await first;
    await narrow.query('{ currencies { count } }');

    expect(late.errors).toMatchObject([{ extensions: timedOut, message: expect.stringContaining('not sent') }]);
    expect(done.errors).toEqual([]);
    expect(narrow.upstream.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  test('does not send a write whose connection is still being made', async () => {
    // The server takes connections, and never says a word of TLS.
    const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    const sockets: Socket[] = [];
    await once(mute, 'listening');
    await using connecting = await startGateway({
      upstreamUrl: `https://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`,
      settings: { ...short, 'upstream.timeouts.connectMs': '60000' },
    });
    const mutation = connecting.query('mutation { createFarmer(input: { first_name: "Ama" }) { id } }');
    await expect.poll(() => sockets.length).toBe(1);
    clock.pass(timeoutMs);
    const { errors } = await mutation;
    mute.close();
    for (const socket of sockets) socket.destroy();

    expect(errors).toMatchObject([{ extensions: timedOut, message: expect.stringContaining('not sent') }]);
  });

  test('that uploads a file gets a deadline of its own for the upload', async () => {
    const { payment } = await knownIds(gateway.sandbox);
    const document =
      'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id method } }';
    const upload = gateway.upload(document, { id: payment, file: null }, new File(['%PDF'], 'a.pdf'));
    await gateway.upstream.untilArrived(1);
    await untilTimeIsOver();
    gateway.upstream.release();

    const method = expect.stringMatching(/CARD|INVOICE/);
    expect(await (await upload).json()).toEqual({ data: { uploadInvoice: { id: payment, method } } });
  });
});

test('a shared read answers the operation that still has time', async () => {
  await using service = await startFakeUpstream();
  const upstream = upstreamOf(service.url, { connections: 1, timeouts: { readMs: 10_000 } });
  const memory = new MemoryShare(0);
  const patient = new Scope(new Deadlines(10_000), memory, 1);

  const hurried = startRead(upstream, 'getFarmer', { id: 'A' }, new Scope(new Deadlines(1), memory, 1)).answer;
  const waiting = startRead(upstream, 'getFarmer', { id: 'A' }, patient).answer;

  await expect(hurried).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  await service.untilArrived(1);
  service.requests[0]?.reply({ body: '{"id":"A"}' });
  expect(await waiting).toEqual({ id: 'A' });
  expect(service.requests).toHaveLength(1);
  patient.stopClock();
  await upstream.close();
});
