import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, rowCounts, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const createCompanyMember = (selection: string) =>
  `mutation ($input: CreateCompanyMemberInput!) { createCompanyMember(input: $input) { ${selection} } }`;

const wholeUser = `
  id first_name last_name email updated_email dob phone address image managing_entity_ids default_entity_id
  accepted_policy current_policy policy_accepted language`;

test('createCompanyMember stores every field of member and user, and returns both', async () => {
  const input = fullBody('CompanyMemberWrite', ids);
  expect(fieldsLeftOut('CreateCompanyMemberInput', input)).toEqual(['input.user_id']);

  const { data, errors, calls } = await gateway.query(
    createCompanyMember(
      `id type is_active company_id creator_id updater_id created_on updated_on user { ${wholeUser} }`,
    ),
    { input },
  );

  expect(errors).toEqual([]);
  expect(calls).toEqual(['POST /supply-chains/company-members/']);
  const { user, ...member } = data.createCompanyMember;
  expect(member).toMatchObject({
    type: 'ADMIN',
    is_active: true,
    company_id: ids.company,
    creator_id: ids.user,
    updater_id: ids.user,
  });
  const { managing_entitys, default_entity, ...stored } = await get(gateway.sandbox, `/accounts/users/${user.id}/`);
  expect(user).toEqual({ ...stored, managing_entity_ids: managing_entitys, default_entity_id: default_entity });
  const { id: _proposed, default_entity: _default, ...plain } = input.user;
  expect(stored).toMatchObject(plain);
  expect(managing_entitys).toEqual([ids.company]);
  expect((await get(gateway.sandbox, `/supply-chains/companies/${ids.company}/`)).members).toContain(user.id);
});

test('createCompanyMember takes an empty user alone', async () => {
  const { data, errors } = await gateway.query(createCompanyMember('id user { id language } company_id'), {
    input: { user: {} },
  });
  expect(errors).toEqual([]);
  expect(lastBody(gateway.sandbox)).toStrictEqual({ user: {} });
  expect(data.createCompanyMember).toMatchObject({ user: { language: 'en' }, company_id: ids.company });
});

test('createCompanyMember reads references after the write', async () => {
  const input = { user: { first_name: 'Ama', default_entity: ids.company } };
  const { data, errors, calls } = await gateway.query(
    createCompanyMember('company { name } creator { first_name } user { default_entity { name } }'),
    { input },
  );
  expect(errors).toEqual([]);
  const name = 'Sankofa Growers Cooperative Union';
  expect(data.createCompanyMember).toEqual({
    company: { name },
    creator: { first_name: 'Abena' },
    user: { default_entity: { name } },
  });
  expect(calls[0]).toBe('POST /supply-chains/company-members/');
  expect(calls.slice(1).toSorted()).toEqual([
    `GET /accounts/users/${ids.user}/`,
    `GET /supply-chains/companies/${ids.company}/`,
  ]);
});

test('createCompanyMember sends `user_id` as `user`', async () => {
  await using proxy = await startFakeUpstream({ target: gateway.sandbox.url });
  await using behindProxy = await startGateway({ upstreamUrl: proxy.url });
  const member = { id: 'MEMBERMEMB', user: ids.user, company: ids.company, type: 'ADMIN', is_active: true };
  proxy.respond = ({ method }) => (method === 'POST' ? { status: 201, body: JSON.stringify(member) } : undefined);

  for (const input of [{ user_id: ids.user }, { user_id: ids.user, user: null }]) {
    const { data, errors } = await behindProxy.query(createCompanyMember('id user { id first_name }'), {
      input: { ...input, company: ids.company },
    });
    expect(errors).toEqual([]);
    expect(data.createCompanyMember).toEqual({ id: member.id, user: { id: ids.user, first_name: 'Abena' } });
    const [write, read] = proxy.requests.splice(0);
    expect(JSON.parse(write!.body)).toStrictEqual({ user: ids.user, company: ids.company });
    expect(read?.path).toBe(`/accounts/users/${ids.user}/`);
  }
});

test('createCompanyMember refuses `user` with `user_id`, and writes nothing', async () => {
  const before = await rowCounts(gateway.sandbox);
  for (let attempt = 0; attempt < 2; attempt++) {
    const { data, errors, calls } = await gateway.query(createCompanyMember('id'), {
      input: { user: { first_name: 'Ama' }, user_id: ids.user },
    });
    expect(data).toEqual({ createCompanyMember: null });
    expect(errors).toMatchObject([
      {
        path: ['createCompanyMember'],
        extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'user_id'] }] },
      },
    ]);
    expect(calls).toEqual([]);
  }
  expect(await rowCounts(gateway.sandbox)).toEqual(before);
});

test('createCompanyMember reports the refusal of the service without `user` and `user_id`', async () => {
  const { data, errors } = await gateway.query(createCompanyMember('id'), { input: { company: ids.company } });
  expect(data).toEqual({ createCompanyMember: null });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'user'] }] } }]);
});
