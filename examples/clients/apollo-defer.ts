import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { lateBuyers } from './documents.ts';
import { headers, url } from './gateway.ts';

const client = new ApolloClient({
  link: new HttpLink({ uri: url, headers }),
  cache: new InMemoryCache(),
  incrementalHandler: new GraphQL17Alpha9Handler(),
});

const shown: unknown[] = [];
const query = client.watchQuery({ query: gql(lateBuyers) });
await new Promise<void>((resolve, reject) => {
  query.subscribe({
    next({ data, dataState, error }) {
      if (error) reject(error);
      if (data) shown.push(structuredClone(data));
      if (dataState === 'complete') resolve();
    },
  });
});
console.log(JSON.stringify(shown));
client.stop();
