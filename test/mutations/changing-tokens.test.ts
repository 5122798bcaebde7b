import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { purchaseOfNewFarmer, push } from '../../packages/push/test/push.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { type Answer, codesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';
import { firstRows, paths } from '../support/rest-reads.ts';
import { bearerOf, callerClaims, people, proveSignatures, unsigned } from '../support/tokens.ts';

const check = 'GET /catalogs/currencies/?limit=1&offset=0';
const post = `POST ${paths.farmers}`;
const createFarmer = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id first_name } }';

const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
const file = join(folder, 'records.db');
const sandbox = await startSandbox();
const service = await startFakeUpstream({ target: sandbox.url });
const settings = { CALLER_CLAIMS: callerClaims, IDEMPOTENCY_FILE: file };
const gateway = await startGateway({ upstreamUrl: service.url, settings });
await proveSignatures(gateway);
const records = new DatabaseSync(file);
afterAll(async () => {
  records.close();
  await gateway.close();
  await service.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  service.respond = undefined;
  service.recover();
  service.clear();
});

const recordCount = () => records.prepare('SELECT count(*) AS count FROM write').get()?.count;

/** Creates a farmer under an idempotency key, and lists the calls that this takes. */
async function create(authorization: string, key: string, firstName = 'Efua'): Promise<Answer & { sent: string[] }> {
  service.clear();
  const variables = { input: { first_name: firstName } };
  const answer = await gateway.query(createFarmer, variables, {
    key: authorization,
    headers: { 'idempotency-key': key },
  });
  return { ...answer, sent: [...service.calls] };
}

const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

test('replays a write under a refreshed token, without a POST', async () => {
  const key = randomUUID();
  const first = await create(bearerOf(people.abena), key);
  const refreshed = bearerOf(people.abena);
  const again = await create(refreshed, key);
  const third = await create(refreshed, key);

  expect(first.errors).toEqual([]);
  expect(first.sent).toEqual([check, post]);
  expect([again.sent, third.sent]).toEqual([[check], []]);
  expect([first, again, third].map(isReplay)).toEqual([false, true, true]);
  expect([again.data, third.data]).toEqual([first.data, first.data]);
});

test('makes another write for another user, another company of the same user, and another type of member', async () => {
  const key = randomUUID();
  const others = [
    bearerOf(people.abena),
    bearerOf(people.theogene),
    bearerOf({ ...people.abena, company: people.maartje.company }),
    bearerOf(people.abena, { memberType: 'REPORTER' }),
  ];

  const answers = [];
  for (const authorization of others) answers.push(await create(authorization, key));

  expect(answers.map(({ sent }) => sent)).toEqual(others.map(() => [check, post]));
  expect(answers.map(isReplay)).toEqual(others.map(() => false));
  expect(new Set(answers.map(({ data }) => data.createFarmer.id)).size).toBe(others.length);
});

const now = () => Math.floor(Date.now() / 1000);
const bad: Record<string, () => string> = {
  'a token with the claims of the caller and another signature': () => bearerOf(people.abena, { secret: 'made up' }),
  'a token of the caller that has expired': () => bearerOf(people.abena, { claims: { exp: now() - 1 } }),
  'a token without a signature': () => unsigned(bearerOf(people.abena)),
  'a made-up key': () => `Bearer ${randomUUID()}`,
};

test.each(Object.keys(bad))('replays nothing to %s, and stores no record for it', async (name) => {
  const key = randomUUID();
  await create(bearerOf(people.abena), key);
  const before = recordCount();
  // A write that the service does not answer leaves a record.
  service.respond = ({ method }) => (method === 'POST' ? { breaks: true } : undefined);

  const known = await create(bad[name]!(), key);
  const unknown = await create(bad[name]!(), randomUUID());

  for (const answer of [known, unknown]) {
    expect(answer).toMatchObject({ data: { createFarmer: null }, sent: [check] });
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.errors[0]).toMatchObject({ path: ['createFarmer'], extensions: { upstream_status: 401 } });
    expect(isReplay(answer)).toBe(false);
  }
  expect(recordCount()).toBe(before);
});

test('sends no write while the service cannot say whether it accepts the token', async () => {
  const key = randomUUID();
  const authorization = bearerOf(people.abena);
  service.fail('/catalogs/currencies/', { status: 503, times: 1 });

  const early = await create(authorization, key);
  const late = await create(authorization, key);

  expect(early.sent).toEqual([check]);
  expect(early.errors).toMatchObject([
    { path: ['createFarmer'], extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } },
  ]);
  expect(early.errors[0]?.message).toContain('Nothing else was sent');
  expect(late).toMatchObject({ errors: [], sent: [check, post] });
});

test('asks once for all requests of one token that come together', async () => {
  const authorization = bearerOf(people.abena);
  const keys = Array.from({ length: 8 }, () => randomUUID());
  service.hold('reads');
  const answers = Promise.all(
    keys.map((key) =>
      gateway.query(
        createFarmer,
        { input: { first_name: 'Kofi' } },
        { key: authorization, headers: { 'idempotency-key': key } },
      ),
    ),
  );
  await service.untilArrived(1);
  service.release();

  expect((await answers).flatMap(({ errors }) => errors)).toEqual([]);
  expect(service.calls.filter((call) => call === check)).toHaveLength(1);
  expect(service.calls.filter((call) => call === post)).toHaveLength(keys.length);
});

test('asks again for a token that the service has refused', async () => {
  const authorization = bearerOf(people.abena);
  const key = randomUUID();
  await create(authorization, key);
  service.respond = () => ({ status: 401, body: '{"detail":"Device deactivated login again."}' });
  const signedOut = await gateway.query('{ farmers { count } }', {}, { key: authorization });
  const again = await create(authorization, key);
  service.respond = undefined;

  expect(codesOf(signedOut)).toEqual(['UNAUTHENTICATED']);
  expect(codesOf(again)).toEqual(['UNAUTHENTICATED']);
  expect(again.sent).toEqual([check]);
  expect(isReplay(await create(authorization, key))).toBe(true);
});

test('asks the service for a token that has expired', async () => {
  const key = randomUUID();
  const authorization = bearerOf(people.abena, { claims: { exp: now() + 3 } });
  await create(authorization, key);
  await expect
    .poll(async () => codesOf(await create(authorization, key)), { interval: 500 })
    .toEqual(['UNAUTHENTICATED']);
});

test('makes an opaque key of a token that lacks a claim, or comes under another scheme', async () => {
  const session = { user_id: people.abena.user, entity_id: people.abena.company };
  const tokens = [
    () => bearerOf(people.abena, { claims: { session_data: session } }),
    () => bearerOf(people.abena, { claims: { session_data: { ...session, member_type: {} } } }),
  ];
  for (const tokenOf of tokens) {
    const key = randomUUID();
    const [first, again] = [await create(tokenOf(), key), await create(tokenOf(), key)];
    expect([first.sent, again.sent]).toEqual([
      [check, post],
      [check, post],
    ]);
  }
  // The service may accept the request for other reasons than the token.
  const key = randomUUID();
  const underScheme = (scheme: string) =>
    gateway.query(
      createFarmer,
      { input: { first_name: 'Yaw' } },
      { key: bearerOf(people.abena), headers: { 'idempotency-key': key, 'auth-type': scheme } },
    );
  const answers = [await underScheme('external_auth'), await underScheme('external_auth')];
  expect(answers.map(isReplay)).toEqual([false, false]);
  const others = [await underScheme('password_grant'), await underScheme('password_grant')];
  expect(others.map(isReplay)).toEqual([false, true]);
});

test('counts writesPerCaller over all tokens of a caller', async () => {
  const bounded = { settings, upstreamUrl: service.url, file: { idempotency: { writesPerCaller: 2 } } };
  await using gateway = await startGateway({ ...bounded, settings: { ...settings, IDEMPOTENCY_FILE: ':memory:' } });
  const write = () =>
    gateway.query(
      createFarmer,
      { input: { first_name: 'Ama' } },
      { key: bearerOf(people.abena), headers: { 'idempotency-key': randomUUID() } },
    );

  expect([await write(), await write(), await write()].map(codesOf)).toEqual([[], [], ['OVERLOADED']]);
});

test('replays the writes of a push under a refreshed token, and none to a forged one', async () => {
  const writes = purchaseOfNewFarmer(randomUUID().slice(0, 8));
  const pushAs = async (key: string) => {
    service.clear();
    const answer = await push(gateway, writes, { key });
    const sent = service.calls.filter((call) => call.startsWith('POST') || call === check);
    return { ...answer, sent, statuses: answer.data?.push?.map(({ status }: { status: string }) => status) };
  };

  const first = await pushAs(bearerOf(people.abena));
  const again = await pushAs(bearerOf(people.abena));
  const forged = await pushAs(bearerOf(people.abena, { secret: 'made up' }));

  expect(first.statuses).toEqual(writes.map(() => 'DONE'));
  expect(first.sent.filter((call) => call === check)).toHaveLength(1);
  expect(again.statuses).toEqual(writes.map(() => 'REPLAYED'));
  expect(again.sent).toEqual([check]);
  expect(forged).toMatchObject({
    sent: [check],
    errors: [{ path: ['push'], extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

test('learns the dialect of a real service from the call for the token', async () => {
  const environment = { CALLER_CLAIMS: callerClaims, UPSTREAM_DIALECT: 'auto' };
  await using connect = await startGateway({ sandbox: { dialect: 'connect' }, settings: environment });
  const key = randomUUID();
  const write = (authorization: string) => {
    const input = { first_name: 'Esi', country: 'Ghana', province: 'Ashanti' };
    return connect.query(createFarmer, { input }, { key: authorization, headers: { 'idempotency-key': key } });
  };

  const first = await write(bearerOf(people.abena));
  const again = await write(bearerOf(people.abena));
  const forged = await write(bearerOf(people.abena, { secret: 'made up' }));

  expect(first).toMatchObject({ errors: [], calls: [check, check, post] });
  expect(again).toMatchObject({ errors: [], calls: [check], data: first.data });
  expect(forged).toMatchObject({
    calls: [check],
    errors: [{ extensions: { code: 'UNAUTHENTICATED', upstream_status: 403 } }],
  });
});

test('replays an upload under a refreshed token, without a PATCH', async () => {
  const [{ id }] = (await firstRows({ sandbox }, paths.paymentTransactions, 1)) as [{ id: string }];
  const document = `mutation ($file: Upload!) { uploadInvoice(payment_transaction: "${id}", invoice: $file) { invoice } }`;
  const key = randomUUID();
  const uploadAs = async (authorization: string) => {
    service.clear();
    const file = new File(['%PDF an invoice'], 'invoice.pdf');
    const options = { key: authorization, headers: { 'idempotency-key': key } };
    const { data } = await (await gateway.upload(document, { file: null }, file, options)).json();
    return { data, methods: service.requests.map(({ method }) => method) };
  };

  const first = await uploadAs(bearerOf(people.abena));
  const again = await uploadAs(bearerOf(people.abena));

  expect(first.methods).toEqual(['GET', 'PATCH']);
  expect(again).toEqual({ data: first.data, methods: ['GET'] });
});

describe('without CALLER_CLAIMS', () => {
  test('each token is a caller, and no token is asked for', async () => {
    await using plain = await startGateway({ upstreamUrl: service.url });
    const key = randomUUID();
    service.clear();
    const write = () =>
      plain.query(
        createFarmer,
        { input: { first_name: 'Adjoa' } },
        { key: bearerOf(people.abena), headers: { 'idempotency-key': key } },
      );
    const answers = [await write(), await write()];

    expect(answers.map(isReplay)).toEqual([false, false]);
    expect(service.calls).toEqual([post, post]);
  });
});

test('keeps the rows of another company from a caller with the same key', async () => {
  const key = randomUUID();
  const mine = await create(bearerOf(people.abena), key, 'Mine');
  await create(bearerOf(people.maartje), key, 'Theirs');
  const rows = await firstRows({ sandbox }, paths.farmers, 1_000);

  expect(rows.map(({ id }) => id)).toContain(mine.data.createFarmer.id);
  expect(rows.map(({ first_name }) => first_name)).not.toContain('Theirs');
});
