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
/** The cooperative, the company that buys from it, and the cooperative's products. */
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

/** Asks for one company; the cooperative unless another id is given. */
const company = (selection: string, id: string = coop.id) =>
  gateway.query(`query ($id: ID!) { company(id: $id) { ${selection} } }`, { id });

test('one company, by id', async () => {
  const answer = await company('id name city buy_enabled latitude owned_premiums');

  expect(answer).toMatchObject({ status: 200, errors: [] });
  expect([answer.data.company]).toEqual(
    pick([coop], 'id', 'name', 'city', 'buy_enabled', 'latitude', 'owned_premiums'),
  );
  expectCalls(answer, one(paths.companies, coop.id));
});

test('an unknown company is null with NOT_FOUND', async () => {
  const answer = await company('name', unknownId);

  expect(answer).toMatchObject({
    status: 200,
    data: { company: null },
    errors: [{ path: ['company'], extensions: { code: 'NOT_FOUND', reference: { type: 'Company', id: unknownId } } }],
  });
  expect(answer.errors).toHaveLength(1);
  expectCalls(answer, one(paths.companies, unknownId));
});

test('a farmer is no company', async () => {
  const [farmer] = (await readRows(gateway, paths.farmers)) as [Row];

  const answer = await company('name', farmer.id);

  expect(answer).toMatchObject({ data: { company: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
});

test('currency, card, forms and visibilities come with the company', async () => {
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
  test('comes with the company, as far as five fields go', async () => {
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

  test('may have no buyer itself, which only its own answer tells', async () => {
    const answer = await company('buyer { buyer { name } buyer_id }');

    expect(buyer.buyer).toBeNull();
    expect(answer).toMatchObject({ data: { company: { buyer: { buyer: null, buyer_id: null } } }, errors: [] });
    expectCalls(answer, one(paths.companies, coop.id), one(paths.companies, buyer.id));
  });
});

test('members are one call each, their ids none', async () => {
  const users = await Promise.all(coop.members.map((id: string) => readRest(gateway, `${paths.users}${id}/`)));

  const answer = await company('member_ids members { id first_name email }');

  expect(answer.errors).toEqual([]);
  expect(answer.data.company).toEqual({ member_ids: coop.members, members: pick(users, 'id', 'first_name', 'email') });
  expectCalls(answer, one(paths.companies, coop.id), ...coop.members.map((id: string) => one(paths.users, id)));
  expectCalls(await company('member_ids members { id }'), one(paths.companies, coop.id));
});

test('products are looked up in their list, once for all', async () => {
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

test("another company's products are null one by one, with REFERENCE_UNRESOLVED", async () => {
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

test('people of a company and of what is embedded in it are one call each', async () => {
  const answer = await company('creator { email } updater { email } forms { creator { first_name } }');

  const ids = distinct([coop.creator, coop.updater, ...coop.forms.map((form: Row) => form.creator)]);
  expect(answer.errors).toEqual([]);
  expect(answer.data.company.creator.email).toBe((await readRest(gateway, `${paths.users}${coop.creator}/`)).email);
  expectCalls(answer, one(paths.companies, coop.id), ...ids.map((id) => one(paths.users, id)));
});

test('entity(id) of a company is that company: two calls while its kind is not known, one ever after', async () => {
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
