import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  one,
  page,
  paths,
  pick,
  type Row,
  readRest,
  readRows,
  unknownId,
  writeRest,
} from '../support/rest-reads.ts';

let gateway: Gateway;
/** The cooperative, its buyer, and its products. */
let coop: Row;
let buyer: Row;
let products: Row[];

beforeAll(async () => {
  gateway = await startGateway();
  const [farmer] = (await readRows(gateway, paths.farmers)) as [Row];
  coop = await readRest(gateway, `${paths.companies}${farmer.buyer}/`);
  buyer = await readRest(gateway, `${paths.companies}${coop.buyer.id}/`);
  products = await readRows(gateway, paths.products);
});
afterAll(() => gateway.close());

/** Queries one company, by default the cooperative. */
const company = (selection: string, id: string = coop.id) =>
  gateway.query(`query ($id: ID!) { company(id: $id) { ${selection} } }`, { id });

test('company(id) returns a company for one call', async () => {
  const answer = await company('id name city buy_enabled latitude owned_premiums');

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect([answer.data.company]).toEqual(
    pick([coop], 'id', 'name', 'city', 'buy_enabled', 'latitude', 'owned_premiums'),
  );
  expectCalls(answer, one(paths.companies, coop.id));
});

test('company(id) returns null with NOT_FOUND for an unknown id', async () => {
  const answer = await company('name', unknownId);

  expect(answer).toMatchObject({
    status: 200,
    data: { company: null },
    errors: [{ path: ['company'], extensions: { code: 'NOT_FOUND', reference: { type: 'Company', id: unknownId } } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.companies, unknownId));
});

test('company(id) returns null for the id of a farmer', async () => {
  const [farmer] = (await readRows(gateway, paths.farmers)) as [Row];

  const answer = await company('name', farmer.id);

  expect(answer).toMatchObject({ data: { company: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

test('company(id) returns currency, card, forms and visibilities without another call', async () => {
  const answer = await company(`
    currency { id name code }
    currency_id
    entity_card { id is_active card { card_id } entity { id name } }
    entity_card_id
    forms { id form_type owner_id owner { name } fields { key type } field_config { key visibility } products { name } }
    field_visibilties { name visibility type company_id company { name } }
  `);

  expect(answer.errors).toEqual([]);
  expect(answer.data.company).toEqual({
    currency: coop.currency,
    currency_id: coop.currency.id,
    entity_card: {
      id: coop.entity_card.id,
      is_active: true,
      card: { card_id: coop.entity_card.card.card_id },
      entity: { id: coop.id, name: coop.name },
    },
    entity_card_id: coop.entity_card.id,
    forms: coop.forms.map((form: Row) => ({
      ...pick([form], 'id', 'form_type')[0],
      owner_id: coop.id,
      owner: { name: coop.name },
      fields: pick(form.fields, 'key', 'type'),
      field_config: pick(form.field_config, 'key', 'visibility'),
      products: pick(form.products, 'name'),
    })),
    field_visibilties: pick(coop.field_visibilties, 'name', 'visibility', 'type').map((visibility) => ({
      ...visibility,
      company_id: coop.id,
      company: { name: coop.name },
    })),
  });
  expect(answer.data.company.forms.flatMap((form: Row) => form.products)).not.toEqual([]);
  expectCalls(answer, one(paths.companies, coop.id));
});

describe('the buyer of a company', () => {
  test('comes with the company, for five of its fields', async () => {
    const answer = await company('buyer_id buyer { id name image description entity_card { card { card_id } } }');

    const { id, name, image, description, entity_card } = coop.buyer;
    expect(answer.errors).toEqual([]);
    expect(answer.data.company).toEqual({
      buyer_id: id,
      buyer: { id, name, image, description, entity_card: { card: { card_id: entity_card.card.card_id } } },
    });
    expectCalls(answer, one(paths.companies, coop.id));
  });

  test('costs one call for any other field', async () => {
    const answer = await company('buyer { name email currency { code } }');

    expect(answer.errors).toEqual([]);
    expect(answer.data.company.buyer).toEqual({
      name: buyer.name,
      email: buyer.email,
      currency: { code: buyer.currency.code },
    });
    expectCalls(answer, one(paths.companies, coop.id), one(paths.companies, buyer.id));
  });

  test('costs one call for its own buyer, which may be null', async () => {
    const answer = await company('buyer { buyer { name } buyer_id }');

    expect(buyer.buyer).toBeNull();
    expect(answer).toMatchObject({ data: { company: { buyer: { buyer: null, buyer_id: null } } }, errors: [] });
    expectCalls(answer, one(paths.companies, coop.id), one(paths.companies, buyer.id));
  });
});

test('Company.members costs one call each, member_ids none', async () => {
  const users = await Promise.all(coop.members.map((id: string) => readRest(gateway, `${paths.users}${id}/`)));

  const answer = await company('member_ids members { id first_name email }');

  expect(answer.errors).toEqual([]);
  expect(answer.data.company).toEqual({ member_ids: coop.members, members: pick(users, 'id', 'first_name', 'email') });
  expectCalls(answer, one(paths.companies, coop.id), ...coop.members.map((id: string) => one(paths.users, id)));
  expectCalls(await company('member_ids members { id }'), one(paths.companies, coop.id));
});

test('Company.products are found in one read of their list', async () => {
  const answer = await company('product_ids products { id name description }');

  expect(answer.errors).toEqual([]);
  expect(answer.data.company.product_ids).toEqual(coop.products);
  expect(answer.data.company.products).toEqual(
    coop.products.map((id: string) => {
      const product = products.find((candidate) => candidate.id === id)!;
      return pick([product], 'id', 'name', 'description')[0];
    }),
  );
  expectCalls(answer, one(paths.companies, coop.id), page(paths.products, 100));
});

test('Company.products are null with REFERENCE_UNRESOLVED, each by itself, for another company', async () => {
  const shared = new Map(products.map(({ id, name }) => [id, name]));
  const hidden: string[] = buyer.products.filter((id: string) => !shared.has(id));
  expect(hidden).toHaveLength(2);

  const answer = await company('products { name }', buyer.id);

  expect(answer.data.company.products).toEqual(
    buyer.products.map((id: string) => (shared.has(id) ? { name: shared.get(id) } : null)),
  );
  expect(answer.errors.map(({ path, extensions: { code, reference } }) => ({ path, code, reference }))).toEqual(
    hidden.map((id) => ({
      path: ['company', 'products', buyer.products.indexOf(id)],
      code: 'REFERENCE_UNRESOLVED',
      reference: { type: 'Product', id },
    })),
  );
  expectCalls(answer, one(paths.companies, buyer.id), page(paths.products, 100));
});

test('Company.creator and the creators of embedded objects cost one call each', async () => {
  const answer = await company('creator { email } updater { email } forms { creator { first_name } }');

  const ids = distinct([coop.creator, coop.updater, ...coop.forms.map((form: Row) => form.creator)]);
  expect(answer.errors).toEqual([]);
  expect(answer.data.company.creator.email).toBe((await readRest(gateway, `${paths.users}${coop.creator}/`)).email);
  expectCalls(answer, one(paths.companies, coop.id), ...ids.map((id) => one(paths.users, id)));
});

test('entity(id) finds a company in two calls, and in one when its kind is known', async () => {
  const { id } = await writeRest(gateway, paths.companies, { name: 'Kivu Lake Washing Station' });
  const document = 'query ($id: ID!) { entity(id: $id) { __typename id name ... on Company { buy_enabled } } }';

  const first = await gateway.query(document, { id });
  const second = await gateway.query(document, { id });

  const entity = { __typename: 'Company', id, name: 'Kivu Lake Washing Station', buy_enabled: true };
  expect(first).toMatchObject({ data: { entity }, errors: [] });
  expect(second).toMatchObject({ data: { entity }, errors: [] });
  expectCalls(first, one(paths.farmers, id), one(paths.companies, id));
  expectCalls(second, one(paths.companies, id));
});
