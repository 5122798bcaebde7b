import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, codesOf } from '../../../test/support/client.ts';
import { type FakedGateway, startFakedGateway } from '../../../test/support/harness.ts';
import { paths } from '../../../test/support/rest-reads.ts';
import { createFarmer, ids, type PushedWrite, purchaseOfNewFarmer, push, pushDocument } from './push.ts';

let gateway: FakedGateway;
beforeAll(async () => {
  gateway = await startFakedGateway();
});
afterEach(() => {
  gateway.upstream.recover();
  gateway.upstream.respond = undefined;
  gateway.upstream.clear();
});
afterAll(() => gateway.close());

const statusesOf = ({ data }: Answer) => data?.push.map(({ status }: { status: string }) => status);
const resultsOf = ({ data }: Answer) => data.push;
const posts = () => gateway.upstream.calls.filter((call) => !call.startsWith('GET'));
const bodies = () => gateway.upstream.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body);
/** The service makes the write. */
const makeUnanswered = (method: string, path: string, body: string) =>
  fetch(gateway.sandbox.url + path, {
    method,
    body,
    headers: { authorization: 'demo-coop', 'content-type': 'application/json' },
  });
const updateCompany = (key: string, id: string, input: object): PushedWrite => ({
  key,
  write: { updateCompany: { id, input } },
});

describe('a push', () => {
  test('makes each write with the ids of the writes before it', async () => {
    const document = pushDocument(`
      ... on Farmer { id }
      ... on EntityCard { card { id } entity { __typename id } }
      ... on ProductTransaction { id source { id } card { id } amount }
      ... on PaymentTransaction { destination { id } transaction { id } }`);
    const answer = await gateway.query(document, { writes: purchaseOfNewFarmer(randomUUID()) });
    const [farmer, card, purchase, payment] = resultsOf(answer);

    expect(answer.errors).toEqual([]);
    expect(statusesOf(answer)).toEqual(['DONE', 'DONE', 'DONE', 'DONE']);
    expect(card.object.entity).toEqual({ __typename: 'Farmer', id: farmer.object.id });
    expect(purchase.object.source).toEqual({ id: farmer.object.id });
    expect(purchase.object.card).toEqual({ id: card.object.card.id });
    expect(payment.object).toEqual({
      __typename: 'PaymentTransaction',
      destination: { id: farmer.object.id },
      transaction: { id: purchase.object.id },
    });
    expect(gateway.upstream.calls).toEqual([
      `POST ${paths.farmers}`,
      `POST ${paths.entityCards}`,
      `POST ${paths.productTransactions}`,
      `POST ${paths.paymentTransactions}`,
    ]);
  });

  test('sent again replays every write, and sends none', async () => {
    const writes = purchaseOfNewFarmer(randomUUID());
    const first = await push(gateway, writes);
    gateway.upstream.clear();
    const again = await push(gateway, writes);

    expect(statusesOf(again)).toEqual(['REPLAYED', 'REPLAYED', 'REPLAYED', 'REPLAYED']);
    expect(resultsOf(again).map(({ object }: Answer['data']) => object)).toEqual(
      resultsOf(first).map(({ object }: Answer['data']) => object),
    );
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('sent again makes the writes that are missing', async () => {
    const writes = purchaseOfNewFarmer(randomUUID());
    gateway.upstream.fail(paths.productTransactions, { status: 503, headers: { 'retry-after': '7' }, times: 1 });
    const first = await push(gateway, writes);
    gateway.upstream.clear();
    const again = await push(gateway, writes);

    expect(statusesOf(first)).toEqual(['DONE', 'DONE', 'NOT_TRIED', 'NOT_TRIED']);
    expect(resultsOf(first)[2].error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true, retry_after: 7 });
    expect(resultsOf(first)[3].error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryable: true });
    expect(resultsOf(first)[3].error.message).toMatch(/^Needs "\$purchase1", which is NOT_TRIED:/);
    expect(statusesOf(again)).toEqual(['REPLAYED', 'REPLAYED', 'DONE', 'DONE']);
    expect(posts()).toEqual([`POST ${paths.productTransactions}`, `POST ${paths.paymentTransactions}`]);
  });

  test('replays writes that name ids in place of the refs of the first push', async () => {
    const writes = purchaseOfNewFarmer(randomUUID());
    const first = await push(gateway, writes.slice(0, 2));
    const farmerId = resultsOf(first)[0].object.id;
    gateway.upstream.clear();
    const card = {
      ...writes[1]!,
      write: { createEntityCard: { ...writes[1]!.write.createEntityCard, entity: farmerId } },
    };
    const again = await push(gateway, [card]);

    expect(statusesOf(again)).toEqual(['REPLAYED']);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('names the user that a new member is, where a place takes a user', async () => {
    const key = randomUUID();
    const member = { user: { first_name: 'Abena', email: `${key}@example.com` }, company: ids.cooperative };
    const answer = await gateway.query(
      pushDocument('... on CompanyMember { user { id } } ... on Farmer { creator { id } }'),
      {
        writes: [
          { key, ref: 'm', write: { createCompanyMember: member } },
          createFarmer(`${key}-f`, { creator: '$m' }),
        ],
      },
    );
    const [made, farmer] = resultsOf(answer);

    expect(farmer.object.creator).toEqual(made.object.user);
    expect(farmer.object.creator.id).toBeTruthy();
  });

  test('replaces a ref inside lists and nested inputs', async () => {
    const key = randomUUID();
    const [farmer, , purchase] = purchaseOfNewFarmer(key);
    const { createProductTransaction } = purchase!.write;
    const { card: _, ...input } = createProductTransaction as { card?: string };
    const writes = [
      farmer!,
      { ...purchase!, write: { createProductTransaction: input } },
      {
        key: `${key}-next`,
        write: {
          createProductTransaction: {
            ...input,
            parents: ['$purchase1'],
            transaction_payments: [{ source: ids.cooperative, destination: '$farmer1', amount: 1 }],
          },
        },
      },
    ];
    // The fake reads a body before it answers.
    gateway.upstream.respond = () => undefined;
    const answer = await push(gateway, writes);
    const [{ object: made }, { object: parent }] = resultsOf(answer);
    const sent = JSON.parse(bodies().at(-1)!);

    expect(sent.parents).toEqual([parent.id]);
    expect(sent.transaction_payments[0].destination).toBe(made.id);
    expect(bodies().join()).not.toContain('$');
  });

  const farmer1 = createFarmer('a', {}, 'farmer1');
  test.each<[string, PushedWrite[], (string | number)[], RegExp]>([
    [
      'an unknown ref',
      [createFarmer('a', { buyer: '$x' })],
      [0, 'write', 'createFarmer', 'buyer'],
      /No write .* "\$x"/,
    ],
    [
      'the ref of a later write',
      [{ key: 'c', write: { createEntityCard: { card: { card_id: '1' }, entity: '$farmer1' } } }, farmer1],
      [0, 'write', 'createEntityCard', 'entity'],
      /earlier write/,
    ],
    [
      'its own ref',
      [createFarmer('a', { creator: '$a' }, 'a')],
      [0, 'write', 'createFarmer', 'creator'],
      /earlier write/,
    ],
    ['a ref twice', [farmer1, createFarmer('b', {}, 'farmer1')], [1, 'ref'], /writes\.0/],
    ['a ref of other characters', [createFarmer('a', {}, 'a-b')], [0, 'ref'], /letters/],
    ['a key twice', [farmer1, createFarmer('a')], [1, 'key'], /writes\.0/],
    ['an empty key', [createFarmer('')], [0, 'key'], /255/],
    ['a key that is too long', [createFarmer('x'.repeat(256))], [0, 'key'], /255/],
    ['a key that is not printable', [createFarmer('é')], [0, 'key'], /printable/],
    [
      'a farmer where a company belongs',
      [farmer1, createFarmer('b', { buyer: '$farmer1' })],
      [1, 'write', 'createFarmer', 'buyer'],
      /"\$farmer1" is a Farmer; this is the id of a Company/,
    ],
    [
      'a farmer as the object of an update',
      [farmer1, updateCompany('b', '$farmer1', { name: 'B' })],
      [1, 'write', 'updateCompany', 'id'],
      /is a Farmer/,
    ],
    [
      'a farmer inside the input of an update',
      [farmer1, updateCompany('b', ids.cooperative, { buyer: '$farmer1' })],
      [1, 'write', 'updateCompany', 'input', 'buyer'],
      /is a Farmer/,
    ],
    [
      'a ref as the proposed id of a new object',
      [farmer1, createFarmer('b', { id: '$farmer1' })],
      [1, 'write', 'createFarmer', 'id'],
      /proposed/,
    ],
    [
      '201 writes',
      Array.from({ length: 201 }, (_, index) => createFarmer(`k${index}`)),
      [],
      /At most 200 writes; these are 201/,
    ],
  ])('with %s is refused as a whole', async (_, writes, path, message) => {
    const answer = await push(gateway, writes);

    expect(answer.data).toBeNull();
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors[0]?.extensions.fields).toEqual([
      { path: ['writes', ...path], message: expect.stringMatching(message) },
    ]);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test.each([
    ['two members', { createFarmer: { first_name: 'a' }, createForm: { fields: [], owner: 'x' } }, /Exactly one key/],
    ['no member', {}, /Exactly one key/],
    ['a member that is null', { createFarmer: null }, /non-null|null/],
  ])('refuses a write of %s', async (_, write, message) => {
    const answer = await gateway.ask({ query: pushDocument(), variables: { writes: [{ key: 'k', write }] } });

    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.fields).toEqual([
      { path: expect.arrayContaining(['writes', 0, 'write']), message: expect.stringMatching(message) },
    ]);
  });

  test('goes on beside a write with bad input, and leaves out what needs that write', async () => {
    const key = randomUUID();
    const [farmer, card] = purchaseOfNewFarmer(key);
    const wrong = { ...farmer!, write: { createFarmer: { first_name: '', phone: 'x' } } };
    const answer = await push(gateway, [wrong, card!, createFarmer(`${key}-2`)]);

    expect(statusesOf(answer)).toEqual(['REFUSED', 'NOT_TRIED', 'DONE']);
    expect(resultsOf(answer)[0].error).toMatchObject({
      code: 'BAD_USER_INPUT',
      retryable: false,
      fields: [{ path: ['input', 'first_name'] }],
    });
    expect(resultsOf(answer)[1].error).toMatchObject({ code: 'BAD_USER_INPUT', retryable: false });
    expect(posts()).toHaveLength(1);
  });

  test('refuses an update without a field, and makes the others', async () => {
    const key = randomUUID();
    const writes = [updateCompany(`${key}-1`, ids.cooperative, {}), createFarmer(`${key}-2`)];
    const answer = await push(gateway, writes);

    expect(statusesOf(answer)).toEqual(['REFUSED', 'DONE']);
    expect(resultsOf(answer)[0].error).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ path: ['input'] }] });
    expect(posts()).toEqual([`POST ${paths.farmers}`]);
  });

  test('shows the refusal of the service with its fields, and replays it', async () => {
    const writes = [createFarmer(randomUUID())];
    const body = JSON.stringify({ first_name: ['Not this name.'] });
    gateway.upstream.fail(paths.farmers, { status: 400, body, times: 1 });
    const answer = await push(gateway, writes);
    const again = await push(gateway, writes);

    for (const one of [answer, again]) {
      expect(resultsOf(one)[0]).toMatchObject({
        status: 'REFUSED',
        object: null,
        error: {
          code: 'BAD_USER_INPUT',
          upstream_status: 400,
          fields: [{ path: ['input', 'first_name'], message: 'Not this name.' }],
        },
      });
    }
    expect(posts()).toHaveLength(1);
  });

  test('does not know the outcome of a write without an answer, and never sends it again', async () => {
    const writes = purchaseOfNewFarmer(randomUUID());
    gateway.upstream.fail(paths.entityCards, { breaks: true, times: 1 });
    const answer = await push(gateway, writes);
    gateway.upstream.clear();
    const again = await push(gateway, writes);

    for (const one of [answer, again]) {
      expect(statusesOf(one).slice(1)).toEqual(['UNKNOWN', 'NOT_TRIED', 'NOT_TRIED']);
      expect(resultsOf(one)[1].error).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
      expect(resultsOf(one)[2].error).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
    }
    expect(posts()).toEqual([]);
  });

  test('compares each write with the input of its key', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const at = (date: string) => ({
      key: two,
      write: {
        createProductTransaction: {
          ...{ source: ids.farmer, destination: ids.cooperative, product: ids.coffee, currency: ids.dollar },
          ...{ amount: '1', quantity: '1', date },
        },
      },
    });
    await push(gateway, [createFarmer(one, { city: 'Accra' }), at('2026-07-01T07:30:00Z')]);
    gateway.upstream.clear();
    const answer = await push(gateway, [createFarmer(one, { city: 'Tamale' }), at('2026-07-01T07:30:01Z')]);

    expect(statusesOf(answer)).toEqual(['REFUSED', 'REFUSED']);
    for (const { error } of resultsOf(answer)) expect(error.code).toBe('IDEMPOTENCY_CONFLICT');
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('shares its keys with the header Idempotency-Key', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const create = 'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { id } }';
    const under = (key: string) => ({ headers: { 'idempotency-key': key } });
    await gateway.query(create, { name: one }, under(one));
    await push(gateway, [createFarmer(two)]);
    gateway.upstream.clear();
    const pushed = await push(gateway, [createFarmer(one)]);
    const created = await gateway.query(create, { name: two }, under(two));

    expect(resultsOf(pushed)[0]).toMatchObject({ status: 'REFUSED', error: { code: 'IDEMPOTENCY_CONFLICT' } });
    expect([created.status, codesOf(created)]).toEqual([422, ['IDEMPOTENCY_CONFLICT']]);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('ignores the header Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await push(gateway, [createFarmer(randomUUID())], { headers });
    const other = await push(gateway, [createFarmer(randomUUID())], { headers });

    expect([statusesOf(first), statusesOf(other)]).toEqual([['DONE'], ['DONE']]);
  });

  test('shows another key nothing of the writes of the first', async () => {
    const writes = [createFarmer(randomUUID())];
    await push(gateway, writes);
    const other = await push(gateway, writes, { key: 'demo-buyer' });

    expect(statusesOf(other)).toEqual(['DONE']);
  });

  test('needs an API key', async () => {
    const answer = await push(gateway, [createFarmer(randomUUID())], { key: null });

    expect([answer.data, codesOf(answer), gateway.upstream.calls]).toEqual([null, ['UNAUTHENTICATED'], []]);
  });

  test('says beside the object what the service does not store', async () => {
    gateway.upstream.respond = ({ method }) =>
      method === 'POST' ? { edit: (farmer) => Object.assign(farmer, { city: 'Elsewhere' }) } : undefined;
    const writes = [createFarmer(randomUUID(), { city: 'Accra' })];
    const answers = [await push(gateway, writes), await push(gateway, writes)];

    for (const answer of answers) {
      expect(answer.errors).toEqual([]);
      expect(resultsOf(answer)[0].error).toMatchObject({
        code: 'INPUT_NOT_STORED',
        fields: [{ path: ['input', 'city'] }],
      });
    }
    expect(answers.map(statusesOf)).toEqual([['DONE'], ['REPLAYED']]);
  });

  test('compares a write with its own answer, where a later write changes the object', async () => {
    const key = randomUUID();
    const company = { name: key, description: 'first' };
    // The answers of writes lack what the read shows.
    gateway.upstream.respond = ({ method }) =>
      method === 'GET' ? undefined : { edit: (answer) => void delete answer.description };
    const answer = await push(gateway, [
      { key: `${key}-1`, ref: 'c', write: { createCompany: company } },
      updateCompany(`${key}-2`, '$c', { description: 'second' }),
    ]);

    expect(statusesOf(answer)).toEqual(['DONE', 'DONE']);
    expect(resultsOf(answer).map(({ error }: Answer['data']) => error)).toEqual([null, null]);
  });

  test('compares a write with its own answer also where a later one without an answer changes the object', async () => {
    const key = randomUUID();
    gateway.upstream.respond = async ({ method, path, body }) => {
      if (method === 'POST') return { edit: (answer) => void delete answer.description };
      if (method === 'GET') return undefined;
      await makeUnanswered(method, path, body);
      return { breaks: true };
    };
    const answer = await push(gateway, [
      { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key, description: 'first' } } },
      updateCompany(`${key}-2`, '$c', { description: 'second' }),
    ]);

    expect(statusesOf(answer)).toEqual(['DONE', 'UNKNOWN']);
    expect(resultsOf(answer)[0].error).toBeNull();
  });

  test('loads the references of all its objects together, after the last write', async () => {
    const writes = Array.from({ length: 200 }, () => createFarmer(randomUUID()));
    const document = pushDocument('... on Farmer { id buyer { name } } ... on Company { name }');
    const answer = await gateway.query(document, { writes }, { headers: { 'x-trace-upstream': 'true' } });

    expect(new Set(statusesOf(answer))).toEqual(new Set(['DONE']));
    expect(resultsOf(answer)[199].object.buyer.name).toBeTruthy();
    expect(posts()).toHaveLength(200);
    expect(gateway.upstream.calls.slice(200)).toEqual([`GET ${paths.companies}${ids.cooperative}/`]);
    expect(answer.extensions?.upstream).toMatchObject({ estimate: { least: 200 }, total: 201 });
  });

  test('shows what later writes have changed of an object, by one read of each', async () => {
    const key = randomUUID();
    const sale = { source: ids.cooperative, destination: 'T4GPXAH8SF', product: ids.coffee, parents: ['$purchase1'] };
    const money = { quantity: '10', amount: '20', currency: ids.dollar };
    const writes = [
      ...purchaseOfNewFarmer(key),
      { key: `${key}-sale`, write: { createProductTransaction: { ...sale, ...money } } },
    ];
    const document = pushDocument(`
      ... on Farmer { id card: entity_card { card { card_id } } }
      ... on EntityCard { entity { ... on Farmer { card: entity_card { card { card_id } } } } }
      ... on ProductTransaction { id stock: current_quantity parents { stock: current_quantity } transaction_payments { id } }
      ... on PaymentTransaction { transaction { transaction_payments { id } } }`);
    const answers = [await gateway.query(document, { writes }), await gateway.query(document, { writes })];

    for (const answer of answers) {
      const [farmer, card, purchase, payment, sold] = resultsOf(answer).map(({ object }: Answer['data']) => object);
      expect(answer.errors).toEqual([]);
      expect(farmer.card).toEqual({ card: { card_id: `${key}-1` } });
      expect(card.entity.card).toEqual(farmer.card);
      expect(purchase).toMatchObject({ stock: '0.000', transaction_payments: [{}, {}] });
      expect(payment.transaction.transaction_payments).toEqual(purchase.transaction_payments);
      expect(sold).toMatchObject({ stock: '10.000', parents: [{ stock: '0.000' }] });
    }
    expect(answers.map(statusesOf)).toEqual([Array(5).fill('DONE'), Array(5).fill('REPLAYED')]);
    const [farmer, , purchase] = resultsOf(answers[0] as Answer).map(({ object }: Answer['data']) => object.id);
    const reads = [`GET ${paths.farmers}${farmer}/`, `GET ${paths.productTransactions}${purchase}/`];
    expect(gateway.upstream.calls.slice(5).toSorted()).toEqual([...reads, ...reads].toSorted());
  });

  test('shows the stock of a lot that a later write without an answer has sold', async () => {
    const key = randomUUID();
    const sale = { source: ids.cooperative, destination: 'T4GPXAH8SF', product: ids.coffee, parents: ['$purchase1'] };
    const money = { quantity: '10', amount: '20', currency: ids.dollar };
    gateway.upstream.respond = async ({ method, path, body }) => {
      if (!body.includes('"parents"')) return undefined;
      await makeUnanswered(method, path, body);
      return { breaks: true };
    };
    const answer = await gateway.query(pushDocument('... on ProductTransaction { stock: current_quantity }'), {
      writes: [
        ...purchaseOfNewFarmer(key),
        { key: `${key}-sale`, write: { createProductTransaction: { ...sale, ...money } } },
      ],
    });

    expect(statusesOf(answer)).toEqual(['DONE', 'DONE', 'DONE', 'DONE', 'UNKNOWN']);
    expect(resultsOf(answer)[2].object.stock).toBe('0.000');
  });

  test('shows the time of the last change of an object, so that its client may make the next one', async () => {
    const key = randomUUID();
    const card = { entity: '$c', card: { card_id: key } };
    const made = await gateway.query(pushDocument('... on Company { id updated_on }'), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key } } },
        { key: `${key}-2`, write: { createEntityCard: card } },
      ],
    });
    const { id, updated_on } = resultsOf(made)[0].object;
    const change = { id, input: { city: 'Kumasi' }, if_updated_on: updated_on };
    const answer = await push(gateway, [{ key: `${key}-3`, write: { updateCompany: change } }]);

    expect(statusesOf(answer)).toEqual(['DONE']);
  });

  test('makes an update under a condition before the company gets a card, which changes its time', async () => {
    const key = randomUUID();
    const made = await gateway.query(pushDocument('... on Company { id updated_on }'), {
      writes: [{ key: `${key}-1`, write: { createCompany: { name: key } } }],
    });
    const { id, updated_on } = resultsOf(made)[0].object;
    gateway.upstream.clear();
    const answer = await gateway.query(pushDocument('... on EntityCard { is_active } ... on Company { city }'), {
      writes: [
        { key: `${key}-2`, write: { createEntityCard: { entity: id, card: { card_id: key } } } },
        { key: `${key}-3`, write: { updateCompany: { id, input: { city: 'Kumasi' }, if_updated_on: updated_on } } },
      ],
    });

    expect(posts()).toEqual([`PATCH ${paths.companies}${id}/`, `POST ${paths.entityCards}`]);
    expect(resultsOf(answer).map(({ object }: Answer['data']) => object)).toEqual([
      { __typename: 'EntityCard', is_active: true },
      { __typename: 'Company', city: 'Kumasi' },
    ]);
  });

  test('takes the ref of an update for the id of its object', async () => {
    const key = randomUUID();
    const made = await gateway.query(pushDocument('... on Company { id updated_on }'), {
      writes: [{ key: `${key}-1`, write: { createCompany: { name: key } } }],
    });
    const { id, updated_on } = resultsOf(made)[0].object;
    const change = (n: number, of: string): PushedWrite => ({
      key: `${key}-${n}`,
      ref: `w${n}`,
      write: { updateCompany: { id: of, input: { city: `${n}` }, if_updated_on: updated_on } },
    });
    const give = (n: number, entity: string): PushedWrite => ({
      key: `${key}-${n}`,
      write: { createEntityCard: { entity, card: { card_id: `${key}-${n}` } } },
    });
    const answer = await gateway.query(pushDocument('... on EntityCard { is_active } ... on Company { city }'), {
      writes: [change(2, id), change(3, '$w2'), change(4, id), give(5, '$w3'), give(6, id)],
    });

    const company = { __typename: 'Company', city: '4' };
    const card = { __typename: 'EntityCard' };
    expect(statusesOf(answer)).toEqual(Array(5).fill('DONE'));
    expect(resultsOf(answer).map(({ object }: Answer['data']) => object)).toEqual([
      ...[company, company, company],
      { ...card, is_active: null },
      { ...card, is_active: true },
    ]);
  });

  test('shows an object that another client has changed as later writes of the push leave it', async () => {
    const key = randomUUID();
    const { data } = await gateway.query('mutation ($name: String!) { createCompany(input: { name: $name }) { id } }', {
      name: key,
    });
    const { id } = data.createCompany;
    const change = { id, input: { city: 'Kumasi' }, if_updated_on: '2026-01-01T00:00:00Z' };
    const answer = await gateway.query(pushDocument('... on Company { updated_on }'), {
      writes: [
        { key: `${key}-1`, write: { updateCompany: change } },
        { key: `${key}-2`, write: { createEntityCard: { entity: id, card: { card_id: key } } } },
      ],
    });
    const now = await gateway.query('query ($id: ID!) { company(id: $id) { updated_on } }', { id });

    expect(statusesOf(answer)).toEqual(['REFUSED', 'DONE']);
    expect(resultsOf(answer)[0].object).toMatchObject(now.data.company);
  });

  test('shows no fields of a changed object from before a later write, if the read after that fails', async () => {
    const key = randomUUID();
    let reads = 0;
    gateway.upstream.respond = ({ method, path }) => {
      if (method !== 'GET' || !path.startsWith(paths.companies)) return undefined;
      reads += 1;
      return reads > 1 ? { status: 500 } : undefined;
    };
    const change = { id: ids.cooperative, input: { city: 'Kumasi' }, if_updated_on: '2020-01-01T00:00:00Z' };
    const answer = await gateway.query(pushDocument('... on Company { id updated_on }'), {
      writes: [
        { key: `${key}-1`, write: { updateCompany: change } },
        { key: `${key}-2`, write: { createEntityCard: { entity: ids.cooperative, card: { card_id: key } } } },
      ],
    });

    expect(statusesOf(answer)).toEqual(['REFUSED', 'DONE']);
    expect(resultsOf(answer)[0].object).toMatchObject({ id: ids.cooperative, updated_on: null });
    expect(answer.errors).toMatchObject([{ path: ['push', 0, 'object'], extensions: { code: 'UPSTREAM_ERROR' } }]);
  });

  test('shows no state of an assignment that ends in the same push, and that of the last one', async () => {
    const key = randomUUID();
    const give = (n: number, entity: string): PushedWrite => ({
      key: `${key}-${n}`,
      write: { createEntityCard: { entity, card: { card_id: key } } },
    });
    const document = pushDocument('... on EntityCard { is_active updated_on created_on card { card_id } }');
    const answer = await gateway.query(document, { writes: [give(1, ids.farmer), give(2, ids.cooperative)] });
    const [first, last] = resultsOf(answer).map(({ object }: Answer['data']) => object);

    expect(answer.errors).toEqual([]);
    expect(first).toMatchObject({ is_active: null, updated_on: null, created_on: expect.any(String) });
    expect(first.card).toEqual({ card_id: key });
    expect(last).toMatchObject({ is_active: true, updated_on: last.created_on });
  });

  test('shows the member that a later write gives a new company', async () => {
    const key = randomUUID();
    const user = { first_name: 'Efua', email: `${key}@sankofa.example` };
    const answer = await gateway.query(pushDocument('... on Company { member_ids }'), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key } } },
        { key: `${key}-2`, write: { createCompanyMember: { company: '$c', user } } },
      ],
    });

    expect(statusesOf(answer)).toEqual(['DONE', 'DONE']);
    expect(resultsOf(answer)[0].object.member_ids).toHaveLength(1);
  });

  test('shows a new company as later updates leave it, without a read', async () => {
    const key = randomUUID();
    const shown = '... on Company { name city description }';
    const answer = await gateway.query(pushDocument(shown), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key, city: 'Accra' } } },
        updateCompany(`${key}-2`, '$c', { city: 'Kumasi' }),
        updateCompany(`${key}-3`, '$c', { description: 'New' }),
      ],
    });
    const company = { __typename: 'Company', name: key, city: 'Kumasi', description: 'New' };

    expect(resultsOf(answer).map(({ object }: Answer['data']) => object)).toEqual([company, company, company]);
    expect(gateway.upstream.calls).toHaveLength(3);
  });

  test('shows a new company as a later update leaves it whose answer lacks the change', async () => {
    const key = randomUUID();
    gateway.upstream.respond = ({ method }) =>
      method === 'PATCH' ? { edit: (answer) => void delete answer.city } : undefined;
    const answer = await gateway.query(pushDocument('... on Company { city description }'), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key, city: 'Accra' } } },
        updateCompany(`${key}-2`, '$c', { city: 'Kumasi' }),
        updateCompany(`${key}-3`, '$c', { description: 'New' }),
      ],
    });
    const company = { __typename: 'Company', city: 'Kumasi', description: 'New' };

    expect(resultsOf(answer).map(({ object }: Answer['data']) => object)).toEqual([company, company, company]);
  });

  test('shows a new company as a later update without an answer has left it', async () => {
    const key = randomUUID();
    gateway.upstream.respond = async ({ method, path, body }) => {
      if (method !== 'PATCH') return undefined;
      await makeUnanswered(method, path, body);
      return { breaks: true };
    };
    const answer = await gateway.query(pushDocument('... on Company { id city }'), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key, city: 'Accra' } } },
        updateCompany(`${key}-2`, '$c', { city: 'Kumasi' }),
      ],
    });
    const [{ object: company }] = resultsOf(answer);

    expect(statusesOf(answer)).toEqual(['DONE', 'UNKNOWN']);
    expect(company.city).toBe('Kumasi');
    expect(gateway.upstream.calls.slice(2)).toEqual([`GET ${paths.companies}${company.id}/`]);
  });

  test('shows the card of a new farmer also where the assignment has the same id', async () => {
    const key = randomUUID();
    let id: string | undefined;
    const edit = (answer: { id: string }) => {
      id ??= answer.id;
      answer.id = id;
    };
    gateway.upstream.respond = ({ method }) => (method === 'GET' ? undefined : { edit });
    const [farmer, card] = purchaseOfNewFarmer(key);
    const answer = await gateway.query(pushDocument('... on Farmer { id card: entity_card { card { card_id } } }'), {
      writes: [farmer, card],
    });

    expect(resultsOf(answer)[0].object).toMatchObject({ id, card: { card: { card_id: `${key}-1` } } });
  });

  test('shows nothing of before an update without an answer, if the read after it fails', async () => {
    const key = randomUUID();
    gateway.upstream.respond = ({ method, path }) => {
      if (method === 'PATCH') return { breaks: true };
      return method === 'GET' && path.startsWith(paths.companies) ? { status: 500 } : undefined;
    };
    const answer = await gateway.query(pushDocument('... on Company { id city }'), {
      writes: [
        { key: `${key}-1`, ref: 'c', write: { createCompany: { name: key, city: 'Accra' } } },
        updateCompany(`${key}-2`, '$c', { city: 'Kumasi' }),
      ],
    });

    expect(resultsOf(answer)[0].object).toMatchObject({ id: expect.any(String), city: null });
    expect(answer.errors).toMatchObject([{ path: ['push', 0, 'object'], extensions: { code: 'UPSTREAM_ERROR' } }]);
  });

  test('shows the user of a new member as a later update leaves it', async () => {
    const key = randomUUID();
    const user = { first_name: 'Efua', address: 'Accra', email: `${key}@sankofa.example` };
    const shown = '... on CompanyMember { user { first_name address } } ... on User { address }';
    const answer = await gateway.query(pushDocument(shown), {
      writes: [
        { key: `${key}-1`, ref: 'm', write: { createCompanyMember: { company: ids.cooperative, user } } },
        { key: `${key}-2`, write: { updateUser: { id: '$m', input: { address: 'Kumasi' } } } },
      ],
    });

    expect(statusesOf(answer)).toEqual(['DONE', 'DONE']);
    expect(resultsOf(answer)[0].object.user).toEqual({ first_name: 'Efua', address: 'Kumasi' });
    expect(gateway.upstream.calls).toHaveLength(2);
  });

  test('shows the time of the last change of a farmer who gets a card, by one read', async () => {
    const key = randomUUID();
    const answer = await gateway.query(pushDocument('... on Farmer { id created_on updated_on }'), {
      writes: [
        createFarmer(`${key}-1`, {}, 'f'),
        { key: `${key}-2`, write: { createEntityCard: { entity: '$f', card: { card_id: key } } } },
      ],
    });
    const [{ object: farmer }] = resultsOf(answer);
    expect(gateway.upstream.calls.slice(2)).toEqual([`GET ${paths.farmers}${farmer.id}/`]);
    const { data } = await gateway.query('query ($id: ID!) { farmer(id: $id) { id created_on updated_on } }', farmer);

    expect(farmer).toEqual({ __typename: 'Farmer', ...data.farmer });
  });

  test('shows nothing that another field of the mutation has read before the writes', async () => {
    const document = `mutation ($writes: [WriteInput!]!) {
      createFarmer(input: { first_name: "First" }) { buyer { description } }
      push(writes: $writes) { object { ... on Farmer { buyer { description } } } }
    }`;
    const key = randomUUID();
    const writes = [createFarmer(`${key}-1`), updateCompany(`${key}-2`, ids.cooperative, { description: key })];
    const { data } = await gateway.query(document, { writes });

    expect(data.createFarmer.buyer.description).not.toBe(key);
    expect(data.push[0].object.buyer.description).toBe(key);
  });

  test('puts the error of a reference at its place, and gives its id', async () => {
    gateway.upstream.fail(`${paths.companies}${ids.cooperative}/`, { status: 500 });
    const document = pushDocument('... on Farmer { id buyer_id buyer { name } }');
    const answer = await gateway.query(document, { writes: [createFarmer(randomUUID())] });

    expect(resultsOf(answer)[0]).toMatchObject({ status: 'DONE', object: { buyer_id: ids.cooperative, buyer: null } });
    expect(answer.errors).toMatchObject([
      { path: ['push', 0, 'object', 'buyer'], extensions: { code: 'UPSTREAM_ERROR' } },
    ]);
  });

  test('stands beside other fields of a mutation, of which none writes if one is refused', async () => {
    const both = (name: string) => `mutation ($writes: [WriteInput!]!) {
      createFarmer(input: { first_name: "${name}" }) { first_name } push(writes: $writes) { status } }`;
    const writes = [createFarmer(randomUUID())];
    const refused = await gateway.query(both('x'.repeat(101)), { writes });
    const calls = [...gateway.upstream.calls];
    const made = await gateway.query(both('Beside'), { writes });

    expect([refused.data, codesOf(refused), calls]).toEqual([null, ['BAD_USER_INPUT'], []]);
    expect(made.data).toEqual({ createFarmer: { first_name: 'Beside' }, push: [{ status: 'DONE' }] });
  });
});
