import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TableCosts } from '../../../test/support/cost-profiles.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { linkedCarriers } from '../../../test/support/linked-carriers.ts';
import { one, page, paths, type Row, readRest, readRows, writeRest } from '../../../test/support/rest-reads.ts';

const wanted = 'holder { id ... on Farmer { name } ... on Company { name } } holder_id complete reason';

async function tap(gateway: Gateway, card: string, selection = wanted, key?: string) {
  const document = `query ($card: String!) { cardHolder(card_id: $card) { ${selection} } }`;
  const { data, errors, calls } = await gateway.query(document, { card }, key === undefined ? {} : { key });
  return { found: data.cardHolder, errors, calls };
}

const holds = (id: string | null) => ({ holder_id: id, complete: true, reason: null });
const pagesOf = (path: string, rows: number) =>
  Array.from({ length: Math.ceil(rows / 100) }, (_, index) => page(path, 100, index * 100));
const changed = (path: string) => expect.stringMatching(`GET ${path.replaceAll('/', '\\/')}\\?updated_after=`);
const cardOf = (farmer: Row) => farmer.entity_card.card as Row;
const coop = 'J7VY4SD9HV';

describe('over the specification', () => {
  let gateway: Gateway;
  let farmers: Row[];
  let withCard: Row[];
  beforeEach(async () => {
    gateway = await startGateway();
    farmers = await readRows(gateway, paths.farmers);
    withCard = farmers.filter(({ entity_card }) => entity_card);
  });
  afterEach(() => gateway.close());

  test('the first tap looks through farmers and assignments, and the holder comes with them', async () => {
    const [farmer] = withCard as [Row];
    const assignments = await readRest(gateway, `${paths.entityCards}?limit=1`);

    const { found, errors, calls } = await tap(gateway, cardOf(farmer).card_id);

    expect(errors).toEqual([]);
    const name = `${farmer.first_name} ${farmer.last_name}`;
    expect(found).toEqual({ holder: { id: farmer.id, name }, ...holds(farmer.id) });
    const expected = [...pagesOf(paths.farmers, farmers.length), ...pagesOf(paths.entityCards, assignments.count)];
    expect(calls.toSorted()).toEqual(expected.toSorted());
  });

  test('the second tap reads the holder alone, and nothing for an id', async () => {
    const [first, second] = withCard as [Row, Row];
    await tap(gateway, cardOf(first).card_id);

    const { found, calls } = await tap(gateway, cardOf(second).card_id);
    expect(found).toMatchObject(holds(second.id));
    expect(calls).toEqual([one(paths.farmers, second.id)]);

    const bare = await tap(gateway, cardOf(first).card_id, 'holder { id } holder_id complete reason');
    expect(bare).toEqual({ found: { holder: { id: first.id }, ...holds(first.id) }, errors: [], calls: [] });
  });

  test('a card is found as readers spell its number, and by the number that is printed on it', async () => {
    const farmer = withCard.find((each) => cardOf(each).display_id) as Row;
    const { card_id, display_id } = cardOf(farmer);
    const bytes = (card_id as string).match(/../g) as string[];

    for (const text of [card_id, bytes.join(':'), bytes.join(' ').toLowerCase(), display_id.toLowerCase()]) {
      expect((await tap(gateway, text, 'holder_id complete reason')).found, text).toEqual(holds(farmer.id));
    }
  });

  test('the number in a card counts before the number that is printed on another', async () => {
    const [first, second] = withCard as [Row, Row];
    const card = { card_id: 'reader 1', display_id: cardOf(first).card_id };
    await writeRest(gateway, paths.entityCards, { card, entity: second.id });

    expect((await tap(gateway, cardOf(first).card_id, 'holder_id complete reason')).found).toEqual(holds(first.id));
    expect((await tap(gateway, 'READER-1', 'holder_id complete reason')).found).toEqual(holds(second.id));
  });

  test('a company holds cards too', async () => {
    const { found, errors } = await tap(gateway, '0400000000000002');

    expect(errors).toEqual([]);
    expect(found).toEqual({ holder: { id: coop, name: 'Sankofa Growers Cooperative Union' }, ...holds(coop) });
  });

  test('nobody holds an unknown card, which costs one call the second time', async () => {
    expect((await tap(gateway, 'no such card')).found).toEqual({ holder: null, ...holds(null) });

    const { found, errors, calls } = await tap(gateway, 'no such card');
    expect({ found, errors }).toEqual({ found: { holder: null, ...holds(null) }, errors: [] });
    expect(calls).toEqual([changed(paths.farmers)]);
  });

  test('nobody holds a card whose assignment has ended', async () => {
    const [farmer] = withCard as [Row];
    const { card_id } = cardOf(farmer);
    await writeRest(gateway, paths.entityCards, { card: { card_id: 'another' }, entity: farmer.id });

    expect((await tap(gateway, card_id)).found).toEqual({ holder: null, ...holds(null) });
  });

  test.each(['', ' ', ':-_./'])('a card id of %j is refused without a call', async (text) => {
    const { errors, calls } = await tap(gateway, text);

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['card_id'] }] } }]);
    expect(calls).toEqual([]);
  });

  test('the next tap sees a card that a write through the gateway has given away', async () => {
    const [first, second] = withCard as [Row, Row];
    const { card_id } = cardOf(first);
    await tap(gateway, card_id);
    const input = { card: { card_id }, entity: second.id };
    const write = 'mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { id } }';
    expect((await gateway.query(write, { input })).errors).toEqual([]);

    const { found, calls } = await tap(gateway, card_id);
    expect(found).toMatchObject(holds(second.id));
    expect(calls.filter((call) => call.includes(paths.farmers))).toEqual([changed(paths.farmers)]);
    const again = await tap(gateway, cardOf(second).card_id);
    expect(again.found).toEqual({ holder: null, ...holds(null) });
  });

  test('other writes leave the index as it is', async () => {
    const [farmer] = withCard as [Row];
    await tap(gateway, cardOf(farmer).card_id);
    const premium = 'mutation { createPremium(input: { name: "Bonus" }) { id } }';
    expect((await gateway.query(premium)).errors).toEqual([]);

    expect((await tap(gateway, cardOf(farmer).card_id, 'holder_id')).calls).toEqual([]);
  });

  test('a tap sees a farmer with a card whom a push has made', async () => {
    await tap(gateway, 'new card');
    const writes = [
      { key: 'tap-1', ref: 'kofi', write: { createFarmer: { first_name: 'Kofi' } } },
      { key: 'tap-2', write: { createEntityCard: { card: { card_id: 'new card' }, entity: '$kofi' } } },
    ];
    const push = 'mutation ($writes: [WriteInput!]!) { push(writes: $writes) { status } }';
    expect((await gateway.query(push, { writes })).data.push).toEqual([{ status: 'DONE' }, { status: 'DONE' }]);

    expect((await tap(gateway, 'new card')).found).toMatchObject({ holder: { name: 'Kofi' }, complete: true });
  });

  test('a request past the caches looks through the lists again', async () => {
    const [farmer] = withCard as [Row];
    const document = `{ cardHolder(card_id: "${cardOf(farmer).card_id}") { holder_id } }`;
    await gateway.query(document);

    const { calls } = await gateway.query(document, {}, { headers: { 'cache-control': 'no-cache' } });
    expect(calls).toEqual(expect.arrayContaining(pagesOf(paths.farmers, farmers.length)));
  });

  test('several taps of one operation share a look', async () => {
    const taps = withCard
      .slice(0, 20)
      .map((each, n) => `t${n}: cardHolder(card_id: "${cardOf(each).card_id}") { holder { id email } }`);
    const { data, errors, calls } = await gateway.query(`{ ${taps.join(' ')} }`);

    expect(errors).toEqual([]);
    const ids = Object.values<Row>(data).map(({ holder }) => holder.id);
    expect(ids).toEqual(withCard.slice(0, 20).map(({ id }) => id));
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.every((call) => call.includes('offset='))).toBe(true);
  });

  test('callers know nothing of each other', async () => {
    const [farmer] = withCard as [Row];
    const { card_id } = cardOf(farmer);
    await tap(gateway, card_id);

    const other = await tap(gateway, card_id, 'holder_id complete reason', 'demo-buyer');
    expect(other.found).toEqual(holds(null));
    expect(other.calls).toContain(page(paths.farmers, 100));
    const own = await tap(gateway, '0400000000000003', 'holder { ... on Company { name } }', 'demo-buyer');
    expect(own.found.holder.name).toBeTruthy();
    expect((await tap(gateway, '0400000000000003')).found).toEqual({ holder: null, ...holds(null) });
    const nobody = await gateway.query(`{ cardHolder(card_id: "${card_id}") { holder_id } }`, {}, { key: null });
    expect(nobody.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  test('after a minute, a tap asks for the farmers that have changed', async () => {
    const [farmer] = withCard as [Row];
    const { card_id } = cardOf(farmer);
    await tap(gateway, card_id);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    try {
      const { found, calls } = await tap(gateway, card_id);
      expect(found).toMatchObject(holds(farmer.id));
      expect(calls).toEqual(expect.arrayContaining([changed(paths.farmers), one(paths.farmers, farmer.id)]));
      expect(calls).not.toContain(page(paths.farmers, 100));
      expect((await tap(gateway, card_id)).calls).toEqual([one(paths.farmers, farmer.id)]);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a card that left its farmer past the gateway, while pages of assignments are cached', () => {
  let gateway: Gateway;
  let first: Row;
  let second: Row;
  beforeEach(async () => {
    gateway = await startGateway({ settings: { 'cache.lists.ttlMs': '600000' } });
    [first, second] = (await readRows(gateway, paths.farmers)).filter((each) => each.entity_card) as [Row, Row];
    await tap(gateway, cardOf(second).card_id);
  });
  afterEach(() => gateway.close());

  const give = (card_id: string, entity: string) =>
    writeRest(gateway, paths.entityCards, { card: { card_id }, entity });

  test("is nobody's if the farmer got another one", async () => {
    await give(cardOf(first).card_id, second.id);

    expect((await tap(gateway, cardOf(second).card_id)).found).toEqual({ holder: null, ...holds(null) });
    expect((await tap(gateway, cardOf(first).card_id)).found).toMatchObject(holds(second.id));
  });

  test("is nobody's once another tap has read the farmers that have changed", async () => {
    await give(cardOf(first).card_id, second.id);
    await tap(gateway, 'no such card');

    expect((await tap(gateway, cardOf(second).card_id)).found).toEqual({ holder: null, ...holds(null) });
  });

  test("is nobody's in the first tap of a caller who has read the assignments before", async () => {
    const other = cardOf(second).card_id;
    const reader = 'Bearer demo-coop';
    await gateway.query('{ entityCards(limit: 1000) { results { id } } }', {}, { key: reader });
    await give(cardOf(first).card_id, second.id);

    expect((await tap(gateway, other, wanted, reader)).found).toEqual({ holder: null, ...holds(null) });
  });

  test("is the company's if the company got it", async () => {
    await give(cardOf(second).card_id, coop);

    expect((await tap(gateway, cardOf(second).card_id)).found).toMatchObject(holds(coop));
  });
});

describe('over a service that lists the cards of the active company alone', () => {
  let gateway: FakedGateway;
  let withCard: Row[];
  let count: number;
  const key = 'Bearer demo-coop';
  beforeEach(async () => {
    gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    const { data } = await readRest(gateway, `${paths.farmers}?limit=1000`, key);
    count = data.count;
    withCard = data.results.filter(({ entity_card }: Row) => entity_card);
  });
  afterEach(() => gateway.close());

  const tapHere = (card: string, selection?: string) => tap(gateway, card, selection, key);
  const give = (card_id: string, entity: string) =>
    writeRest(gateway, paths.entityCards, { card: { card_id }, entity }, key);

  test('farmers are found by the cards that they carry', async () => {
    const [farmer] = withCard as [Row];
    const { found, calls } = await tapHere(cardOf(farmer).card_id);

    expect(found).toMatchObject(holds(farmer.id));
    expect(calls.toSorted()).toEqual([page(paths.entityCards, 100), ...pagesOf(paths.farmers, count)].toSorted());
  });

  test('a card that was given to another farmer past the gateway is found with that one', async () => {
    const [first, second] = withCard as [Row, Row];
    const { card_id } = cardOf(first);
    await tapHere(card_id);
    await give(card_id, second.id);

    const { found, calls } = await tapHere(card_id);
    expect(found).toMatchObject(holds(second.id));
    expect(calls.slice(0, 2)).toEqual([one(paths.farmers, first.id), changed(paths.farmers)]);
  });

  test('a card that went to the company past the gateway, and a new one of a farmer, are found', async () => {
    const [first, second] = withCard as [Row, Row];
    const { card_id } = cardOf(first);
    await tapHere(card_id);
    await give(card_id, coop);
    await give('fresh', second.id);

    expect((await tapHere(card_id)).found).toMatchObject(holds(coop));
    expect((await tapHere('fresh')).found).toMatchObject(holds(second.id));
    expect((await tapHere(cardOf(second).card_id)).found).toEqual({ holder: null, ...holds(null) });
  });

  test('nobody is shown for the card of a farmer whom the caller may no longer see', async () => {
    const [farmer] = withCard as [Row];
    await tapHere(cardOf(farmer).card_id);
    gateway.upstream.fail(`${paths.farmers}${farmer.id}/`, { status: 404 });

    const { found, errors } = await tapHere(cardOf(farmer).card_id);
    expect({ found, errors }).toEqual({ found: { holder: null, ...holds(null) }, errors: [] });
  });

  test('a list that fails hides no holder of the other one, and is the error where there is none', async () => {
    const [farmer] = withCard as [Row];
    gateway.upstream.fail(paths.entityCards, { status: 403 });

    const { found, errors } = await tapHere(cardOf(farmer).card_id);
    expect(errors).toEqual([]);
    expect(found).toMatchObject({ holder: { id: farmer.id }, complete: false, reason: expect.stringMatching(/./) });
    const none = await tapHere('unknown');
    expect(none.found).toBeNull();
    expect(none.errors).toMatchObject([{ path: ['cardHolder'], extensions: { code: 'FORBIDDEN' } }]);
  });

  test('over a service that does not filter by changes, a tap looks again', async () => {
    const [first, second] = withCard as [Row, Row];
    const { card_id } = cardOf(first);
    gateway.upstream.respond = async ({ method, path, headers }) => {
      if (method !== 'GET' || !path.includes('updated_after')) return undefined;
      const { authorization = '' } = headers;
      const url = `${gateway.sandbox.url}${path.replace(/updated_after=[^&]*&?/, '')}`;
      return { body: await (await fetch(url, { headers: { authorization } })).text() };
    };
    await tapHere(card_id);
    await give(card_id, second.id);

    const { found, errors } = await tapHere(card_id);
    expect({ found, errors }).toMatchObject({ found: holds(second.id), errors: [] });
  });
});

test('a look that stops at a bound says so, and the next taps go on where it stopped', async () => {
  const table = { calls: { listFarmers: { callMs: 1_000, rowMs: 80 } }, parallelism: 4 };
  await using gateway = await startGateway({ costs: new TableCosts(table), sandbox: { dialect: 'connect' } });
  const key = 'Bearer demo-coop';
  const { data } = await readRest(gateway, `${paths.farmers}?limit=1000`, key);
  const last = data.results.findLast(({ entity_card }: Row) => entity_card);
  const { card_id } = cardOf(last);

  const first = await tap(gateway, card_id, wanted, key);
  expect(first.found).toMatchObject({ holder: null, complete: false, reason: expect.stringContaining('100 of 240') });
  const second = await tap(gateway, card_id, wanted, key);
  expect(second.found).toMatchObject({ holder: null, complete: false, reason: expect.stringContaining('210 of 240') });
  expect(second.calls).toContain(page(paths.farmers, 100, 99));
  expect((await tap(gateway, card_id, wanted, key)).found).toMatchObject(holds(last.id));
});

describe('with two gateways that share their writes', () => {
  let first: Gateway;
  let second: Gateway;
  let withCard: Row[];
  beforeAll(async () => {
    const carrier = linkedCarriers();
    first = await startGateway({ carrier: carrier() });
    second = await startGateway({ carrier: carrier(), upstreamUrl: first.sandbox.url });
    withCard = (await readRows(first, paths.farmers)).filter(({ entity_card }) => entity_card);
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  test('a tap of one sees at once which card a write through the other has given away', async () => {
    const [one, other] = withCard as [Row, Row];
    const { card_id } = cardOf(one);
    const bare = 'holder_id complete reason';
    expect((await tap(second, card_id, bare)).found).toEqual(holds(one.id));
    const write = `mutation { createEntityCard(input: { card: { card_id: "${card_id}" }, entity: "${other.id}" }) { id } }`;
    expect((await first.query(write)).errors).toEqual([]);

    expect((await tap(second, card_id, bare)).found).toEqual(holds(other.id));
  });
});
