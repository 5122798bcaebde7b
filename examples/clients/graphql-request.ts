import { ClientError, GraphQLClient } from 'graphql-request';
import { type CreateFarmer, createFarmer, type FarmersPage, farmersPage } from './documents.ts';
import { headers, url } from './gateway.ts';

const client = new GraphQLClient(url, { headers });

const names: (string | null)[] = [];
for (let after: string | null = null, page = 1; page <= 2; page++) {
  const { farmers }: FarmersPage = await client.request(farmersPage, { first: 2, after });
  names.push(...(farmers?.edges.map(({ node }) => node.name) ?? []));
  after = farmers?.pageInfo.endCursor ?? null;
}

// The program sends the mutation twice, as after a lost connection; the write happens once.
const once = { 'idempotency-key': crypto.randomUUID() };
const input = { first_name: 'Esi', province: 'Ashanti', country: 'Ghana' };
const first = await client.request<CreateFarmer>(createFarmer, { input }, once);
const again = await client.request<CreateFarmer>(createFarmer, { input }, once);

const refused = await client.request(createFarmer, { input: { first_name: '' } }).catch((error: unknown) => error);

console.log(
  JSON.stringify({
    names,
    created: first.createFarmer?.name,
    createdOnce: first.createFarmer?.id === again.createFarmer?.id,
    refused: refused instanceof ClientError && refused.response.errors?.map(({ extensions }) => extensions.code),
  }),
);
