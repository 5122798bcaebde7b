import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PushedWrite, pushDocument } from '../../packages/push/test/push.ts';
import { codesOf } from '../support/client.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import { get, knownIds, type WorldIds } from '../support/rest.ts';

let gateway: FakedGateway;
let ids: WorldIds;
let company: string;
let user: string;

beforeAll(async () => {
  gateway = await startFakedGateway();
  ids = await knownIds(gateway.sandbox);
  company = `/supply-chains/companies/${ids.company}/`;
  user = `/accounts/users/${ids.user}/`;
});
beforeEach(() => gateway.upstream.clear());
afterEach(() => {
  gateway.upstream.respond = undefined;
});
afterAll(() => gateway.close());

const calls = () => gateway.upstream.calls;
const stored = (path: string) => get(gateway.sandbox, path);
const key = (name: string = randomUUID()) => ({ headers: { 'idempotency-key': name } });

/** Another phone, past this gateway. */
async function patch(path: string, body: object) {
  const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.sandbox.url}${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

const updateCompany = `mutation ($id: ID!, $input: UpdateCompanyInput!, $seen: DateTime) {
  updateCompany(id: $id, input: $input, if_updated_on: $seen) { id city updated_on }
}`;
const updateUser = `mutation ($id: ID!, $input: UpdateUserInput!, $seen: UpdateUserInput) {
  updateUser(id: $id, input: $input, if_unchanged: $seen) { id first_name address }
}`;
const changeCity = (city: string, seen: unknown, options?: object) =>
  gateway.query(updateCompany, { id: ids.company, input: { city }, seen }, options);
const changeAddress = (address: string, seen: unknown, options?: object) =>
  gateway.query(updateUser, { id: ids.user, input: { address }, seen }, options);

describe('if_updated_on', () => {
  test('lets a write through to an object that has not changed, for one GET more', async () => {
    const { updated_on: seen } = await stored(company);
    const { data, errors } = await changeCity('Ho', seen);

    expect(errors).toEqual([]);
    expect(data.updateCompany.city).toBe('Ho');
    expect(calls()).toEqual([`GET ${company}`, `PATCH ${company}`]);
  });

  test('answers CONFLICT with the object as it is now, and writes nothing', async () => {
    const { updated_on: seen } = await stored(company);
    await patch(company, { city: 'Wa' });
    const now = await stored(company);
    const { data, errors } = await changeCity('Tamale', seen);

    expect(data.updateCompany).toEqual({ id: ids.company, city: 'Wa', updated_on: now.updated_on });
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['updateCompany'],
        extensions: expect.objectContaining({
          code: 'CONFLICT',
          retryable: false,
          reference: { type: 'Company', id: ids.company },
          fields: [{ path: ['if_updated_on'], message: `The object is of ${now.updated_on} now.` }],
        }),
      }),
    ]);
    expect(calls()).toEqual([`GET ${company}`]);
    expect(await stored(company)).toEqual(now);
  });

  test('reads the references that the selection needs of the object as it is now', async () => {
    const document = updateCompany.replace(
      '{ id city',
      '{ city members { first_name } buyer { name } currency { code } ',
    );
    const { city, members } = await stored(company);
    const { data, errors } = await gateway.query(document, { id: ids.company, input: { city: 'x' }, seen: 1 });

    expect(codesOf({ errors })).toEqual(['CONFLICT']);
    expect(data.updateCompany).toMatchObject({ city, buyer: { name: expect.any(String) } });
    expect(data.updateCompany.members).toHaveLength(members.length);
  });

  test.each([
    ['milliseconds', (time: string) => new Date(time).toISOString()],
    ['seconds', (time: string) => `${time.slice(0, 19)}Z`],
    ['unix seconds', (time: string) => Math.floor(Date.parse(time) / 1000)],
  ])('compares the digits that the client has stored: %s', async (_form, shorten) => {
    const { updated_on } = await stored(company);

    expect(codesOf(await changeCity('Keta', shorten(updated_on)))).toEqual([]);
    expect(codesOf(await changeCity('Keta', shorten(updated_on.replace(/^\d+/, '2020'))))).toEqual(['CONFLICT']);
  });

  test('is no condition where it is null', async () => {
    expect(codesOf(await changeCity('Axim', null))).toEqual([]);
    expect(calls()).toEqual([`PATCH ${company}`]);
  });

  test('a replay under the key of a write that has succeeded is that write, and no conflict', async () => {
    const { updated_on: seen } = await stored(company);
    const options = key();
    const first = await changeCity('Elmina', seen, options);
    gateway.upstream.clear();
    const again = await changeCity('Elmina', seen, options);

    expect(again.data).toEqual(first.data);
    expect(again.errors).toEqual([]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(calls()).toEqual([]);
  });

  test('equal requests at once write once, and none is a conflict', async () => {
    const { updated_on: seen } = await stored(company);
    const options = key();
    const answers = await Promise.all([1, 2, 3].map(() => changeCity('Winneba', seen, options)));

    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(calls()).toEqual([`GET ${company}`, `PATCH ${company}`]);
  });

  test('a conflict keeps no record: the client may correct the write under its key', async () => {
    const options = key();
    expect(codesOf(await changeCity('Wa', '2020-01-01T00:00:00Z', options))).toEqual(['CONFLICT']);
    const { updated_on: seen } = await stored(company);

    expect(codesOf(await changeCity('Bawku', seen, options))).toEqual([]);
  });

  test('gives NOT_FOUND for an unknown company, without a write', async () => {
    const { errors, data } = await gateway.query(updateCompany, { id: 'ZZZZZZZZZZ', input: { city: 'Wa' }, seen: 1 });

    expect(data).toEqual({ updateCompany: null });
    expect(codesOf({ errors })).toEqual(['NOT_FOUND']);
    expect(calls().filter((call) => call.startsWith('PATCH'))).toEqual([]);
  });

  test('writes nothing where the service cannot show the object, or its time', async () => {
    const { updated_on: _hidden, ...object } = await stored(company);
    gateway.upstream.respond = ({ method }) =>
      method === 'GET' ? { status: 200, body: JSON.stringify(object) } : undefined;
    expect(codesOf(await changeCity('Wa', 1))).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    gateway.upstream.respond = ({ method }) => (method === 'GET' ? { status: 500, body: '{}' } : undefined);
    expect(codesOf(await changeCity('Wa', 1))).toEqual(['UPSTREAM_ERROR']);

    expect(calls().filter((call) => call.startsWith('PATCH'))).toEqual([]);
  });

  test.each(['yesterday', '2026-13-01T00:00:00Z', true])('refuses %j, which is no time', async (seen) => {
    const { status, errors } = await changeCity('Wa', seen);

    expect([status, codesOf({ errors })]).toEqual([400, ['BAD_USER_INPUT']]);
    expect(calls()).toEqual([]);
  });

  test('is counted by the estimate', async () => {
    const estimateOf = async (seen: unknown) => {
      const { extensions } = await changeCity('Wa', seen, { headers: { 'x-trace-upstream': 'estimate' } });
      return (extensions?.upstream as { estimate: object } | undefined)?.estimate;
    };
    expect(await estimateOf(null)).toMatchObject({ least: 1, expected: { calls: 1 } });
    expect(await estimateOf('2026-01-01T00:00:00Z')).toMatchObject({ least: 2, expected: { calls: 2 } });
  });
});

describe('if_unchanged', () => {
  test('lets a write through while the named values are as the client has read them', async () => {
    const { address, phone } = await stored(user);
    const { data, errors } = await changeAddress('Ring Road 1', { address, phone });

    expect(errors).toEqual([]);
    expect(data.updateUser.address).toBe('Ring Road 1');
    expect(calls()).toEqual([`GET ${user}`, `PATCH ${user}`]);
  });

  test('names each value that another client has changed', async () => {
    const { address, first_name } = await stored(user);
    await patch(user, { address: 'Beach Road 2' });
    const { data, errors } = await changeAddress('Ring Road 3', { address, first_name });

    expect(data.updateUser).toEqual({ id: ids.user, first_name, address: 'Beach Road 2' });
    expect(errors.map(({ extensions }) => extensions)).toMatchObject([
      { code: 'CONFLICT', reference: { type: 'User', id: ids.user }, fields: [{ path: ['if_unchanged', 'address'] }] },
    ]);
    expect(calls()).toEqual([`GET ${user}`]);
  });

  test('is held against the stored user alone, not against the answer', async () => {
    const { address } = await stored(user);

    expect((await changeAddress('Canal Street 4', { address })).errors).toEqual([]);
  });
});

describe('a push', () => {
  const document = pushDocument('... on Company { city updated_on members { id } } ... on User { address }');
  const cityWrite = (city: string, seen: unknown, name = randomUUID()): PushedWrite => ({
    key: name,
    write: { updateCompany: { id: ids.company, input: { city }, if_updated_on: seen } as object },
  });
  const push = async (writes: PushedWrite[]) => {
    const { data, errors } = await gateway.query(document, { writes });
    expect(errors).toEqual([]);
    return data.push;
  };

  test('refuses the write of an object that has changed, shows the object, and makes the others', async () => {
    const { updated_on: seen } = await stored(company);
    await patch(company, { city: 'Wa' });
    const farmer = { key: randomUUID(), write: { createFarmer: { first_name: 'Esi' } } };
    const results = await push([cityWrite('Tamale', seen), farmer]);

    expect(results).toMatchObject([
      {
        status: 'REFUSED',
        object: { __typename: 'Company', city: 'Wa' },
        error: { code: 'CONFLICT', retryable: false, fields: [{ path: ['if_updated_on'] }] },
      },
      { status: 'DONE', error: null },
    ]);
    expect(results[0].object.members).not.toEqual([]);
    expect((await stored(company)).city).toBe('Wa');
  });

  test('sent again replays its writes, and none is a conflict', async () => {
    const { updated_on: seen } = await stored(company);
    const writes = [cityWrite('Ho', seen), cityWrite('Keta', seen)];
    expect(await push(writes)).toMatchObject([{ status: 'DONE' }, { status: 'DONE' }]);
    gateway.upstream.clear();

    expect(await push(writes)).toMatchObject([{ status: 'REPLAYED' }, { status: 'REPLAYED' }]);
    expect(calls().filter((call) => call.startsWith('PATCH'))).toEqual([]);
  });

  test('takes no earlier update of its own for a conflict, and takes those of others for one', async () => {
    const { updated_on: seen } = await stored(company);
    const [first, second] = [cityWrite('Ho', seen), cityWrite('Keta', seen)];
    expect(await push([first])).toMatchObject([{ status: 'DONE' }]);
    await patch(company, { city: 'Wa' });

    expect(await push([first, second, cityWrite('Axim', seen)])).toMatchObject([
      { status: 'REPLAYED' },
      { status: 'REFUSED', object: { city: 'Wa' }, error: { code: 'CONFLICT' } },
      { status: 'REFUSED', object: { city: 'Wa' }, error: { code: 'CONFLICT' } },
    ]);
  });

  test('takes no earlier value of its own for a conflict', async () => {
    const { address } = await stored(user);
    const write = (next: string): PushedWrite => ({
      key: randomUUID(),
      write: { updateUser: { id: ids.user, input: { address: next }, if_unchanged: { address } } as object },
    });

    expect(await push([write('Hill 1'), write('Hill 2'), write('Hill 3')])).toMatchObject([
      { status: 'DONE' },
      { status: 'DONE' },
      { status: 'DONE', object: { address: 'Hill 3' } },
    ]);
  });

  test('a key with another condition is another write', async () => {
    const { updated_on: seen } = await stored(company);
    const name = randomUUID();
    await push([cityWrite('Ho', seen, name)]);

    expect(await push([cityWrite('Ho', null, name)])).toMatchObject([{ error: { code: 'IDEMPOTENCY_CONFLICT' } }]);
  });
});
