import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bearerOf, people } from '../support/tokens.ts';

const folder = join(import.meta.dirname, '../../examples/react/src/outbox');
// The types of the example come from its own code generator, which does not run for this test.
const { add, drop, foundDone, giveUpOldKeys, makeAnew, markSent, nextPush, settle } = await import(
  join(folder, 'queue-changes.ts')
);
const { newRef } = await import(join(folder, 'queued-write.ts'));

const day = 24 * 60 * 60 * 1000;

const { accountOf } = await import(join(folder, 'account.ts'));

/** A farmer and a purchase that needs the farmer. */
function farmerAndPurchase() {
  const ref = newRef();
  return add(
    [],
    [
      { ref, title: 'farmer', write: { createFarmer: { first_name: '$5' } } },
      { ref: newRef(), title: 'purchase', write: { createProductTransaction: { source: `$${ref}`, parents: ['P'] } } },
    ],
    1,
  );
}

/** The queue after a push whose writes got these results. */
function answered(queue: { key: string }[], statuses: object[], at = 10) {
  const sent = markSent(queue, nextPush(queue), at);
  return settle(
    sent,
    statuses.map((status, index) => ({ key: queue[index]!.key, object: null, error: null, ...status })),
    at,
  );
}

test('a push has whole chains in order, and 50 writes at most', () => {
  const queue = Array.from({ length: 40 }, farmerAndPurchase).flat();

  expect(nextPush(queue)).toEqual(queue.slice(0, 50));
});

test('a write waits for a refused one, and for those that wait', () => {
  const [farmer, purchase] = answered(farmerAndPurchase(), [{ status: 'REFUSED' }, { status: 'NOT_TRIED' }]);

  expect([farmer.state, purchase.state]).toEqual(['refused', 'pending']);
  expect(nextPush([farmer, purchase])).toEqual([]);
});

test('the id of a done write takes the place of its ref', () => {
  const [, purchase] = answered(farmerAndPurchase(), [
    { status: 'DONE', object: { id: 'F' } },
    { status: 'NOT_TRIED' },
  ]);

  expect(purchase.write).toEqual({ createProductTransaction: { source: 'F', parents: ['P'] } });
  expect(nextPush([purchase])).toEqual([purchase]);
});

test('the card of a done assignment takes the place of its ref', () => {
  const ref = newRef();
  const queue = add(
    [],
    [
      { ref, title: 'card', write: { createEntityCard: { entity: 'F', card: { card_id: '04A1' } } } },
      { ref: newRef(), title: 'purchase', write: { createProductTransaction: { card: `$${ref}` } } },
    ],
    1,
  );
  const [, purchase] = answered(queue, [
    { status: 'DONE', object: { id: 'A', card: { id: 'C' } } },
    { status: 'NOT_TRIED' },
  ]);

  expect(purchase.write).toEqual({ createProductTransaction: { card: 'C' } });
});

test('a write that was not tried stays perhaps done if an earlier answer was lost', () => {
  const first = answered(farmerAndPurchase(), [{ status: 'NOT_TRIED' }, { status: 'NOT_TRIED' }], 10);
  expect(first.map(({ sentAt }: { sentAt?: number }) => sentAt)).toEqual([undefined, undefined]);

  const lost = markSent(first, nextPush(first), 20);
  const second = answered(lost, [{ status: 'NOT_TRIED' }, { status: 'NOT_TRIED' }], 30);
  expect(second.map(({ sentAt }: { sentAt?: number }) => sentAt)).toEqual([20, 20]);
});

test('a write without an answer for a day is unknown, because its key may be too old', () => {
  const queue = farmerAndPurchase();
  const sent = markSent(queue, nextPush(queue), 10);

  expect(giveUpOldKeys(queue, day + 11)).toEqual(queue);
  expect(giveUpOldKeys(sent, day + 10)).toEqual(sent);
  expect(nextPush(giveUpOldKeys(sent, day + 11))).toEqual([]);
});

test.each([
  ['UNKNOWN', { code: 'OUTCOME_UNKNOWN', retryable: false }, 'unknown'],
  ['UNKNOWN', { code: 'UPSTREAM_TIMEOUT', retryable: true }, 'pending'],
  ['REFUSED', { code: 'IDEMPOTENCY_CONFLICT', retryable: false }, 'unknown'],
  ['REFUSED', { code: 'BAD_USER_INPUT', retryable: false }, 'refused'],
  ['REPLAYED', null, 'done'],
])('a result %s with %j makes a write %s', (status, error, state) => {
  const [farmer] = answered(farmerAndPurchase(), [{ status, error }]);

  expect(farmer.state).toBe(state);
});

test('a corrected write has another key and the same ref', () => {
  const queue = answered(farmerAndPurchase(), [{ status: 'REFUSED' }, { status: 'NOT_TRIED' }]);
  const [farmer] = makeAnew(queue, queue[0].key, { createFarmer: { first_name: 'Esi' } });

  expect(farmer).toMatchObject({ ref: queue[0].ref, state: 'pending', write: { createFarmer: { first_name: 'Esi' } } });
  expect(farmer.key).not.toBe(queue[0].key);
  expect(farmer.sentAt).toBeUndefined();
});

test('a write that may have happened cannot be dropped', () => {
  const queue = farmerAndPurchase();
  const sent = markSent(queue, nextPush(queue), 10);

  expect(drop(sent, queue[0].key)).toEqual(sent);
  expect(drop(queue, queue[1].key)).toEqual(queue.slice(0, 1));
  expect(drop(queue, queue[0].key)).toEqual([]);
});

test('a write that the user has found gives its id to those that wait', () => {
  const queue = answered(farmerAndPurchase(), [{ status: 'UNKNOWN' }, { status: 'NOT_TRIED' }]);
  const [farmer, purchase] = foundDone(queue, queue[0].key, 'F');

  expect(farmer.state).toBe('done');
  expect(purchase.write.createProductTransaction.source).toBe('F');
});

test('the claims of a token name the account, and any other key is an account of its own', async () => {
  const { abena, theogene } = people;
  const keys = [
    bearerOf(abena),
    bearerOf(abena),
    bearerOf(theogene),
    'demo-coop',
    'Bearer made.up.key',
    'Bearer a.b.c',
  ];

  const accounts: string[] = await Promise.all(keys.map(accountOf));

  expect(accounts[0]).toBe(accounts[1]);
  expect(new Set(accounts).size).toBe(keys.length - 1);
});
