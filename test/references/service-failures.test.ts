import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { summariesOf } from '../support/client.ts';
import type { Reply } from '../support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { distinct, expectCalls, one, page, paths, pick, type Row, readRows } from '../support/rest-reads.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { stopClock } from '../support/stopped-clock.ts';

let gateway: FakedGateway;
let farmers: Row[];
/** A user who created some of the first twenty farmers, and where they stand among them. */
let lost: string;
let lostRows: number[];

/** The time of a read, by a clock that stands until the test lets it pass. The timer that looks at it is short. */
const readMs = 200;
let clock: ReturnType<typeof stopClock>;

beforeAll(async () => {
  gateway = await startFakedGateway({ 'upstream.timeouts.readMs': String(readMs) });
  farmers = await readRows(gateway, paths.farmers);
  lost = farmers[1]!.creator;
  lostRows = farmers.slice(0, 20).flatMap(({ creator }, index) => (creator === lost ? [index] : []));
});
afterAll(() => gateway.close());
beforeEach(() => {
  clock = stopClock();
  gateway.upstream.recover();
});

/** Asks while `fault` is set. The time of an answer that never comes is over when the other `calls` have theirs. */
async function askDuring(fault: Reply, calls: number, ...query: Parameters<FakedGateway['queryFailing']>) {
  const asked = gateway.queryFailing(...query);
  if (fault.stalls) {
    await gateway.upstream.untilArrived(calls);
    const inFlight = async () => valuesOf(await scrape(gateway.url), 'upstream_calls_in_flight')[''];
    await expect.poll(inFlight).toBe(1);
    clock.pass(readMs);
  }
  return asked;
}

const html = '<html><h1>Server Error (500)</h1><pre>Traceback at 127.0.0.1: Authorization: demo-coop</pre></html>';

const faults: Record<
  string,
  [Reply, { code: string; upstream_status?: number; retry_after?: number; retryable?: true }]
> = {
  'is not found': [{ status: 404, body: '{"detail":"Not found."}' }, { code: 'REFERENCE_NOT_FOUND' }],
  'is refused': [
    { status: 403, body: '{"detail":"You do not have permission, demo-coop."}' },
    { code: 'FORBIDDEN', upstream_status: 403 },
  ],
  'crashes with a page of HTML': [
    { status: 500, headers: { 'content-type': 'text/html' }, body: html },
    { code: 'UPSTREAM_ERROR', upstream_status: 500 },
  ],
  'is not available': [
    { status: 503, headers: { 'retry-after': '7' }, body: '' },
    { code: 'UPSTREAM_UNAVAILABLE', upstream_status: 503, retry_after: 7, retryable: true },
  ],
  'is throttled': [
    { status: 429, headers: { 'retry-after': '0' }, body: '{"detail":"Request was throttled."}' },
    { code: 'RATE_LIMITED', upstream_status: 429, retry_after: 0, retryable: true },
  ],
  'is moved': [
    { status: 301, headers: { location: 'http://127.0.0.1:1/v1/elsewhere/' }, body: '' },
    { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 301 },
  ],
  'is half a JSON text': [{ body: '{"id":"7E' }, { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 200 }],
  'is an empty body': [{ body: '' }, { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 200 }],
  'is a page of HTML': [{ body: html }, { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 200 }],
  'is a list': [{ body: '[]' }, { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 200 }],
  'is an object without an id': [{ body: '{}' }, { code: 'UPSTREAM_INVALID_RESPONSE' }],
  'is another object': [{ body: '{"id":"ZZZZZZZZZZ"}' }, { code: 'UPSTREAM_INVALID_RESPONSE' }],
  'is an envelope around nothing': [
    { body: '{"success":true,"detail":"Success","code":200,"data":null}' },
    { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 200 },
  ],
  'is a broken connection': [{ breaks: true }, { code: 'UPSTREAM_UNAVAILABLE', retryable: true }],
  'never comes': [{ stalls: true }, { code: 'UPSTREAM_TIMEOUT', retryable: true }],
};

describe('a reference whose answer', () => {
  test.each(Object.keys(faults))('%s is null with one error, without its neighbours', async (name) => {
    const [fault, error] = faults[name]!;
    gateway.upstream.fail(`${paths.users}${lost}/`, fault);
    expect(lostRows.length).toSatisfy((length) => length > 0 && length < 20);

    const rows = farmers.slice(0, 20);
    const creators = distinct(rows.map(({ creator }) => creator));
    const answer = await askDuring(
      fault,
      1 + creators.length,
      '{ farmers { results { id first_name creator { id email } updater { id } } } }',
      {},
      // Otherwise a miss of another test would be the answer.
      { headers: { 'cache-control': 'no-cache' } },
    );

    expect(answer.status).toBe(200);
    expect(answer.data.farmers.results).toEqual(
      rows.map(({ id, first_name, creator, updater }) => ({
        id,
        first_name,
        creator: creator === lost ? null : { id: creator, email: expect.any(String) },
        updater: { id: updater },
      })),
    );
    expect(summariesOf(answer)).toEqual(
      lostRows.map((index) => ({
        path: ['farmers', 'results', index, 'creator'],
        retryable: false,
        reference: { type: 'User', id: lost },
        ...error,
      })),
    );
    expectCalls(answer, page(paths.farmers), ...creators.map((id) => one(paths.users, id)));
  });
});

describe('a single resource whose answer', () => {
  test.each(Object.keys(faults))('%s is null with that error', async (name) => {
    const [fault, { code }] = faults[name]!;
    const [{ id }] = farmers as [Row];
    gateway.upstream.fail(`${paths.farmers}${id}/`, fault);

    const document = 'query ($id: ID!) { farmer(id: $id) { first_name } currencies { count } }';
    const answer = await askDuring(fault, 2, document, { id });

    expect(answer).toMatchObject({ status: 200, data: { farmer: null, currencies: { count: 150 } } });
    expect(answer.errors).toMatchObject([
      { path: ['farmer'], extensions: { code: code === 'REFERENCE_NOT_FOUND' ? 'NOT_FOUND' : code } },
    ]);
  });
});

describe('a list whose answer', () => {
  test.each(Object.keys(faults))('%s is null with that error, without other lists', async (name) => {
    const [fault, { code }] = faults[name]!;
    gateway.upstream.fail(paths.farmers, fault);

    const answer = await askDuring(fault, 2, '{ farmers { results { first_name } } currencies { count } }');

    expect(answer).toMatchObject({ status: 200, data: { farmers: null, currencies: { count: 150 } } });
    expect(answer.errors).toMatchObject([
      // A list is always there: what is not found is its path.
      { path: ['farmers'], extensions: { code: code === 'REFERENCE_NOT_FOUND' ? 'UPSTREAM_INVALID_RESPONSE' : code } },
    ]);
  });

  test('announces more rows than it gives is null with an error', async () => {
    gateway.upstream.fail(paths.farmers, {
      edit(answer) {
        answer.count += 10;
      },
    });

    const answer = await gateway.queryFailing('{ farmers(limit: 250) { results { first_name } } }');

    expect(answer.data).toEqual({ farmers: null });
    expect(summariesOf(answer)).toEqual([{ path: ['farmers'], code: 'UPSTREAM_INVALID_RESPONSE', retryable: false }]);
  });

  test('has rows without an id gives the other rows, with one error for each', async () => {
    gateway.upstream.fail(paths.farmers, {
      edit({ results }) {
        delete results[3].id;
        results[5] = null;
      },
    });

    const answer = await gateway.queryFailing(
      '{ farmers(limit: 8) { count results { id first_name } edges { cursor node { id } } } }',
    );

    const left = farmers.slice(0, 8).filter((_, index) => index !== 3 && index !== 5);
    expect(answer.data.farmers.count).toBe(farmers.length);
    expect(answer.data.farmers.results).toEqual(pick(left, 'id', 'first_name'));
    expect(summariesOf(answer)).toEqual(
      Array(2).fill({ path: ['farmers'], code: 'UPSTREAM_INVALID_RESPONSE', retryable: false }),
    );
    const { cursor } = answer.data.farmers.edges.at(-1);

    gateway.upstream.recover();
    const following = await gateway.queryFailing(
      'query ($cursor: String) { farmers(after: $cursor, first: 1) { results { id } } }',
      { cursor },
    );
    expect(following.data.farmers.results).toEqual([{ id: farmers[8]!.id }]);
  });
});

test('a value of another type is null with one error on its field alone', async () => {
  gateway.upstream.fail(paths.farmers, {
    edit({ results }) {
      results[1].consent_status = 3;
      results[2].created_on = 'yesterday';
      results[3].latitude = 'north';
    },
  });

  const answer = await gateway.queryFailing(
    '{ farmers(limit: 5) { results { id consent_status created_on latitude } } }',
  );

  const expected = pick(farmers.slice(0, 5), 'id', 'consent_status', 'created_on', 'latitude');
  Object.assign(expected[1]!, { consent_status: null });
  Object.assign(expected[2]!, { created_on: null });
  Object.assign(expected[3]!, { latitude: null });
  expect(answer.data.farmers.results).toEqual(expected);
  expect(summariesOf(answer)).toEqual(
    [
      [1, 'consent_status'],
      [2, 'created_on'],
      [3, 'latitude'],
    ].map(([index, field]) => ({
      path: ['farmers', 'results', index, field],
      code: 'UPSTREAM_INVALID_RESPONSE',
      retryable: false,
    })),
  );
});
