import { afterAll, beforeAll, expect, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { one, paths, readRest } from '../support/rest-reads.ts';
import { bearerOf, people } from '../support/tokens.ts';

const settings = { ME_CLAIM: 'user_id', COMPANY_CLAIM: 'session_data.entity_id' };
const document = '{ me { id email } activeCompany { id name } }';
const { theogene, maartje } = people;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ settings });
});
afterAll(() => gateway.close());

test('me and activeCompany are the user and the company of the token, by a GET each', async () => {
  const caller = { user: theogene.user, company: maartje.company };

  const { data, errors, calls } = await gateway.query(document, {}, { key: bearerOf(caller) });

  const user = await readRest(gateway, `${paths.users}${caller.user}/`);
  const company = await readRest(gateway, `${paths.companies}${caller.company}/`);
  expect(errors).toEqual([]);
  expect(data.me).toEqual({ id: user.id, email: user.email });
  expect(data.activeCompany).toEqual({ id: company.id, name: company.name });
  expect(calls.toSorted()).toEqual([one(paths.users, caller.user), one(paths.companies, caller.company)].toSorted());
});

test('me shares its call with other fields that name the user', async () => {
  const { user } = theogene;
  const query = `{ me { email } user(id: "${user}") { email } }`;
  const options = { key: bearerOf(theogene), headers: { 'x-trace-upstream': 'true' } };

  const { data, calls, extensions } = await gateway.query(query, {}, options);

  expect(data.me).toEqual(data.user);
  expect(calls).toEqual([one(paths.users, user)]);
  expect(extensions?.upstream).toMatchObject({ estimate: { least: 1 }, total: 1 });
});

test('me follows references as user does', async () => {
  const selection = '{ default_entity { ... on Company { name } } }';
  const query = `{ me ${selection} user(id: "${theogene.user}") ${selection} }`;

  const { data, errors } = await gateway.query(query, {}, { key: bearerOf(theogene) });

  expect(errors).toEqual([]);
  expect(data.me.default_entity.name).toEqual(expect.any(String));
  expect(data.me).toEqual(data.user);
});

test.each([
  ['an opaque key', 'demo-coop', 'user_id (ME_CLAIM)'],
  ['a token without the claim', bearerOf(theogene, { claims: { user_id: undefined } }), 'user_id (ME_CLAIM)'],
  ['a claim that is an object', bearerOf(theogene, { claims: { user_id: {} } }), 'user_id (ME_CLAIM)'],
])('me is NOT_FOUND for %s, without a call', async (_, key, named) => {
  const { data, errors, calls } = await gateway.query('{ me { id } }', {}, { key });

  expect(data).toEqual({ me: null });
  expect(errors).toMatchObject([{ path: ['me'], extensions: { code: 'NOT_FOUND' } }]);
  expect(errors[0]?.message).toContain(named);
  expect(calls).toEqual([]);
});

test('me and activeCompany name their settings where nobody has set them', async () => {
  await using plain = await startGateway();

  const { data, errors, calls } = await plain.query(document, {}, { key: bearerOf(theogene) });

  expect(data).toEqual({ me: null, activeCompany: null });
  expect(codesOf({ errors })).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  expect(errors.map(({ message }) => message).join()).toMatch(
    /ME_CLAIM.*`user\(id:\)`.*COMPANY_CLAIM.*`company\(id:\)`/,
  );
  expect(calls).toEqual([]);
});

test('me gives a forged token what the service gives it', async () => {
  const { data, errors } = await gateway.query(document, {}, { key: bearerOf(theogene, { secret: 'made up' }) });

  expect(data).toEqual({ me: null, activeCompany: null });
  expect(codesOf({ errors })).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
});
