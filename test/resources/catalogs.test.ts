import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, type Json, knownIds, lastBody, type WorldIds } from '../support/rest.ts';
import {
  expectCalls,
  one,
  page,
  paths,
  pick,
  type Row,
  readRest,
  readRows,
  unixSeconds,
  writeRest,
} from '../support/rest-reads.ts';

describe('products, cards and currencies', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  describe('products', () => {
    let products: Row[];

    beforeAll(async () => {
      products = await readRows(gateway, paths.products);
    });

    test('lists the products of the active company', async () => {
      const theirs = await readRows(gateway, paths.products, 'demo-buyer');
      const document = '{ products { count results { id name description image is_active premiums } } }';

      const answer = await gateway.query(document);
      const answerToBuyer = await gateway.query(document, {}, { key: 'demo-buyer' });

      const keys = ['id', 'name', 'description', 'image', 'is_active', 'premiums'];
      expect(answer).toMatchObject({ status: 200, errors: [] });
      expect(answer.data.products).toEqual({ count: products.length, results: pick(products, ...keys) });
      expect(answerToBuyer.data.products).toEqual({ count: theirs.length, results: pick(theirs, ...keys) });
      expect(theirs.map(({ id }) => id)).not.toEqual(products.map(({ id }) => id));
      expectCalls(answer, page(paths.products));
    });

    test('filters by a part of the name', async () => {
      const answer = await gateway.query('{ products(name: "cocoa") { results { name } } }');

      const expected = products.filter(({ name }) => name.startsWith('Cocoa'));
      expect(expected).not.toEqual([]);
      expect(answer.data.products.results).toEqual(pick(expected, 'name'));
      expectCalls(answer, page(paths.products, 20, 0, 'name=cocoa'));
    });

    test('filters by the whole description', async () => {
      const { id, description } = products.find((product) => product.description?.includes(' '))!;

      const answer = await gateway.query(
        'query ($description: String) { products(description: $description) { results { id } } }',
        { description },
      );

      expect(answer.data.products.results).toEqual([{ id }]);
      expectCalls(answer, page(paths.products, 20, 0, String(new URLSearchParams({ description }))));
    });

    test('filters by the time of the last change', async () => {
      const { updated_on } = products[0]!;
      const later = '2030-01-01T00:00:00Z';

      const answer = await gateway.query(
        `query ($changed: DateTime, $later: DateTime) {
        changed: products(updated_after: $changed) { count }
        later: products(updated_after: $later) { count }
      }`,
        { changed: updated_on, later },
      );

      expect(answer.data).toEqual({ changed: { count: products.length }, later: { count: 0 } });
      expectCalls(
        answer,
        page(paths.products, 1, 0, `updated_after=${unixSeconds(updated_on)}`),
        page(paths.products, 1, 0, `updated_after=${unixSeconds(later)}`),
      );
    });
  });

  describe('cards', () => {
    test('lists all cards, newest first', async () => {
      const cards = await readRows(gateway, paths.cards);

      const answer = await gateway.query(
        '{ cards(limit: 100) { count results { id card_id display_id creator_id } } }',
      );

      expect(answer).toMatchObject({ status: 200, errors: [] });
      expect(answer.data.cards).toEqual({
        count: cards.length,
        results: cards.slice(0, 100).map(({ id, card_id, display_id, creator }) => ({
          id,
          card_id,
          display_id,
          creator_id: creator,
        })),
      });
      expectCalls(answer, page(paths.cards, 100));
    });
  });

  describe('currencies', () => {
    let currencies: Row[];

    beforeAll(async () => {
      currencies = await readRows(gateway, paths.currencies);
    });

    test('lists all currencies, by name', async () => {
      const answer = await gateway.query('{ currencies(limit: 150) { count results { id name code } } }');

      expect(answer).toMatchObject({ status: 200, errors: [] });
      expect(answer.data.currencies).toEqual({ count: 150, results: currencies });
      expectCalls(answer, page(paths.currencies, 100), page(paths.currencies, 50, 100));
    });

    test('searches words in name and code', async () => {
      const answer = await gateway.query('{ currencies(search: "franc XA") { results { code } } }');

      const expected = currencies.filter(({ name, code }) => name.includes('Franc') && code.includes('XA'));
      expect(expected).toHaveLength(1);
      expect(answer.data.currencies.results).toEqual(pick(expected, 'code'));
      expectCalls(answer, page(paths.currencies, 20, 0, 'search=franc+XA'));
    });
  });

  test('gives a premium with its payment, and its owner for one call', async () => {
    const [farmer] = (await readRows(gateway, paths.farmers)) as [Row];
    const premium = await writeRest(gateway, '/catalogs/premiums/', {
      name: 'Shade tree premium',
      calculation_type: 'OPTIONS',
      amount: 2.5,
      options: [
        { name: 'Few', amount: 1.25 },
        { name: 'Many', amount: 2.5 },
      ],
    });
    const owner = await readRest(gateway, `${paths.companies}${premium.owner}/`);
    const payment = await writeRest(gateway, paths.paymentTransactions, {
      source: premium.owner,
      destination: farmer.id,
      premium: premium.id,
      amount: 2.5,
    });

    const answer = await gateway.query(
      `query ($id: ID!) {
      paymentTransaction(id: $id) {
        premium { id name category type calculation_type amount is_active options { id name amount } owner { name } }
      }
    }`,
      payment,
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.paymentTransaction.premium).toEqual({
      ...pick([premium], 'id', 'name', 'category', 'type', 'calculation_type', 'amount', 'is_active')[0],
      options: pick(premium.options, 'id', 'name', 'amount'),
      owner: { name: owner.name },
    });
    expectCalls(answer, one(paths.paymentTransactions, payment.id), one(paths.companies, owner.id));
  });
});

describe('createPremium', () => {
  let gateway: Gateway;
  let ids: WorldIds;

  beforeAll(async () => {
    gateway = await startGateway();
    ids = await knownIds(gateway.sandbox);
  });
  afterAll(() => gateway.close());

  const createPremium = (selection: string) =>
    `mutation ($input: CreatePremiumInput!) { createPremium(input: $input) { ${selection} } }`;
  const everything = `
  id name category type applicable_activity calculation_type amount included dependant_on_card is_active
  owner_id creator_id updater_id created_on updated_on
  options { id name amount is_active creator_id updater_id created_on updated_on }`;

  /** A premium as `everything` shows it. REST shows premiums inside payments alone. */
  async function stored(id: string) {
    const body = JSON.stringify({ source: ids.company, destination: ids.farmer, currency: ids.currency, premium: id });
    const headers = { authorization: 'demo-coop', 'content-type': 'application/json' };
    const url = `${gateway.sandbox.url}/transactions/payment-transactions/`;
    const payment = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Json;
    const { owner, options, ...plain } = payment.premium_details;
    return { ...authored(plain), owner_id: owner, options: options.map(authored) };
  }
  const authored = ({ creator, updater, ...plain }: Json) => ({ ...plain, creator_id: creator, updater_id: updater });

  test('stores every field as sent, and returns it as stored', async () => {
    const input = fullBody('PremiumWrite', ids);
    expect(fieldsLeftOut('CreatePremiumInput', input)).toEqual([]);

    const { data, errors, calls } = await gateway.query(createPremium(everything), { input });

    expect(errors).toEqual([]);
    expect(calls).toEqual(['POST /catalogs/premiums/']);
    const premium = data.createPremium;
    expect(premium).toEqual(await stored(premium.id));
    const { id: _proposed, options: _options, owner, creator, updater, ...plain } = input;
    expect(premium).toMatchObject({ ...plain, owner_id: owner, creator_id: creator, updater_id: updater });
    expect(premium.options).toMatchObject([{ name: 'Small', amount: 1.5, is_active: true, creator_id: ids.user }]);
    const { owned_premiums } = await get(gateway.sandbox, `/supply-chains/companies/${ids.company}/`);
    expect(owned_premiums).toContain(premium.id);
  });

  test('takes a name alone', async () => {
    const { data, errors } = await gateway.query(createPremium(everything), { input: { name: 'Fair trade' } });
    expect(errors).toEqual([]);
    expect(lastBody(gateway.sandbox)).toStrictEqual({ name: 'Fair trade' });
    expect(data.createPremium).toEqual(await stored(data.createPremium.id));
  });

  test('sends options in their order, and null as null', async () => {
    const input = { name: 'Grades', amount: null, owner: null, options: [{ name: 'A', amount: 2 }, { name: 'B' }] };
    const { data, errors } = await gateway.query(
      createPremium('amount owner { name } owner_id options { name amount }'),
      {
        input,
      },
    );
    expect(errors).toEqual([]);
    expect(lastBody(gateway.sandbox)).toStrictEqual(input);
    expect(data.createPremium).toEqual({
      amount: null,
      owner: null,
      owner_id: null,
      options: [
        { name: 'A', amount: 2 },
        { name: 'B', amount: 0 },
      ],
    });
  });

  test('reads owner and authors once each, after the write', async () => {
    const { data, errors, calls } = await gateway.query(
      createPremium('owner { name } creator { first_name } options { creator { email } updater { email } }'),
      { input: { name: 'Grades', options: [{ name: 'A' }, { name: 'B', creator: ids.otherUser }] } },
    );
    expect(errors).toEqual([]);
    const abena = { email: 'abena@sankofa.example' };
    expect(data.createPremium).toEqual({
      owner: { name: 'Sankofa Growers Cooperative Union' },
      creator: { first_name: 'Abena' },
      options: [
        { creator: abena, updater: abena },
        { creator: { email: 'theogene@sankofa.example' }, updater: abena },
      ],
    });
    expect(calls[0]).toBe('POST /catalogs/premiums/');
    expect(calls.slice(1).toSorted()).toEqual(
      [
        `GET /accounts/users/${ids.user}/`,
        `GET /accounts/users/${ids.otherUser}/`,
        `GET /supply-chains/companies/${ids.company}/`,
      ].toSorted(),
    );
  });
});
