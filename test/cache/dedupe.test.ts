import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { page, paths, readRows, unknownId } from '../support/rest-reads.ts';
import { scrapeDrift } from '../support/scrape.ts';

let gateway: FakedGateway;
beforeEach(async () => {
  gateway = await startFakedGateway();
});
afterEach(() => gateway.close());

const list = page(paths.farmers, 3);
/** Selects the same page, and a farmer of its own. The call for the page arrives before that for the farmer. */
const asked = (id: number) => `{ farmers(limit: 3) { results { id } } own: farmer(id: "${id}") { id } }`;
const pagesAsked = () => gateway.upstream.calls.filter((call) => call === list).length;

test('ten concurrent identical requests of one caller cost one call', async () => {
  const farmers = await readRows(gateway, paths.farmers);
  gateway.upstream.hold();

  const answers = Array.from({ length: 10 }, (_, index) => gateway.query(asked(index)));
  await gateway.upstream.untilArrived(11);
  gateway.upstream.release();

  for (const { data } of await Promise.all(answers)) {
    expect(data.farmers.results).toEqual(farmers.slice(0, 3).map(({ id }) => ({ id })));
  }
  expect(pagesAsked()).toBe(1);
});

test('concurrent reads with another key or language are not shared', async () => {
  gateway.upstream.hold();

  const answers = [
    gateway.query(asked(1)),
    gateway.query(asked(2), {}, { key: 'demo-buyer' }),
    gateway.query(asked(3), {}, { headers: { 'accept-language': 'fr' } }),
  ];
  await gateway.upstream.untilArrived(6);
  gateway.upstream.release();

  const [coop, buyer] = await Promise.all(answers);
  expect(pagesAsked()).toBe(3);
  expect(buyer!.data.farmers.results).not.toEqual(coop!.data.farmers.results);
});

test('a shared read continues when one of its two clients leaves', async () => {
  gateway.upstream.hold();
  const leaving = new AbortController();
  const left = gateway.post(asked(1), { signal: leaving.signal });
  await gateway.upstream.untilArrived(2);
  const staying = gateway.query(asked(2));
  await gateway.upstream.untilArrived(3);

  leaving.abort();
  await expect(left).rejects.toThrow();
  await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
  gateway.upstream.release();

  const { data } = await staying;
  expect(data.farmers.results).toHaveLength(3);
  expect(gateway.upstream.abandoned).toEqual(['GET /supply-chains/farmers/1/']);
  expect(pagesAsked()).toBe(1);
});

test('a shared read is abandoned when its last client leaves, and the next client starts a new one', async () => {
  gateway.upstream.hold();
  const leaving = [new AbortController(), new AbortController()];
  const left = leaving.map(({ signal }, index) => gateway.post(asked(index), { signal }));
  await gateway.upstream.untilArrived(3);

  for (const client of leaving) client.abort();
  await Promise.allSettled(left);
  await expect.poll(() => gateway.upstream.abandoned).toHaveLength(3);
  gateway.upstream.release();

  expect(gateway.upstream.abandoned).toContain(list);
  expect((await gateway.query(asked(3))).data.farmers.results).toHaveLength(3);
  expect(pagesAsked()).toBe(2);
});

test('the gateway sends no further calls for a client that has left', async () => {
  gateway.upstream.hold();
  const leaving = new AbortController();
  const farmers = Array.from({ length: 5 }, (_, index) => `f${index}: farmer(id: "${index}") { first_name }`);
  const left = gateway.post(`{ ${farmers.join(' ')} }`, { signal: leaving.signal });
  await gateway.upstream.untilArrived(1);

  leaving.abort();
  await expect(left).rejects.toThrow();
  await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
  gateway.upstream.release();
  await gateway.query('{ cards { count } }');

  expect(gateway.upstream.calls).toEqual([page(paths.farmers, 100), page(paths.cards, 1)]);
});

test('a read during a write does not join a read from before the write', async () => {
  gateway.upstream.hold('reads', 'writes');
  const before = gateway.query('{ farmers { count } }');
  await gateway.upstream.untilArrived(1);
  const write = gateway.query('mutation { createFarmer(input: { first_name: "Ama" }) { first_name } }');
  await gateway.upstream.untilArrived(2);
  const after = gateway.query('{ farmers { count } }');
  await gateway.upstream.untilArrived(3);
  gateway.upstream.release();

  await Promise.all([before, write, after]);
});

test('a read after a write does not join a read from before the write', async () => {
  gateway.upstream.hold();
  const before = gateway.query('{ farmers { count } }');
  await gateway.upstream.untilArrived(1);
  const { data } = await gateway.query('mutation { createFarmer(input: { first_name: "Ama" }) { first_name } }');
  expect(data.createFarmer).toEqual({ first_name: 'Ama' });

  const after = gateway.query('{ farmers { count } }');
  await gateway.upstream.untilArrived(3);
  gateway.upstream.release();

  expect((await after).data.farmers.count).toBe(241);
  await before;
});

test('a request with Cache-Control: no-cache does not join an older read', async () => {
  gateway.upstream.hold();
  const older = gateway.query(asked(1));
  await gateway.upstream.untilArrived(2);

  const fresh = gateway.query(asked(2), {}, { headers: { 'cache-control': 'no-cache' } });
  await gateway.upstream.untilArrived(4);
  gateway.upstream.release();

  await Promise.all([older, fresh]);
  expect(pagesAsked()).toBe(2);
});

test('the trace lists a shared read as saved', async () => {
  gateway.upstream.hold();
  const first = gateway.query(asked(1));
  await gateway.upstream.untilArrived(2);
  const second = gateway.ask(asked(2), { headers: { 'x-trace-upstream': 'true' } });
  await gateway.upstream.untilArrived(3);
  gateway.upstream.release();

  const { extensions } = (await second).body;
  expect(extensions.upstream).toMatchObject({
    total: 1,
    calls: [{ path: '/supply-chains/farmers/{hashid}/', fields: ['own'] }],
    saved: [
      {
        path: '/supply-chains/farmers/',
        query: { offset: 0 },
        by: 'in flight',
        rows: 3,
        reason: 'root',
        fields: ['farmers'],
      },
    ],
  });
  await first;
});

test('the trace lists a shared read that failed as saved', async () => {
  const user = `user: user(id: "${unknownId}") { id }`;
  gateway.upstream.hold();
  const first = gateway.query(`{ ${user} farmer(id: "1") { id } }`);
  await gateway.upstream.untilArrived(2);
  const second = gateway.ask(`{ ${user} own: farmer(id: "2") { id } }`, { headers: { 'x-trace-upstream': 'true' } });
  await gateway.upstream.untilArrived(3);
  gateway.upstream.release();

  const { extensions } = (await second).body;
  expect(extensions.upstream).toMatchObject({
    saved: [{ path: '/accounts/users/{hashid}/', id: unknownId, by: 'in flight', rows: 0, fields: ['user'] }],
  });
  await first;
});

test('fields that the gateway adds to a shared answer are not reported as drift', async () => {
  const [farmer] = await readRows(gateway, paths.farmers);
  gateway.upstream.hold();
  const fresh = { headers: { 'cache-control': 'no-cache' } };
  const ask = () => gateway.query(`{ entity(id: "${farmer!.id}") { __typename name } }`, {}, fresh);
  const answers = Array.from({ length: 12 }, ask);
  await gateway.upstream.untilArrived(12);
  gateway.upstream.release();
  await Promise.all(answers);

  expect(await scrapeDrift(gateway.url)).toEqual({});
});
