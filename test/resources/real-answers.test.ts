import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOf } from '../support/client.ts';
import { htmlPage, page, type RecordedService, startRecordedService, success } from '../support/recorded-service.ts';
import { bearerOf, people } from '../support/tokens.ts';

/** Recorded answers of two versions of the real service: V23, of 2023, and V25, of 2025. */
let service: RecordedService;
beforeAll(async () => {
  service = await startRecordedService({
    'upstream.filters.listFarmers.first_name': 'first_name__icontains',
    FORWARD_HEADERS: 'auth-type',
  });
});
afterAll(() => service.close());

const farmers = '/supply-chains/farmers/';
const companies = '/supply-chains/companies/';
const users = '/accounts/users/';
const payments = '/transactions/payment-transactions/';
const transactions = '/transactions/product-transactions/';

describe('the gateway', () => {
  test('asks for JSON, with the token and its scheme', async () => {
    service.answerWith({ [`GET ${farmers}`]: page([]) });
    await service.query('{ farmers { count } }', {}, { headers: { 'auth-type': 'client_credentials' } });
    expect(service.headers()).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer token',
      'auth-type': 'client_credentials',
    });
  });

  test.each([
    ['password_grant', 'UNAUTHENTICATED'],
    ['client_credentials', 'UPSTREAM_ERROR'],
  ])(
    'takes a failure on a token without a company for a bad token, if the token is of sign-in (%s)',
    async (scheme, code) => {
      service.answerWith({ [`GET ${companies}A/`]: htmlPage(500, 'Server Error (500)') });
      const key = bearerOf(people.abena, { claims: { session_data: undefined } });
      const answer = await service.query('{ company(id: "A") { id } }', {}, { key, headers: { 'auth-type': scheme } });
      expect(codesOf(answer)).toEqual([code]);
    },
  );

  test('sends the filter names of V23 when the settings name them', async () => {
    service.answerWith({ [`GET ${farmers}`]: page([]) });
    const { calls } = await service.query('{ farmers(first_name: "esi", last_name: "m") { count } }');
    expect(calls).toEqual([`GET ${farmers}?first_name__icontains=esi&last_name=m&limit=1&offset=0`]);
  });

  test('never follows page URLs, which name an inner host', async () => {
    service.answerWith({ [`GET ${farmers}`]: page([{ id: 'A' }], 2) });
    const { data, calls } = await service.query('{ farmers(limit: 1) { next results { id } } }');
    expect(data.farmers).toEqual({ next: expect.not.stringMatching(/http/), results: [{ id: 'A' }] });
    expect(calls).toEqual([`GET ${farmers}?limit=1&offset=0`]);
  });
});

describe('an id', () => {
  test('may be an internal number, while the answer has the hashid', async () => {
    service.answerWith({ [`GET ${users}1/`]: success({ id: 'QR6XEYGEW7', first_name: 'Ama' }) });
    const { data, errors } = await service.query('{ user(id: 1) { id first_name } }');
    expect(errors).toEqual([]);
    expect(data.user).toEqual({ id: 'QR6XEYGEW7', first_name: 'Ama' });
  });

  test('may be the same for a user, a company and a product', async () => {
    const id = 'QR6XEYGEW7';
    service.answerWith({
      [`GET ${transactions}T/`]: success({ id: 'T', creator: id, destination: id, product: id, source: 'JZMN42P4DX' }),
      [`GET ${users}${id}/`]: success({ id, first_name: 'Ama' }),
      [`GET ${companies}${id}/`]: success({ id, name: 'Kuapa' }),
      'GET /catalogs/products/': page([{ id, name: 'Cocoa' }]),
    });
    const { data, errors } = await service.query(
      '{ productTransaction(id: "T") { creator { first_name } destination { __typename name } product { name } } }',
    );
    expect(errors).toEqual([]);
    expect(data.productTransaction).toEqual({
      creator: { first_name: 'Ama' },
      destination: { __typename: 'Company', name: 'Kuapa' },
      product: { name: 'Cocoa' },
    });
  });
});

describe('a value is returned as it is', () => {
  test('for a last name that is null or empty, and for the name without it', async () => {
    service.answerWith({
      [`GET ${farmers}`]: page([
        { id: 'A', first_name: 'Esi', last_name: null },
        { id: 'B', first_name: 'Esi', last_name: '' },
      ]),
    });
    const { data } = await service.query('{ farmers { results { name last_name } } }');
    expect(data.farmers.results).toEqual([
      { name: 'Esi', last_name: null },
      { name: 'Esi', last_name: '' },
    ]);
  });

  test('for an exact amount, null, or a number', async () => {
    service.answerWith({
      [`GET ${transactions}T/`]: success({
        id: 'T',
        amount: '100.123',
        quantity: null,
        source_quantity: '0.000',
        quality_correction: 95.5,
        base_price: 0,
        transaction_payments: [
          {
            id: 'P',
            amount: 3.75,
            premium: 'Q',
            premium_details: { id: 'Q', amount: null },
            selected_option: null,
            selected_option_details: {},
          },
        ],
      }),
    });
    const { data, errors, calls } = await service.query(`{
      productTransaction(id: "T") {
        amount quantity source_quantity quality_correction
        transaction_payments { amount premium { id amount } selected_option { name } selected_option_id date transaction { amount } }
      }
    }`);
    expect(errors).toEqual([]);
    expect(data.productTransaction).toEqual({
      amount: '100.123',
      quantity: null,
      source_quantity: '0.000',
      quality_correction: 95.5,
      transaction_payments: [
        {
          amount: 3.75,
          premium: { id: 'Q', amount: null },
          selected_option: null,
          selected_option_id: null,
          date: null,
          transaction: { amount: '100.123' },
        },
      ],
    });
    expect(calls).toEqual([`GET ${transactions}T/?filter_by=all`]);
  });

  test('with UNKNOWN_VALUE for an enum value that only V25 has, and its text beside it', async () => {
    const premium = { id: 'P', name: 'Grades', calculation_type: 'RANGE', ranges: [], label: null };
    service.answerWith({ 'POST /catalogs/premiums/': success(premium, 201) });
    const { data, errors } = await service.query(
      'mutation { createPremium(input: { name: "Grades" }) { name calculation_type calculation_type_raw } }',
    );
    expect(errors).toEqual([]);
    expect(data.createPremium).toEqual({
      name: 'Grades',
      calculation_type: 'UNKNOWN_VALUE',
      calculation_type_raw: 'RANGE',
    });
  });

  test.each(['http://bucket.example/media/a.png', '//bucket.example/a.png', 'a.png', ''])(
    'for an image of another host, and for a text that is no URL: "%s"',
    async (image) => {
      service.answerWith({ [`GET ${companies}A/`]: success({ id: 'A', image }) });
      const { data } = await service.query('{ company(id: "A") { image } }');
      expect(data.company).toEqual({ image });
    },
  );
});

describe('the gateway reads', () => {
  test.each([
    ['V23, an object', { id: 'E', is_active: true }, { id: 'E', is_active: true }],
    ['V25, a list', [{ id: 'E', is_active: true }], { id: 'E', is_active: true }],
    [
      'V25, an earlier one before it',
      [
        { id: 'D', is_active: false },
        { id: 'E', is_active: true },
      ],
      { id: 'E', is_active: true },
    ],
    ['V25, an empty list', [], null],
    ['null', null, null],
  ])('one card or none as the card of a buyer (%s)', async (_version, entity_card, shown) => {
    const buyer = { id: 'B', name: 'Noordzee', entity_card };
    service.answerWith({
      [`GET ${companies}A/`]: success({ id: 'A', buyer, buyers: [{ ...buyer, is_default: true }] }),
    });
    const { data, errors, calls } = await service.query(
      '{ company(id: "A") { buyer { name entity_card { id is_active } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.company.buyer).toEqual({ name: 'Noordzee', entity_card: shown });
    expect(calls).toEqual([`GET ${companies}A/`]);
  });

  test.each([
    ['V23, ids', ['A', 'B'], [null, null], ['REFERENCE_UNRESOLVED', 'REFERENCE_UNRESOLVED']],
    [
      'V25, objects',
      [
        { id: 'A', values: [] },
        { id: 'B', values: [] },
      ],
      [{ values: [] }, { values: [] }],
      [],
    ],
  ])('ids of submissions out of a payment, and the submissions (%s)', async (_version, submissions, details, codes) => {
    service.answerWith({ [`GET ${payments}`]: page([{ id: 'P', submissions }]) });
    const answer = await service.query(
      '{ paymentTransactions { results { submissions submission_details { values { value } } } } }',
    );
    expect(codesOf(answer)).toEqual(codes);
    expect(answer.data.paymentTransactions.results).toEqual([{ submissions: ['A', 'B'], submission_details: details }]);
    expect(answer.calls).toHaveLength(1);
  });

  test.each([
    ['V23, some fields of it', { id: 'U', first_name: 'Ama', language: 'en' }],
    ['V25, its id', 'U'],
  ])('the user of a new member by its id (%s)', async (_version, user) => {
    service.answerWith({
      'POST /supply-chains/company-members/': success({ id: 'M', user, type: 'ADMIN' }, 201),
      [`GET ${users}U/`]: success({ id: 'U', first_name: 'Ama', image: null, managing_entitys: [] }),
    });
    const { data, errors, calls } = await service.query(
      'mutation { createCompanyMember(input: { company: "A" }) { type user { first_name image managing_entity_ids } } }',
    );
    expect(errors).toEqual([]);
    expect(data.createCompanyMember).toEqual({
      type: 'ADMIN',
      user: { first_name: 'Ama', image: null, managing_entity_ids: [] },
    });
    expect(calls).toEqual(['POST /supply-chains/company-members/', `GET ${users}U/`]);
  });

  test('the ids of the companies of a user out of objects', async () => {
    const managed = { id: 'C', name: 'Kuapa', member_role: 'ADMIN', image: null, email: '' };
    service.answerWith({
      [`GET ${users}U/`]: success({
        id: 'U',
        managing_entitys: [managed],
        default_entity: null,
        policy_accepted: false,
      }),
    });
    const { data, errors, calls } = await service.query(
      '{ user(id: "U") { managing_entitys { id } managing_entity_ids default_entity { name } policy_accepted } }',
    );
    expect(errors).toEqual([]);
    expect(data.user).toEqual({
      managing_entitys: [{ id: 'C' }],
      managing_entity_ids: ['C'],
      default_entity: null,
      policy_accepted: 'false',
    });
    expect(calls).toEqual([`GET ${users}U/`]);
  });

  test('two fields of the form of a submission, and null for the others', async () => {
    const submission = { id: 'S', form: 'F', form_details: { id: 'F', form_type: 'FARMER' }, values: [] };
    service.answerWith({ [`GET ${farmers}`]: page([{ id: 'A', submission }]) });
    const document = '{ farmers { results { submission { form { form_type owner { name } fields { label } } } } } }';
    const asked: string[] = [];
    for (const _ of [1, 2]) {
      const { data, errors, calls } = await service.query(document);
      expect(errors).toEqual([]);
      expect(data.farmers.results[0].submission.form).toEqual({ form_type: 'FARMER', owner: null, fields: null });
      asked.push(...calls.map((call) => call.replace(/\?.*/, '')));
    }
    // This service shows once that it gives no form by its id.
    expect(asked).toEqual([`GET ${farmers}`, 'GET /forms/forms/F/', `GET ${farmers}`]);
  });

  test('the currency of a written company out of a text (V25) or an id (V23)', async () => {
    for (const currency of ['Euro - EUR - JZMN42P4DX', 'JZMN42P4DX']) {
      service.answerWith({ [`PATCH ${companies}A/`]: success({ id: 'A', city: 'Tema', currency }) });
      const { data } = await service.query(
        'mutation { updateCompany(id: "A", input: { city: "Tema" }) { city currency_id } }',
      );
      expect(data.updateCompany).toEqual({ city: 'Tema', currency_id: 'JZMN42P4DX' });
    }
  });

  test('null with an error for a transaction of a colleague, beside its neighbours', async () => {
    service.answerWith({ [`GET ${payments}`]: page([{ id: 'P', amount: 1, transaction: 'T' }]) });
    const { data, errors } = await service.query(
      '{ paymentTransactions { results { amount transaction_id transaction { number } } } }',
    );
    expect(data.paymentTransactions.results).toEqual([{ amount: 1, transaction_id: 'T', transaction: null }]);
    expect(errors).toMatchObject([
      { extensions: { code: 'REFERENCE_NOT_FOUND', reference: { type: 'ProductTransaction', id: 'T' } } },
    ]);
  });
});
