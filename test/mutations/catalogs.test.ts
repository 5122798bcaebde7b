import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBodies } from '../support/full-bodies.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const createPremium = (selection: string) =>
  `mutation ($input: CreatePremiumInput!) { createPremium(input: $input) { ${selection} } }`;
const everything = `
  id name category type applicable_activity calculation_type amount included dependant_on_card is_active
  owner_id creator_id updater_id created_on updated_on
  options { id name amount is_active creator_id updater_id created_on updated_on }`;

/** A premium as `everything` shows it. REST shows premiums only with the payments that they are paid by. */
async function stored(id: string) {
  const body = JSON.stringify({ source: ids.company, destination: ids.farmer, currency: ids.currency, premium: id });
  const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
  const url = `${gateway.sandbox.url}/transactions/payment-transactions/`;
  const payment = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Json;
  const { owner, options, ...plain } = payment.premium_details;
  return { ...authored(plain), owner_id: owner, options: options.map(authored) };
}
const authored = ({ creator, updater, ...plain }: Json) => ({ ...plain, creator_id: creator, updater_id: updater });

test('a premium with every field is stored as sent, and shown as stored', async () => {
  const input = fullBodies.PremiumWrite(ids);
  expect(fieldsLeftOut('CreatePremiumInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(createPremium(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual(['POST /catalogs/premiums/']);
  const premium = data.createPremium;
  expect(premium).toEqual(await stored(premium.id));
  const { id: _proposed, options: _options, owner, creator, updater, ...plain } = input;
  expect(premium).toMatchObject({ ...plain, owner_id: owner, creator_id: creator, updater_id: updater });
  expect(premium.options).toMatchObject([{ name: 'Small', amount: 1.5, is_active: true, creator_id: ids.user }]);
  const { owned_premiums } = await get(gateway.sandbox, `/supply-chains/companies/${ids.company}/`);
  expect(owned_premiums).toContain(premium.id);
});

test('a name is enough', async () => {
  const { data, errors } = await gateway.query(createPremium(everything), { input: { name: 'Fair trade' } });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual({ name: 'Fair trade' });
  expect(data.createPremium).toEqual(await stored(data.createPremium.id));
});

test('several options keep their order, and null its place', async () => {
  const input = { name: 'Grades', amount: null, owner: null, options: [{ name: 'A', amount: 2 }, { name: 'B' }] };
  const { data, errors } = await gateway.query(
    createPremium('amount owner { name } owner_id options { name amount }'),
    {
      input,
    },
  );
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  expect(data.createPremium).toEqual({
    amount: null,
    owner: null,
    owner_id: null,
    options: [
      { name: 'A', amount: 2 },
      { name: 'B', amount: 0 },
    ],
  });
});

test('the owner and the authors are read after the write, each once', async () => {
  const { data, errors, calls } = await gateway.query(
    createPremium('owner { name } creator { first_name } options { creator { email } updater { email } }'),
    { input: { name: 'Grades', options: [{ name: 'A' }, { name: 'B', creator: ids.otherUser }] } },
  );
  expect(errors).toEqual([]);
  const abena = { email: 'abena@sankofa.example' };
  expect(data.createPremium).toEqual({
    owner: { name: 'Sankofa Growers Cooperative Union' },
    creator: { first_name: 'Abena' },
    options: [
      { creator: abena, updater: abena },
      { creator: { email: 'theogene@sankofa.example' }, updater: abena },
    ],
  });
  expect(calls[0]).toBe('POST /catalogs/premiums/');
  expect(calls.slice(1).toSorted()).toEqual(
    [
      `GET /accounts/users/${ids.user}/`,
      `GET /accounts/users/${ids.otherUser}/`,
      `GET /supply-chains/companies/${ids.company}/`,
    ].toSorted(),
  );
});
