import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import {
  type FarmersPage,
  farmersPage,
  newName,
  type Purchase,
  purchase,
  rename,
  ship,
  shipment,
} from './documents.ts';
import { headers, ids, url } from './gateway.ts';

const notObjectsOfTheirOwn = ['FarmerConnection', 'FarmerEdge', 'PageInfo'];

const client = new Client({
  url,
  fetchOptions: { headers },
  // By GET, queries would need the header apollo-require-preflight.
  preferGetMethod: false,
  exchanges: [
    cacheExchange({
      keys: Object.fromEntries(notObjectsOfTheirOwn.map((type) => [type, () => null])),
      resolvers: { Query: { farmers: relayPagination() } },
      // Without an entry here, a mutation that answers with a new object drops all objects of that type.
      updates: { Mutation: { createProductTransaction: () => {} } },
    }),
    fetchExchange,
  ],
});

const page = await client.query<FarmersPage>(farmersPage, { first: 2 });
const after = page.data?.farmers?.pageInfo.endCursor;
const pages = await client.query<FarmersPage>(farmersPage, { first: 2, after });

const before = await client.query<Purchase>(purchase, { id: ids.purchase });
await client.mutation(rename, newName);
await client.mutation(ship, shipment);
const now = await client.query<Purchase>(purchase, { id: ids.purchase }, { requestPolicy: 'cache-only' });
const missing = await client.query<Purchase>(purchase, { id: ids.none });

console.log(
  JSON.stringify({
    names: pages.data?.farmers?.edges.map(({ node }) => node.name),
    before: before.data?.productTransaction,
    now: now.data?.productTransaction,
    missing: missing.error?.graphQLErrors.map(({ extensions }) => extensions.code),
  }),
);
