import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import possibleTypes from './gql/possible-types.ts';
import { hasFile, uploadLink } from './upload-link.ts';

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/** A client for one API key, with its own cache: no caller sees what another one has read. */
export function createClient(apiKey: string): ApolloClient {
  const options = { uri: '/graphql', headers: { authorization: apiKey } };
  return new ApolloClient({
    link: ApolloLink.split(hasFile, uploadLink(options), new HttpLink(options)),
    cache: new InMemoryCache({
      // Without these, a fragment on the interface Entity would match nothing in the cache.
      ...possibleTypes,
      typePolicies: {
        Query: {
          fields: {
            // Pages of one list become one list, for each filter.
            farmers: relayStylePagination(['first_name', 'limit']),
            productTransactions: relayStylePagination(),
          },
        },
      },
    }),
    // A failed field leaves the rest of the answer: pages show both.
    defaultOptions: { watchQuery: { errorPolicy: 'all' }, mutate: { errorPolicy: 'all' } },
  });
}
