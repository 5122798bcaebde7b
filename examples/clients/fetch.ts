import { type CreateFarmer, createFarmer, type FarmersPage, farmersPage } from './documents.ts';
import { headers, url } from './gateway.ts';

interface Answer<Data> {
  data?: Data;
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string; retryable: boolean } }[];
}

async function ask<Data>(query: string, variables: object, more: Record<string, string> = {}): Promise<Answer<Data>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      accept: 'application/graphql-response+json',
      ...headers,
      ...more,
    },
    body: await gzip(JSON.stringify({ query, variables })),
  });
  // The body says what is wrong, whatever the status.
  return response.json();
}

function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

const names: (string | null)[] = [];
for (let after: string | null = null, page = 1; page <= 2; page++) {
  const answer: Answer<FarmersPage> = await ask(farmersPage, { first: 2, after });
  const farmers = answer.data?.farmers;
  names.push(...(farmers?.edges.map(({ node }) => node.name) ?? []));
  after = farmers?.pageInfo.endCursor ?? null;
}

// The program sends the mutation twice, as after a lost connection; the write happens once.
const once = { 'idempotency-key': crypto.randomUUID() };
const input = { first_name: 'Esi', province: 'Ashanti', country: 'Ghana' };
const first = await ask<CreateFarmer>(createFarmer, { input }, once);
const again = await ask<CreateFarmer>(createFarmer, { input }, once);

const refused = await ask<CreateFarmer>(createFarmer, { input: { first_name: '' } });

console.log(
  JSON.stringify({
    names,
    created: first.data?.createFarmer?.name,
    createdOnce: first.data?.createFarmer != null && first.data.createFarmer.id === again.data?.createFarmer?.id,
    refused: refused.errors?.map(({ extensions }) => extensions.code),
  }),
);
