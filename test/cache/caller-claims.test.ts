import { afterAll, beforeEach, expect, test } from 'vitest';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { type Answer, codesOf, summariesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { startGateway } from '../support/harness.ts';
import { linkedCarriers } from '../support/linked-carriers.ts';
import { page, paths, readRows } from '../support/rest-reads.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { bearerOf, callerClaims, people, proveSignatures, refuseForged, unsigned } from '../support/tokens.ts';

const check = 'GET /catalogs/currencies/?limit=1&offset=0';
const cards = '{ cards(limit: 5) { count results { id } } }';
const cardsPage = page(paths.cards, 5);
const farmers = '{ farmers(limit: 5) { results { id } } }';
const farmersPage = page(paths.farmers, 5);

const sandbox = await startSandbox();
const service = await startFakeUpstream({ target: sandbox.url });
const settings = { CALLER_CLAIMS: callerClaims, 'cache.lists.ttlMs': '600000' };
async function start(more: Partial<Parameters<typeof startGateway>[0]> = {}) {
  const gateway = await startGateway({ upstreamUrl: service.url, settings, ...more });
  await proveSignatures(gateway);
  return gateway;
}
const gateway = await start();
afterAll(async () => {
  await gateway.close();
  await service.close();
  await sandbox.close();
});
beforeEach(() => {
  service.respond = undefined;
  service.recover();
  service.clear();
});

const { abena, theogene, maartje } = people;
/** Forged tokens with the claims of a user. */
const forgedOf = (person: typeof abena): Record<string, string> => ({
  signature: bearerOf(person, { secret: 'made up' }),
  expired: bearerOf(person, { claims: { exp: 1_000_000_000 } }),
  unsigned: unsigned(bearerOf(person)),
});

async function ask(key: string, query: string, headers = {}, from = gateway): Promise<Answer & { sent: string[] }> {
  service.clear();
  const answer = await from.query(query, {}, { key, headers });
  return { ...answer, sent: [...service.calls] };
}

test('answers from the lists of the caller after its token has changed', async () => {
  const first = await ask(bearerOf(abena), cards);
  const token = bearerOf(abena);
  const changed = await ask(token, cards);
  const again = await ask(token, cards);

  expect([first, changed, again].map(({ sent }) => sent)).toEqual([[check, cardsPage], [check], []]);
  expect([changed.data, again.data]).toEqual([first.data, first.data]);
});

test.each(Object.keys(forgedOf(abena)))(
  'shows no cached list to a token with the claims of its caller: %s',
  async (name) => {
    await ask(bearerOf(theogene), cards);
    const answer = await ask(forgedOf(theogene)[name]!, cards);

    expect(answer).toMatchObject({ data: { cards: null }, sent: [check] });
    expect(summariesOf(answer)).toMatchObject([{ code: 'UNAUTHENTICATED', path: ['cards'], upstream_status: 401 }]);
  },
);

test('shows a forged token no file that the service gives to everybody, and no cached list', async () => {
  await using gateway = await start({ settings: { ...settings, MEDIA_PROXY: 'true', MEDIA_URL: 'https://a.test' } });
  await ask(bearerOf(theogene), cards, {}, gateway);
  // Below the base URL there is no file.
  service.respond = ({ path }) => (path.startsWith('/') ? undefined : { body: 'a file' });
  for (const key of Object.values(forgedOf(theogene))) {
    expect((await gateway.send({ method: 'GET', path: '/media/a.png', key })).status).toBe(401);
    expect(await ask(key, cards, {}, gateway)).toMatchObject({ data: { cards: null }, sent: [check] });
  }
});

test('lets no forged token join a read in flight', async () => {
  const token = bearerOf(abena);
  await ask(token, '{ currencies { count } }');
  service.clear();
  service.hold('reads');
  const own = gateway.query(farmers, {}, { key: token });
  await service.untilArrived(1);
  const forged = Object.values(forgedOf(abena)).map((key) => gateway.query(farmers, {}, { key }));
  await service.untilArrived(1 + forged.length);
  service.release();

  expect((await own).errors).toEqual([]);
  for (const answer of await Promise.all(forged)) {
    expect(answer.data).toEqual({ farmers: null });
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
  }
  expect(service.calls.filter((call) => call === farmersPage)).toHaveLength(1);
});

/** Selects the same page, and a farmer of its own. The call for the page arrives before that for the farmer. */
const shared = (id: number) => `{ farmers(limit: 5) { results { id } } own: farmer(id: "${id}") { id } }`;

test('answers equal reads of two tokens of a caller by one call', async () => {
  const tokens = [bearerOf(abena), bearerOf(abena)];
  for (const token of tokens) await ask(token, '{ currencies { count } }');
  service.clear();
  service.hold('reads');
  const answers = tokens.map((key, index) => gateway.query(shared(index), {}, { key }));
  await service.untilArrived(3);
  service.release();

  const [one, other] = await Promise.all(answers);
  expect(one?.data.farmers.results).toHaveLength(5);
  expect(other?.data.farmers).toEqual(one?.data.farmers);
  expect(service.calls.filter((call) => call === farmersPage)).toHaveLength(1);
});

test('makes a shared read again with a good token after the service has refused the first one', async () => {
  const [ended, good] = [bearerOf(abena), bearerOf(abena)];
  for (const token of [ended, good]) await ask(token, '{ currencies { count } }');
  service.clear();
  service.hold('reads');
  const first = gateway.query(shared(1), {}, { key: ended });
  await service.untilArrived(2);
  const second = gateway.query(shared(2), {}, { key: good });
  await service.untilArrived(3);
  service.respond = ({ headers }) =>
    headers.authorization === ended ? { status: 401, body: '{"detail":"Token is invalid or expired"}' } : undefined;
  service.release();

  expect((await first).data).toEqual({ farmers: null, own: null });
  expect((await second).data.farmers.results).toHaveLength(5);
  expect(service.calls.filter((call) => call === farmersPage)).toHaveLength(2);
});

test('keeps users, companies and languages apart', async () => {
  await using gateway = await start();
  const keys: [string, object][] = [
    [bearerOf(abena), {}],
    [bearerOf(theogene), {}],
    [bearerOf({ ...abena, company: maartje.company }), {}],
    [bearerOf(abena, { memberType: 'REPORTER' }), {}],
    [bearerOf(abena), { 'accept-language': 'fr' }],
  ];
  for (const [key, headers] of keys) {
    expect((await ask(key, cards, headers, gateway)).sent).toEqual([check, cardsPage]);
  }
});

test('shows the rows of the company in the token', async () => {
  const query = '{ farmers(limit: 1000) { results { id } } }';
  const inCompany = async (company: string) => (await ask(bearerOf({ ...abena, company }), query)).data.farmers.results;
  const rowsOf = async (key: string) => (await readRows({ sandbox }, paths.farmers, key)).map(({ id }) => ({ id }));

  expect(await inCompany(abena.company)).toEqual(await rowsOf('demo-coop'));
  expect(await inCompany(maartje.company)).toEqual(await rowsOf('demo-buyer'));
});

test('pauses the calls of a caller after a 429, also under a new token', async () => {
  await using gateway = await start();
  service.fail(paths.farmers, { status: 429, headers: { 'retry-after': '60' }, body: '{}', times: 1 });
  await ask(bearerOf(abena), farmers, {}, gateway);
  const changed = await ask(bearerOf(abena), farmers, {}, gateway);
  const other = await ask(bearerOf(theogene), farmers, {}, gateway);

  expect(changed.sent).toEqual([check]);
  expect(summariesOf(changed)).toMatchObject([{ code: 'RATE_LIMITED', retry_after: expect.any(Number) }]);
  expect(other.errors).toEqual([]);
});

test('caches no list for a token alone', async () => {
  await using gateway = await start();
  for (let turn = 0; turn < 3; turn++) await ask(bearerOf(abena), cards, {}, gateway);

  expect(valuesOf(await scrape(gateway.url), 'list_cache_lists')).toEqual({ '': 1 });
});

test('invalidates the lists of a caller by a write under another token', async () => {
  await using gateway = await start();
  const [first, second] = [bearerOf(abena), bearerOf(abena)];
  await ask(first, cards, {}, gateway);
  const { id } = (await ask(first, farmers, {}, gateway)).data.farmers.results[0];
  const write = `mutation { createEntityCard(input: { card: { card_id: "another token" }, entity: "${id}" }) { id } }`;
  await ask(second, write, {}, gateway);

  expect((await ask(first, cards, {}, gateway)).sent).toEqual([cardsPage]);
});

test('answers a query without the claims while the service cannot say whether it accepts the token', async () => {
  await using gateway = await start();
  await ask(bearerOf(abena), cards, {}, gateway);
  service.fail(paths.currencies, { status: 503 });
  const token = bearerOf(abena);

  expect(await ask(token, farmers, {}, gateway)).toMatchObject({ errors: [], sent: [check, farmersPage] });
  expect(await ask(token, cards, {}, gateway)).toMatchObject({ errors: [], sent: [check, cardsPage] });
  expect((await ask(forgedOf(abena).unsigned!, cards, {}, gateway)).data).toEqual({ cards: null });
});

test('asks for no token where an operation calls nothing, and for no opaque key before a query', async () => {
  for (const query of ['{ serverTime }', '{ __typename }', '{ __schema { queryType { name } } }']) {
    expect((await ask(bearerOf(abena), query)).sent).toEqual([]);
  }
  expect((await ask('Bearer demo-coop', farmers)).sent).toEqual([farmersPage]);
});

test('names the check in the trace', async () => {
  const { extensions } = await ask(bearerOf(abena), farmers, { 'x-trace-upstream': 'true' });

  expect(extensions?.upstream).toMatchObject({
    total: 2,
    calls: [{ reason: 'token', fields: ['farmers'], status: 200 }, { reason: 'root' }],
  });
});

test.each([
  ['an hour behind', -3_600],
  ['an hour ahead', 3_600],
])("remembers a token by the service's clock, which is %s", async (_, seconds) => {
  const respond = { body: '{"count":0,"next":null,"previous":null,"results":[]}' };
  await using service = await startFakeUpstream({
    respond: (request) => ({
      ...(refuseForged(request) ?? respond),
      headers: { date: new Date(Date.now() + 1_000 * seconds).toUTCString() },
    }),
  });
  await using gateway = await start({ upstreamUrl: service.url });
  const expiringIn = (ofService: number) =>
    bearerOf(abena, { claims: { exp: Math.floor(Date.now() / 1000) + seconds + ofService } });
  const askTwice = async (key: string) => {
    service.clear();
    for (let turn = 0; turn < 2; turn++) await gateway.query(farmers, {}, { key });
    return service.calls.filter((call) => call === check).length;
  };

  expect(await askTwice(expiringIn(600))).toBe(1);
  expect(await askTwice(expiringIn(-5))).toBe(2);
});

test('asks again for a refused token in all processes', async () => {
  const carrier = linkedCarriers();
  await using one = await start({ carrier: carrier() });
  await using other = await start({ carrier: carrier() });
  const token = bearerOf(abena);
  for (const worker of [one, other]) await ask(token, cards, {}, worker);
  service.fail(paths.farmers, { status: 401, body: '{"detail":"Device deactivated login again."}', times: 1 });
  await ask(token, farmers, {}, one);

  await expect.poll(async () => (await ask(token, cards, {}, other)).sent).toEqual([check]);
});
