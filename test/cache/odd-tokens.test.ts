import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { purchaseOfNewFarmer, push } from '../../packages/push/test/push.ts';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { codesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';
import { paths } from '../support/rest-reads.ts';
import { bearerOf, callerClaims, people, proveSignatures } from '../support/tokens.ts';

const check = 'GET /catalogs/currencies/?limit=1&offset=0';
const cards = '{ cards(limit: 5) { results { id } } }';
const createFarmer = 'mutation { createFarmer(input: { first_name: "Esi" }) { id } }';
const signedOut = { status: 401, body: '{"detail":"Device deactivated login again."}' };

const sandbox = await startSandbox();
const service = await startFakeUpstream({ target: sandbox.url });
const settings = { CALLER_CLAIMS: callerClaims, ME_CLAIM: 'user_id', 'cache.lists.ttlMs': '600000' };
const gateway = await startGateway({ upstreamUrl: service.url, settings });
await proveSignatures(gateway);
afterAll(async () => {
  await gateway.close();
  await service.close();
  await sandbox.close();
});
beforeEach(() => {
  service.respond = undefined;
  service.clear();
});

/** A token with these claims, as JSON. Its signature is made up. */
const tokenOf = (claims: string) => `Bearer e30.${Buffer.from(claims).toString('base64url')}.c2ln`;

const { user, company } = people.abena;
const session = `"session_data":{"entity_id":"${company}","member_type":"ADMIN"}`;
const odd: Record<string, string> = {
  'an empty one': 'Bearer ',
  'one without claims': 'Bearer e30..c2ln',
  'one of half a byte': 'Bearer e30.A.c2ln',
  'claims that are no JSON': tokenOf('{'),
  'claims that are a list': tokenOf('[1, 2]'),
  'claims that are null': tokenOf('null'),
  'claims that are nested deep': tokenOf('['.repeat(8_000)),
  'claims of a prototype': tokenOf(`{"__proto__":{"user_id":"${user}",${session}}}`),
  'a claim that comes twice': tokenOf(`{"user_id":"nobody","user_id":"${user}",${session}}`),
  'a claim that is a list': tokenOf(`{"user_id":["${user}"],${session}}`),
  'a claim that is a boolean': tokenOf(`{"user_id":true,${session}}`),
  'a claim with half of a surrogate pair': tokenOf(`{"user_id":"\\ud800",${session}}`),
  'a claim that is a path': tokenOf(`{"user_id":"../companies/${company}",${session}}`),
  'a claim that is long': tokenOf(`{"user_id":"${'x'.repeat(9_000)}",${session}}`),
  'an expiry that is an object': tokenOf(`{"user_id":"${user}",${session},"exp":{}}`),
  'another case of Bearer': bearerOf(people.abena).replace('Bearer', 'bearer'),
  'two spaces': bearerOf(people.abena).replace(' ', '  '),
  'a tab': bearerOf(people.abena).replace(' ', '\t'),
  'four parts': `${bearerOf(people.abena)}.x`,
};

test.each(Object.keys(odd))('shows and sends nothing for odd tokens: %s', async (name) => {
  const options = { key: odd[name]!, headers: { 'idempotency-key': 'of Abena' } };
  await gateway.query(cards, {}, { key: bearerOf(people.abena) });
  await gateway.query(createFarmer, {}, { ...options, key: bearerOf(people.abena) });
  service.clear();

  const list = await gateway.query(cards, {}, options);
  const me = await gateway.query('{ me { id } }', {}, options);
  const write = await gateway.query(createFarmer, {}, options);

  expect([list.data, me.data, write.data]).toEqual([{ cards: null }, { me: null }, { createFarmer: null }]);
  expect([list, write].map(codesOf)).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
  expect(codesOf(me)).toEqual([expect.stringMatching(/^(UNAUTHENTICATED|NOT_FOUND)$/)]);
  expect(service.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

test.each([
  ['large numbers', '9007199254740992', '9007199254740993'],
  ['fractions', '9007199254740991', '9007199254740991.4'],
  ['a number and a string', '"9007199254740993"', '9007199254740993'],
])('keeps users apart whose claims JavaScript takes for one: %s', async (_, ...ids) => {
  const tokens = ids.map((id) => tokenOf(`{"user_id":${id},${session}}`));
  service.respond = ({ headers }) => {
    const results = [{ id: `CARD${tokens.indexOf(headers.authorization as string)}` }];
    return { body: JSON.stringify({ count: 1, next: null, previous: null, results }) };
  };

  const shown = [];
  for (const key of tokens) shown.push((await gateway.query(cards, {}, { key })).data.cards.results);

  expect(shown).toEqual([[{ id: 'CARD0' }], [{ id: 'CARD1' }]]);
});

test('asks for the user of an id with all its digits', async () => {
  service.respond = () => ({ body: '{"count":0,"next":null,"previous":null,"results":[]}' });
  await gateway.query('{ me { id } }', {}, { key: tokenOf(`{"user_id":9007199254740993,${session}}`) });

  expect(service.calls.at(-1)).toBe(`GET ${paths.users}9007199254740993/`);
});

test('does not remember a token for a call that began before the service refused the token', async () => {
  const key = bearerOf(people.abena);
  const answer = Promise.withResolvers<undefined>();
  service.respond = () => answer.promise;
  const early = gateway.query(cards, {}, { key });
  await service.untilArrived(1);
  service.respond = () => signedOut;
  const refused = await gateway.query(cards, {}, { key, headers: { 'accept-language': 'fr' } });
  service.respond = undefined;
  answer.resolve(undefined);
  await early;
  service.clear();
  await gateway.query(cards, {}, { key });
  await gateway.query(cards, {}, { key });

  expect(codesOf(refused)).toEqual(['UNAUTHENTICATED']);
  expect(service.calls).toEqual([check]);
});

test('counts the call for a token beside those of the operation', async () => {
  await using small = await startGateway({
    upstreamUrl: service.url,
    settings: { ...settings, 'limits.operations.upstreamCalls': '2' },
  });
  await proveSignatures(small);
  service.clear();
  const create = (name: string) => `${name}: createFarmer(input: { first_name: "${name}" }) { id }`;

  const { errors } = await small.query(
    `mutation { ${create('Efua')} ${create('Kojo')} }`,
    {},
    { key: bearerOf(people.abena) },
  );

  expect(errors).toEqual([]);
  expect(service.calls).toEqual([check, `POST ${paths.farmers}`, `POST ${paths.farmers}`]);
});

test('goes on with a push under a new token where the service has refused the first one halfway', async () => {
  const writes = purchaseOfNewFarmer(randomUUID().slice(0, 8));
  const first = bearerOf(people.abena);
  let posts = 0;
  service.respond = ({ method, headers }) => {
    if (method === 'POST' && headers.authorization === first) posts += 1;
    return posts > 2 && headers.authorization === first ? signedOut : undefined;
  };

  const statusesOf = async (key: string) =>
    (await push(gateway, writes, { key })).data.push.map(({ status }: { status: string }) => status);

  expect(await statusesOf(first)).toEqual(['DONE', 'DONE', 'NOT_TRIED', 'NOT_TRIED']);
  expect(await statusesOf(bearerOf(people.abena))).toEqual(['REPLAYED', 'REPLAYED', 'DONE', 'DONE']);
});

test('goes on with a file under a new token where the service has refused the first one halfway', async () => {
  const linesOf = async (key: string, after: string | null = null) => {
    const query = 'query ($after: String) { productTransactions(after: $after) { results { id } } }';
    const options = { key, headers: { accept: 'application/jsonl' } };
    const { text } = await gateway.ask({ query, variables: { after } }, options);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const idsOf = (lines: { id?: string }[]) => lines.flatMap(({ id }) => id ?? []);
  const whole = await linesOf(bearerOf(people.abena));
  const first = bearerOf(people.abena);
  let pages = 0;
  service.respond = ({ path, headers }) => {
    if (path.startsWith(paths.productTransactions) && headers.authorization === first) pages += 1;
    return pages > 4 && headers.authorization === first ? signedOut : undefined;
  };

  const cut = await linesOf(first);
  const { $end } = cut.at(-1);
  const rest = await linesOf(bearerOf(people.abena), $end.cursor);

  expect($end).toMatchObject({ complete: false, error: { extensions: { code: 'UNAUTHENTICATED' } } });
  expect([...idsOf(cut), ...idsOf(rest)]).toEqual(idsOf(whole));
  expect(rest.at(-1)).toMatchObject({ $end: { complete: true } });
});
