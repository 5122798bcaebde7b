import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { page, paths } from '../support/rest-reads.ts';

let gateway: FakedGateway;
beforeEach(async () => {
  gateway = await startFakedGateway();
});
afterEach(() => gateway.close());

function leavingClient(query: string, headers = {}) {
  const leaving = new AbortController();
  const answer = gateway.post(query, { headers, signal: leaving.signal });
  return async () => {
    leaving.abort();
    await expect(answer).rejects.toThrow();
  };
}

test.each([
  // Each row: a document, and its number of calls before and after the first answers.
  ['pages', '{ farmers(limit: 240) { results { name } } }', 1, 2],
  ['references', '{ productTransactions { results { creator { email } } } }', 1, 3],
  ['list scans', '{ entityCards(limit: 50) { results { entity { name } } } }', 1, 1],
])('all reads end and none begins after 20 clients leave during %s', async (_what, query, first, next) => {
  gateway.upstream.hold();
  // Distinct languages keep the clients from sharing reads.
  const clients = Array.from({ length: 20 }, (_, index) => leavingClient(query, { 'accept-language': `x-${index}` }));
  await gateway.upstream.untilArrived(20 * first);
  gateway.upstream.release();
  gateway.upstream.hold();
  await gateway.upstream.untilArrived(20 * (first + next));
  expect(gateway.upstream.pending).toBe(20 * next);

  await Promise.all(clients.map((leave) => leave()));
  await expect.poll(() => gateway.upstream.pending).toBe(0);
  gateway.upstream.release();
  await gateway.query('{ currencies { count } }');

  expect(gateway.upstream.abandoned).toHaveLength(20 * next);
  expect(gateway.upstream.calls.slice(20 * (first + next))).toEqual([page(paths.currencies, 1)]);
});

test('a sent write completes after its client left, and the next write is not sent', async () => {
  gateway.upstream.hold('reads', 'writes');
  const leave = leavingClient(`mutation {
    first: createFarmer(input: { first_name: "Ama" }) { first_name creator { email } }
    second: createFarmer(input: { first_name: "Esi" }) { first_name }
  }`);
  const leaveLater = leavingClient('{ currencies { count } }');
  await gateway.upstream.untilArrived(2);
  await leave();
  await leaveLater();
  // The gateway has noticed the later client, and so the first.
  await expect.poll(() => gateway.upstream.abandoned).toEqual([page(paths.currencies, 1)]);
  gateway.upstream.release();

  const count = async () => (await gateway.query('{ farmers { count } }')).data.farmers.count;
  await expect.poll(count).toBe(241);
  expect(await count()).toBe(241);
  expect(gateway.upstream.calls.filter((call) => call !== page(paths.farmers, 1)).toSorted()).toEqual([
    page(paths.currencies, 1),
    `POST ${paths.farmers}`,
  ]);
});
