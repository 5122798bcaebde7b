import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import gatewayPackage from '../../../package.json' with { type: 'json' };
import { type Client, clientOf, type RequestOptions } from '../../../test/support/client.ts';
import { type FakedGateway, startFakedGateway } from '../../../test/support/harness.ts';
import ownPackage from './package.json' with { type: 'json' };
import { deliveries, ratings } from './ratings.ts';

const names = ['@apollo/gateway', 'Hive Gateway'] as const;
type Router = (typeof names)[number];
const reason = existsSync(new URL('node_modules', import.meta.url))
  ? ''
  : ' (not installed: "npm ci" in packages/federation/test)';

/** Operations of one subgraph, of all kinds. */
const operations = [
  '{ farmers(limit: 5) { count results { name buyer { name } creator { first_name } } pageInfo { endCursor } } }',
  '{ one: products(limit: 2) { edges { node { name } } } two: products(limit: 3) { results { id } } serverTime: __typename }',
  'fragment Party on Entity { __typename name ... on Company { email } } { productTransactions(limit: 9) { results { source { ...Party } product { name } verification_latitude } } }',
  'query ($all: Boolean = false) { currencies(limit: 2) { results { code name @include(if: $all) } } }',
  '{ entity(id: "J7VY4SD9HV") { __typename ... on Company { members { email } } } }',
];

const twoWrites = `mutation {
  a: createFarmer(input: { first_name: "Ama" }) { name }
  b: createFarmer(input: { first_name: "Ben" }) { name }
}`;

describe.skipIf(reason)(`behind a router${reason}`, () => {
  let gateway: FakedGateway;
  let farmers: string[];
  let clients: Record<Router, Client>;
  const started: { close(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    const { compose, startApolloGateway, startHiveGateway, startSubgraph } = await import('./routers.js');
    const start = async <T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
      const each = await starting;
      started.push(each);
      return each;
    };
    gateway = await start(startFakedGateway({ FEDERATION: 'true' }));
    const { data } = await gateway.query('{ farmers(limit: 3) { results { id } } _service { sdl } }');
    farmers = data.farmers.results.map(({ id }: { id: string }) => id);
    const supergraph = compose([
      { name: 'traceability', url: gateway.url, sdl: data._service.sdl },
      await start(startSubgraph('ratings', ratings.sdl, ratings.resolvers)),
      await start(startSubgraph('deliveries', deliveries.sdl, deliveries.resolvers)),
    ]);
    const apollo = await start(startApolloGateway(supergraph));
    const hive = await start(startHiveGateway(supergraph, { planner: 'router' }));
    clients = { '@apollo/gateway': clientOf(apollo.url), 'Hive Gateway': clientOf(hive.url) };
  });
  afterAll(async () => {
    for (const each of started.toReversed()) await each.close();
  });

  /** The answer of a router, and the calls of the service that it cost. */
  async function ask(router: Router, body: string | object, options: RequestOptions = {}) {
    gateway.upstream.clear();
    const headers = { accept: 'application/json', ...options.headers };
    const { status, body: answer } = await clients[router].ask(body, { ...options, headers });
    return { status, ...answer, calls: [...gateway.upstream.calls] };
  }

  describe.each(names)('%s', (router) => {
    test.each(operations)('gives the answer of the gateway, for the same calls, to %s', async (document) => {
      await gateway.query(document);
      const { data, errors, calls } = await gateway.query(document);
      expect(errors).toEqual([]);
      const routed = await ask(router, document);
      expect(routed.data).toEqual(data);
      expect(routed.calls.toSorted()).toEqual(calls.toSorted());
    });

    test('adds fields of another subgraph to objects of the gateway', async () => {
      const { data, errors } = await ask(
        router,
        '{ farmers(limit: 2) { results { name rating deliveries } } productTransactions(limit: 1) { results { quality product { popularity } } } }',
      );
      expect(errors).toBeUndefined();
      const farmer = { name: expect.any(String), rating: 4.5, deliveries: 2 };
      expect(data.farmers.results).toEqual([farmer, farmer]);
      expect(data.productTransactions.results).toEqual([{ quality: 'good', product: { popularity: 3 } }]);
    });

    test('adds fields of the gateway to objects of another subgraph, in one batch', async () => {
      const { data, errors, calls } = await ask(router, {
        query: 'query ($ids: [ID!]!) { rated(ids: $ids) { rating name buyer { name } } }',
        variables: { ids: [...farmers, ...farmers] },
      });
      expect(errors).toBeUndefined();
      expect(data.rated).toHaveLength(6);
      expect(data.rated[5]).toEqual({ rating: 4.5, name: expect.any(String), buyer: { name: expect.any(String) } });
      expect(calls.toSorted()).toEqual(
        [...farmers.map((id) => `farmers/${id}`), 'companies/J7VY4SD9HV']
          .map((path) => `GET /supply-chains/${path}/`)
          .toSorted(),
      );
    });

    test('finds the kind of an object that another subgraph knows as an Entity', async () => {
      const { data, errors } = await ask(router, {
        query: 'query ($ids: [ID!]!) { receivers(ids: $ids) { __typename deliveries name } }',
        variables: { ids: ['J7VY4SD9HV', farmers[0]] },
      });
      expect(errors).toBeUndefined();
      const receiver = { deliveries: 2, name: expect.any(String) };
      expect(data.receivers).toEqual([
        { __typename: 'Company', ...receiver },
        { __typename: 'Farmer', ...receiver },
      ]);
    });

    test('gives the errors of the gateway beside the data', async () => {
      const { data, errors } = await ask(router, '{ farmer(id: "absent") { name } currencies(limit: 1) { count } }');
      expect(data).toEqual({ farmer: null, currencies: { count: expect.any(Number) } });
      expect(errors).toMatchObject([
        {
          path: ['farmer'],
          extensions: { code: 'NOT_FOUND', reference: { type: 'Farmer', id: 'absent' }, upstream_status: 404 },
        },
      ]);
    });

    test('gives the error of one representation beside the others', async () => {
      const { data, errors } = await ask(router, '{ sold(ids: ["absent"]) { popularity name } }');
      expect(data.sold).toEqual([{ popularity: 3, name: null }]);
      expect(errors).toMatchObject([
        {
          path: ['sold', 0],
          extensions: { code: 'REFERENCE_UNRESOLVED', reference: { type: 'Product', id: 'absent' } },
        },
      ]);
    });

    test('gives the refusal of an operation beyond the limits', async () => {
      const { errors, calls } = await ask(
        router,
        '{ productTransactions(limit: 1000) { results { children(limit: 1000) { results { id } } } } }',
      );
      expect(errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
      expect(calls).toEqual([]);
    });

    test('gives the wrong fields of a write', async () => {
      const { errors, calls } = await ask(router, 'mutation { createFarmer(input: { first_name: "" }) { id } }');
      expect(errors).toMatchObject([
        { path: ['createFarmer'], extensions: { code: 'BAD_USER_INPUT', fields: [{ path: ['input', 'first_name'] }] } },
      ]);
      expect(calls).toEqual([]);
    });

    test('makes a write once under its Idempotency-Key', async () => {
      const document = 'mutation { createFarmer(input: { first_name: "Ama" }) { id name rating } }';
      const options = { headers: { 'idempotency-key': `once ${router}` } };
      const first = await ask(router, document, options);
      expect(first.data.createFarmer).toMatchObject({ name: 'Ama', rating: 4.5 });
      expect(first.calls).toEqual(['POST /supply-chains/farmers/']);
      const again = await ask(router, document, options);
      expect(again.data).toEqual(first.data);
      expect(again.calls).toEqual([]);
    });

    test('makes two writes of one mutation under one Idempotency-Key', async () => {
      const { data, errors } = await ask(router, twoWrites, { headers: { 'idempotency-key': `both ${router}` } });
      expect(errors).toBeUndefined();
      expect(data).toEqual({ a: { name: 'Ama' }, b: { name: 'Ben' } });
    });

    test('makes the writes of a push once', async () => {
      const document = `mutation { push(writes: [
        { key: "${router} 1", ref: "ama", write: { createFarmer: { first_name: "Ama" } } }
        { key: "${router} 2", write: { createFarmer: { first_name: "Ben" } } }
      ]) { status object { ... on Farmer { name } } } }`;
      const { data } = await ask(router, document);
      expect(data.push.map(({ status }: { status: string }) => status)).toEqual(['DONE', 'DONE']);
      const again = await ask(router, document);
      expect(again.data.push.map(({ status }: { status: string }) => status)).toEqual(['REPLAYED', 'REPLAYED']);
    });

    test('passes the key and the trace of its client on to the service', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await ask(router, '{ farmers(limit: 1) { count } }', { key: 'demo-buyer', headers: { traceparent } });
      const [request] = gateway.upstream.requests;
      expect(request?.headers).toMatchObject({ authorization: 'demo-buyer' });
      expect(request?.headers.traceparent).toContain('0af7651916cd43dd8448eb211c80319c');
      const { errors } = await ask(router, '{ farmers(limit: 1) { count } }', { key: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    });
  });
});

test('the packages of the routers share the graphql of the gateway', () => {
  expect(ownPackage.devDependencies.graphql).toBe(gatewayPackage.dependencies.graphql);
  expect(ownPackage.devDependencies['@apollo/server']).toBe(gatewayPackage.dependencies['@apollo/server']);
});
