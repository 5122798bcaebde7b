import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  expectCalls,
  one,
  page,
  paths,
  pick,
  type Row,
  readRows,
  unixSeconds,
  unknownId,
} from '../support/rest-reads.ts';

let gateway: Gateway;
let farmers: Row[];

beforeAll(async () => {
  gateway = await startGateway();
  farmers = await readRows(gateway, paths.farmers);
});
afterAll(() => gateway.close());

test('farmers returns 20 farmers of the active company', async () => {
  const answer = await gateway.query('{ farmers { count results { id first_name number date_of_birth } } }');

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect(answer.data.farmers).toEqual({
    count: farmers.length,
    results: pick(farmers.slice(0, 20), 'id', 'first_name', 'number', 'date_of_birth'),
  });
  expectCalls(answer, page(paths.farmers));
});

describe('farmers, filtered', () => {
  const has = (key: string, part: string) => (row: Row) =>
    String(row[key] ?? '')
      .toLowerCase()
      .includes(part);
  const cases: Record<string, () => { value: string; parameter?: string; keeps(row: Row): boolean }> = {
    first_name: () => ({ value: 'AM', keeps: has('first_name', 'am') }),
    last_name: () => ({ value: 'BI', keeps: has('last_name', 'bi') }),
    number: () => ({ value: '11', keeps: has('number', '11') }),
    updated_after: () => timeFilter('updated_on'),
    created_after: () => timeFilter('created_on'),
  };

  /** The exact time of a row in the middle, which the filter leaves out. */
  function timeFilter(key: string) {
    const time: string = farmers[120]![key];
    return { value: time, parameter: unixSeconds(time), keeps: (row: Row) => row[key] > time };
  }

  test.each(Object.keys(cases))('by %s, returns the rows that match', async (name) => {
    const { value, parameter = value, keeps } = cases[name]!();
    const expected = farmers.filter(keeps);
    expect(expected.length).toSatisfy((length) => length > 0 && length < farmers.length);

    const answer = await gateway.query(
      `query ($value: ${name.endsWith('after') ? 'DateTime' : 'String'}) {
      farmers(${name}: $value, limit: 100) { count results { id } }
    }`,
      { value },
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.farmers.count).toBe(expected.length);
    expect(answer.data.farmers.results).toEqual(pick(expected.slice(0, 100), 'id'));
    expect(answer.calls[0]).toBe(page(paths.farmers, 100, 0, `${name}=${parameter}`));
  });

  test('by two names, returns the rows that match both', async () => {
    const expected = farmers.filter((row) => has('first_name', 'am')(row) && has('last_name', 'o')(row));
    expect(expected).not.toEqual([]);

    const answer = await gateway.query('{ farmers(last_name: "o", first_name: "am") { results { id } } }');

    expect(answer.data.farmers.results).toEqual(pick(expected.slice(0, 20), 'id'));
    expectCalls(answer, page(paths.farmers, 20, 0, 'first_name=am&last_name=o'));
  });

  test('by one time in four forms, makes one call', async () => {
    const answer = await gateway.query(`{
      a: farmers(created_after: "2025-03-01T00:00:00Z") { count }
      b: farmers(created_after: "2025-03-01T02:00:00+02:00") { count }
      c: farmers(created_after: 1740787200) { count }
      d: farmers(created_after: "1740787200") { count }
    }`);

    const count = farmers.filter(({ created_on }) => created_on > '2025-03-01').length;
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual({ a: { count }, b: { count }, c: { count }, d: { count } });
    expectCalls(answer, page(paths.farmers, 1, 0, 'created_after=1740787200'));
  });

  test('by null, returns all rows', async () => {
    const answer = await gateway.query('{ farmers(first_name: null, updated_after: null) { count } }');

    expect(answer.data.farmers.count).toBe(farmers.length);
    expectCalls(answer, page(paths.farmers, 1));
  });
});

test('farmer(id) returns a farmer for one call', async () => {
  const farmer = farmers[7]!;

  const answer = await gateway.query('query ($id: ID!) { farmer(id: $id) { id first_name phone latitude } }', farmer);

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect([answer.data.farmer]).toEqual(pick([farmer], 'id', 'first_name', 'phone', 'latitude'));
  expectCalls(answer, one(paths.farmers, farmer.id));
});

test('farmer(id) returns null with NOT_FOUND for an unknown id', async () => {
  const [farmer] = farmers as [Row];

  const answer = await gateway.query(
    'query ($id: ID!, $unknown: ID!) { known: farmer(id: $id) { id } unknown: farmer(id: $unknown) { id } }',
    { id: farmer.id, unknown: unknownId },
  );

  expect(answer).toMatchObject({
    status: 200,
    data: { known: { id: farmer.id }, unknown: null },
    errors: [{ path: ['unknown'], extensions: { code: 'NOT_FOUND', reference: { type: 'Farmer', id: unknownId } } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.farmers, farmer.id), one(paths.farmers, unknownId));
});

test('farmer(id) returns null with NOT_FOUND for the farmer of another company', async () => {
  const [foreign] = (await readRows(gateway, paths.farmers, 'demo-buyer')) as [Row];

  const answer = await gateway.query('query ($id: ID!) { farmer(id: $id) { first_name } }', foreign);

  expect(answer).toMatchObject({ data: { farmer: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

test('Farmer.name joins the names that are present', async () => {
  const expected = farmers.map(({ first_name, last_name }) => (last_name ? `${first_name} ${last_name}` : first_name));
  expect(farmers.some(({ last_name }) => !last_name)).toBe(true);

  const answer = await gateway.query('{ farmers(limit: 240) { results { name } } }');

  expect(answer.data.farmers.results.map((row: Row) => row.name)).toEqual(expected);
});

test('Farmer.entity_card and its holder come with the farmer', async () => {
  const answer = await gateway.query(`{
    farmers { results { entity_card { is_active card { card_id display_id } entity_id entity { __typename name } } } }
  }`);

  const expected = farmers.slice(0, 20).map(({ entity_card, first_name, last_name }) => ({
    entity_card: entity_card && {
      is_active: entity_card.is_active,
      card: pick([entity_card.card], 'card_id', 'display_id')[0],
      entity_id: entity_card.entity,
      entity: { __typename: 'Farmer', name: [first_name, last_name].filter(Boolean).join(' ') },
    },
  }));
  expect(expected).toContainEqual({ entity_card: null });
  expect(answer.errors).toEqual([]);
  expect(answer.data.farmers.results).toEqual(expected);
  expectCalls(answer, page(paths.farmers));
});

test('Farmer.submission, its form and fields come with the farmer', async () => {
  const answer = await gateway.query(`{
    farmers { results { submission { form { id form_type fields { key } } values { value field { key label_fr } } } } }
  }`);

  const expected = farmers.slice(0, 20).map(({ submission }) => ({
    submission: submission && {
      form: {
        id: submission.form,
        form_type: 'FARMER',
        fields: submission.form_details.fields.map(({ key }: Row) => ({ key })),
      },
      values: submission.values.map(({ value, field_details: { key, label_fr } }: Row) => ({
        value,
        field: { key, label_fr },
      })),
    },
  }));
  expect(expected.filter(({ submission }) => submission).length).toBeGreaterThan(0);
  expect(answer.errors).toEqual([]);
  expect(answer.data.farmers.results).toEqual(expected);
  expectCalls(answer, page(paths.farmers));
});

describe('entity(id)', () => {
  test('returns a farmer for one call', async () => {
    const { id, first_name, last_name, city } = farmers[3]!;

    const answer = await gateway.query(
      'query ($id: ID!) { entity(id: $id) { __typename id name city ... on Farmer { first_name } } }',
      { id },
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.entity).toEqual({
      __typename: 'Farmer',
      id,
      name: `${first_name} ${last_name}`,
      city,
      first_name,
    });
    expectCalls(answer, one(paths.farmers, id));
  });

  test('returns null with NOT_FOUND after calls to both endpoints', async () => {
    const answer = await gateway.query('query ($id: ID!) { entity(id: $id) { id } }', { id: unknownId });

    expect(answer).toMatchObject({
      data: { entity: null },
      errors: [{ path: ['entity'], extensions: { code: 'NOT_FOUND', reference: { type: 'Entity', id: unknownId } } }],
    });
    expect(answer.errors).toHaveLength(1);
    expectCalls(answer, one(paths.farmers, unknownId), one(paths.companies, unknownId));
  });
});
