import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullBodies } from '../support/full-bodies.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const updateUser = (selection: string) =>
  `mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { ${selection} } }`;
const userPath = (id: string) => `/accounts/users/${id}/`;
const everything = `
  id first_name last_name email updated_email dob phone address image managing_entity_ids default_entity_id
  accepted_policy current_policy policy_accepted language`;

async function stored(id: string) {
  const { managing_entitys, default_entity, ...plain } = await get(gateway.sandbox, userPath(id));
  return { ...plain, managing_entity_ids: managing_entitys, default_entity_id: default_entity };
}

test('a change of every field is stored as sent, and shown as stored', async () => {
  const { id: _proposed, ...input } = fullBodies.UserPatch(ids);
  expect(fieldsLeftOut('UpdateUserInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(updateUser(everything), { id: ids.otherUser, input });

  expect(errors).toEqual([]);
  expect(calls).toEqual([`PATCH ${userPath(ids.otherUser)}`]);
  expect(lastBody(gateway.sandbox)).toStrictEqual(input);
  expect(data.updateUser).toEqual(await stored(ids.otherUser));
  const { default_entity: default_entity_id, ...plain } = input;
  expect(data.updateUser).toMatchObject({ ...plain, default_entity_id });
});

test('a change of one field leaves the others; null is sent as null', async () => {
  const before = await stored(ids.otherUser);
  const { data } = await gateway.query(updateUser(everything), {
    id: ids.otherUser,
    input: { address: 'Elsewhere', dob: null },
  });
  expect(lastBody(gateway.sandbox)).toStrictEqual({ address: 'Elsewhere', dob: null });
  expect(data.updateUser).toEqual({ ...before, address: 'Elsewhere', dob: null });
});

test('the companies of the user are read after the write, each once', async () => {
  const { data, errors, calls } = await gateway.query(
    updateUser('managing_entitys { __typename name } default_entity { id name }'),
    { id: ids.user, input: { first_name: 'Abena' } },
  );
  expect(errors).toEqual([]);
  const name = 'Sankofa Growers Cooperative Union';
  expect(data.updateUser).toEqual({
    managing_entitys: [{ __typename: 'Company', name }],
    default_entity: { id: ids.company, name },
  });
  expect(calls).toEqual([`PATCH ${userPath(ids.user)}`, `GET /supply-chains/companies/${ids.company}/`]);
});

test('an unknown user is NOT_FOUND', async () => {
  const { data, errors, calls } = await gateway.query(updateUser('id'), { id: 'NOSUCHIDXX', input: {} });
  expect(data).toEqual({ updateUser: null });
  expect(errors).toMatchObject([{ path: ['updateUser'], extensions: { code: 'NOT_FOUND' } }]);
  expect(calls).toEqual([`PATCH ${userPath('NOSUCHIDXX')}`]);
});
