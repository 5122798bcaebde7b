import relay, { type GraphQLResponse } from 'relay-runtime';
import { headers, ids, url } from './gateway.ts';
import purchaseQuery, { type typesPurchaseQuery } from './relay/__generated__/typesPurchaseQuery.graphql.ts';

// relay-runtime is CommonJS: Node gives its names through the default export.
const { Environment, fetchQuery, Network, RecordSource, Store } = relay;

const environment = new Environment({
  network: Network.create(async ({ text }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
      body: JSON.stringify({ query: text, variables }),
    });
    const answer = (await response.json()) as GraphQLResponse & { errors?: { extensions: { code: string } }[] };
    // This error stands for a whole answer, whose nulls have no errors of their own.
    if (answer.errors?.some(({ extensions }) => extensions.code === 'QUERY_TOO_COMPLEX')) throw new Error('Too large.');
    return answer;
  }),
  store: new Store(new RecordSource()),
});

/** No `?.` on the way to a value that the schema promises. */
async function read(id: string): Promise<string> {
  const answer = await fetchQuery<typesPurchaseQuery>(environment, purchaseQuery, { id }).toPromise();
  if (!answer) throw new Error('Relay gave no data.');
  const { amount, currency, source } = answer.productTransaction;
  return `${amount} ${currency.code} from ${source.name ?? 'unknown'}`;
}

const missing = await read(ids.none).catch((error: Error) => error.message);

console.log(JSON.stringify({ purchase: await read(ids.purchase), missing }));
