import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, type WorldIds } from '../support/rest.ts';
import { expectCalls, one, paths, pick, type Row, readRest, readRows, unknownId } from '../support/rest-reads.ts';

describe('user(id)', () => {
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

  test('returns a user for one call', async () => {
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

  test('returns null with NOT_FOUND for an unknown id', async () => {
    const answer = await ask('email', unknownId);

    expect(answer).toMatchObject({
      status: 200,
      data: { user: null },
      errors: [{ path: ['user'], extensions: { code: 'NOT_FOUND', reference: { type: 'User', id: unknownId } } }],
    });
    expect(answer.errors).toHaveLength(1);
    expectCalls(answer, one(paths.users, unknownId));
  });

  test('makes one call for each company of the user', async () => {
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

  test('makes no call for the ids of companies', async () => {
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
});

describe('updateUser', () => {
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

  test('stores every field as sent, and returns it as stored', async () => {
    const { id: _proposed, ...input } = fullBody('UserPatch', ids);
    expect(fieldsLeftOut('UpdateUserInput', input)).toEqual([]);

    const { data, errors, calls } = await gateway.query(updateUser(everything), { id: ids.otherUser, input });

    expect(errors).toEqual([]);
    expect(calls).toEqual([`PATCH ${userPath(ids.otherUser)}`]);
    expect(lastBody(gateway.sandbox)).toStrictEqual(input);
    expect(data.updateUser).toEqual(await stored(ids.otherUser));
    const { default_entity: default_entity_id, ...plain } = input;
    expect(data.updateUser).toMatchObject({ ...plain, default_entity_id });
  });

  test('changes the sent fields alone, and sends null as null', async () => {
    const before = await stored(ids.otherUser);
    const { data } = await gateway.query(updateUser(everything), {
      id: ids.otherUser,
      input: { address: 'Elsewhere', dob: null },
    });
    expect(lastBody(gateway.sandbox)).toStrictEqual({ address: 'Elsewhere', dob: null });
    expect(data.updateUser).toEqual({ ...before, address: 'Elsewhere', dob: null });
  });

  test('reads the companies of the user once each, after the write', async () => {
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

  test('answers NOT_FOUND for an unknown id', async () => {
    const { data, errors, calls } = await gateway.query(updateUser('id'), {
      id: 'NOSUCHIDXX',
      input: { address: 'Wa' },
    });
    expect(data).toEqual({ updateUser: null });
    expect(errors).toMatchObject([{ path: ['updateUser'], extensions: { code: 'NOT_FOUND' } }]);
    expect(calls).toEqual([`PATCH ${userPath('NOSUCHIDXX')}`]);
  });
});
