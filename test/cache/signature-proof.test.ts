import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../packages/sandbox/server.ts';
import { type Answer, codesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { page, paths } from '../support/rest-reads.ts';
import { scrape, valuesOf } from '../support/scrape.ts';
import { bearerOf, callerClaims, people, unsigned } from '../support/tokens.ts';

const check = 'GET /catalogs/currencies/?limit=1&offset=0';
const cards = '{ cards(limit: 5) { count results { id } } }';
const cardsPage = page(paths.cards, 5);
const { abena } = people;

const sandbox = await startSandbox();
const service = await startFakeUpstream({ target: sandbox.url });
afterAll(async () => {
  await service.close();
  await sandbox.close();
});
beforeEach(() => {
  service.respond = undefined;
  service.recover();
  service.clear();
});

/** Starts a gateway that ends with the test. */
async function start(): Promise<Gateway & { lines: { level: number; msg: string }[] }> {
  const lines: { level: number; msg: string }[] = [];
  const gateway = await startGateway({
    upstreamUrl: service.url,
    settings: { CALLER_CLAIMS: callerClaims, 'cache.lists.ttlMs': '600000', LOG_LEVEL: 'error' },
    log: (line) => lines.push(JSON.parse(line)),
  });
  onTestFinished(() => gateway.close());
  return { ...gateway, lines };
}

/** A service that shows its currencies to everybody. */
const showCurrencies = () => {
  service.respond = ({ path }) =>
    path.startsWith(paths.currencies)
      ? { body: '{"count":1,"next":null,"previous":null,"results":[{"id":"ABCDEFGHIJ"}]}' }
      : undefined;
};

async function ask(gateway: Gateway, key: string, query = cards, headers = {}): Promise<Answer & { sent: string[] }> {
  service.clear();
  const answer = await gateway.query(query, {}, { key, headers });
  return { ...answer, sent: [...service.calls] };
}

const ignored = async (gateway: Gateway) => valuesOf(await scrape(gateway.url), 'caller_claims_ignored');

test('a gateway asks once whether the service refuses a wrong signature, also for operations that come together', async () => {
  const gateway = await start();
  const tokens = Array.from({ length: 5 }, () => bearerOf(abena));
  const answers = await Promise.all(tokens.map((key) => gateway.query(cards, {}, { key })));
  const sentFirst = service.requests.filter(({ path }) => path.startsWith(paths.currencies));
  const { sent } = await ask(gateway, bearerOf(abena));

  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  const asked = sentFirst.map(({ headers }) => headers.authorization as string);
  const [wrong, ...others] = asked.filter((key) => !tokens.includes(key));
  expect(others).toEqual([]);
  // The token of a caller, but for its signature.
  expect(tokens.map((key) => key.replace(/\.[^.]*$/, ''))).toContain(wrong?.replace(/\.[^.]*$/, ''));
  expect(sent).toEqual([check]);
  expect(await ignored(gateway)).toEqual({ '': 0 });
});

const forged: Record<string, () => string> = {
  'another signature': () => bearerOf(abena, { secret: 'made up' }),
  'no signature': () => unsigned(bearerOf(abena)),
};

test.each(Object.keys(forged))(
  'a gateway over a service with public currencies shows no cache and replays no write to a token with %s',
  async (name) => {
    showCurrencies();
    const gateway = await start();
    const createFarmer = 'mutation { createFarmer(input: { first_name: "Esi" }) { id } }';
    const under = { 'idempotency-key': randomUUID() };
    const own = bearerOf(abena);
    await ask(gateway, own);
    const cached = await ask(gateway, own);
    const written = await ask(gateway, own, createFarmer, under);
    const replayed = await ask(gateway, own, createFarmer, under);
    const stolen = await ask(gateway, forged[name]!());
    const stolenWrite = await ask(gateway, forged[name]!(), createFarmer, under);

    expect([cached.sent, replayed.sent]).toEqual([[], []]);
    expect(replayed.data).toEqual(written.data);
    expect(stolen).toMatchObject({ data: { cards: null }, sent: [cardsPage] });
    expect(stolenWrite.data).toEqual({ createFarmer: null });
    expect([stolen, stolenWrite].map(codesOf)).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
    expect(await ignored(gateway)).toEqual({ '': 1 });
    expect(gateway.lines).toMatchObject([{ level: 50, msg: expect.stringContaining('CALLER_CLAIMS') }]);
  },
);

test('a gateway uses no claims where the first token has no signature and the service accepts it', async () => {
  showCurrencies();
  const gateway = await start();
  await ask(gateway, unsigned(bearerOf(abena)));
  const { sent } = await ask(gateway, bearerOf(abena));

  expect(sent).toEqual([cardsPage]);
  expect(await ignored(gateway)).toEqual({ '': 1 });
});

test('a gateway asks again where the service could not say whether it refuses a wrong signature', async () => {
  const gateway = await start();
  const own = bearerOf(abena);
  service.respond = ({ path, headers }) =>
    path.startsWith(paths.currencies) && headers.authorization !== own ? { status: 503, body: '{}' } : undefined;
  const createFarmer = 'mutation { createFarmer(input: { first_name: "Esi" }) { id } }';
  const query = await ask(gateway, own);
  const write = await ask(gateway, own, createFarmer, { 'idempotency-key': randomUUID() });
  service.respond = undefined;
  const later = await ask(gateway, own);
  const changed = await ask(gateway, bearerOf(abena));

  expect(query).toMatchObject({ errors: [], sent: [check, check, cardsPage] });
  expect(codesOf(write)).toEqual(['UPSTREAM_UNAVAILABLE']);
  expect(write.sent).toEqual([check, check]);
  expect(later).toMatchObject({ errors: [], sent: [check, check, cardsPage] });
  expect(changed).toMatchObject({ data: later.data, sent: [check] });
});

test('a token counts after the read that proves it, and after no other read', async () => {
  const gateway = await start();
  await ask(gateway, bearerOf(abena));
  // The service shows cards to everybody, and cannot say whether it accepts a token.
  service.fail(paths.currencies, { status: 503, body: '{}' });
  service.respond = ({ path }) =>
    path.startsWith(paths.products) ? { body: '{"count":0,"next":null,"previous":null,"results":[]}' } : undefined;
  const token = forged['another signature']!();
  await ask(gateway, token, '{ products { count } }');

  expect(await ask(gateway, token)).toMatchObject({ data: { cards: null }, sent: [check, cardsPage] });
});
