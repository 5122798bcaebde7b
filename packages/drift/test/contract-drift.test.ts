import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceContract } from '../../../src/service-contract.ts';
import { startConnectGateway } from '../../../test/support/connect-gateway.ts';
import { type FakedGateway, startFakedGateway } from '../../../test/support/harness.ts';
import { type Json, knownIds } from '../../../test/support/rest.ts';
import { scrapeDrift } from '../../../test/support/scrape.ts';
import { Dialect } from '../../upstream/dialect.ts';
import { ContractDrift } from '../contract-drift.ts';

describe('contract drift of a service', () => {
  let gateway: FakedGateway;
  const drift = () => scrapeDrift(gateway.url);
  /** The drift that a scrape shows beyond the scrape before. */
  const newDrift = async (ask: () => Promise<unknown>) => {
    const before = await drift();
    await ask();
    return Object.fromEntries(Object.entries(await drift()).filter(([key, count]) => count !== before[key]));
  };
  beforeAll(async () => {
    gateway = await startFakedGateway();
  });
  afterAll(() => gateway.close());

  test('is none if the answers keep the contract, and costs no calls', async () => {
    const { company, user, farmer } = await knownIds(gateway.sandbox);
    const before = await drift();
    const { errors, calls } = await gateway.queryFailing(
      `query ($company: ID!, $user: ID!, $farmer: ID!) {
        farmers { results { id } } entityCards { results { id } } products { results { id } } cards { results { id } }
        currencies { results { id } } productTransactions { results { number } } paymentTransactions { results { id } }
        company(id: $company) { name } user(id: $user) { email } farmer(id: $farmer) { gender }
      }`,
      { company, user, farmer },
    );
    expect(errors).toEqual([]);
    expect(calls).toHaveLength(10);
    await gateway.query('mutation { createPremium(input: { name: "Organic" }) { id } }');
    expect(await drift()).toEqual(before);
  });

  test('is counted by field, and leaves the answers as they are', async () => {
    const edit = ({ results: [first, second] }: Json) => {
      first.shoe_size = 43;
      delete first.city;
      first.latitude = '6.69';
      first.created_on = '1772352930';
      first.consent_status = 'ASKED';
      first.email = null;
      first.entity_card.card.colour = { deep: true };
      first.entity_card.card.display_id = 7;
      second.submission = [];
      second.city = 1;
    };
    gateway.upstream.fail('/supply-chains/farmers/', { edit });
    const seen = await newDrift(async () => {
      const { data, errors } = await gateway.queryFailing(
        '{ farmers(limit: 3) { count results { city created_on } } }',
      );
      expect(errors).toEqual([]);
      expect(data.farmers.results.slice(0, 2)).toEqual([
        { city: null, created_on: '2026-03-01T08:15:30Z' },
        { city: '1', created_on: expect.any(String) },
      ]);
    });
    gateway.upstream.recover();
    expect(seen).toEqual({
      'listFarmers results[].shoe_size unknown': 1,
      'listFarmers results[].city missing': 1,
      'listFarmers results[].city type': 1,
      'listFarmers results[].latitude type': 1,
      'listFarmers results[].created_on type': 1,
      'listFarmers results[].consent_status type': 1,
      'listFarmers results[].entity_card.card.colour unknown': 1,
      'listFarmers results[].entity_card.card.display_id type': 1,
      'listFarmers results[].submission type': 1,
    });
  });

  test('is counted once for equal bodies', async () => {
    gateway.upstream.fail('/catalogs/currencies/', {
      edit: ({ results }) => results.splice(1, 1, { id: 'A', name: [] }),
    });
    const ask = () => gateway.queryFailing('{ currencies(limit: 10) { results { id } } }');
    expect(await newDrift(ask)).toEqual({
      'listCurrencies results[].name type': 1,
      'listCurrencies results[].code missing': 1,
    });
    expect(await newDrift(ask)).toEqual({});
    gateway.upstream.recover();
  });
});

test('is none over a real deployment in its dialect', async () => {
  const { gateway, ids, query } = await startConnectGateway();
  const { errors } = await query(
    `query ($company: ID!, $user: ID!, $farmer: ID!) {
      farmers { results { id } } entityCards { results { id } } products { results { id } } cards { results { id } }
      productTransactions(limit: 100) { results { number } } paymentTransactions(limit: 100) { results { id } }
      company(id: $company) { name } user(id: $user) { email } farmer(id: $farmer) { gender }
    }`,
    ids,
  );
  expect(errors).toEqual([]);
  await query('mutation { createCompany(input: { name: "Kuapa" }) { id } }');
  await query('mutation { createPremium(input: { name: "Organic" }) { id } }');
  const drift = await scrapeDrift(gateway.url);
  await gateway.close();
  expect(drift).toEqual({});
});

test('is counted for what the dialect says of another place', async () => {
  await using gateway = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
  const edit = ({ data: { results } }: Json) => {
    results[0].created_on = '2026-03-01T08:15:30Z';
    delete results[0].date;
    results[0].premium_details.calculation_type = 'RANGE';
    results[1].premium_details.calculation_type = 'PER_BAG';
    results[1].comment = 7;
  };
  gateway.upstream.fail('/transactions/payment-transactions/', { edit });
  await gateway.query('{ paymentTransactions(limit: 5) { results { id } } }', {}, { key: 'Bearer demo-coop' });
  expect(await scrapeDrift(gateway.url)).toEqual({
    'listPaymentTransactions results[].created_on type': 1,
    'listPaymentTransactions results[].date missing': 1,
    'listPaymentTransactions results[].premium_details.calculation_type type': 1,
    'listPaymentTransactions results[].comment type': 1,
  });
});

describe('checking many answers', () => {
  const currency = { id: 'A', name: 'Euro', code: 'EUR' };
  const page = (results: object[]): Json => ({ count: 9, next: null, previous: null, results });
  const page100 = (row = currency) => page(Array(100).fill(row));
  const settled = () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'spec'));
    for (let answers = 0; answers < 10; answers += 1) drift.sample('listCurrencies', page100());
    return drift;
  };
  const seen = (drift: ContractDrift) =>
    [...drift.counts()].map(({ field, kind, seen, count }) => `${field} ${kind} ${seen} ${count}`);

  test('covers the first ones in full', () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'spec'));
    for (let answers = 0; answers < 10; answers += 1)
      drift.sample('listCurrencies', page100({ ...currency, code: 1 } as never));
    expect(seen(drift)).toEqual(['results[].code type integer 1000']);
  });

  test('takes unix seconds of any length and sign for times', () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'connect'));
    const times = ['0', '12', '-5', '-86400.5', '1772352930', 'soon', '2026-03-01'];
    for (const created_on of times) drift.examine('getFarmer', shapedAs('Farmer', { created_on }));
    expect(seen(drift).filter((line) => line.startsWith('created_on'))).toEqual(['created_on type string 2']);
  });

  test('finds a drift of all rows with the next list', () => {
    const drift = settled();
    drift.sample('listCurrencies', page(Array(20).fill({ ...currency, symbol: '€' })));
    expect(seen(drift)).toEqual(['results[].symbol unknown string 1']);
  });

  test('finds a drift of one row when that row is sampled', () => {
    const drift = settled();
    const rows = [...Array(19).fill(currency), { id: 'A', name: 'Euro' }];
    for (let answers = 0; answers < 20; answers += 1) drift.sample('listCurrencies', page(rows));
    expect(seen(drift)).toEqual(['results[].code missing absent 1']);
  });

  test('finds a drift of one object in the long run', () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'spec'));
    for (let answers = 0; answers < 32; answers += 1) drift.sample('getUser', shapedAs('User', { email: 7 }));
    expect(seen(drift)).toEqual(['email type integer 11']);
  });

  test('bounds unknown names in number and length', () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'spec'));
    const made = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`made_up_${index}`, 1]));
    drift.examine('getUser', shapedAs('User', { ['x'.repeat(5_000)]: 1, QR6XEYGEW7: 1, '+233 24 1': 1, ...made }));
    drift.examine('getUser', shapedAs('User', made));
    const counts = [...drift.counts()];
    expect(counts).toHaveLength(501);
    expect(counts[0]).toEqual({
      endpoint: 'getUser',
      field: 'x'.repeat(100),
      kind: 'unknown',
      seen: 'integer',
      count: 1,
    });
    expect(counts.at(-1)).toEqual({
      endpoint: 'getUser',
      field: 'other',
      kind: 'unknown',
      seen: 'any',
      count: 2 + 2 * 101,
    });
    expect(JSON.stringify(counts)).not.toMatch(/QR6|\+/);
  });

  test('accepts bodies of any shape without an error', () => {
    const drift = new ContractDrift(serviceContract, new Dialect(serviceContract, 'spec'));
    for (const results of [null, 'many', 7, {}, [null, 1, [[]], { id: {} }]]) {
      drift.sample('listCurrencies', { count: 1, results });
    }
    expect(seen(drift).toSorted()).toEqual([
      'next missing absent 5',
      'previous missing absent 5',
      'results type integer 1',
      'results type object 1',
      'results type string 1',
      'results[] type array 1',
      'results[] type integer 1',
      'results[].code missing absent 1',
      'results[].id type object 1',
      'results[].name missing absent 1',
    ]);
  });

  /** An object with every field of the contract, null but for those given. */
  function shapedAs(shape: string, given: Json): Json {
    return {
      ...Object.fromEntries(Object.keys(serviceContract.data.shapes[shape]!).map((field) => [field, null])),
      ...given,
    };
  }
});
