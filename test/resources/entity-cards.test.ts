import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';
import { distinct, expectCalls, one, page, paths, pick, type Row, readRest, readRows } from '../support/rest-reads.ts';

describe('entityCards', () => {
  let gateway: Gateway;
  let entityCards: Row[];

  beforeAll(async () => {
    gateway = await startGateway();
    entityCards = await readRows(gateway, paths.entityCards);
  });
  afterAll(() => gateway.close());

  test('returns the assignments, each with its card', async () => {
    const answer = await gateway.query(`{
    entityCards(limit: 50) { count results { id is_active entity_id entity { id } card { id card_id display_id } } }
  }`);

    expect(answer).toMatchObject({ status: 200, errors: [] });
    expect(answer.data.entityCards).toEqual({
      count: entityCards.length,
      results: entityCards.slice(0, 50).map(({ id, is_active, entity, card }) => ({
        id,
        is_active,
        entity_id: entity,
        entity: { id: entity },
        card: pick([card], 'id', 'card_id', 'display_id')[0],
      })),
    });
    expectCalls(answer, page(paths.entityCards, 50));
  });

  test('makes one call for each holder', async () => {
    // The cooperative has the oldest assignments.
    const offset = entityCards.length - 5;
    const holders = entityCards.slice(offset).map(({ entity }) => entity);
    const names = new Map((await readRows(gateway, paths.farmers)).map((row) => [row.id, row.first_name]));
    const [coopId] = holders.filter((id) => !names.has(id));
    const coop = await readRest(gateway, `${paths.companies}${coopId}/`);
    const document = `query ($offset: Int) {
    entityCards(offset: $offset) { results { entity { __typename ... on Farmer { first_name } ... on Company { name } } } }
  }`;

    await gateway.query('query ($id: ID!) { company(id: $id) { id } }', { id: coopId });
    const answer = await gateway.query(document, { offset });

    expect(answer.errors).toEqual([]);
    expect(answer.data.entityCards.results.map((row: Row) => row.entity)).toEqual(
      holders.map((id) =>
        id === coopId
          ? { __typename: 'Company', name: coop.name }
          : { __typename: 'Farmer', first_name: names.get(id) },
      ),
    );
    const calls = distinct(holders).map((id) => one(id === coopId ? paths.companies : paths.farmers, id));
    expect(calls.length).toBeGreaterThan(2);
    expectCalls(answer, page(paths.entityCards, 20, offset), ...calls);
  });

  test('makes one call for each creator of an assignment or card', async () => {
    const answer = await gateway.query('{ entityCards { results { creator { email } card { creator { email } } } } }');

    const rows = entityCards.slice(0, 20);
    const people = distinct(rows.flatMap(({ creator, card }) => [creator, card.creator]));
    const users = await Promise.all(people.map((id) => readRest(gateway, `${paths.users}${id}/`)));
    const emails = new Map(users.map(({ id, email }) => [id, email]));
    expect(answer.errors).toEqual([]);
    expect(answer.data.entityCards.results).toEqual(
      rows.map(({ creator, card }) => ({
        creator: { email: emails.get(creator) },
        card: { creator: { email: emails.get(card.creator) } },
      })),
    );
    expectCalls(answer, page(paths.entityCards), ...people.map((id) => one(paths.users, id)));
  });
});

describe('createEntityCard', () => {
  let gateway: Gateway;
  let ids: WorldIds;

  beforeAll(async () => {
    gateway = await startGateway();
    ids = await knownIds(gateway.sandbox);
  });
  afterAll(() => gateway.close());

  const createEntityCard = (selection: string) =>
    `mutation ($input: CreateEntityCardInput!) { createEntityCard(input: $input) { ${selection} } }`;
  const newest = async (): Promise<Json> =>
    (await get(gateway.sandbox, '/supply-chains/entity-cards/?limit=1')).results[0];

  test('stores every field as sent, and returns it as stored', async () => {
    const input = fullBody('EntityCardWrite', ids);
    expect(fieldsLeftOut('CreateEntityCardInput', input)).toEqual([]);

    const { data, errors, calls } = await gateway.query(
      createEntityCard(`
      id is_active entity_id creator_id updater_id created_on updated_on
      card { id card_id display_id creator_id updater_id created_on updated_on }`),
      { input },
    );

    expect(errors).toEqual([]);
    expect(calls).toEqual(['POST /supply-chains/entity-cards/']);
    const { card, entity, creator, updater, ...plain } = await newest();
    const { creator: cardCreator, updater: cardUpdater, ...plainCard } = card;
    expect(data.createEntityCard).toEqual({
      ...plain,
      entity_id: entity,
      creator_id: creator,
      updater_id: updater,
      card: { ...plainCard, creator_id: cardCreator, updater_id: cardUpdater },
    });
    expect(data.createEntityCard).toMatchObject({
      entity_id: ids.farmer,
      is_active: true,
      creator_id: ids.user,
      card: { card_id: '04:A2:19', display_id: '1042' },
    });
  });

  test('takes the number of a card and its holder alone', async () => {
    const input = { card: { card_id: '04:A2:20' }, entity: ids.otherFarmer };
    const { data, errors } = await gateway.query(createEntityCard('is_active card { display_id } entity_id'), {
      input,
    });
    expect(errors).toEqual([]);
    expect(lastBody(gateway.sandbox)).toStrictEqual(input);
    expect(data.createEntityCard).toEqual({ is_active: true, card: { display_id: null }, entity_id: ids.otherFarmer });
  });

  test('reads the holder after the write, with the card', async () => {
    const input = { card: { card_id: '04:A2:21', display_id: null }, entity: ids.farmer };
    const { data, errors, calls } = await gateway.query(
      createEntityCard('id entity { __typename id ... on Farmer { entity_card { id card { card_id } } } }'),
      { input },
    );
    expect(errors).toEqual([]);
    const { id, entity } = data.createEntityCard;
    expect(entity).toEqual({
      __typename: 'Farmer',
      id: ids.farmer,
      entity_card: { id, card: { card_id: '04:A2:21' } },
    });
    expect(calls).toEqual(['POST /supply-chains/entity-cards/', `GET /supply-chains/farmers/${ids.farmer}/`]);
  });

  test('moves a card from a farmer to the company', async () => {
    const document = `mutation ($farmer: ID!, $company: ID!) {
    given: createEntityCard(input: { card: { card_id: "04:A2:22" }, entity: $farmer }) { id card { id } entity { entity_card { id } } }
    moved: createEntityCard(input: { card: { card_id: "04:A2:22" }, entity: $company }) { id card { id } entity { name entity_card { id } } }
  }`;
    const { data, errors, calls } = await gateway.query(document, { farmer: ids.farmer, company: ids.company });

    expect(errors).toEqual([]);
    const { given, moved } = data;
    expect(given.entity).toEqual({ entity_card: { id: given.id } });
    expect(moved.entity).toEqual({ name: 'Sankofa Growers Cooperative Union', entity_card: { id: moved.id } });
    expect(moved.card.id).toBe(given.card.id);
    expect(calls).toEqual([
      'POST /supply-chains/entity-cards/',
      `GET /supply-chains/farmers/${ids.farmer}/`,
      'POST /supply-chains/entity-cards/',
      `GET /supply-chains/companies/${ids.company}/`,
    ]);
    const farmer = await gateway.query('query ($id: ID!) { farmer(id: $id) { entity_card { id } } }', {
      id: ids.farmer,
    });
    expect(farmer.data).toEqual({ farmer: { entity_card: null } });
  });
});
