import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts';
import { fullBody } from '../support/full-body.ts';
import { type Gateway, startGateway } from '../support/harness.ts';
import { fieldsLeftOut, get, knownIds, lastBody, type WorldIds } from '../support/rest.ts';

let gateway: Gateway;
let ids: WorldIds;

beforeAll(async () => {
  gateway = await startGateway();
  ids = await knownIds(gateway.sandbox);
});
afterAll(() => gateway.close());

const createCompany = (selection: string) =>
  `mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { ${selection} } }`;
const updateCompany = (selection: string) =>
  `mutation ($id: ID!, $input: UpdateCompanyInput!) { updateCompany(id: $id, input: $input) { ${selection} } }`;
const companyPath = (id: string) => `/supply-chains/companies/${id}/`;

const everything = `
  id name image description phone email house_name street city sub_province province country zipcode latitude longitude
  buy_enabled sell_enabled quality_correction allow_multiple_login currency_id buyer_id entity_card_id member_ids
  product_ids creator_id updater_id created_on updated_on`;

/** A company as `everything` shows it, made from the answer to its GET. */
async function stored(id: string) {
  const {
    currency,
    buyer,
    entity_card,
    members,
    products,
    creator,
    updater,
    forms: _forms,
    field_visibilties: _visibilities,
    owned_premiums: _premiums,
    ...plain
  } = await get(gateway.sandbox, companyPath(id));
  return {
    ...plain,
    currency_id: currency?.id ?? null,
    buyer_id: buyer?.id ?? null,
    entity_card_id: entity_card?.id ?? null,
    member_ids: members,
    product_ids: products,
    creator_id: creator,
    updater_id: updater,
  };
}

test('createCompany stores every field as sent, and returns it as stored', async () => {
  const input = fullBody('CompanyWrite', ids);
  expect(fieldsLeftOut('CreateCompanyInput', input)).toEqual([]);

  const { data, errors, calls } = await gateway.query(createCompany(everything), { input });

  expect(errors).toEqual([]);
  expect(calls).toEqual(['POST /supply-chains/companies/']);
  expect(data.createCompany).toEqual(await stored(data.createCompany.id));
  const { id: _proposed, created_on: _time, currency, buyer, entity_card, creator, updater, ...plain } = input;
  expect(data.createCompany).toMatchObject({
    ...plain,
    created_on: '2024-02-29T08:30:00.000000Z',
    currency_id: currency,
    buyer_id: buyer,
    entity_card_id: entity_card,
    creator_id: creator,
    updater_id: updater,
  });
});

test('createCompany takes a name alone', async () => {
  const { data, calls } = await gateway.query(createCompany(everything), { input: { name: 'Kuapa' } });

  expect(calls).toEqual(['POST /supply-chains/companies/']);
  expect(lastBody(gateway.sandbox)).toStrictEqual({ name: 'Kuapa' });
  expect(data.createCompany).toEqual(await stored(data.createCompany.id));
});

test('createCompany reads the new company for fields that the answer lacks', async () => {
  const input = { name: 'Kuapa', currency: ids.currency, buyer: ids.buyer };
  const { data, errors, calls } = await gateway.query(
    createCompany('id currency { code } buyer { name } forms { id } owned_premiums'),
    { input },
  );

  expect(errors).toEqual([]);
  const { id } = data.createCompany;
  expect(data.createCompany).toEqual({
    id,
    currency: { code: 'USD' },
    buyer: { name: 'Noordzee Koffie & Cacao B.V.' },
    forms: [],
    owned_premiums: [],
  });
  expect(calls).toEqual(['POST /supply-chains/companies/', `GET ${companyPath(id)}`]);
});

test('createCompany makes no call for references of which only ids are selected', async () => {
  const input = { name: 'Kuapa', currency: ids.currency, buyer: ids.buyer };
  const { data, calls } = await gateway.query(createCompany('currency { id } buyer { id __typename } creator { id }'), {
    input,
  });
  expect(data.createCompany).toEqual({
    currency: { id: ids.currency },
    buyer: { id: ids.buyer, __typename: 'Company' },
    creator: { id: ids.user },
  });
  expect(calls).toEqual(['POST /supply-chains/companies/']);
});

describe('updateCompany', () => {
  test('stores every field as sent, and returns it as stored', async () => {
    const { data: created } = await gateway.query(createCompany('id'), { input: { name: 'Kuapa' } });
    const { id } = created.createCompany;
    const { id: _proposed, ...input } = fullBody('CompanyWrite', ids);
    expect(fieldsLeftOut('UpdateCompanyInput', input)).toEqual([]);

    const { data, errors, calls } = await gateway.query(updateCompany(everything), { id, input });

    expect(errors).toEqual([]);
    expect(calls).toEqual([`PATCH ${companyPath(id)}`]);
    expect(lastBody(gateway.sandbox)).toStrictEqual(input);
    expect(data.updateCompany).toEqual(await stored(id));
    const { created_on: _time, currency, buyer, entity_card, creator, updater, ...plain } = input;
    expect(data.updateCompany).toMatchObject({
      ...plain,
      currency_id: currency,
      buyer_id: buyer,
      entity_card_id: entity_card,
      creator_id: creator,
      updater_id: updater,
    });
  });

  test('changes the sent field alone', async () => {
    const before = await stored(ids.company);
    const { data } = await gateway.query(updateCompany(everything), { id: ids.company, input: { zipcode: 'AK-1' } });

    expect(lastBody(gateway.sandbox)).toStrictEqual({ zipcode: 'AK-1' });
    const { updated_on } = data.updateCompany;
    expect(updated_on).not.toBe(before.updated_on);
    expect(data.updateCompany).toEqual({ ...before, zipcode: 'AK-1', updated_on });
  });

  test('refuses an input without a field, which would change the time of the company alone', async () => {
    const document = `mutation ($id: ID!, $seen: DateTime) {
      updateCompany(id: $id, input: {}, if_updated_on: $seen) { id }
      createFarmer(input: { first_name: "Efua" }) { id }
    }`;
    for (const seen of [undefined, '2026-01-05T10:00:00Z']) {
      const { errors, calls } = await gateway.query(document, { id: ids.company, seen });
      expect(errors).toMatchObject([
        { extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input'], message: 'Give a field to change.' }] } },
      ]);
      expect(calls).toEqual([]);
    }
  });

  test('sends null as null', async () => {
    const input = { buyer: null, entity_card: null };
    const { data } = await gateway.query(updateCompany('buyer { name } buyer_id entity_card_id'), {
      id: ids.company,
      input,
    });
    expect(lastBody(gateway.sandbox)).toStrictEqual(input);
    expect(data.updateCompany).toEqual({ buyer: null, buyer_id: null, entity_card_id: null });
    await gateway.query(updateCompany('id'), { id: ids.company, input: { buyer: ids.buyer } });
  });

  test('returns the new currency whole, though the service answers its id', async () => {
    const { data, calls } = await gateway.query(updateCompany('currency { code name } currency_id'), {
      id: ids.company,
      input: { currency: ids.otherCurrency },
    });
    expect(data.updateCompany).toEqual({ currency: { code: 'EUR', name: 'Euro' }, currency_id: ids.otherCurrency });
    expect(calls).toEqual([`PATCH ${companyPath(ids.company)}`, `GET ${companyPath(ids.company)}`]);
  });

  test('answers NOT_FOUND for an unknown company', async () => {
    const { data, errors, calls } = await gateway.query(updateCompany('id'), {
      id: 'NOSUCHIDXX',
      input: { city: 'Wa' },
    });
    expect(data).toEqual({ updateCompany: null });
    expect(errors).toMatchObject([{ path: ['updateCompany'], extensions: { code: 'NOT_FOUND', retryable: false } }]);
    expect(calls).toEqual([`PATCH ${companyPath('NOSUCHIDXX')}`]);
  });
});

test('an operation runs its mutations in order, each with reads of its own', async () => {
  const document = `mutation ($buyer: ID!) {
    first: createCompany(input: { name: "One", buyer: $buyer }) { id buyer { phone } }
    second: updateCompany(id: $buyer, input: { phone: "+31 20 555 9999" }) { phone }
    third: createCompany(input: { name: "Two", buyer: $buyer }) { id buyer { phone } }
  }`;
  const { data, errors, calls } = await gateway.query(document, { buyer: ids.buyer });

  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    first: { buyer: { phone: '+31 20 555 0100' } },
    second: { phone: '+31 20 555 9999' },
    third: { buyer: { phone: '+31 20 555 9999' } },
  });
  expect(calls).toEqual([
    'POST /supply-chains/companies/',
    `GET ${companyPath(ids.buyer)}`,
    `PATCH ${companyPath(ids.buyer)}`,
    'POST /supply-chains/companies/',
    `GET ${companyPath(ids.buyer)}`,
  ]);
});

test('an operation runs the mutations after one that fails', async () => {
  const document = `mutation ($id: ID!) {
    bad: updateCompany(id: "NOSUCHIDXX", input: { name: "A" }) { id }
    good: updateCompany(id: $id, input: { house_name: "Still standing" }) { house_name }
  }`;
  const { data, errors } = await gateway.query(document, { id: ids.company });
  expect(data).toEqual({ bad: null, good: { house_name: 'Still standing' } });
  expect(errors).toMatchObject([{ path: ['bad'], extensions: { code: 'NOT_FOUND' } }]);
});

describe('createCompany, before a service that fails', () => {
  let proxy: FakeUpstream;
  let behindProxy: Gateway;
  beforeAll(async () => {
    proxy = await startFakeUpstream({ target: gateway.sandbox.url });
    behindProxy = await startGateway({ upstreamUrl: proxy.url });
  });
  beforeEach(() => {
    proxy.requests.length = 0;
    proxy.respond = ({ method }) => (method === 'GET' ? { status: 503, body: '{"detail":"Later."}' } : undefined);
  });
  afterAll(async () => {
    await behindProxy.close();
    await proxy.close();
  });

  test('returns the answer of the write with an error when the read after it fails', async () => {
    const input = { name: 'Kuapa', currency: ids.currency };
    const { status, data, errors } = await behindProxy.query(createCompany('id name forms { id } currency_id'), {
      input,
    });

    expect(status).toBe(200);
    const { id } = data.createCompany;
    expect(data.createCompany).toEqual({ id, name: 'Kuapa', forms: null, currency_id: ids.currency });
    expect(errors).toMatchObject([
      { path: ['createCompany'], extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true, upstream_status: 503 } },
    ]);
    expect(proxy.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /supply-chains/companies/',
      `GET ${companyPath(id)}`,
    ]);
    expect((await get(gateway.sandbox, companyPath(id))).name).toBe('Kuapa');
  });

  test('returns a reference that cannot be read as null, with an error of its own', async () => {
    const input = { name: 'Kuapa', buyer: ids.buyer };
    const { data, errors } = await behindProxy.query(createCompany('name buyer { name } buyer_id'), { input });
    expect(data.createCompany).toEqual({ name: 'Kuapa', buyer: null, buyer_id: ids.buyer });
    expect(errors).toMatchObject([
      {
        path: ['createCompany', 'buyer'],
        extensions: { code: 'UPSTREAM_UNAVAILABLE', reference: { type: 'Company', id: ids.buyer } },
      },
    ]);
  });

  test('answers OUTCOME_UNKNOWN to a write without an answer, and does not repeat it', async () => {
    proxy.respond = () => ({ breaks: true });
    const { status, data, errors } = await behindProxy.query(createCompany('id'), { input: { name: 'Kuapa' } });
    expect({ status, data }).toEqual({ status: 200, data: { createCompany: null } });
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN', retryable: false } }]);
    expect(proxy.requests).toHaveLength(1);
  });

  test.each(['{}', '{"id":null}', '{"id":7}'])(
    'answers UPSTREAM_INVALID_RESPONSE for a body without an id (%s), and reads nothing',
    async (body) => {
      proxy.respond = () => ({ status: 201, body });
      const { data, errors } = await behindProxy.query(createCompany('id'), { input: { name: 'Kuapa' } });
      expect(data).toEqual({ createCompany: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', retryable: false } }]);
      expect(proxy.requests).toHaveLength(1);
    },
  );

  test.each(['', '<h1>Welcome</h1>', '{"id":"7E', '[]', '{"success":true,"data":null}'])(
    'answers OUTCOME_UNKNOWN to a write that the service takes and answers with %j',
    async (body) => {
      proxy.respond = () => ({ status: 201, body });
      const { data, errors } = await behindProxy.query(createCompany('id'), { input: { name: 'Kuapa' } });
      expect(data).toEqual({ createCompany: null });
      expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN', upstream_status: 201 } }]);
    },
  );

  test('shows nothing of a page of HTML', async () => {
    proxy.respond = () => ({ status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Secret trace</h1>' });
    const { errors } = await behindProxy.query(createCompany('id'), { input: { name: 'Kuapa' } });
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN', upstream_status: 500 } }]);
    expect(JSON.stringify(errors)).not.toContain('Secret');
  });
});
