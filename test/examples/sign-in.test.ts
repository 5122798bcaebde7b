import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openSession, SignInError } from '../../examples/sign-in/sign-in.ts';
import { openExample } from '../support/example.ts';
import { startFakedGateway, startGateway } from '../support/harness.ts';
import { callerClaims, people } from '../support/tokens.ts';

/** Has the clients. */
const clients = openExample('clients');
const refresh = 'POST /auth/token/refresh/';
const count = '{ farmers { count } }';
const move = 'mutation ($id: ID!) { updateUser(id: $id, input: { address: "Ring Road 1" }) { id } }';
const refusal = {
  status: 401,
  body: '{"success":false,"message":{"detail":"Token is invalid"},"detail":"","code":401,"data":{}}',
};

const gateway = await startFakedGateway({ CALLER_CLAIMS: callerClaims }, { sandbox: { dialect: 'connect' } });
const { url, upstream } = gateway;
const { data: counted } = await gateway.query(count, {}, { key: 'Bearer demo-coop' });
const variables = { id: people.abena.user };
afterAll(() => gateway.close());
afterEach(() => {
  upstream.respond = undefined;
});

/** Signs in. The service refuses the token from now on, as if it had ended. */
async function openRefused(options: { callerClaims?: boolean } = {}) {
  const session = openSession({ url, ...options });
  await session.signIn('abena@sankofa.example', 'sandbox');
  await post(session, count);
  const first = upstream.requests.findLast(({ path }) => path.includes('farmers'))?.headers.authorization;
  upstream.respond = ({ headers }) => (headers.authorization === first ? refusal : undefined);
  upstream.clear();
  gateway.sandbox.clearCalls();
  return session;
}

async function post({ fetch }: Pick<ReturnType<typeof openSession>, 'fetch'>, query: string, headers = {}) {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return response.json();
}

const refreshes = () => upstream.calls.filter((call) => call === refresh).length;
/** Those that the service has taken. */
const writes = () => gateway.sandbox.calls().filter(({ method }) => method === 'PATCH').length;

describe('a token that ends in the middle of an operation', () => {
  test('is refreshed, and the query is sent again', async () => {
    const session = await openRefused();

    expect(await post(session, count)).toEqual({ data: counted });
    expect(refreshes()).toBe(1);
  });

  test('is refreshed once for twenty queries', async () => {
    const session = await openRefused();

    const answers = await Promise.all(Array.from({ length: 20 }, () => post(session, count)));

    expect(answers).toEqual(Array(20).fill({ data: counted }));
    expect(refreshes()).toBe(1);
  });

  test.each([
    ['without an Idempotency-Key', true, {}],
    [
      'with an Idempotency-Key, where the gateway has no CALLER_CLAIMS',
      false,
      { 'idempotency-key': crypto.randomUUID() },
    ],
  ])('is refreshed, and a mutation is not sent again: %s', async (_what, callerClaims, headers) => {
    const session = await openRefused({ callerClaims });

    const { errors } = await post(session, move, headers);

    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect([refreshes(), writes()]).toEqual([1, 0]);
    expect((await post(session, move, headers)).errors).toBeUndefined();
  });

  test('is refreshed, and a mutation with an Idempotency-Key is sent again under CALLER_CLAIMS', async () => {
    const session = await openRefused({ callerClaims: true });

    const answer = await post(session, move, { 'idempotency-key': crypto.randomUUID() });

    expect(answer).toEqual({ data: { updateUser: variables } });
    expect([refreshes(), writes()]).toEqual([1, 1]);
  });

  test('ends the session where the service refuses the refresh, with one error for all', async () => {
    const session = await openRefused();
    upstream.respond = () => refusal;

    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => post(session, count)));

    for (const end of ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: expect.any(SignInError) });
      expect((end as PromiseRejectedResult).reason.code).toBe('UNAUTHENTICATED');
    }
    expect(refreshes()).toBe(1);
    await expect(post(session, count)).rejects.toThrow('Nobody is signed in.');
  });
});

test('a token that has ended is refreshed before the next request', async () => {
  await using own = await startGateway({ sandbox: { dialect: 'connect', tokenSeconds: 1 } });
  const session = openSession({ url: own.url });
  await session.signIn('abena@sankofa.example', 'sandbox');
  const send = async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await session.fetch(own.url, { method: 'POST', headers, body: JSON.stringify({ query: count }) });
    return response.json();
  };
  const tokens = new Set<string>();
  await expect
    .poll(
      async () => {
        expect(await send()).toEqual({ data: counted });
        for (const { headers, endpoint } of own.sandbox.calls())
          if (endpoint === 'listFarmers') tokens.add(String(headers.authorization));
        return tokens.size;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(2);
});

test('a wrong password is an error with the code of the gateway', async () => {
  const session = openSession({ url });

  await expect(session.signIn('abena@sankofa.example', 'wrong')).rejects.toMatchObject({
    message: 'The service does not accept this user name and password.',
    code: 'UNAUTHENTICATED',
  });
});

describe.skipIf(clients.skip)('the module in a client', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the example has the types of its packages, and this repository has not
  const load = (name: string): Promise<any> =>
    import(pathToFileURL(createRequire(join(clients.folder, 'package.json')).resolve(name)).href);

  test('Apollo Client gets its answers under the next token', async () => {
    const { ApolloClient, gql, HttpLink, InMemoryCache } = await load('@apollo/client');
    const session = await openRefused();
    const link = new HttpLink({ uri: url, fetch: session.fetch });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });

    const queries = Array.from({ length: 20 }, (_, index) => gql(`query Q${index} ${count}`));
    const answers = await Promise.all(queries.map((query) => client.query({ query })));

    expect(answers.map(({ data }) => data.farmers.count)).toEqual(Array(20).fill(counted.farmers.count));
    expect(refreshes()).toBe(1);
  });

  test('urql gets its answers under the next token, by POST and by GET', async () => {
    const { Client, fetchExchange } = await load('@urql/core');
    for (const preferGetMethod of [false, true]) {
      const session = await openRefused();
      const headers = { 'apollo-require-preflight': 'true' };
      const client = new Client({
        url,
        fetch: session.fetch,
        fetchOptions: { headers },
        preferGetMethod,
        exchanges: [fetchExchange],
      });

      const { data, error } = await client.query(count, {});

      expect(error).toBeUndefined();
      expect(data).toMatchObject(counted);
      expect(refreshes()).toBe(1);
    }
  });
});
