import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { expectCalls, one, paths, pick, type Row, readRest, readRows, unknownId } from '../support/rest-reads.ts';

let gateway: Gateway;
let user: Row;
let company: Row;

beforeAll(async () => {
  gateway = await startGateway();
  const [farmer] = (await readRows(gateway, paths.farmers)) as [Row];
  company = await readRest(gateway, `${paths.companies}${farmer.buyer}/`);
  user = await readRest(gateway, `${paths.users}${company.members[1]}/`);
});
afterAll(() => gateway.close());

const ask = (selection: string, id: string = user.id) =>
  gateway.query(`query ($id: ID!) { user(id: $id) { ${selection} } }`, { id });

test('one user, by id', async () => {
  const answer = await ask('id first_name last_name dob language updated_email current_policy policy_accepted');

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect([answer.data.user]).toEqual(
    pick(
      [user],
      'id',
      'first_name',
      'last_name',
      'dob',
      'language',
      'updated_email',
      'current_policy',
      'policy_accepted',
    ),
  );
  expectCalls(answer, one(paths.users, user.id));
});

test('an unknown user is null with NOT_FOUND', async () => {
  const answer = await ask('email', unknownId);

  expect(answer).toMatchObject({
    status: 200,
    data: { user: null },
    errors: [{ path: ['user'], extensions: { code: 'NOT_FOUND', reference: { type: 'User', id: unknownId } } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.users, unknownId));
});

test('what a user manages and starts with is one call for each company', async () => {
  const answer = await ask('managing_entitys { __typename name } default_entity { ... on Company { email } }');

  expect(user.managing_entitys).toEqual([company.id]);
  expect(user.default_entity).toBe(company.id);
  expect(answer).toMatchObject({ errors: [] });
  expect(answer.data.user).toEqual({
    managing_entitys: [{ __typename: 'Company', name: company.name }],
    default_entity: { email: company.email },
  });
  expectCalls(answer, one(paths.users, user.id), one(paths.companies, company.id));
});

test('ids of what a user manages cost nothing', async () => {
  const answer = await ask('managing_entity_ids managing_entitys { id } default_entity_id default_entity { id }');

  expect(answer.errors).toEqual([]);
  expect(answer.data.user).toEqual({
    managing_entity_ids: [company.id],
    managing_entitys: [{ id: company.id }],
    default_entity_id: company.id,
    default_entity: { id: company.id },
  });
  expectCalls(answer, one(paths.users, user.id));
});
