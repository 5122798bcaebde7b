import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import type { Json } from '../support/rest.ts';

let connect: ConnectGateway;
beforeAll(async () => {
  connect = await startConnectGateway();
});
afterAll(() => connect.gateway.close());

const updateUser = 'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }';

describe('updateUser of a service that fails', () => {
  test('is a CONFLICT at the e-mail where the user still has another one', async () => {
    const { ids, query, rest } = connect;
    const before = await rest(`/accounts/users/${ids.user}/`);
    const { email } = await rest(`/accounts/users/${ids.stranger}/`);
    const { data, errors, calls } = await query(updateUser, { id: ids.user, input: { email, first_name: 'Esi' } });
    expect(data).toEqual({ updateUser: null });
    expect(errors).toMatchObject([
      {
        message: 'The service failed and stored nothing: the e-mail is probably in use.',
        extensions: { code: 'CONFLICT', fields: [{ path: ['input', 'email'] }], upstream_status: 500 },
      },
    ]);
    expect(calls).toEqual([`PATCH /accounts/users/${ids.user}/`, `GET /accounts/users/${ids.user}/`]);
    expect(await rest(`/accounts/users/${ids.user}/`)).toEqual(before);
  });

  test('is OUTCOME_UNKNOWN where the e-mail is no reason', async () => {
    const { ids, gateway, key, rest } = connect;
    const { email } = await rest(`/accounts/users/${ids.user}/`);
    await using failing = await startGateway({
      upstreamUrl: gateway.sandbox.url,
      settings: { UPSTREAM_DIALECT: 'connect', FORWARD_HEADERS: 'x-sandbox-fail' },
    });
    const headers = { 'x-sandbox-fail': `500:/accounts/users/${ids.user}/` };
    for (const input of [{ email: email.toUpperCase() }, { first_name: 'Esi' }, { email: 'new@sankofa.example' }]) {
      const { errors } = await failing.query(updateUser, { id: ids.user, input }, { key, headers });
      expect(errors).toMatchObject([
        { extensions: { code: 'OUTCOME_UNKNOWN', retryable: false, upstream_status: 500 } },
      ]);
    }
  });
});

test.each([
  { status: 400, text: '{"name":["Nom déjà pris."]}' },
  { status: 200, text: '{"success":false,"message":{"name":["Nom déjà pris."]},"code":400,"data":{}}' },
])('a refusal that is not in UTF-8 names its field, with status $status', async ({ status, text }) => {
  await using gateway = await startFakedGateway();
  gateway.upstream.fail('/catalogs/premiums/', { status, body: Buffer.from(text, 'latin1') });
  const { errors } = await gateway.queryFailing('mutation { createPremium(input: { name: "A" }) { id } }');
  const message = 'Nom d\u{FFFD}j\u{FFFD} pris.';
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'name'], message }], upstream_status: 400 } },
  ]);
});

describe('createCompanyMember', () => {
  const document = 'mutation ($input: CreateCompanyMemberInput!) { createCompanyMember(input: $input) { id } }';

  test('with a new user names `user_id` where the service takes only that', async () => {
    const input = { company: connect.ids.company, user: { first_name: 'Esi' } };
    const { errors } = await connect.query(document, { input });
    const message = 'This service takes the id of one that exists: give `user_id` in place of `user`.';
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'user'], message }] } },
    ]);
  });

  test('with `user_id` names `user` where an older service takes only a new user', async () => {
    await using upstream = await startFakeUpstream({ target: connect.gateway.sandbox.url });
    await using gateway = await startGateway({ upstreamUrl: upstream.url, settings: { UPSTREAM_DIALECT: 'connect' } });
    const said = 'Invalid data. Expected a dictionary, but got str.';
    upstream.respond = ({ method }) =>
      method === 'POST'
        ? { status: 400, body: JSON.stringify({ success: false, message: { user: { non_field_errors: [said] } } }) }
        : undefined;
    const input = { company: connect.ids.company, user_id: connect.ids.user };

    const { errors } = await gateway.query(document, { input }, { key: connect.key });

    const message = 'This service takes a new one: give `user` in place of `user_id`.';
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'user_id'], message }] } },
    ]);
  });

  test('shows other errors of the service as they are', async () => {
    const input = { company: connect.ids.company, user_id: 'ZZZZZZZZZZ' };
    const { errors } = await connect.query(document, { input });
    const [{ path, message }] = (errors[0] as Json).extensions.fields;
    expect([path, message]).toEqual([['input', 'user_id'], 'Invalid pk "ZZZZZZZZZZ" - object does not exist.']);
  });
});

test('a service that wants unix seconds names the setting that is missing', async () => {
  await using gateway = await startGateway({
    upstreamUrl: connect.gateway.sandbox.url,
    settings: { UPSTREAM_DIALECT: 'spec' },
  });
  const document =
    'mutation ($input: CreatePaymentTransactionInput!) { createPaymentTransaction(input: $input) { id } }';
  const input = { source: connect.ids.company, destination: connect.ids.farmer, date: '2026-01-02T03:04:05Z' };
  const { errors } = await gateway.query(document, { input }, { key: connect.key });
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', upstream_status: 400 } }]);
  expect(errors[0]?.message).toContain('UPSTREAM_DIALECT=connect');
});
