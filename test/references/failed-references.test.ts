import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { summariesOf } from '../support/client.ts';
import type { Reply } from '../support/fake-upstream.ts';
import { type FakedGateway, startFakedGateway } from '../support/harness.ts';
import {
  distinct,
  expectCalls,
  firstRows,
  one,
  page,
  paths,
  type Row,
  readRest,
  readRows,
  unknownId,
} from '../support/rest-reads.ts';

/** REST calls that one operation may make. */
const budget = 30;

let gateway: FakedGateway;
let transactions: Row[];
let coop: Row;

// A gateway learns which lists lack rows, and reads them earlier or later.
beforeEach(async () => {
  gateway = await startFakedGateway({ 'limits.operations.upstreamCalls': String(budget) });
  transactions = await firstRows(gateway, paths.productTransactions);
  coop = await readRest(gateway, `${paths.companies}${transactions.find(({ type }) => type === 'OUTGOING')!.source}/`);
  // The gateway remembers from here on which ids are companies.
  await gateway.queryFailing('query ($id: ID!) { company(id: $id) { buyer { id } } }', coop);
});
afterEach(() => gateway.close());

const crash = '<h1>Server Error (500)</h1>';

describe('a reference to an entity', () => {
  const document = `{
    productTransactions(limit: 4) { results {
      id source { __typename id name buyer { name } } destination { id } owner: source { id } 
    } }
  }`;

  test('that neither endpoint knows is an UnknownEntity with its id and an error', async () => {
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        results[1].source = unknownId;
      },
    });

    const answer = await gateway.queryFailing(document);

    const { results } = answer.data.productTransactions;
    expect(results.map(({ id }: Row) => id)).toEqual(transactions.slice(0, 4).map(({ id }) => id));
    expect(results[1].source).toEqual({ __typename: 'UnknownEntity', id: unknownId, name: null, buyer: null });
    expect(results[1].owner).toEqual({ id: unknownId });
    for (const index of [0, 2, 3]) expect(results[index].source.name).toEqual(expect.any(String));
    expect(summariesOf(answer)).toEqual([
      {
        path: ['productTransactions', 'results', 1, 'source'],
        code: 'REFERENCE_NOT_FOUND',
        retryable: false,
        reference: { type: 'Entity', id: unknownId },
      },
    ]);
    expect(answer.calls).toContain(one(paths.farmers, unknownId));
    expect(answer.calls).toContain(one(paths.companies, unknownId));
  });

  test('that one endpoint does not know, while the other fails, is null', async () => {
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        results[1].source = unknownId;
      },
    });
    gateway.upstream.fail(`${paths.companies}${unknownId}/`, { status: 500, body: crash });

    const answer = await gateway.queryFailing(document);

    expect(answer.data.productTransactions.results[1].source).toBeNull();
    expect(summariesOf(answer)).toEqual([
      {
        path: ['productTransactions', 'results', 1, 'source'],
        code: 'UPSTREAM_ERROR',
        retryable: false,
        reference: { type: 'Entity', id: unknownId },
        upstream_status: 500,
      },
    ]);
  });

  test('costs no call where the service cannot have its id', async () => {
    const longId = 'A'.repeat(5_000);
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        for (const row of results) Object.assign(row, { source: longId, creator: 'a b', product: 'a.b' });
      },
    });

    const answer = await gateway.queryFailing(
      '{ productTransactions(limit: 1) { results { source { id name } creator { email } product { name } } } }',
    );

    expect(answer.data.productTransactions.results).toEqual([
      { source: { id: longId, name: null }, creator: null, product: null },
    ]);
    expect(summariesOf(answer)).toMatchObject([
      { path: ['productTransactions', 'results', 0, 'creator'], code: 'REFERENCE_NOT_FOUND' },
      { path: ['productTransactions', 'results', 0, 'product'], code: 'REFERENCE_UNRESOLVED' },
      { path: ['productTransactions', 'results', 0, 'source'], code: 'REFERENCE_NOT_FOUND' },
    ]);
    // The list of products is read beside the rows that will probably refer to it.
    expectCalls(answer, page(paths.productTransactions, 1), page(paths.products, 100));
  });

  test('that one endpoint forbids is looked up at the other', async () => {
    gateway.upstream.fail(`${paths.farmers}${unknownId}/`, { status: 403, body: '{}' });

    const answer = await gateway.queryFailing('query ($id: ID!) { entity(id: $id) { name } }', { id: unknownId });

    expect(answer.data).toEqual({ entity: null });
    expect(summariesOf(answer)).toMatchObject([{ path: ['entity'], code: 'FORBIDDEN' }]);
    expectCalls(answer, one(paths.farmers, unknownId), one(paths.companies, unknownId));
  });
});

describe('a reference to a product', () => {
  const document = '{ productTransactions(limit: 3) { results { id product { id name } } } }';

  test('that its list lacks is null with REFERENCE_UNRESOLVED', async () => {
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        results[1].product = unknownId;
      },
    });

    const answer = await gateway.queryFailing(document);

    const { results } = answer.data.productTransactions;
    expect(results.map(({ product }: Row) => product?.id ?? null)).toEqual([
      transactions[0]!.product,
      null,
      transactions[2]!.product,
    ]);
    expect(summariesOf(answer)).toEqual([
      {
        path: ['productTransactions', 'results', 1, 'product'],
        code: 'REFERENCE_UNRESOLVED',
        retryable: false,
        reference: { type: 'Product', id: unknownId },
      },
    ]);
    expectCalls(answer, page(paths.productTransactions, 3), page(paths.products, 100));
  });

  test('is looked up to the end of the list, even if its count promises more rows', async () => {
    const products = await readRows(gateway, paths.products);
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        results[1].product = unknownId;
      },
    });
    gateway.upstream.fail(paths.products, {
      edit(list) {
        list.count += 5;
      },
    });

    const answer = await gateway.queryFailing(document);

    expect(answer.data.productTransactions.results.map(({ product }: Row) => product === null)).toEqual([
      false,
      true,
      false,
    ]);
    expect(summariesOf(answer)).toMatchObject([{ code: 'REFERENCE_UNRESOLVED', reference: { id: unknownId } }]);
    const { length } = products;
    expectCalls(
      answer,
      page(paths.productTransactions, 3),
      page(paths.products, 100),
      page(paths.products, length, length),
    );
  });

  test('is null with the error of its list', async () => {
    gateway.upstream.fail(paths.products, { status: 500, body: crash });

    const answer = await gateway.queryFailing(document);

    expect(answer.data.productTransactions.results.map(({ product }: Row) => product)).toEqual([null, null, null]);
    expect(summariesOf(answer)).toEqual(
      transactions.slice(0, 3).map(({ product }, index) => ({
        path: ['productTransactions', 'results', index, 'product'],
        code: 'UPSTREAM_ERROR',
        retryable: false,
        reference: { type: 'Product', id: product },
        upstream_status: 500,
      })),
    );
  });
});

describe('an embedded object that the service left out', () => {
  test('is looked up in its list if there is one', async () => {
    const [{ currency_details: currency, card_details: card }] = transactions.filter((row) => row.card) as [Row];
    const index = transactions.findIndex((row) => row.card);
    gateway.upstream.fail(paths.productTransactions, {
      edit({ results }) {
        for (const row of results) {
          delete row.currency_details;
          row.transaction_payments = [];
          row.card_details = null;
        }
      },
    });

    const answer = await gateway.queryFailing(
      'query ($offset: Int) { productTransactions(limit: 1, offset: $offset) { results { currency { id code } card { card_id } } } }',
      { offset: index },
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.productTransactions.results).toEqual([
      { currency: { id: currency.id, code: currency.code }, card: { card_id: card.card_id } },
    ]);
    const scans = answer.calls.slice(1);
    expect(answer.calls[0]).toBe(page(paths.productTransactions, 1, index));
    expect(scans).toContain(page(paths.currencies, 100));
    expect(scans).toContain(page(paths.cards, 100));
    expect(distinct(scans)).toEqual(scans);
  });

  test('is null with REFERENCE_UNRESOLVED if there is no list, and keeps its id', async () => {
    const payments = await firstRows(gateway, paths.paymentTransactions);
    const payment = payments.find((row) => row.selected_option)!;
    gateway.upstream.fail(`${paths.paymentTransactions}${payment.id}/`, {
      edit(row) {
        row.premium_details = null;
      },
    });

    const answer = await gateway.queryFailing(
      `query ($id: ID!) { paymentTransaction(id: $id) {
        premium_id premium { name } bare: premium { id } selected_option_id selected_option { amount }
      } }`,
      payment,
    );

    const { premium, selected_option } = payment;
    expect(answer.data.paymentTransaction).toEqual({
      premium_id: premium,
      premium: null,
      bare: { id: premium },
      selected_option_id: selected_option,
      selected_option: null,
    });
    const unresolved = { code: 'REFERENCE_UNRESOLVED', retryable: false };
    expect(summariesOf(answer)).toEqual([
      { path: ['paymentTransaction', 'premium'], ...unresolved, reference: { type: 'Premium', id: premium } },
      {
        path: ['paymentTransaction', 'selected_option'],
        ...unresolved,
        reference: { type: 'PremiumOption', id: selected_option },
      },
    ]);
    expectCalls(answer, one(paths.paymentTransactions, payment.id));
  });
});

test('an item of a list of references fails without its neighbours', async () => {
  const [first, second, third] = coop.members;
  gateway.upstream.fail(`${paths.users}${second}/`, { status: 404, body: '{"detail":"Not found."}' });

  const answer = await gateway.queryFailing('query ($id: ID!) { company(id: $id) { members { id email } } }', coop);

  expect(answer.data.company.members).toEqual([
    { id: first, email: expect.any(String) },
    null,
    { id: third, email: expect.any(String) },
  ]);
  expect(summariesOf(answer)).toEqual([
    {
      path: ['company', 'members', 1],
      code: 'REFERENCE_NOT_FOUND',
      retryable: false,
      reference: { type: 'User', id: second },
    },
  ]);
});

test('a failed reference is an error only if more than its id is selected', async () => {
  gateway.upstream.fail(`${paths.companies}${coop.id}/`, { status: 500, body: crash });

  const answer = await gateway.queryFailing(
    '{ farmers(limit: 1) { results { a: buyer { id } b: buyer { email } buyer_id c: buyer { __typename } } } }',
  );

  expect(answer.data.farmers.results).toEqual([
    { a: { id: coop.id }, b: null, buyer_id: coop.id, c: { __typename: 'Company' } },
  ]);
  expect(summariesOf(answer)).toMatchObject([{ path: ['farmers', 'results', 0, 'b'], code: 'UPSTREAM_ERROR' }]);
});

describe('a reference that the service does not give, but another answer embeds', () => {
  const gone = { status: 404, body: '{}' };

  /** Answers `path` while the gateway waits for `other`, and then answers that with `reply`. */
  const answerDuring = (path: string, other: string, reply: Reply) => {
    const { upstream } = gateway;
    upstream.respond = async (request) => {
      if (request.path.startsWith(path)) await expect.poll(() => upstream.calls.join()).toContain(other);
      if (!request.path.startsWith(other)) return undefined;
      // The gateway may read a list early.
      await expect.poll(() => upstream.calls.join()).toContain(path);
      await expect.poll(() => upstream.pending).toBe(1);
      return reply;
    };
  };

  test.each<[string, (product: string) => Reply]>([
    [
      'hides it',
      (product) => ({
        edit({ results }) {
          for (const row of results) if (row.id === product) row.id = unknownId;
        },
      }),
    ],
    ['fails', () => ({ status: 500, body: crash })],
  ])('is shown with all that is selected in it if its list %s', async (_, faultOf) => {
    const embedded = coop.forms.flatMap(({ products }: Row) => products) as Row[];
    const { product: id, ...transaction } = transactions.find((row) => embedded.some(({ id }) => id === row.product))!;
    answerDuring(paths.companies, paths.products, faultOf(id));

    const answer = await gateway.queryFailing(
      `query ($transaction: ID!, $coop: ID!) {
        productTransaction(id: $transaction) { product { name creator { first_name } } }
        company(id: $coop) { forms { products { name } } }
      }`,
      { transaction: transaction.id, coop: coop.id },
    );

    expect(answer.errors).toEqual([]);
    expect(answer.data.productTransaction.product).toEqual({
      name: embedded.find((product) => product.id === id)!.name,
      creator: { first_name: expect.any(String) },
    });
  });

  test('is shown only if the other answer has all that is selected', async () => {
    const buyer = await readRest(gateway, `${paths.companies}${coop.buyer.id}/`);
    gateway.upstream.fail(`${paths.companies}${buyer.id}/`, gone);
    gateway.upstream.fail(`${paths.companies}${coop.id}/`, {
      edit(company) {
        company.buyer = { id: buyer.id, name: buyer.name, phone: buyer.phone, creator: buyer.creator };
      },
    });
    const { id } = transactions.find(({ destination }) => destination === buyer.id)!;

    const answer = await gateway.queryFailing(
      `query ($id: ID!, $coop: ID!) {
        productTransaction(id: $id) {
          whole: destination { __typename name creator { first_name } }
          lacking: destination { __typename name city }
        }
        company(id: $coop) { name }
      }`,
      { id, coop: coop.id },
    );

    expect(answer.data.productTransaction).toEqual({
      whole: { __typename: 'Company', name: buyer.name, creator: { first_name: expect.any(String) } },
      lacking: { __typename: 'UnknownEntity', name: null, city: null },
    });
    expect(summariesOf(answer)).toMatchObject([
      { path: ['productTransaction', 'lacking'], code: 'REFERENCE_NOT_FOUND', reference: { id: buyer.id } },
    ]);
  });
});

test('an operation beyond its call budget gets what its calls gave, and errors for the rest', async () => {
  const count = 50;
  const document = `{ entityCards(limit: ${count}) { results { id entity { name } } } }`;

  // The gateway looks the holders up by id, because their list fails.
  gateway.upstream.fail(paths.farmers, { status: 500 });
  const answer = await gateway.queryFailing(document);
  gateway.upstream.recover();

  const named = answer.data.entityCards.results.filter(({ entity }: Row) => entity !== null);
  expect(answer.data.entityCards.results).toHaveLength(count);
  expect(named.length).toBeGreaterThan(0);
  expect(answer.errors).toHaveLength(count - named.length);
  expect(distinct(answer.errors.map(({ extensions }) => extensions.code))).toEqual(['UPSTREAM_BUDGET_EXCEEDED']);
  expect(answer.calls).toHaveLength(budget);
  const next = await gateway.queryFailing('{ farmers(limit: 1) { results { buyer { email } } } }');
  expect(next.errors).toEqual([]);
});
