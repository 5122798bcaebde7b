import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { schemaParts } from '../../../src/compose.ts';
import { type Answer, codesOf } from '../../../test/support/client.ts';
import { startFakedGateway } from '../../../test/support/harness.ts';
import { paths } from '../../../test/support/rest-reads.ts';
import { bearerOf, callerClaims, people, proveSignatures } from '../../../test/support/tokens.ts';
import { executableSchema } from '../../rest-graph/graph/schema.ts';
import { createFarmer, ids, purchaseOfNewFarmer, push, pushDocument } from './push.ts';

const folder = mkdtempSync(join(tmpdir(), 'push-'));
afterAll(() => rmSync(folder, { recursive: true }));

const statusesOf = ({ data }: Answer) => data?.push.map(({ status }: { status: string }) => status);
const errorsOf = ({ data }: Answer) => data?.push.map(({ error }: Answer['data']) => error);
const isWrite = (call: string) => !call.startsWith('GET');

test('a push takes every write that has a field of Mutation and no file', () => {
  const schema = executableSchema(traceability, schemaParts);
  const own = Object.values(schema.getMutationType()!.getFields());
  const withoutFile = own.filter(({ name, args }) => name !== 'push' && args.every(({ name }) => name !== 'invoice'));
  const write = schema.getType('Write') as unknown as { getFields(): object };

  expect(Object.keys(write.getFields()).sort()).toEqual(withoutFile.map(({ name }) => name).sort());
});

test('a refreshed token replays a push, and another user does not', async () => {
  const settings = { CALLER_CLAIMS: callerClaims, IDEMPOTENCY_FILE: join(folder, 'tokens.db') };
  await using gateway = await startFakedGateway(settings);
  await proveSignatures(gateway);
  const writes = purchaseOfNewFarmer(randomUUID()).slice(0, 2);
  const pushAs = async (key: string) => {
    gateway.upstream.clear();
    return { statuses: statusesOf(await push(gateway, writes, { key })), calls: [...gateway.upstream.calls] };
  };
  const check = 'GET /catalogs/currencies/?limit=1&offset=0';
  const posts = [`POST ${paths.farmers}`, `POST ${paths.entityCards}`];

  expect(await pushAs(bearerOf(people.abena))).toEqual({ statuses: ['DONE', 'DONE'], calls: [check, ...posts] });
  expect(await pushAs(bearerOf(people.abena))).toEqual({ statuses: ['REPLAYED', 'REPLAYED'], calls: [check] });
  const other = await pushAs(bearerOf(people.theogene));
  expect([other.statuses[0], other.calls.slice(0, 2)]).toEqual(['DONE', [check, posts[0]]]);
});

test('a push with a token that the service refuses sends nothing, and records nothing', async () => {
  const file = join(folder, 'refused.db');
  await using gateway = await startFakedGateway({ CALLER_CLAIMS: callerClaims, IDEMPOTENCY_FILE: file });
  const answer = await push(gateway, [createFarmer('one')], { key: 'Bearer made.up.token' });
  const records = new DatabaseSync(file);
  const { count } = records.prepare('SELECT count(*) AS count FROM write').get() as { count: number };
  records.close();

  expect([answer.data, codesOf(answer), count]).toEqual([null, ['UNAUTHENTICATED'], 0]);
  expect(gateway.upstream.calls.filter(isWrite)).toEqual([]);
});

test('each chain of a push has as many reads as an operation, and its writes do not count', async () => {
  const settings = { 'limits.operations.upstreamCalls': '1' };
  await using gateway = await startFakedGateway(settings, { sandbox: { dialect: 'connect' } });
  const key = randomUUID();
  const card = (index: number) => ({
    key: `${key}-card-${index}`,
    write: { createEntityCard: { card: { card_id: `${key} ${index}` }, entity: '$f' } },
  });
  // The check of the option reads the premium, which this service gives by no id, and then the company.
  gateway.upstream.respond = ({ path }) =>
    path.startsWith(paths.premiums) ? { status: 404, body: '<h1>Not Found</h1>' } : undefined;
  const payment = { source: ids.cooperative, premium: 'AAAAAAAAAA', selected_option: 'AAAAAAAAAA', amount: 1 };
  const pay = (index: number, destination: string) => ({
    key: `${key}-payment-${index}`,
    write: { createPaymentTransaction: { ...payment, destination, currency: '1' } },
  });
  const writes = [createFarmer(key, ghana, 'f'), card(1), card(2), pay(1, '$f'), card(3), pay(2, ids.farmer)];
  const answer = await push(gateway, writes, { key: 'Bearer demo-coop' });

  expect(statusesOf(answer)).toEqual(['DONE', 'DONE', 'DONE', 'NOT_TRIED', 'DONE', 'NOT_TRIED']);
  expect(errorsOf(answer).flatMap((error: Answer['data']) => error?.code ?? [])).toEqual([
    'UPSTREAM_BUDGET_EXCEEDED',
    'UPSTREAM_BUDGET_EXCEEDED',
  ]);
  expect(gateway.upstream.calls.filter((call) => !isWrite(call))).toHaveLength(2);
});

const purchase = { source: ids.farmer, destination: ids.cooperative, product: ids.coffee, amount: '1', quantity: '1' };

test('before a real service, a replay reads nothing', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
  const writes = [{ key: randomUUID(), write: { createProductTransaction: { ...purchase, currency: 'USD' } } }];
  const first = await push(gateway, writes, { key: 'Bearer demo-coop' });
  const reads = gateway.upstream.calls.filter((call) => !isWrite(call));
  gateway.upstream.clear();
  const again = await push(gateway, writes, { key: 'Bearer demo-coop' });

  expect([first, again].map(statusesOf)).toEqual([['DONE'], ['REPLAYED']]);
  expect(reads).not.toEqual([]);
  expect(gateway.upstream.calls).toEqual([]);
});

const ghana = { country: 'Ghana', province: 'Ashanti' };

test('before a real service, a push refuses what the service fails on, and makes the other writes', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
  const key = randomUUID();
  const writes = [
    createFarmer(`${key}-1`, { phone: '0201234567', ...ghana }, 'f'),
    { key: `${key}-2`, write: { createEntityCard: { card: { card_id: key }, entity: '$f' } } },
    { key: `${key}-3`, write: { createProductTransaction: { ...purchase, currency: 'XXX' } } },
    createFarmer(`${key}-4`, ghana),
  ];
  const answer = await push(gateway, writes, { key: 'Bearer demo-coop' });

  expect(statusesOf(answer)).toEqual(['REFUSED', 'NOT_TRIED', 'REFUSED', 'DONE']);
  expect(errorsOf(answer)[0].fields).toMatchObject([{ path: ['input', 'phone'] }]);
  expect(errorsOf(answer)[2].fields).toMatchObject([{ path: ['input', 'currency'] }]);
  expect(gateway.upstream.calls.filter(isWrite)).toHaveLength(1);
});

test('a push does not say that it has not tried a write whose record it could not read', async () => {
  const file = join(folder, 'locked.db');
  await using gateway = await startFakedGateway(
    { IDEMPOTENCY_FILE: file },
    { file: { idempotency: { timeoutMs: 100 } } },
  );
  const writes = [createFarmer(randomUUID())];
  const holder = new DatabaseSync(file);
  holder.exec('BEGIN IMMEDIATE');
  const answer = await push(gateway, writes);
  holder.exec('ROLLBACK');
  holder.close();

  expect(statusesOf(answer)).toEqual(['UNKNOWN']);
  expect(errorsOf(answer)[0]).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true });
  expect(gateway.upstream.calls).toEqual([]);
  await expect.poll(async () => statusesOf(await push(gateway, writes))).toEqual(['DONE']);
});

test('a push leaves out writes for which the store of keys has no room', async () => {
  await using gateway = await startFakedGateway({}, { file: { idempotency: { writesPerCaller: 2 } } });
  const answer = await push(gateway, [createFarmer('1'), createFarmer('2'), createFarmer('3')]);

  expect(statusesOf(answer).toSorted()).toEqual(['DONE', 'DONE', 'NOT_TRIED']);
  expect(errorsOf(answer).find(Boolean)).toMatchObject({ code: 'OVERLOADED', retryable: true });
});

test('a push that asks for more objects than are allowed sends nothing', async () => {
  await using gateway = await startFakedGateway({ 'limits.operations.cost': '10' });
  const writes = Array.from({ length: 10 }, (_, index) => createFarmer(`${index}`));
  const answer = await gateway.query(pushDocument('... on Farmer { buyer { name } }'), { writes });

  expect([codesOf(answer), gateway.upstream.calls]).toEqual([['QUERY_TOO_COMPLEX'], []]);
});

test('all pushes of a request have two hundred writes together, or none is made', async () => {
  await using gateway = await startFakedGateway();
  const ask = (count: number) => {
    const writes = (prefix: string) => Array.from({ length: count }, (_, index) => createFarmer(`${prefix}${index}`));
    const document = `mutation ($one: [WriteInput!]!, $two: [WriteInput!]!) {
      one: push(writes: $one) { status }
      two: push(writes: $two) { status }
    }`;
    return gateway.query(document, { one: writes(`${randomUUID()} `), two: writes(`${randomUUID()} `) });
  };
  const refused = await ask(101);
  expect([refused.status, refused.data, codesOf(refused)]).toEqual([400, undefined, ['BAD_USER_INPUT']]);
  expect(refused.errors[0]?.extensions.fields).toMatchObject([
    { path: ['writes'], message: 'At most 200 writes; these are 202. Send them in several requests.' },
  ]);
  expect(gateway.upstream.calls).toEqual([]);

  const { data } = await ask(100);
  expect([...data.one, ...data.two].map(({ status }: { status: string }) => status)).toEqual(Array(200).fill('DONE'));
});
