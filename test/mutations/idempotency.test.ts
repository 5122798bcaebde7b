import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Carrier } from '../../packages/replicas/share/carrier.ts';
import { type Sandbox, startSandbox } from '../../packages/sandbox/server.ts';
import { type Answer, codesOf } from '../support/client.ts';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { firstRows, paths, readRows } from '../support/rest-reads.ts';

const createFarmer =
  'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id first_name buyer { id } } }';
const named = (first_name: string) => ({ input: { first_name } });
const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers, extensions }: Answer) => ({
  header: headers.get('idempotency-replayed'),
  fields: (extensions?.idempotency as { replayed?: string[] })?.replayed,
});
const notReplayed = { header: null, fields: undefined };

const folder = mkdtempSync(join(tmpdir(), 'idempotency-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['SQLite', 'Redis'].filter((name) => name === 'SQLite' || hasRedis))('with records in %s', (kind) => {
  let redis: RedisServer | undefined;
  let sandbox: Sandbox;
  /** Passes requests on to the sandbox, and records them. */
  let service: FakeUpstream;
  /** The connections of the gateways to `service`. */
  let way: FaultProxy;
  let gateway: Gateway;
  let settings: Record<string, string>;

  beforeAll(async () => {
    redis = kind === 'Redis' ? await startRedis() : undefined;
    settings = { IDEMPOTENCY_FILE: join(folder, `${kind}.db`), ...(redis && { REDIS_URL: redis.url }) };
    sandbox = await startSandbox({ data: ':memory:' });
    service = await startFakeUpstream({ target: sandbox.url });
    way = await startFaultProxy(service.url);
    gateway = await startOver();
  });
  afterEach(() => {
    way.set({});
    service.respond = undefined;
  });
  afterAll(async () => {
    await gateway.close();
    await way.close();
    await service.close();
    await sandbox.close();
    await redis?.close();
  });

  /** Another gateway with the same service and records: another worker, or the same worker after a restart. */
  const startOver = () => startGateway({ upstreamUrl: way.url, settings });
  const writes = () =>
    service.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  const storedAs = async (name: string) =>
    (await readRows({ sandbox }, paths.farmers)).filter((row) => row.first_name === name);

  /** The writes that `run` sends to the service. */
  async function writesOf<T>(run: () => Promise<T>): Promise<{ result: T; sent: string[] }> {
    const before = writes().length;
    const result = await run();
    return { result, sent: writes().slice(before) };
  }

  test('answers a repeated request from its record, without a second write', async () => {
    const key = randomUUID();
    const first = await gateway.query(createFarmer, named('Once'), under(key));
    const { result: again, sent } = await writesOf(() => gateway.query(createFarmer, named('Once'), under(key)));

    expect(first.errors).toEqual([]);
    expect(replayed(first)).toEqual(notReplayed);
    expect(again.data).toEqual(first.data);
    expect(replayed(again)).toEqual({ header: 'true', fields: ['createFarmer'] });
    expect(sent).toEqual([]);
    expect(await storedAs('Once')).toHaveLength(1);
  });

  test('makes one write with one answer of fifty equal requests to two gateways', async () => {
    const other = await startOver();
    const key = randomUUID();
    const { result: answers, sent } = await writesOf(() =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? gateway : other).query(createFarmer, named('Fifty'), under(key)),
        ),
      ),
    );
    await other.close();

    expect(sent).toEqual([`POST ${paths.farmers}`]);
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer).header === 'true')).toHaveLength(49);
  });

  test.each([
    ['other variables', createFarmer, named('Other')],
    ['another operation', createFarmer.replace(' first_name', ''), named('Mine')],
  ])('refuses %s under the same key, and sends nothing', async (_, document, variables) => {
    const key = randomUUID();
    await gateway.query(createFarmer, named('Mine'), under(key));
    const { result, sent } = await writesOf(() => gateway.query(document, variables, under(key)));

    expect(result.status).toBe(422);
    expect(codesOf(result)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(sent).toEqual([]);
  });

  test('ignores the order of the keys in an input', async () => {
    const key = randomUUID();
    await gateway.query(createFarmer, { input: { first_name: 'Ordered', city: 'Accra' } }, under(key));
    const again = await gateway.query(createFarmer, { input: { city: 'Accra', first_name: 'Ordered' } }, under(key));

    expect(replayed(again).header).toBe('true');
  });

  test('separates the keys of different callers', async () => {
    const key = randomUUID();
    const mine = await gateway.query(createFarmer, named('Shared'), under(key));
    const theirs = await gateway.query(createFarmer, named('Shared'), { ...under(key), key: 'demo-buyer' });

    expect(replayed(theirs)).toEqual(notReplayed);
    expect(theirs.data.createFarmer.id).not.toBe(mine.data.createFarmer.id);
  });

  test('repeats only the writes of an operation that were not made', async () => {
    const document = `mutation ($one: CreateFarmerInput!, $two: CreateFarmerInput!) {
      one: createFarmer(input: $one) { id } two: createFarmer(input: $two) { id } }`;
    const variables = { one: { first_name: 'One' }, two: { first_name: 'Two' } };
    const key = randomUUID();
    const later = { status: 503, headers: { 'retry-after': '1' }, body: '{}' };
    service.respond = ({ body }) => (body.includes('Two') ? later : undefined);
    const first = await gateway.query(document, variables, under(key));
    service.respond = undefined;
    const { result: again, sent } = await writesOf(() => gateway.query(document, variables, under(key)));

    expect(codesOf(first)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(again.errors).toEqual([]);
    expect(again.data.one).toEqual(first.data.one);
    expect(replayed(again)).toEqual({ header: 'true', fields: ['one'] });
    expect(sent).toEqual([`POST ${paths.farmers}`]);
  });

  test('never repeats a write whose answer was lost', async () => {
    const key = randomUUID();
    way.set({ answer: { resetAfter: 0 } });
    const first = await gateway.query(createFarmer, named('Lost'), under(key));
    way.set({});
    const { result: again, sent } = await writesOf(() => gateway.query(createFarmer, named('Lost'), under(key)));

    expect([codesOf(first), codesOf(again)]).toEqual([['OUTCOME_UNKNOWN'], ['OUTCOME_UNKNOWN']]);
    expect(replayed(again).header).toBe('true');
    expect(sent).toEqual([]);
    expect(await storedAs('Lost')).toHaveLength(1);
  });

  test('never repeats a write whose gateway went down in the middle of it', async () => {
    const key = randomUUID();
    way.set({ answer: { stallAfter: 0 } });
    const { sent } = await writesOf(async () => {
      // A gateway that is down renews no lease.
      vi.spyOn(globalThis, 'setInterval').mockReturnValue(undefined as never);
      const first = gateway.query(createFarmer, named('Down'), under(key));
      await expect.poll(() => service.requests.some(({ body }) => body.includes('Down'))).toBe(true);
      // After so long without a sign of the first gateway, its write cannot be under way.
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
      const again = await gateway.query(createFarmer, named('Down'), under(key));
      vi.restoreAllMocks();
      way.set({});
      await first;

      expect(codesOf(again)).toEqual(['OUTCOME_UNKNOWN']);
    });

    expect(sent).toEqual([`POST ${paths.farmers}`]);
  });

  test('repeats a refusal of the service as it was', async () => {
    const key = randomUUID();
    const document = 'mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { id } }';
    const variables = { input: { card: { card_id: 'C-1', display_id: 'F-1' }, entity: 'ZZZZZZZZZZ' } };
    const { result: first, sent: refused } = await writesOf(() => gateway.query(document, variables, under(key)));
    const { result: again, sent } = await writesOf(() => gateway.query(document, variables, under(key)));

    expect(refused).toEqual([`POST ${paths.entityCards}`]);
    const shown = ({ errors }: Answer) =>
      errors.map(({ extensions: { request_id: _, ...rest }, message }) => ({ ...rest, message }));
    expect(codesOf(first)).toEqual(['BAD_USER_INPUT']);
    expect(shown(again)).toEqual(shown(first));
    expect(sent).toEqual([]);
  });

  test('sends a request again that the service never got', async () => {
    const key = randomUUID();
    const gone = await startGateway({ upstreamUrl: 'http://127.0.0.1:9/v1', serviceName: way.url, settings });
    const first = await gone.query(createFarmer, named('Later'), under(key));
    await gone.close();
    const again = await gateway.query(createFarmer, named('Later'), under(key));

    expect(codesOf(first)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect(again.errors).toEqual([]);
    expect(replayed(again)).toEqual(notReplayed);
  });

  test('sends a request again that a wrong address answered', async () => {
    const key = randomUUID();
    service.respond = () => ({ status: 301, headers: { location: '/elsewhere/' }, body: '' });
    const first = await gateway.query(createFarmer, named('Moved'), under(key));
    service.respond = undefined;
    const again = await gateway.query(createFarmer, named('Moved'), under(key));

    expect(codesOf(first)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(again.errors).toEqual([]);
  });

  test.each([
    ['a proxy answered', { status: 503, body: 'upstream reset' }],
    ['the service failed', { status: 500, body: '<h1>Server Error (500)</h1>' }],
  ])('never repeats a write that %s, because it may be stored', async (_what, reply) => {
    const key = randomUUID();
    service.respond = ({ method }) => (method === 'POST' ? reply : undefined);
    const first = await gateway.query(createFarmer, named('Proxied'), under(key));
    service.respond = undefined;
    const { result: again, sent } = await writesOf(() => gateway.query(createFarmer, named('Proxied'), under(key)));

    expect([codesOf(first), codesOf(again)]).toEqual([['OUTCOME_UNKNOWN'], ['OUTCOME_UNKNOWN']]);
    expect(sent).toEqual([]);
  });

  test('separates the keys of different services', async () => {
    const key = randomUUID();
    const staging = await startGateway({ settings });
    await staging.query(createFarmer, named('Staged'), under(key));
    await staging.close();
    const { result, sent } = await writesOf(() => gateway.query(createFarmer, named('Staged'), under(key)));

    expect(replayed(result)).toEqual(notReplayed);
    expect(sent).toHaveLength(1);
  });

  test('reports the deadline to an equal request that waits for the first', async () => {
    const key = randomUUID();
    const hasty = await startGateway({
      upstreamUrl: way.url,
      settings: { ...settings, 'limits.operations.timeoutMs': '100' },
    });
    way.set({ answer: { stallAfter: 0 } });
    const first = gateway.query(createFarmer, named('Waited'), under(key));
    await expect.poll(() => service.requests.some(({ body }) => body.includes('Waited'))).toBe(true);
    const second = await hasty.query(createFarmer, named('Waited'), under(key));
    way.set({});
    const third = await gateway.query(createFarmer, named('Waited'), under(key));
    await hasty.close();

    expect(second.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true } }]);
    expect(second.errors[0]?.message).toContain('still under way');
    expect(third.data).toEqual((await first).data);
  });

  test('records the outcome of a write under way when the gateway closes', async () => {
    const key = randomUUID();
    const other = JSON.stringify({ type: 'hello', from: randomUUID(), hasMissed: false });
    const silent: Carrier = {
      name: 'pipe',
      isUp: true,
      timeoutMs: 100,
      listen: async (_, { message }) => message(other),
      send: () => new Promise(() => {}),
    };
    const closing = await startGateway({
      upstreamUrl: way.url,
      settings: { ...settings, 'shutdown.timeoutMs': '1' },
      // A write ends when the other workers have invalidated the lists that it changes.
      carrier: silent,
    });
    way.set({ answer: { stallAfter: 0 } });
    const first = closing.query(createFarmer, named('Closing'), under(key)).catch(() => 'the client is cut off');
    await expect.poll(() => service.requests.some(({ body }) => body.includes('Closing'))).toBe(true);
    const closed = closing.close();
    await first;
    way.set({});
    await closed;
    const { result: again, sent } = await writesOf(() => gateway.query(createFarmer, named('Closing'), under(key)));

    expect(await first).toBe('the client is cut off');
    expect(again.errors).toEqual([]);
    expect(replayed(again).header).toBe('true');
    expect(sent).toEqual([]);
  });

  test('knows its records after a restart', async () => {
    const key = randomUUID();
    const before = await startOver();
    const first = await before.query(createFarmer, named('Restarted'), under(key));
    await before.close();
    const after = await startOver();
    const { result: again, sent } = await writesOf(() => after.query(createFarmer, named('Restarted'), under(key)));
    await after.close();

    expect(again.data).toEqual(first.data);
    expect(sent).toEqual([]);
  });

  // The clock of another process cannot be set.
  test.runIf(kind === 'SQLite')('drops a key after idempotency.ttlMs', async () => {
    const key = randomUUID();
    const brief = await startGateway({ upstreamUrl: way.url, settings: { ...settings, 'idempotency.ttlMs': '60000' } });
    const send = () => brief.query(createFarmer, named('Brief'), under(key));
    await send();
    const begin = Date.now();
    const clock = vi.spyOn(Date, 'now');
    clock.mockReturnValue(begin + 50_000);
    const inTime = await send();
    clock.mockReturnValue(begin + 70_000);
    const late = await send();
    vi.restoreAllMocks();
    await brief.close();

    expect(replayed(inTime).header).toBe('true');
    expect(replayed(late)).toEqual(notReplayed);
  });

  const upload = async (content: string, key: string) => {
    const [payment] = await firstRows({ sandbox }, paths.paymentTransactions, 1);
    const document =
      'mutation ($id: ID!, $file: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $file) { id invoice } }';
    const file = new File([`%PDF ${content}`], 'invoice.pdf');
    const response = await gateway.upload(document, { id: payment!.id, file: null }, file, under(key));
    return { ...((await response.json()) as Answer), headers: response.headers };
  };

  test('uploads a repeated file once, and refuses another file under its key', async () => {
    const key = randomUUID();
    const first = await upload('one file', key);
    const { result: again, sent } = await writesOf(() => upload('one file', key));
    const { result: other, sent: sentOther } = await writesOf(() => upload('another file', key));

    expect(again.data).toEqual(first.data);
    expect(replayed(again).fields).toEqual(['uploadInvoice']);
    expect(other.errors.map(({ extensions }) => extensions.code)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(replayed(other)).toEqual(notReplayed);
    expect([sent, sentOther]).toEqual([[], []]);
  });

  test('repeats the refusal of a file for that file alone', async () => {
    const key = randomUUID();
    service.respond = ({ method }) => (method === 'PATCH' ? { status: 404, body: '{}' } : undefined);
    const first = await upload('one file', key);
    service.respond = undefined;
    const again = await upload('one file', key);
    const other = await upload('another file', key);

    const codes = [first, again, other].map(({ errors }) => errors.map(({ extensions }) => extensions.code));
    expect(codes).toEqual([['NOT_FOUND'], ['NOT_FOUND'], ['IDEMPOTENCY_CONFLICT']]);
  });

  test('shows a replayed write in the trace', async () => {
    const key = randomUUID();
    const traced = { headers: { 'idempotency-key': key, 'x-trace-upstream': 'true' } };
    const document = createFarmer.replace(' buyer { id }', '');
    await gateway.query(document, named('Traced'), traced);
    const { extensions } = await gateway.query(document, named('Traced'), traced);

    expect(extensions?.upstream).toMatchObject({
      total: 0,
      saved: [{ method: 'POST', path: paths.farmers, by: 'replay' }],
    });
  });

  test('lists a card of another gateway after the replay of its write', async () => {
    const other = await startGateway({ upstreamUrl: way.url, settings: { ...settings, 'cache.lists.ttlMs': '60000' } });
    const [entity] = await readRows({ sandbox }, paths.farmers);
    const document = 'mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { id } }';
    const variables = { input: { card: { card_id: 'R-1', display_id: 'R-1' }, entity: entity!.id } };
    const count = async () => (await other.query('{ cards { count } }')).data.cards.count;
    const key = randomUUID();
    const before = await count();
    const written = await gateway.query(document, variables, under(key));
    await other.query(document, variables, under(key));
    const after = await count();
    await other.close();

    expect(written.errors).toEqual([]);
    expect(after).toBe(before + 1);
  });

  test('refuses variables that are too deep as it does without a key', async () => {
    const deep = '['.repeat(9_000) + ']'.repeat(9_000);
    const body = `{"query":${JSON.stringify(createFarmer)},"variables":{"input":${deep}}}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const response = await gateway.send({ headers, body });

    expect(response.status).toBe(400);
  });

  test('records nothing for a request without an API key', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    const first = await gateway.query(createFarmer, named('Nobody'), { key: null, headers });
    const other = await gateway.query(createFarmer, named('Nobody else'), { key: null, headers });

    expect([codesOf(first), codesOf(other)]).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
  });

  test('records nothing for a write that the service refuses for its API key', async () => {
    const options = { key: 'made-up', ...under(randomUUID()) };
    const first = await gateway.query(createFarmer, named('Stranger'), options);
    const other = await gateway.query(createFarmer, named('Another stranger'), options);

    expect([codesOf(first), codesOf(other)]).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
  });

  test('leaves the key of a mutation free if the input of one field is refused', async () => {
    const key = randomUUID();
    const both = `mutation ($input: CreateFarmerInput!, $wrong: CreateFarmerInput!) {
      createFarmer(input: $input) { id } other: createFarmer(input: $wrong) { id } }`;
    const variables = { ...named('Right'), wrong: named('x'.repeat(10_000)).input };
    const { result: refused, sent } = await writesOf(() => gateway.query(both, variables, under(key)));
    const corrected = await gateway.query(createFarmer, named('Corrected'), under(key));

    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
    expect(sent).toEqual([]);
    expect(corrected.errors).toEqual([]);
  });

  test('ignores the key of a query', async () => {
    const key = randomUUID();
    const ask = (limit: number) => gateway.query(`{ farmers(limit: ${limit}) { results { id } } }`, {}, under(key));

    expect((await ask(1)).data.farmers.results).toHaveLength(1);
    expect((await ask(2)).data.farmers.results).toHaveLength(2);
  });

  test.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['no text', 'é'],
  ])('refuses a key that is %s', async (_, key) => {
    const { result, sent } = await writesOf(() => gateway.query(createFarmer, named('Odd'), under(key)));

    expect(result.status).toBe(400);
    expect(codesOf(result)).toEqual(['BAD_REQUEST']);
    expect(sent).toEqual([]);
  });
});

test('the gateway serves requests that need no records while another process locks their file', async () => {
  const file = join(folder, 'held.db');
  const gateway = await startGateway({ settings: { IDEMPOTENCY_FILE: file } });
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN IMMEDIATE');
  let isWritten = false;
  const write = gateway.query(createFarmer, named('Held'), under(randomUUID())).then((answer) => {
    isWritten = true;
    return answer;
  });
  for (let count = 0; count < 5; count += 1) await gateway.query('{ __typename }');
  expect(isWritten).toBe(false);
  holder.exec('ROLLBACK');
  expect((await write).errors).toEqual([]);
  holder.close();
  await gateway.close();
});

test('the log says once a minute why the file of records takes none', async () => {
  const file = join(folder, 'broken.db');
  const lines: string[] = [];
  const settings = { IDEMPOTENCY_FILE: file, LOG_LEVEL: 'error' };
  const gateway = await startGateway({ settings, log: (line) => lines.push(line) });
  await gateway.query(createFarmer, named('Taken'), under('zero'));
  const breaker = new DatabaseSync(file);
  breaker.exec('DROP TABLE write');
  breaker.close();
  for (const key of ['one', 'two']) {
    const answer = await gateway.query(createFarmer, named('Refused'), under(key));
    expect(codesOf(answer)).toEqual(['UPSTREAM_UNAVAILABLE']);
  }
  await gateway.close();

  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.endsWith('cannot be used'));
  expect(logged).toMatchObject([{ err: { code: 'ERR_SQLITE_ERROR', reason: 'SQL logic error' } }]);
});

test('the gateway does not refuse the first write with a key where the thread of the file starts slowly', async () => {
  const file = { idempotency: { timeoutMs: 300 } };
  const gateway = await startGateway({ settings: { IDEMPOTENCY_FILE: join(folder, 'slow.db') }, file });
  const delayStart = (published: unknown) => {
    const { worker } = published as { worker: Worker };
    const emit = worker.emit.bind(worker);
    worker.emit = (name: string | symbol, ...details: unknown[]) => {
      if (name !== 'message') return emit(name, ...details);
      worker.emit = emit;
      setTimeout(() => emit(name, ...details), 1_000);
      return true;
    };
  };
  subscribe('worker_threads', delayStart);
  const { errors } = await gateway.query(createFarmer, named('First'), under(randomUUID()));
  unsubscribe('worker_threads', delayStart);
  await gateway.close();

  expect(errors).toEqual([]);
});

test('the gateway refuses a write with a new key where a caller has as many as idempotency.writesPerCaller', async () => {
  const gateway = await startGateway({ file: { idempotency: { writesPerCaller: 1 } } });
  const write = (key: string) => gateway.query(createFarmer, named('Bounded'), under(key));
  const first = await write('one');
  const second = await write('two');
  const again = await write('one');
  await gateway.close();

  expect([first.errors, again.errors]).toEqual([[], []]);
  expect({ status: second.status, codes: codesOf(second), calls: second.calls }).toEqual({
    status: 503,
    codes: ['OVERLOADED'],
    calls: [],
  });
  expect(second.errors[0]?.message).toContain('idempotency.writesPerCaller');
});

test('a client tries a failure of the sandbox, and repeats its writes without it', async () => {
  await using gateway = await startGateway({ settings: { FORWARD_HEADERS: 'x-sandbox-fail,x-tenant' } });
  const push = 'mutation ($writes: [WriteInput!]!) { push(writes: $writes) { status } }';
  const writes = [
    { key: 'one', ref: 'farmer', write: { createFarmer: { first_name: 'Tried' } } },
    { key: 'two', write: { createEntityCard: { entity: '$farmer', card: { card_id: '04AB' } } } },
  ];
  const statuses = async (headers: Record<string, string>) =>
    (await gateway.query(push, { writes }, { headers })).data?.push;

  expect(await statuses({ 'x-sandbox-fail': '503:/supply-chains/entity-cards' })).toEqual([
    { status: 'DONE' },
    { status: 'NOT_TRIED' },
  ]);
  expect(await statuses({})).toEqual([{ status: 'REPLAYED' }, { status: 'DONE' }]);
  expect(await statuses({ 'x-tenant': 'another' })).toEqual([{ status: 'REFUSED' }, { status: 'NOT_TRIED' }]);
});

test('the gateway makes the file of its records readable for its user alone', async () => {
  const file = join(folder, 'deep', 'inside', 'records.db');
  const gateway = await startGateway({ settings: { IDEMPOTENCY_FILE: file } });
  await gateway.close();

  expect(statSync(file).mode & 0o077).toBe(0);
});

test.each([
  ['IDEMPOTENCY_FILE', { IDEMPOTENCY_FILE: join(import.meta.filename, 'records.db') }],
  ['REDIS_URL', { REDIS_URL: 'redis://:a-secret@127.0.0.1:9' }],
])('the gateway does not start with a store that it cannot open, and names %s', async (name, settings) => {
  const error = await startGateway({ settings }).catch((error: Error) => error);

  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toContain(name);
  expect((error as Error).message).not.toContain('a-secret');
});

test.skipIf(!hasRedis)(
  'the gateway refuses writes with a key while it cannot read records, and serves requests without a key',
  async () => {
    const redis = await startRedis();
    const gateway = await startGateway({ settings: { REDIS_URL: redis.url } });
    await redis.close();
    const refused = await gateway.query(createFarmer, named('Unsafe'), under(randomUUID()));
    const served = await gateway.query(createFarmer, named('Unsafe'));
    expect({ status: refused.status, codes: codesOf(refused) }).toEqual({
      status: 503,
      codes: ['UPSTREAM_UNAVAILABLE'],
    });
    expect(refused.calls).toEqual([]);
    expect(served.errors).toEqual([]);

    const again = await startRedis(redis.port);
    const write = () => gateway.query(createFarmer, named('Safe'), under(randomUUID()));
    await expect.poll(async () => (await write()).errors).toEqual([]);
    await gateway.close();
    await again.close();
  },
);

test.skipIf(!hasRedis)(
  'the gateway refuses writes with a key at once while Redis hangs, and goes on when Redis answers again',
  async () => {
    const redis = await startRedis();
    const file = { idempotency: { timeoutMs: 300 } };
    const gateway = await startGateway({ settings: { REDIS_URL: redis.url }, file });
    const key = randomUUID();
    const write = (idempotencyKey: string) => gateway.query(createFarmer, named('Hung'), under(idempotencyKey));
    redis.hang();
    // The first writes find out, while the claim of one is under way.
    const first = await Promise.all([write(key), ...Array.from({ length: 5 }, () => write(randomUUID()))]);
    const served = await gateway.query(createFarmer, named('Unhung'));
    // The gateway knows by now that Redis hangs: the answer does not wait for it.
    const order: string[] = [];
    const writing = write(key).finally(() => order.push('write'));
    for (let count = 0; count < 20; count += 1) await gateway.query('{ serverTime }');
    order.push('reads');
    const later = await writing;
    redis.resume();
    await expect.poll(async () => (await write(key)).errors).toEqual([]);
    const stored = await readRows(gateway, paths.farmers);

    for (const refused of [...first, later]) {
      expect({ status: refused.status, codes: codesOf(refused) }).toEqual({
        status: 503,
        codes: ['UPSTREAM_UNAVAILABLE'],
      });
    }
    expect(served.errors).toEqual([]);
    expect(order).toEqual(['write', 'reads']);
    expect(stored.filter((row) => row.first_name === 'Hung')).toHaveLength(1);
    await gateway.close();
    await redis.close();
  },
);

test.skipIf(!hasRedis)(
  'the gateway waits for a far Redis as long as idempotency.timeoutMs says, whatever redis.timeoutMs is',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    await using way = await startFaultProxy(redis.url);
    way.set({ request: { latency: 80 }, answer: { latency: 80 } });
    const file = { idempotency: { timeoutMs: 30_000 }, redis: { timeoutMs: 1 } };
    await using gateway = await startGateway({ settings: { REDIS_URL: way.url }, file });
    for (let count = 0; count < 10; count += 1) {
      expect((await gateway.query(createFarmer, named('Far'), under(randomUUID()))).errors).toEqual([]);
    }
  },
);
