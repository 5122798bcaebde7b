import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectGateway, startConnectGateway } from '../support/connect-gateway.ts';
import { page, type RecordedService, startRecordedService, success } from '../support/recorded-service.ts';
import type { Json } from '../support/rest.ts';

const inherited = `
  date created_on card_id card { id card_id } invoice_number verification_latitude verification_longitude
  source_id destination_id currency { code } currency_id transaction_id`;

describe('before a real deployment', () => {
  let connect: ConnectGateway;
  beforeAll(async () => {
    connect = await startConnectGateway();
  });
  afterAll(() => connect.gateway.close());

  test('payments inherit from their transaction alike in a list, a GET and a write, without a call', async () => {
    const { ids, query, rest } = connect;
    const [assigned] = (await rest('/supply-chains/entity-cards/?limit=1')).results;
    const premium = await query('mutation { createPremium(input: { name: "Grades" }) { id } }');
    const made = await query(
      `mutation ($input: CreateProductTransactionInput!) {
        createProductTransaction(input: $input) { id transaction_payments { id ${inherited} } }
      }`,
      {
        input: {
          source: ids.farmer,
          destination: ids.company,
          product: ids.product,
          currency: 'EUR',
          amount: '9.50',
          card: assigned.card.id,
          date: '2026-03-01T08:15:30Z',
          created_on: '2030-03-02T08:15:30Z',
          invoice_number: 'INV-7',
          verification_latitude: 6.5,
          verification_longitude: -1.5,
          transaction_payments: [{ premium: premium.data.createPremium.id, amount: 2 }],
        },
      },
    );
    const { createProductTransaction: transaction } = made.data;
    const [first, second] = transaction.transaction_payments;

    expect(made.errors).toEqual([]);
    expect(made.calls.at(-1)).toBe('POST /transactions/product-transactions/');
    expect(first).toEqual({
      id: expect.any(String),
      date: '2026-03-01T08:15:30Z',
      created_on: '2030-03-02T08:15:30Z',
      card_id: assigned.card.id,
      card: { id: assigned.card.id, card_id: assigned.card.card_id },
      invoice_number: 'INV-7',
      verification_latitude: 6.5,
      verification_longitude: -1.5,
      source_id: ids.company,
      destination_id: ids.farmer,
      currency: { code: 'EUR' },
      currency_id: expect.any(String),
      transaction_id: transaction.id,
    });
    expect(second).toEqual({ ...first, id: expect.any(String) });

    const read = await query(
      `query ($id: ID!) { productTransaction(id: $id) { transaction_payments { id ${inherited} } } }`,
      { id: transaction.id },
    );
    const list = await query(
      `{ productTransactions(limit: 1, created_after: "2030-03-02T08:15:30Z") { results { id transaction_payments { id ${inherited} } } } }`,
    );

    expect(read.data.productTransaction.transaction_payments).toEqual(transaction.transaction_payments);
    expect(read.calls).toEqual([`GET /transactions/product-transactions/${transaction.id}/?filter_by=all`]);
    expect(list.data.productTransactions.results).toEqual([transaction]);
  });
});

describe('before recorded answers', () => {
  let service: RecordedService;
  beforeAll(async () => {
    service = await startRecordedService();
  });
  afterAll(() => service.close());

  const transactions = '/transactions/product-transactions/';
  const transaction = {
    id: 'T',
    date: '1772352930',
    created_on: '1772352931',
    card: 'K',
    card_details: { id: 'K', card_id: '04:A2' },
    invoice_number: 'INV-7',
    verification_latitude: 6.5,
    verification_longitude: -1.5,
    source: 'F',
    destination: 'C',
    currency_details: { id: 'E', code: 'EUR' },
  };

  test('a property that the service sends stays as it is sent, null too', async () => {
    const sent = {
      id: 'P',
      date: null,
      created_on: '1772352999',
      card: null,
      invoice_number: '',
      verification_latitude: 0,
      verification_longitude: null,
      source: 'B',
      destination: null,
      currency_details: null,
      transaction: 'U',
    };
    service.answerWith({ [`GET ${transactions}T/`]: success({ ...transaction, transaction_payments: [sent] }) });
    const { data, errors, calls } = await service.query(
      `{ productTransaction(id: "T") { transaction_payments { ${inherited} } } }`,
    );
    // A payment has a destination, by the schema's @semanticNonNull.
    const place = ['productTransaction', 'transaction_payments', 0, 'destination_id'];
    expect(errors).toMatchObject([{ path: place, extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }]);
    expect(data.productTransaction.transaction_payments).toEqual([
      {
        date: null,
        created_on: '2026-03-01T08:16:39Z',
        card_id: null,
        card: null,
        invoice_number: '',
        verification_latitude: 0,
        verification_longitude: null,
        source_id: 'B',
        destination_id: null,
        currency: null,
        currency_id: null,
        transaction_id: 'U',
      },
    ]);
    expect(calls).toHaveLength(1);
  });

  test('a transaction without a property has none to pass on', async () => {
    service.answerWith({
      [`GET ${transactions}T/`]: success({ id: 'T', card: null, transaction_payments: [{ id: 'P' }] }),
    });
    const { data, errors } = await service.query(
      `{ productTransaction(id: "T") { transaction_payments { date card { id } card_id invoice_number transaction_id } } }`,
    );
    expect(errors).toEqual([]);
    expect(data.productTransaction.transaction_payments).toEqual([
      { date: null, card: null, card_id: null, invoice_number: null, transaction_id: 'T' },
    ]);
  });

  test('a card without its object is looked up in the list of cards', async () => {
    const { card_details: _details, ...without } = transaction;
    service.answerWith({
      [`GET ${transactions}T/`]: success({ ...without, transaction_payments: [{ id: 'P' }] }),
      'GET /catalogs/connect-cards/': page([transaction.card_details]),
    });
    const { data, errors } = await service.query(
      '{ productTransaction(id: "T") { card { card_id } transaction_payments { card { card_id } } } }',
    );
    expect(errors).toEqual([]);
    const card = { card_id: '04:A2' };
    expect(data.productTransaction).toEqual({ card, transaction_payments: [{ card }] });
  });

  test('a payment with the id of one inside a transaction keeps its own values, and leaves the other alone', async () => {
    const own = { id: 'P', date: '1700000000', invoice_number: 'OWN', card: null, transaction: 'T' };
    service.answerWith({
      [`GET ${transactions}`]: page([{ ...transaction, transaction_payments: [{ id: 'P' }] }]),
      'GET /transactions/payment-transactions/': page([own]),
      'GET /transactions/payment-transactions/P/': success(own),
    });
    const { data, errors } = await service.query(`{
      productTransactions { results { transaction_payments { id date invoice_number card_id } } }
      paymentTransactions { results { id date invoice_number card_id } }
      paymentTransaction(id: "P") { id date invoice_number card_id }
    }`);
    const shown = { id: 'P', date: '2023-11-14T22:13:20Z', invoice_number: 'OWN', card_id: null };
    expect(errors).toEqual([]);
    expect(data).toEqual({
      productTransactions: {
        results: [
          { transaction_payments: [{ id: 'P', date: '2026-03-01T08:15:30Z', invoice_number: 'INV-7', card_id: 'K' }] },
        ],
      },
      paymentTransactions: { results: [shown] },
      paymentTransaction: shown,
    });
  });

  test('a form of a company belongs to the company, unless the service names another owner', async () => {
    service.answerWith({
      'GET /supply-chains/companies/A/': success({
        id: 'A',
        name: 'Kuapa',
        forms: [{ id: 'F' }, { id: 'G', owner: 'B' }, { id: 'H', owner: null }],
      }),
    });
    const { data, errors, calls } = await service.query(
      '{ company(id: "A") { forms { id owner_id } own: forms { owner { __typename id } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.company.forms).toEqual([
      { id: 'F', owner_id: 'A' },
      { id: 'G', owner_id: 'B' },
      { id: 'H', owner_id: null },
    ]);
    expect(data.company.own.map(({ owner }: Json) => owner?.id)).toEqual(['A', 'B', undefined]);
    expect(calls).toHaveLength(1);
  });
});
