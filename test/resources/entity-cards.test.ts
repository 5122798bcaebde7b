import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { distinct, expectCalls, one, page, paths, pick, type Row, readRest, readRows } from '../support/rest-reads.ts';

let gateway: Gateway;
let entityCards: Row[];

beforeAll(async () => {
  gateway = await startGateway();
  entityCards = await readRows(gateway, paths.entityCards);
});
afterAll(() => gateway.close());

test('a list gives the assignments, each with its card', async () => {
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

test('the farmers and companies that hold cards are one call each', async () => {
  // The oldest assignments are those of the cooperative itself.
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
      id === coopId ? { __typename: 'Company', name: coop.name } : { __typename: 'Farmer', first_name: names.get(id) },
    ),
  );
  const calls = distinct(holders).map((id) => one(id === coopId ? paths.companies : paths.farmers, id));
  expect(calls.length).toBeGreaterThan(2);
  expectCalls(answer, page(paths.entityCards, 20, offset), ...calls);
});

test('who recorded an assignment, and who the card, is one call for each person', async () => {
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
