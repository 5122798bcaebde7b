import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, leavesOf, rowCounts, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const createFarmer = (selection: string) =>
  `mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { ${selection} } }`;

const everything = `${leavesOf('Farmer')} entity_card { id } submission { id }`;

test('createFarmer stores every field as sent, and returns it as stored', async () => {
  const input = fullBody('FarmerWrite', ids);
  expect(fieldsLeftOut('CreateFarmerInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(createFarmer(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual(['POST /supply-chains/farmers/']);
  const farmer = data.createFarmer;
  const { buyer, creator, updater, ...stored } = await get(gateway.sandbox, `/supply-chains/farmers/${farmer.id}/`);
  expect(farmer).toEqual({
    ...stored,
    name: 'Esi Mensah',
    plots: null,
    buyer_id: buyer,
    creator_id: creator,
    updater_id: updater,
  });
  const { id: _proposed, created_on: _time, buyer: _buyer, creator: _creator, updater: _updater, ...plain } = input;
  expect(stored).toMatchObject({ ...plain, created_on: '2024-02-29T08:30:00.000000Z' });
  expect([buyer, creator, updater]).toEqual([ids.company, ids.user, ids.user]);
});

test('createFarmer takes a first name alone', async () => {
  const { data, calls } = await gateway.query(createFarmer(everything), { input: { first_name: 'Kofi' } });

  expect(calls).toEqual(['POST /supply-chains/farmers/']);
  expect(lastBody(gateway.sandbox)).toStrictEqual({ first_name: 'Kofi' });
  expect(data.createFarmer).toMatchObject({ name: 'Kofi', last_name: null, consent_status: 'GRANTED' });
});

test('createFarmer sends null as null, and no absent field', async () => {
  const input = { first_name: 'Kofi', phone: null, created_on: '2024-02-29T08:30:00Z', email: undefined };
  await gateway.query(createFarmer('id'), { input });
  expect(lastBody(gateway.sandbox)).toStrictEqual({
    first_name: 'Kofi',
    phone: null,
    created_on: '2024-02-29T08:30:00Z',
  });

  const document = `mutation ($city: String, $street: String) {
    createFarmer(input: { first_name: "Kofi", city: $city, street: $street, zipcode: null }) { id }
  }`;
  await gateway.query(document, { city: null });
  expect(lastBody(gateway.sandbox)).toStrictEqual({ first_name: 'Kofi', city: null, zipcode: null });
});

test.each([
  ['2024-02-29T10:30:00.123456+02:00', '2024-02-29T10:30:00.123456+02:00'],
  [1709195400, '2024-02-29T08:30:00Z'],
  ['1709195400.25', '2024-02-29T08:30:00.25Z'],
])('createFarmer sends created_on %j as %j', async (created_on, sent) => {
  await gateway.query(createFarmer('id'), { input: { first_name: 'Kofi', created_on } });
  expect(lastBody(gateway.sandbox)).toStrictEqual({ first_name: 'Kofi', created_on: sent });
});

test('createFarmer reads references once each, after the write', async () => {
  const { data, errors, calls } = await gateway.query(
    createFarmer('buyer { id name currency { code } } creator { first_name } updater { email }'),
    { input: { first_name: 'Kofi' } },
  );

  expect(errors).toEqual([]);
  expect(data.createFarmer).toMatchObject({
    buyer: { id: ids.company, name: 'Sankofa Growers Cooperative Union', currency: { code: 'USD' } },
    creator: { first_name: 'Abena' },
    updater: { email: 'abena@sankofa.example' },
  });
  expect(calls[0]).toBe('POST /supply-chains/farmers/');
  expect(calls.slice(1).toSorted()).toEqual([
    `GET /accounts/users/${ids.user}/`,
    `GET /supply-chains/companies/${ids.company}/`,
  ]);
});

test('createFarmer adds the farmer to the list that is read next', async () => {
  const before = await rowCounts(gateway.sandbox);
  await gateway.query(createFarmer('id'), { input: { first_name: 'Kofi', last_name: 'Unheard-of' } });
  const { data } = await gateway.query('{ farmers(last_name: "unheard") { count results { name } } }');

  expect(data.farmers).toEqual({ count: 1, results: [{ name: 'Kofi Unheard-of' }] });
  const path = '/supply-chains/farmers/';
  expect(await rowCounts(gateway.sandbox)).toEqual({ ...before, [path]: before[path]! + 1 });
});
