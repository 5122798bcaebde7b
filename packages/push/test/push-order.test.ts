import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, codeOf } from '../../../test/support/client.ts';
import { flatCosts } from '../../../test/support/cost-profiles.ts';
import type { FakeRequest } from '../../../test/support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway } from '../../../test/support/harness.ts';
import { paths } from '../../../test/support/rest-reads.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import { createFarmer, ids, type PushedWrite, purchaseOfNewFarmer, push, pushDocument } from './push.ts';

const statusesOf = ({ data }: Answer) => data?.push.map(({ status }: { status: string }) => status);
const codesIn = ({ data }: Answer) => data?.push.map(({ error }: Answer['data']) => error?.code);
const farmers = (count: number) => Array.from({ length: count }, () => createFarmer(randomUUID()));
const update = (key: string, input: object): PushedWrite => ({
  key,
  write: { updateCompany: { id: ids.cooperative, input } },
});

describe('with two chains at a time, a push', () => {
  let gateway: FakedGateway;
  beforeAll(async () => {
    gateway = await startFakedGateway({}, { costs: { ...flatCosts, parallelism: 2 } });
  });
  afterEach(() => {
    gateway.upstream.release();
    gateway.upstream.recover();
    gateway.upstream.respond = undefined;
    gateway.upstream.clear();
  });
  afterAll(() => gateway.close());
  const posts = () => gateway.upstream.calls.filter((call) => !call.startsWith('GET'));
  /** Answers of writes wait until the test lets them go, in any order. */
  function holdWrites() {
    const waiting: { request: FakeRequest; pass: () => void }[] = [];
    gateway.upstream.respond = (request) => {
      if (request.method === 'GET') return undefined;
      return new Promise((resolve) => waiting.push({ request, pass: () => resolve(undefined) }));
    };
    return waiting;
  }

  test('sends the writes of a chain one after the other, and two chains side by side', async () => {
    const key = randomUUID();
    const [farmer, card] = purchaseOfNewFarmer(key);
    const waiting = holdWrites();
    const answer = push(gateway, [farmer!, card!, createFarmer(`${key}-2`), createFarmer(`${key}-3`)]);
    await expect.poll(() => waiting.length).toBe(2);
    // Writes side by side arrive in any order.
    const arrived = (name: string) =>
      waiting.find(({ request }) => JSON.parse(request.body).first_name === `${key}-${name}`);
    expect([arrived('farmer'), arrived('2')]).not.toContain(undefined);
    arrived('2')!.pass();
    await expect.poll(() => waiting.length).toBe(3);
    expect(arrived('3')).toBe(waiting[2]);
    arrived('3')!.pass();
    arrived('farmer')!.pass();
    await expect.poll(() => waiting.length).toBe(4);
    expect(waiting[3]!.request.path).toBe(paths.entityCards);
    waiting[3]!.pass();

    expect(statusesOf(await answer)).toEqual(['DONE', 'DONE', 'DONE', 'DONE']);
  });

  test('makes updates of one object in the order of the list', async () => {
    const key = randomUUID();
    const waiting = holdWrites();
    const answer = push(gateway, [
      update(`${key}-1`, { description: 'one' }),
      update(`${key}-2`, { description: 'two' }),
    ]);
    await expect.poll(() => waiting.length).toBe(1);
    expect(JSON.parse(waiting[0]!.request.body)).toEqual({ description: 'one' });
    waiting[0]!.pass();
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]!.pass();

    expect(statusesOf(await answer)).toEqual(['DONE', 'DONE']);
  });

  test.each([
    ['a card that comes twice', [ids.farmer, ids.cooperative], ['a', 'a']],
    ['two cards of one holder', [ids.farmer, ids.farmer], ['a', 'b']],
  ])('gives %s in the order of the list', async (_what, holders, cards) => {
    const key = randomUUID();
    const gives = holders.map(
      (entity, n): PushedWrite => ({
        key: `${key}-${n}`,
        write: { createEntityCard: { entity, card: { card_id: `${key}-${cards[n]}` } } },
      }),
    );
    const waiting = holdWrites();
    const answer = push(gateway, [...gives, createFarmer(`${key}-3`)]);
    await expect.poll(() => waiting.length).toBe(2);
    const entities = waiting.map(({ request }) => JSON.parse(request.body).entity);
    expect(new Set(entities)).toEqual(new Set([ids.farmer, undefined]));
    for (const { pass } of waiting) pass();
    await expect.poll(() => waiting.length).toBe(3);
    waiting[2]!.pass();

    expect(statusesOf(await answer)).toEqual(['DONE', 'DONE', 'DONE']);
  });

  test.each([
    ['is not known', { breaks: true } as const, ['UNKNOWN', 'NOT_TRIED'], 1],
    ['is not tried', { status: 503, headers: { 'retry-after': '1' } }, ['NOT_TRIED', 'NOT_TRIED'], 1],
    ['is refused', { status: 400, body: '{"name":["No."]}' }, ['REFUSED', 'DONE'], 2],
  ])(
    'leaves out an update if an earlier one of the object %s, unless it is refused',
    async (_, fault, statuses, sent) => {
      const key = randomUUID();
      gateway.upstream.fail(`${paths.companies}${ids.cooperative}/`, { ...fault, times: 1 });
      const answer = await push(gateway, [
        update(`${key}-1`, { name: 'One' }),
        update(`${key}-2`, { description: 'two' }),
      ]);

      expect(statusesOf(answer)).toEqual(statuses);
      expect(posts()).toHaveLength(sent);
    },
  );

  test('stops if the service does not accept the key, and keeps no record', async () => {
    const writes = farmers(20);
    gateway.upstream.fail(paths.farmers, { status: 401 });
    const answer = await push(gateway, writes);
    const tried = posts().length;
    gateway.upstream.recover();
    const again = await push(gateway, writes);

    expect(new Set(statusesOf(answer))).toEqual(new Set(['NOT_TRIED']));
    expect(new Set(codesIn(answer))).toEqual(new Set(['UNAUTHENTICATED']));
    expect(tried).toBe(2);
    expect(new Set(statusesOf(again))).toEqual(new Set(['DONE']));
  });

  test('waits for an equal push that is under way, and makes each write once', async () => {
    const writes = farmers(2);
    const waiting = holdWrites();
    const first = push(gateway, writes);
    await expect.poll(() => waiting.length).toBe(2);
    const second = push(gateway, writes);
    gateway.upstream.respond = undefined;
    for (const { pass } of waiting) pass();

    expect([statusesOf(await first), statusesOf(await second)]).toEqual([
      ['DONE', 'DONE'],
      ['REPLAYED', 'REPLAYED'],
    ]);
    expect(posts()).toHaveLength(2);
  });

  test('begins no write when its client has left, and records those on their way', async () => {
    const writes = farmers(4);
    gateway.upstream.hold('reads', 'writes');
    const client = new AbortController();
    const lost = gateway.post({ query: pushDocument(), variables: { writes } }, { signal: client.signal });
    const lostLater = gateway.post('{ currencies { count } }', { signal: client.signal });
    await gateway.upstream.untilArrived(3);
    client.abort();
    await Promise.all([expect(lost).rejects.toThrow(), expect(lostLater).rejects.toThrow()]);
    // The gateway has noticed the later client, and so the first.
    await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
    gateway.upstream.release();
    const again = await push(gateway, writes);

    expect(statusesOf(again)).toEqual(['REPLAYED', 'REPLAYED', 'DONE', 'DONE']);
    expect(posts()).toHaveLength(4);
  });
});

test('a push begins no write in the last tenth of its time, and replays the writes that have a record', async () => {
  const settings = { 'limits.operations.timeoutMs': '1000', 'upstream.timeouts.writeMs': '60000' };
  await using gateway = await startFakedGateway(settings, { costs: { ...flatCosts, parallelism: 1 } });
  const [first, second, third] = farmers(3) as [PushedWrite, PushedWrite, PushedWrite];
  await push(gateway, [second]);
  gateway.upstream.hold('writes');
  const clock = stopClock();
  const answer = push(gateway, [first, second, third]);
  await gateway.upstream.untilArrived(2);
  clock.pass(920);
  gateway.upstream.release();

  expect(statusesOf(await answer)).toEqual(['DONE', 'REPLAYED', 'NOT_TRIED']);
  expect(codesIn(await answer)).toEqual([undefined, undefined, 'UPSTREAM_TIMEOUT']);
});

test('a push looks once for a dialect that the service does not show, and keeps no record', async () => {
  await using gateway = await startFakedGateway({ UPSTREAM_DIALECT: 'auto' });
  gateway.upstream.fail(paths.currencies, { status: 500 });
  const writes = farmers(5);
  const answer = await push(gateway, writes);
  const calls = [...gateway.upstream.calls];
  gateway.upstream.recover();
  const again = await push(gateway, writes);

  expect(new Set(statusesOf(answer))).toEqual(new Set(['NOT_TRIED']));
  expect(calls).toHaveLength(1);
  // The error is that of a read, and no answer of a write.
  expect(new Set(statusesOf(again))).toEqual(new Set(['DONE']));
});

test('a push awaits the writes on their way when its time is over, and begins no other', async () => {
  const settings = { 'limits.operations.timeoutMs': '300', 'upstream.timeouts.writeMs': '60000' };
  await using gateway = await startFakedGateway(settings, { costs: { ...flatCosts, parallelism: 2 } });
  const [farmer, card] = purchaseOfNewFarmer(randomUUID());
  const writes = [farmer!, card!, ...farmers(3)];
  const document = pushDocument('... on Farmer { id buyer_id buyer { name } }');
  gateway.upstream.hold('reads', 'writes');
  const clock = stopClock();
  const pushed = gateway.query(document, { writes });
  await gateway.upstream.untilArrived(2);
  const later = gateway.ask('{ currencies { count } }');
  await gateway.upstream.untilArrived(3);
  clock.pass(300);
  // The time of the later operation is over, and so that of the push.
  expect(codeOf((await later).body)).toBe('UPSTREAM_TIMEOUT');
  gateway.upstream.release();
  const answer = await pushed;
  const again = await gateway.query(document, { writes });

  expect(statusesOf(answer)).toEqual(['DONE', 'NOT_TRIED', 'DONE', 'NOT_TRIED', 'NOT_TRIED']);
  expect(answer.data.push[1].error).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
  expect(answer.data.push[0].object).toMatchObject({ buyer_id: ids.cooperative, buyer: null });
  expect(answer.errors.map(({ path, extensions: { code } }) => [path?.join('.'), code])).toEqual([
    ['push.0.object.buyer', 'UPSTREAM_TIMEOUT'],
    ['push.2.object.buyer', 'UPSTREAM_TIMEOUT'],
  ]);
  expect(statusesOf(again)).toEqual(['REPLAYED', 'DONE', 'REPLAYED', 'DONE', 'DONE']);
});
