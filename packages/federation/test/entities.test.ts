import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { codeOf, codesOf } from '../../../test/support/client.ts';
import { type Gateway, startGateway } from '../../../test/support/harness.ts';
import type { UpstreamReport } from '../../graphiql/upstream-report.ts';
import { subgraphSdl } from '../sdl.ts';

const document = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Entity { id name }
    ...Traded
    ... on Product { creator { id } }
    ... on User { email }
  }
}
fragment Traded on Product { id name }`;

const thousand = Array.from({ length: 1_000 }, (_, index) => index);

type Representation = { __typename: string; id: string };

describe('a gateway with FEDERATION=true', () => {
  let gateway: Gateway;
  let farmers: Representation[];
  let products: Representation[];
  let company: string;
  const ask = (representations: unknown[], headers = {}) => gateway.query(document, { representations }, { headers });

  beforeAll(async () => {
    gateway = await startGateway({ settings: { FEDERATION: 'true' } });
    const { data } = await gateway.query(
      '{ farmers(limit: 20) { results { __typename id buyer { id } } } products { results { __typename id } } }',
    );
    farmers = data.farmers.results.map(({ __typename, id }: Representation) => ({ __typename, id }));
    products = data.products.results;
    company = data.farmers.results[0].buyer.id;
  });
  afterAll(() => gateway.close());

  test('gives objects in the order of their representations, whatever their types and however often', async () => {
    const [farmer, other] = farmers as [Representation, Representation];
    const [product] = products as [Representation];
    const asked = [product, farmer, { __typename: 'Company', id: company }, product, other, farmer];
    const { data, errors } = await ask(asked);
    expect(errors).toEqual([]);
    expect(data._entities).toMatchObject(asked);
    expect(data._entities[0].name).toEqual(expect.any(String));
  });

  test('reads literals, aliases and several fields of one operation', async () => {
    const [{ id }] = products as [Representation];
    const { data, errors } = await gateway.query(`{
      one: _entities(representations: [{ __typename: "Product", id: "${id}" }]) { ... on Product { label: name } }
      two: _entities(representations: [{ __typename: "Product", id: "${id}" }]) { ... on Product { id } }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({ one: [{ label: expect.any(String) }], two: [{ id }] });
  });

  test('finds the kind of an object whose representation is an Entity', async () => {
    const [{ id }] = farmers as [Representation];
    const { data, errors } = await ask([
      { __typename: 'Entity', id: company },
      { __typename: 'Entity', id },
      { __typename: 'Entity', id: 'nobody' },
    ]);
    expect(data._entities.map(({ __typename }: Representation) => __typename)).toEqual([
      'Company',
      'Farmer',
      'UnknownEntity',
    ]);
    expect(errors).toMatchObject([{ path: ['_entities', 2], extensions: { code: 'REFERENCE_NOT_FOUND' } }]);
  });

  test('loads a thousand farmers and a thousand products from one page each', async () => {
    const asked = thousand.flatMap((index) => [farmers[index % 20], products[index % products.length]]);
    const { data, errors, calls } = await ask(asked);
    expect(errors).toEqual([]);
    expect(data._entities).toMatchObject(asked);
    expect(calls.toSorted()).toEqual([
      expect.stringContaining('GET /catalogs/products/?'),
      expect.stringContaining('GET /supply-chains/farmers/?'),
    ]);
  });

  test('loads a thousand different ids of a kind without a GET by id in one batch', async () => {
    const asked = thousand.map((index) => ({ __typename: 'Product', id: `P${index}` }));
    const { data, errors, calls } = await ask([...asked, products[0]]);
    expect(calls).toHaveLength(1);
    expect(codesOf({ errors })).toEqual(thousand.map(() => 'REFERENCE_UNRESOLVED'));
    expect(data._entities.at(-1)).toMatchObject(products[0]!);
  });

  test('makes no call for objects of which a router wants the id alone', async () => {
    // The GETs of as many would be more than one operation may make.
    const users = thousand.map((index) => ({ __typename: 'User', id: `U${index}` }));
    const { data, calls } = await gateway.query(
      'query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on User { id } } }',
      { r: users },
    );
    expect(data._entities).toEqual(users);
    expect(calls).toEqual([]);
  });

  test('gives null and a coded error in place of a bad representation, and all others', async () => {
    const bad = [
      { __typename: 'Farmer', id: 'absent' },
      { __typename: 'Product', id: 'absent' },
      { __typename: 'Farmer', id: '../users' },
      { __typename: 'PremiumOption', id: 'P1' },
      { __typename: 'constructor', id: 'P1' },
      { id: 'P1' },
      { __typename: 'Farmer' },
      { __typename: 'Farmer', id: '' },
      { __typename: 'Farmer', id: 7 },
      'Farmer',
    ];
    const { data, errors } = await ask([farmers[0], ...bad, farmers[1]]);
    expect(data._entities).toMatchObject([farmers[0], ...bad.map(() => null), farmers[1]]);
    const found = new Map(errors.map(({ path, extensions }) => [path?.[1], extensions]));
    expect(bad.map((_, index) => found.get(index + 1)?.code)).toEqual([
      'REFERENCE_NOT_FOUND',
      'REFERENCE_UNRESOLVED',
      'REFERENCE_NOT_FOUND',
      ...Array(7).fill('BAD_USER_INPUT'),
    ]);
    expect(found.get(9)?.fields).toMatchObject([{ path: ['representations', 9, 'id'] }]);
  });

  test.for([
    ['bad', 'bad', 'BAD_USER_INPUT'],
    ['unknown', { __typename: 'Product', id: 'absent' }, 'UNAUTHENTICATED'],
    ['good', { __typename: 'Farmer', id: 'F1' }, 'UNAUTHENTICATED'],
  ] as const)(
    'gives a key that the service has not accepted one error for all %s representations',
    async ([name, representation, code]) => {
      const representations = Array(4_000).fill(representation);
      const { data, errors } = await gateway.query(document, { representations }, { key: `nobody ${name}` });
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ path: ['_entities'], extensions: { code } }]);
    },
  );

  test('answers other requests between the errors of many representations', async () => {
    const turns = vi.spyOn(globalThis, 'setImmediate');
    const { errors } = await ask(Array(4_000).fill('bad'));
    const pauses = turns.mock.calls.filter(([work]) => work.name === 'runNext');
    turns.mockRestore();
    expect(errors).toHaveLength(4_000);
    // An error is made, put into the answer, and worded for the client. Each takes its time.
    expect(pauses.length).toBeGreaterThan((3 * 4_000) / 300);
  });

  test('refuses more representations than the call budget has GETs, before the first call', async () => {
    const users = thousand.map((index) => ({ __typename: 'User', id: `U${index}` }));
    const { errors, calls, status } = await ask(users);
    expect({ code: codeOf({ errors }), calls, status }).toEqual({
      code: 'UPSTREAM_BUDGET_EXCEEDED',
      calls: [],
      status: 400,
    });
  });

  test('refuses representations that stand for too many objects, before the first call', async () => {
    await using small = await startGateway({
      settings: { FEDERATION: 'true' },
      file: { limits: { operations: { cost: 100 } } },
    });
    const bare = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }';
    const product = { __typename: 'Product', id: 'P1' };
    const most: [string, unknown, number][] = [
      [document, product, 50],
      [bare, product, 100],
      // An error counts as ten objects.
      [bare, 'bad', 10],
    ];
    for (const [query, representation, count] of most) {
      const askedFor = (count: number) => small.query(query, { representations: Array(count).fill(representation) });
      const { errors, calls, status } = await askedFor(count + 1);
      expect({ code: codeOf({ errors }), calls, status }).toEqual({
        code: 'QUERY_TOO_COMPLEX',
        calls: [],
        status: 400,
      });
      expect((await askedFor(count)).data._entities).toHaveLength(count);
    }
  });

  test('counts below an object what the router asks of its type alone', async () => {
    const { data, errors } = await gateway.query(
      `query ($representations: [_Any!]!) { _entities(representations: $representations) {
        ... on Product { name }
        ... on Farmer { paymentTransactions(limit: 100) { results { id } } }
      } }`,
      { representations: [...thousand.map(() => products[0]), farmers[0]] },
    );
    expect(errors).toEqual([]);
    expect(data._entities).toHaveLength(1_001);
  });

  test('refuses an answer with more objects than are allowed', async () => {
    await using small = await startGateway({
      settings: { FEDERATION: 'true' },
      file: { limits: { operations: { objects: 10 } } },
    });
    const asked = thousand.slice(0, 11).map(() => products[0]);
    const { data, errors } = await small.query(document, { representations: asked });
    expect({ data, code: codeOf({ errors }) }).toEqual({ data: null, code: 'QUERY_TOO_COMPLEX' });
  });

  test('gives no file of representations', async () => {
    const { status, calls } = await ask(products, { accept: 'text/csv' });
    expect({ status, calls }).toEqual({ status: 406, calls: [] });
  });

  test('estimates and explains the calls of representations in a trace', async () => {
    const asked = [...farmers.slice(0, 3), { __typename: 'User', id: 'absent' }, products[0]];
    const { extensions, calls } = await ask(asked, { 'x-trace-upstream': 'true' });
    const { estimate, calls: traced } = extensions!.upstream as Required<UpstreamReport>;
    expect(estimate.least).toBe(3);
    expect(calls.length).toBeGreaterThanOrEqual(estimate.least);
    expect(new Set(traced.flatMap(({ fields }) => fields))).toEqual(new Set(['_entities']));
  });

  test('gives no object without a key', async () => {
    const { errors, calls } = await gateway.query(document, { representations: farmers }, { key: null });
    expect(codesOf({ errors })).toEqual(['UNAUTHENTICATED']);
    expect(calls).toEqual([]);
  });

  test('shows without a key the SDL that npm run subgraph prints', async () => {
    const { data, calls } = await gateway.query('{ _service { sdl } }', {}, { key: null });
    expect(data._service.sdl).toBe(subgraphSdl(traceability));
    expect(calls).toEqual([]);
  });

  test('refuses the SDL many times in one answer', async () => {
    const fields = Array.from({ length: 10 }, (_, index) => `sdl${index}: sdl`);
    const { errors } = await gateway.query(`{ _service { ${fields.join(' ')} } }`, {}, { key: null });
    expect(codeOf({ errors })).toBe('QUERY_TOO_COMPLEX');
  });

  test('refuses _service with INTROSPECTION=false', async () => {
    await using closed = await startGateway({ settings: { FEDERATION: 'true', INTROSPECTION: 'false' } });
    const { errors } = await closed.query('{ _service { sdl } }');
    expect(errors[0]?.message).toContain('INTROSPECTION');
    const { data } = await closed.query(document, { representations: [products[0]] });
    expect(data._entities).toMatchObject([products[0]!]);
  });
});

test.each(['_service { sdl }', '_entities(representations: []) { __typename }'])(
  'a gateway without FEDERATION has no field %s',
  async (field) => {
    await using gateway = await startGateway();
    const { errors } = await gateway.query(`{ ${field} }`);
    expect(codeOf({ errors })).toBe('GRAPHQL_VALIDATION_FAILED');
  },
);
