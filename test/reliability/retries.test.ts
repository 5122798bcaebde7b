import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RetryPolicy } from '../../packages/upstream/retry.ts';
import { summariesOf } from '../support/client.ts';
import type { Reply } from '../support/fake-upstream.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { page, paths, readRows } from '../support/rest-reads.ts';
import { stopClock } from '../support/stopped-clock.ts';

const quick = { 'retries.max': '2', 'retries.baseMs': '1' };
const list = page(paths.currencies, 3);
const document = '{ currencies(limit: 3) { results { code } } }';

describe('a read that fails', () => {
  let gateway: FakedGateway;
  let codes: { code: string }[];
  beforeAll(async () => {
    // The operation times out before the read.
    gateway = await startFakedGateway({
      ...quick,
      'limits.operations.timeoutMs': '5000',
      'limits.operations.upstreamCalls': '20',
    });
    codes = (await readRows(gateway, paths.currencies)).slice(0, 3).map(({ code }) => ({ code }));
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    stopClock();
    gateway.upstream.recover();
  });

  const transient: Record<string, Reply> = {
    'with 502': { status: 502, body: '<h1>Bad Gateway</h1>' },
    'with 503': { status: 503 },
    'with 504': { status: 504 },
    'with 429': { status: 429, body: '{"detail":"Request was throttled."}' },
    'with 503 in an envelope': { body: '{"success":false,"message":{"detail":"Later."},"code":503,"data":{}}' },
    'with a time to wait that is over': { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
    'with a broken connection': { breaks: true },
  };

  test.each(Object.entries(transient))('twice %s is retried, and succeeds without an error', async (_how, fault) => {
    gateway.upstream.fail(paths.currencies, { ...fault, times: 2 });

    const answer = await gateway.queryFailing(document);

    expect(answer).toMatchObject({ data: { currencies: { results: codes } }, errors: [] });
    expect(answer.calls).toEqual([list, list, list]);
  });

  test('three times is reported as an error', async () => {
    gateway.upstream.fail(paths.currencies, { status: 503 });

    const answer = await gateway.queryFailing(document);

    expect(summariesOf(answer)).toEqual([
      { path: ['currencies'], code: 'UPSTREAM_UNAVAILABLE', retryable: true, upstream_status: 503 },
    ]);
    expect(answer.calls).toEqual([list, list, list]);
  });

  const lasting: Record<string, Reply> = {
    'with 400': { status: 400, body: '{"limit":["Wrong."]}' },
    'with 401': { status: 401, body: '{}' },
    'with 403': { status: 403, body: '{}' },
    'with 404': { status: 404, body: '{}' },
    'with more time to wait than the operation has': { status: 503, headers: { 'retry-after': '10' } },
    'with more time to wait than any read has': { status: 503, headers: { 'retry-after': '3600' } },
  };

  test.each(Object.entries(lasting))('%s is not retried', async (_how, fault) => {
    gateway.upstream.fail(paths.currencies, { ...fault, times: 1 });

    const answer = await gateway.queryFailing(document);

    expect(answer.data).toEqual({ currencies: null });
    const retryAfter = Number(fault.headers?.['retry-after']) || undefined;
    expect(answer.errors[0]?.extensions.retry_after).toBe(retryAfter);
    expect(answer.calls).toEqual([list]);
  });

  test.each<[string, Reply]>([
    ['with 500, which the real service says to plain mistakes', { status: 500, body: '<h1>Server Error (500)</h1>' }],
    ['with something that is not JSON', { body: '<h1>Welcome</h1>' }],
    ['with bytes that are not UTF-8', { body: Buffer.from('{"id":"A","email":"café"}', 'latin1') }],
  ])('%s is read in parts, and not retried', async (_how, fault) => {
    gateway.upstream.fail(paths.currencies, { ...fault, times: 1 });

    const answer = await gateway.queryFailing(document);

    expect(answer).toMatchObject({ data: { currencies: { results: codes } }, errors: [] });
    expect(answer.calls.filter((call) => call === list)).toHaveLength(1);
    gateway.upstream.fail('/accounts/users/A/', { ...fault, times: 1 });
    const get = await gateway.queryFailing('{ user(id: "A") { email } }');
    expect(get.data).toEqual({ user: null });
    expect(get.calls).toHaveLength(1);
  });

  test("is retried only within the operation's call budget", async () => {
    gateway.upstream.fail(paths.currencies, { status: 503 });
    const others = Array.from({ length: 18 }, (_, index) => `u${index}: user(id: "${index}") { email }`);

    const answer = await gateway.queryFailing(`{ currencies(limit: 3) { count } ${others.join(' ')} }`);

    expect(answer.errors).toContainEqual(
      expect.objectContaining({
        path: ['currencies'],
        extensions: expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' }),
      }),
    );
    expect(answer.calls).toHaveLength(20);
    expect(answer.calls.filter((call) => call === page(paths.currencies, 1))).toHaveLength(2);
  });

  test('appears in the trace once for each attempt', async () => {
    gateway.upstream.fail(paths.currencies, { status: 503, times: 2 });

    const { body } = await gateway.ask(document, { headers: { 'x-trace-upstream': 'true' } });

    const { upstream } = body.extensions;
    const call = { method: 'GET', path: paths.currencies, reason: 'root', fields: ['currencies'] };
    expect(upstream.calls).toMatchObject([
      { ...call, status: 503, rows: 0 },
      { ...call, status: 503, rows: 0, retry: 1 },
      { ...call, status: 200, rows: 3, retry: 2 },
    ]);
    expect(upstream.calls[0]).not.toHaveProperty('retry');
    expect(upstream.total).toBe(3);
  });
});

test("a retry after the read's deadline is not awaited", async () => {
  await using gateway = await startFakedGateway({ ...quick, 'upstream.timeouts.readMs': '1500' });
  gateway.upstream.fail(paths.currencies, { status: 503, headers: { 'retry-after': '2' }, times: 1 });
  stopClock();

  const answer = await gateway.queryFailing(document);

  expect(summariesOf(answer)).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', retry_after: 2 }]);
  expect(answer.calls).toEqual([list]);
});

test('the retry budget keeps retries below the number of failed reads', async () => {
  await using gateway = await startFakedGateway({
    'retries.max': '2',
    'limits.documents.rootFields': '60',
    'limits.documents.aliases': '60',
  });
  const ids = Array.from({ length: 60 }, (_, index) => String(index));
  for (const id of ids) gateway.upstream.fail(`${paths.users}${id}/`, { status: 503 });
  gateway.upstream.hold('reads');

  const answering = gateway.queryFailing(`{ ${ids.map((id) => `u${id}: user(id: "${id}") { email }`).join(' ')} }`);
  await gateway.upstream.untilArrived(60);
  gateway.upstream.release();
  const { errors, calls } = await answering;

  expect(errors).toHaveLength(60);
  expect(calls.length).toBeGreaterThan(60);
  expect(calls.length).toBeLessThan(120);
});

test('RetryPolicy admits a share of the reads under way, and at least three retries', () => {
  const retries = new RetryPolicy({ max: 2, baseMs: 1, capMs: 1, share: 0.2 });
  const admitted = () => {
    let count = 0;
    while (retries.admit()) count += 1;
    return count;
  };
  for (let reads = 0; reads < 5; reads += 1) retries.begin();
  expect(admitted()).toBe(3);
  for (let reads = 5; reads < 30; reads += 1) retries.begin();
  expect(admitted()).toBe(6 - 3);
  retries.end(true);
  expect(admitted()).toBe(1);
});

describe('a write', () => {
  let gateway: Gateway;
  let proxy: FakeUpstream;
  beforeAll(async () => {
    proxy = await startFakeUpstream();
    gateway = await startGateway({ upstreamUrl: proxy.url, settings: quick });
  });
  afterAll(async () => {
    await gateway.close();
    await proxy.close();
  });

  test.each([
    ['a broken connection', { breaks: true }, 'OUTCOME_UNKNOWN'],
    ['502', { status: 502, body: '' }, 'OUTCOME_UNKNOWN'],
    ['503', { status: 503, body: '' }, 'OUTCOME_UNKNOWN'],
    ['503 for now', { status: 503, headers: { 'retry-after': '0' }, body: '' }, 'UPSTREAM_UNAVAILABLE'],
    ['504', { status: 504, body: '' }, 'OUTCOME_UNKNOWN'],
    ['429', { status: 429, headers: { 'retry-after': '0' }, body: '{}' }, 'RATE_LIMITED'],
  ] as const)('answered with %s is never sent again', async (_how, reply, code) => {
    proxy.requests.length = 0;
    proxy.respond = () => reply;

    const post = await gateway.query('mutation { createFarmer(input: { first_name: "Ama" }) { first_name } }');
    const patch = await gateway.query('mutation { updateUser(id: "A", input: { first_name: "Ama" }) { first_name } }');

    for (const { errors } of [post, patch]) expect(errors).toMatchObject([{ extensions: { code } }]);
    expect(proxy.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });
});

describe('a read that waits for its next attempt', () => {
  /** Leaves requests open until the test answers them. */
  let upstream: FakeUpstream;
  let gateway: Gateway;
  beforeEach(async () => {
    upstream = await startFakeUpstream();
    gateway = await startGateway({
      upstreamUrl: upstream.url,
      settings: { ...quick, 'upstream.connections': '1' },
    });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
  });

  const busy = (index: number, seconds: number) =>
    upstream.requests[index]?.reply({ status: 503, headers: { 'retry-after': String(seconds) } });
  const answer = (index: number, id: string) =>
    upstream.requests[index]?.reply({ body: JSON.stringify({ id, first_name: id }) });
  /** The second call arrives only after the failure of the first, because there is one connection. */
  const both = (own: string) => `{ farmer(id: "A") { first_name } own: farmer(id: "${own}") { first_name } }`;
  const asked = () => upstream.requests.map(({ path }) => /farmers\/(.*)\/$/.exec(path)?.[1]);

  test('can be joined by other clients, who get its answer', async () => {
    const first = gateway.query(both('B'));
    await upstream.untilArrived(1);
    busy(0, 1);
    await upstream.untilArrived(2);
    const second = gateway.query(both('C'));
    answer(1, 'B');
    await upstream.untilArrived(3);
    answer(2, 'C');
    await upstream.untilArrived(4);
    answer(3, 'A');

    expect((await first).data).toEqual({ farmer: { first_name: 'A' }, own: { first_name: 'B' } });
    expect((await second).data).toEqual({ farmer: { first_name: 'A' }, own: { first_name: 'C' } });
    expect(asked()).toEqual(['A', 'B', 'C', 'A']);
  });

  test('ends when its last client leaves', async () => {
    const leaving = new AbortController();
    const left = gateway.post(both('B'), { signal: leaving.signal });
    await upstream.untilArrived(1);
    busy(0, 15);
    await upstream.untilArrived(2);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => upstream.requests[1]?.socket.destroyed).toBe(true);

    const next = gateway.query('{ farmer(id: "A") { first_name } }');
    await upstream.untilArrived(3);
    answer(2, 'A');

    expect((await next).data).toEqual({ farmer: { first_name: 'A' } });
    expect(asked()).toEqual(['A', 'B', 'A']);
  });
});
